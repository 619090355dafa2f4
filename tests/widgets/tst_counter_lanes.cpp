// Counter lanes: scale, peak line and the mean over the selected time, by hand and on a capture of GPU
// metrics (features.md E05).

#include "core/analysis/counter_mean.h"
#include "core/import/load_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/support/event_text.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"

#include <algorithm>
#include <cmath>

namespace tst_counter_lanes {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

constexpr int kWidth = 1000, kHeight = 400;

LoadedView analysed(std::shared_ptr<const Trace> trace) {
    JobControl job;
    auto gaps = GapAnalysis::run(trace, {}, job);
    return {std::move(trace), gaps ? *gaps : nullptr};
}

// 0 until 100 us, 40 until 300 us, 20 until 1 ms.
LoadedView counterView(const char* unit) {
    TraceBuilder builder;
    const CounterId counter = builder.counter("SMs Active", {}, {}, unit);
    for (const auto& [us, value] : {std::pair{0, 0.0}, {100, 40.0}, {300, 20.0}, {1000, 20.0}})
        builder.addSample(counter, us * 1'000, value);
    JobControl job;
    return analysed(*std::move(builder).finish(job));
}

struct Drawn {
    Drawn(LoadedView view, TimeRange range, const Selection& selection = {})
        : painted(std::move(view), range, kWidth, kHeight, 1.0, selection),
          image(renderer.paintLanes(painted.scene)) {}

    const LaneFrame& lane() const { return painted.frame.lanes.front(); }
    int top() const { return lane().y + lane().stripTop; }
    // Where a share of the scale stands.
    int yOf(double share) const {
        return top() + lane().stripHeight - 1 -
               static_cast<int>(std::lround(share * (lane().stripHeight - 1)));
    }
    QRgb at(int x, int y) const { return image.pixel(x, y); }

    TimelineRenderer renderer{ThemePalette::of(Theme::Dark), FigureFonts::load()};
    PaintedView painted;
    QImage image;
};

const TimeRange kWhole{{0}, {1'000'000}};

} // namespace

class TstCounterLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A share of the hardware's peak is drawn against all of it, so that lanes can be compared.
    void aShareIsOfAHundred() {
        const Drawn drawn(counterView("%"), kWhole);
        const QRgb value = drawn.renderer.palette().ink(Ink::Operator);
        QCOMPARE(drawn.at(200, drawn.yOf(0.4)), value);
        QCOMPARE(drawn.at(600, drawn.yOf(0.2)), value);
        const QRgb peak = drawn.at(600, drawn.yOf(1.0)); // far from the label
        QVERIFY(peak != value && peak != drawn.at(600, drawn.yOf(0.6)));
        for (int x = 400; x < kWidth; x += 50)
            QCOMPARE(drawn.at(x, drawn.yOf(1.0)), peak);
    }

    // Where no peak is known it is the most that was seen.
    void otherUnitsReachTheirMost() {
        const Drawn drawn(counterView("bytes"), kWhole);
        const QRgb value = drawn.renderer.palette().ink(Ink::Operator);
        QCOMPARE(drawn.at(200, drawn.yOf(1.0)), value);
        QCOMPARE(drawn.at(600, drawn.yOf(0.5)), value);
        QVERIFY(drawn.at(600, drawn.yOf(1.0)) != value);
    }

    // [100, 500) us: half of it 40, half 20.
    void theMeanOfTheSelectionIsALine() {
        const TimeRange range{{100'000}, {500'000}};
        const LoadedView view = counterView("%");
        const auto mean = counterMean(view.trace->counters()[0], range);
        QVERIFY(mean);
        QCOMPARE(mean->mean, 30.0);
        const Drawn drawn(view, kWhole, Selection(range));
        const QRgb line = drawn.renderer.palette().ink(Ink::Selection);
        QCOMPARE(drawn.at(150, drawn.yOf(0.3)), line);
        QCOMPARE(drawn.at(450, drawn.yOf(0.3)), line);
        QVERIFY(drawn.at(550, drawn.yOf(0.3)) != line);
        QVERIFY(drawn.at(50, drawn.yOf(0.3)) != line);
        const Drawn without(view, kWhole);
        QVERIFY(without.at(450, without.yOf(0.3)) != line);
    }

    // The selection moves: so does the mean, though it is remembered.
    void anotherSelectionHasItsOwnMean() {
        Drawn drawn(counterView("%"), kWhole, Selection(TimeRange{{100'000}, {300'000}}));
        const QRgb line = drawn.renderer.palette().ink(Ink::Selection);
        QCOMPARE(drawn.at(250, drawn.yOf(0.4)), line);
        drawn.painted.scene.emphasis =
            emphasisOf(*drawn.painted.loaded.trace, nullptr, Selection(TimeRange{{300'000}, {900'000}}));
        const QImage again = drawn.renderer.paintLanes(drawn.painted.scene);
        QCOMPARE(again.pixel(600, drawn.yOf(0.2)), line);
        QVERIFY(again.pixel(250, drawn.yOf(0.4)) != line);
    }

    // D06: over the calls stand the launches per ms, 12 (dense), then 6, then none.
    void d06_denseLaunchesAreStrong() {
        std::vector<std::string> rows;
        for (int k = 0; k < 18; ++k)
            rows.push_back(
                rowText("cuda_runtime", "cudaLaunchKernel", k < 12 ? 80.0 * k : 100.0 * k - 200, 2));
        rows.push_back(rowText("cuda_runtime", "cudaDeviceSynchronize", 3'990, 10));
        const Drawn drawn(analysed(traceOfText(rows)), {{0}, {4'000'000}}); // 4 us a pixel
        const auto lane = std::ranges::find_if(drawn.painted.frame.lanes,
                                               [](const LaneFrame& l) { return l.rateHeight > 0; });
        QVERIFY(lane != drawn.painted.frame.lanes.end());
        const int top = lane->y + lane->rateTop, bottom = top + lane->rateHeight - 1;
        const QRgb dense = drawn.renderer.palette().ink(Ink::Api), ground = drawn.at(900, bottom);
        QCOMPARE(drawn.at(100, top), dense); // 12 of 12: the whole height
        QCOMPARE(drawn.at(100, bottom), dense);
        const QRgb thin = drawn.at(400, bottom); // 6 of 12: half of it, and weaker
        QVERIFY(thin != dense && thin != ground);
        QCOMPARE(drawn.at(400, top + lane->rateHeight / 2), thin);
        QCOMPARE(drawn.at(400, top), ground);
        QCOMPARE(drawn.at(600, bottom), ground);
        // The line of 10 stands between.
        const int limit = bottom + 1 - static_cast<int>(std::lround(10.0 / 12 * lane->rateHeight));
        QVERIFY(drawn.at(600, limit) != ground);
    }

    // Kineto's hardware counters tell their unit by the name of the metric.
    void kinetoCounters() {
        const auto trace = jsonTrace(
            objectForm(q("{'ph':'C','name':'sm__throughput.avg.pct_of_peak_sustained_elapsed','pid':'GPU 0 "
                         "Counters','ts':1,"
                         "'args':{'':12.5}},{'ph':'C','name':'Queue','pid':1,'ts':1,'args':{'length':3}},"
                         "{'ph':'X','cat':'cpu_op','name':'op','pid':1,'tid':1,'ts':0,'dur':10}")));
        QVERIFY(trace);
        QCOMPARE(trace->counters().size(), std::size_t{2});
        for (const CounterTrack& counter : trace->counters())
            QCOMPARE(counter.unit, std::string(counter.name.starts_with("sm__") ? "%" : ""));
    }

    void gpuMetricsCaptureDraws() {
        const auto file = shared("traces/captured/nsys/gpumetrics.sqlite");
        if (!file)
            LACUNA_SKIP("the capture of GPU metrics is not here");
        JobControl job;
        const auto loaded = loadTrace(*file, builtinImporters(), job);
        QVERIFY(loaded);
        const LoadedView view = analysed(loaded->trace);
        QVERIFY(view);
        const auto named = [&](std::string_view name) {
            const auto counters = view.trace->counters();
            return std::find_if(counters.begin(), counters.end(),
                                [&](const CounterTrack& c) { return c.name.starts_with(name); });
        };
        for (const char* name :
             {"SMs Active", "Compute Warps in Flight [Throughput", "Tensor Active", "DRAM Read Bandwidth",
              "DRAM Write Bandwidth", "PCIe RX Throughput", "PCIe TX Throughput"}) {
            QVERIFY2(named(name) != view.trace->counters().end(), name);
            QCOMPARE(named(name)->unit, std::string("%"));
        }
        // Aligned with the kernels: the two longest hold one of 132 multiprocessors each for 4 ms, and share
        // 1.9 ms of it. Samples are whole percents every 100 us.
        std::vector<EventId> kernels;
        for (std::uint32_t e = 0; e < view.trace->events().size(); ++e)
            if (view.trace->events().kind[e] == EventKind::Kernel)
                kernels.push_back(EventId{e});
        QVERIFY(kernels.size() > 200);
        std::stable_sort(kernels.begin(), kernels.end(), [&](EventId a, EventId b) {
            return view.trace->events().duration(a) > view.trace->events().duration(b);
        });
        const TimeRange first = view.trace->events().range(kernels[0]),
                        second = view.trace->events().range(kernels[1]);
        const DurationNs air{200'000};
        const auto alone = counterMean(*named("SMs Active"), {first.begin + air, {second.begin.v - air.v}});
        const auto both = counterMean(*named("SMs Active"), {second.begin + air, {first.end.v - air.v}});
        QVERIFY(alone && both);
        QCOMPARE(alone->mean, 1.0);
        QCOMPARE(both->mean, 2.0);
        // Every lane of a metric has its picture.
        const DeviceBusy busy = deviceBusy(*view.trace, DeviceId{0}, job);
        LayoutOptions options;
        TimelineRenderer renderer{ThemePalette::of(Theme::Light), FigureFonts::load()};
        PaintedView painted(view, busy.span, kWidth, 4'000, 1.0, {}, options);
        const QImage image = renderer.paintLanes(painted.scene);
        const QRgb ink = renderer.palette().ink(Ink::Operator);
        std::size_t lanes = 0;
        for (const LaneFrame& lane : painted.frame.lanes) {
            if (view.trace->lane(lane.lane).kind != LaneKind::Counter)
                continue;
            ++lanes;
            QVERIFY(!lane.counter.empty());
            int inked = 0;
            for (int y = lane.y; y < std::min(lane.y + lane.height, image.height()); ++y)
                for (int x = 0; x < kWidth; ++x)
                    inked += image.pixel(x, y) == ink ? 1 : 0;
            QVERIFY2(inked >= kWidth / 2, view.trace->counters()[lanes - 1].name.c_str());
        }
        QVERIFY(lanes >= 7);
    }
};

LACUNA_TEST(TstCounterLanes, "tst_counter_lanes")

} // namespace tst_counter_lanes

#include "tst_counter_lanes.moc"
