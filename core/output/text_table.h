#pragma once
// A table of aligned columns for terminals.

#include "core/output/text_sink.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

inline constexpr std::size_t kTextWidth = 100; // of everything that verbs print as text

struct TextColumn {
    std::string title;
    bool right = false;    // numbers
    bool flexible = false; // gives way (shortened in the middle) when the table is too wide
};

class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns) : m_columns(std::move(columns)) {}
    // As many fields as columns; control characters become spaces.
    void add(std::vector<std::string> row);
    // Rows are kept to `width` characters as far as the flexible columns allow; `indent` blanks in front.
    void write(TextSink& sink, std::size_t width, std::size_t indent = 0) const;

private:
    std::vector<std::size_t> columnWidths(std::size_t width) const;

    std::vector<TextColumn> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

// Breaks a paragraph at blanks into lines of at most `width` characters (longer words stay whole); the first
// line starts with `head`, the others with as many blanks.
void writeParagraph(TextSink& sink, const std::string& head, const std::string& text, std::size_t width);

// "12.3 %"; "-" of nothing.
std::string shareText(std::int64_t part, std::int64_t whole);

} // namespace lacuna
