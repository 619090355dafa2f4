// Every schema of nsys.md section 12 by the columns and tables it has, and one test for each public report of
// what broke for others (section 13), named after it.

#include "core/analysis/device_busy.h"
#include "core/import/load_trace.h"
#include "tests/support/nsys_rows.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <algorithm>

namespace tst_nsys_schemas {

using namespace lacuna;
using namespace lacuna::test;

namespace {

LoadedExport loadSql(const std::string& sql) {
    return loadExportOf("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void k()'), "
                        "(3, 'k'), (4, 'poll'), (5, 'cudaStreamSynchronize_v3020');" +
                        sql);
}

std::string api(int begin, int end, int correlation, const char* tid = "$T", int name = 1) {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, "
           "nameId) "
           "VALUES (" +
           std::to_string(begin) + ", " + std::to_string(end) + ", 0, " + tid + ", " +
           std::to_string(correlation) + ", " + std::to_string(name) + ");";
}

std::string kernel(int begin, int end, int correlation, const char* pid = "$P", const char* node = "NULL") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
           "correlationId, "
           "globalPid, demangledName, shortName, graphNodeId) VALUES (" +
           std::to_string(begin) + ", " + std::to_string(end) + ", 0, 1, 7, " + std::to_string(correlation) +
           ", " + pid + ", 2, 3, " + node + ");";
}

std::string range(const char* begin, const char* end, const char* text, int type = 59) {
    return std::string(
               "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES (") +
           begin + ", " + end + ", " + std::to_string(type) + ", " + text + ", $T, 0);";
}

std::string drop(const char* table, std::initializer_list<const char*> columns) {
    std::string sql;
    for (const char* column : columns)
        sql += std::string("ALTER TABLE ") + table + " DROP COLUMN " + column + ";";
    return sql;
}

// One row of every kind that all schemas have.
std::string rows() {
    return api(100, 120, 1) + api(200, 400, 2, "$T", 5) + kernel(150, 380, 1) + range("90", "500", "'step'") +
           "INSERT INTO OSRT_API VALUES (450, 460, 27, $T, 4, 0, 0, 0);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
           "correlationId, "
           "globalPid, bytes, copyKind, srcKind, dstKind) VALUES (390, 395, 0, 1, 7, 3, $P, 4096, 2, 2, 0);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, streamId, "
           "correlationId, globalPid, syncType, eventId) VALUES (210, 390, 0, 1, 7, 2, $P, 3, 4294967295);"
           "INSERT INTO SCHED_EVENTS (start, cpu, isSchedIn, globalTid) VALUES (95, 1, 1, $T), (470, 1, 0, "
           "$T);"
           "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA A100', '', 0);";
}

const std::string kGpuTables[] = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                  "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"};

// What each schema lacks of the complete one, from new to old.
std::string without325() {
    return {};
}
std::string without324() {
    return "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN tensorSizeMinusOneElements TEXT NOT NULL "
           "DEFAULT '';";
}
std::string without323() {
    return "DROP TABLE CUPTI_ACTIVITY_KIND_OVERHEAD;";
}
std::string without317() {
    return without323() + "DROP TABLE OSRT_FILE_ACCESS_EVENTS;";
}
std::string without311() {
    return without317() + drop("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {"eventSyncId", "deprecatedSyncType"}) +
           drop("CUPTI_ACTIVITY_KIND_CUDA_EVENT", {"eventSyncId"}) + "DROP TABLE TARGET_INFO_CUDA_DEVICE;";
}
std::string without34() {
    std::string sql =
        without311() + drop("SCHED_EVENTS", {"threadState", "threadBlock"}) +
        "DROP TABLE DIAGNOSTIC_EVENT; DROP TABLE TARGET_INFO_CUDA_CONTEXT_INFO;"
        "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (streamId INTEGER, hwId INTEGER, vmId INTEGER, "
        "processId INTEGER, deviceId INTEGER, contextId INTEGER);"
        "INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (7, 0, 1, 483, 0, 1);";
    for (const std::string& table : kGpuTables)
        sql += drop(table.c_str(), {"greenContextId"});
    return sql;
}
std::string without30() {
    return without34() +
           "ALTER TABLE META_DATA_EXPORT RENAME TO EXPORT_META_DATA; DROP TABLE META_DATA_CAPTURE;"
           "CREATE TABLE ENUM_CUDA_KRENEL_LAUNCH_TYPE (id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
           "INSERT INTO ENUM_CUDA_KRENEL_LAUNCH_TYPE VALUES (1, 'REGULAR', 'Misspelt');";
}
std::string without29() {
    return without30() + "DROP TABLE ENUM_CUDA_KRENEL_LAUNCH_TYPE;";
}
std::string withoutAny() {
    return without29() + "DROP TABLE EXPORT_META_DATA; DROP TABLE PROCESSES;" +
           drop("CUPTI_ACTIVITY_KIND_KERNEL", {"mangledName"}) +
           "DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, deviceId INTEGER, name "
           "TEXT, "
           "busLocation TEXT, isDiscrete INTEGER); INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA A100', "
           "'', 1);";
}
std::string withoutOldest() {
    return withoutAny() + drop("CUPTI_ACTIVITY_KIND_RUNTIME", {"callchainId"}) +
           drop("CUPTI_ACTIVITY_KIND_MEMCPY", {"migrationCause"}) +
           "DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_CUDA_GPU (name TEXT, deviceId INTEGER, pid "
           "INTEGER);"
           "INSERT INTO TARGET_INFO_CUDA_GPU VALUES ('NVIDIA A100', 0, 483);";
}

} // namespace

class TstNsysSchemas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void schema_opensCompletely_data() {
        QTest::addColumn<QByteArray>("sql");
        const auto row = [](const char* name, const std::string& sql) {
            QTest::newRow(name) << QByteArray::fromStdString(sql);
        };
        row("3.25", without325());
        row("3.24", without324());
        row("3.23", without323());
        row("3.17 to 3.20", without317());
        row("3.11 to 3.13", without311());
        row("3.4", without34());
        row("3.0 to 3.1", without30());
        row("2.9", without29());
        row("none", withoutAny());
        row("none, oldest", withoutOldest());
    }
    void schema_opensCompletely() {
        QFETCH(QByteArray, sql);
        const LoadedExport loaded = loadSql(rows() + sql.toStdString());
        QVERIFY(bool(loaded.result));
        const Trace& trace = loaded.trace();
        const ImportReport& report = loaded.report();
        QCOMPARE(report.rowsRead(), std::uint64_t{9});
        QCOMPARE(report.rowsDropped(), std::uint64_t{0});
        QCOMPARE(report.kept(EventKind::RuntimeApi), std::uint64_t{2});
        QCOMPARE(report.kept(EventKind::Range), std::uint64_t{1});
        QCOMPARE(report.kept(EventKind::OsRuntime), std::uint64_t{1});
        const EventId op = eventNamed(trace, "void k()");
        QVERIFY(trace.correlations().launchOf(trace.events(), op).has_value());
        QCOMPARE(trace.devices()[0].name, std::string("NVIDIA A100"));
        QCOMPARE(rowText(trace, eventNamed(trace, "[CUDA memcpy Device-to-Host]")),
                 std::string("390..395 memcpy"));
        const SyncArgs* sync = trace.hotArgs().syncs.find(eventNamed(trace, "Stream Sync"));
        QVERIFY(sync != nullptr);
        QCOMPARE(sync->kind,
                 SyncKind::Stream); // by its ids; the number means event sync in no version or all
        QCOMPARE(rowText(trace, eventNamed(trace, "CPU 1")), std::string("95..470 other"));
        QCOMPARE(trace.facts().baseNs.value_or(0), std::int64_t{1'700'000'000'000'000'000});
        const bool hasMetadata = loaded.fixture.number("SELECT count(*) FROM sqlite_master WHERE name LIKE "
                                                       "'%META_DATA%'") > 0;
        QCOMPARE(trace.facts().writer,
                 std::string(hasMetadata ? "Nsight Systems 2025.3.2.0" : "Nsight Systems"));
    }

    // --lazy=false writes all tables empty: absent and empty mean the same.
    void emptyTables_meanAbsentTables() {
        const LoadedExport loaded =
            loadSql(api(1, 2, 1) + "CREATE TABLE CUPTI_ACTIVITY_KIND_JIT (start INTEGER);"
                                   "CREATE TABLE VULKAN_WORKLOAD (start INTEGER);");
        QVERIFY(bool(loaded.result));
        QVERIFY(loaded.report().issues().empty());
        QCOMPARE(loaded.trace().lanes().size(), std::size_t{1});
    }

    void shiftedExports_haveNoClockTime_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("isShifted");
        const auto row = [](const char* key, const char* value, bool isShifted) {
            QTest::newRow((std::string(key) + " " + value).c_str())
                << QByteArray(key) << QByteArray(value) << isShifted;
        };
        row("EXPORT_PARAM_TIME_NORMALIZE", "true", true);
        row("EXPORT_PARAM_TIME_NORMALIZE", "false", false);
        row("EXPORT_PARAM_TIME_SHIFT", "0", false);
        row("EXPORT_PARAM_TIME_SHIFT", "-500", true);
        row("EXPORT_CONFIG_TIME_SHIFT", "12", true);
    }
    void shiftedExports_haveNoClockTime() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(bool, isShifted);
        const LoadedExport loaded = loadSql(api(1, 2, 1) + "INSERT INTO META_DATA_EXPORT VALUES ('" +
                                            key.toStdString() + "', '" + value.toStdString() + "');");
        QCOMPARE(loaded.trace().facts().baseNs.has_value(), !isShifted);
        QCOMPARE(loaded.report().find("shifted_times") != nullptr, isShifted);
    }

    // ---- section 13

    void flameox339_nvtxRowWithoutEnd() {
        const LoadedExport loaded = loadSql(range("-5", "NULL", "'domain'", 75) + range("1", "9", "'r'"));
        QCOMPARE(loaded.report().kept(EventKind::Metadata), std::uint64_t{1});
        QCOMPARE(loaded.report().kept(EventKind::Range), std::uint64_t{1});
    }

    void pyprof79_oneIdOnKernelsOfSeveralProcesses() {
        const LoadedExport loaded =
            loadSql(api(1, 2, 5) + api(3, 4, 5, "$U") + kernel(10, 20, 5) + kernel(30, 40, 5, "$Q"));
        for (const EventId op : eventsNamed(loaded.trace(), "void k()"))
            QCOMPARE(
                loaded.trace().correlations().deviceOps(loaded.trace().events().correlation[op.v]).size(),
                std::size_t{1});
    }

    void pyprof98_kernelWithoutItsCall() {
        const LoadedExport loaded = loadSql(api(1, 2, 5) + kernel(10, 20, 77));
        const EventId op = eventNamed(loaded.trace(), "void k()");
        QVERIFY(bool(op));
        QVERIFY(!loaded.trace().correlations().launchOf(loaded.trace().events(), op));
    }

    // A join of ranges in SQL took over 20 minutes: here every row is read once.
    void nsysAi300_everyRowIsReadOnce() {
        SqliteFixture fixture(
            std::string(nsysSchema()) +
            "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) WITH RECURSIVE n(i) AS (SELECT "
            "1 "
            "UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, 100000 - i, 59, 'deep', 1 FROM n");
        JobControl job;
        const auto loaded = loadTrace(fixture.file(), builtinImporters(), job);
        QVERIFY(bool(loaded));
        QCOMPARE(job.events(), std::uint64_t{20'000});
    }

    void nsysAi599_copiesAreWork() {
        const LoadedExport loaded = loadSql(rows());
        QVERIFY(isDeviceOp(EventKind::Memcpy));
        QCOMPARE(rowsInLanes(loaded.trace(), LaneKind::GpuStream), std::uint64_t{2}); // kernel and copy
    }

    void nsysAi236and569_aLaunchOwnsItsGraphKernelsOnce() {
        const LoadedExport loaded = loadSql(api(1, 9, 5) + kernel(10, 20, 5, "$P", "8589934593") +
                                            kernel(30, 40, 5, "$P", "8589934594"));
        const Trace& trace = loaded.trace();
        const std::uint32_t group = trace.events().correlation[eventNamed(trace, "void k()").v];
        QCOMPARE(trace.correlations().hostCalls(group).size(), std::size_t{1});
        QCOMPARE(trace.correlations().deviceOps(group).size(), std::size_t{2});
    }

    void nsysAi291_noNvtxTable() { QVERIFY(bool(loadSql(api(1, 2, 1) + "DROP TABLE NVTX_EVENTS;").result)); }

    void pegainfer163_graphModeHidesKernels() {
        const LoadedExport loaded =
            loadSql(api(1, 2, 5) +
                    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (30, 90, 0, 1, 0, 13, 5, $P, 1, 2);");
        const Issue* note = loaded.report().find("graph_kernels_hidden");
        QVERIFY(note != nullptr && note->message.find("--cuda-graph-trace=node") != std::string::npos);
    }

    void tracy1318_graphKernelsWithoutMatchStay() {
        const LoadedExport loaded = loadSql(kernel(10, 20, 5, "$P", "8589934593"));
        QCOMPARE(loaded.report().kept(EventKind::Kernel), std::uint64_t{1});
    }

    void traceLens577_idsOfRanksCollide() {
        const LoadedExport loaded = loadSql(api(1, 2, 5) + kernel(10, 20, 5, "$Q"));
        QVERIFY(!loaded.trace().correlations().launchOf(loaded.trace().events(),
                                                        eventNamed(loaded.trace(), "void k()")));
    }

    // A graph that is recorded as a whole is work of the device: no idle time inside it.
    void traceLens728_wholeGraphsAreNoIdleTime() {
        const LoadedExport loaded =
            loadSql(api(1, 2, 5) + kernel(10, 20, 4) + kernel(100, 110, 6) +
                    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (30, 90, 0, 1, 0, 13, 5, $P, 1, 2);");
        JobControl job;
        const DeviceBusy busy = deviceBusy(loaded.trace(), DeviceId{0}, job);
        QCOMPARE(busy.busyNs, std::int64_t{80});
        QCOMPARE(busy.idleNs(), std::int64_t{20});
    }

    // Files keep their own ids and zero; the session start tells how they lie to one another.
    void flameox275_filesKeepTheirOwnTime() {
        const LoadedExport first = loadSql(api(1, 2, 5));
        const LoadedExport second = loadSql(
            api(1, 2, 5) + "UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = 1700000000000000500;");
        QCOMPARE(*second.trace().facts().baseNs - *first.trace().facts().baseNs, std::int64_t{500});
        QCOMPARE(second.trace().window(), first.trace().window());
    }

    void parcagpu23_recordsOfTimeZero() {
        const LoadedExport loaded = loadSql(kernel(0, 0, 5) + kernel(10, 20, 6));
        QCOMPARE(loaded.report().find("device_time_zero")->count, std::uint64_t{1});
        QCOMPARE(loaded.report().kept(EventKind::Kernel), std::uint64_t{1});
    }

    void vllm31337_diagnosticsSayWhyKernelsAreMissing() {
        const LoadedExport loaded =
            loadSql(api(1, 2, 1) +
                    "INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 1, 1, 2, 'No CUDA events collected.', NULL);");
        QCOMPARE(loaded.report().find("nsys_diagnostic_1")->message,
                 std::string("Nsight Systems: No CUDA events collected."));
    }

    void pipit138_nestingIsRebuilt() {
        const LoadedExport loaded = loadSql(range("10", "20", "'inner'") + range("5", "90", "'outer'") +
                                            range("30", "40", "'second'"));
        const Trace& trace = loaded.trace();
        QCOMPARE(trace.lane(trace.laneOf(eventNamed(trace, "outer"))).depth, 2u);
        QCOMPARE(trace.stripOf(eventNamed(trace, "inner")), trace.stripOf(eventNamed(trace, "second")));
        QVERIFY(trace.stripOf(eventNamed(trace, "outer")) < trace.stripOf(eventNamed(trace, "inner")));
    }

    void nsysAi394_nothingIsWrittenBesideTheFile() {
        const LoadedExport loaded = loadSql(rows());
        QCOMPARE(loaded.fixture.folder(), (std::vector<std::string>{"trace.sqlite"}));
    }

    void nvtx126_rangesWithoutNames() {
        const LoadedExport loaded = loadSql(range("5", "90", "NULL"));
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "(no name)")),
                 std::string("5..90 range"));
    }

    void nvprofTools3_tableGoneInAnotherVersion() {
        const LoadedExport loaded = loadSql(rows() + "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;");
        QVERIFY(bool(loaded.result));
        QCOMPARE(loaded.report().kept(EventKind::Kernel), std::uint64_t{1});
    }
};

LACUNA_TEST(TstNsysSchemas, "tst_nsys_schemas")

} // namespace tst_nsys_schemas

#include "tst_nsys_schemas.moc"
