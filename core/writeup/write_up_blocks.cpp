#include "core/output/utf8.h"
#include "core/writeup/write_up_parts.h"

namespace lacuna::writeup {

std::string oneLine(std::string_view text) {
    return printable(text);
}

void Blocks::heading(int level, std::string text) {
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::Heading;
    block.level = level;
    block.text = std::move(text);
    add(std::move(block));
}

void Blocks::text(std::string text) {
    WriteUpBlock block;
    block.text = std::move(text);
    add(std::move(block));
}

void Blocks::list(std::vector<std::string> lines) {
    if (lines.empty())
        return;
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::List;
    block.rows.reserve(lines.size());
    for (std::string& line : lines)
        block.rows.push_back({std::move(line)});
    add(std::move(block));
}

void Blocks::fields(const std::vector<std::pair<std::string, std::string>>& rows) {
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::Fields;
    block.rows.reserve(rows.size());
    for (const auto& [name, value] : rows)
        block.rows.push_back({name, value});
    add(std::move(block));
}

void Blocks::figure(GapId gap, std::string text) {
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::Figure;
    block.gap = gap;
    block.text = std::move(text);
    add(std::move(block));
}

WriteUpBlock& Blocks::table(std::initializer_list<std::string_view> columns, std::string caption) {
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::Table;
    block.text = std::move(caption);
    for (std::string_view column : columns) {
        const bool isNumber = column.starts_with('>');
        block.columns.emplace_back(column.substr(isNumber ? 1 : 0));
        block.isNumber.push_back(isNumber);
    }
    add(std::move(block));
    return m_into.back();
}

} // namespace lacuna::writeup
