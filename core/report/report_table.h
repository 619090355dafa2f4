#pragma once
// What a report answers: typed columns with the titles of the vendor's report where there is one, and rows.
// One table serves the terminal, CSV, JSON and the window.
//
// Every cell is a whole number: times in ns, counts, decimals scaled by ten to the power of their digits (so
// that rounding happens once and sorting is exact), texts as numbers of a pool. A cell may be empty.

#include "core/base/job_control.h"
#include "core/base/narrow_column.h"
#include "core/base/string_pool.h"
#include "core/report/kind_mask.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

struct ReportColumn {
    enum class Type : std::uint8_t { Ns, Integer, Decimal, Text };

    std::string title;
    Type type = Type::Text;
    unsigned decimals = 0;               // Decimal: digits behind the point
    std::vector<std::string> otherNames; // further spellings that --sort takes
    std::string meaning{};               // a sentence for people; empty where the title says all
};

// Short forms for lists of columns.
ReportColumn nsColumn(std::string title);
ReportColumn integerColumn(std::string title);
ReportColumn decimalColumn(std::string title, unsigned decimals);
ReportColumn textColumn(std::string title);

class ReportTable {
public:
    static constexpr std::int64_t kEmpty = NarrowColumn::kEmpty;

    // Fills one row, cell by cell in the order of the columns; the type of each call is that of its column.
    class Row {
    public:
        Row& ns(std::int64_t v) { return put(ReportColumn::Type::Ns, v); }
        Row& integer(std::int64_t v) { return put(ReportColumn::Type::Integer, v); }
        Row& integer(std::optional<std::int64_t> v) { return v ? integer(*v) : empty(); }
        // Rounded to the digits of the column, halves away from zero; empty when it is not finite.
        Row& decimal(double v);
        // numerator / denominator; empty where the denominator is 0.
        Row& ratio(std::int64_t numerator, std::int64_t denominator);
        Row& text(std::string_view v);
        // A text that textId() has given.
        Row& text(StringId id) { return put(ReportColumn::Type::Text, id.v); }
        Row& empty();
        // What in the trace the row is about, for people who want to see it (core/report/report_evidence.h):
        // one row of the trace, or all those of a name (of the trace) and some kinds.
        Row& about(EventId event) { return setAbout(event.v); }
        // More rows stand behind it, which a table that folds can show.
        Row& unfolds(bool isSo);
        Row& about(StringId name, KindMask kinds) {
            return setAbout(static_cast<std::int64_t>(std::uint64_t{kinds} << 32 | name.v));
        }

    private:
        friend class ReportTable;
        explicit Row(ReportTable& table) : m_table(table) {}
        Row& put(ReportColumn::Type type, std::int64_t v);
        Row& setAbout(std::int64_t v);
        ReportTable& m_table;
        std::size_t m_column = 0;
    };

    explicit ReportTable(std::vector<ReportColumn> columns);

    // The row before must have all its cells.
    Row addRow();
    // For texts that many rows share.
    StringId textId(std::string_view text) { return m_texts.intern(text); }
    // A sentence for people about what is not in the table, and why.
    void addNote(std::string note) { m_notes.push_back(std::move(note)); }
    void setOnlyNote(std::string note) {
        m_notes.clear();
        m_notes.push_back(std::move(note));
    }

    const std::vector<ReportColumn>& columns() const { return m_columns; }
    const std::vector<std::string>& notes() const { return m_notes; }
    std::size_t rows() const { return m_shown; }
    bool isEmpty(std::size_t row, std::size_t column) const { return cell(row, column) == kEmpty; }
    // Not of empty cells. Decimals are scaled.
    std::int64_t number(std::size_t row, std::size_t column) const { return cell(row, column); }
    std::string_view text(std::size_t row, std::size_t column) const;
    // The cell as the vendor writes it, without grouping: "775453.3"; "" for an empty cell.
    std::string cellText(std::size_t row, std::size_t column) const;
    void appendCell(std::string& out, std::size_t row, std::size_t column) const;

    // As about() has it: the number of an event; in the upper half kinds, then the lower one is a name.
    // kEmpty where the row tells nothing.
    std::int64_t aboutOf(std::size_t row) const {
        const std::size_t at = m_order.empty() ? row : m_order[row];
        return at < m_about.size() ? m_about.at(at) : kEmpty;
    }

    bool unfolds(std::size_t row) const {
        const std::size_t at = m_order.empty() ? row : m_order[row];
        return at < m_unfolds.size() && m_unfolds[at];
    }

    // The column of a name: its title in any case, with or without the unit in brackets, blanks or other
    // signs written as underscores ("Total Time (ns)", "total_time_ns", "total_time"), or another name of it.
    std::optional<std::size_t> findColumn(std::string_view name) const;
    // Numbers from the largest, texts from A; empty cells last, ties in the order they had. O(n log n). False
    // when the job was cancelled: the rows are in no order then.
    bool sortBy(std::size_t column, const JobControl& job);
    void sortBy(std::size_t column) { sortBy(column, JobControl()); }
    // Keeps the first rows.
    void limitTo(std::size_t count) { m_shown = count < m_shown ? count : m_shown; }

private:
    std::int64_t cell(std::size_t row, std::size_t column) const {
        return m_cells[column].at(m_order.empty() ? row : m_order[row]);
    }

    std::vector<ReportColumn> m_columns;
    std::vector<NarrowColumn> m_cells;  // beside m_columns
    NarrowColumn m_about;               // of the rows up to the last that tells it
    std::vector<bool> m_unfolds;        // of the rows up to the last that does
    std::vector<std::uint32_t> m_order; // empty: as added
    std::size_t m_shown = 0;
    StringPool m_texts;
    std::vector<std::string> m_notes;
};

} // namespace lacuna
