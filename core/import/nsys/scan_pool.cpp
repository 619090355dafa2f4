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
    m_ownScan = std::move(*scan);
    if (m_slots.empty())
        for (unsigned i = 0; i < 4 * (m_helpers + 1); ++i)
            m_slots.push_back(std::make_unique<Slot>());
    {
        const std::lock_guard lock(m_lock);
        m_query = query;
        m_first = first;
        m_last = last;
        m_ranges = static_cast<std::uint64_t>((last - first) / kRange) + 1;
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
    m_ownScan = {};
}

bool ScanPool::takeRange(std::uint64_t& range) const {
    range = m_taken;
    return m_taken < m_ranges && m_taken < m_given + m_slots.size();
}

RestOfRange ScanPool::boundsOf(std::uint64_t range) const {
    const std::int64_t first = m_first + static_cast<std::int64_t>(range) * kRange;
    return {first, m_last - first < kRange ? m_last : first + kRange - 1};
}

void ScanPool::readRange(TableScan& scan, const RestOfRange& bounds, const TableQuery& query,
                         Slot& slot) const {
    scan.setRange(bounds.first, bounds.last);
    const TableScan::State state = scan.fill(slot.batch, query);
    const std::int64_t next = scan.lastRow() ? *scan.lastRow() + 1 : bounds.first;
    slot.rest.reset();
    if (state != TableScan::State::Done && next <= bounds.last)
        slot.rest = RestOfRange{next, bounds.last};
}

// An exception must not leave a thread.
bool ScanPool::tryRange(TableScan& scan, const RestOfRange& bounds, const TableQuery& query,
                        Slot& slot) const {
    try {
        readRange(scan, bounds, query, slot);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool ScanPool::next(RowBatch& batch, std::optional<RestOfRange>& rest) {
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
        lock.unlock();
        readRange(m_ownScan, boundsOf(range), m_query, own);
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

// A helper that cannot open the file or prepare the statement leaves its ranges to the asking thread.
void ScanPool::work() {
    auto db = m_db.again(&m_job);
    TableScan scan;
    TableQuery query;
    std::uint64_t table = 0;
    bool usable = false;
    std::unique_lock lock(m_lock);
    while (true) {
        std::uint64_t range = 0;
        m_changed.wait(lock, [&] { return m_quit || takeRange(range); });
        if (m_quit)
            return;
        ++m_taken;
        ++m_working;
        const RestOfRange bounds = boundsOf(range);
        Slot& slot = *m_slots[range % m_slots.size()];
        if (m_table != table) {
            table = m_table;
            query = m_query;
            usable = false;
        }
        lock.unlock();
        if (!usable && db) {
            auto prepared = TableScan::ranges(*db, query);
            usable = static_cast<bool>(prepared);
            if (prepared)
                scan = std::move(*prepared);
        }
        if (!usable || !tryRange(scan, bounds, query, slot)) {
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
