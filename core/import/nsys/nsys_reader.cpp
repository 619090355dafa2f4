#include "core/import/nsys/nsys_reader.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lacuna::nsys {

namespace {

constexpr std::uint64_t kPollRows = 4096;
constexpr std::uint64_t kPollBytes = std::uint64_t{1} << 20;
// Beyond 2^61 ns (73 years) nothing is a time of a session; differences of what is left cannot overflow.
constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 61;
// A single operation of more than a week is a corrupted record (analysis.md section 1).
constexpr std::int64_t kMaxDurationNs = std::int64_t{7} * 24 * 3600 * 1'000'000'000;
constexpr std::int64_t kMaxDenseStrings = 1 << 24;
constexpr std::int64_t kMaxRowid = (std::int64_t{1} << 48) - 1; // what a SourceRef holds

// Device work first, so that the rows that matter most survive in a file that is cut.
constexpr std::array<std::string_view, 29> kEventTables = {
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
    "NVTX_EVENTS",
    "OSRT_API",
    "SYSCALL",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "PROFILER_OVERHEAD",
    "CUBLAS_EVENTS",
    "CUDNN_EVENTS",
    "MPI_P2P_EVENTS",
    "MPI_START_WAIT_EVENTS",
    "MPI_COLLECTIVES_EVENTS",
    "MPI_OTHER_EVENTS",
    "UCP_SUBMIT_EVENTS",
    "UCP_PROGRESS_EVENTS",
    "UCP_EVENTS",
    "CUPTI_ACTIVITY_KIND_OPENACC_DATA",
    "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH",
    "CUPTI_ACTIVITY_KIND_OPENACC_OTHER",
    "CUDA_GRAPH_NODE_EVENTS",
    "CUDA_GRAPH_EVENTS",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "GPU_METRICS",
    "GENERIC_EVENTS",
};

bool isOpenMpTable(std::string_view name) {
    return name.substr(0, 18) == "OPENMP_EVENT_KIND_";
}

bool isSaneTime(std::int64_t t) {
    return t > -kMaxTimeNs && t < kMaxTimeNs;
}

} // namespace

std::vector<std::string> eventTables(const SqliteDb& db) {
    std::vector<std::string> names(kEventTables.begin(), kEventTables.end());
    const auto fixed = static_cast<std::ptrdiff_t>(names.size());
    for (const SqliteTable& table : db.tables())
        if (isOpenMpTable(table.name))
            names.push_back(table.name);
    std::sort(names.begin() + fixed, names.end());
    return names;
}

// ---- names

Names::Names(SqliteDb& db, StringPool& pool) : m_db(db), m_pool(pool) {
    const SqliteTable* table = db.table("StringIds");
    const SqliteColumn* id = table == nullptr ? nullptr : table->column("id");
    if (id == nullptr || table->column("value") == nullptr)
        return;
    if (id->isPrimaryKey) {
        if (auto lookup = db.prepare("SELECT value FROM StringIds WHERE id = ?1"))
            m_lookup.emplace(std::move(*lookup));
        return;
    }
    auto all = db.prepare("SELECT id, value FROM StringIds");
    while (all && all->step() == SqliteStatement::Step::Row)
        if (const auto key = all->integer(0); key && !all->isNull(1))
            m_sparse.try_emplace(*key, m_pool.intern(all->text(1)));
}

std::optional<StringId> Names::find(std::int64_t id) {
    if (!m_lookup) {
        const auto at = m_sparse.find(id);
        return at == m_sparse.end() ? std::nullopt : std::optional(at->second);
    }
    if (id < 0 || id >= kMaxDenseStrings) {
        if (const auto at = m_sparse.find(id); at != m_sparse.end())
            return at->second;
        const auto read = readOne(id);
        if (read)
            m_sparse.emplace(id, *read);
        return read;
    }
    const auto place = static_cast<std::size_t>(id);
    if (place >= m_dense.size())
        m_dense.resize(std::max(place + 1, 2 * m_dense.size()));
    if (m_dense[place])
        return m_dense[place];
    const auto read = readOne(id);
    if (read)
        m_dense[place] = *read;
    return read;
}

std::optional<StringId> Names::readOne(std::int64_t id) {
    m_lookup->reset();
    m_lookup->bind(1, id);
    if (m_lookup->step() != SqliteStatement::Step::Row || m_lookup->isNull(0))
        return std::nullopt;
    return m_pool.intern(m_lookup->text(0));
}

// ---- reader

NsysReader::NsysReader(SqliteDb& database, TraceBuilder& into, JobControl& control,
                       std::uint64_t progressBytes)
    : db(database), builder(into), report(into.report()), job(control), names(database, into.strings()),
      labels(database), tables(eventTables(database)), m_progressBytes(progressBytes) {}

ProcessId NsysReader::process(std::int64_t globalId) {
    const std::int64_t key = processKey(globalId);
    const auto [at, fresh] = m_processes.try_emplace(key);
    if (!fresh)
        return at->second;
    const std::string number = std::to_string(processNumber(key));
    // The same number on another virtual machine or host is another process.
    const bool taken = std::any_of(m_processes.begin(), m_processes.end(), [&](const auto& other) {
        return other.first != key && processNumber(other.first) == processNumber(key);
    });
    const std::string machine = "@" + std::to_string(static_cast<std::uint64_t>(key) >> 48);
    at->second = builder.process(taken ? number + machine : number);
    Process& fresher = builder.process(at->second);
    fresher.osPid = processNumber(key);
    if (const auto name = processNames.find(key); name != processNames.end())
        fresher.name = name->second;
    return at->second;
}

ThreadId NsysReader::thread(std::int64_t globalTid) {
    const auto [at, fresh] = m_threads.try_emplace(globalTid);
    if (fresh) {
        at->second = builder.thread(process(globalTid), std::to_string(threadNumber(globalTid)));
        if (const auto name = threadNames.find(globalTid); name != threadNames.end())
            builder.thread(at->second).name = name->second;
    }
    return at->second;
}

void NsysReader::renameThread(std::int64_t globalTid) {
    if (const auto at = m_threads.find(globalTid); at != m_threads.end())
        builder.thread(at->second).name = threadNames[globalTid];
}

LaneId NsysReader::hostLane(LaneKind kind, std::optional<std::int64_t> globalTid, std::string_view title) {
    auto lanes = std::find_if(m_hostLanes.begin(), m_hostLanes.end(),
                              [&](const HostLanes& l) { return l.kind == kind && l.title == title; });
    if (lanes == m_hostLanes.end())
        lanes = m_hostLanes.insert(m_hostLanes.end(), {kind, title, {}, {}});
    LaneId& lane = globalTid ? lanes->byThread[*globalTid] : lanes->withoutThread;
    if (lane)
        return lane;
    LaneKey key;
    key.kind = kind;
    key.title = title;
    if (globalTid) {
        key.process = process(*globalTid);
        key.sourceId = threadNumber(*globalTid);
        // Thread 0 stands for the whole process; marks can do without a thread, calls cannot.
        if (kind != LaneKind::Marks || key.sourceId != 0)
            key.thread = thread(*globalTid);
    } else {
        key.process = builder.process("unknown");
        key.thread = builder.thread(key.process, "unknown");
    }
    lane = builder.lane(key);
    return lane;
}

StringId NsysReader::name(std::optional<std::int64_t> id, std::string_view fallback,
                          const IssuePlace& place) {
    if (!id)
        return builder.strings().intern(fallback);
    if (const auto text = names.find(*id))
        return *text;
    report.note("missing_string", "A name is not in the table StringIds; its number is shown instead.", place,
                Severity::Warning);
    return builder.strings().intern("(string " + std::to_string(*id) + " is missing)");
}

std::uint64_t NsysReader::correlation(std::optional<std::int64_t> globalId, std::optional<std::int64_t> id) {
    if (!id || *id <= 0 || *id > std::numeric_limits<std::uint32_t>::max())
        return 0;
    if (!globalId)
        globalId = onlyApiProcess;
    if (!globalId)
        return 0;
    const std::uint64_t domain = std::uint64_t{process(*globalId).v} + 1;
    return (domain << 32) | static_cast<std::uint64_t>(*id);
}

const ApiCall* NsysReader::apiCall(std::uint64_t correlation) const {
    const auto at =
        std::lower_bound(apiCalls.begin(), apiCalls.end(), correlation,
                         [](const ApiCall& call, std::uint64_t key) { return call.correlation < key; });
    return at != apiCalls.end() && at->correlation == correlation ? &*at : nullptr;
}

void NsysReader::expectRows(std::uint64_t rows) {
    m_expectedRows = std::max<std::uint64_t>(rows, 1);
    const double bytesPerRow = static_cast<double>(m_progressBytes) / static_cast<double>(m_expectedRows);
    if (bytesPerRow * static_cast<double>(kPollRows) > static_cast<double>(kPollBytes))
        m_rowsBetweenPolls = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(static_cast<double>(kPollBytes) / bytesPerRow));
}

// The rows of the event tables stand for the bytes of the file, evenly.
void NsysReader::advance(std::uint64_t rows) {
    job.countEvents(rows);
    m_rowsSeen += rows;
    const double share =
        m_expectedRows == 0
            ? 0.0
            : std::min(1.0, static_cast<double>(m_rowsSeen) / static_cast<double>(m_expectedRows));
    const auto bytes = static_cast<std::uint64_t>(share * static_cast<double>(m_progressBytes));
    while (m_bytesSeen < bytes && !cancelled) {
        const std::uint64_t slice = std::min(kPollBytes, bytes - m_bytesSeen);
        job.advance(slice);
        m_bytesSeen += slice;
        cancelled = job.cancelled();
    }
    cancelled = cancelled || job.cancelled();
}

// ---- rows of a table

TableRows::TableRows(NsysReader& reader, std::string_view table,
                     std::initializer_list<std::string_view> columns)
    : m_reader(reader), m_table(table) {
    const SqliteTable* found = reader.db.table(table);
    m_has.resize(columns.size(), false);
    if (found == nullptr || reader.cancelled)
        return;
    const auto at = std::find(reader.tables.begin(), reader.tables.end(), table);
    m_tableIndex = static_cast<std::uint32_t>(at - reader.tables.begin());
    std::string sql = "SELECT rowid";
    std::size_t i = 0;
    for (const std::string_view name : columns) {
        const SqliteColumn* column = found->column(name);
        m_has[i++] = column != nullptr;
        sql += ", " + (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
    }
    auto statement = reader.db.prepare(sql + " FROM " + quoteIdentifier(found->name));
    if (statement) {
        m_statement.emplace(std::move(*statement));
        return;
    }
    reader.report.note("unreadable_table", "A table cannot be read: " + reader.db.lastError() + ".",
                       {{}, m_table, 0}, Severity::Error);
    reader.report.setPartial();
}

bool TableRows::end() {
    m_reader.advance(m_unreported);
    m_unreported = 0;
    m_statement.reset();
    return false;
}

bool TableRows::next() {
    if (!m_statement || m_reader.cancelled)
        return false;
    const SqliteStatement::Step step = m_statement->step();
    if (step == SqliteStatement::Step::Done)
        return end();
    const std::int64_t before = m_rowid;
    if (step == SqliteStatement::Step::Row)
        m_rowid = m_statement->integer(0).value_or(before);
    // A damaged tree may lead back to pages that were read: rows come by ascending rowid or not at all.
    if (step == SqliteStatement::Step::Row && (m_rows == 0 || m_rowid > before)) {
        ++m_rows;
        if (++m_unreported >= m_reader.rowsBetweenPolls()) {
            m_reader.advance(m_unreported);
            m_unreported = 0;
        }
        return !m_reader.cancelled;
    }
    if (step == SqliteStatement::Step::Failed && m_reader.db.wasInterrupted()) {
        m_reader.cancelled = true;
        return end();
    }
    const std::string reason =
        step == SqliteStatement::Step::Failed ? m_reader.db.lastError() : "its rows are out of order";
    m_reader.report.note("damaged_table",
                         "A table is damaged: " + reason + ". Its rows up to there were read.",
                         {{}, m_table, before}, Severity::Error);
    m_reader.report.setPartial();
    return end();
}

IssuePlace TableRows::place() const {
    return {{}, m_table, m_rowid};
}

SourceRef TableRows::source() const {
    return SourceRef::row(m_tableIndex, m_rowid < 0 || m_rowid > kMaxRowid ? kMaxRowid : m_rowid);
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
    else
        return at;
    return std::nullopt;
}

} // namespace lacuna::nsys
