// Launches per ms (features.md D06: peaks where there are more than 10 in a ms): counted by hand, as a
// report, and where the strip of a lane stands.

#include "core/analysis/launch_density.h"
#include "core/import/load_trace.h"
#include "core/view/build_frame.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <map>

namespace tst_launch_density {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string call(std::string_view name, double ts, double dur) {
    return rowText("cuda_runtime", name, ts, dur);
}

// n launches of 2 us, every 10 us.
void addLaunches(std::vector<std::string>& rows, double ts, int n) {
    for (int k = 0; k < n; ++k)
        rows.push_back(call("cudaLaunchKernel", ts + 10 * k, 2));
}

std::string kernel(double ts, double dur) {
    return rowText("kernel", "gemm", ts, dur, "{'device':0,'stream':7}", 7);
}

// ms 0: 10 launches; ms 1: 11, of which one has a driver's launch inside and one is of a graph; ms 3: one.
// Copies, sets and waits are no launches. The GPU is busy for 250 us of ms 0 and for 600 us of ms 1.
std::shared_ptr<const Trace> sample() {
    std::vector<std::string> rows;
    addLaunches(rows, 0, 10);
    addLaunches(rows, 1'000, 9);
    rows.push_back(call("cudaLaunchKernelExC", 1'500, 10));
    rows.push_back(rowText("cuda_driver", "cuLaunchKernelEx", 1'502, 4));
    rows.push_back(call("cudaGraphLaunch", 1'999, 3));
    rows.push_back(call("cudaMemcpyAsync", 2'500, 3));
    rows.push_back(call("cudaMemsetAsync", 2'510, 3));
    rows.push_back(call("cudaDeviceSynchronize", 2'520, 3));
    rows.push_back(call("cudaLaunchKernel", 3'000, 2));
    rows.push_back(kernel(750, 500));
    rows.push_back(kernel(1'300, 350));
    return traceOfText(rows);
}

LaneId apiLane(const Trace& trace) {
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k)
        if (trace.lane({k}).kind == LaneKind::CudaApi)
            return {k};
    return {};
}

} // namespace

class TstLaunchDensity : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d06_launchesPerMs();
    void d06_report();
    void d06_reportWithoutDevices();
    void d06_stripOverTheCalls();
    void beforeTimeZero();
    void d06_ofACapture();
};

void TstLaunchDensity::d06_launchesPerMs() {
    const auto trace = sample();
    const auto cells = launchCells(*trace, apiLane(*trace));
    QCOMPARE(cells, (std::vector<LaunchCell>{{0, 10}, {1, 11}, {3, 1}}));
    QVERIFY(!cells[0].isDense());
    QVERIFY(cells[1].isDense());
    const CounterTrack rate = launchRate(cells);
    QCOMPARE(std::vector<std::int64_t>(rate.timeNs.begin(), rate.timeNs.end()),
             (std::vector<std::int64_t>{0, 1'000'000, 2'000'000, 3'000'000, 4'000'000}));
    QCOMPARE(std::vector<double>(rate.value.begin(), rate.value.end()),
             (std::vector<double>{10, 11, 0, 1, 0}));
}

void TstLaunchDensity::d06_report() {
    const auto trace = sample();
    const ReportTable table = reportOf(*trace, "launch_density");
    QCOMPARE(table.rows(), std::size_t{3});
    const auto rowIs = [&](std::size_t row, std::int64_t start, std::int64_t launches, std::string_view dense,
                           std::int64_t busyNs, std::string_view percent) {
        QCOMPARE(numberOf(table, row, "Start (ns)"), start);
        QCOMPARE(numberOf(table, row, "Duration (ns)"), 1'000'000);
        QCOMPARE(numberOf(table, row, "Launches"), launches);
        QCOMPARE(cellOf(table, row, "Dense"), std::string(dense));
        QCOMPARE(numberOf(table, row, "GPU Busy (ns)"), busyNs);
        QCOMPARE(cellOf(table, row, "GPU Busy (%)"), std::string(percent));
    };
    rowIs(0, 0, 10, "", 250'000, "25.0");
    rowIs(1, 1'000'000, 11, "dense", 600'000, "60.0");
    rowIs(2, 3'000'000, 1, "", 0, "0.0");
    QCOMPARE(table.notes().size(), std::size_t{2});
    QVERIFY(table.notes()[0].starts_with("1 of the 3 ms with launches are dense"));
    QVERIFY(table.notes()[1].starts_with("The GPU was idle for 40.0 % of those."));

    ReportOptions options;
    options.range = TimeRange{{1'500'000}, {2'500'000}};
    const ReportTable part = reportOf(*trace, "launch_density", options);
    QCOMPARE(part.rows(), std::size_t{1});
    QCOMPARE(numberOf(part, 0, "Launches"), 11);
}

// Not recorded is not idle.
void TstLaunchDensity::d06_reportWithoutDevices() {
    std::vector<std::string> rows;
    addLaunches(rows, 0, 11);
    const ReportTable table = reportOf(*traceOfText(rows), "launch_density");
    QCOMPARE(table.rows(), std::size_t{1});
    QVERIFY(table.isEmpty(0, *table.findColumn("GPU Busy (ns)")));
    QVERIFY(table.isEmpty(0, *table.findColumn("GPU Busy (%)")));
    const ReportTable none = reportOf(*traceOfText({kernel(0, 5)}), "launch_density");
    QCOMPARE(none.rows(), std::size_t{0});
    QCOMPARE(none.notes().size(), std::size_t{1});
}

void TstLaunchDensity::d06_stripOverTheCalls() {
    const auto trace = sample();
    const RowLayout layout = RowLayout::build(*trace, {});
    const TimelineRow& row = layout.rows()[*layout.rowOf(apiLane(*trace))];
    QVERIFY(row.launchRate != nullptr);
    QCOMPARE(row.counterMax, 11.0);
    QVERIFY(row.rateHeight > 0);
    QVERIFY(row.rateTop + row.rateHeight <= row.stripTop);

    // 100 us a pixel: a ms is ten of them.
    FrameOptions options;
    options.heightPx = layout.height();
    const Frame frame = buildFrame(*trace, layout, Viewport{{0}, 100'000.0, 50}, options);
    const auto lane = std::ranges::find(frame.lanes, apiLane(*trace), &LaneFrame::lane);
    QVERIFY(lane != frame.lanes.end());
    QCOMPARE(lane->rateHeight, row.rateHeight);
    std::vector<std::pair<int, double>> points;
    for (const CounterPoint& point : lane->counter)
        points.emplace_back(point.x, point.last);
    QCOMPARE(points, (std::vector<std::pair<int, double>>{{0, 10}, {10, 11}, {20, 0}, {30, 1}, {40, 0}}));
    // 10 ms a pixel: the peak stays.
    const Frame far = buildFrame(*trace, layout, Viewport{{0}, 10'000'000.0, 50}, options);
    const auto narrow = std::ranges::find(far.lanes, apiLane(*trace), &LaneFrame::lane);
    QCOMPARE(narrow->counter.front().max, 11.0);

    // 10 in a ms are not dense, and the lane is as it was.
    std::vector<std::string> rows;
    addLaunches(rows, 0, 10);
    const auto thin = traceOfText(rows);
    const RowLayout without = RowLayout::build(*thin, {});
    const TimelineRow& plain = without.rows()[*without.rowOf(apiLane(*thin))];
    QVERIFY(plain.launchRate == nullptr);
    QCOMPARE(plain.rateHeight, 0);
    QCOMPARE(row.stripTop - plain.stripTop, row.rateHeight + 1); // and a line of air
    const std::uint32_t last = row.stripCount - 1;
    QCOMPARE(row.height - row.stripY(last) - row.heightOf(last),
             plain.height - plain.stripY(0) - plain.heightOf(0));
}

// Cells stand at whole ms on both sides of zero.
void TstLaunchDensity::beforeTimeZero() {
    const LaunchCell cell{-1, 1};
    QCOMPARE(cell.range().begin.v, std::int64_t{-1'000'000});
    QCOMPARE(cell.range().end.v, std::int64_t{0});
}

// Counted by a script over the rows of the file: the main thread launches at most 20 in a ms, that of
// autograd 35; 12 of 19 ms with launches are dense, of 268 launches.
void TstLaunchDensity::d06_ofACapture() {
    JobControl job;
    const auto loaded =
        loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
    QVERIFY(loaded);
    const ReportTable table = reportOf(*loaded->trace, "launch_density");
    std::map<std::string, std::int64_t> most;
    std::int64_t launches = 0, dense = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::int64_t count = numberOf(table, row, "Launches");
        std::int64_t& best = most[cellOf(table, row, "Thread")];
        best = std::max(best, count);
        launches += count;
        dense += cellOf(table, row, "Dense") == "dense" ? 1 : 0;
    }
    QCOMPARE(table.rows(), std::size_t{19});
    QCOMPARE(dense, 12);
    QCOMPARE(launches, 268);
    QCOMPARE(most, (std::map<std::string, std::int64_t>{{"python3 483", 20}, {"pt_autograd_0 509", 35}}));
}

LACUNA_TEST(TstLaunchDensity, "tst_launch_density")

} // namespace tst_launch_density

#include "tst_launch_density.moc"
