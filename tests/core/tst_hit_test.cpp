#include "core/trace/trace_builder.h"
#include "core/view/arrows.h"
#include "core/view/build_frame.h"
#include "core/view/hit_test.h"
#include "core/view/overview.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>

namespace tst_hit_test {

using namespace lacuna;
using namespace lacuna::test;

namespace {

RandomRow kernel(std::int64_t begin, std::int64_t end, std::uint64_t correlation = 0,
                 std::int64_t stream = 7) {
    RandomRow row;
    row.kind = EventKind::Kernel;
    row.device = 0;
    row.stream = stream;
    row.name = "k";
    row.beginNs = begin;
    row.endNs = end;
    row.correlation = correlation;
    return row;
}

RandomRow host(EventKind kind, std::int64_t begin, std::int64_t end, std::uint64_t correlation = 0) {
    RandomRow row;
    row.kind = kind;
    row.thread = 0;
    row.name = "cudaLaunchKernel";
    row.beginNs = begin;
    row.endNs = end;
    row.correlation = correlation;
    return row;
}

// A trace with its gaps, a layout and a view of 1 ns a pixel (time zero is the first row's start).
struct Scene {
    explicit Scene(const std::vector<RandomRow>& rows, double nsPerPx = 1.0, int width = 1000)
        : trace(traceOfRows(rows)), layout(RowLayout::build(*trace, {})), view{{0}, nsPerPx, width} {
        JobControl job;
        if (auto result = GapAnalysis::run(trace, {}, job))
            gaps = *result;
    }
    LaneId lane(LaneKind kind) const {
        for (std::uint32_t k = 0; k < trace->lanes().size(); ++k)
            if (trace->lane({k}).kind == kind)
                return {k};
        return {};
    }
    // Middle of the n-th strip of the lane.
    int yOf(LaneKind kind, std::uint32_t n = 0) const {
        const TimelineRow& row = layout.rows()[*layout.rowOf(lane(kind))];
        return row.y + row.stripY(n) + row.heightOf(n) / 2;
    }
    Selection hit(int x, int y, double slack = 2.0) const {
        return hitTest(*trace, layout, view, {0, 1.0, gaps.get(), slack}, x, y);
    }
    EventId first(LaneKind kind) const { return trace->strips(lane(kind))[0].first; }
    std::vector<Arrow> arrows(const Selection& selection, const LayoutOptions& options = {},
                              const ArrowOptions& which = {}) const {
        return buildArrows(*trace, RowLayout::build(*trace, options), view, selection,
                           {layout.height(), 0, 1.0, gaps.get(), which});
    }

    std::shared_ptr<const Trace> trace;
    RowLayout layout;
    Viewport view;
    std::shared_ptr<const GapAnalysis> gaps;
};

bool isEvent(const Selection& s, std::uint32_t row) {
    const auto* event = std::get_if<EventId>(&s);
    return event != nullptr && event->v == row;
}

} // namespace

class TstHitTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void event_underThePointer();
    void sharedEdge_laterWins();
    void narrowEvent_isHitNearby();
    void wideEvent_isNotHitOutside();
    void densePixel_givesTheLongest();
    void gap_whereNoBarIs();
    void nothingElse_givesTheLane();
    void scrollAndScale_areUndone();
    void arrows_launchAndKernelBothWays();
    void arrows_operatorToItsLaunchesAndKernels();
    void arrows_fanBecomesATrunk();
    void arrows_gapHasDashedAndSolid();
    void arrows_foldedGroupEndsAtItsHead();
    void arrows_noneWithoutSelection();
    void arrows_furtherHops();
    void arrows_openFan();
    void arrows_ofARange();
    void arrows_endsOneByOne();
    void overview_sharesAreExact();
    void overview_agreesWithAndWithoutGaps();
};

void TstHitTest::event_underThePointer() {
    const Scene s({kernel(0, 100), kernel(150, 200)});
    const int y = s.yOf(LaneKind::GpuStream);
    QVERIFY(isEvent(s.hit(0, y), 0));
    QVERIFY(isEvent(s.hit(99, y), 0));
    QVERIFY(isEvent(s.hit(150, y), 1));
}

void TstHitTest::sharedEdge_laterWins() {
    const Scene s({kernel(0, 100), kernel(100, 200)});
    const int y = s.yOf(LaneKind::GpuStream);
    QVERIFY(isEvent(s.hit(99, y), 0));
    QVERIFY(isEvent(s.hit(100, y), 1));
}

void TstHitTest::narrowEvent_isHitNearby() {
    const Scene s({kernel(0, 1), kernel(100, 101), kernel(900, 1000)});
    const int y = s.yOf(LaneKind::GpuStream);
    for (const int x : {98, 99, 100, 101, 102})
        QVERIFY2(isEvent(s.hit(x, y), 1), std::to_string(x).c_str());
    QVERIFY(!isEvent(s.hit(97, y), 1));
    QVERIFY(!isEvent(s.hit(103, y), 1));
    QVERIFY(!isEvent(s.hit(99, y, 0.0), 1));
}

void TstHitTest::wideEvent_isNotHitOutside() {
    const Scene s({kernel(0, 50), kernel(100, 150)});
    QVERIFY(!std::holds_alternative<EventId>(s.hit(51, s.yOf(LaneKind::GpuStream))));
}

void TstHitTest::densePixel_givesTheLongest() {
    const Scene s({kernel(0, 10), kernel(20, 60), kernel(65, 95)}, 100.0);
    QVERIFY(isEvent(s.hit(0, s.yOf(LaneKind::GpuStream)), 1));
}

void TstHitTest::gap_whereNoBarIs() {
    const Scene s({kernel(0, 100), kernel(300, 400)});
    QVERIFY(s.gaps);
    QCOMPARE(s.gaps->gaps().size(), std::size_t{1});
    const Selection hit = s.hit(200, s.yOf(LaneKind::GpuStream));
    QVERIFY(std::holds_alternative<GapId>(hit));
    QCOMPARE(std::get<GapId>(hit).v, 0u);
    QVERIFY(isEvent(s.hit(300, s.yOf(LaneKind::GpuStream)), 1));
    // After the last operation is no gap.
    QVERIFY(std::holds_alternative<LaneId>(s.hit(500, s.yOf(LaneKind::GpuStream))));
}

void TstHitTest::nothingElse_givesTheLane() {
    const Scene s({host(EventKind::RuntimeApi, 0, 10), kernel(0, 100)});
    const Selection hit = s.hit(500, s.yOf(LaneKind::CudaApi));
    QVERIFY(std::holds_alternative<LaneId>(hit));
    QCOMPARE(std::get<LaneId>(hit).v, s.lane(LaneKind::CudaApi).v);
    QVERIFY(std::holds_alternative<std::monostate>(s.hit(5, s.layout.height() + 5)));
    QVERIFY(std::holds_alternative<std::monostate>(s.hit(5, 5))); // head of the thread
}

void TstHitTest::scrollAndScale_areUndone() {
    const Scene s({host(EventKind::RuntimeApi, 0, 10), kernel(0, 100)});
    const int y = s.yOf(LaneKind::GpuStream);
    const Selection hit = hitTest(*s.trace, s.layout, s.view, {30, 2.0, nullptr, 2.0}, 50, 2 * y - 30);
    QVERIFY(isEvent(hit, s.first(LaneKind::GpuStream).v));
}

void TstHitTest::arrows_launchAndKernelBothWays() {
    const Scene s({host(EventKind::RuntimeApi, 100, 120, 1), kernel(150, 250, 1)});
    const EventId call = s.first(LaneKind::CudaApi), op = s.first(LaneKind::GpuStream);
    for (const EventId selected : {call, op}) {
        const auto arrows = s.arrows(selected);
        QCOMPARE(arrows.size(), std::size_t{1});
        QCOMPARE(arrows[0].from.v, call.v);
        QCOMPARE(arrows[0].to.v, op.v);
        QVERIFY(arrows[0].style == ArrowStyle::Ownership);
        QVERIFY(!arrows[0].skewed && !arrows[0].toOutside);
        QCOMPARE(arrows[0].x0, 4);  // 4 px into the call
        QCOMPARE(arrows[0].x1, 50); // the kernel's start
        const TimelineRow& from = s.layout.rows()[*s.layout.rowOf(s.lane(LaneKind::CudaApi))];
        const TimelineRow& to = s.layout.rows()[*s.layout.rowOf(s.lane(LaneKind::GpuStream))];
        QCOMPARE(arrows[0].y0, from.y + 3 + 22);
        QCOMPARE(arrows[0].y1, to.y + 3);
    }
    const Scene early({host(EventKind::RuntimeApi, 100, 120, 1), kernel(90, 95, 1)});
    QVERIFY(early.arrows(early.first(LaneKind::GpuStream))[0].skewed);
}

void TstHitTest::arrows_operatorToItsLaunchesAndKernels() {
    const Scene s({host(EventKind::CpuOp, 0, 100), host(EventKind::RuntimeApi, 10, 20, 1),
                   host(EventKind::RuntimeApi, 40, 50, 2), host(EventKind::RuntimeApi, 60, 70),
                   host(EventKind::RuntimeApi, 140, 150, 3), kernel(30, 60, 1), kernel(60, 90, 2),
                   kernel(160, 190, 3)});
    const auto arrows = s.arrows(s.first(LaneKind::CpuThread));
    QCOMPARE(arrows.size(), std::size_t{4}); // two launches and their two kernels; not what is beside it
    const auto fromOperator = [&](const Arrow& a) { return a.from == s.first(LaneKind::CpuThread); };
    QCOMPARE(std::ranges::count_if(arrows, fromOperator), 2);
    for (const Arrow& arrow : arrows)
        QVERIFY(s.trace->events().endNs[arrow.to.v] <= 100);
}

void TstHitTest::arrows_fanBecomesATrunk() {
    for (const int ops : {12, 13}) {
        std::vector<RandomRow> rows{host(EventKind::CpuOp, 0, 100), host(EventKind::RuntimeApi, 10, 20, 1)};
        for (int k = 0; k < ops; ++k)
            rows.push_back(kernel(30 + 10 * k, 35 + 10 * k, 1));
        const Scene s(rows);
        const auto arrows = s.arrows(s.first(LaneKind::CudaApi));
        QCOMPARE(arrows.size(), ops == 12 ? std::size_t{12} : std::size_t{1});
        QCOMPARE(arrows[0].count, ops == 12 ? 1u : 13u);
        QCOMPARE(arrows[0].to.v, s.first(LaneKind::GpuStream).v);
        QCOMPARE(s.arrows(s.first(LaneKind::CpuThread)).back().count, ops == 12 ? 1u : 13u);
    }
}

void TstHitTest::arrows_gapHasDashedAndSolid() {
    RandomRow sync = host(EventKind::RuntimeApi, 30, 110);
    sync.name = "cudaStreamSynchronize";
    const Scene s({host(EventKind::RuntimeApi, 0, 10, 1), sync, host(EventKind::RuntimeApi, 300, 310, 2),
                   kernel(20, 100, 1), kernel(320, 400, 2)});
    QVERIFY(s.gaps && s.gaps->gaps().size() == 1);
    const Gap& gap = s.gaps->gaps()[0];
    QVERIFY(gap.drainedBy && gap.launch);
    const auto arrows = s.arrows(GapId{0});
    QCOMPARE(arrows.size(), std::size_t{2});
    QVERIFY(arrows[0].style == ArrowStyle::Dependency);
    QCOMPARE(arrows[0].x0, 100); // end of the queue
    QCOMPARE(arrows[0].x1, 110); // return of the wait
    QVERIFY(arrows[0].y1 < arrows[0].y0);
    QVERIFY(arrows[1].style == ArrowStyle::Ownership);
    QCOMPARE(arrows[1].from.v, gap.launch.v);
    QCOMPARE(arrows[1].to.v, gap.next.v);
    QCOMPARE(arrows[1].x1, 320);
}

void TstHitTest::arrows_foldedGroupEndsAtItsHead() {
    const Scene s({host(EventKind::RuntimeApi, 100, 120, 1), kernel(150, 250, 1)});
    LayoutOptions options;
    options.folded.insert("gpu/0");
    const auto arrows = s.arrows(s.first(LaneKind::CudaApi), options);
    QCOMPARE(arrows.size(), std::size_t{1});
    const RowLayout folded = RowLayout::build(*s.trace, options);
    const auto head = std::ranges::find(folded.rows(), std::string("gpu/0"), &TimelineRow::key);
    QCOMPARE(arrows[0].y1, head->y);
}

void TstHitTest::arrows_noneWithoutSelection() {
    const Scene s({host(EventKind::RuntimeApi, 100, 120, 1), kernel(150, 250, 1)});
    QVERIFY(s.arrows({}).empty());
    QVERIFY(s.arrows(s.lane(LaneKind::CudaApi)).empty());
    QVERIFY(s.arrows(TimeRange{{0}, {5}}).empty());
}

// An operator with two launches, each with one kernel; another operator beside it.
void TstHitTest::arrows_furtherHops() {
    const Scene s({host(EventKind::CpuOp, 0, 100), host(EventKind::RuntimeApi, 10, 20, 1),
                   host(EventKind::RuntimeApi, 40, 50, 2), host(EventKind::CpuOp, 120, 170),
                   host(EventKind::RuntimeApi, 140, 150, 3), kernel(30, 60, 1), kernel(60, 90, 2),
                   kernel(160, 190, 3)});
    const EventId op = s.first(LaneKind::CpuThread), call = s.first(LaneKind::CudaApi),
                  work = s.first(LaneKind::GpuStream);
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    const auto pairs = [&](const Selection& of, std::uint32_t hops) {
        std::vector<Pair> made;
        for (const Arrow& arrow : s.arrows(of, {}, {ArrowScope::Selected, hops, false, {}}))
            made.emplace_back(arrow.from.v, arrow.to.v);
        std::ranges::sort(made);
        return made;
    };
    const auto sorted = [](std::vector<Pair> list) {
        std::ranges::sort(list);
        return list;
    };
    const Pair launch{call.v, work.v}, around{op.v, call.v}, other{op.v, call.v + 1},
        otherLaunch{call.v + 1, work.v + 1};
    QCOMPARE(pairs(work, 1), sorted({launch}));
    QCOMPARE(pairs(work, 2), sorted({launch, around}));
    QCOMPARE(pairs(work, 3), sorted({launch, around, other, otherLaunch}));
    QCOMPARE(pairs(work, 5), pairs(work, 3)); // nothing of the other operator
    QCOMPARE(pairs(call, 1), sorted({launch}));
    QCOMPARE(pairs(call, 2), sorted({launch, around}));
    QVERIFY(s.arrows(work, {}, {ArrowScope::Off, 5, false, {}}).empty());
}

void TstHitTest::arrows_openFan() {
    std::vector<RandomRow> rows{host(EventKind::CpuOp, 0, 100), host(EventKind::RuntimeApi, 10, 20, 1)};
    for (int k = 0; k < 250; ++k)
        rows.push_back(kernel(30 + 10 * k, 35 + 10 * k, 1));
    const Scene s(rows);
    const auto open = s.arrows(s.first(LaneKind::CudaApi), {}, {ArrowScope::Selected, 1, true, {}});
    QCOMPARE(open.size(), kMostArrows);
    for (const Arrow& arrow : open)
        QCOMPARE(arrow.count, 1u);
    // A closed one leads to no single event: the second hop adds the operator around the call alone.
    QCOMPARE(s.arrows(s.first(LaneKind::CudaApi), {}, {ArrowScope::Selected, 2, false, {}}).size(),
             std::size_t{2});
}

void TstHitTest::arrows_ofARange() {
    const Scene s({host(EventKind::RuntimeApi, 0, 10, 1), host(EventKind::RuntimeApi, 12, 20, 2),
                   host(EventKind::RuntimeApi, 22, 30, 3), kernel(100, 200, 1), kernel(200, 300, 2),
                   kernel(300, 400, 3), kernel(400, 500)});
    const auto of = [&](std::optional<TimeRange> range) {
        std::vector<std::int64_t> begins;
        for (const Arrow& arrow : s.arrows({}, {}, {ArrowScope::Range, 1, false, range}))
            begins.push_back(s.trace->events().beginNs[arrow.to.v]);
        return begins;
    };
    QCOMPARE(of(TimeRange{{150}, {300}}), (std::vector<std::int64_t>{200})); // begins in it
    QCOMPARE(of(TimeRange{{100}, {301}}), (std::vector<std::int64_t>{100, 200, 300}));
    QCOMPARE(of({}), (std::vector<std::int64_t>{100, 200, 300})); // what the view shows
    // The arrow of the selection is not drawn twice.
    QCOMPARE(s.arrows(s.first(LaneKind::GpuStream), {}, {ArrowScope::Range, 1, false, {}}).size(),
             std::size_t{3});
}

void TstHitTest::arrows_endsOneByOne() {
    std::vector<RandomRow> rows{host(EventKind::CpuOp, 0, 100), host(EventKind::RuntimeApi, 10, 20, 1),
                                host(EventKind::RuntimeApi, 30, 40, 2)};
    for (int k = 0; k < 20; ++k)
        rows.push_back(kernel(130 + 10 * k, 135 + 10 * k, 1));
    rows.push_back(kernel(50, 60, 2, 8));
    const Scene s(rows);
    const EventId op = s.first(LaneKind::CpuThread), call = s.first(LaneKind::CudaApi);
    const auto ends = [&](EventId of, bool forward) { return arrowEnds(*s.trace, nullptr, of, forward); };
    QCOMPARE(ends(call, true).size(), std::size_t{20});
    QCOMPARE(s.trace->events().beginNs[ends(call, true)[19].v], 320);
    QCOMPARE(ends(call, false), std::vector<EventId>{op});
    QCOMPARE(ends(op, true).size(), std::size_t{2});
    QVERIFY(ends(op, false).empty());
    QCOMPARE(ends(ends(call, true)[3], false), std::vector<EventId>{call});
    QCOMPARE(arrowWork(*s.trace, op), std::size_t{2});
    QCOMPARE(arrowWork(*s.trace, call), std::size_t{0});
}

void TstHitTest::overview_sharesAreExact() {
    // 1,000 ns of trace, the device works from 100 to 900 with one gap of 300.
    const Scene s({host(EventKind::CpuOp, 0, 1000), kernel(100, 400), kernel(700, 900)});
    const Overview overview = buildOverview(*s.trace, s.gaps.get(), 11);
    QCOMPARE(overview.devices.size(), std::size_t{1});
    const DeviceOverview& device = overview.devices[0];
    QCOMPARE(device.window.begin.v, 100);
    QCOMPARE(device.window.end.v, 900);
    const PixelGrid grid(overview.viewport);
    double busy = 0, idle = 0;
    for (int x = 0; x < 11; ++x) {
        const OverviewColumn& column = device.columns[static_cast<std::size_t>(x)];
        const auto length = static_cast<double>(grid.columnNs(x));
        busy += column.busy * length;
        idle += column.idle * length;
        QVERIFY(std::abs(column.busy + column.idle + column.edge - 1.0f) < 1e-6f);
    }
    QVERIFY(std::abs(busy - 500.0) < 1e-3);
    QVERIFY(std::abs(idle - 300.0) < 1e-3);
    QCOMPARE(device.pins.size(), std::size_t{1});
    QCOMPARE(device.pins[0].number, 1);
    QCOMPARE(device.pins[0].x, overview.viewport.xOf({550}));
}

void TstHitTest::overview_agreesWithAndWithoutGaps() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomTraceOptions options;
        options.devices = 2;
        const RandomTrace random = makeRandomTrace(seed, options);
        JobControl job;
        const auto gaps = GapAnalysis::run(random.trace, {}, job);
        QVERIFY(gaps);
        const Overview with = buildOverview(*random.trace, gaps->get(), 37),
                       without = buildOverview(*random.trace, nullptr, 37);
        QCOMPARE(with.devices.size(), without.devices.size());
        for (std::size_t d = 0; d < with.devices.size(); ++d) {
            QVERIFY2(with.devices[d].window == without.devices[d].window, qPrintable(random.note()));
            for (std::size_t x = 0; x < 37; ++x) {
                QCOMPARE(with.devices[d].columns[x].busy, without.devices[d].columns[x].busy);
                QCOMPARE(with.devices[d].columns[x].idle, without.devices[d].columns[x].idle);
            }
        }
    }
}

LACUNA_TEST(TstHitTest, "tst_hit_test")

} // namespace tst_hit_test

#include "tst_hit_test.moc"
