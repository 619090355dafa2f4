#include "core/report/report_table.h"

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

// ---- cells

void ReportTable::Cells::push(std::int64_t v) {
    const bool fits = v == kEmpty || (v > kNarrowEmpty && v <= std::numeric_limits<std::int32_t>::max());
    if (!m_isWide && !fits) {
        m_wide.reserve(std::max<std::size_t>(m_narrow.capacity(), m_narrow.size() + 1));
        for (std::size_t row = 0; row < m_narrow.size(); ++row)
            m_wide.push_back(at(row));
        m_narrow = {};
        m_isWide = true;
    }
    if (m_isWide)
        m_wide.push_back(v);
    else
        m_narrow.push_back(v == kEmpty ? kNarrowEmpty : static_cast<std::int32_t>(v));
}

std::int64_t ReportTable::Cells::at(std::size_t row) const {
    if (m_isWide && !m_wide.empty() && m_narrow.empty())
        return m_wide[row];
    return m_narrow[row] == kNarrowEmpty ? kEmpty : m_narrow[row];
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

ReportTable::Row& ReportTable::Row::decimal(double v) {
    const double scaled =
        std::floor(v * static_cast<double>(powerOfTen(m_table.m_columns[m_column].decimals)) + 0.5);
    constexpr double kMost = 9.2e18;
    return std::isfinite(v) ? put(ReportColumn::Type::Decimal,
                                  static_cast<std::int64_t>(std::clamp(scaled, -kMost, kMost)))
                            : empty();
}

ReportTable::Row& ReportTable::Row::ratio(std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 0)
        return empty();
    __extension__ using Wide = __int128;
    const Wide below = denominator < 0 ? -Wide{denominator} : Wide{denominator};
    const Wide above = (denominator < 0 ? -Wide{numerator} : Wide{numerator}) *
                       powerOfTen(m_table.m_columns[m_column].decimals);
    const Wide twice = 2 * above + below;
    Wide rounded = twice / (2 * below);
    if (twice % (2 * below) < 0) // towards minus infinity
        --rounded;
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    return put(ReportColumn::Type::Decimal,
               static_cast<std::int64_t>(std::clamp<Wide>(rounded, -kMost, kMost)));
}

ReportTable::Row& ReportTable::Row::text(std::string_view v) {
    return text(m_table.m_texts.intern(v));
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

void ReportTable::sortBy(std::size_t column) {
    if (m_order.empty()) {
        m_order.resize(m_shown);
        std::iota(m_order.begin(), m_order.end(), std::uint32_t{0});
    }
    const Cells& cells = m_cells[column];
    if (m_columns[column].type != ReportColumn::Type::Text) { // an empty cell is the smallest number
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return cells.at(a) > cells.at(b); });
        return;
    }
    const auto textOf = [&](std::int64_t id) {
        return m_texts.view(StringId{static_cast<std::uint32_t>(id)});
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::int64_t left = cells.at(a), right = cells.at(b);
        if (left == kEmpty || right == kEmpty || left == right)
            return left != right && right == kEmpty;
        return textOf(left) < textOf(right);
    });
}

} // namespace lacuna
