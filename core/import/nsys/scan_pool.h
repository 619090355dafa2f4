#pragma once
// Reads large tables on several threads: each takes ranges of rowids, from the pages of the table where these
// are at hand (leaf_table.h), else with a connection of its own; the batches come out in the order of the
// table, whatever the threads did. The thread that asks for batches reads ranges as well while it would have
// to wait.

#include "core/import/nsys/leaf_table.h"
#include "core/import/nsys/row_batch.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna::nsys {

class ScanPool {
public:
    // threads: all that may run, with the one that asks. The database and the job outlive the pool.
    ScanPool(SqliteDb& db, unsigned threads, JobControl& job);
    ~ScanPool();

    // Whether rows first..last of a table are worth several threads.
    bool isWorthIt(std::int64_t first, std::int64_t last) const;
    // Starts on a table; ends what was going on. False: the query cannot be prepared.
    bool start(const TableQuery& query, std::int64_t first, std::int64_t last);
    // The same from the table's pages.
    bool start(const TableQuery& query, std::shared_ptr<const LeafTable> leaves);
    // The next batch in order; false at the end of the table. rest: the rows of the batch's range that it
    // does not hold, since it was cut short by a failure or by its text.
    bool next(RowBatch& batch, std::optional<RowRange>& rest);
    // Forgets the table; batches that are being filled are thrown away.
    void stop();

private:
    struct Slot {
        RowBatch batch;
        std::optional<RowRange> rest;
        std::vector<unsigned char> pages; // work space
        bool isReady = false;
    };
    // What one thread reads a table with.
    struct Source {
        TableQuery query;
        std::shared_ptr<const LeafTable> leaves;
        std::optional<TableScan> scan;
    };
    bool begin(Source source, std::uint64_t ranges);
    void work();
    bool takeRange(std::uint64_t& range) const; // with the lock held
    RowRange boundsOf(std::uint64_t range) const;
    template <class Connect>
    static void readRange(Source& source, std::uint64_t range, const RowRange& bounds, const Connect& connect,
                          Slot& slot);

    SqliteDb& m_db;
    JobControl& m_job;
    std::vector<std::thread> m_threads;
    unsigned m_helpers = 0;

    std::mutex m_lock;
    std::condition_variable m_changed;
    bool m_quit = false;
    std::uint64_t m_table = 0; // counts start() and stop(): work on another one is void
    Source m_own;              // of the asking thread; others copy query and leaves
    std::int64_t m_first = 0, m_last = -1;
    std::uint64_t m_ranges = 0, m_taken = 0, m_given = 0, m_working = 0;
    std::vector<std::unique_ptr<Slot>> m_slots; // a ring
};

} // namespace lacuna::nsys
