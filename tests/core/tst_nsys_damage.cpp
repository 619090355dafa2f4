// Broken, reduced, hostile and foreign databases: a message or counted drops, never a crash, and nothing lost
// without a count.

#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace tst_nsys_damage {

using namespace lacuna;
using namespace lacuna::test;

namespace {

Result<LoadedTrace> loadFile(const std::filesystem::path& file) {
    JobControl job;
    return loadTrace(file, builtinImporters(), job);
}

// Every kept row is an event, a counter sample or a counted definition.
bool rowsAreAccounted(const Trace& trace) {
    std::uint64_t events = 0;
    for (std::size_t kind = 0; kind < kEventKinds; ++kind)
        if (const auto k = static_cast<EventKind>(kind); k != EventKind::Counter && k != EventKind::Metadata)
            events += trace.report().kept(k);
    return events == trace.events().size() &&
           trace.report().rowsRead() == trace.report().rowsKept() + trace.report().rowsDropped();
}

std::filesystem::path stall() {
    return fixture("captured/nsys/stall.sqlite");
}

// Rows of the tables that Lacuna reads in stall.sqlite.
constexpr std::uint64_t kStallRows = 4186;

constexpr std::string_view kTables[] = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                                        "CUPTI_ACTIVITY_KIND_KERNEL",
                                        "CUPTI_ACTIVITY_KIND_MEMCPY",
                                        "CUPTI_ACTIVITY_KIND_MEMSET",
                                        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                        "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                                        "NVTX_EVENTS",
                                        "OSRT_API",
                                        "PROFILER_OVERHEAD",
                                        "CUDA_GRAPH_NODE_EVENTS",
                                        "CUDA_GPU_MEMORY_USAGE_EVENTS"};

std::string kernelRow(std::string_view start, std::string_view end) {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
           "correlationId, "
           "demangledName) VALUES (" +
           std::string(start) + ", " + std::string(end) + ", 0, 1, 7, 1, 1);";
}

std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    std::string in = text;
    stream.next_in = static_cast<Bytef*>(static_cast<void*>(in.data()));
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

} // namespace

class TstNsysDamage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badRows_areDroppedAndCounted_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("end");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("text") << QByteArray("'soon'") << QByteArray("9") << QByteArray("bad_time");
        QTest::newRow("null end") << QByteArray("5") << QByteArray("NULL") << QByteArray("bad_time");
        QTest::newRow("fraction") << QByteArray("5.5") << QByteArray("9") << QByteArray("bad_time");
        QTest::newRow("blob") << QByteArray("x'00'") << QByteArray("9") << QByteArray("bad_time");
        QTest::newRow("ends first") << QByteArray("9") << QByteArray("8") << QByteArray("negative_duration");
        QTest::newRow("zero record") << QByteArray("0") << QByteArray("0") << QByteArray("device_time_zero");
        QTest::newRow("start zero") << QByteArray("0") << QByteArray("9") << QByteArray("device_time_zero");
        QTest::newRow("huge") << QByteArray("9223372036854775807") << QByteArray("9223372036854775807")
                              << QByteArray("time_out_of_range");
        QTest::newRow("huge negative")
            << QByteArray("-9223372036854775807") << QByteArray("9") << QByteArray("time_out_of_range");
        QTest::newRow("eight days") << QByteArray("5") << QByteArray("691200000000005")
                                    << QByteArray("impossible_duration");
    }
    void badRows_areDroppedAndCounted() {
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, end);
        QFETCH(QByteArray, code);
        const SqliteFixture fixture(
            std::string(nsysSchema()) + "INSERT INTO StringIds VALUES (1, 'k');" + kernelRow("10", "20") +
            kernelRow(start.toStdString(), end.toStdString()) + kernelRow("30", "40"));
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        const ImportReport& report = loaded->trace->report();
        QCOMPARE(report.rowsRead(), std::uint64_t{3});
        QCOMPARE(report.kept(EventKind::Kernel), std::uint64_t{2});
        const Issue* issue = report.find(code.toStdString());
        QVERIFY(issue != nullptr && issue->dropsRows);
        QCOMPARE(issue->count, std::uint64_t{1});
        QCOMPARE(issue->first.table, std::string("CUPTI_ACTIVITY_KIND_KERNEL"));
        QCOMPARE(issue->first.row, std::int64_t{2});
        QVERIFY(!report.isPartial()); // single rows are notes, not a part out of reach
    }

    void hostRows_mayStartAtZeroOrBefore() {
        const SqliteFixture fixture(std::string(nsysSchema()) +
                                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, "
                                    "globalTid, correlationId) VALUES "
                                    "(-3000, -500, 0, 1, 1), (0, 0, 0, 1, 2), (0, 5, 0, 1, 3);");
        const auto loaded = loadFile(fixture.file());
        QCOMPARE(loaded->trace->report().kept(EventKind::RuntimeApi), std::uint64_t{3});
        QCOMPARE(loaded->trace->window(), (TimeRange{{-3000}, {5}}));
    }

    void oddIds_joinNothingAndHarmNothing() {
        const SqliteFixture fixture(
            std::string(nsysSchema()) +
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, "
            "nameId) VALUES "
            "(1, 2, 0, 16777217, -1, -5), (3, 4, 'x', 16777217, 4294967296, 9223372036854775807), "
            "(5, 6, 0, -9223372036854775808, 'five', 'name'), (7, 8, 99, NULL, NULL, NULL);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
            "correlationId, globalPid,"
            " demangledName, graphNodeId) VALUES (1, 2, -9223372036854775808, 9223372036854775807, -1, "
            "4294967296, "
            "16777216, NULL, -1), (3, 4, NULL, NULL, NULL, NULL, NULL, 'kernel', 'node');");
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->trace->report().rowsKept(), std::uint64_t{6});
        for (std::uint32_t row = 0; row < loaded->trace->events().size(); ++row)
            QCOMPARE(loaded->trace->events().correlation[row], 0u);
        QCOMPARE(loaded->trace->report().find("missing_string")->count, std::uint64_t{2});
        QVERIFY(bool(eventNamed(*loaded->trace, "(string -5 is missing)")));
    }

    void stringTableWithoutKey_isReadAllTheSame() {
        const SqliteFixture fixture(
            "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'first'), (1, 'again'), "
            "('x', 'y'), "
            "(2, NULL); CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, nameId); "
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 1), (3, 4, 2);");
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        QVERIFY(bool(eventNamed(*loaded->trace, "first")));
        QVERIFY(bool(eventNamed(*loaded->trace, "(string 2 is missing)")));
    }

    void rowsWithoutThread_areKept() {
        const SqliteFixture fixture("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value); CREATE TABLE "
                                    "CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId); CREATE TABLE "
                                    "CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId);"
                                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 1);"
                                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (3, 4, 1);");
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->trace->report().rowsKept(), std::uint64_t{2});
        QVERIFY(!loaded->trace->devices()[0].process);
        QVERIFY(!loaded->trace->processes()[0].osPid.has_value());
    }

    // Columns come and go between versions (nsys.md section 12) and in reduced files.
    void anyColumnMayBeMissing() {
        for (const std::string_view table : kTables)
            for (const std::string& column : SqliteFixture::columnIn(
                     stall(), "SELECT name FROM pragma_table_info('" + std::string(table) + "')")) {
                SqliteFixture fixture = SqliteFixture::copyOf(stall());
                fixture.run("ALTER TABLE " + std::string(table) + " DROP COLUMN \"" + column + "\"");
                const auto loaded = loadFile(fixture.file());
                QVERIFY2(bool(loaded), column.c_str());
                QVERIFY2(loaded->trace->report().rowsRead() == kStallRows, column.c_str());
                QVERIFY2(rowsAreAccounted(*loaded->trace), column.c_str());
                QVERIFY2(!loaded->trace->report().isPartial(), column.c_str());
                const bool isTime = column == "start" || column == "end" || column == "timestamp";
                const bool isNeeded = isTime || column == "bytes" || column == "memoryOperationType" ||
                                      column == "correlationId" || column == "globalPid" ||
                                      column == "globalTid";
                if (!isNeeded)
                    QVERIFY2(loaded->trace->report().rowsDropped() == 0,
                             (std::string(table) + "." + column).c_str());
            }
    }

    void anyTableMayBeMissingOrEmpty() {
        for (const std::string_view table : kTables) {
            SqliteFixture without = SqliteFixture::copyOf(stall());
            const auto rows =
                static_cast<std::uint64_t>(without.number("SELECT count(*) FROM " + std::string(table)));
            SqliteFixture empty = SqliteFixture::copyOf(stall());
            without.run("DROP TABLE " + std::string(table));
            empty.run("DELETE FROM " + std::string(table));
            const auto first = loadFile(without.file()), second = loadFile(empty.file());
            QVERIFY(first && second);
            QCOMPARE(second->trace->events().size(), first->trace->events().size());
            QCOMPARE(second->trace->report().rowsRead(), first->trace->report().rowsRead());
            QCOMPARE(second->trace->lanes().size(), first->trace->lanes().size());
            // Event records have no time without the calls; every other row stands on its own.
            QCOMPARE(first->trace->report().rowsRead(), kStallRows - rows);
            QCOMPARE(first->trace->report().rowsDropped(),
                     std::uint64_t{table == "CUPTI_ACTIVITY_KIND_RUNTIME" ? 6u : 0u});
        }
    }

    void descriptiveTablesMayBeMissing() {
        for (const char* table : {"PROCESSES", "ThreadNames", "TARGET_INFO_GPU", "TARGET_INFO_CUDA_DEVICE",
                                  "TARGET_INFO_CUDA_STREAM", "META_DATA_EXPORT", "META_DATA_CAPTURE",
                                  "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
                                  "DIAGNOSTIC_EVENT", "ENUM_CUDA_MEMCPY_OPER", "ENUM_CUDA_MEM_KIND"}) {
            SqliteFixture fixture = SqliteFixture::copyOf(stall());
            fixture.run(std::string("DROP TABLE ") + table);
            const auto loaded = loadFile(fixture.file());
            QVERIFY2(bool(loaded), table);
            QCOMPARE(loaded->trace->report().rowsKept(), kStallRows);
            QVERIFY2(bool(eventNamed(*loaded->trace, "[CUDA memcpy Host-to-Device]")), table);
        }
    }

    void extraAndReorderedColumns_changeNothing() {
        SqliteFixture fixture = SqliteFixture::copyOf(stall());
        fixture.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN kernel_name TEXT;"
                    "CREATE TABLE other AS SELECT endGlobalTid, text, end, eventType, globalTid, textId, "
                    "domainId, start "
                    "FROM NVTX_EVENTS; DROP TABLE NVTX_EVENTS; ALTER TABLE other RENAME TO NVTX_EVENTS");
        const auto changed = loadFile(fixture.file()), plain = loadFile(stall());
        QVERIFY(changed && plain);
        QCOMPARE(changed->trace->events().size(), plain->trace->events().size());
        for (std::uint32_t row = 0; row < plain->trace->events().size(); ++row)
            QVERIFY(rowText(*changed->trace, {row}) == rowText(*plain->trace, {row}) &&
                    changed->trace->nameOf({row}) == plain->trace->nameOf({row}));
    }

    // What data frames write: integer columns with gaps become REAL.
    void realColumns_areReadAsIntegers() {
        SqliteFixture fixture = SqliteFixture::copyOf(stall());
        fixture.run("CREATE TABLE k AS SELECT CAST(start AS REAL) AS start, CAST(end AS REAL) AS end, "
                    "deviceId, streamId, "
                    "CAST(correlationId AS REAL) AS correlationId, globalPid, CAST(demangledName AS REAL) AS "
                    "demangledName "
                    "FROM CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;"
                    "ALTER TABLE k RENAME TO CUPTI_ACTIVITY_KIND_KERNEL");
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->trace->report().kept(EventKind::Kernel), std::uint64_t{1337});
        QCOMPARE(rowText(*loaded->trace,
                         eventNamed(*loaded->trace, "saxpy(const float *, float *, unsigned long)")),
                 std::string("826334625..826366433 kernel"));
    }

    void truncatedFile_keepsWhatIsThere() {
        const std::string bytes = readFile(stall());
        std::uint64_t mostRows = 0, partly = 0, lossy = 0;
        for (std::size_t size = 0; size < bytes.size(); size += 7 * 4096 + 1234) {
            SqliteFixture fixture("CREATE TABLE t (a)");
            std::ofstream(fixture.file(), std::ios::binary)
                .write(bytes.data(), static_cast<std::streamsize>(size));
            const auto loaded = loadFile(fixture.file());
            if (!loaded) {
                QVERIFY(!loaded.error().detail.empty() && !loaded.error().place.empty() &&
                        !loaded.error().remedy.empty());
                continue;
            }
            ++partly;
            const ImportReport& report = loaded->trace->report();
            QVERIFY(report.isPartial());
            QVERIFY(report.find("truncated") != nullptr);
            QVERIFY(rowsAreAccounted(*loaded->trace));
            QVERIFY(report.rowsRead() <= kStallRows);
            lossy += report.rowsRead() < kStallRows ? 1u : 0u;
            mostRows = std::max(mostRows, report.rowsRead());
            QCOMPARE(fixture.folder(), std::vector<std::string>{"trace.sqlite"});
        }
        QVERIFY(partly > 10 && lossy > 5);
        QVERIFY(mostRows > kStallRows / 2);
    }

    void damagedPages_neverCrash() {
        const std::string bytes = readFile(stall());
        std::mt19937 random(1); // the same damage every time
        int partial = 0, whole = 0, refused = 0;
        for (int round = 0; round < 150; ++round) {
            std::string damaged = bytes;
            for (int i = 0; i < 40; ++i)
                damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
            if (round % 3 == 0) { // a page that is a copy of another one: trees with cycles
                const std::size_t pages = damaged.size() / 4096, from = random() % pages,
                                  to = 1 + random() % (pages - 1);
                damaged.replace(to * 4096, 4096, bytes, from * 4096, 4096);
            }
            SqliteFixture fixture("CREATE TABLE t (a)");
            std::ofstream(fixture.file(), std::ios::binary)
                .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
            const auto loaded = loadFile(fixture.file());
            if (!loaded) {
                QVERIFY(!loaded.error().detail.empty() && !loaded.error().remedy.empty());
                ++refused;
                continue;
            }
            QVERIFY(rowsAreAccounted(*loaded->trace));
            ++(loaded->trace->report().isPartial() ? partial : whole);
        }
        QVERIFY2(partial > 0 && whole > 0,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(partial).arg(whole).arg(refused)));
    }

    void walFile_isReadAndNothingAppearsBesideIt() {
        SqliteFixture fixture = SqliteFixture::copyOf(stall());
        fixture.runIntoLog("DELETE FROM OSRT_API WHERE rowid <= 100");
        const std::vector<std::string> before = fixture.folder();
        const auto loaded = loadFile(fixture.file());
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->trace->report().rowsRead(), kStallRows - 100);
        QVERIFY(bool(loaded->details->read({loaded->trace->events().source[0]})));
        QCOMPARE(fixture.folder(), before);
    }

    void compressedAndMemoryFiles_areReadAlike() {
        const auto plain = loadFile(stall());
        for (const std::string& bytes : {gzip(readFile(stall())), readFile(stall())}) {
            JobControl job;
            const auto loaded = loadTraceFromMemory(bytes, "wrong.json", builtinImporters(), job, 100'000);
            QVERIFY(bool(loaded));
            QCOMPARE(loaded->trace->events().size(), plain->trace->events().size());
            QCOMPARE(job.bytesDone(), job.bytesTotal());
            const SourceRef row{plain->trace->events().source[0]};
            QVERIFY(loaded->details->read(row)->fields == plain->details->read(row)->fields);
        }
    }

    void cutGzip_keepsWhatIsThere() {
        const std::string packed = gzip(readFile(stall()));
        JobControl job;
        const auto loaded =
            loadTraceFromMemory(packed.substr(0, packed.size() * 9 / 10), "x.gz", builtinImporters(), job);
        QVERIFY(bool(loaded));
        QVERIFY(loaded->trace->report().isPartial());
        QVERIFY(loaded->trace->report().find("damaged_gzip") != nullptr);
        QVERIFY(rowsAreAccounted(*loaded->trace));
    }

    void cancel_endsTheLoadAtAnyPoll() {
        const std::filesystem::path file = fixture("captured/nsys/two_processes.sqlite");
        LoadOptions options;
        options.threads = 1; // several do not look equally often each time
        JobControl whole;
        QVERIFY(bool(loadTrace(file, builtinImporters(), whole, options)));
        QVERIFY(whole.polls() > 20);
        for (std::uint64_t poll = 1; poll < whole.polls(); poll += 3) {
            JobControl job;
            job.cancelAtPoll(poll);
            const auto loaded = loadTrace(file, builtinImporters(), job, options);
            QVERIFY(!loaded);
            QCOMPARE(loaded.error().code, Errc::Cancelled);
        }
    }

    void polls_areCloseTogether_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"stall", "train", "two_processes"})
            QTest::newRow(name) << QByteArray(name);
    }
    void polls_areCloseTogether() {
        QFETCH(QByteArray, name);
        JobControl job;
        const auto loaded =
            loadTrace(fixture("captured/nsys/" + name.toStdString() + ".sqlite"), builtinImporters(), job);
        QVERIFY(bool(loaded));
        QVERIFY(job.maxEventsBetweenPolls() <= 4096);
        QVERIFY(job.maxBytesBetweenPolls() <= (std::uint64_t{1} << 20));
        QCOMPARE(job.events(), loaded->trace->report().rowsRead());
        QCOMPARE(job.bytesDone(), job.bytesTotal());
    }

    // A file whose bytes are nearly all in tables that are not read.
    void polls_areCloseTogetherInBytesToo() {
        const SqliteFixture fixture(std::string(nsysSchema()) + kernelRow("10", "20") +
                                    kernelRow("30", "40") +
                                    "CREATE TABLE big (b BLOB); INSERT INTO big VALUES (zeroblob(9000000));");
        JobControl job;
        QVERIFY(bool(loadTrace(fixture.file(), builtinImporters(), job)));
        QVERIFY(job.bytesDone() > 9'000'000);
        QVERIFY(job.maxBytesBetweenPolls() <= (std::uint64_t{1} << 20));
    }

    void foreignDatabases_areNamed_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("fileName");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("nvprof")
            << QByteArray("CREATE TABLE StringTable (a); CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (a)")
            << QByteArray("x.nvvp") << QByteArray("nvprof");
        QTest::newRow("rpd") << QByteArray("CREATE TABLE rocpd_op (a); CREATE TABLE rocpd_string (a)")
                             << QByteArray("x.rpd") << QByteArray("rocmProfileData");
        QTest::newRow("rocpd") << QByteArray("CREATE TABLE rocpd_info_node_1a2b (a)") << QByteArray("x.db")
                               << QByteArray("rocprofv3");
        QTest::newRow("dlprof") << QByteArray("CREATE TABLE ops (a)") << QByteArray("dlprof_dldb.sqlite")
                                << QByteArray("DLProf");
        QTest::newRow("memory snapshot")
            << QByteArray(
                   "CREATE TABLE device_traces (a); CREATE TABLE segments (a); CREATE TABLE blocks (a)")
            << QByteArray("x.db") << QByteArray("memory snapshot");
        QTest::newRow("any") << QByteArray("CREATE TABLE cookies (a)") << QByteArray("x.sqlite")
                             << QByteArray("cookies");
        QTest::newRow("empty") << QByteArray("CREATE TABLE a (b); DROP TABLE a") << QByteArray("x.sqlite")
                               << QByteArray("no tables at all");
        QTest::newRow("strings alone") << QByteArray("CREATE TABLE StringIds (id, value)")
                                       << QByteArray("x.sqlite") << QByteArray("StringIds");
    }
    void foreignDatabases_areNamed() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, fileName);
        QFETCH(QByteArray, word);
        const SqliteFixture fixture(sql.toStdString(), fileName.toStdString());
        const auto loaded = loadFile(fixture.file());
        QVERIFY(!loaded);
        QVERIFY(loaded.error().code == Errc::Unsupported || loaded.error().code == Errc::NotRecognised);
        QVERIFY2(loaded.error().detail.find(word.toStdString()) != std::string::npos,
                 loaded.error().detail.c_str());
        QCOMPARE(loaded.error().place, fileName.toStdString());
        const std::string& remedy = loaded.error().remedy;
        QVERIFY(!remedy.empty());
        // What is refused is not advised.
        QVERIFY2(remedy.find("output-format json") == std::string::npos, remedy.c_str());
        QVERIFY2(remedy.find("pftrace") == std::string::npos ||
                     remedy.find("traceconv json") != std::string::npos,
                 remedy.c_str());
    }

    void exportWithoutEvents_saysSo() {
        const SqliteFixture fixture(nsysSchema());
        const auto loaded = loadFile(fixture.file());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Unsupported);
        QVERIFY(loaded.error().remedy.find("--trace=cuda,nvtx,osrt") != std::string::npos);
    }

    void exportWithNothingButBadRows_saysSo() {
        const SqliteFixture fixture(std::string(nsysSchema()) + kernelRow("0", "0"));
        const auto loaded = loadFile(fixture.file());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Malformed);
    }
};

LACUNA_TEST(TstNsysDamage, "tst_nsys_damage")

} // namespace tst_nsys_damage

#include "tst_nsys_damage.moc"
