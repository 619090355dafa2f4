#include "core/trace/trace_builder.h"
#include "core/view/row_layout.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <set>

namespace tst_row_layout {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// Adds rows to named lanes; the order of the file is the order of the calls.
class Maker {
public:
    explicit Maker(const char* processName = "python3") {
        process = builder.process("483");
        builder.process(process).name = processName;
    }
    ThreadId thread(const char* id, const char* name = "") {
        const ThreadId t = builder.thread(process, id);
        builder.thread(t).name = name;
        return t;
    }
    void host(LaneKind kind, ThreadId t, std::int64_t begin, std::int64_t end,
              std::uint64_t correlation = 0) {
        LaneKey key;
        key.kind = kind;
        key.process = process;
        key.thread = t;
        add(builder.lane(key), begin, end, kindOf(kind), correlation);
    }
    void stream(DeviceId device, std::int64_t number, std::int64_t begin, std::int64_t end,
                EventKind kind = EventKind::Kernel, std::uint64_t correlation = 0,
                LaneKind lane = LaneKind::GpuStream, const char* name = "k") {
        LaneKey key;
        key.kind = lane;
        key.device = device;
        key.sourceId = number;
        add(builder.lane(key), begin, end, kind, correlation, name);
    }
    void add(LaneId lane, std::int64_t begin, std::int64_t end, EventKind kind, std::uint64_t correlation,
             const char* name = "row") {
        RawEvent event;
        event.lane = lane;
        event.beginNs = begin;
        event.endNs = end;
        event.name = builder.strings().intern(name);
        event.kind = kind;
        event.correlation = correlation;
        event.source = SourceRef::offset(builder.size());
        builder.add(event);
    }
    std::shared_ptr<const Trace> finish() {
        JobControl job;
        auto trace = std::move(builder).finish(job);
        return trace ? *trace : nullptr;
    }

    TraceBuilder builder;
    ProcessId process;

private:
    static EventKind kindOf(LaneKind kind) {
        switch (kind) {
        case LaneKind::CudaApi:
            return EventKind::RuntimeApi;
        case LaneKind::Python:
            return EventKind::Python;
        case LaneKind::OsRuntime:
            return EventKind::OsRuntime;
        case LaneKind::CpuThread:
            return EventKind::CpuOp;
        default:
            return EventKind::Range;
        }
    }
};

// Two threads, two streams, markers, a counter: one of everything.
std::shared_ptr<const Trace> typical() {
    Maker m;
    const ThreadId helper = m.thread("509", "pt_autograd_0"), main = m.thread("483");
    const DeviceId gpu = m.builder.device(m.process, 0);
    m.builder.device(gpu).name = "NVIDIA H200";
    m.host(LaneKind::OsRuntime, helper, 0, 50);
    for (int k = 0; k < 3; ++k)
        m.host(LaneKind::CudaApi, main, 10 * k, 10 * k + 5, static_cast<std::uint64_t>(k) + 1);
    m.host(LaneKind::CudaApi, helper, 40, 41, 4);
    m.host(LaneKind::CpuThread, main, 0, 100);
    m.host(LaneKind::Python, main, 0, 100);
    m.host(LaneKind::Range, main, 0, 100);
    m.host(LaneKind::Range, helper, 0, 100);
    m.host(LaneKind::Steps, main, 0, 100);
    for (int k = 0; k < 3; ++k)
        m.stream(gpu, 13, 20 * k, 20 * k + 5, EventKind::Kernel, static_cast<std::uint64_t>(k) + 1);
    m.stream(gpu, 7, 50, 90, EventKind::Kernel, 4);
    m.stream(gpu, 7, 90, 100, EventKind::Memcpy);
    m.stream(gpu, 7, 0, 100, EventKind::Sync, 0, LaneKind::GpuSync);
    m.stream(gpu, 7, 0, 100, EventKind::GpuRange, 0, LaneKind::GpuRange);
    m.builder.addSample(m.builder.counter("Allocated", m.process, {}, "bytes"), 5, 1.0);
    return m.finish();
}

QStringList titles(const RowLayout& layout) {
    QStringList out;
    for (const TimelineRow& row : layout.rows())
        out << QString::fromStdString(row.title);
    return out;
}

const TimelineRow& rowWithKey(const RowLayout& layout, std::string_view key) {
    const auto row = std::ranges::find(layout.rows(), key, &TimelineRow::key);
    if (row == layout.rows().end())
        qFatal("no row %s", std::string(key).c_str());
    return *row;
}

bool has(const RowLayout& layout, std::string_view key) {
    return std::ranges::find(layout.rows(), key, &TimelineRow::key) != layout.rows().end();
}

std::shared_ptr<const Trace> deepPython(int depth) {
    Maker m;
    const ThreadId main = m.thread("483");
    for (int k = 0; k < depth; ++k) // the outer three span everything, the others repeat
        for (int n = 0; n < (k < 3 ? 1 : 5); ++n)
            m.host(LaneKind::Python, main, k < 3 ? 0 : 100 * n + k, k < 3 ? 1000 : 100 * n + 90 - k);
    return m.finish();
}

} // namespace

class TstRowLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void order_ofTheReference();
    void heads_sayWhatTheyHold();
    void mainThread_leadsWhereAHelperLaunchesMore();
    void measures_ofTheMock();
    void rows_tileTheContent();
    void everyLaneWithEvents_isVisibleOrInAFoldedGroup();
    void keys_areUniqueAndFindTheLane();
    void foldedGroup_keepsItsHead();
    void deepStacks_foldOuterAndInnerStrips();
    void stacksBesideTheLaunches_areLow();
    void syncMarkers_foldUntilAsked();
    void toggle_goesBackAndForth();
    void severalProcessesOnOneGpu_haveGroupsOfTheirOwn();
    void mpiRanks_standWithTheProcess();
    void withoutEvents_isCountedInANote();
    void emptyTrace_hasNoRows();
};

void TstRowLayout::order_ofTheReference() {
    const auto trace = typical();
    QCOMPARE(
        titles(RowLayout::build(*trace, {})).join(QStringLiteral("|")),
        QStringLiteral("Steps|Ranges|python3 483|Python|operators|CUDA API|pt_autograd_0 509|Ranges|CUDA API|"
                       "OS runtime|GPU 0|ranges on GPU|stream 7|stream 13|sync markers|Allocated"));
    LayoutOptions options;
    options.pinSteps = false;
    QCOMPARE(titles(RowLayout::build(*trace, options)).first(3).join(QStringLiteral("|")),
             QStringLiteral("python3 483|Steps|Ranges"));
}

void TstRowLayout::heads_sayWhatTheyHold() {
    const auto trace = typical();
    const RowLayout layout = RowLayout::build(*trace, {});
    QCOMPARE(rowWithKey(layout, "thread/483/483").subtitle, std::string("launching thread"));
    QCOMPARE(rowWithKey(layout, "thread/483/509").subtitle, std::string());
    const TimelineRow& gpu = rowWithKey(layout, "gpu/0");
    QCOMPARE(gpu.subtitle, std::string("H200"));
    // [0,5) [20,25) [40,45) of stream 13 and [50,100) of stream 7.
    QCOMPARE(gpu.detail, std::string("65.0 % busy"));
    const TimelineRow& seven = rowWithKey(layout, "lane/gpu_stream/0/7");
    QCOMPARE(seven.subtitle, std::string("compute, copies"));
    QCOMPARE(seven.detail, std::string("50.0 % busy"));
    QCOMPARE(rowWithKey(layout, "lane/gpu_stream/0/13").subtitle, std::string("compute"));
    QCOMPARE(rowWithKey(layout, "lane/steps/483/483").detail, std::string("1"));
    QCOMPARE(rowWithKey(layout, "lane/counter/483/Allocated").detail, std::string("bytes"));
}

// pt_autograd launches the backward pass, which is often more than half.
void TstRowLayout::mainThread_leadsWhereAHelperLaunchesMore() {
    for (const auto& [ofMain, ofHelper, leads] :
         {std::tuple{2, 9, true}, {1, 10, true}, {1, 11, false}, {0, 3, false}}) {
        Maker m;
        const ThreadId helper = m.thread("509"), main = m.thread("483");
        const DeviceId gpu = m.builder.device(m.process, 0);
        m.host(LaneKind::CpuThread, main, 0, 1000);
        for (int k = 0; k < ofMain + ofHelper; ++k) {
            const auto correlation = static_cast<std::uint64_t>(k) + 1;
            m.host(LaneKind::CudaApi, k < ofMain ? main : helper, 10 * k, 10 * k + 5, correlation);
            m.stream(gpu, 7, 10 * k + 3, 10 * k + 8, EventKind::Kernel, correlation);
        }
        const RowLayout layout = RowLayout::build(*m.finish(), {});
        QCOMPARE(layout.rows()[0].key, std::string(leads ? "thread/483/483" : "thread/483/509"));
        QCOMPARE(layout.rows()[0].subtitle, std::string("launching thread"));
    }
}

void TstRowLayout::measures_ofTheMock() {
    const RowLayout layout = RowLayout::build(*typical(), {});
    QCOMPARE(rowWithKey(layout, "lane/steps/483/483").height, 3 + 20 + 3 + 1);
    QCOMPARE(rowWithKey(layout, "gpu/0").height, 23);
    QCOMPARE(rowWithKey(layout, "lane/python/483/483").stripHeight, 17);
    QCOMPARE(rowWithKey(layout, "lane/python/483/483").stripPitch, 18);
    QCOMPARE(rowWithKey(layout, "lane/cuda_api/483/483").stripHeight, 22);
    QCOMPARE(rowWithKey(layout, "lane/gpu_range/0/7").stripHeight, 17);
    const TimelineRow& stream = rowWithKey(layout, "lane/gpu_stream/0/7");
    QCOMPARE(stream.heightOf(0), 52);
    QCOMPARE(stream.heightOf(1), 20);
    QCOMPARE(stream.stripY(1), 3 + 53);
    QCOMPARE(rowWithKey(layout, "lane/counter/483/Allocated").stripHeight, 40);
}

void TstRowLayout::rows_tileTheContent() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const RowLayout layout = RowLayout::build(*random.trace, {});
        std::int32_t y = 0;
        for (std::size_t k = 0; k < layout.rows().size(); ++k) {
            const TimelineRow& row = layout.rows()[k];
            QCOMPARE(row.y, y);
            QVERIFY(row.height > 0);
            QVERIFY(layout.rowAt(row.y) == k);
            QVERIFY(layout.rowAt(row.y + row.height - 1) == k);
            if (row.stripCount > 0)
                QVERIFY(row.stripY(row.stripCount - 1) + row.heightOf(row.stripCount - 1) < row.height);
            y += row.height;
        }
        QCOMPARE(layout.height(), y);
        QVERIFY(!layout.rowAt(-1));
        QVERIFY(!layout.rowAt(y));
    }
}

void TstRowLayout::everyLaneWithEvents_isVisibleOrInAFoldedGroup() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomTraceOptions traceOptions;
        traceOptions.devices = 2;
        const RandomTrace random = makeRandomTrace(seed, traceOptions);
        LayoutOptions options;
        if (seed % 2 == 0)
            options.folded = {"gpu/0", "thread/100/1"};
        const RowLayout layout = RowLayout::build(*random.trace, options);
        std::set<std::uint32_t> shown;
        for (const TimelineRow& row : layout.rows())
            if (row.kind == RowKind::Lane) {
                QVERIFY(shown.insert(row.lane.v).second);
                const std::uint32_t depth = random.trace->lane(row.lane).depth;
                QCOMPARE(row.stripCount + row.hiddenOuter + row.hiddenInner, depth);
            }
        for (std::uint32_t k = 0; k < random.trace->lanes().size(); ++k) {
            if (random.trace->lane({k}).depth == 0)
                continue;
            const auto row = layout.visibleRowOf({k});
            QVERIFY2(row.has_value(), qPrintable(random.note()));
            if (shown.contains(k))
                QCOMPARE(layout.rows()[*row].lane.v, k);
            else
                QVERIFY(layout.rows()[*row].kind == RowKind::GroupHead && layout.rows()[*row].folded);
        }
    }
}

void TstRowLayout::keys_areUniqueAndFindTheLane() {
    for (const auto& trace : {typical(), makeRandomTrace(3).trace}) {
        std::set<std::string> keys;
        const RowLayout layout = RowLayout::build(*trace, {});
        for (const TimelineRow& row : layout.rows()) {
            QVERIFY2(keys.insert(row.key).second, row.key.c_str());
            if (row.kind == RowKind::Lane)
                QCOMPARE(laneOfKey(*trace, row.key).v, row.lane.v);
        }
    }
    QVERIFY(!laneOfKey(*typical(), "lane/gpu_stream/0/99"));
}

void TstRowLayout::foldedGroup_keepsItsHead() {
    const auto trace = typical();
    LayoutOptions options;
    options.folded.insert("gpu/0");
    const RowLayout layout = RowLayout::build(*trace, options);
    QVERIFY(has(layout, "gpu/0"));
    QVERIFY(rowWithKey(layout, "gpu/0").folded);
    QVERIFY(!has(layout, "lane/gpu_stream/0/7"));
    const LaneId lane = laneOfKey(*trace, "lane/gpu_stream/0/7");
    QVERIFY(!layout.rowOf(lane));
    QCOMPARE(layout.rows()[*layout.visibleRowOf(lane)].key, std::string("gpu/0"));
}

void TstRowLayout::deepStacks_foldOuterAndInnerStrips() {
    const auto trace = deepPython(14);
    const TimelineRow row = rowWithKey(RowLayout::build(*trace, {}), "lane/python/483/483");
    QCOMPARE(row.detail, std::string("3 outer, 5 inner folded"));
    QCOMPARE(row.firstStrip, 3u);
    QCOMPARE(row.stripCount, 6u);
    QCOMPARE(row.height, 3 + 5 * 18 + 17 + 3 + 1);
    LayoutOptions options;
    options.unfolded.insert(row.key);
    const TimelineRow full = rowWithKey(RowLayout::build(*trace, options), row.key);
    QCOMPARE(full.stripCount, 14u);
    QVERIFY(full.detail.empty() && !full.folded && full.foldable);
    // A stack only a little too deep loses no more outer frames than it must.
    const TimelineRow seven = rowWithKey(RowLayout::build(*deepPython(7), {}), row.key);
    QCOMPARE(seven.hiddenOuter, 1u);
    QCOMPARE(seven.hiddenInner, 0u);
}

// A loader's stack leaves room for the thread that launches and the GPU under it; by hand it shows in full.
void TstRowLayout::stacksBesideTheLaunches_areLow() {
    for (const bool launches : {true, false}) {
        Maker m;
        const ThreadId main = m.thread("483"), loader = m.thread("600");
        const DeviceId gpu = m.builder.device(m.process, 0);
        for (const ThreadId thread : {main, loader})
            for (int depth = 0; depth < 5; ++depth)
                m.host(LaneKind::Python, thread, depth, 1000 - depth);
        m.host(LaneKind::CudaApi, main, 10, 20, 1);
        m.stream(gpu, 7, 30, 40, EventKind::Kernel, launches ? 1 : 2);
        const auto trace = m.finish();
        const TimelineRow row = rowWithKey(RowLayout::build(*trace, {}), "lane/python/483/600");
        QCOMPARE(row.stripCount, launches ? 2u : 5u); // no launch known: no thread is beside
        QCOMPARE(rowWithKey(RowLayout::build(*trace, {}), "lane/python/483/483").stripCount, 5u);
        LayoutOptions options;
        options.unfolded.insert(row.key);
        QCOMPARE(rowWithKey(RowLayout::build(*trace, options), row.key).stripCount, 5u);
    }
}

void TstRowLayout::syncMarkers_foldUntilAsked() {
    const auto trace = typical();
    LayoutOptions options;
    const TimelineRow row = rowWithKey(RowLayout::build(*trace, options), "lane/gpu_sync/0/7");
    QVERIFY(row.folded && row.foldable);
    QCOMPARE(row.stripCount, 0u);
    QCOMPARE(row.hiddenInner, 1u);
    QCOMPARE(row.detail, std::string("folded"));
    options.toggle(row);
    QCOMPARE(rowWithKey(RowLayout::build(*trace, options), row.key).stripCount, 1u);
}

void TstRowLayout::toggle_goesBackAndForth() {
    const auto trace = deepPython(14);
    LayoutOptions options;
    for (const char* key : {"lane/python/483/483", "thread/483/483"}) {
        const bool before = rowWithKey(RowLayout::build(*trace, options), key).folded;
        options.toggle(rowWithKey(RowLayout::build(*trace, options), key));
        QCOMPARE(rowWithKey(RowLayout::build(*trace, options), key).folded, !before);
        options.toggle(rowWithKey(RowLayout::build(*trace, options), key));
        QCOMPARE(rowWithKey(RowLayout::build(*trace, options), key).folded, before);
    }
}

void TstRowLayout::severalProcessesOnOneGpu_haveGroupsOfTheirOwn() {
    Maker m;
    const ProcessId other = m.builder.process("530");
    const DeviceId a = m.builder.device(m.process, 0), b = m.builder.device(other, 0);
    m.stream(a, 7, 0, 10);
    m.stream(b, 7, 0, 10);
    const RowLayout layout = RowLayout::build(*m.finish(), {});
    QCOMPARE(rowWithKey(layout, "gpu/0").subtitle, std::string("python3 483"));
    QCOMPARE(rowWithKey(layout, "gpu/0/530").subtitle, std::string("process 530"));
    QVERIFY(has(layout, "lane/gpu_stream/0/7") && has(layout, "lane/gpu_stream/0/530/7"));
}

// nsys.md 3.7, MPI_RANKS: the other ranks are in other files, so one process alone tells its rank too.
void TstRowLayout::mpiRanks_standWithTheProcess() {
    Maker one;
    one.builder.process(one.process).mpiRank = 3;
    one.stream(one.builder.device(one.process, 0), 7, 0, 10);
    QCOMPARE(rowWithKey(RowLayout::build(*one.finish(), {}), "gpu/0").subtitle, std::string("rank 3"));
    Maker two;
    const ProcessId other = two.builder.process("530");
    two.builder.process(two.process).mpiRank = 0;
    two.builder.process(other).mpiRank = 1;
    two.stream(two.builder.device(two.process, 0), 7, 0, 10);
    two.stream(two.builder.device(other, 0), 7, 0, 10);
    const RowLayout layout = RowLayout::build(*two.finish(), {});
    QCOMPARE(rowWithKey(layout, "gpu/0").subtitle, std::string("rank 0 \u00b7 python3 483"));
    QCOMPARE(rowWithKey(layout, "gpu/0/530").subtitle, std::string("rank 1 \u00b7 process 530"));
}

void TstRowLayout::withoutEvents_isCountedInANote() {
    Maker m;
    m.host(LaneKind::CpuThread, m.thread("483"), 0, 10);
    m.thread("484");
    for (int k = 0; k < 15; ++k)
        m.builder.device(m.process, k);
    const RowLayout layout = RowLayout::build(*m.finish(), {});
    QCOMPARE(rowWithKey(layout, "note/threads").title, std::string("1 thread without events hidden"));
    QCOMPARE(rowWithKey(layout, "note/gpus").title, std::string("15 GPUs without events hidden"));
}

void TstRowLayout::emptyTrace_hasNoRows() {
    const auto trace = Maker().finish();
    QVERIFY(trace);
    const RowLayout layout = RowLayout::build(*trace, {});
    QVERIFY(layout.rows().empty());
    QCOMPARE(layout.height(), 0);
    QVERIFY(!layout.rowAt(0));
}

LACUNA_TEST(TstRowLayout, "tst_row_layout")

} // namespace tst_row_layout

#include "tst_row_layout.moc"
