#include "core/output/text_table.h"

#include "core/base/text_format.h"
#include "core/output/utf8.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace lacuna {

namespace {

constexpr std::size_t kBetween = 2;      // blanks between columns
constexpr std::size_t kFlexibleMin = 12; // a flexible column keeps at least this

void appendCell(std::string& line, const std::string& text, const TextColumn& column, std::size_t width) {
    const std::string shown = column.flexible ? elideMiddle(text, width) : text;
    const std::size_t used = codePoints(shown);
    const std::size_t blanks = used < width ? width - used : 0;
    if (column.right)
        line.append(blanks, ' ').append(shown);
    else
        line.append(shown).append(blanks, ' ');
}

} // namespace

void TextTable::add(std::vector<std::string> row) {
    assert(row.size() == m_columns.size());
    for (std::string& field : row)
        field = printable(field);
    m_rows.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::columnWidths(std::size_t width) const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        std::size_t widest = codePoints(m_columns[c].title);
        for (const auto& row : m_rows)
            widest = std::max(widest, codePoints(row[c]));
        widths.push_back(widest);
    }
    std::size_t total = std::accumulate(widths.begin(), widths.end(), (m_columns.size() - 1) * kBetween);
    // The widest flexible column gives way first, one character at a time: tables are small.
    while (total > width) {
        std::size_t victim = m_columns.size();
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            if (m_columns[c].flexible && widths[c] > kFlexibleMin &&
                (victim == m_columns.size() || widths[c] > widths[victim]))
                victim = c;
        if (victim == m_columns.size())
            break;
        --widths[victim];
        --total;
    }
    return widths;
}

void TextTable::write(TextSink& sink, std::size_t width, std::size_t indent) const {
    const auto widths = columnWidths(width > indent ? width - indent : 0);
    const auto writeRow = [&](const auto& fieldOf) {
        std::string line(indent, ' ');
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (c > 0)
                line.append(kBetween, ' ');
            appendCell(line, fieldOf(c), m_columns[c], widths[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        sink.write(line + '\n');
    };
    writeRow([this](std::size_t c) { return m_columns[c].title; });
    for (const auto& row : m_rows)
        writeRow([&row](std::size_t c) { return row[c]; });
}

void writeParagraph(TextSink& sink, const std::string& head, const std::string& text, std::size_t width) {
    const std::string indent(codePoints(head), ' ');
    std::string line = head;
    bool lineIsEmpty = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t blank = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, blank - at);
        if (!lineIsEmpty && codePoints(line) + 1 + codePoints(word) > width) {
            sink.write(line + '\n');
            line = indent;
            lineIsEmpty = true;
        }
        line.append(lineIsEmpty ? "" : " ").append(word);
        lineIsEmpty = false;
        at = blank + 1;
    }
    sink.write(line + '\n');
}

std::string shareText(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? formatPercent(static_cast<double>(part) / static_cast<double>(whole))
                     : std::string("-");
}

} // namespace lacuna
