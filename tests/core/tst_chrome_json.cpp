// What the importer makes of each phase and category of chrome_json.md sections 2 to 4.

#include "core/trace/strip_query.h"
#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <memory>
#include <string>
#include <string_view>

namespace tst_chrome_json {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::shared_ptr<const Trace> load(std::string_view events, std::string_view members = {}) {
    return jsonTrace(objectForm(q(events), q(members)));
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

std::uint64_t dropped(const Trace& trace, std::string_view code) {
    const Issue* issue = trace.report().find(code);
    return issue != nullptr && issue->dropsRows ? issue->count : 0;
}

std::string counterText(const CounterTrack& track) {
    std::string text = track.name + ":";
    for (std::size_t i = 0; i < track.timeNs.size(); ++i)
        text +=
            " " + std::to_string(track.timeNs[i]) + "=" + std::to_string(static_cast<long>(track.value[i]));
    return text;
}

} // namespace

class TstChromeJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // chrome_json.md 2.5: what else may stand in the root object.
    void partsOutsideTheEvents_areTold() {
        const auto trace = jsonTrace(objectForm(
            q("{'ph':'X','name':'a','ts':1,'dur':1}"),
            q("'samples':[{'cpu':0,'tid':1,'ts':1,'name':'cycles','sf':3,'weight':1}],"
              "'systemTraceEvents':'# tracer: nop','powerTraceAsString':'','traceAnnotations':[1],")));
        QVERIFY(trace);
        QCOMPARE(trace->report().issues().size(), std::size_t{2});
        QVERIFY(trace->report().find("samples_not_shown") != nullptr);
        QCOMPARE(trace->report().find("ftrace_not_shown")->severity, Severity::Info);
    }
    void categories_data() {
        QTest::addColumn<QByteArray>("cat");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("lane");
        const auto row = [](const char* cat, EventKind kind, LaneKind lane) {
            QTest::newRow(cat) << QByteArray(cat) << int(kind) << int(lane);
        };
        row("cpu_op", EventKind::CpuOp, LaneKind::CpuThread);
        row("Operator", EventKind::CpuOp, LaneKind::CpuThread);
        row("user_annotation", EventKind::Range, LaneKind::Range);
        row("gpu_user_annotation", EventKind::GpuRange, LaneKind::GpuRange);
        row("gpu_user_Annotation", EventKind::GpuRange, LaneKind::GpuRange);
        row("User", EventKind::GpuRange, LaneKind::GpuRange);
        row("kernel", EventKind::Kernel, LaneKind::GpuStream);
        row("Kernel", EventKind::Kernel, LaneKind::GpuStream);
        row("gpu_memcpy", EventKind::Memcpy, LaneKind::GpuStream);
        row("Memcpy", EventKind::Memcpy, LaneKind::GpuStream);
        row("gpu_memset", EventKind::Memset, LaneKind::GpuStream);
        row("Memset", EventKind::Memset, LaneKind::GpuStream);
        row("cuda_runtime", EventKind::RuntimeApi, LaneKind::CudaApi);
        row("Runtime", EventKind::RuntimeApi, LaneKind::CudaApi);
        row("xpu_runtime", EventKind::RuntimeApi, LaneKind::CudaApi);
        row("privateuse1_runtime", EventKind::RuntimeApi, LaneKind::CudaApi);
        row("cuda_driver", EventKind::DriverApi, LaneKind::CudaApi);
        row("xpu_driver", EventKind::DriverApi, LaneKind::CudaApi);
        row("cuda_sync", EventKind::Sync, LaneKind::GpuSync);
        row("cuda_event", EventKind::Sync, LaneKind::GpuSync);
        row("python_function", EventKind::Python, LaneKind::Python);
        row("overhead", EventKind::Overhead, LaneKind::Overhead);
        row("Trace", EventKind::Other, LaneKind::CpuThread);
        row("hpu_op", EventKind::Other, LaneKind::CpuThread);
        row("anything", EventKind::Other, LaneKind::CpuThread);
    }
    void categories() {
        QFETCH(QByteArray, cat);
        QFETCH(int, kind);
        QFETCH(int, lane);
        const auto trace =
            load("{'ph':'X','cat':'" + cat.toStdString() + "','name':'n','pid':3,'tid':4,'ts':1,'dur':2}");
        QVERIFY(trace);
        QCOMPARE(int(trace->events().kind[0]), kind);
        QCOMPARE(int(laneOf(*trace, "n").kind), lane);
        QCOMPARE(trace->report().kept(EventKind(kind)), std::uint64_t{1});
        QCOMPARE(bool(laneOf(*trace, "n").device), lane == int(LaneKind::GpuStream) ||
                                                       lane == int(LaneKind::GpuRange) ||
                                                       lane == int(LaneKind::GpuSync));
    }

    void deviceRows_useArguments_elsePidAndTid() {
        const auto trace =
            load("{'ph':'X','cat':'kernel','name':'a','pid':0,'tid':7,'ts':10,'dur':2,"
                 "'args':{'device':1,'stream':20,'correlation':5}},"
                 "{'ph':'X','cat':'kernel','name':'b','pid':2,'tid':'stream 9','ts':10,'dur':2},"
                 "{'ph':'X','cat':'kernel','name':'c','pid':'1','tid':'3','ts':10,'dur':2,"
                 "'args':{'device':'2','stream':'9'}}");
        QVERIFY(trace);
        const auto place = [&](std::string_view name) {
            const Lane& lane = laneOf(*trace, name);
            return std::pair(trace->devices()[lane.device.v].ordinal, lane.sourceId);
        };
        QVERIFY(place("a") == std::pair(std::int64_t{1}, std::int64_t{20}));
        QVERIFY(place("b") == std::pair(std::int64_t{2}, std::int64_t{9}));
        QVERIFY(place("c") == place("b"));
        QVERIFY(trace->laneOf(rowOf(*trace, "b")) == trace->laneOf(rowOf(*trace, "c")));
        QCOMPARE(trace->devices().size(), std::size_t{2});
    }
    void equalPids_ofHostAndDevice_areDifferentLanes() {
        const auto trace = load("{'ph':'X','cat':'cpu_op','name':'host','pid':1,'tid':7,'ts':1,'dur':9},"
                                "{'ph':'X','cat':'kernel','name':'device','pid':1,'tid':7,'ts':1,'dur':9}");
        QVERIFY(trace);
        QVERIFY(trace->laneOf(rowOf(*trace, "host")) != trace->laneOf(rowOf(*trace, "device")));
        QCOMPARE(trace->processes().size(), std::size_t{1});
    }
    void textAndNumberIds_areTheSameThread() {
        const auto trace = load("{'ph':'X','name':'a','pid':'25738','tid':'1','ts':1,'dur':1},"
                                "{'ph':'X','name':'b','pid':25738,'tid':1,'ts':3,'dur':1},"
                                "{'ph':'X','name':'c','pid':25738.0,'tid':'1','ts':5,'dur':1},"
                                "{'ph':'X','name':'no pid','tid':1,'ts':5,'dur':1},"
                                "{'ph':'X','name':'no tid','pid':25738,'ts':5,'dur':1},"
                                "{'ph':'X','name':'null','pid':null,'tid':1,'ts':7,'dur':1}");
        QVERIFY(trace);
        QVERIFY(trace->laneOf(rowOf(*trace, "a")) == trace->laneOf(rowOf(*trace, "b")));
        QVERIFY(trace->laneOf(rowOf(*trace, "a")) == trace->laneOf(rowOf(*trace, "c")));
        QCOMPARE(trace->threads()[laneOf(*trace, "no tid").thread.v].idText, std::string("25738"));
        QCOMPARE(trace->processes()[laneOf(*trace, "no pid").process.v].idText, std::string("0"));
        QVERIFY(trace->laneOf(rowOf(*trace, "no pid")) == trace->laneOf(rowOf(*trace, "null")));
    }
    void pythonRowsOfPidZero_belongToTheMainProcess() {
        for (const bool pythonFirst : {false, true}) {
            const std::string python =
                "{'ph':'X','cat':'python_function','name':'f','pid':0,'tid':5,'ts':1,'dur':9}";
            const std::string op = "{'ph':'X','cat':'cpu_op','name':'op','pid':483,'tid':5,'ts':2,'dur':1}";
            const auto trace = load(pythonFirst ? python + "," + op : op + "," + python);
            QVERIFY(trace);
            QCOMPARE(trace->processes().size(), std::size_t{1});
            QCOMPARE(trace->processes()[0].idText, std::string("483"));
            QVERIFY(laneOf(*trace, "f").thread == laneOf(*trace, "op").thread);
            QVERIFY(trace->facts().pythonRecorded);
        }
    }

    void steps_haveALaneOfTheirOwn() {
        const auto trace = load(
            "{'ph':'X','cat':'user_annotation','name':'ProfilerStep#12','pid':1,'tid':1,'ts':1,'dur':9},"
            "{'ph':'X','cat':'user_annotation','name':'ProfilerStep #13','pid':1,'tid':1,'ts':11,'dur':9},"
            "{'ph':'X','cat':'user_annotation','name':'Iteration Start: PyTorch "
            "Profiler','pid':1,'tid':1,'ts':1,'dur':1},"
            "{'ph':'X','cat':'gpu_user_annotation','name':'ProfilerStep#12','pid':0,'tid':7,'ts':1,'dur':9}");
        QVERIFY(trace);
        int steps = 0;
        for (const Lane& lane : trace->lanes())
            if (lane.kind == LaneKind::Steps) {
                steps += static_cast<int>(trace->strip(lane.firstStrip).size());
                QVERIFY(lane.thread);
            }
        QCOMPARE(steps, 2);
        QCOMPARE(int(laneOf(*trace, "Iteration Start: PyTorch Profiler").kind), int(LaneKind::Range));
    }

    void timeZero_isTheFirstStartWithADuration_andBaseIsItsUnixTime() {
        const auto relative = load("{'ph':'i','name':'mark','ts':1,'s':'g'},{'ph':'X','cat':'Trace','name':'"
                                   "run','pid':'Spans','tid':'P','ts':5.5,'dur':10},"
                                   "{'ph':'X','name':'a','ts':7.25,'dur':1.5}",
                                   "'baseTimeNanoseconds': 1000000000000000000");
        QVERIFY(relative);
        QCOMPARE(range(*relative, "a"), std::string("1750..3250"));
        QCOMPARE(range(*relative, "mark"), std::string("-4500..-4500"));
        QCOMPARE(relative->window().end.v, std::int64_t{10000});
        QCOMPARE(relative->facts().baseNs.value_or(0), std::int64_t{1000000000000005500});
        const auto absolute = load("{'ph':'X','name':'a','ts':1712195495508068.317,'dur':0.003}");
        QVERIFY(absolute);
        QCOMPARE(absolute->facts().baseNs.value_or(0), std::int64_t{1712195495508068317});
        QCOMPARE(range(*absolute, "a"), std::string("0..3"));
        const auto unknown = load("{'ph':'X','name':'a','ts':17,'dur':1}");
        QVERIFY(unknown);
        QVERIFY(!unknown->facts().baseNs);
        const auto after = jsonTrace(
            q("{'traceEvents':[{'ph':'X','name':'a','ts':17,'dur':1}],'baseTimeNanoseconds':5000}"));
        QVERIFY(after);
        QCOMPARE(after->facts().baseNs.value_or(0), std::int64_t{22000});
    }

    void unusableRows_areDroppedWithReasonAndPlace_data() {
        QTest::addColumn<QByteArray>("event");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* code, const char* event) {
            QTest::addRow("%s %s", code, event) << QByteArray(event) << QByteArray(code);
        };
        row("missing_time", "{'ph':'X','name':'x','dur':1}");
        row("missing_time", "{'ph':'X','name':'x','ts':NaN,'dur':1}");
        row("missing_time", "{'ph':'X','name':'x','ts':1e40,'dur':1}");
        row("missing_time", "{'ph':'i','name':'x'}");
        row("missing_time", "{'ph':'C','name':'x','args':{'a':1}}");
        row("missing_duration", "{'ph':'X','cat':'kernel','name':'x','ts':1}");
        row("missing_duration", "{'ph':'X','cat':'kernel','name':'x','ts':1,'dur':inf}");
        row("negative_duration", "{'ph':'X','name':'x','ts':1,'dur':-0.001}");
        row("implausible_duration", "{'ph':'X','name':'x','ts':1,'dur':604800000000.001}");
        row("zero_gpu_record", "{'ph':'X','cat':'kernel','name':'x','ts':0,'dur':0}");
        row("zero_gpu_record", "{'ph':'X','cat':'cuda_event','name':'x','ts':0.000,'dur':0.001}");
        row("missing_phase", "{'name':'x','ts':1,'dur':1}");
        row("missing_time", "{'ph':'N','name':'x','id':'0x1'}");
        row("memory_dump_not_shown", "{'ph':'v','name':'x','ts':1,'id':'0x1'}");
        row("clock_sync_not_used", "{'ph':'c','name':'x','ts':1,'args':{'sync_id':'a','issue_ts':1}}");
        row("context_not_shown", "{'ph':'(','name':'x','ts':1}");
        row("unknown_phase", "{'ph':'Q','name':'x','ts':1}");
        row("counter_without_value", "{'ph':'C','name':'x','ts':1,'args':{'a':'idle'}}");
        row("end_without_begin", "{'ph':'E','ts':1}");
        row("end_without_begin", "{'ph':'e','ts':1,'id':4,'cat':'c'}");
        row("not_an_event", "17");
    }
    void unusableRows_areDroppedWithReasonAndPlace() {
        QFETCH(QByteArray, event);
        QFETCH(QByteArray, code);
        const std::string first = q("{'ph':'X','name':'ok','ts':5,'dur':604800000000},\n");
        const std::string text = objectForm(first + q(event.toStdString()));
        const auto trace = jsonTrace(text);
        QVERIFY(trace);
        QCOMPARE(dropped(*trace, code.toStdString()), std::uint64_t{1});
        QCOMPARE(trace->report().rowsRead(), std::uint64_t{2});
        QCOMPARE(trace->report().rowsKept(), std::uint64_t{1});
        QCOMPARE(trace->report().find(code.toStdString())->first.offset.value_or(0),
                 std::uint64_t{text.find(first) + first.size()});
        QVERIFY(!trace->report().isPartial());
    }

    void emptyElements_andFlows_areKeptAndCounted() {
        const auto trace = load("{},{'ph':'X','cat':'cpu_op','name':'a','ts':1,'dur':1},{'ph':'s','cat':'"
                                "ac2g','name':'ac2g','id':1,'ts':1},"
                                "{'ph':'t','id':1,'ts':1},{'ph':'f','id':1,'ts':1,'bp':'e'},{'ph':'M','name':"
                                "'process_name','args':{'name':'p'}},{}");
        QVERIFY(trace);
        QCOMPARE(trace->report().kept(EventKind::Flow), std::uint64_t{3});
        QCOMPARE(trace->report().kept(EventKind::Metadata), std::uint64_t{3});
        QCOMPARE(trace->report().rowsRead(), std::uint64_t{7});
        QCOMPARE(trace->facts().writer, std::string("PyTorch >= 2.0 (Kineto)"));
    }

    void slices_arePairedInOrderOfTime_data() {
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        const auto row = [](const char* name, const char* events, const char* a, const char* b) {
            QTest::newRow(name) << QByteArray(events) << QByteArray(a) << QByteArray(b);
        };
        row("nested",
            "{'ph':'B','name':'a','ts':0},{'ph':'B','name':'b','ts':1},{'ph':'E','ts':2},{'ph':'E','ts':3}",
            "0..3000", "1000..2000");
        row("file out of order",
            "{'ph':'E','ts':3},{'ph':'B','name':'b','ts':1},{'ph':'B','name':'a','ts':0},{'ph':'E','ts':2}",
            "0..3000", "1000..2000");
        row("end names the earlier slice",
            "{'ph':'B','name':'a','ts':0},{'ph':'B','name':'b','ts':2},{'ph':'E','name':'a','ts':2},{'ph':'E'"
            ",'name':'b','ts':3}",
            "0..2000", "2000..3000");
        row("zero length",
            "{'ph':'B','name':'a','ts':0},{'ph':'B','name':'b','ts':2},{'ph':'E','name':'b','ts':2},{'ph':'E'"
            ",'name':'a','ts':3}",
            "0..3000", "2000..2000");
        row("names do not match",
            "{'ph':'B','name':'a','ts':0},{'ph':'E','name':'x','ts':2},{'ph':'B','name':'b','ts':3},{'ph':'E'"
            ",'name':'y','ts':4}",
            "0..2000", "3000..4000");
        row("begin without end", "{'ph':'B','name':'a','ts':0},{'ph':'X','name':'b','ts':1,'dur':9}",
            "0..10000", "1000..10000");
        row("end without begin",
            "{'ph':'B','name':'a','ts':0},{'ph':'E','ts':1},{'ph':'E','ts':2},{'ph':'X','name':'b','ts':1,'"
            "dur':9}",
            "0..1000", "1000..10000");
        row("other thread",
            "{'ph':'B','name':'a','ts':0,'tid':1},{'ph':'B','name':'b','ts':1,'tid':2},{'ph':'E','ts':2,'tid'"
            ":1},{'ph':'E','ts':3,'tid':2}",
            "0..2000", "1000..3000");
        row("async by id",
            "{'ph':'b','cat':'c','id':1,'name':'a','ts':0},{'ph':'b','cat':'c','id':2,'name':'b','ts':1},{'"
            "ph':'e','cat':'c','id':1,'ts':2},{'ph':'e','cat':'c','id':2,'ts':3},{'ph':'X','name':'zero','ts'"
            ":0,'dur':1}",
            "0..2000", "1000..3000");
        row("async by local id",
            "{'ph':'b','cat':'c','id2':{'local':'0x1'},'pid':1,'name':'a','ts':0},{'ph':'b','cat':'c','id2':{"
            "'local':'0x1'},'pid':2,'name':'b','ts':1},{'ph':'e','cat':'c','id2':{'local':'0x1'},'pid':1,'ts'"
            ":2},{'ph':'e','cat':'c','id2':{'local':'0x1'},'pid':2,'ts':3},{'ph':'X','name':'zero','ts':0,'"
            "dur':1}",
            "0..2000", "1000..3000");
        row("legacy async by name",
            "{'ph':'S','cat':'c','id':1,'name':'a','ts':0},{'ph':'S','cat':'c','id':1,'name':'b','ts':1},{'"
            "ph':'F','cat':'c','id':1,'name':'a','ts':2},{'ph':'F','cat':'c','id':1,'name':'b','ts':3},{'ph':"
            "'X','name':'zero','ts':0,'dur':1}",
            "0..2000", "1000..3000");
    }
    void slices_arePairedInOrderOfTime() {
        QFETCH(QByteArray, events);
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        const auto trace = load(events.toStdString());
        QVERIFY(trace);
        QCOMPARE(QByteArray::fromStdString(range(*trace, "a")), a);
        QCOMPARE(QByteArray::fromStdString(range(*trace, "b")), b);
        QCOMPARE(trace->report().rowsRead(), std::uint64_t(events.count("'ph'")));
    }
    void unfinishedSlice_isNoted() {
        const auto trace = load("{'ph':'B','name':'a','ts':0},{'ph':'X','name':'b','ts':1,'dur':9}");
        QVERIFY(trace);
        const Issue* issue = trace->report().find("unfinished");
        QVERIFY(issue != nullptr && issue->count == 1 && !issue->dropsRows);
    }

    void instants_areMarksOfTheirScope() {
        const auto trace = load(
            "{'ph':'i','name':'thread','pid':1,'tid':2,'ts':1},{'ph':'I','name':'process','s':'p','pid':1,'"
            "tid':2,'ts':2},"
            "{'ph':'R','name':'global','s':'g','pid':1,'tid':2,'ts':3},{'ph':'X','name':'x','ts':0,'dur':1}");
        QVERIFY(trace);
        for (const char* name : {"thread", "process", "global"})
            QCOMPARE(int(laneOf(*trace, name).kind), int(LaneKind::Marks));
        QVERIFY(laneOf(*trace, "thread").thread);
        QVERIFY(!laneOf(*trace, "process").thread);
        QCOMPARE(trace->report().kept(EventKind::Instant), std::uint64_t{3});
    }

    void counters_areTracksPerSeries() {
        const auto trace = load("{'ph':'C','name':'ctr','pid':1,'ts':3,'args':{'cats':2,'dogs':'7'}},"
                                "{'ph':'C','name':'ctr','pid':1,'ts':1,'args':{'cats':1,'x':null}},"
                                "{'ph':'C','name':'hw','pid':1,'ts':2,'args':{'':5}},{'ph':'C','name':'ctr','"
                                "id':'0x4','pid':1,'ts':2,'args':{'cats':9}},"
                                "{'ph':'X','name':'x','ts':0,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(trace->counters().size(), std::size_t{4});
        QCOMPARE(counterText(trace->counters()[0]), std::string("ctr: cats: 1000=1 3000=2"));
        QCOMPARE(counterText(trace->counters()[1]), std::string("ctr: dogs: 3000=7"));
        QCOMPARE(counterText(trace->counters()[2]), std::string("hw: 2000=5"));
        QCOMPARE(counterText(trace->counters()[3]), std::string("ctr 0x4: cats: 2000=9"));
        QCOMPARE(trace->report().kept(EventKind::Counter), std::uint64_t{4});
    }
    void memoryMarks_areInstantsAndSamples() {
        const auto trace =
            load("{'ph':'i','cat':'cpu_instant_event','s':'t','name':'[memory]','pid':1,'tid':1,'ts':2,'args'"
                 ":{'Device Type':1,'Device Id':0,'Bytes':512,'Total Allocated':1024,'Total Reserved':4096}},"
                 "{'ph':'i','cat':'cpu_instant_event','s':'t','name':'[memory]','pid':1,'tid':1,'ts':1,'args'"
                 ":{'Device Type':1,'Device Id':0,'Bytes':512,'Total Allocated':512,'Total Reserved':4096}},"
                 "{'ph':'i','cat':'cpu_instant_event','s':'t','name':'[memory]','pid':1,'tid':1,'ts':3,'args'"
                 ":{'Device Type':0,'Device Id':-1,'Bytes':64}},"
                 "{'ph':'i','cat':'cpu_instant_event','s':'t','name':'[memory]','pid':1,'tid':1,'ts':4,'args'"
                 ":{'Device Type':0,'Device Id':-1,'Bytes':-24}},"
                 "{'ph':'X','name':'x','ts':0,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(trace->report().kept(EventKind::Instant), std::uint64_t{4});
        QCOMPARE(trace->report().kept(EventKind::Counter), std::uint64_t{0});
        QCOMPARE(trace->counters().size(), std::size_t{3});
        QCOMPARE(counterText(trace->counters()[0]),
                 std::string("GPU 0 memory allocated: 1000=512 2000=1024"));
        QCOMPARE(counterText(trace->counters()[1]),
                 std::string("GPU 0 memory reserved: 1000=4096 2000=4096"));
        QCOMPARE(counterText(trace->counters()[2]),
                 std::string("CPU memory change since start: 3000=64 4000=40"));
    }

    void memoryTotals_ofZero_areSamplesOnceReported() {
        const auto mark = [](int us, int bytes, int allocated) {
            return "{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':" + std::to_string(us) +
                   ",'args':{'Device Type':1,'Device Id':0,'Bytes':" + std::to_string(bytes) +
                   ",'Total Allocated':" + std::to_string(allocated) + ",'Total Reserved':0}},";
        };
        const std::string row = "{'ph':'X','cat':'kernel','name':'x','pid':0,'tid':7,'ts':0,'dur':1}";
        const auto reported = load(mark(1, 8, 8) + mark(2, -8, 0) + row);
        QVERIFY(reported);
        QCOMPARE(reported->counters().size(), std::size_t{1});
        QCOMPARE(counterText(reported->counters()[0]), std::string("GPU 0 memory allocated: 1000=8 2000=0"));
        QVERIFY(reported->counters()[0].device == DeviceId{0});
        const auto never = load(mark(1, 8, 0) + mark(2, -3, 0) + row);
        QVERIFY(never);
        QCOMPARE(counterText(never->counters()[0]),
                 std::string("GPU 0 memory change since start: 1000=8 2000=5"));
    }
    void memoryMarks_makeNoDevice() {
        const auto trace =
            load("{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':1,'args':{'Device Type':1,"
                 "'Device Id':0,'Bytes':8,'Total Allocated':8}},{'ph':'X','name':'x','ts':0,'dur':1}");
        QVERIFY(trace);
        QCOMPARE(trace->counters().size(), std::size_t{1});
        QVERIFY(trace->devices().empty());
    }

    void metadata_namesWhatHasRows_lastWins() {
        const auto trace = load("{'ph':'M','name':'thread_name','pid':483,'tid':509,'args':{'name':'old'}},"
                                "{'ph':'X','cat':'cpu_op','name':'op','pid':483,'tid':509,'ts':1,'dur':1},"
                                "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':1,'dur':1,'args':{'"
                                "device':0,'stream':7}},"
                                "{'ph':'M','name':'process_name','pid':'483','args':{'name':'python3'}},"
                                "{'ph':'M','name':'process_sort_index','pid':483,'args':{'sort_index':'-5'}},"
                                "{'ph':'M','name':'thread_name','pid':483,'tid':509,'args':{'name':'thread "
                                "509 (pt_autograd_0)'}},"
                                "{'ph':'M','name':'thread_name','pid':0,'tid':7,'args':{'name':'stream 7 '}},"
                                "{'ph':'M','name':'thread_name','pid':3,'tid':7,'args':{'name':'stream 7 '}},"
                                "{'ph':'M','name':'process_name','pid':3,'args':{'name':'python3'}}",
                                "'deviceProperties': [{'id':0,'name':'NVIDIA H200'}]");
        QVERIFY(trace);
        QCOMPARE(trace->processes().size(), std::size_t{1});
        QCOMPARE(trace->processes()[0].name, std::string("python3"));
        QCOMPARE(trace->processes()[0].sortIndex, std::int64_t{-5});
        QCOMPARE(trace->threads().size(), std::size_t{1});
        QCOMPARE(trace->threads()[0].name, std::string("pt_autograd_0"));
        QCOMPARE(trace->devices().size(), std::size_t{1});
        QCOMPARE(trace->devices()[0].name, std::string("NVIDIA H200"));
        QVERIFY(trace->strings().view(laneOf(*trace, "k").title) == "stream 7");
    }

    void correlation_joinsCallAndDeviceWork() {
        const auto trace = load("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':9,'dur':1,'args':{'"
                                "correlation':4000000000}},"
                                "{'ph':'X','cat':'cuda_runtime','name':'launch','pid':1,'tid':1,'ts':1,'dur':"
                                "1,'args':{'cbid':2,'correlation':4000000000}},"
                                "{'ph':'X','cat':'kernel','name':'orphan','pid':0,'tid':7,'ts':19,'dur':1,'"
                                "args':{'correlation':0}}");
        QVERIFY(trace);
        const auto& index = trace->correlations();
        QVERIFY(index.launchOf(trace->events(), rowOf(*trace, "k")) == rowOf(*trace, "launch"));
        QVERIFY(!index.launchOf(trace->events(), rowOf(*trace, "orphan")));
        QCOMPARE(trace->devices()[0].process.v, laneOf(*trace, "launch").process.v);
    }
    void mergedRanks_joinWithinTheirRank() {
        const auto trace = load("{'ph':'X','cat':'cuda_runtime','name':'launch0','pid':'[TP00] "
                                "83','tid':1,'ts':1,'dur':1,'args':{'correlation':5}},"
                                "{'ph':'X','cat':'cuda_runtime','name':'launch1','pid':'[TP01] "
                                "84','tid':1,'ts':2,'dur':1,'args':{'correlation':5}},"
                                "{'ph':'X','cat':'kernel','name':'k1','pid':'[TP01] "
                                "0','tid':7,'ts':3,'dur':1,'args':{'device':0,'stream':7,'correlation':5}},"
                                "{'ph':'X','cat':'kernel','name':'k0','pid':'[TP00] "
                                "0','tid':7,'ts':4,'dur':1,'args':{'device':0,'stream':7,'correlation':5}}");
        QVERIFY(trace);
        const auto& index = trace->correlations();
        QVERIFY(index.launchOf(trace->events(), rowOf(*trace, "k0")) == rowOf(*trace, "launch0"));
        QVERIFY(index.launchOf(trace->events(), rowOf(*trace, "k1")) == rowOf(*trace, "launch1"));
        QCOMPARE(trace->devices().size(), std::size_t{2});
        QVERIFY(trace->laneOf(rowOf(*trace, "k0")) != trace->laneOf(rowOf(*trace, "k1")));
    }

    void hotArguments_areInColumns() {
        const auto trace = load(
            "{'ph':'X','cat':'gpu_memcpy','name':'Memcpy HtoD (Pageable -> "
            "Device)','pid':0,'tid':7,'ts':1,'dur':1,'args':{'bytes':4096}},"
            "{'ph':'X','cat':'gpu_memcpy','name':'Memcpy DtoH (Device -> "
            "Pinned)','pid':0,'tid':7,'ts':3,'dur':1,'args':{'size':'128'}},"
            "{'ph':'X','cat':'gpu_memset','name':'Memset "
            "(Device)','pid':0,'tid':7,'ts':5,'dur':1,'args':{'bytes':8}},"
            "{'ph':'X','cat':'cuda_sync','name':'Stream Wait "
            "Event','pid':0,'tid':20,'ts':7,'dur':1,'args':{'cuda_sync_kind':'Stream Wait Event','stream':20,"
            "'wait_on_stream':7,'wait_on_cuda_event_record_corr_id':5169,'wait_on_cuda_event_id':1,'"
            "correlation':5170}},"
            "{'ph':'X','cat':'cuda_sync','name':'Context "
            "Sync','pid':0,'tid':-1,'ts':9,'dur':1,'args':{'cuda_sync_kind':'Context "
            "Sync','stream':4294967295}},"
            "{'ph':'X','cat':'cuda_event','name':'cudaEventRecord','pid':0,'tid':7,'ts':9,'dur':0.001,'args':"
            "{'event_id':3,'stream':7}},"
            "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':11,'dur':1,'args':{'graph id':2,'graph "
            "node id':18446744073709551615,'occupancy':{'limitingFactors':'x'}}}");
        QVERIFY(trace);
        const HotArgs& hot = trace->hotArgs();
        const CopyArgs* in = hot.copies.find(rowOf(*trace, "Memcpy HtoD (Pageable -> Device)"));
        QVERIFY(in != nullptr);
        QVERIFY(in->bytes == 4096 && in->kind == CopyKind::HtoD && in->src == MemKind::Pageable &&
                in->dst == MemKind::Device);
        const CopyArgs* out = hot.copies.find(rowOf(*trace, "Memcpy DtoH (Device -> Pinned)"));
        QVERIFY(out != nullptr);
        QVERIFY(out->bytes == 128 && out->kind == CopyKind::DtoH && out->dst == MemKind::Pinned);
        const CopyArgs* set = hot.copies.find(rowOf(*trace, "Memset (Device)"));
        QVERIFY(set != nullptr && set->kind == CopyKind::Set && set->dst == MemKind::Device &&
                set->bytes == 8);
        const SyncArgs* wait = hot.syncs.find(rowOf(*trace, "Stream Wait Event"));
        QVERIFY(wait != nullptr);
        QVERIFY(wait->kind == SyncKind::StreamWaitEvent && wait->stream == 20 && wait->sourceStream == 7 &&
                wait->recordCorrelation == 5169 && wait->eventId == 1);
        const SyncArgs* context = hot.syncs.find(rowOf(*trace, "Context Sync"));
        QVERIFY(context != nullptr && context->kind == SyncKind::Context && context->stream == -1 &&
                context->recordCorrelation == -1);
        QCOMPARE(laneOf(*trace, "Context Sync").sourceId, std::int64_t{-1});
        const SyncArgs* record = hot.syncs.find(rowOf(*trace, "cudaEventRecord"));
        QVERIFY(record != nullptr && record->kind == SyncKind::EventRecord && record->eventId == 3 &&
                record->stream == 7);
        const GraphArgs* graph = hot.graphs.find(rowOf(*trace, "k"));
        QVERIFY(graph != nullptr && graph->graph == 2 && graph->node == 18446744073709551615ull);
        QVERIFY(trace->facts().syncRowsRecorded);
        QCOMPARE(trace->facts().writer, std::string("PyTorch >= 2.12 (Kineto)"));
    }

    void facts_comeFromTheRoot() {
        const auto trace = load("{'ph':'X','cat':'cpu_op','name':'a','ts':1.5,'dur':1}",
                                "'schemaVersion': 1, 'distributedInfo': {'rank': 3, 'pg_config': [1, 2]}, "
                                "'with_stack': 1, 'cupti_version': 18, "
                                "'note': 'a \\\\u00e9', 'ERROR': ['first', 'second']");
        QVERIFY(trace);
        const auto fact = [&](std::string_view key) {
            for (const auto& [name, text] : trace->facts().metadata)
                if (name == key)
                    return text;
            return std::string("missing");
        };
        QCOMPARE(fact("schemaVersion"), std::string("1"));
        QCOMPARE(fact("distributedInfo.rank"), std::string("3"));
        QCOMPARE(fact("with_stack"), std::string("1"));
        QCOMPARE(fact("note"), std::string("a \\u00e9"));
        QCOMPARE(trace->facts().format, std::string("kineto-json"));
        QCOMPARE(trace->facts().writer, std::string("PyTorch >= 2.5 (Kineto)"));
        const Issue* errors = trace->report().find("profiler_errors");
        QVERIFY(errors != nullptr && errors->count == 2 &&
                errors->message.find("first") != std::string::npos);
        const auto python = load("{'ph':'X','cat':'cpu_op','name':'a','ts':1,'dur':1}",
                                 "'distributedInfo': '{\\'rank\\': 1}'");
        QVERIFY(python);
        const auto plain = load("{'ph':'X','cat':'x','name':'a','ts':1,'dur':1}");
        QVERIFY(plain);
        QCOMPARE(plain->facts().format, std::string("chrome-json"));
        QCOMPARE(plain->facts().writer, std::string());
    }
};
LACUNA_TEST(TstChromeJson, "tst_chrome_json")

} // namespace tst_chrome_json

#include "tst_chrome_json.moc"
