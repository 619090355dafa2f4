#pragma once
// Iterates over the rows of one table with the columns a reader asks for; a column that the table lacks reads
// as NULL. Column numbers are those of the list. Large tables are read on several threads, the rows come in
// the order of the table all the same.

#include "core/import/nsys/row_batch.h"
#include "core/trace/import_report.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::nsys {

class NsysReader;

struct Interval {
    std::int64_t begin = 0, end = 0;
};

struct WantedColumn {
    WantedColumn(const char* columnName, bool asText = false) : name(columnName), isText(asText) {}
    std::string_view name;
    bool isText; // only such columns answer text()
};

class TableRows {
public:
    // At most 32 columns.
    TableRows(NsysReader& reader, std::string_view table, std::initializer_list<WantedColumn> columns);
    TableRows(const TableRows&) = delete;
    TableRows& operator=(const TableRows&) = delete;
    ~TableRows();

    // False at the end, at damage (noted, the load is then partial) and when the job is cancelled.
    bool next();
    bool has(int column) const { return m_has[static_cast<std::size_t>(column)]; }
    std::optional<std::int64_t> integer(int column) const {
        const auto c = static_cast<std::size_t>(column);
        return m_batch.isInteger(m_at, c) ? std::optional(m_batch.integer(m_at, c)) : std::nullopt;
    }
    std::int64_t integerOr(int column, std::int64_t fallback) const {
        return integer(column).value_or(fallback);
    }
    bool isNull(int column) const { return m_batch.isNull(m_at, static_cast<std::size_t>(column)); }
    std::string_view text(int column) const { return m_batch.text(m_at, static_cast<std::size_t>(column)); }
    IssuePlace place() const { return {{}, m_table, m_batch.rowid(m_at)}; }
    SourceRef source() const;

    // The interval in columns 0 and 1 when it is sound and chosen; else the row is dropped and counted.
    // deviceClock: GPU records of time 0 are records that CUPTI failed to fill in.
    std::optional<Interval> interval(bool deviceClock);
    // The time in column 0, for rows that have just one.
    std::optional<std::int64_t> time();
    void keep(EventKind kind);
    void drop(std::string_view code, std::string_view message, Severity severity = Severity::Warning);

private:
    bool nextBatch();
    bool nextPooledBatch();
    void scanRange(std::int64_t first, std::int64_t last);
    bool end();
    void damaged(const std::string& reason, std::int64_t row);

    NsysReader& m_reader;
    std::string m_table;
    EventKind m_kind; // for who chooses among rows: Range or any other
    std::uint32_t m_tableIndex = 0;
    TableQuery m_query;
    std::vector<bool> m_has;
    std::optional<TableScan> m_scan; // on this thread: the whole table, or what a helper left
    bool m_isPooled = false, m_isOpen = false;
    RowBatch m_batch;
    std::size_t m_at = 0;
    std::int64_t m_lastRow = 0;     // of the batches before
    std::uint64_t m_unreported = 0; // rows read, not yet in the job's progress
};

} // namespace lacuna::nsys
