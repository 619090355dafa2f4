#include "core/import/nsys/nsys_reader.h"

#include "core/base/poll.h"
#include "core/import/nsys/table_list.h"

#include <algorithm>
#include <limits>

namespace lacuna::nsys {

namespace {

constexpr std::uint64_t kPollBytes = std::uint64_t{1} << 20;
constexpr std::int64_t kMaxDenseStrings = 1 << 24;

} // namespace

// ---- names

Names::Names(SqliteDb& db, StringPool& pool) : m_pool(pool) {
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
                       std::uint64_t progressBytes, unsigned threads)
    : db(database), builder(into), report(into.report()), job(control), names(database, into.strings()),
      labels(database), tables(eventTables(database)), pages(SqlitePages::open(database)),
      scans(database, threads == 0 ? std::thread::hardware_concurrency() : threads, control),
      m_progressBytes(progressBytes) {}

bool NsysReader::hasRows(std::string_view table) {
    if (db.table(table) == nullptr)
        return false;
    auto any = db.prepare("SELECT 1 FROM " + quoteIdentifier(table) + " LIMIT 1");
    return any && any->step() == SqliteStatement::Step::Row;
}

ProcessId NsysReader::process(std::int64_t globalId) {
    const std::int64_t key = processKey(globalId);
    if (m_lastProcess && key == m_lastProcessKey)
        return m_lastProcess;
    const auto [at, fresh] = m_processes.try_emplace(key);
    m_lastProcessKey = key;
    if (!fresh)
        return m_lastProcess = at->second;
    const std::string number = std::to_string(processNumber(key));
    // The same number on another virtual machine or host is another process.
    const bool taken = !m_processNumbers.insert(processNumber(key)).second;
    const std::string machine = "@" + std::to_string(static_cast<std::uint64_t>(key) >> 48);
    at->second = builder.process(taken ? number + machine : number);
    Process& fresher = builder.process(at->second);
    fresher.osPid = processNumber(key);
    if (const auto name = processNames.find(key); name != processNames.end())
        fresher.name = name->second;
    if (const auto rank = mpiRanks.find(key); rank != mpiRanks.end())
        fresher.mpiRank = rank->second;
    return m_lastProcess = at->second;
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

std::int64_t NsysReader::globalThread(std::int64_t processNumber, std::int64_t threadNumber) const {
    const std::uint64_t low = (static_cast<std::uint64_t>(processNumber) & kThreadBits) << 24;
    const auto known = std::find_if(m_processes.begin(), m_processes.end(), [&](const auto& process) {
        return nsys::processNumber(process.first) == processNumber;
    });
    const std::uint64_t process =
        known != m_processes.end() ? static_cast<std::uint64_t>(known->first) : kFirstMachine | low;
    return static_cast<std::int64_t>(process | (static_cast<std::uint64_t>(threadNumber) & kThreadBits));
}

void NsysReader::renameThread(std::int64_t globalTid) {
    if (const auto at = m_threads.find(globalTid); at != m_threads.end())
        builder.thread(at->second).name = threadNames[globalTid];
}

LaneId NsysReader::hostLane(LaneKind kind, std::optional<std::int64_t> globalTid, std::string_view title) {
    if (m_lastLane.lane && m_lastLane.kind == kind && m_lastLane.thread == globalTid &&
        m_lastLane.title == title)
        return m_lastLane.lane;
    const LaneId lane = findHostLane(kind, globalTid, title);
    m_lastLane = {kind, globalTid, std::string(title), lane};
    return lane;
}

LaneId NsysReader::findHostLane(LaneKind kind, std::optional<std::int64_t> globalTid,
                                std::string_view title) {
    auto titled = m_hostLanes.find(title);
    if (titled == m_hostLanes.end())
        titled = m_hostLanes.emplace(title, std::vector<HostLanes>{}).first;
    std::vector<HostLanes>& kinds = titled->second;
    auto lanes = std::find_if(kinds.begin(), kinds.end(), [&](const HostLanes& l) { return l.kind == kind; });
    if (lanes == kinds.end())
        lanes = kinds.insert(kinds.end(), {kind, {}, {}});
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

StringId NsysReader::name(std::optional<std::int64_t> id, std::string_view fallback, const TableRows& rows) {
    if (!id)
        return builder.strings().intern(fallback);
    if (const auto text = names.find(*id))
        return *text;
    report.note("missing_string", "A name is not in the table StringIds; its number is shown instead.",
                rows.place(), Severity::Warning);
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

std::optional<std::uint32_t> NsysReader::apiCall(std::uint64_t correlation) const {
    const auto at = std::lower_bound(
        apiCalls.begin(), apiCalls.end(), correlation,
        [this](std::uint32_t row, std::uint64_t key) { return builder.correlationOf(row) < key; });
    return at != apiCalls.end() && builder.correlationOf(*at) == correlation ? std::optional(*at)
                                                                             : std::nullopt;
}

void NsysReader::expectRows(std::uint64_t rows) {
    m_expectedRows = std::max<std::uint64_t>(rows, 1);
    const double bytesPerRow = static_cast<double>(m_progressBytes) / static_cast<double>(m_expectedRows);
    if (bytesPerRow * static_cast<double>(kRowsPerPoll) > static_cast<double>(kPollBytes))
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
    if (builder.isSnapshotDue())
        builder.offerSnapshot();
}

} // namespace lacuna::nsys
