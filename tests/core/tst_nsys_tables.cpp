// Tables beside CUDA and NVTX: scheduling, samples, page faults, memory pools, files, network; and what is
// said about tables that are not shown.

#include "core/import/load_trace.h"
#include "core/output/summary_output.h"
#include "core/output/text_sink.h"
#include "tests/support/nsys_rows.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tst_nsys_tables {

using namespace lacuna;
using namespace lacuna::test;

namespace {

LoadedExport loadRows(const std::string& sql) {
    return loadExportOf("INSERT INTO StringIds VALUES (1, 'cudaMalloc'), (2, 'work'), (3, 'libm.so'), "
                        "(4, 'main'), (5, 'a.out'), (6, 'openat'), (7, 'Ftrace');" +
                        sql);
}

constexpr const char* kCall =
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2000, 0, $T, 1, 1, 0, NULL);";

std::string fact(const Trace& trace, std::string_view name) {
    for (const auto& [key, value] : trace.facts().metadata)
        if (key == name)
            return value;
    return "absent";
}

} // namespace

class TstNsysTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void schedule_pairsInAndOutPerThread() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) +
            "INSERT INTO SCHED_EVENTS (start, cpu, isSchedIn, globalTid) VALUES (100, 3, 1, $T), (150, 5, 1, "
            "$T + 1), (300, 3, 0, $T), (250, 5, 0, $T + 1);"); // rows are almost in order, not quite
        QCOMPARE(loaded.row("CPU 3"), std::string("100..300 other"));
        QCOMPARE(loaded.row("CPU 5"), std::string("150..250 other"));
        QCOMPARE(loaded.lane("CPU 3"), std::string("on CPU"));
        // No lane that the gap rules read.
        QCOMPARE(laneKindOf(loaded.trace(), eventNamed(loaded.trace(), "CPU 3")), LaneKind::Marks);
        QVERIFY(!loaded.trace().facts().osRuntimeRecorded);
        QCOMPARE(loaded.report().kept(EventKind::Other), std::uint64_t{2});
        QCOMPARE(loaded.report().kept(EventKind::Metadata), std::uint64_t{2}); // the ends of the two
        QVERIFY(loaded.report().find("half_recorded_switch") == nullptr);
    }

    void schedule_closesHalvesAtTheEndsOfTheCapture() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "INSERT INTO SCHED_EVENTS (start, cpu, isSchedIn, globalTid) VALUES (100, 1, 0, $T), "
                     "(50, 2, 1, $T + 1), (120, 2, 0, $T + 1), (130, 4, 1, $T), (900, 2, 1, $T + 1);");
        QCOMPARE(loaded.row("CPU 1"), std::string("50..100 other"));  // since the first switch of the file
        QCOMPARE(loaded.row("CPU 4"), std::string("130..900 other")); // up to the last one
        QCOMPARE(loaded.report().find("half_recorded_switch")->count, std::uint64_t{3});
        QCOMPARE(loaded.report().rowsDropped(), std::uint64_t{0});
        QCOMPARE(loaded.report().rowsRead(), std::uint64_t{6});
    }

    void schedule_keepsRepeatedHalves() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "INSERT INTO SCHED_EVENTS (start, cpu, isSchedIn, globalTid) VALUES (100, 1, 1, $T), "
                     "(200, 2, 1, $T), (300, 2, 0, $T), (400, 3, 0, $T), (500, 1, NULL, $T);");
        QCOMPARE(loaded.row("CPU 1"), std::string("100..200 other"));
        QCOMPARE(loaded.row("CPU 2"), std::string("200..300 other"));
        QCOMPARE(loaded.row("CPU 3"), std::string("400..400 instant"));
        QCOMPARE(loaded.report().find("bad_switch")->count, std::uint64_t{1});
        QCOMPARE(loaded.report().rowsRead(), std::uint64_t{6});
    }

    void samples_areNamedByTheInnermostFrame() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "INSERT INTO COMPOSITE_EVENTS VALUES (10, 500, 2, 1, $T, 99), (11, 600, 2, 1, $T, 99);"
                     "INSERT INTO SAMPLING_CALLCHAINS VALUES (10, 4, 5, 0, 1), (10, 2, 3, 0, 0);");
        QCOMPARE(loaded.row("work"), std::string("500..500 instant"));
        QCOMPARE(loaded.lane("work"), std::string("CPU samples"));
        QCOMPARE(loaded.row("(sample without stack)"), std::string("600..600 instant"));
        QCOMPARE(loaded.detail("work", "stack.0"), std::string("work (libm.so)"));
        QCOMPARE(loaded.detail("work", "stack.1"), std::string("main (a.out)"));
        QCOMPARE(loaded.detail("work", "threadState"), std::string("1 (Running)"));
    }

    // Tools that copy tables lose keys, and the outermost frames may have been cut at the inner end.
    void samples_ofChainsThatBeginDeeper_andHaveNoKey() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "DROP TABLE SAMPLING_CALLCHAINS;"
                     "CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, "
                     "unresolved INTEGER, stackDepth INTEGER);"
                     "INSERT INTO COMPOSITE_EVENTS VALUES (10, 500, 2, 1, $T, 99), (11, 600, 2, 1, $T, 99);"
                     "INSERT INTO SAMPLING_CALLCHAINS VALUES (10, 4, 5, 0, 2), (10, 2, 3, 0, 1), "
                     "(11, 6, 3, 0, 0), (11, 4, 5, 0, 1);");
        QCOMPARE(loaded.row("work"), std::string("500..500 instant"));
        QCOMPARE(loaded.row("openat"), std::string("600..600 instant"));
    }

    // OpenMP has kinds without end, MPI tables name their rows by textId.
    // nsys.md 3.2, 3.4 and 3.7: one row of each table of calls, with the columns that stand there.
    void callTables_areRowsOfTheirThread_data() {
        QTest::addColumn<QByteArray>("columns");
        QTest::addColumn<QByteArray>("values"); // after start, end and thread
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("shown"); // what the inspector has of it
        const auto row = [](const char* table, const char* columns, const char* values, const char* kind,
                            const char* field, const char* shown) {
            QTest::newRow(table) << QByteArray(columns) << QByteArray(values) << QByteArray(kind)
                                 << QByteArray(field) << QByteArray(shown);
        };
        const char* const name = "nameId, eventClass";
        row("CUDNN_EVENTS", name, "2, 28", "operator", "eventClass", "28");
        row("SYSCALL", "nameId, eventClass, returnValue", "2, 107, -1", "os_runtime", "returnValue", "-1");
        row("MPI_P2P_EVENTS", "textId, commHandle, commUid, tag, remoteRank, size, requestHandle",
            "2, 1, 1, 7, 3, 4096, 0", "other", "size", "4096");
        row("MPI_START_WAIT_EVENTS", "textId, requestHandle", "2, 9", "other", "requestHandle", "9");
        row("MPI_COLLECTIVES_EVENTS", "textId, commHandle, commUid, rootRank, size, recvSize",
            "2, 1, 1, 0, 8, 16", "other", "recvSize", "16");
        row("UCP_SUBMIT_EVENTS", "textId, size, tag", "2, 64, 5", "other", "tag", "5");
        row("UCP_PROGRESS_EVENTS", "textId", "2", "other", "textId", "work");
        row("UCP_EVENTS", "textId", "2", "other", "textId", "work");
        for (const char* const region : {"PARALLEL", "SYNC_REGION_WAIT", "WORKSHARE", "FLUSH"})
            row((std::string("OPENMP_EVENT_KIND_") + region).c_str(), "nameId, eventClass, kind", "2, 78, 4",
                "other", "kind", "4");
        row("CUPTI_ACTIVITY_KIND_OPENACC_DATA", "nameId, eventKind, deviceType, lineNo, bytes",
            "2, 1, 4, 12, 512", "other", "bytes", "512");
        row("CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", "nameId, eventKind, lineNo, numGangs", "2, 1, 12, 8",
            "other", "numGangs", "8");
        row("CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "nameId, eventKind, lineNo", "2, 1, 12", "other", "lineNo",
            "12");
    }
    void callTables_areRowsOfTheirThread() {
        QFETCH(QByteArray, columns);
        QFETCH(QByteArray, values);
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, shown);
        const std::string table = QTest::currentDataTag();
        const LoadedExport loaded =
            loadRows(std::string(kCall) + "DROP TABLE IF EXISTS " + table + "; CREATE TABLE " + table +
                     " (start, end, globalTid, " + columns.toStdString() + "); INSERT INTO " + table +
                     " VALUES (100, 250, $T, " + values.toStdString() + "), (300, 200, $T, " +
                     values.toStdString() + ");");
        QCOMPARE(loaded.row("work"), "100..250 " + kind.toStdString());
        QCOMPARE(loaded.detail("work", "table"), table);
        QCOMPARE(loaded.detail("work", field.toStdString()), shown.toStdString());
        QCOMPARE(loaded.trace().threads().size(), std::size_t{1}); // that of the CUDA call
        QCOMPARE(loaded.report().rowsRead(), std::uint64_t{3});
        QCOMPARE(loaded.report().rowsDropped(), std::uint64_t{1}); // ends before it starts
        QVERIFY(loaded.report().find("unknown_tables") == nullptr);
    }

    // nsys.md 3.2 and 3.4: the stack of a CUDA call and of a system call, innermost frame first.
    void callChains_areShownWithTheirCall() {
        const char* const columns =
            " (id INTEGER NOT NULL, symbol INTEGER, module INTEGER, unresolved INTEGER, "
            "originalIP INTEGER, stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));";
        const LoadedExport loaded = loadRows(
            std::string("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2000, 0, $T, 1, 1, 0, 7);"
                        "CREATE TABLE SYSCALL (start, end, eventClass, globalTid, nameId, callchainId);"
                        "INSERT INTO SYSCALL VALUES (5, 9, 107, $T, 6, 8);"
                        "CREATE TABLE CUDA_CALLCHAINS") +
            columns + "CREATE TABLE SYSCALL_CALLCHAINS" + columns +
            "INSERT INTO CUDA_CALLCHAINS VALUES (7, 4, 5, 0, 0, 1), (7, 2, 3, 0, 0, 0), (8, 1, 1, 0, 0, 0);"
            "INSERT INTO SYSCALL_CALLCHAINS VALUES (8, 4, 5, 0, 0, 0);");
        QCOMPARE(loaded.detail("cudaMalloc", "stack.0"), std::string("work (libm.so)"));
        QCOMPARE(loaded.detail("cudaMalloc", "stack.1"), std::string("main (a.out)"));
        QCOMPARE(loaded.detail("openat", "stack.0"), std::string("main (a.out)"));
    }

    void switchMetrics_becomeCountersOfTheirSwitch() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "CREATE TABLE NET_IB_SWITCH_METRIC (start, end, globalId, portId, metricsListId, "
                     "metricsIdx, value);"
                     "INSERT INTO NET_IB_SWITCH_METRIC VALUES (100, 200, 5, 2, 4, 0, 10), (200, 300, 5, 2, "
                     "4, 0, NULL);"
                     "INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (4, 0, 'Bytes received', '', 'bytes');");
        const CounterTrack* received = counterNamed(loaded.trace(), "switch 5 port 2: Bytes received");
        QVERIFY(received != nullptr);
        QCOMPARE(received->value.size(), std::size_t{1});
        QCOMPARE(received->timeNs[0], std::int64_t{100});
        QCOMPARE(loaded.report().find("bad_metric")->count, std::uint64_t{1});
    }

    void libraryInstants_haveTheNameOfTheirText() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) + "INSERT INTO MPI_OTHER_EVENTS VALUES (70, NULL, $T, 2), (80, 95, $T, 4);");
        QCOMPARE(loaded.row("work"), std::string("70..70 instant"));
        QCOMPARE(loaded.row("main"), std::string("80..95 other"));
    }

    void pageFaults_areMarksOfProcessAndDevice() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (70, $P, 4096, 1, 2, 3, 0);"
                     "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (80, 95, $P, 0, 4096, 12, 2), (0, 0, "
                     "$P, 0, 1, 1, 1);");
        QCOMPARE(loaded.row("work"), std::string("70..70 instant"));
        QCOMPARE(loaded.lane("work"), std::string("CPU page faults"));
        QCOMPARE(loaded.row("GPU page fault, Write"), std::string("80..95 other"));
        const EventId fault = eventNamed(loaded.trace(), "GPU page fault, Write");
        QCOMPARE(laneKindOf(loaded.trace(), fault), LaneKind::Marks); // no work of a stream
        QCOMPARE(loaded.trace().lane(loaded.trace().laneOf(fault)).device, DeviceId{0});
        QCOMPARE(loaded.detail("GPU page fault, Write", "numberOfPageFaults"), std::string("12"));
        QCOMPARE(loaded.report().find("device_time_zero")->count, std::uint64_t{1});
    }

    void memoryPools_areMarksOfTheDevice() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) + "INSERT INTO CUDA_GPU_MEMORY_POOL_EVENTS VALUES (70, $P, 0, 1, 1, 1), "
                                 "(90, $P, 0, 1, 9, 1);");
        QCOMPARE(loaded.row("memory pool, Created"), std::string("70..70 instant"));
        QCOMPARE(loaded.lane("memory pool, Created"), std::string("memory pools"));
        QCOMPARE(loaded.row("memory pool, kind 9"),
                 std::string("90..90 instant")); // unknown is no reason to drop
    }

    // These tables number processes and threads plainly.
    void fileAccess_belongsToItsThread() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) +
            "INSERT INTO OSRT_FILE_ACCESS_EVENTS VALUES (7, 484, 100, 130, 1, 6, 0), (8, 484, 200, 210, "
            "3, NULL, 5);"
            "INSERT INTO OSRT_FILE_ACCESS_DESCRIPTORS VALUES (7, 483, 100, 0, '/data/x');");
        QCOMPARE(loaded.row("openat"), std::string("100..130 other"));
        QCOMPARE(loaded.lane("openat"), std::string("file access"));
        QCOMPARE(loaded.detail("openat", "filePath"), std::string("/data/x"));
        QCOMPARE(loaded.detail("openat", "eventType"), std::string("1 (OSRT Open File Action)"));
        const Trace& trace = loaded.trace();
        QCOMPARE(trace.lane(trace.laneOf(eventNamed(trace, "openat"))).thread,
                 trace.lane(trace.laneOf(eventNamed(trace, "cudaMalloc"))).thread);
        QVERIFY(bool(eventNamed(trace, "file access, OSRT Read from File Action"))); // no description: kept
    }

    // The rank of the process; of two rows of one process the first counts, a row without rank tells nothing.
    void mpiRanks_standWithTheProcess() {
        const LoadedExport loaded = loadRows(
            "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);"
            "INSERT INTO MPI_RANKS VALUES ($U, 5), ($T + 1, 3), ($T, 4), ($Q + 16777216, NULL);" +
            std::string(kCall) +
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2000, 0, $U, 1, 1, 0, NULL);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2000, 0, $Q + 16777216, 1, 1, 0, NULL);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
            "correlationId, "
            "globalPid, demangledName, shortName) VALUES (100, 200, 0, 1, 7, 1, $P, 2, 2), "
            "(300, 400, 0, 1, 7, 1, $Q + 16777216, 2, 2);");
        const auto processes = loaded.trace().processes();
        const auto rankOf = [&](std::string_view id) {
            for (const Process& process : processes)
                if (process.idText == id)
                    return process.mpiRank;
            return std::optional<std::int64_t>(-1);
        };
        QCOMPARE(rankOf("483"), std::optional<std::int64_t>(3));
        QCOMPARE(rankOf("509"), std::optional<std::int64_t>(5));
        QCOMPARE(rankOf("510"), std::optional<std::int64_t>());

        JobControl job;
        const auto summary = summarise(*loaded.result, "0f", job);
        QVERIFY(summary);
        StringSink text, json;
        writeSummaryText(*summary, text);
        writeSummaryJson(*summary, json);
        QVERIFY(text.text().find("GPU 0, process 483, MPI rank 3\n") != std::string::npos);
        QVERIFY(text.text().find("GPU 0, process 510\n") != std::string::npos);
        // Where it is not known the object is as the contract has it.
        const auto devices = nlohmann::json::parse(json.text()).at("devices");
        QCOMPARE(devices.at(0).at("mpi_rank").get<int>(), 3);
        QVERIFY(!devices.at(1).contains("mpi_rank"));
        // No row of the trace: a description.
        QCOMPARE(loaded.report().rowsRead(), std::uint64_t{5});
        QVERIFY(loaded.report().find("unknown_tables") == nullptr);
    }

    void networkMetrics_becomeCountersOfTheirCard() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) +
            "INSERT INTO NET_NIC_METRIC VALUES (100, 200, 77, 1, 4, 0, 1000), (200, 300, 77, 1, 4, 0, 12.5), "
            "(100, 200, 78, 0, 4, 9, 5), (300, 400, 77, 1, 4, 0, 'x');"
            "INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (4, 0, 'IB: Bytes sent', '', 'bytes');"
            "INSERT INTO TARGET_INFO_NIC_INFO VALUES (1, '', 3, 'mlx5_0');"
            "INSERT INTO NIC_ID_MAP VALUES (3, 77);");
        const CounterTrack* sent = counterNamed(loaded.trace(), "mlx5_0 port 1: IB: Bytes sent");
        QVERIFY(sent != nullptr);
        QCOMPARE(sent->unit, std::string("bytes"));
        QCOMPARE(std::vector<double>(sent->value.begin(), sent->value.end()),
                 (std::vector<double>{1000, 12.5}));
        QVERIFY(counterNamed(loaded.trace(), "network card 78: metric 9") != nullptr);
        QCOMPARE(loaded.report().find("bad_metric")->count, std::uint64_t{1});
    }

    void genericEvents_areNamedByTheirType() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) +
            "CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER, sourceId INTEGER, nameId INTEGER, data TEXT);"
            "INSERT INTO GENERIC_EVENT_TYPES VALUES (5, 1, 7, NULL), (6, 1, NULL, '{\"Name\": \"Plug-in\"}');"
            "INSERT INTO GENERIC_EVENTS VALUES (1, 0, 400, 5, $T, '{}'), (2, 0, 500, 6, NULL, '{}'), "
            "(3, 0, 600, NULL, $T, '{}'), (4, 0, 700, 9, $T, '{}');");
        QCOMPARE(loaded.row("Ftrace"), std::string("400..400 instant"));
        QCOMPARE(loaded.row("Plug-in"), std::string("500..500 instant"));
        QCOMPARE(loaded.row("event without type"), std::string("600..600 instant"));
        QCOMPARE(loaded.row("event of type 9"), std::string("700..700 instant"));
        QCOMPARE(loaded.lane("Ftrace"), std::string("generic events"));
    }

    void nvtx_domainsHaveLanesOfTheirOwn() {
        const LoadedExport loaded =
            loadRows("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                     "(100, 500, 59, 'step', $T, 0), (150, 300, 59, 'ncclAllReduce', $T, 4), (160, 310, 60, "
                     "'open', $T, 4), "
                     "(400, 450, 59, 'nameless domain', $T, 5), (-9, NULL, 75, 'NCCL', $T, 4);"
                     "INSERT INTO NVTXT_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                     "(600, 700, 70, 'from a text file', $T, 0);");
        QCOMPARE(loaded.lane("step"), std::string(""));
        QCOMPARE(loaded.lane("ncclAllReduce"), std::string("NCCL"));
        QCOMPARE(loaded.lane("open"), std::string("NCCL, start/end ranges"));
        QCOMPARE(loaded.lane("nameless domain"), std::string("domain 5"));
        QCOMPARE(loaded.row("from a text file"), std::string("600..700 range"));
    }

    void unknownTables_areListedInOneNote() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "CREATE TABLE VULKAN_API (start INTEGER); INSERT INTO VULKAN_API VALUES (1);"
                     "CREATE TABLE CUDA_TELEPORT (start INTEGER); INSERT INTO CUDA_TELEPORT VALUES (1);"
                     "CREATE TABLE CUDA_OTHER (start INTEGER); INSERT INTO CUDA_OTHER VALUES (1), (2);"
                     "CREATE TABLE CUDA_EMPTY (start INTEGER);");
        QCOMPARE(loaded.report().find("unknown_tables")->message,
                 std::string("2 tables of this export are newer than this Lacuna and are not shown: "
                             "CUDA_TELEPORT, CUDA_OTHER"));
        QCOMPARE(loaded.report().find("unknown_tables")->count, std::uint64_t{2});
        QCOMPARE(loaded.report().find("tables_not_shown")->message,
                 std::string("1 table of this export is about graphics or other work and is not shown: "
                             "VULKAN_API"));
        QCOMPARE(loaded.report().rowsRead(), std::uint64_t{1}); // they are no rows that Lacuna reads
        QCOMPARE(fact(loaded.trace(), "tables_not_read"),
                 std::string("VULKAN_API, CUDA_TELEPORT, CUDA_OTHER"));
    }

    void attachedFilesAndSchemas_areListedWithoutTheirFolders() {
        const LoadedExport loaded =
            loadRows(std::string(kCall) +
                     "CREATE TABLE ANALYSIS_FILE (id INTEGER, filename TEXT, contentId INTEGER);"
                     "INSERT INTO ANALYSIS_FILE VALUES (1, '/home/someone/streams/pid_748_stdout.log', 1);"
                     "CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT);"
                     "INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (1, 1, 'AllReduce'), (1, 2, 'AllReduce'), (1, "
                     "3, 'Send');");
        QCOMPARE(fact(loaded.trace(), "attached_files"), std::string("pid_748_stdout.log"));
        QCOMPARE(fact(loaded.trace(), "nvtx_payload_schemas"), std::string("AllReduce, Send"));
    }

    void quietDiagnostics_areCounted() {
        const LoadedExport loaded = loadRows(
            std::string(kCall) + "INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 1, 1, 1, 'started', NULL), "
                                 "(0, 1, 1, 4, 'verbose', NULL);");
        QCOMPARE(loaded.report().find("nsys_messages")->count, std::uint64_t{2});
        QCOMPARE(loaded.report().find("nsys_messages")->severity, Severity::Info);
    }
};

LACUNA_TEST(TstNsysTables, "tst_nsys_tables")

} // namespace tst_nsys_tables

#include "tst_nsys_tables.moc"
