// Large tables are read on several threads: the trace is the same as with one, damage and cancellation end it
// alike.

#include "core/import/load_trace.h"
#include "core/import/nsys/scan_pool.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <fstream>

namespace tst_nsys_threads {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// 100,000 API rows, kernels and ranges with holes in their rowids, made by SQL.
SqliteFixture largeFixture() {
    const std::string tid = std::to_string(globalTid(483, 484)), pid = std::to_string(globalTid(483, 0));
    const std::string series =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) ";
    return SqliteFixture(
        std::string(nsysSchema()) +
        "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'kernel'), (3, 'k');" + series +
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 1000, i * 1000 + 400, 0, " + tid +
        " + i % 3, i, 1, 0, NULL FROM n;" + series +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (rowid, start, end, deviceId, contextId, streamId, "
        "correlationId, globalPid, demangledName, shortName) SELECT i + (i / 40000) * 50000, i * 1000 + 500, "
        "CASE WHEN i % 9973 = 0 THEN 'x' ELSE i * 1000 + 1000 + i % 700 END, 0, 1, 7 + i % 2, i, " +
        pid + ", 2, 3 FROM n;" + series +
        "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) SELECT i * 1000, i * "
        "1000 + "
        "900, 59, CASE WHEN i % 100 = 0 AND i / 2048 = 9 THEN hex(zeroblob(80000)) ELSE 'range ' || (i % 50) "
        "END, " +
        tid + ", 0 FROM n");
}

Result<LoadedTrace> loadWith(const std::filesystem::path& file, unsigned threads, JobControl& job) {
    LoadOptions options;
    options.threads = threads;
    return loadTrace(file, builtinImporters(), job, options);
}

// Everything that a reader of the trace sees, as one text.
std::string textOf(const Trace& trace) {
    std::string text;
    const EventTable& events = trace.events();
    for (std::uint32_t row = 0; row < events.size(); ++row)
        text += std::to_string(events.beginNs[row]) + " " + std::to_string(events.endNs[row]) + " " +
                std::to_string(events.name[row].v) + " " + std::to_string(events.correlation[row]) + " " +
                std::to_string(events.source[row]) + " " + std::to_string(trace.laneOf({row}).v) + "\n";
    for (const Issue& issue : trace.report().issues())
        text += issue.code + " " + std::to_string(issue.count) + " " + issue.first.table + " " +
                std::to_string(issue.first.row) + "\n";
    return text + std::to_string(trace.strings().size());
}

} // namespace

class TstNsysThreads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_file = std::make_unique<SqliteFixture>(largeFixture()); }
    void cleanupTestCase() { m_file.reset(); }

    void trace_isTheSameWithAnyNumberOfThreads() {
        JobControl job;
        const auto one = loadWith(m_file->file(), 1, job);
        QVERIFY(bool(one));
        QCOMPARE(one->trace->report().rowsRead(), std::uint64_t{300'000});
        QCOMPARE(one->trace->report().find("bad_time")->count, std::uint64_t{10}); // 100,000 / 9,973
        const std::string expected = textOf(*one->trace);
        for (const unsigned threads : {2u, 3u, 8u}) {
            JobControl other;
            const auto many = loadWith(m_file->file(), threads, other);
            QVERIFY(bool(many));
            QVERIFY2(textOf(*many->trace) == expected, std::to_string(threads).c_str());
            QCOMPARE(other.events(), job.events());
            QVERIFY(other.maxEventsBetweenPolls() <= 4096);
            QVERIFY(other.maxBytesBetweenPolls() <= (std::uint64_t{1} << 20));
        }
    }

    void damage_endsATableAtTheSameRow() {
        SqliteFixture copy = SqliteFixture::copyOf(m_file->file());
        const auto size = std::filesystem::file_size(copy.file());
        {
            std::fstream file(copy.file(), std::ios::in | std::ios::out | std::ios::binary);
            for (const std::uintmax_t share :
                 {std::uintmax_t{3}, std::uintmax_t{6}}) { // pages in the middle of two tables
                file.seekp(static_cast<std::streamoff>(size * share / 10 / 4096 * 4096));
                file << std::string(4096, '\xff');
            }
        }
        JobControl job, other;
        const auto one = loadWith(copy.file(), 1, job);
        const auto four = loadWith(copy.file(), 4, other);
        QVERIFY(bool(one) && bool(four));
        QVERIFY(one->trace->report().isPartial() && four->trace->report().isPartial());
        QVERIFY(one->trace->report().find("damaged_table") != nullptr);
        QVERIFY(textOf(*one->trace) == textOf(*four->trace));
    }

    void cancel_endsAllThreads() {
        for (const std::uint64_t poll : {1u, 5u, 20u, 60u, 200u}) {
            JobControl job;
            job.cancelAtPoll(poll);
            const auto loaded = loadWith(m_file->file(), 4, job);
            QVERIFY(!loaded);
            QCOMPARE(loaded.error().code, Errc::Cancelled);
        }
    }

    // Rowids that spread over far more numbers than the file could hold rows.
    void sparseRowids_areReadInOnePass() {
        const SqliteFixture sparse(
            std::string(nsysSchema()) +
            "INSERT INTO NVTX_EVENTS (rowid, start, end, eventType, text, globalTid) VALUES "
            "(-9223372036854775808, 1, 2, 59, 'a', 1), (5, 3, 4, 59, 'b', 1), "
            "(9223372036854775807, 5, 6, 59, 'c', 1)");
        JobControl job;
        const auto loaded = loadWith(sparse.file(), 4, job);
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->trace->report().kept(EventKind::Range), std::uint64_t{3});
    }

private:
    std::unique_ptr<SqliteFixture> m_file;
};

LACUNA_TEST(TstNsysThreads, "tst_nsys_threads")

} // namespace tst_nsys_threads

#include "tst_nsys_threads.moc"
