#include "core/report/report_table.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace lacuna {

namespace {

std::int64_t powerOfTen(unsigned digits) {
    std::int64_t power = 1;
    for (unsigned i = 0; i < digits; ++i)
        power *= 10;
    return power;
}

// Lower case, and one underscore for every run of other signs; without those at the ends.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '%')
            plain += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!plain.empty() && plain.back() != '_')
            plain += '_';
    }
    while (!plain.empty() && plain.back() == '_')
        plain.pop_back();
    return plain;
}

} // namespace

ReportColumn nsColumn(std::string title) {
    return {std::move(title), ReportColumn::Type::Ns, 0, {}};
}
ReportColumn integerColumn(std::string title) {
    return {std::move(title), ReportColumn::Type::Integer, 0, {}};
}
ReportColumn decimalColumn(std::string title, unsigned decimals) {
    return {std::move(title), ReportColumn::Type::Decimal, decimals, {}};
}
ReportColumn textColumn(std::string title) {
    return {std::move(title), ReportColumn::Type::Text, 0, {}};
}

// ---- rows

ReportTable::Row& ReportTable::Row::put([[maybe_unused]] ReportColumn::Type type, std::int64_t v) {
    assert(m_table.m_columns[m_column].type == type);
    m_table.m_cells[m_column++].push(v);
    return *this;
}

ReportTable::Row& ReportTable::Row::empty() {
    return put(m_table.m_columns[m_column].type, kEmpty);
}

// The extended type holds the product exactly, so that only true halves are rounded up: SQLite's round(),
// which the vendor uses, does the same.
ReportTable::Row& ReportTable::Row::decimal(double v) {
    if (!std::isfinite(v))
        return empty();
    constexpr long double kMost = 9.2e18L;
    const auto power = static_cast<long double>(powerOfTen(m_table.m_columns[m_column].decimals));
    const long double scaled = std::floor(std::fabs(static_cast<long double>(v)) * power + 0.5L);
    const auto digits = static_cast<std::int64_t>(std::min(scaled, kMost));
    return put(ReportColumn::Type::Decimal, v < 0 ? -digits : digits);
}

ReportTable::Row& ReportTable::Row::ratio(std::int64_t numerator, std::int64_t denominator) {
    return denominator == 0 ? empty()
                            : decimal(static_cast<double>(numerator) / static_cast<double>(denominator));
}

ReportTable::Row& ReportTable::Row::text(std::string_view v) {
    return text(m_table.m_texts.intern(v));
}

ReportTable::Row& ReportTable::Row::setAbout(std::int64_t v) {
    while (m_table.m_about.size() + 1 < m_table.m_shown)
        m_table.m_about.push(kEmpty);
    m_table.m_about.push(v);
    return *this;
}

ReportTable::Row& ReportTable::Row::unfolds(bool isSo) {
    if (isSo) {
        m_table.m_unfolds.resize(m_table.m_shown, false);
        m_table.m_unfolds.back() = true;
    }
    return *this;
}

// ---- table

ReportTable::ReportTable(std::vector<ReportColumn> columns)
    : m_columns(std::move(columns)), m_cells(m_columns.size()) {}

ReportTable::Row ReportTable::addRow() {
    assert(m_order.empty());
    assert(m_cells.back().size() == m_shown);
    ++m_shown;
    return Row(*this);
}

std::string_view ReportTable::text(std::size_t row, std::size_t column) const {
    const std::int64_t id = cell(row, column);
    return id == kEmpty ? std::string_view{} : m_texts.view(StringId{static_cast<std::uint32_t>(id)});
}

std::string ReportTable::cellText(std::size_t row, std::size_t column) const {
    std::string out;
    appendCell(out, row, column);
    return out;
}

void ReportTable::appendCell(std::string& out, std::size_t row, std::size_t column) const {
    const std::int64_t value = cell(row, column);
    if (value == kEmpty)
        return;
    if (m_columns[column].type == ReportColumn::Type::Text) {
        out += text(row, column);
        return;
    }
    const unsigned decimals = m_columns[column].decimals;
    if (m_columns[column].type != ReportColumn::Type::Decimal || decimals == 0) {
        out += std::to_string(value);
        return;
    }
    std::string digits = std::to_string(value < 0 ? -value : value);
    if (digits.size() <= decimals)
        digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, ".");
    if (value < 0)
        out += '-';
    out += digits;
}

std::optional<std::size_t> ReportTable::findColumn(std::string_view name) const {
    const std::string wanted = plainName(name);
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (m_columns[c].title == name || plainName(m_columns[c].title) == wanted)
            return c;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const ReportColumn& column = m_columns[c];
        if (plainName(std::string_view(column.title).substr(0, column.title.find(" ("))) == wanted)
            return c;
        for (const std::string& other : column.otherNames)
            if (plainName(other) == wanted)
                return c;
    }
    return std::nullopt;
}

bool ReportTable::sortBy(std::size_t column, const JobControl& job) {
    if (m_order.empty()) {
        m_order.resize(m_shown);
        std::iota(m_order.begin(), m_order.end(), std::uint32_t{0});
    }
    RowPoll poll(job);
    const NarrowColumn& cells = m_cells[column];
    if (m_columns[column].type != ReportColumn::Type::Text) // an empty cell is the smallest number
        return sortRows(m_order, poll,
                        [&](std::uint32_t a, std::uint32_t b) { return cells.at(a) > cells.at(b); });
    const auto textOf = [&](std::int64_t id) {
        return m_texts.view(StringId{static_cast<std::uint32_t>(id)});
    };
    return sortRows(m_order, poll, [&](std::uint32_t a, std::uint32_t b) {
        const std::int64_t left = cells.at(a), right = cells.at(b);
        if (left == kEmpty || right == kEmpty || left == right)
            return left != right && right == kEmpty;
        return textOf(left) < textOf(right);
    });
}

} // namespace lacuna
