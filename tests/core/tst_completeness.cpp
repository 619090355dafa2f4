// What a trace lacks, and what a capture holds.

#include "core/document/completeness.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <QTest>

namespace tst_completeness {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Checked {
    LoadedTrace loaded;
    Completeness completeness;
    const Issue* find(std::string_view code) const {
        for (const Issue& note : completeness.notes)
            if (note.code == code)
                return &note;
        return nullptr;
    }
    std::string codes() const {
        std::string list;
        for (const Issue& note : completeness.notes)
            list += (list.empty() ? "" : " ") + note.code;
        return list;
    }
    std::string held(std::string_view key) const {
        for (const CaptureItem& item : completeness.contents.items)
            if (item.key == key)
                return std::string(heldName(item.held));
        return "no item";
    }
    std::string version(std::string_view name) const {
        for (const auto& [title, text] : completeness.contents.software)
            if (title == name)
                return text.empty() ? "unknown" : text;
        return "no item";
    }
};

Checked checked(Result<LoadedTrace> loaded) {
    if (!loaded)
        return {};
    JobControl job;
    auto completeness = checkCompleteness(*loaded->trace, loaded->details.get(), job);
    return completeness ? Checked{std::move(*loaded), std::move(*completeness)} : Checked{};
}

Checked checkedText(const std::string& events, std::string_view members = {}) {
    return checked(loadText(objectForm(events, members)));
}

Checked checkedFile(const std::filesystem::path& file) {
    JobControl job;
    return checked(loadTrace(file, builtinImporters(), job));
}

std::string call(std::string_view name, std::int64_t ts, std::int64_t id) {
    return q("{'ph':'X','cat':'cuda_runtime','name':'") + std::string(name) +
           q("','pid':5,'tid':5,'dur':1,'ts':") + std::to_string(ts) + q(",'args':{'correlation':") +
           std::to_string(id) + "}}";
}

std::string kernel(const std::string& ts, std::int64_t id) {
    return q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'dur':2,'ts':") + ts +
           q(",'args':{'device':0,'stream':7,'correlation':") + std::to_string(id) + "}}";
}

std::string launch(std::int64_t ts, std::int64_t id) {
    return call("cudaLaunchKernel", ts, id);
}

std::string joined(const std::vector<std::string>& events) {
    std::string text;
    for (const std::string& event : events)
        text += (text.empty() ? "" : ",\n") + event;
    return text;
}

} // namespace

class TstCompleteness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void launchesWithoutAnyKernel_areMissingDeviceActivity();
    void oneLaunch_isSingular();
    void launchesThatRanLater_sayNothing();
    void launchInTheMiddle_isAWarningWithItsPlace();
    void launchAtTheEnd_isNormal();
    void launchDuringCapture_isNotAskedForAKernel();
    void workBeforeTheFirstCall_wasQueuedBefore();
    void workWithoutCallInTheMiddle_isAWarning();
    void workWithoutAnyCall();
    void workBeforeItsLaunch_data();
    void workBeforeItsLaunch();
    void c11_flagsThatAreOffSayHowToGetThem();
    void flags_fromTheOperators();
    void software_unknownStaysUnknown();
    void cutFile_whatMayStandBehindTheCutIsUnknown();
    void export_failedLaunchesAndUnifiedCopies();
    void export_unknownTablesAreListed();
    void export_captureOptions();
    void realCapture_launchesOfAStreamCapture();
    void cancel_endsTheCheck();
    void remedies_everyNoteOfTheChecksButNormalOnes();
};

void TstCompleteness::launchesWithoutAnyKernel_areMissingDeviceActivity() {
    std::vector<std::string> events;
    for (int i = 0; i < 350; ++i)
        events.push_back(launch(10 * i, i + 1));
    const Checked result = checkedText(joined(events));
    QCOMPARE(result.codes(), std::string("device_activity_missing"));
    const Issue& note = result.completeness.notes[0];
    QCOMPARE(note.message, std::string("Device activity is missing: 350 launches have no kernel."));
    QCOMPARE(note.count, std::uint64_t{350});
    QCOMPARE(note.severity, Severity::Error);
    QVERIFY(note.first.offset.has_value());
    QVERIFY(!isComplete(result.loaded.trace->report(), result.completeness));
    QVERIFY(remedyOf(note).find("permission for GPU tracing") != std::string_view::npos);
}

void TstCompleteness::oneLaunch_isSingular() {
    const Checked result = checkedText(launch(1, 1));
    QCOMPARE(result.completeness.notes.at(0).message,
             std::string("Device activity is missing: 1 launch has no kernel."));
}

void TstCompleteness::launchesThatRanLater_sayNothing() {
    const Checked result = checkedText(joined({launch(1, 1), launch(3, 2), kernel("9", 1), kernel("12", 2)}));
    QCOMPARE(result.codes(), std::string());
    QVERIFY(isComplete(result.loaded.trace->report(), result.completeness));
}

void TstCompleteness::launchInTheMiddle_isAWarningWithItsPlace() {
    const std::string text =
        objectForm(joined({launch(1, 1), launch(3, 2), launch(5, 3), kernel("9", 1), kernel("12", 3)}));
    const Checked result = checked(loadText(text));
    QCOMPARE(result.codes(), std::string("launches_without_work"));
    const Issue& note = result.completeness.notes[0];
    QCOMPARE(note.severity, Severity::Warning);
    QCOMPARE(note.count, std::uint64_t{1});
    QCOMPARE(*note.first.offset, std::uint64_t{text.find(launch(3, 2))});
}

void TstCompleteness::launchAtTheEnd_isNormal() {
    const Checked result = checkedText(joined({launch(1, 1), launch(3, 2), launch(5, 3), kernel("9", 1)}));
    QCOMPARE(result.codes(), std::string("launches_at_end"));
    QCOMPARE(result.completeness.notes[0].count, std::uint64_t{2});
    QCOMPARE(result.completeness.notes[0].severity, Severity::Info);
    QVERIFY(isComplete(result.loaded.trace->report(), result.completeness));
}

void TstCompleteness::launchDuringCapture_isNotAskedForAKernel() {
    const Checked result =
        checkedText(joined({launch(1, 1), call("cudaStreamBeginCapture", 2, 2), launch(4, 3), launch(6, 4),
                            call("cudaStreamEndCapture", 8, 5), call("cudaGraphLaunch", 10, 6), launch(12, 7),
                            kernel("3", 1), kernel("14", 6), kernel("20", 6)}));
    QCOMPARE(result.codes(), std::string("launches_at_end")); // 7 only
    QCOMPARE(result.completeness.notes[0].count, std::uint64_t{1});
}

void TstCompleteness::workBeforeTheFirstCall_wasQueuedBefore() {
    const Checked result =
        checkedText(joined({launch(1, 1000), kernel("0", 990), kernel("3", 991), kernel("9", 1000)}));
    QCOMPARE(result.codes(), std::string("work_queued_before"));
    QCOMPARE(result.completeness.notes[0].count, std::uint64_t{2});
    QCOMPARE(result.completeness.notes[0].severity, Severity::Info);
}

void TstCompleteness::workWithoutCallInTheMiddle_isAWarning() {
    const Checked result = checkedText(
        joined({launch(1, 10), launch(2, 12), kernel("5", 10), kernel("8", 11), kernel("12", 12)}));
    QCOMPARE(result.codes(), std::string("work_without_launch"));
    QCOMPARE(result.completeness.notes[0].severity, Severity::Warning);
}

void TstCompleteness::workWithoutAnyCall() {
    const Checked alone = checkedText(joined({kernel("5", 10), kernel("8", 11)}));
    QCOMPARE(alone.codes(), std::string("host_rows_missing"));
    QCOMPARE(alone.completeness.notes[0].count, std::uint64_t{2});
    const Checked withOperator = checkedText(joined(
        {q("{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':5,'tid':5,'ts':1,'dur':2}"), kernel("5", 10)}));
    QCOMPARE(withOperator.codes(), std::string("calls_missing"));
    QCOMPARE(withOperator.completeness.notes[0].message,
             std::string("CUDA calls are missing: 1 GPU operation has no launch."));
}

void TstCompleteness::workBeforeItsLaunch_data() {
    QTest::addColumn<QString>("start");
    QTest::addColumn<int>("severity");
    QTest::addColumn<QString>("worst");
    QTest::newRow("two microseconds") << QStringLiteral("8") << 1 << QStringLiteral("2.000 µs");
    QTest::newRow("rounding") << QStringLiteral("9.5") << 0 << QStringLiteral("500 ns");
}

void TstCompleteness::workBeforeItsLaunch() {
    QFETCH(QString, start);
    QFETCH(int, severity);
    QFETCH(QString, worst);
    const Checked result =
        checkedText(joined({launch(0, 1), launch(10, 2), kernel("2", 1), kernel(start.toStdString(), 2)}));
    QCOMPARE(result.codes(), std::string("work_before_launch"));
    const Issue& note = result.completeness.notes[0];
    QCOMPARE(static_cast<int>(note.severity), severity);
    QCOMPARE(
        QString::fromStdString(note.message),
        QStringLiteral("1 GPU operation starts before its launch call, at worst by %1: the clocks of host "
                       "and GPU disagree.")
            .arg(worst));
}

void TstCompleteness::c11_flagsThatAreOffSayHowToGetThem() {
    const Checked result = checkedText(joined({launch(1, 1), kernel("3", 1)}), q("'record_shapes': 1, "));
    QCOMPARE(result.held("shapes"), std::string("yes"));
    for (const char* key : {"stacks", "memory", "modules", "flops", "operators"})
        QCOMPARE(result.held(key), std::string("no"));
    QCOMPARE(result.held("device"), std::string("yes"));
    const auto howTo = [](const Checked& checked, std::string_view key) {
        for (const CaptureItem& item : checked.completeness.contents.items)
            if (item.key == key)
                return item.howTo;
        return std::string();
    };
    const std::string profile = "torch.profiler.profile(";
    QCOMPARE(howTo(result, "stacks"), profile + "with_stack=True)");
    QCOMPARE(howTo(result, "memory"), profile + "profile_memory=True)");
    // The profiler writes the flags that are on: another one that is on tells that shapes were off.
    const Checked noShapes = checkedText(joined({launch(1, 1), kernel("3", 1)}), q("'with_flops': 1, "));
    QCOMPARE(noShapes.held("shapes"), std::string("no"));
    QCOMPARE(howTo(noShapes, "shapes"), profile + "record_shapes=True)");
}

void TstCompleteness::flags_fromTheOperators() {
    const auto op = [](std::string_view args) {
        return q("{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':5,'tid':5,'ts':1,'dur':2,'args':{'"
                 "External "
                 "id':3") +
               q(args) + "}}";
    };
    const Checked without = checkedText(op(""));
    QCOMPARE(without.held("shapes"), std::string("no"));
    QCOMPARE(without.held("stacks"), std::string("no"));
    QCOMPARE(without.held("memory"), std::string("no"));
    QCOMPARE(without.held("flops"), std::string("unknown"));
    QCOMPARE(checkedText(op(",'Input Dims':[[1,2]]")).held("shapes"), std::string("yes"));
    // No operator and no flag: nothing tells whether shapes were asked for.
    QCOMPARE(checkedText(joined({launch(1, 1), kernel("3", 1)})).held("shapes"), std::string("unknown"));
}

void TstCompleteness::software_unknownStaysUnknown() {
    const std::string events = joined({launch(1, 1), kernel("3", 1)});
    const Checked none = checkedText(events);
    for (const char* name : {"CUDA runtime", "CUDA driver", "CUPTI", "GPU"})
        QCOMPARE(none.version(name), std::string("unknown"));
    const Checked told = checkedText(
        events, q("'cuda_runtime_version': 12040, 'cuda_driver_version': 13000, 'cupti_version': 22,"
                  "'deviceProperties': [{'id': 0, 'name': 'NVIDIA H200'}], "));
    QCOMPARE(told.version("CUDA runtime"), std::string("12.4"));
    QCOMPARE(told.version("CUDA driver"), std::string("13.0"));
    QCOMPARE(told.version("CUPTI"), std::string("22"));
    QCOMPARE(told.version("GPU"), std::string("NVIDIA H200"));
}

// Kineto writes device rows last: a file that is cut holds launches without them.
void TstCompleteness::cutFile_whatMayStandBehindTheCutIsUnknown() {
    const std::string host = q("{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':5,'tid':5,'ts':0,'dur':2}");
    const auto cut = [](const std::vector<std::string>& events) {
        return checked(loadText("{\"traceEvents\": [" + joined(events) + ",\n{\"ph\": \"X"));
    };
    const Checked hostOnly = cut({host, launch(1, 1), launch(3, 2)});
    QVERIFY(hostOnly.loaded.trace->report().isPartial());
    QCOMPARE(hostOnly.codes(), std::string("launches_unknown"));
    QCOMPARE(hostOnly.completeness.notes[0].count, std::uint64_t{2});
    QCOMPARE(hostOnly.completeness.notes[0].severity, Severity::Info);
    QCOMPARE(hostOnly.completeness.notes[0].message,
             std::string("2 launches have no device work in the part that could be read: it may be in the "
                         "part that is lost."));
    QCOMPARE(hostOnly.held("device"), std::string("unknown"));
    QCOMPARE(hostOnly.held("memory"), std::string("unknown"));
    QCOMPARE(hostOnly.held("stacks"), std::string("unknown"));
    QCOMPARE(hostOnly.held("cuda_calls"), std::string("yes"));
    QCOMPARE(hostOnly.held("operators"), std::string("yes"));
    for (const CaptureItem& item : hostOnly.completeness.contents.items)
        if (item.key == "device")
            QCOMPARE(item.howTo, std::string("the whole file"));
    QVERIFY(!isComplete(hostOnly.loaded.trace->report(), hostOnly.completeness));

    const Checked operatorsOnly = cut({host});
    QCOMPARE(operatorsOnly.codes(), std::string());
    QCOMPARE(operatorsOnly.held("cuda_calls"), std::string("unknown"));
    QCOMPARE(cut({kernel("5", 1)}).codes(), std::string("work_unknown"));
    QCOMPARE(cut({launch(1, 10), kernel("5", 10), kernel("8", 11)}).codes(), std::string("work_unknown"));
    // What a flag at the head of the file tells is known all the same.
    const Checked told = checked(loadText(q("{'record_shapes': 1, 'traceEvents': [") + host + ","));
    QVERIFY(told.loaded.trace->report().isPartial());
    QCOMPARE(told.held("stacks"), std::string("no"));
    QCOMPARE(told.held("device"), std::string("unknown"));
}

void TstCompleteness::export_failedLaunchesAndUnifiedCopies() {
    const std::string tid = std::to_string(globalTid(7, 7)), pid = std::to_string(globalTid(7, 0));
    SqliteFixture file(nsysSchema());
    file.run("INSERT INTO StringIds (id, value) VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'kern')");
    const auto api = [&](int start, int id, int result) {
        file.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, "
                 "nameId, returnValue) VALUES (" +
                 std::to_string(start) + ", " + std::to_string(start + 5) + ", 0, " + tid + ", " +
                 std::to_string(id) + ", 1, " + std::to_string(result) + ")");
    };
    api(100, 1, 0);
    api(110, 2, 700); // failed
    api(120, 3, 0);   // lost
    api(130, 4, 0);
    for (const int id : {1, 4})
        file.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
                 "correlationId, globalPid, demangledName, shortName) VALUES (" +
                 std::to_string(200 + 10 * id) + ", " + std::to_string(205 + 10 * id) + ", 0, 1, 7, " +
                 std::to_string(id) + ", " + pid + ", 2, 2)");
    file.run(
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, "
        "globalPid, bytes, copyKind) VALUES (300, 310, 0, 1, 0, 0, " +
        pid + ", 4096, 11)");
    const Checked result = checkedFile(file.file());
    QCOMPARE(result.codes(), std::string("launches_without_work"));
    const Issue& note = result.completeness.notes[0];
    QCOMPARE(note.count, std::uint64_t{1});
    QCOMPARE(note.first.table, std::string("CUPTI_ACTIVITY_KIND_RUNTIME"));
    QCOMPARE(note.first.row, std::int64_t{3});
}

void TstCompleteness::export_unknownTablesAreListed() {
    const std::string tid = std::to_string(globalTid(7, 7));
    SqliteFixture file(nsysSchema());
    file.run("CREATE TABLE NEWER_EVENTS (start INTEGER); INSERT INTO NEWER_EVENTS VALUES (1), (2)");
    file.run("INSERT INTO StringIds (id, value) VALUES (1, 'read');"
             "INSERT INTO OSRT_API (start, end, eventClass, globalTid, nameId) VALUES (10, 20, 27, " +
             tid + ", 1)");
    const Checked result = checkedFile(file.file());
    const Issue* note = result.loaded.trace->report().find("unknown_tables");
    QVERIFY(note != nullptr);
    QCOMPARE(note->severity, Severity::Info);
    QVERIFY(!remedyOf(*note).empty());
    QCOMPARE(result.completeness.contents.tablesNotShown, std::vector<std::string>{"NEWER_EVENTS"});
}

void TstCompleteness::export_captureOptions() {
    const Checked result = checkedFile(fixture("captured/nsys/stall.sqlite"));
    for (const char* key : {"cuda", "nvtx", "osrt", "memory", "graph_nodes"})
        QCOMPARE(result.held(key), std::string("yes"));
    for (const char* key : {"cublas", "gpu_metrics"})
        QCOMPARE(result.held(key), std::string("no"));
    QCOMPARE(result.version("Profiler"), std::string("Nsight Systems 2025.3.2.0"));
    QCOMPARE(result.version("Export schema"), std::string("3.20.3"));
}

// 20 launches were made while a graph was captured; they ran nothing, and every other launch has its kernel.
void TstCompleteness::realCapture_launchesOfAStreamCapture() {
    const Checked result = checkedFile(fixture("captured/nsys/stall.sqlite"));
    QVERIFY(result.find("launches_without_work") == nullptr);
    QVERIFY(result.find("launches_at_end") == nullptr);
    QVERIFY(result.find("work_without_launch") == nullptr);
}

void TstCompleteness::cancel_endsTheCheck() {
    const Result<LoadedTrace> loaded = loadText(objectForm(joined({launch(1, 1), kernel("3", 1)})));
    QVERIFY(loaded);
    JobControl job;
    job.requestCancel();
    const auto completeness = checkCompleteness(*loaded->trace, nullptr, job);
    QVERIFY(!completeness);
    QCOMPARE(completeness.error().code, Errc::Cancelled);
}

void TstCompleteness::remedies_everyNoteOfTheChecksButNormalOnes() {
    for (const char* code : {"device_activity_missing", "launches_without_work", "work_without_launch",
                             "host_rows_missing", "calls_missing", "work_before_launch"}) {
        Issue note;
        note.code = code;
        QVERIFY2(!remedyOf(note).empty(), code);
    }
    QVERIFY(remedyOf(Issue{}).empty());
}

LACUNA_TEST(TstCompleteness, "tst_completeness")

} // namespace tst_completeness

#include "tst_completeness.moc"
