// Kernels as the table shows them: how equal their launches are, who launched them, what else ran meanwhile.
// Worked cases by hand; features.md A26, C63, C66, C73, D02.

#include "core/analysis/device_overlap.h"
#include "core/analysis/duration_pattern.h"
#include "core/analysis/kernel_badges.h"
#include "core/analysis/kernel_bundles.h"
#include "core/analysis/kernel_callers.h"
#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "core/report/kernel_table.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <random>

namespace tst_kernel_table {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string at(int ts, int dur) {
    return q(",'ts':") + std::to_string(ts) + q(",'dur':") + std::to_string(dur);
}
std::string host(const char* category, const char* name, int ts, int dur, int id = 0) {
    return q("{'ph':'X','pid':5,'tid':5,'cat':'") + category + q("','name':'") + name + q("'") + at(ts, dur) +
           (id == 0 ? "}" : q(",'args':{'correlation':") + std::to_string(id) + "}}");
}
std::string kernel(const char* name, int ts, int dur, int id, int stream = 7, int gridX = 8) {
    return q("{'ph':'X','pid':0,'cat':'kernel','tid':") + std::to_string(stream) + q(",'name':'") + name +
           q("'") + at(ts, dur) +
           q(",'args':{'device':0,'registers per thread':32,'shared memory':1024,'stream':") +
           std::to_string(stream) + q(",'correlation':") + std::to_string(id) + q(",'grid':[") +
           std::to_string(gridX) + q(",1,1],'block':[128,1,1]}}");
}
std::string joined(const std::vector<std::string>& events) {
    std::string text;
    for (const std::string& event : events)
        text.append(text.empty() ? "" : ",\n").append(event);
    return objectForm(text);
}

ReportTable table(const std::string& text, const ReportOptions& options = {}) {
    JobControl job;
    auto loaded = loadTraceFromMemory(text, "t.json", builtinImporters(), job);
    ReportQuery query;
    query.name = "kernels";
    query.options = options;
    auto made = loaded ? runReport(*loaded->trace, loaded->details.get(), query, job)
                       : Result<ReportTable>(loaded.error());
    return made ? *std::move(made) : ReportTable({textColumn("failed")});
}
QString cell(const ReportTable& t, std::size_t row, const char* column) {
    return QString::fromStdString(t.cellText(row, *t.findColumn(column)));
}

} // namespace

class TstKernelTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pattern_ofEqualLaunches();
    void pattern_drift();
    void pattern_modes();
    void pattern_modesOfNoise();
    void exposure_m15();
    void exposure_asBruteForce();
    void callers_nearestOperatorInnermostRange();
    void a26_firstLaunchIsApart();
    void c63_equalNamesInTwoShapes();
    void c66_compiledAndFused();
    void c73_attentionBackends();
    void graphReplays();
    void bundles_byNameFunctionFamily();
    void range_selectsLaunches();
    void e15_ofACapture();
    void cancelled();
};

void TstKernelTable::pattern_ofEqualLaunches() {
    const std::vector<std::int64_t> equal(30, 1'000);
    const DurationPattern pattern = durationPattern(equal);
    QCOMPARE(pattern.drift, std::optional(0.0));
    QCOMPARE(pattern.modes, (std::vector<DurationMode>{{1'000, 30}}));
    QVERIFY(durationPattern({}).modes.empty());
    const std::vector<std::int64_t> few{5, 9, 7};
    QVERIFY(!durationPattern(few).drift);
    QCOMPARE(durationPattern(few).modes, (std::vector<DurationMode>{{7, 3}}));
    const std::vector<std::int64_t> none(20, 0);
    QVERIFY(!durationPattern(none).drift);
    QCOMPARE(durationPattern(none).modes, (std::vector<DurationMode>{{0, 20}}));
}

void TstKernelTable::pattern_drift() {
    std::vector<std::int64_t> durations(10, 1'000);
    durations.insert(durations.end(), 10, 1'040);
    durations.insert(durations.end(), 10, 1'100);
    durations[3] = 90'000; // one outlier does not move a median
    // A line through 1,000 at 4.5 and 1,100 at 24.5: 977.5 at 0, 1,122.5 at 29.
    QCOMPARE(*durationPattern(durations).drift, 1'122.5 / 977.5 - 1);
}

void TstKernelTable::pattern_modes() {
    std::vector<std::int64_t> durations(20, 1'000);
    durations.insert(durations.end(), 10, 1'200);
    std::shuffle(durations.begin(), durations.end(), std::mt19937(3));
    QCOMPARE(durationPattern(durations).modes, (std::vector<DurationMode>{{1'000, 20}, {1'200, 10}}));
    durations.push_back(50'000); // one is no mode: it stays with the last
    QCOMPARE(durationPattern(durations).modes, (std::vector<DurationMode>{{1'000, 20}, {1'200, 11}}));
    durations.assign(20, 1'000);
    durations.insert(durations.end(), 20, 1'020); // 2 % apart: noise
    QCOMPARE(durationPattern(durations).modes, (std::vector<DurationMode>{{1'000, 40}}));
    durations.insert(durations.end(), 20, std::int64_t{1} << 62);
    QCOMPARE(durationPattern(durations).modes.size(), std::size_t{2});
}

void TstKernelTable::pattern_modesOfNoise() {
    std::mt19937 random(11);
    std::vector<std::int64_t> durations;
    for (int i = 0; i < 500; ++i)
        durations.push_back(100'000 + static_cast<std::int64_t>(random() % 3'000));
    const DurationPattern pattern = durationPattern(durations);
    QCOMPARE(pattern.modes.size(), std::size_t{1});
    QCOMPARE(pattern.modes[0].count, std::uint64_t{500});
}

// analysis.md, case M15.
void TstKernelTable::exposure_m15() {
    const auto trace = jsonTrace(joined({kernel("compute", 0, 10, 1, 7), kernel("comm", 5, 15, 2, 20),
                                         kernel("copying", 18, 12, 3, 21), kernel("alone", 40, 5, 4, 7)}));
    JobControl job;
    const auto overlap = DeviceOverlap::of(*trace, job);
    QVERIFY(overlap);
    QCOMPARE(overlap->overlapped(test::eventNamed(*trace, "compute")).v, std::int64_t{5'000});
    QCOMPARE(overlap->overlapped(test::eventNamed(*trace, "comm")).v, std::int64_t{7'000});
    QCOMPARE(overlap->overlapped(test::eventNamed(*trace, "copying")).v, std::int64_t{2'000});
    QCOMPARE(overlap->overlapped(test::eventNamed(*trace, "alone")).v, std::int64_t{0});
}

// Every microsecond by itself.
void TstKernelTable::exposure_asBruteForce() {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> events;
        std::vector<std::pair<int, int>> times;
        for (int i = 0; i < 12; ++i) {
            const int ts = static_cast<int>(random() % 60), dur = static_cast<int>(random() % 15);
            events.push_back(kernel(("k" + std::to_string(i)).c_str(), ts, dur, i + 1, 7 + i));
            times.emplace_back(ts, dur);
        }
        const auto trace = jsonTrace(joined(events));
        JobControl job;
        const auto overlap = DeviceOverlap::of(*trace, job);
        QVERIFY(overlap);
        for (std::size_t i = 0; i < times.size(); ++i) {
            std::int64_t expected = 0;
            for (int t = times[i].first; t < times[i].first + times[i].second; ++t) {
                const auto running = std::count_if(times.begin(), times.end(), [t](const auto& other) {
                    return other.first <= t && t < other.first + other.second;
                });
                expected += running > 1 ? 1'000 : 0;
            }
            QCOMPARE(overlap->overlapped(test::eventNamed(*trace, "k" + std::to_string(i))).v, expected);
        }
    }
}

void TstKernelTable::callers_nearestOperatorInnermostRange() {
    const ReportTable t = table(joined({
        host("user_annotation", "ProfilerStep#1", 0, 200),
        host("user_annotation", "forward", 1, 90),
        host("cpu_op", "aten::linear", 2, 40),
        host("cpu_op", "aten::addmm", 3, 30),
        host("cuda_runtime", "cudaLaunchKernel", 5, 2, 1),
        host("cuda_runtime", "cudaLaunchKernel", 36, 2, 2),
        host("cuda_runtime", "cudaLaunchKernel", 150, 2, 3),
        kernel("gemm", 10, 5, 1),
        kernel("gemm", 50, 5, 2),
        kernel("gemm", 160, 5, 3),
        kernel("gemm", 170, 5, 99),
    }));
    QCOMPARE(t.rows(), std::size_t{1});
    QCOMPARE(cell(t, 0, "Count"), QStringLiteral("4"));
    QCOMPARE(cell(t, 0, "Operators"), QStringLiteral("aten::linear 1, aten::addmm 1"));
    QCOMPARE(cell(t, 0, "Ranges"), QStringLiteral("forward"));
    QCOMPARE(cell(t, 0, "Grid"), QStringLiteral("8 x 1 x 1"));
    QCOMPARE(cell(t, 0, "Registers"), QStringLiteral("32"));
}

// One launch of 200 times the median is told apart and left out of the median.
void TstKernelTable::a26_firstLaunchIsApart() {
    std::vector<std::string> events{kernel("k", 0, 2'000, 1)};
    for (int i = 0; i < 20; ++i)
        events.push_back(kernel("k", 3'000 + 20 * i, 10, i + 2));
    const ReportTable t = table(joined(events));
    QCOMPARE(cell(t, 0, "First Launch"), QStringLiteral("2000000"));
    QCOMPARE(cell(t, 0, "Median"), QStringLiteral("10000"));
    QCOMPARE(cell(t, 0, "P95"), QStringLiteral("10000"));
    QCOMPARE(cell(t, 0, "Drift"), QStringLiteral("0.0"));
    QCOMPARE(cell(t, 0, "Total"), QStringLiteral("2200000")); // it took that time all the same
}

void TstKernelTable::c63_equalNamesInTwoShapes() {
    const ReportTable t = table(joined({kernel("gemm", 0, 30, 1, 7, 8), kernel("gemm", 100, 50, 2, 7, 16),
                                        kernel("gemm", 200, 20, 3, 7, 8)}));
    QCOMPARE(t.rows(), std::size_t{2});
    QCOMPARE(cell(t, 0, "Grid"), QStringLiteral("8 x 1 x 1"));
    QCOMPARE(cell(t, 0, "Total"), QStringLiteral("50000"));
    QCOMPARE(cell(t, 1, "Grid"), QStringLiteral("16 x 1 x 1"));
    QCOMPARE(cell(t, 1, "Total"), QStringLiteral("50000"));
    QCOMPARE(cell(t, 0, "Share"), QStringLiteral("50.0"));
}

void TstKernelTable::c66_compiledAndFused() {
    QCOMPARE(fusedPart("triton_poi_fused_add_gelu_3"), "add_gelu");
    QCOMPARE(fusedPart("triton_red_fused__softmax_0"), "_softmax");
    QCOMPARE(fusedPart("triton_per_mean_2"), "");
    QCOMPARE(fusedPart("void fused_dropout<float>()"), "");
    const ReportTable t = table(joined({kernel("triton_poi_fused_add_gelu_3", 0, 30, 1)}));
    QCOMPARE(cell(t, 0, "Badges"), QStringLiteral("compiled, fused: add_gelu"));
}

// Four backends, four badges: three by their kernels, the fourth by the operator that dispatched.
void TstKernelTable::c73_attentionBackends() {
    const auto badge = [](const std::string& text) { return cell(table(text), 0, "Badges"); };
    QCOMPARE(
        badge(joined({kernel("void pytorch_flash::flash_fwd_kernel<Traits>(Flash_fwd_params)", 0, 9, 1)})),
        QStringLiteral("flash attention"));
    QCOMPARE(badge(joined({kernel("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(Params)", 0, 9, 1)})),
             QStringLiteral("memory-efficient attention"));
    QCOMPARE(badge(joined({kernel("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma", 0, 9, 1)})),
             QStringLiteral("cudnn attention"));
    QCOMPARE(badge(joined({host("cpu_op", "aten::scaled_dot_product_attention", 0, 60),
                           host("cpu_op", "aten::_scaled_dot_product_attention_math", 1, 50),
                           host("cpu_op", "aten::bmm", 2, 10),
                           host("cuda_runtime", "cudaLaunchKernel", 3, 2, 1), kernel("sgemm", 20, 9, 1)})),
             QStringLiteral("math attention"));
    QCOMPARE(attentionBadge("aten::_scaled_dot_product_efficient_attention_backward"),
             "memory-efficient attention");
    QCOMPARE(attentionBadge("aten::bmm"), "");
}

void TstKernelTable::graphReplays() {
    const ReportTable t = table(joined(
        {host("cuda_runtime", "cudaGraphLaunch", 0, 5, 1), host("cuda_runtime", "cudaGraphLaunch", 50, 5, 2),
         kernel("k", 10, 3, 1), kernel("k", 20, 3, 1), kernel("k", 60, 3, 2), kernel("k", 70, 3, 2)}));
    QCOMPARE(cell(t, 0, "Badges"), QStringLiteral("CUDA graph: 2 in each of 2 replays"));
}

void TstKernelTable::bundles_byNameFunctionFamily() {
    JobControl job;
    auto loaded = loadTraceFromMemory(
        joined({kernel("void reduce_kernel<512>(int)", 0, 10, 1, 7, 8),
                kernel("void reduce_kernel<512>(int)", 20, 30, 2, 7, 16),
                kernel("void reduce_kernel<128>(int)", 60, 50, 3, 7, 8), kernel("sgemm_128", 120, 5, 4)}),
        "t.json", builtinImporters(), job);
    QVERIFY(loaded);
    auto configs = readLaunchConfigs(*loaded->trace, loaded->details.get(), job);
    const auto groups = groupKernels(loaded->trace, *std::move(configs), job);
    QVERIFY(groups);
    const auto counts = [&](KernelGrouping grouping) {
        std::vector<std::uint64_t> found;
        const auto bundles = bundleKernels(*groups, grouping, job);
        for (const KernelBundle& bundle : *bundles)
            found.push_back(bundle.count);
        return found;
    };
    QCOMPARE(counts(KernelGrouping::Configuration), (std::vector<std::uint64_t>{1, 1, 1, 1}));
    QCOMPARE(counts(KernelGrouping::Name), (std::vector<std::uint64_t>{1, 2, 1}));
    QCOMPARE(counts(KernelGrouping::Function), (std::vector<std::uint64_t>{3, 1}));
    QCOMPARE(counts(KernelGrouping::Family), (std::vector<std::uint64_t>{3, 1}));
    const KernelBundle all = bundleKernels(*groups, KernelGrouping::Function, job)->front();
    QCOMPARE(all.totalNs, std::int64_t{90'000});
    QCOMPARE(all.medianNs, std::int64_t{30'000});
    QCOMPARE(all.p95Ns, std::int64_t{50'000});
    QCOMPARE(all.minNs, std::int64_t{10'000});
    QCOMPARE(all.groups.size(), std::size_t{3});
    for (std::size_t i = 1; i < all.instances.size(); ++i)
        QVERIFY(loaded->trace->events().beginNs[all.instances[i - 1].v] <
                loaded->trace->events().beginNs[all.instances[i].v]);
}

void TstKernelTable::range_selectsLaunches() {
    const std::string text =
        joined({kernel("k", 0, 10, 1), kernel("k", 20, 10, 2), kernel("other", 40, 10, 3)});
    ReportOptions options;
    options.range = TimeRange{{9'000}, {25'000}};
    ReportTable t = table(text, options);
    QCOMPARE(t.rows(), std::size_t{1});
    QCOMPARE(cell(t, 0, "Count"), QStringLiteral("2"));
    options.range = TimeRange{{10'000}, {25'000}};
    t = table(text, options);
    QCOMPARE(cell(t, 0, "Count"), QStringLiteral("1"));
    QCOMPARE(cell(t, 0, "Share"), QStringLiteral("100.0"));
}

// The figures of mock/kernel_panel.png, which were taken from this capture.
void TstKernelTable::e15_ofACapture() {
    JobControl job;
    auto loaded = loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
    QVERIFY(loaded);
    ReportQuery query;
    query.name = "kernels";
    const auto made = runReport(*loaded->trace, loaded->details.get(), query, job);
    QVERIFY(made);
    const ReportTable& t = *made;
    QVERIFY(t.rows() > 10);
    for (std::size_t r = 1; r < t.rows(); ++r) // the longest blocks first
        QVERIFY(t.number(r - 1, *t.findColumn("Total")) >= t.number(r, *t.findColumn("Total")));
    std::size_t row = 0;
    while (row < t.rows() && !(cell(t, row, "Count") == QStringLiteral("32") &&
                               cell(t, row, "Grid") == QStringLiteral("32 x 8 x 1")))
        ++row;
    QVERIFY(row < t.rows());
    QVERIFY(cell(t, row, "Name").contains(QStringLiteral("sm80_xmma_gemm")));
    QCOMPARE(cell(t, row, "Family"), QStringLiteral("gemm"));
    QCOMPARE(cell(t, row, "Block"), QStringLiteral("128 x 1 x 1"));
    QCOMPARE(cell(t, row, "Registers"), QStringLiteral("255"));
    QCOMPARE(cell(t, row, "Median"), QStringLiteral("174913"));
    QCOMPARE(cell(t, row, "P95"), QStringLiteral("179938"));
    QCOMPARE(cell(t, row, "Share"), QStringLiteral("31.9"));
    QVERIFY(cell(t, row, "Operators").contains(QStringLiteral("aten::addmm")));
    const std::int64_t total = t.number(row, *t.findColumn("Total"));
    QCOMPARE((total + 500) / 1'000, std::int64_t{5'617});
    QCOMPARE(t.number(row, *t.findColumn("Exposed")) + t.number(row, *t.findColumn("Overlapped")), total);
}

void TstKernelTable::cancelled() {
    JobControl counting;
    auto loaded =
        loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), counting);
    QVERIFY(loaded);
    ReportQuery query;
    query.name = "kernels";
    JobControl whole;
    QVERIFY(runReport(*loaded->trace, loaded->details.get(), query, whole));
    for (std::uint64_t poll = 1; poll <= whole.polls(); poll += 1 + whole.polls() / 20) {
        JobControl job;
        job.cancelAtPoll(poll);
        const auto stopped = runReport(*loaded->trace, loaded->details.get(), query, job);
        QVERIFY(!stopped);
        QVERIFY(stopped.error().code == Errc::Cancelled);
    }
}

LACUNA_TEST(TstKernelTable, "tst_kernel_table")

} // namespace tst_kernel_table

#include "tst_kernel_table.moc"
