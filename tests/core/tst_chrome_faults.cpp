// One function per row of the table of faults in chrome_json.md section 8, named after the row.

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/import/read_as.h"
#include "core/import/slice_details.h"
#include "core/trace/strip_query.h"
#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace tst_chrome_faults {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::shared_ptr<const Trace> load(std::string_view events, std::string_view members = {}) {
    return jsonTrace(objectForm(q(events), q(members)));
}

std::filesystem::path saved(const QTemporaryDir& folder, std::string_view events) {
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "trace.json";
    std::ofstream(file, std::ios::binary) << objectForm(q(events));
    return file;
}

std::string names(const Trace& trace) {
    std::string all;
    for (std::uint32_t i = 0; i < trace.events().size(); ++i)
        all.append(i == 0 ? "" : "|").append(trace.nameOf({i}));
    return all;
}

EventId rowOf(const Trace& trace, std::string_view name) {
    for (std::uint32_t i = 0; i < trace.events().size(); ++i)
        if (trace.nameOf({i}) == name)
            return {i};
    return {};
}

const Lane& laneOf(const Trace& trace, std::string_view name) {
    return trace.lane(trace.laneOf(rowOf(trace, name)));
}

std::string range(const Trace& trace, std::string_view name) {
    const EventId row = rowOf(trace, name);
    if (!row)
        return "none";
    return std::to_string(trace.events().beginNs[row.v]) + ".." + std::to_string(trace.events().endNs[row.v]);
}

std::uint64_t count(const Trace& trace, std::string_view code) {
    const Issue* issue = trace.report().find(code);
    return issue == nullptr ? 0 : issue->count;
}

std::string launchOf(const Trace& trace, std::string_view op) {
    const auto launch = trace.correlations().launchOf(trace.events(), rowOf(trace, op));
    return launch ? std::string(trace.nameOf(*launch)) : std::string("none");
}

std::string call(std::string_view name, std::string_view pid, int ts, int correlation) {
    return "{'ph':'X','cat':'cuda_runtime','name':'" + std::string(name) + "','pid':" + std::string(pid) +
           ",'tid':1,'ts':" + std::to_string(ts) +
           ",'dur':1,'args':{'correlation':" + std::to_string(correlation) + "}},";
}

std::string kernel(std::string_view name, int device, int ts, int correlation, int dur = 1) {
    return "{'ph':'X','cat':'kernel','name':'" + std::string(name) + "','pid':" + std::to_string(device) +
           ",'tid':7,'ts':" + std::to_string(ts) + ",'dur':" + std::to_string(dur) +
           ",'args':{'device':" + std::to_string(device) +
           ",'stream':7,'correlation':" + std::to_string(correlation) + "}},";
}

const std::string kZ = "{'ph':'X','name':'z','ts':9,'dur':1}";

} // namespace

class TstChromeFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fault08_01_backslashes() {
        const auto trace = load("{'ph':'X','name':'C:\\work\\_x.py(3): f','ts':1,'dur':1}," + kZ);
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("C:\\work\\_x.py(3): f|z"));
        QVERIFY(trace->report().issues().empty());
    }
    void fault08_02_quotesInNames() {
        const auto trace =
            load("{'ph':'X', 'cat':'python_function', 'name': 'a.py(1):\n f('x')', 'pid': 1, "
                 "'tid': 1,\n'ts': 1, 'dur': 1},\n{'ph':'X','name':'z','pid':1,'tid':1,'ts':9,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(range(*trace, "z"), std::string("8000..9000"));
        QCOMPARE(count(*trace, "damaged_event"), std::uint64_t{1});
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void fault08_03_controlAndGarbageBytes() {
        const auto trace = load("{'ph':'X','name':'a\x01\n\xFF','ts':1,'dur':1}," + kZ);
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("a\x01\n\xEF\xBF\xBD|z"));
    }
    void fault08_04_brokenUserMetadata() {
        const auto trace = jsonTrace(q("{\n'schemaVersion': 1,\n'note': 'a /'b/' c',\n'with_stack': 1,\n"
                                       "'traceEvents': [" +
                                       kZ + "]}"));
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("z"));
        QCOMPARE(count(*trace, "damaged_value"), std::uint64_t{1});
    }
    void fault08_05_bareWords() {
        const auto trace =
            load("{'ph':'X','cat':'gpu_memcpy','name':'Memcpy HtoD (Pageable -> Device)','pid':0,"
                 "'tid':7,'ts':1,'dur':1,'args':{'bytes':8,'memory bandwidth (GB/s)':N/A,'a':inf,"
                 "'b':nan,'c':-Infinity}},{'ph':'i','name':'x','ts':NaN}," +
                 kZ);
        QVERIFY(trace);
        QCOMPARE(trace->events().size(), std::size_t{2});
        QCOMPARE(trace->hotArgs().copies.rows().at(0).bytes, std::int64_t{8});
        QCOMPARE(count(*trace, "missing_time"), std::uint64_t{1});
    }
    void fault08_06_trailingComma() {
        const auto trace = load(kZ + ",");
        QVERIFY(trace);
        QCOMPARE(trace->report().rowsRead(), std::uint64_t{1});
        QVERIFY(trace->report().issues().empty());
    }
    void fault08_07_emptyEvent() {
        const auto trace = load(kZ + ",{}");
        QVERIFY(trace);
        QCOMPARE(trace->report().kept(EventKind::Metadata), std::uint64_t{1});
        QVERIFY(trace->report().issues().empty());
    }
    void fault08_08_truncatedOrEmpty() {
        const auto empty = loadText("");
        QVERIFY(!empty);
        QCOMPARE(empty.error().detail, std::string("The file is empty (0 bytes)."));
        const auto cut = loadText(q("{'traceEvents': [" + kZ + ", {'ph':'X','na"));
        QVERIFY(cut);
        QCOMPARE(names(*cut->trace), std::string("z"));
        QVERIFY(cut->trace->report().isPartial());
        QCOMPARE(count(*cut->trace, "truncated"), std::uint64_t{1});
        const auto other = loadText(q("{'a': 1}"));
        QVERIFY(!other);
        QCOMPARE(other.error().code, Errc::NotRecognised);
    }
    void fault08_09_tooBig() {
        std::string events;
        for (int i = 0; i < 20'000; ++i)
            events +=
                "{'ph':'X','name':'n','ts':" + std::to_string(i) + ",'dur':1,'args':{'a':'0123456789'}},\n";
        JobControl job;
        const auto loaded =
            loadTraceFromMemory(objectForm(q(events + "{}")), "t.json", builtinImporters(), job, 4097);
        QVERIFY(loaded);
        QCOMPARE(loaded->trace->events().size(), std::size_t{20'000});
        QVERIFY(job.maxBytesBetweenPolls() <= (1u << 20) && job.maxEventsBetweenPolls() <= 4096);
        QCOMPARE(SourceRef::offset(6'000'000'000).bits, std::uint64_t{6'000'000'000});
    }
    void fault08_10_nanosecondsOfAbsoluteTimes() {
        const auto trace = load("{'ph':'X','name':'a','ts':1712195495505123.457,'dur':0.002},"
                                "{'ph':'X','name':'b','ts':1712195495505123.459,'dur':0.001}");
        QVERIFY(trace);
        QCOMPARE(range(*trace, "a"), std::string("0..2"));
        QCOMPARE(range(*trace, "b"), std::string("2..3"));
        QCOMPARE(laneOf(*trace, "a").depth, 1u);
    }
    void fault08_11_displayTimeUnitIsNoUnit() {
        const auto trace = load(kernel("k", 0, 1, 1, 5), "'displayTimeUnit': 'ns'");
        QVERIFY(trace);
        QCOMPARE(range(*trace, "k"), std::string("0..5000"));
        QCOMPARE(count(*trace, "doubtful_time_unit"), std::uint64_t{0});
        const auto nanoseconds =
            load(kernel("a", 0, 0, 1, 2'000'000) + kernel("b", 0, 3'000'000, 2, 2'000'000) +
                 kernel("c", 0, 6'000'000, 3, 10));
        QVERIFY(nanoseconds);
        QCOMPARE(count(*nanoseconds, "doubtful_time_unit"), std::uint64_t{1});
        const auto days =
            load("{'ph':'X','name':'a','ts':0,'dur':1},{'ph':'X','name':'b','ts':90000000000,'dur':1}");
        QVERIFY(days);
        QCOMPARE(count(*days, "doubtful_time_unit"), std::uint64_t{1});
    }
    // On request every time of the file is nanoseconds, with arrows, counters and details.
    void fault08_11_readAsNanosecondsOnRequest() {
        const QTemporaryDir folder;
        const auto file =
            saved(folder, kernel("a", 0, 0, 1, 2'000'000) + kernel("b", 0, 3'000'000, 2, 2'000'000) +
                              "{'ph':'B','name':'s','pid':1,'tid':1,'ts':100.5,'args':{'x':1}},"
                              "{'ph':'E','pid':1,'tid':1,'ts':300,'args':{'y':2}},"
                              "{'ph':'C','name':'c','pid':1,'ts':7,'args':{'v':1}}");
        JobControl job;
        const auto loaded = loadTraceAs(file, {true, false}, job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        QCOMPARE(range(trace, "a"), std::string("0..2000000"));
        QCOMPARE(range(trace, "b"), std::string("3000000..5000000"));
        QCOMPARE(range(trace, "s"), std::string("100..300")); // half to even
        QCOMPARE(trace.counters()[0].timeNs[0], std::int64_t{7});
        QCOMPARE(count(trace, "doubtful_time_unit"), std::uint64_t{0});
        QCOMPARE(count(trace, "times_read_as_ns"), std::uint64_t{1});
        QVERIFY(readAsOf(trace.report()) == (ReadAs{true, false}));
        const EventId slice = rowOf(trace, "s");
        auto details = loaded->details->read({trace.events().source[slice.v]});
        QVERIFY(details);
        mergeSliceEnd(*details, trace.events().endNs[slice.v] + trace.fileZeroNs(), true);
        QVERIFY(std::count(details->fields.begin(), details->fields.end(),
                           std::pair<std::string, std::string>("args.y", "2")) == 1);
    }
    // Unix times in nanoseconds are no time at all in microseconds.
    void fault08_11_timesBeyondTheClockAreDoubtful() {
        const auto trace = load("{'ph':'X','name':'far','ts':1712195495505000000,'dur':5}," + kZ);
        QVERIFY(trace);
        QCOMPARE(count(*trace, "missing_time"), std::uint64_t{1});
        QCOMPARE(count(*trace, "doubtful_time_unit"), std::uint64_t{1});
    }
    void fault08_12_kernelsOverlapOnOneStream() {
        const auto trace = load(kernel("a", 0, 0, 1, 10) + kernel("b", 0, 8, 2, 10));
        QVERIFY(trace);
        QCOMPARE(range(*trace, "a"), std::string("0..10000"));
        QCOMPARE(range(*trace, "b"), std::string("8000..18000"));
        QCOMPARE(laneOf(*trace, "a").depth, 2u);
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void fault08_13_childOutlivesItsParent() {
        const auto trace = load("{'ph':'X','name':'parent','ts':0,'dur':10},{'ph':'X','name':'child','ts':5,"
                                "'dur':5.001},{'ph':'X','name':'next','ts':20,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(range(*trace, "child"), std::string("5000..10001"));
        QCOMPARE(laneOf(*trace, "child").depth, 2u);
        QVERIFY(trace->stripOf(rowOf(*trace, "child")) != trace->stripOf(rowOf(*trace, "parent")));
    }
    void fault08_14_pythonFrameThatLacksItsReturn() {
        const auto trace =
            load("{'ph':'X','cat':'python_function','name':'outer','pid':1,'tid':1,'ts':0,'dur':10},"
                 "{'ph':'X','cat':'python_function','name':'lost','pid':1,'tid':1,'ts':5,'dur':95},"
                 "{'ph':'X','cat':'python_function','name':'later','pid':1,'tid':1,'ts':20,'dur':5}");
        QVERIFY(trace);
        QCOMPARE(trace->report().kept(EventKind::Python), std::uint64_t{3});
        QCOMPARE(range(*trace, "lost"), std::string("5000..100000"));
        QVERIFY(trace->stripOf(rowOf(*trace, "later")) == trace->stripOf(rowOf(*trace, "outer")));
    }
    void fault08_15_kernelBeforeLaunch() {
        const auto trace = load(call("launch", "9", 100, 1) + kernel("k", 0, 90, 1));
        QVERIFY(trace);
        QCOMPARE(launchOf(*trace, "k"), std::string("launch"));
        QCOMPARE(range(*trace, "k"), std::string("0..1000"));
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void fault08_16_kernelWithoutTime() {
        const auto trace =
            load("{'ph':'X','cat':'kernel','name':'lost','pid':0,'tid':7,'ts':0.000,'dur':0.000}," +
                 kernel("k", 0, 50, 1));
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("k"));
        QCOMPARE(count(*trace, "zero_gpu_record"), std::uint64_t{1});
        QCOMPARE(trace->window().end.v, std::int64_t{1000});
    }
    void fault08_17_impossibleDurations() {
        const auto trace =
            load(kernel("endless", 0, 0, 1, 5'000) + kernel("b", 0, 10, 2) + kernel("c", 0, 20, 3));
        QVERIFY(trace);
        QCOMPARE(count(*trace, "overrunning_device_row"), std::uint64_t{1});
        QCOMPARE(range(*trace, "endless"), std::string("0..5000000"));
        const auto usual = load(kernel("a", 0, 0, 1, 1'010) + kernel("b", 0, 10, 2));
        QVERIFY(usual); // passes the next start by 1 ms exactly
        QCOMPARE(count(*usual, "overrunning_device_row"), std::uint64_t{0});
    }
    // On request they are no device work: the device is idle where only such a row covers it.
    void fault08_17_leftOutOnRequest() {
        const QTemporaryDir folder;
        const auto file = saved(folder, kernel("endless", 0, 0, 1, 5'000) + kernel("b", 0, 10, 2) +
                                            kernel("c", 0, 6'020, 3));
        JobControl job;
        for (const bool without : {false, true}) {
            const auto loaded = loadTraceAs(file, {false, without}, job);
            QVERIFY(loaded);
            const Trace& trace = *loaded->trace;
            QCOMPARE(count(trace, "overrunning_device_row"), std::uint64_t{1});
            QCOMPARE(count(trace, "overruns_left_out"), std::uint64_t{without});
            QCOMPARE(readAsOf(trace.report()).withoutOverruns, without);
            QCOMPARE(trace.events().size(), std::size_t{3}); // drawn all the same
            const DeviceBusy busy = deviceBusy(trace, DeviceId{0}, job);
            QCOMPARE(busy.ops, std::uint64_t(without ? 2 : 3));
            QCOMPARE(busy.busyNs, std::int64_t{without ? 2'000 : 5'001'000});
            const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
            QVERIFY(gaps);
            QCOMPARE((*gaps)->gaps().size(), std::size_t{1});
            QCOMPARE((*gaps)->gaps()[0].range.begin.v, std::int64_t{without ? 11'000 : 5'000'000});
            const GapTotals totals = (*gaps)->totals(DeviceId{0});
            QCOMPARE(totals.busyNs, busy.busyNs);
        }
    }
    void fault08_18_negativeDuration() {
        const auto trace = load("{'ph':'X','name':'x','ts':1,'dur':-3}," + kZ);
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("z")); // analysis.md section 1: rejected, not clamped
        QCOMPARE(count(*trace, "negative_duration"), std::uint64_t{1});
    }
    void fault08_19_flowsWithOneEnd() {
        const auto trace = load("{'ph':'f','bp':'e','cat':'c','name':'n','id':1,'pid':0,'tid':0,'ts':9},"
                                "{'ph':'s','cat':'c','name':'n','id':2,'pid':0,'tid':0,'ts':9}," +
                                kZ);
        QVERIFY(trace);
        for (const Issue& issue : trace->report().issues())
            QCOMPARE(issue.severity, Severity::Info);
        QCOMPARE(trace->report().kept(EventKind::Flow), std::uint64_t{2});
    }
    void fault08_20_oneLaunchManyKernels() {
        std::string events = call("cudaGraphLaunch", "9", 0, 1);
        for (int i = 0; i < 40; ++i)
            events += kernel("k", 0, 10 + 2 * i, 1);
        const auto trace = load(events);
        QVERIFY(trace);
        const EventId launch = rowOf(*trace, "cudaGraphLaunch");
        QCOMPARE(trace->correlations().deviceOps(trace->events().correlation[launch.v]).size(),
                 std::size_t{40});
    }
    void fault08_21_launchCallsThatNobodyKnows() {
        const auto trace =
            load("{'ph':'X','cat':'cuda_driver','name':'cuLaunchKernelEx','pid':9,'tid':1,'ts':0,"
                 "'dur':1,'args':{'correlation':1}},"
                 "{'ph':'X','cat':'privateuse1_runtime','name':'newLaunch','pid':9,'tid':1,'ts':2,"
                 "'dur':1,'args':{'correlation':2}}," +
                 kernel("a", 0, 5, 1) + kernel("b", 0, 7, 2));
        QVERIFY(trace);
        QCOMPARE(launchOf(*trace, "a"), std::string("cuLaunchKernelEx"));
        QCOMPARE(launchOf(*trace, "b"), std::string("newLaunch"));
    }
    void fault08_22_idsRepeatedOverRanks() {
        const auto marked =
            load(call("l0", "'[TP00] 83'", 0, 1) + call("l1", "'[TP01] 84'", 0, 1) +
                 "{'ph':'X','cat':'kernel','name':'k1','pid':'[TP01] 1','tid':7,'ts':5,'dur':1,"
                 "'args':{'device':1,'stream':7,'correlation':1}}," +
                 "{'ph':'X','cat':'kernel','name':'k0','pid':'[TP00] 0','tid':7,'ts':6,'dur':1,"
                 "'args':{'device':0,'stream':7,'correlation':1}}");
        QVERIFY(marked);
        QCOMPARE(launchOf(*marked, "k0"), std::string("l0"));
        QCOMPARE(launchOf(*marked, "k1"), std::string("l1"));
        // Plain pids: id 5 is of both, ids 1 and 2 tell which device belongs to which process.
        const auto plain = load(call("a", "83", 0, 1) + call("b", "84", 0, 2) + call("shared83", "83", 2, 5) +
                                call("shared84", "84", 2, 5) + kernel("ka", 0, 5, 1) + kernel("kb", 1, 5, 2) +
                                kernel("s0", 0, 8, 5) + kernel("s1", 1, 8, 5));
        QVERIFY(plain);
        QCOMPARE(launchOf(*plain, "ka"), std::string("a"));
        QCOMPARE(launchOf(*plain, "kb"), std::string("b"));
        QCOMPARE(launchOf(*plain, "s0"), std::string("shared83"));
        QCOMPARE(launchOf(*plain, "s1"), std::string("shared84"));
        QCOMPARE(count(*plain, "ambiguous_correlation"), std::uint64_t{0});
        // Nothing tells: no launch is claimed.
        const auto open = load(call("l83", "83", 0, 5) + call("l84", "84", 0, 5) + kernel("k", 0, 5, 5));
        QVERIFY(open);
        QCOMPARE(launchOf(*open, "k"), std::string("none"));
        QCOMPARE(count(*open, "ambiguous_correlation"), std::uint64_t{1});
    }
    void fault08_23_pidOfDeviceEqualsPidOfHost() {
        const auto trace = load(call("launch", "1", 0, 1) + kernel("k", 1, 5, 1));
        QVERIFY(trace);
        QVERIFY(trace->laneOf(rowOf(*trace, "launch")) != trace->laneOf(rowOf(*trace, "k")));
        QVERIFY(laneOf(*trace, "k").device && !laneOf(*trace, "launch").device);
    }
    void fault08_24_deviceWideSyncs() {
        const auto sync = [](std::string_view name, std::string_view tid, std::string_view stream) {
            return "{'ph':'X','cat':'cuda_sync','name':'" + std::string(name) +
                   "','pid':0,'tid':" + std::string(tid) +
                   ",'ts':5,'dur':1,'args':{'cuda_sync_kind':'Context Sync','device':0,'stream':" +
                   std::string(stream) + "}},";
        };
        const auto trace = load(sync("a", "-1", "-1") + sync("b", "4294967295", "4294967295") +
                                sync("c", "1", "4294967295") + kZ);
        QVERIFY(trace);
        for (const char* name : {"a", "b", "c"}) {
            QCOMPARE(laneOf(*trace, name).sourceId, std::int64_t{-1});
            QCOMPARE(int(laneOf(*trace, name).kind), int(LaneKind::GpuSync));
        }
    }
    void fault08_25_metadataRepeated() {
        std::string events;
        for (int i = 0; i < 1000; ++i)
            events +=
                "{'ph':'M','name':'process_name','pid':0,'args':{'name':'n" + std::to_string(i) + "'}},";
        const auto trace = load(events + kZ);
        QVERIFY(trace);
        QCOMPARE(trace->processes()[0].name, std::string("n999"));
        QCOMPARE(trace->report().kept(EventKind::Metadata), std::uint64_t{1000});
    }
    void fault08_26_externalIds() {
        const auto trace =
            load("{'ph':'X','cat':'cpu_op','name':'a','pid':9,'tid':1,'ts':0,'dur':9,'args':{'External "
                 "id':1}},{'ph':'X','cat':'cpu_op','name':'b','pid':9,'tid':1,'ts':1,'dur':5,'args':{"
                 "'External id':1}},{'ph':'X','cat':'cuda_runtime','name':'c','pid':9,'tid':1,'ts':2,"
                 "'dur':1,'args':{'External id':77,'external id':0,'correlation':3}}");
        QVERIFY(trace); // times decide, not these ids
        QCOMPARE(trace->report().rowsKept(), std::uint64_t{3});
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void fault08_27_integersBeyond63Bits() {
        auto loaded = loadText(objectForm(q("{'ph':'X','name':'a','ts':1,'dur':1,'args':{'Comms Id':"
                                            "18446744073709551615}}")));
        QVERIFY(loaded);
        const auto details = loaded->details->read({loaded->trace->events().source[0]});
        QVERIFY(details);
        QCOMPARE(details->fields.back().first, std::string("args.Comms Id"));
        QCOMPARE(details->fields.back().second, std::string("18446744073709551615"));
    }
    void fault08_28_invalidUtf8() {
        const auto trace = load("{'ph':'X','name':'a\xC3','ts':1,'dur':1}," + kZ);
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("a\xEF\xBF\xBD|z"));
    }
    void fault08_29_unmatchedBeginAndEnd() {
        const auto trace =
            load("{'ph':'E','ts':0},{'ph':'B','name':'a','ts':1,'args':{'x':1}},{'ph':'E','name':'b',"
                 "'ts':2,'args':{'x':2}},{'ph':'B','name':'c','ts':3}," +
                 kZ);
        QVERIFY(trace);
        QCOMPARE(range(*trace, "a"), std::string("0..1000"));
        QCOMPARE(range(*trace, "c"), std::string("2000..9000"));
        QCOMPARE(count(*trace, "end_without_begin"), std::uint64_t{1});
        QCOMPARE(count(*trace, "unfinished"), std::uint64_t{1});
    }
    void fault08_30_asyncOfOneId() {
        const auto trace =
            load("{'ph':'b','cat':'c','id':1,'name':'a','ts':0},{'ph':'e','cat':'c','id':1,'name':'a',"
                 "'ts':5},{'ph':'b','cat':'c','id':1,'name':'b','ts':5},{'ph':'e','cat':'c','id':1,"
                 "'name':'b','ts':8},{'ph':'X','name':'z','ts':0,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(range(*trace, "a"), std::string("0..5000"));
        QCOMPARE(range(*trace, "b"), std::string("5000..8000"));
        QCOMPARE(int(laneOf(*trace, "a").kind), int(LaneKind::Async));
    }
    void fault08_31_noDeviceRows() {
        const auto trace =
            load(call("launch", "9", 0, 1), "'ERROR': ['CUPTI_ERROR_INSUFFICIENT_PRIVILEGES']");
        QVERIFY(trace);
        QVERIFY(trace->devices().empty());
        const Issue* errors = trace->report().find("profiler_errors");
        QVERIFY(errors != nullptr && errors->severity == Severity::Warning);
        QVERIFY(errors->message.find("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES") != std::string::npos);
    }
    void fault08_32_rowCutAtTheWindowsEdge() {
        auto loaded =
            loadText(objectForm(q("{'ph':'X','cat':'user_annotation','name':'a','pid':1,'tid':1,'ts':1,"
                                  "'dur':1,'args':{'finished':false}}")));
        QVERIFY(loaded);
        QCOMPARE(range(*loaded->trace, "a"), std::string("0..1000"));
        const auto details = loaded->details->read({loaded->trace->events().source[0]});
        QVERIFY(details);
        QCOMPARE(details->fields.back().first, std::string("args.finished"));
        QCOMPARE(details->fields.back().second, std::string("false"));
    }
    void fault08_33_pythonRowsOfPidZero() {
        const auto trace =
            load("{'ph':'X','cat':'python_function','name':'f','pid':0,'tid':5,'ts':0,'dur':9},"
                 "{'ph':'X','cat':'cpu_op','name':'op','pid':483,'tid':5,'ts':2,'dur':1}");
        QVERIFY(trace);
        QVERIFY(laneOf(*trace, "f").thread == laneOf(*trace, "op").thread);
        QCOMPARE(trace->processes()[laneOf(*trace, "f").process.v].idText, std::string("483"));
    }
    void fault08_34_orderOfTheFile() {
        const auto trace =
            load(kernel("late", 0, 20, 2) + kernel("early", 0, 10, 1) +
                 "{'ph':'M','name':'thread_name','pid':0,'tid':7,'args':{'name':'stream 7 '}}");
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("early|late"));
        QVERIFY(trace->strings().view(laneOf(*trace, "late").title) == "stream 7");
    }
    void fault08_35_twoRunsInOneProcess() {
        const auto trace =
            load("{'ph':'X','cat':'Trace','name':'PyTorch Profiler (0)','pid':'Spans','tid':'PyTorch "
                 "Profiler','ts':100,'dur':50}," +
                 kernel("older", 0, 10, 1) + kernel("own", 0, 120, 2));
        QVERIFY(trace); // both are kept; the span says which part belongs to this run
        QCOMPARE(range(*trace, "PyTorch Profiler (0)"), std::string("90000..140000"));
        QCOMPARE(range(*trace, "older"), std::string("0..1000"));
        QCOMPARE(range(*trace, "own"), std::string("110000..111000"));
    }
    void fault08_36_sortIndexes() {
        const auto sort = [](int pid, std::string_view index) {
            return "{'ph':'M','name':'process_sort_index','pid':" + std::to_string(pid) +
                   ",'args':{'sort_index':" + std::string(index) +
                   "}},{'ph':'X','name':'x','pid':" + std::to_string(pid) + ",'tid':1,'ts':1,'dur':1},";
        };
        const auto trace =
            load(sort(1, "'-5'") + sort(2, "5000000") + sort(3, "99999999999999999999") + sort(4, "-5"));
        QVERIFY(trace);
        QCOMPARE(trace->processes()[0].sortIndex, std::int64_t{-5});
        QCOMPARE(trace->processes()[1].sortIndex, std::int64_t{5000000});
        QCOMPARE(trace->processes()[2].sortIndex, std::int64_t{0}); // no number of 64 bits
        QCOMPARE(trace->processes()[3].sortIndex, std::int64_t{-5});
    }
};
LACUNA_TEST(TstChromeFaults, "tst_chrome_faults")

} // namespace tst_chrome_faults

#include "tst_chrome_faults.moc"
