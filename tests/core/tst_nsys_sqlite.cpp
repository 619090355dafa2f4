#include "core/import/load_trace.h"
#include "core/import/nsys_sqlite.h"
#include "tests/support/nsys_rows.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <algorithm>

namespace tst_nsys_sqlite {

using namespace lacuna;
using namespace lacuna::test;

namespace {

const std::int64_t kTid = globalTid(483, 483);
const std::int64_t kPid = globalTid(483, 0);
const std::int64_t kOtherTid = globalTid(509, 510);
const std::int64_t kOtherPid = globalTid(509, 0);

constexpr std::string_view kStrings =
    "INSERT INTO StringIds VALUES (0, ''), (1, 'cudaLaunchKernel_v7000'), (2, 'cuLaunchKernel'),"
    "(3, 'void saxpy<float>(float*)'), (4, 'saxpy'), (5, 'launcher'), (6, 'poll'), (7, "
    "'cudaEventQuery_v3020'),"
    "(8, 'cudaStreamWaitEvent_v3020'), (9, 'cudaEventRecord_v3020'), (10, 'registered'), (11, "
    "'cublasSgemm_v2'),"
    "(12, 'MPI_Barrier'), (13, 'Graph Node Creation'), (14, 'libc.so.6'), (15, 'main');";

LoadedExport loadRows(const std::string& sql) {
    return loadExport(SqliteFixture(withIds(std::string(nsysSchema()).append(kStrings) + sql, 483)));
}

std::string api(std::int64_t begin, std::int64_t end, std::int64_t correlation, const char* tid = "$T",
                int name = 1, int eventClass = 0) {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", " + std::to_string(eventClass) + ", " + tid + ", " +
           std::to_string(correlation) + ", " + std::to_string(name) + ", 0, NULL);";
}

std::string kernel(std::int64_t begin, std::int64_t end, std::int64_t correlation, const char* pid = "$P",
                   int stream = 7, int context = 1, const char* node = "NULL") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", 0, " + std::to_string(context) + ", 0, " + std::to_string(stream) + ", " +
           std::to_string(correlation) + ", " + pid + ", 3, 4, NULL, 1, 32, " + node + ");";
}

std::string sync(std::int64_t begin, std::int64_t end, std::int64_t correlation, std::int64_t stream,
                 std::int64_t event, int syncType = 0, const char* eventSyncId = "NULL") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", 0, 1, 0, " + std::to_string(stream) + ", " + std::to_string(correlation) +
           ", $P, NULL, " + std::to_string(syncType) + ", " + std::to_string(event) + ", " + eventSyncId +
           ");";
}

std::string record(std::int64_t correlation, int stream, int event, const char* eventSyncId = "NULL") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, 0, " + std::to_string(stream) + ", " +
           std::to_string(correlation) + ", $P, " + std::to_string(event) + ", " + eventSyncId + ");";
}

std::string nvtx(const char* begin, const char* end, int type, const char* text,
                 const char* rest = "NULL, 0") {
    return std::string("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, textId, domainId) "
                       "VALUES (") +
           begin + ", " + end + ", " + std::to_string(type) + ", " + text + ", $T, " + rest + ");";
}

constexpr std::int64_t kNone = 4294967295;

std::vector<std::string> titles(const Trace& trace, LaneKind kind) {
    std::vector<std::string> found;
    for (const Lane& lane : trace.lanes())
        if (lane.kind == kind)
            found.emplace_back(trace.strings().view(lane.title));
    std::sort(found.begin(), found.end());
    return found;
}

std::string detail(const LoadedExport& loaded, EventId event, std::string_view field) {
    const auto details = loaded.result->details->read({loaded.trace().events().source[event.v]});
    if (!details)
        return "error";
    for (const auto& [name, value] : details->fields)
        if (name == field)
            return value;
    return "absent";
}

} // namespace

class TstNsysSqlite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void facts_tellWriterAndTimeButNobodysName() {
        const LoadedExport loaded = loadRows(
            api(1000, 2000, 1) +
            "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (1, 'x', 'Hostname', 619, 'secret-host'),"
            "(1, 'x', 'CudaDriverVersion', 611, '13000'), (1, 'x', 'NvDriverVersion', 205, '580.1');"
            "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT', 'TOKEN=secret'), "
            "('PROCESS_0:USER_NAME', 'secret-user'), ('PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node');");
        QVERIFY(bool(loaded.result));
        const TraceFacts& facts = loaded.trace().facts();
        QCOMPARE(facts.format, std::string("nsys-sqlite"));
        QCOMPARE(facts.writer, std::string("Nsight Systems 2025.3.2.0"));
        QCOMPARE(facts.baseNs.value_or(0), std::int64_t{1700000000000000000});
        std::string all;
        for (const auto& [name, value] : facts.metadata)
            all += name + "=" + value + ";";
        QVERIFY(all.find("cuda_driver_version=13000;") != std::string::npos);
        QVERIFY(all.find("gpu_driver_version=580.1;") != std::string::npos);
        QVERIFY(all.find("cuda_graph_trace=Node;") != std::string::npos);
        QVERIFY(all.find("secret") == std::string::npos);
        // Time zero is the file's own.
        QCOMPARE(loaded.trace().window(), (TimeRange{{1000}, {2000}}));
    }

    // features.md C14: a capture that began later than the program.
    void c14_delayOfTheStartIsAFact() {
        const auto factsOf = [](const char* delay) {
            const LoadedExport loaded =
                loadRows(api(1000, 2000, 1) + "INSERT INTO META_DATA_CAPTURE VALUES ('START_DELAY_MS', '" +
                         delay + "');");
            std::string all;
            for (const auto& [name, value] : loaded.trace().facts().metadata)
                all += name + "=" + value + ";";
            return all;
        };
        QVERIFY(factsOf("10000").find("start_delay_ms=10000;") != std::string::npos);
        QVERIFY(factsOf("0").find("start_delay_ms") == std::string::npos);
    }

    void facts_ofAShiftedExport_haveNoClockTime() {
        const LoadedExport loaded = loadRows(
            api(1, 2, 1) + "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PARAM_TIME_SHIFT', '500');");
        QVERIFY(!loaded.trace().facts().baseNs.has_value());
        QVERIFY(loaded.report().find("shifted_times") != nullptr);
    }

    void diagnostics_fromSeverity2On_areNotes() {
        const LoadedExport loaded = loadRows(
            api(1, 2, 1) + "INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 1, 1, 1, 'info', NULL), "
                           "(0, 1, 1, 2, 'Not all CUDA events\n might have been collected.', NULL), "
                           "(0, 1, 1, 3, 'no permission', NULL), (0, 1, 1, 3, 'no permission', NULL), "
                           "(0, 1, 1, 4, 'verbose', NULL);");
        const Issue* warning = loaded.report().find("nsys_diagnostic_1");
        const Issue* error = loaded.report().find("nsys_diagnostic_2");
        QVERIFY(warning != nullptr && error != nullptr &&
                loaded.report().find("nsys_diagnostic_3") == nullptr);
        QCOMPARE(warning->message,
                 std::string("Nsight Systems: Not all CUDA events might have been collected."));
        QCOMPARE(warning->severity, Severity::Warning);
        QCOMPARE(error->severity, Severity::Error);
        QCOMPARE(error->count, std::uint64_t{2});
    }

    void apiRows_haveTheirThreadKindAndName() {
        const LoadedExport loaded =
            loadRows(api(10, 20, 1) + api(30, 40, 2, "$T", 2, 1) + api(15, 25, 1, "$U") +
                     "INSERT INTO PROCESSES VALUES ($P, 483, 'python3'), (77, 0, 'unrelated');"
                     "INSERT INTO ThreadNames VALUES (5, NULL, $T), (4, NULL, 1);");
        const Trace& trace = loaded.trace();
        QCOMPARE(rowText(trace, eventNamed(trace, "cudaLaunchKernel_v7000")), std::string("10..20 runtime"));
        QCOMPARE(rowText(trace, eventNamed(trace, "cuLaunchKernel")), std::string("30..40 driver"));
        QCOMPARE(trace.processes().size(), std::size_t{2}); // only those that own events
        QCOMPARE(trace.processes()[0].idText, std::string("483"));
        QCOMPARE(trace.processes()[0].osPid.value_or(0), std::int64_t{483});
        QCOMPARE(trace.processes()[0].name, std::string("python3"));
        QCOMPARE(trace.threads()[0].tid, std::int64_t{483});
        QCOMPARE(trace.threads()[0].name, std::string("launcher"));
        QCOMPARE(trace.processes()[1].idText, std::string("509"));
        QCOMPARE(trace.threads()[1].tid, std::int64_t{510});
        QCOMPARE(rowsInLanes(trace, LaneKind::CudaApi), std::uint64_t{3});
    }

    void samePid_onAnotherMachine_isAnotherProcess() {
        const LoadedExport loaded = loadRows(api(10, 20, 1) + api(10, 20, 1, "$T + (1 << 55)"));
        QCOMPARE(loaded.trace().processes().size(), std::size_t{2});
        QVERIFY(loaded.trace().processes()[0].idText != loaded.trace().processes()[1].idText);
        QCOMPARE(loaded.trace().processes()[1].osPid.value_or(0), std::int64_t{483});
    }

    void kernels_joinTheirCallAndShowTheFullName() {
        const LoadedExport loaded =
            loadRows(api(10, 20, 5) + kernel(30, 90, 5) +
                     "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA H200', '', 0);"
                     "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 483);");
        const Trace& trace = loaded.trace();
        const EventId op = eventNamed(trace, "void saxpy<float>(float*)");
        QVERIFY(bool(op));
        QCOMPARE(rowText(trace, op), std::string("30..90 kernel"));
        const auto call = trace.correlations().launchOf(trace.events(), op);
        QVERIFY(call.has_value());
        QCOMPARE(rowText(trace, *call), std::string("10..20 runtime"));
        QCOMPARE(trace.devices().size(), std::size_t{1});
        QCOMPARE(trace.devices()[0].ordinal, std::int64_t{0});
        QCOMPARE(trace.devices()[0].name, std::string("NVIDIA H200"));
        QCOMPARE(trace.processes()[trace.devices()[0].process.v].idText, std::string("483"));
        QCOMPARE(trace.lane(trace.laneOf(op)).sourceId, std::int64_t{7});
    }

    // nsys.md 2.3: ids count per process; 264 ids of one public file occur in both of its processes.
    void correlation_isPerProcess() {
        const LoadedExport loaded =
            loadRows(api(10, 20, 5) + api(11, 21, 5, "$U") + kernel(30, 40, 5) + kernel(50, 60, 5, "$Q"));
        const Trace& trace = loaded.trace();
        QCOMPARE(trace.devices().size(), std::size_t{2}); // one GPU, two processes: two devices
        for (const EventId op : eventsNamed(trace, "void saxpy<float>(float*)")) {
            const auto call = trace.correlations().launchOf(trace.events(), op);
            QVERIFY(call.has_value());
            QCOMPARE(trace.lane(trace.laneOf(*call)).process, trace.lane(trace.laneOf(op)).process);
            QCOMPARE(trace.correlations().deviceOps(trace.events().correlation[op.v]).size(), std::size_t{1});
        }
    }

    void correlation_withoutProcess_joinsOnlyWhenThereIsOne() {
        const LoadedExport one = loadRows(api(10, 20, 5) + kernel(30, 40, 5, "NULL"));
        const EventId joined = eventNamed(one.trace(), "void saxpy<float>(float*)");
        QVERIFY(one.trace().correlations().launchOf(one.trace().events(), joined).has_value());
        QCOMPARE(one.trace().devices()[0].process, ProcessId{0});
        const LoadedExport two = loadRows(api(10, 20, 5) + api(10, 20, 6, "$U") + kernel(30, 40, 5, "NULL"));
        const EventId orphan = eventNamed(two.trace(), "void saxpy<float>(float*)");
        QVERIFY(!two.trace().correlations().launchOf(two.trace().events(), orphan).has_value());
        QVERIFY(!two.trace().devices()[0].process);
        QCOMPARE(two.report().rowsDropped(), std::uint64_t{0}); // never dropped for lack of a match
    }

    void correlation_zeroAndNull_joinNothing() {
        const LoadedExport loaded = loadRows(api(10, 20, 0) + kernel(30, 40, 0) + kernel(50, 60, 0));
        for (std::uint32_t row = 0; row < loaded.trace().events().size(); ++row)
            QCOMPARE(loaded.trace().events().correlation[row], 0u);
    }

    void graphLaunch_ownsManyKernels() {
        const LoadedExport loaded = loadRows(api(10, 20, 5) + kernel(30, 40, 5, "$P", 7, 1, "8589934592") +
                                             kernel(41, 50, 5, "$P", 7, 1, "8589934593"));
        const Trace& trace = loaded.trace();
        const std::vector<EventId> ops = eventsNamed(trace, "void saxpy<float>(float*)");
        QCOMPARE(trace.correlations().deviceOps(trace.events().correlation[ops[0].v]).size(), std::size_t{2});
        const GraphArgs* first = trace.hotArgs().graphs.find(ops[0]);
        const GraphArgs* second = trace.hotArgs().graphs.find(ops[1]);
        QVERIFY(first != nullptr && second != nullptr);
        QCOMPARE(first->graph, std::uint64_t{2}); // upper half of the node id
        QCOMPARE(second->graph, std::uint64_t{2});
        QVERIFY(first->node != second->node && first->node != 0);
    }

    void wholeGraphRows_areDeviceWork() {
        const LoadedExport loaded =
            loadRows(api(10, 20, 5) + "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (30, 90, 0,"
                                      "1, 0, 13, 5, $P, 1, 2);");
        const EventId graph = eventNamed(loaded.trace(), "[CUDA graph 2]");
        QVERIFY(bool(graph));
        QCOMPARE(rowText(loaded.trace(), graph), std::string("30..90 graph"));
        QCOMPARE(loaded.trace().hotArgs().graphs.find(graph)->graph, std::uint64_t{2});
        QCOMPARE(loaded.trace().hotArgs().graphs.find(graph)->node, std::uint64_t{0});
        QCOMPARE(loaded.report().find("graph_kernels_hidden")->count, std::uint64_t{1});
    }

    void copies_haveBytesKindsAndTheVendorsName() {
        const LoadedExport loaded =
            loadRows("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 1, 0, 7, "
                     "5, $P, 4096, 2, 2, 0, NULL, NULL),"
                     "(30, 40, 0, 1, 0, 0, 0, $P, 65536, 11, 4, 4, 2, NULL), (50, 60, 0, "
                     "1, 0, 7, 6, $P, 8, 99, NULL, 77, NULL, "
                     "NULL); INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (70, 80, 0, 1, "
                     "0, 7, 7, $P, 0, 1024, NULL, 2);");
        const Trace& trace = loaded.trace();
        const CopyArgs* toHost =
            trace.hotArgs().copies.find(eventNamed(trace, "[CUDA memcpy Device-to-Host]"));
        QVERIFY(toHost != nullptr);
        QCOMPARE(toHost->bytes, std::int64_t{4096});
        QCOMPARE(toHost->kind, CopyKind::DtoH);
        QCOMPARE(toHost->src, MemKind::Device);
        QCOMPARE(toHost->dst, MemKind::Pageable); // 0 is a value, not "unset"
        const EventId unified = eventNamed(trace, "[CUDA memcpy Unified Host-to-Device]");
        QCOMPARE(laneTitleOf(trace, unified), std::string("unified memory"));
        const CopyArgs* odd = trace.hotArgs().copies.find(eventNamed(trace, "[CUDA memcpy kind 99]"));
        QVERIFY(odd != nullptr);
        QCOMPARE(odd->kind, CopyKind::Unknown);
        QCOMPARE(odd->src, MemKind::Unknown);
        const CopyArgs* set = trace.hotArgs().copies.find(eventNamed(trace, "[CUDA memset]"));
        QVERIFY(set != nullptr);
        QCOMPARE(set->kind, CopyKind::Set);
        QCOMPARE(set->bytes, std::int64_t{1024});
        QCOMPARE(set->dst, MemKind::Device);
    }

    void enumTable_overridesOurLabels() {
        const LoadedExport loaded =
            loadRows("CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
                     "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'X', 'Host-to-Card');"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 1, 0, 7, 5, $P, 1, 1, 0, 2, "
                     "NULL, NULL),"
                     "(30, 40, 0, 1, 0, 7, 6, $P, 1, 2, 0, 2, NULL, NULL);");
        QVERIFY(bool(eventNamed(loaded.trace(), "[CUDA memcpy Host-to-Card]")));
        QVERIFY(bool(eventNamed(loaded.trace(), "[CUDA memcpy Device-to-Host]")));
    }

    void streams_areTitledByWhatTheFileTells() {
        const LoadedExport loaded =
            loadRows(kernel(10, 20, 1) + kernel(10, 20, 2, "$P", 12) + kernel(10, 20, 3, "$P", 13) +
                     kernel(10, 20, 4, "$P", 14) + kernel(10, 20, 5, "$P", 15) +
                     "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (7, 0, 1, 483, 0, 1, 0, 0);"
                     "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (12, 0, 1, 483, 1, 4294967291, 1), (13, 0, "
                     "1, 483, 1, 0, 2);"
                     "INSERT INTO TARGET_INFO_NVTX_CUDA_STREAM VALUES ('copies', 0, 1, 483, 0, 1, 14);");
        QCOMPARE(titles(loaded.trace(), LaneKind::GpuStream),
                 (std::vector<std::string>{"copies (stream 14)", "stream 12, priority -5",
                                           "stream 13 (non-blocking)", "stream 15", "stream 7 (default)"}));
    }

    void streams_ofTwoContextsWithOneNumber_areTwoLanes() {
        const LoadedExport loaded = loadRows(kernel(10, 30, 1, "$P", 7, 1) + kernel(20, 40, 2, "$P", 7, 2));
        QCOMPARE(titles(loaded.trace(), LaneKind::GpuStream),
                 (std::vector<std::string>{"stream 7", "stream 7, context 2"}));
    }

    void deviceNames_followTheIdentityRule_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("name");
        const QByteArray gpus = "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'A', '', 1), (1, 1, 'B', '', 0);";
        QTest::newRow("map of the process")
            << gpus + "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 483);" << QByteArray("A");
        QTest::newRow("map of another process only")
            << gpus + "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 9);" << QByteArray();
        QTest::newRow("no map: cuDevice") << gpus << QByteArray("B");
        QTest::newRow("cuDevice not unique: id")
            << QByteArray("INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'A', '', 0), (1, 1, 'B', '', 0);")
            << QByteArray("A");
        QTest::newRow("cuDevice null: id")
            << QByteArray("INSERT INTO TARGET_INFO_GPU VALUES (1, 1, 'B', '', 0), (1, 0, 'A', '', NULL);")
            << QByteArray("A");
        QTest::newRow("2021 column names")
            << QByteArray("DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, deviceId "
                          "INTEGER, name TEXT);"
                          "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'old');")
            << QByteArray("old");
        QTest::newRow("oldest table")
            << QByteArray("DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_CUDA_GPU (name TEXT, "
                          "deviceId INTEGER); INSERT INTO TARGET_INFO_CUDA_GPU VALUES ('oldest', 0);")
            << QByteArray("oldest");
        QTest::newRow("nothing") << QByteArray() << QByteArray();
    }
    void deviceNames_followTheIdentityRule() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, name);
        const LoadedExport loaded = loadRows(kernel(10, 20, 1) + sql.toStdString());
        QCOMPARE(loaded.trace().devices()[0].name, name.toStdString());
    }

    // nsys.md 3.2: the number in syncType means other things in other versions; the ids tell.
    void syncRows_areClassifiedByTheirIds_data() {
        QTest::addColumn<qint64>("stream");
        QTest::addColumn<qint64>("event");
        QTest::addColumn<int>("apiName");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("device") << qint64{kNone} << qint64{kNone} << 1 << int(SyncKind::Context)
                                << QByteArray("Context Sync");
        QTest::newRow("stream") << qint64{13} << qint64{kNone} << 1 << int(SyncKind::Stream)
                                << QByteArray("Stream Sync");
        QTest::newRow("event") << qint64{kNone} << qint64{1} << 1 << int(SyncKind::Event)
                               << QByteArray("Event Sync");
        QTest::newRow("query") << qint64{kNone} << qint64{1} << 7 << int(SyncKind::Unknown)
                               << QByteArray("Event Query");
        QTest::newRow("stream wait") << qint64{13} << qint64{1} << 8 << int(SyncKind::StreamWaitEvent)
                                     << QByteArray("Stream Wait Event");
    }
    void syncRows_areClassifiedByTheirIds() {
        QFETCH(qint64, stream);
        QFETCH(qint64, event);
        QFETCH(int, apiName);
        QFETCH(int, kind);
        QFETCH(QByteArray, name);
        for (const int syncType : {0, 1, 2, 3, 4}) {
            const LoadedExport loaded =
                loadRows(api(10, 90, 5, "$T", apiName) + sync(20, 80, 5, stream, event, syncType));
            const EventId row = eventNamed(loaded.trace(), name.toStdString());
            QVERIFY(bool(row));
            QCOMPARE(rowText(loaded.trace(), row), std::string("20..80 sync"));
            QCOMPARE(laneKindOf(loaded.trace(), row), LaneKind::GpuSync);
            const SyncArgs* args = loaded.trace().hotArgs().syncs.find(row);
            QCOMPARE(int(args->kind), kind);
            QCOMPARE(args->stream, stream == kNone ? std::int64_t{-1} : std::int64_t{stream});
            QCOMPARE(args->eventId, event == kNone ? std::int64_t{-1} : std::int64_t{event});
            const std::uint32_t group = loaded.trace().events().correlation[row.v];
            QCOMPARE(loaded.trace().correlations().hostCalls(group).size(), std::size_t{1});
            QCOMPARE(loaded.trace().correlations().deviceOps(group).size(), std::size_t{0});
            QVERIFY(loaded.trace().facts().syncRowsRecorded);
        }
    }

    // Their deviceId is 0 in files of several GPUs; the context tells.
    void syncRows_followTheirContextToTheDevice() {
        const LoadedExport loaded =
            loadRows(api(10, 90, 5) + kernel(30, 40, 5, "$P", 15, 2) +
                     "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1;" + sync(20, 80, 5, 15, kNone) +
                     record(5, 15, 1) +
                     "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET contextId = 2; UPDATE "
                     "CUPTI_ACTIVITY_KIND_CUDA_EVENT SET "
                     "contextId = 9;");
        QCOMPARE(loaded.trace().devices().size(), std::size_t{1});
        QCOMPARE(loaded.trace().devices()[0].ordinal, std::int64_t{1});
        QCOMPARE(rowsInLanes(loaded.trace(), LaneKind::GpuSync), std::uint64_t{2});
    }

    void eventRecords_standAtTheEndOfTheirCall() {
        const LoadedExport loaded = loadRows(api(10, 20, 5, "$T", 9) + record(5, 14, 1) + record(6, 14, 1));
        const EventId row = eventNamed(loaded.trace(), "Event Record");
        QCOMPARE(rowText(loaded.trace(), row), std::string("20..20 sync"));
        const SyncArgs* args = loaded.trace().hotArgs().syncs.find(row);
        QCOMPARE(args->kind, SyncKind::EventRecord);
        QCOMPARE(args->stream, std::int64_t{14});
        QCOMPARE(args->eventId, std::int64_t{1});
        // Call 6 is not in the file, so its record has no time.
        const Issue* lost = loaded.report().find("record_without_call");
        QVERIFY(lost != nullptr && lost->dropsRows);
        QCOMPARE(lost->count, std::uint64_t{1});
        QCOMPARE(lost->first.table, std::string("CUPTI_ACTIVITY_KIND_CUDA_EVENT"));
        QCOMPARE(lost->first.row, std::int64_t{2});
    }

    void streamWait_namesTheLatestRecordBeforeIt() {
        const std::string calls = api(10, 20, 1, "$T", 9) + api(30, 40, 2, "$T", 9) +
                                  api(50, 60, 3, "$T", 8) + api(70, 80, 4, "$T", 9);
        const LoadedExport loaded =
            loadRows(calls + record(1, 14, 1) + record(2, 15, 1) + record(4, 16, 1) + sync(51, 59, 3, 13, 1));
        const SyncArgs* args =
            loaded.trace().hotArgs().syncs.find(eventNamed(loaded.trace(), "Stream Wait Event"));
        QCOMPARE(args->recordCorrelation, std::int64_t{2});
        QCOMPARE(args->sourceStream, std::int64_t{15});
        // Another event object, or none recorded before: unknown.
        const LoadedExport other =
            loadRows(calls + record(1, 14, 2) + record(4, 16, 1) + sync(51, 59, 3, 13, 1));
        const SyncArgs* unknown =
            other.trace().hotArgs().syncs.find(eventNamed(other.trace(), "Stream Wait Event"));
        QCOMPARE(unknown->recordCorrelation, std::int64_t{-1});
        QCOMPARE(unknown->sourceStream, std::int64_t{-1});
    }

    void streamWait_prefersTheNumberedRecord() {
        const LoadedExport loaded =
            loadRows(api(10, 20, 1, "$T", 9) + api(30, 40, 2, "$T", 9) + api(50, 60, 3, "$T", 8) +
                     record(1, 14, 1, "71") + record(2, 15, 1, "72") + sync(51, 59, 3, 13, 1, 2, "71"));
        const SyncArgs* args =
            loaded.trace().hotArgs().syncs.find(eventNamed(loaded.trace(), "Stream Wait Event"));
        QCOMPARE(args->recordCorrelation, std::int64_t{1});
        QCOMPARE(args->sourceStream, std::int64_t{14});
        QCOMPARE(args->eventSyncId, std::int64_t{71});
    }

    void nvtx_rangesNestAndStartEndRangesStandApart() {
        const LoadedExport loaded =
            loadRows(nvtx("100", "500", 59, "'step'") + nvtx("150", "300", 59, "'forward'") +
                     nvtx("120", "400", 60, "'async'") + nvtx("200", "600", 71, "'async too'") +
                     nvtx("250", "NULL", 34, "'mark'") + nvtx("260", "270", 70, "NULL", "10, 0"));
        const Trace& trace = loaded.trace();
        QCOMPARE(rowText(trace, eventNamed(trace, "step")), std::string("100..500 range"));
        QCOMPARE(trace.laneOf(eventNamed(trace, "step")), trace.laneOf(eventNamed(trace, "forward")));
        QCOMPARE(trace.laneOf(eventNamed(trace, "step")), trace.laneOf(eventNamed(trace, "registered")));
        QCOMPARE(trace.lane(trace.laneOf(eventNamed(trace, "step"))).depth, 3u);
        QCOMPARE(laneTitleOf(trace, eventNamed(trace, "async")), std::string("start/end ranges"));
        QCOMPARE(trace.laneOf(eventNamed(trace, "async")), trace.laneOf(eventNamed(trace, "async too")));
        QCOMPARE(rowText(trace, eventNamed(trace, "mark")), std::string("250..250 instant"));
        QCOMPARE(laneKindOf(trace, eventNamed(trace, "mark")), LaneKind::Marks);
    }

    void nvtx_definitionsAreMetadata() {
        const LoadedExport loaded =
            loadRows(nvtx("100", "200", 59, "'step'") + nvtx("-1900000000", "NULL", 75, "'NCCL'", "NULL, 1") +
                     nvtx("5", "NULL", 39, "'named by NVTX'") + nvtx("6", "NULL", 99, "'a stream'") +
                     "INSERT INTO ThreadNames VALUES (5, NULL, $T);");
        QCOMPARE(loaded.report().kept(EventKind::Metadata), std::uint64_t{3});
        QCOMPARE(loaded.report().kept(EventKind::Range), std::uint64_t{1});
        QCOMPARE(loaded.trace().threads()[0].name, std::string("named by NVTX")); // overrides ThreadNames
        QCOMPARE(loaded.trace().window(), (TimeRange{{100}, {200}}));
    }

    void nvtx_openRanges_endWithTheFile() {
        const LoadedExport loaded = loadRows(nvtx("100", "NULL", 59, "'open'") + api(10, 900, 1));
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "open")), std::string("100..900 range"));
        QCOMPARE(loaded.report().find("unfinished_range")->count, std::uint64_t{1});
        QCOMPARE(loaded.report().rowsDropped(), std::uint64_t{0});
    }

    void nvtx_namelessRows_showTheirCategory() {
        const LoadedExport loaded = loadRows(
            "INSERT INTO NVTX_EVENTS (start, end, eventType, category, text, globalTid, domainId) VALUES "
            "(100, 200, 59, 3, NULL, $T, 0), (300, 400, 59, NULL, NULL, $T, 0), (1, NULL, 33, 3, 'loading', "
            "$T, 0), "
            "(500, 600, 59, 3, NULL, $T, 1);"); // domain 1 has no category 3
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "loading")),
                 std::string("100..200 range"));
        QCOMPARE(eventsNamed(loaded.trace(), "(no name)").size(), std::size_t{2});
    }

    void osRuntime_showsCallsAndMarksHalfRecordedOnes() {
        const LoadedExport loaded = loadRows(
            "INSERT INTO OSRT_API VALUES (100, 300, 27, $T, 6, 0, 0, 0), (400, 400, 31, $P, 6, 0, 0, 0),"
            "(500, 600, 32, $T, 6, 0, 0, 0);");
        QCOMPARE(loaded.report().kept(EventKind::OsRuntime), std::uint64_t{1});
        QCOMPARE(loaded.report().kept(EventKind::Instant), std::uint64_t{2});
        QCOMPARE(rowsInLanes(loaded.trace(), LaneKind::OsRuntime), std::uint64_t{1});
        QCOMPARE(rowsInLanes(loaded.trace(), LaneKind::Marks), std::uint64_t{2});
        QVERIFY(loaded.trace().facts().osRuntimeRecorded);
    }

    void overhead_isNamedByTextOrType() {
        const LoadedExport loaded =
            loadRows("INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (100, 300, 103, $T, 5, NULL, 7);"
                     "INSERT INTO PROFILER_OVERHEAD VALUES (400, 500, NULL, 4, 0);");
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "Lazy Function Loading")),
                 std::string("100..300 overhead"));
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "saxpy")),
                 std::string("400..500 overhead"));
    }

    void libraryCalls_andGraphMarks_areOnTheirThread() {
        const LoadedExport loaded = loadRows(
            "INSERT INTO CUBLAS_EVENTS VALUES (10, 50, 29, $T, 11);"
            "INSERT INTO MPI_OTHER_EVENTS VALUES (60, 90, $T, 12);"
            "INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (70, 70, 77, $T, 13, 1, 1);"
            "CREATE TABLE OPENMP_EVENT_KIND_TASK (start INTEGER, end INTEGER, globalTid INTEGER, "
            "nameId INTEGER); INSERT INTO OPENMP_EVENT_KIND_TASK VALUES (5, 8, $T, 15), (9, NULL, $T, 15);");
        const Trace& trace = loaded.trace();
        QCOMPARE(rowText(trace, eventNamed(trace, "cublasSgemm_v2")), std::string("10..50 operator"));
        QCOMPARE(rowText(trace, eventNamed(trace, "MPI_Barrier")), std::string("60..90 other"));
        QCOMPARE(rowText(trace, eventNamed(trace, "Graph Node Creation")), std::string("70..70 instant"));
        QCOMPARE(eventsNamed(trace, "main").size(), std::size_t{2});
        QCOMPARE(trace.threads().size(), std::size_t{1});
        QCOMPARE(detail(loaded, eventNamed(trace, "main"), "table"), std::string("OPENMP_EVENT_KIND_TASK"));
    }

    void memoryCurve_isARunningSumThatNeverFallsBelowTheKnown() {
        const LoadedExport loaded = loadRows(
            api(1, 2, 1) +
            "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, contextId, address, "
            "bytes, memKind, "
            "memoryOperationType) VALUES (100, $P, 0, 1, 10, 500, 2, 0), (300, $P, 0, 1, 10, 500, 2, 1),"
            "(200, $P, 0, 1, 20, 70, 2, 0), (250, $P, 0, 1, 99, 9000, 2, 1), (150, $P, 0, 1, 30, 8, 1, 0);");
        const CounterTrack* device = counterNamed(loaded.trace(), "Device memory in use");
        QVERIFY(device != nullptr);
        QCOMPARE(device->unit, std::string("bytes"));
        QCOMPARE(std::vector<std::int64_t>(device->timeNs.begin(), device->timeNs.end()),
                 (std::vector<std::int64_t>{100, 200, 250, 300}));
        QCOMPARE(std::vector<double>(device->value.begin(), device->value.end()),
                 (std::vector<double>{500, 570, 570, 70}));
        QVERIFY(counterNamed(loaded.trace(), "Pinned memory in use") != nullptr);
        QCOMPARE(loaded.report().find("free_without_allocation")->count, std::uint64_t{1});
        QCOMPARE(loaded.report().kept(EventKind::Counter), std::uint64_t{5});
    }

    void gpuMetrics_becomeCounters() {
        const LoadedExport loaded = loadRows(
            kernel(10, 20, 1) +
            "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'A', '', 0);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 0, '', 0, 'GPC Clock Frequency [MHz]'),"
            "(256, 0, '', 1, 'SMs Active [Throughput %]');"
            "INSERT INTO GPU_METRICS VALUES (0, -5, 256, 1, 1), (0, 10, 256, 1, 40), (0, 20, 256, 1, 60), "
            "(0, 20, 256, 0, 1980000000), (0, 30, 256, 1, -1);");
        const CounterTrack* active = counterNamed(loaded.trace(), "SMs Active [Throughput %]");
        QVERIFY(active != nullptr);
        QCOMPARE(active->unit, std::string("%"));
        QCOMPARE(std::vector<double>(active->value.begin(), active->value.end()),
                 (std::vector<double>{40, 60}));
        QCOMPARE(active->device, DeviceId{0});
        QCOMPARE(counterNamed(loaded.trace(), "GPC Clock Frequency")->unit, std::string("Hz"));
        QCOMPARE(loaded.report().find("negative_metric")->count, std::uint64_t{2});
        QCOMPARE(loaded.report().kept(EventKind::Counter), std::uint64_t{3});
    }

    void gpuMetrics_ofTwoGpus_areKeptApart() {
        const LoadedExport loaded =
            loadRows(kernel(10, 20, 1) +
                     "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 0, '', 1, 'x'), (257, 0, '', 1, 'x');"
                     "INSERT INTO GPU_METRICS VALUES (0, 10, 256, 1, 40), (0, 10, 257, 1, 60);");
        QCOMPARE(counterNamed(loaded.trace(), "GPU 0 x")->value[0], 40.0);
        QCOMPARE(counterNamed(loaded.trace(), "GPU 1 x")->value[0], 60.0);
    }

    void genericEvents_ofOlderExports_becomeCounters() {
        const LoadedExport loaded =
            loadRows(kernel(10, 20, 1) +
                     "INSERT INTO TARGET_INFO_GPU_METRICS (typeId) VALUES (256);"
                     "INSERT INTO GENERIC_EVENTS VALUES (1, 0, 100, 256, NULL, '{\"SM Active\": \"12\", "
                     "\"DRAM\": 5}'),"
                     "(2, 0, 200, 256, NULL, 'broken'), (3, 0, 300, 999, NULL, '{\"other\": 1}');");
        QCOMPARE(counterNamed(loaded.trace(), "SM Active")->value[0], 12.0);
        QCOMPARE(counterNamed(loaded.trace(), "DRAM")->value[0], 5.0);
        QVERIFY(counterNamed(loaded.trace(), "other") == nullptr);
        QCOMPARE(loaded.report().find("bad_metric")->count, std::uint64_t{1});
        QCOMPARE(rowText(loaded.trace(), eventNamed(loaded.trace(), "event of type 999")),
                 std::string("300..300 instant")); // another source's event: a mark
    }

    void details_giveEveryColumnExactly() {
        const LoadedExport loaded = loadRows(
            api(10, 20, 5) + kernel(30, 90, 5, "$P", 7, 1, "9007199254740993") +
            nvtx("-50", "NULL", 75, "'NCCL'", "NULL, 1") + nvtx("5", "9", 59, "'r'", "NULL, 1") +
            "INSERT INTO OSRT_API VALUES (1, 3, 27, $T, 6, -1, 0, 4);"
            "INSERT INTO OSRT_CALLCHAINS VALUES (4, 15, 14, 0, 1), (4, 6, 14, 0, 0), (5, 5, 5, 0, 0);");
        QVERIFY(loaded.result->details != nullptr);
        const EventId op = eventNamed(loaded.trace(), "void saxpy<float>(float*)");
        QCOMPARE(detail(loaded, op, "table"), std::string("CUPTI_ACTIVITY_KIND_KERNEL"));
        QCOMPARE(detail(loaded, op, "shortName"), std::string("saxpy"));
        QCOMPARE(detail(loaded, op, "graphNodeId"),
                 std::string("9007199254740993")); // beyond what a double holds
        QCOMPARE(detail(loaded, op, "globalPid"), std::to_string(kPid) + " (process 483)");
        QCOMPARE(detail(loaded, op, "launchType"), std::string("1 (Regular)"));
        QCOMPARE(detail(loaded, op, "mangledName"), std::string("absent"));
        QCOMPARE(detail(loaded, eventNamed(loaded.trace(), "r"), "domain"), std::string("NCCL"));
        const EventId poll = eventNamed(loaded.trace(), "poll");
        QCOMPARE(detail(loaded, poll, "returnValue"), std::string("-1"));
        QCOMPARE(detail(loaded, poll, "stack.0"), std::string("poll (libc.so.6)"));
        QCOMPARE(detail(loaded, poll, "stack.1"), std::string("main (libc.so.6)"));
        QCOMPARE(detail(loaded, poll, "stack.2"), std::string("absent"));
        QVERIFY(!loaded.result->details->read(SourceRef::row(1, 999)));
        QVERIFY(!loaded.result->details->read(SourceRef::row(999, 1)));
    }
};

LACUNA_TEST(TstNsysSqlite, "tst_nsys_sqlite")

} // namespace tst_nsys_sqlite

#include "tst_nsys_sqlite.moc"
