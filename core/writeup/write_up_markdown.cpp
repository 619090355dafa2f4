#include "core/base/markdown_text.h"
#include "core/writeup/write_up.h"

#include <string>

namespace lacuna {

namespace {

void rowMarkdown(const std::vector<std::string>& cells, TextSink& sink) {
    std::string line = "|";
    for (const std::string& cell : cells)
        line += " " + escapedMarkdown(cell) + " |";
    sink.write(line + "\n");
}

void tableMarkdown(const WriteUpBlock& block, TextSink& sink) {
    sink.write("**" + escapedMarkdown(block.text) + "**\n\n");
    rowMarkdown(block.columns, sink);
    std::string line = "|";
    for (const bool isNumber : block.isNumber)
        line += isNumber ? " ---: |" : " --- |";
    sink.write(line + "\n");
    for (const auto& row : block.rows)
        rowMarkdown(row, sink);
    sink.write("\n");
}

void blockMarkdown(const WriteUpBlock& block, TextSink& sink) {
    switch (block.kind) {
    case WriteUpBlock::Kind::Heading:
        sink.write(std::string(static_cast<std::size_t>(block.level), '#') + " " +
                   escapedMarkdown(block.text) + "\n\n");
        break;
    case WriteUpBlock::Kind::Text:
        sink.write(escapedMarkdown(block.text) + "\n\n");
        break;
    case WriteUpBlock::Kind::List:
    case WriteUpBlock::Kind::Fields:
        for (const auto& row : block.rows)
            sink.write("- " + escapedMarkdown(row.front()) +
                       (row.size() > 1 ? ": " + escapedMarkdown(row[1]) : std::string()) + "\n");
        sink.write("\n");
        break;
    case WriteUpBlock::Kind::Table:
        tableMarkdown(block, sink);
        break;
    case WriteUpBlock::Kind::Figure:
        if (!block.image.empty())
            sink.write("![" + escapedMarkdown(block.text) + "](data:" + block.imageType + ";base64," +
                       base64(block.image) + ")\n\n");
        break;
    }
}

} // namespace

void writeUpMarkdown(const WriteUp& document, TextSink& sink) {
    for (const WriteUpBlock& block : document.blocks)
        blockMarkdown(block, sink);
}

} // namespace lacuna
