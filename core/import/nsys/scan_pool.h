#pragma once
// Reads large tables on several threads: each has a connection of its own and takes ranges of rowids; the
// batches come out in the order of the table, whatever the threads did. The thread that asks for batches
// reads ranges as well while it would have to wait.

#include "core/import/nsys/row_batch.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna::nsys {

// The rows of a range that a batch does not hold: it was cut short by a failure or by its text.
struct RestOfRange {
    std::int64_t first = 0, last = 0;
};

class ScanPool {
public:
    // threads: all that may run, with the one that asks. The database and the job outlive the pool.
    ScanPool(SqliteDb& db, unsigned threads, JobControl& job);
    ~ScanPool();

    // Whether rows first..last of a table are worth several threads.
    bool isWorthIt(std::int64_t first, std::int64_t last) const;
    // Starts on a table; ends what was going on. False: the query cannot be prepared.
    bool start(const TableQuery& query, std::int64_t first, std::int64_t last);
    // The next batch in order; false at the end of the table. rest: what is left of the batch's range.
    bool next(RowBatch& batch, std::optional<RestOfRange>& rest);
    // Forgets the table; batches that are being filled are thrown away.
    void stop();

private:
    struct Slot {
        RowBatch batch;
        std::optional<RestOfRange> rest;
        bool isReady = false;
    };
    void work();
    bool takeRange(std::uint64_t& range) const; // with the lock held
    RestOfRange boundsOf(std::uint64_t range) const;
    void readRange(TableScan& scan, const RestOfRange& bounds, const TableQuery& query, Slot& slot) const;
    bool tryRange(TableScan& scan, const RestOfRange& bounds, const TableQuery& query, Slot& slot) const;

    SqliteDb& m_db;
    JobControl& m_job;
    std::vector<std::thread> m_threads;
    unsigned m_helpers = 0;

    std::mutex m_lock;
    std::condition_variable m_changed;
    bool m_quit = false;
    std::uint64_t m_table = 0; // counts start() and stop(): work on another one is void
    TableQuery m_query;
    std::int64_t m_first = 0, m_last = -1;
    std::uint64_t m_ranges = 0, m_taken = 0, m_given = 0, m_working = 0;
    std::vector<std::unique_ptr<Slot>> m_slots; // a ring
    TableScan m_ownScan;
};

} // namespace lacuna::nsys
