#include "core/import/nsys/scan_pool.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace lacuna::nsys {

namespace {

constexpr std::int64_t kRange = static_cast<std::int64_t>(RowBatch::kRows);
constexpr std::int64_t kFewRows = 16 * kRange; // below, starting threads costs more than it brings
constexpr std::uint64_t kLeastRowBytes = 8;    // of a row on disk; more rowids than fit are holes
constexpr auto kPollEvery = std::chrono::milliseconds(20);

} // namespace

ScanPool::ScanPool(SqliteDb& db, unsigned threads, JobControl& job)
    : m_db(db), m_job(job), m_helpers(std::max(1u, threads) - 1) {}

ScanPool::~ScanPool() {
    stop();
    {
        const std::lock_guard lock(m_lock);
        m_quit = true;
    }
    m_changed.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

bool ScanPool::isWorthIt(std::int64_t first, std::int64_t last) const {
    std::int64_t span = 0;
    return m_helpers > 0 && first <= last && !__builtin_sub_overflow(last, first, &span) &&
           span >= kFewRows && static_cast<std::uint64_t>(span) < m_db.fileSize() / kLeastRowBytes;
}

bool ScanPool::start(const TableQuery& query, std::int64_t first, std::int64_t last) {
    stop();
    auto scan = TableScan::ranges(m_db, query);
    if (!scan)
        return false;
    m_first = first;
    m_last = last;
    return begin({query, nullptr, std::move(*scan)}, static_cast<std::uint64_t>((last - first) / kRange) + 1);
}

bool ScanPool::start(const TableQuery& query, std::shared_ptr<const LeafTable> leaves) {
    stop();
    const std::size_t pieces = leaves->pieces();
    return begin({query, std::move(leaves), std::nullopt}, pieces);
}

bool ScanPool::begin(Source source, std::uint64_t ranges) {
    if (m_slots.empty())
        for (unsigned i = 0; i < 4 * (m_helpers + 1); ++i)
            m_slots.push_back(std::make_unique<Slot>());
    {
        const std::lock_guard lock(m_lock);
        m_own = std::move(source);
        m_ranges = ranges;
        m_taken = m_given = 0;
        for (const auto& slot : m_slots)
            slot->isReady = false;
    }
    while (m_threads.size() < m_helpers)
        m_threads.emplace_back([this] { work(); });
    m_changed.notify_all();
    return true;
}

void ScanPool::stop() {
    std::unique_lock lock(m_lock);
    ++m_table;
    m_ranges = 0;
    m_changed.wait(lock, [this] { return m_working == 0; });
    m_own = {};
}

bool ScanPool::takeRange(std::uint64_t& range) const {
    range = m_taken;
    return m_taken < m_ranges && m_taken < m_given + m_slots.size();
}

RowRange ScanPool::boundsOf(std::uint64_t range) const {
    if (m_own.leaves)
        return m_own.leaves->bounds(range);
    const std::int64_t first = m_first + static_cast<std::int64_t>(range) * kRange;
    return {first, m_last - first < kRange ? m_last : first + kRange - 1};
}

// connect: makes the scan with which SQLite reads ranges, where there is none yet. What the pages do not give
// SQLite reads, what it does not give either is left to the asking thread.
template <class Connect>
void ScanPool::readRange(Source& source, std::uint64_t range, const RowRange& bounds, const Connect& connect,
                         Slot& slot) {
    if (source.leaves) {
        slot.rest = source.leaves->read(range, slot.batch, slot.pages);
        if (!slot.rest)
            return;
    } else {
        slot.batch.reset(source.query.isText.size());
        slot.rest = bounds;
    }
    if (!source.scan)
        source.scan = connect();
    if (!source.scan)
        return;
    source.scan->setRange(slot.rest->first, slot.rest->last);
    const TableScan::State state = source.scan->append(slot.batch, source.query);
    const auto last = source.scan->lastRow();
    if (state == TableScan::State::Done || (last && *last >= slot.rest->last))
        slot.rest.reset();
    else if (last)
        slot.rest->first = *last + 1;
}

bool ScanPool::next(RowBatch& batch, std::optional<RowRange>& rest) {
    std::unique_lock lock(m_lock);
    if (m_given >= m_ranges)
        return false;
    Slot& slot = *m_slots[m_given % m_slots.size()];
    while (!slot.isReady) {
        std::uint64_t range = 0;
        if (m_job.cancelled())
            return false;
        if (!takeRange(range)) {
            m_changed.wait_for(lock, kPollEvery);
            continue;
        }
        ++m_taken;
        Slot& own = *m_slots[range % m_slots.size()];
        const RowRange bounds = boundsOf(range);
        lock.unlock();
        readRange(
            m_own, range, bounds,
            [this] {
                auto scan = TableScan::ranges(m_db, m_own.query);
                return scan ? std::optional(std::move(*scan)) : std::nullopt;
            },
            own);
        lock.lock();
        own.isReady = true;
    }
    std::swap(batch, slot.batch);
    rest = slot.rest;
    slot.isReady = false;
    ++m_given;
    lock.unlock();
    m_changed.notify_all();
    return true;
}

// A helper that cannot open the file or prepare the statement leaves its ranges to the asking thread. An
// exception must not leave a thread.
void ScanPool::work() {
    std::optional<Result<SqliteDb>> db;
    Source source;
    std::uint64_t table = 0;
    const auto connect = [&]() -> std::optional<TableScan> {
        if (!db)
            db.emplace(m_db.again(&m_job));
        if (!*db)
            return std::nullopt;
        auto scan = TableScan::ranges(**db, source.query);
        return scan ? std::optional(std::move(*scan)) : std::nullopt;
    };
    std::unique_lock lock(m_lock);
    while (true) {
        std::uint64_t range = 0;
        m_changed.wait(lock, [&] { return m_quit || takeRange(range); });
        if (m_quit)
            return;
        ++m_taken;
        ++m_working;
        const RowRange bounds = boundsOf(range);
        Slot& slot = *m_slots[range % m_slots.size()];
        if (m_table != table) {
            table = m_table;
            source.query = m_own.query;
            source.leaves = m_own.leaves;
            source.scan.reset();
        }
        lock.unlock();
        try {
            readRange(source, range, bounds, connect, slot);
        } catch (const std::bad_alloc&) {
            slot.batch = {};
            slot.rest = bounds;
        }
        lock.lock();
        slot.isReady = m_table == table;
        --m_working;
        m_changed.notify_all();
    }
}

} // namespace lacuna::nsys
