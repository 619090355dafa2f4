#include "core/import/nsys/table_rows.h"

#include "core/import/nsys/nsys_reader.h"

#include <algorithm>

namespace lacuna::nsys {

namespace {

// Beyond 2^61 ns (73 years) nothing is a time of a session; differences of what is left cannot overflow.
constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 61;
// A single operation of more than a week is a corrupted record (analysis.md section 1).
constexpr std::int64_t kMaxDurationNs = std::int64_t{7} * 24 * 3600 * 1'000'000'000;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::size_t kFewLeavesOfTable = 1; // small files are decoded too
#else
constexpr std::size_t kFewLeavesOfTable = LeafTable::kFewLeaves;
#endif
constexpr std::int64_t kMaxRowid = (std::int64_t{1} << 48) - 1; // what a SourceRef holds

bool isSaneTime(std::int64_t t) {
    return t > -kMaxTimeNs && t < kMaxTimeNs;
}

// Smallest or largest rowid; none when the pages that tell cannot be read.
std::optional<std::int64_t> extremeRow(SqliteDb& db, const char* function, const std::string& table) {
    auto row = db.prepare(std::string("SELECT ") + function + "(rowid) FROM " + quoteIdentifier(table));
    if (!row || row->step() != SqliteStatement::Step::Row)
        return std::nullopt;
    return row->integer(0);
}

} // namespace

TableRows::TableRows(NsysReader& reader, std::string_view table, std::initializer_list<WantedColumn> columns)
    : m_reader(reader), m_table(table), m_kind(table == "NVTX_EVENTS" ? EventKind::Range : EventKind::Other) {
    const SqliteTable* found = reader.db.table(table);
    m_has.resize(columns.size(), false);
    if (found == nullptr || reader.cancelled)
        return;
    const auto at = std::find(reader.tables.begin(), reader.tables.end(), table);
    m_tableIndex = static_cast<std::uint32_t>(at - reader.tables.begin());
    m_query.sql = "SELECT rowid";
    std::size_t i = 0;
    std::vector<std::string_view> names;
    names.reserve(columns.size());
    for (const WantedColumn& wanted : columns) {
        const SqliteColumn* column = found->column(wanted.name);
        names.push_back(column == nullptr ? std::string_view() : column->name);
        m_has[i++] = column != nullptr;
        m_query.isText.push_back(wanted.isText);
        m_query.sql += ", " + (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
    }
    m_query.sql += " FROM " + quoteIdentifier(found->name);
    if (reader.pages) {
        std::shared_ptr<const LeafTable> leaves =
            LeafTable::find(reader.db, *reader.pages, *found, names, m_query, reader.job, kFewLeavesOfTable);
        m_isOpen = m_isPooled = leaves != nullptr && reader.scans.start(m_query, std::move(leaves));
        if (m_isPooled)
            return;
    }
    const auto first = extremeRow(reader.db, "min", found->name);
    const auto last = first ? extremeRow(reader.db, "max", found->name) : std::nullopt;
    m_isPooled =
        first && last && reader.scans.isWorthIt(*first, *last) && reader.scans.start(m_query, *first, *last);
    m_isOpen = m_isPooled;
    if (m_isPooled)
        return;
    if (auto scan = TableScan::all(reader.db, m_query)) {
        m_scan.emplace(std::move(*scan));
        m_isOpen = true;
        return;
    }
    reader.report.note("unreadable_table", "A table cannot be read: " + reader.db.lastError() + ".",
                       {{}, m_table, 0}, Severity::Error);
    reader.report.setPartial();
}

TableRows::~TableRows() {
    if (m_isPooled)
        m_reader.scans.stop();
}

bool TableRows::end() {
    m_reader.advance(m_unreported);
    m_unreported = 0;
    m_isOpen = false;
    m_scan.reset();
    return false;
}

bool TableRows::next() {
    if (++m_at >= m_batch.rows() && (!m_isOpen || m_reader.cancelled || !nextBatch()))
        return m_isOpen ? end() : false;
    if (++m_unreported >= m_reader.rowsBetweenPolls()) {
        m_reader.advance(m_unreported);
        m_unreported = 0;
        return !m_reader.cancelled;
    }
    return true;
}

// Rows before a damaged place are given out first: the batch that is cut short has them.
bool TableRows::nextBatch() {
    if (m_batch.rows() > 0)
        m_lastRow = m_batch.rowid(m_batch.rows() - 1);
    m_at = 0;
    while (true) {
        if (!m_scan) {
            if (!m_isPooled || !nextPooledBatch())
                return false;
        } else {
            const TableScan::State state = m_scan->fill(m_batch, m_query);
            if (state == TableScan::State::Done)
                m_scan.reset();
            else if (state != TableScan::State::More) {
                if (m_reader.db.wasInterrupted()) {
                    m_reader.cancelled = true;
                    return false;
                }
                damaged(state == TableScan::State::Failed ? m_reader.db.lastError()
                                                          : std::string("its rows are out of order"),
                        m_scan->lastRow().value_or(m_lastRow));
                m_scan.reset();
                if (m_isPooled)
                    m_reader.scans.stop();
                m_isPooled = false;
            }
        }
        if (m_batch.rows() > 0)
            return true;
    }
}

bool TableRows::nextPooledBatch() {
    std::optional<RowRange> rest;
    if (!m_reader.scans.next(m_batch, rest)) {
        m_reader.cancelled = m_reader.cancelled || m_reader.job.cancelled();
        return false;
    }
    if (rest)
        scanRange(rest->first, rest->last);
    return true;
}

void TableRows::scanRange(std::int64_t first, std::int64_t last) {
    auto scan = TableScan::ranges(m_reader.db, m_query);
    if (!scan)
        return;
    m_scan.emplace(std::move(*scan));
    m_scan->setRange(first, last);
}

void TableRows::damaged(const std::string& reason, std::int64_t row) {
    m_reader.report.note("damaged_table",
                         "A table is damaged: " + reason + ". Its rows up to there were read.",
                         {{}, m_table, row}, Severity::Error);
    m_reader.report.setPartial();
}

SourceRef TableRows::source() const {
    const std::int64_t row = m_batch.rowid(m_at);
    return SourceRef::row(m_tableIndex, row < 0 || row > kMaxRowid ? kMaxRowid : row);
}

void TableRows::keep(EventKind kind) {
    m_reader.report.keep(kind);
}

void TableRows::drop(std::string_view code, std::string_view message, Severity severity) {
    m_reader.report.drop(code, message, place(), severity);
}

std::optional<Interval> TableRows::interval(bool deviceClock) {
    const auto begin = integer(0), end = integer(1);
    if (!begin || !end)
        drop("bad_time", "Rows without a whole number as start or end were left out.");
    else if (!isSaneTime(*begin) || !isSaneTime(*end))
        drop("time_out_of_range", "Rows with impossible times were left out.");
    else if (deviceClock && *begin == 0)
        drop("device_time_zero",
             "GPU rows that start at time 0 are records that CUPTI failed to fill in; they were "
             "left out.");
    else if (*end < *begin)
        drop("negative_duration", "Rows that end before they start were left out.");
    else if (*end - *begin > kMaxDurationNs)
        drop("impossible_duration",
             "Rows that last longer than seven days are corrupted; they were left out.");
    else if (!m_reader.builder.takes(m_kind, *begin, *end))
        drop(kRowsNotChosen, kRowsNotChosenText, Severity::Info);
    else
        return Interval{*begin, *end};
    return std::nullopt;
}

std::optional<std::int64_t> TableRows::time() {
    const auto at = integer(0);
    if (!at)
        drop("bad_time", "Rows without a whole number as start or end were left out.");
    else if (!isSaneTime(*at))
        drop("time_out_of_range", "Rows with impossible times were left out.");
    else if (!m_reader.builder.takes(m_kind, *at, *at))
        drop(kRowsNotChosen, kRowsNotChosenText, Severity::Info);
    else
        return at;
    return std::nullopt;
}

} // namespace lacuna::nsys
