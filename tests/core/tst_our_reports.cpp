// Reports of our own on hand-made traces, with the worked numbers of features.md: A03, A14, A17, C24, C46,
// C48, C49, C51, E06, E10, E11, E12, E13; and against the analyses that they print.

#include "core/analysis/collective.h"
#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/analysis/step_times.h"
#include "core/import/load_trace.h"
#include "core/report/statistics.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <array>
#include <cmath>

namespace tst_our_reports {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string kernel(double ts, double dur, std::string_view name = "gemm", int correlation = 0,
                   int stream = 7) {
    return rowText("kernel", name, ts, dur,
                   "{'device':0,'stream':" + std::to_string(stream) +
                       ",'correlation':" + std::to_string(correlation) + "}",
                   stream);
}
std::string launchCall(double ts, double dur, int correlation) {
    return rowText("cuda_runtime", "cudaLaunchKernel", ts, dur,
                   "{'correlation':" + std::to_string(correlation) + "}");
}
std::string range(std::string_view name, double ts, double dur) {
    return rowText("user_annotation", name, ts, dur);
}

// Of the first row whose Kind and Name are these.
std::int64_t overlapNs(const ReportTable& table, std::string_view kind, std::string_view name,
                       std::string_view column = "Union (ns)") {
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (cellOf(table, row, "Kind") == kind && cellOf(table, row, "Name") == name)
            return numberOf(table, row, column);
    return -1;
}

std::int64_t sumOf(const ReportTable& table, std::string_view column) {
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        sum += table.isEmpty(row, columnOf(table, column)) ? 0 : numberOf(table, row, column);
    return sum;
}

std::shared_ptr<const Trace> capturedTrace(const std::string& name) {
    const auto file = shared("traces/captured/torch/" + name + ".pt.trace.json.gz");
    if (!file)
        return nullptr;
    JobControl job;
    auto loaded = loadTrace(*file, builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

} // namespace

class TstOurReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c24_sumBesideUnion();
    void c51_exposedCommunication();
    void overlap_statesSumToTheSpan();
    void c48_c49_launchesAndWaits();
    void e06_latencyAndQueueingApart();
    void launch_countsTimeBlocked();
    void streams_busyAndOverlapped();
    void api_tellsWhatBlocks();
    void e10_e11_copies();
    void e12_collectiveBandwidth();
    void a03_warmUpIsExcluded();
    void a14_phasesSumToTheStep();
    void a17_statistics();
    void c46_unusualStep();
    void steps_knowBusyAndData();
    void idle_sumsToTheIdleTime();
    void threads_busyIsTheUnion();
    void copies_untoldBytesAreUnknown();
    void overlap_edgesOfARangeAreSaid();
    void emptyTraces_saySo();
};

// [0,4] + [2,6]: sum 8, union 6; moved to [4,8] in 12 ms: union 8, idle 4 (first case: 6).
void TstOurReports::c24_sumBesideUnion() {
    ReportOptions options;
    options.range = TimeRange{{0}, {12'000'000}};
    for (const bool isMoved : {false, true}) {
        const auto trace =
            traceOfText({kernel(0, 4'000), kernel(isMoved ? 4'000 : 2'000, 4'000, "b", 0, 20)});
        const ReportTable table = reportOf(*trace, "overlap", options);
        QCOMPARE(overlapNs(table, "work", "all", "Sum (ns)"), 8'000'000);
        QCOMPARE(overlapNs(table, "work", "all"), isMoved ? 8'000'000 : 6'000'000);
        QCOMPARE(overlapNs(table, "state", "idle"), isMoved ? 4'000'000 : 6'000'000);
    }
}

// A 10 ms all-reduce with 7 ms under compute: exposed 3 ms.
void TstOurReports::c51_exposedCommunication() {
    const auto trace =
        traceOfText({kernel(0, 7'000), kernel(0, 10'000, "ncclDevKernel_AllReduce_Sum_f32", 0, 20)});
    const ReportTable table = reportOf(*trace, "overlap");
    QCOMPARE(overlapNs(table, "work", "communication", "Exposed (ns)"), 3'000'000);
    QCOMPARE(overlapNs(table, "work", "communication", "Overlapped (ns)"), 7'000'000);
    QCOMPARE(overlapNs(table, "state", "compute+communication"), 7'000'000);
    // E13: less of it hidden less well would show here.
    const auto better = traceOfText({kernel(0, 9'000), kernel(0, 10'000, "ncclDevKernel_AllReduce", 0, 20)});
    QCOMPARE(overlapNs(reportOf(*better, "overlap"), "work", "communication", "Exposed (ns)"), 1'000'000);
}

void TstOurReports::overlap_statesSumToTheSpan() {
    const auto trace = capturedTrace("prefetch_overlap");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    const ReportTable table = reportOf(*trace, "overlap");
    std::int64_t states = 0, sums = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const bool isState = cellOf(table, row, "Kind") == "state";
        states += isState ? numberOf(table, row, "Union (ns)") : 0;
        sums += isState || cellOf(table, row, "Name") == "all" ? 0 : numberOf(table, row, "Sum (ns)");
    }
    QCOMPARE(states, busy.span.length().v);
    QCOMPARE(sums, busy.sumNs);
    QCOMPARE(overlapNs(table, "work", "all", "Sum (ns)"), busy.sumNs);
    QCOMPARE(overlapNs(table, "work", "memcpy", "Exposed (ns)") +
                 overlapNs(table, "work", "memset", "Exposed (ns)") - busy.stateNs[kCopy | kSet],
             busy.exposedCopyNs());
    // A window is cut to the ns, and two halves add up.
    ReportOptions left, right;
    const TimeNs middle{(busy.span.begin.v + busy.span.end.v) / 2};
    left.range = TimeRange{busy.span.begin, middle};
    right.range = TimeRange{middle, busy.span.end};
    for (const std::string_view column : {"Union (ns)", "Sum (ns)"})
        QCOMPARE(overlapNs(reportOf(*trace, "overlap", left), "work", "compute", column) +
                     overlapNs(reportOf(*trace, "overlap", right), "work", "compute", column),
                 overlapNs(table, "work", "compute", column));
}

// Five 2 ms kernels, 1 ms launches: async they end at 11 ms, with a wait after each at 15 ms; GPU sum 10, CPU
// sum 5. With 3 ms launches: 17 and 25 ms, four gaps of 1 ms.
void TstOurReports::c48_c49_launchesAndWaits() {
    const auto build = [](double call, bool waits) {
        std::vector<std::string> rows;
        double host = 0, device = 0;
        for (int k = 1; k <= 5; ++k) {
            rows.push_back(launchCall(host, call, k));
            host += call;
            device = std::max(device, host) + 2'000;
            rows.push_back(kernel(device - 2'000, 2'000, "work", k));
            if (waits)
                host = device;
        }
        return traceOfText(rows);
    };
    const auto endNs = [](const Trace& trace) { return trace.window().end.v; };
    for (const bool waits : {false, true}) {
        const auto fast = build(1'000, waits);
        QCOMPARE(endNs(*fast), waits ? 15'000'000 : 11'000'000);
        QCOMPARE(overlapNs(reportOf(*fast, "overlap"), "work", "all", "Sum (ns)"), 10'000'000);
        const ReportTable averages = reportOf(*fast, "key_averages");
        QCOMPARE(numberOf(averages, *rowOf(averages, "Name", "cudaLaunchKernel"), "CPU total (ns)"),
                 5'000'000);
        const auto slow = build(3'000, waits);
        QCOMPARE(endNs(*slow), waits ? 25'000'000 : 17'000'000);
        if (waits)
            continue;
        QCOMPARE(overlapNs(reportOf(*slow, "overlap"), "state", "idle"), 4'000'000);
        QCOMPARE(sumOf(reportOf(*slow, "idle"), "Gaps"), 4);
    }
}

// Call [0,4), kernel at 10: latency 10 us, of which 6 us after the call had returned.
void TstOurReports::e06_latencyAndQueueingApart() {
    const auto trace = traceOfText(
        {launchCall(0, 4, 1), kernel(10, 5, "a", 1), launchCall(12, 6, 2), kernel(16, 5, "b", 2)});
    const ReportTable table = reportOf(*trace, "launch");
    QCOMPARE(table.rows(), std::size_t{1});
    QCOMPARE(numberOf(table, 0, "Launched"), 2);
    QCOMPARE(numberOf(table, 0, "Latency Max (ns)"), 10'000);
    QCOMPARE(numberOf(table, 0, "Latency Min (ns)"), 4'000);
    QCOMPARE(numberOf(table, 0, "Queued Max (ns)"), 6'000);
    QCOMPARE(numberOf(table, 0, "Queued Min (ns)"), 0);
    QCOMPARE(numberOf(table, 0, "Started Before Return"), 1);
    QCOMPARE(numberOf(table, 0, "Max Queue Depth"), 1);
    QCOMPARE(numberOf(table, 0, "Blocked (ns)"), 0);
}

// Stream 7: [0,10) and [20,30), 13: [5,25): 5 + 5 of each are under the other; the collective is on 13.
void TstOurReports::streams_busyAndOverlapped() {
    const auto trace =
        traceOfText({kernel(0, 10), kernel(20, 10), kernel(5, 20, "ncclDevKernel_AllReduce_Sum_f32", 0, 13)});
    const ReportTable table = reportOf(*trace, "streams");
    QCOMPARE(table.rows(), std::size_t{2});
    const auto first = *rowOf(table, "Stream", "7"), second = *rowOf(table, "Stream", "13");
    QCOMPARE(first, std::size_t{0}); // equally busy: by number
    for (const auto& [row, alone, communication] :
         {std::tuple(first, 10'000, 0), std::tuple(second, 10'000, 20'000)}) {
        QCOMPARE(numberOf(table, row, "Busy (ns)"), 20'000);
        QCOMPARE(numberOf(table, row, "Sum (ns)"), 20'000);
        QCOMPARE(cellOf(table, row, "Share of span (%)"), std::string("66.7")); // of 30 us
        QCOMPARE(numberOf(table, row, "Overlapped (ns)"), 20'000 - alone);
        QCOMPARE(numberOf(table, row, "Communication (ns)"), communication);
    }
    QCOMPARE(numberOf(table, first, "Count"), 2);
    QCOMPARE(numberOf(table, first, "First (ns)"), 0);
    QCOMPARE(numberOf(table, second, "Last (ns)"), 25'000);
    // In [8,22) stream 7 has [8,10) and [20,22), all of it under 13, which is busy throughout.
    ReportOptions options;
    options.range = TimeRange{{8'000}, {22'000}};
    const ReportTable part = reportOf(*trace, "streams", options);
    QCOMPARE(numberOf(part, 0, "Stream"), 13);
    QCOMPARE(numberOf(part, 0, "Busy (ns)"), 14'000);
    QCOMPARE(numberOf(part, 0, "Overlapped (ns)"), 4'000);
    QCOMPARE(numberOf(part, 1, "Busy (ns)"), 4'000);
    QCOMPARE(numberOf(part, 1, "Overlapped (ns)"), 4'000);
}

// What a function does is told by its name alone, whatever this call did.
void TstOurReports::api_tellsWhatBlocks() {
    const auto call = [](std::string_view name, double ts, double dur, std::string_view category) {
        return rowText(category, name, ts, dur, "{'correlation':0}");
    };
    const auto trace = traceOfText(
        {call("cudaStreamSynchronize", 0, 50, "cuda_runtime"), call("cudaMemcpyAsync", 60, 6, "cuda_runtime"),
         call("cudaMemcpyAsync", 70, 4, "cuda_runtime"), call("cuLaunchKernel", 80, 5, "cuda_driver"),
         call("cudaMalloc", 90, 3, "cuda_runtime"), call("cudaEventQuery", 95, 2, "cuda_runtime")});
    const ReportTable table = reportOf(*trace, "api");
    QCOMPARE(table.rows(), std::size_t{5});
    const auto expect = [&](std::string_view name, const char* layer, const char* isBlocking, int count,
                            int totalNs, const char* share) {
        const auto row = *rowOf(table, "Call", name);
        QCOMPARE(cellOf(table, row, "Layer"), std::string(layer));
        QCOMPARE(cellOf(table, row, "Blocks"), std::string(isBlocking));
        QCOMPARE(numberOf(table, row, "Count"), count);
        QCOMPARE(numberOf(table, row, "Total (ns)"), totalNs);
        QCOMPARE(cellOf(table, row, "Share of calls (%)"), std::string(share));
    };
    expect("cudaStreamSynchronize", "runtime", "yes", 1, 50'000, "71.4"); // of 70 us
    expect("cudaMemcpyAsync", "runtime", "depends", 2, 10'000, "14.3");
    expect("cuLaunchKernel", "driver", "no", 1, 5'000, "7.1");
    expect("cudaMalloc", "runtime", "depends", 1, 3'000, "4.3");
    expect("cudaEventQuery", "runtime", "no", 1, 2'000, "2.9");
    QCOMPARE(*rowOf(table, "Call", "cudaMemcpyAsync"), std::size_t{1});
    QCOMPARE(cellOf(table, 1, "Med (ns)"), std::string("5000.0"));
}

// 1,023 calls, one a us, before the first of their kernels starts: full from the 1,022nd call to the second
// start.
void TstOurReports::launch_countsTimeBlocked() {
    std::vector<std::string> rows;
    for (int k = 1; k <= 1'023; ++k) {
        rows.push_back(launchCall(k, 0.5, k));
        rows.push_back(kernel(2'000 + 10 * k, 5, "k", k));
    }
    const auto trace = traceOfText(rows); // time zero: the first call
    const ReportTable table = reportOf(*trace, "launch");
    QCOMPARE(numberOf(table, 0, "Max Queue Depth"), 1'023);
    QCOMPARE(numberOf(table, 0, "Blocked (ns)"), (2'020 - 1'022) * 1'000);
}

// Bytes / time, by direction and kind of memory; pageable copies are advised against.
void TstOurReports::e10_e11_copies() {
    const auto copy = [](std::string_view name, double ts, double dur, int bytes, int stream) {
        return rowText("gpu_memcpy", name, ts, dur,
                       "{'device':0,'stream':" + std::to_string(stream) +
                           ",'bytes':" + std::to_string(bytes) + "}",
                       stream);
    };
    const auto trace = traceOfText({copy("Memcpy HtoD (Pageable -> Device)", 0, 10, 100'000, 7),
                                    copy("Memcpy DtoH (Device -> Pinned)", 20, 4, 160'000, 7),
                                    copy("Memcpy DtoH (Device -> Pinned)", 22, 4, 80'000, 20),
                                    rowText("kernel", "gemm", 4, 3, "{'device':0,'stream':9}", 9),
                                    rowText("kernel", "nccl_all", 6, 2, "{'device':0,'stream':10}", 10)});
    const ReportTable table = reportOf(*trace, "copies");
    QCOMPARE(table.rows(), std::size_t{2});
    const auto pageable = *rowOf(table, "Direction", "HtoD"), pinned = *rowOf(table, "Direction", "DtoH");
    QCOMPARE(cellOf(table, pageable, "GB/s"), std::string("10.000"));
    QCOMPARE(cellOf(table, pageable, "Pageable"), std::string("yes"));
    QCOMPARE(cellOf(table, pageable, "Source"), std::string("pageable"));
    QCOMPARE(cellOf(table, pinned, "Pageable"), std::string("no"));
    QCOMPARE(cellOf(table, pinned, "GB/s"), std::string("30.000"));          // 240,000 B in 8 us
    QCOMPARE(cellOf(table, pinned, "GB/s of Union"), std::string("40.000")); // in 6 us
    QCOMPARE(numberOf(table, pageable, "Exposed (ns)"), 6'000); // of 10 us the kernels hide [4, 8)
    QCOMPARE(numberOf(table, pinned, "Exposed (ns)"), 6'000);   // all of its union
    QCOMPARE(table.notes().size(), std::size_t{1});
    QVERIFY(table.notes()[0].starts_with("1 copy uses pageable memory"));
}

// 1 GiB in 10 ms: 107.4 GB/s algorithm bandwidth; of 8 ranks all-reduce 7/4 of it on the bus.
void TstOurReports::e12_collectiveBandwidth() {
    const std::string args = "{'device':0,'stream':7,'Collective name':'allreduce','In msg nelems':268435456,"
                             "'Out msg nelems':268435456,'Group size':8,'dtype':'Float'}";
    auto loaded = loadText(
        q(objectForm(rowText("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING", 0, 10'000, args, 7))));
    QVERIFY(loaded);
    JobControl job;
    ReportQuery query;
    query.name = "collectives";
    const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
    QVERIFY(table);
    QCOMPARE(table->rows(), std::size_t{1});
    QCOMPARE(numberOf(*table, 0, "Bytes"), std::int64_t{1} << 30);
    QCOMPARE(cellOf(*table, 0, "Collective"), std::string("allreduce"));
    QCOMPARE(cellOf(*table, 0, "Algorithm GB/s"), std::string("107.4"));
    QCOMPARE(cellOf(*table, 0, "Bus GB/s"), std::string("187.9"));
    // Without the source the times stay.
    const ReportTable without = reportOf(*loaded->trace, "collectives");
    QCOMPARE(numberOf(without, 0, "Sum (ns)"), 10'000'000);
    QVERIFY(without.isEmpty(0, columnOf(without, "Bus GB/s")));
    QCOMPARE(busFactor("_allgather_base", 4)->numerator, 3);
    QCOMPARE(busFactor("broadcast", std::nullopt)->denominator, 1);
    QVERIFY(!busFactor("allreduce", std::nullopt));
}

// 35 steps, first 5 = 100 ms, next 30 = 10 ms: mean 10.00 ms, 5 warm-up steps excluded of 35.
void TstOurReports::a03_warmUpIsExcluded() {
    std::vector<std::string> rows;
    double at = 0;
    for (int k = 0; k < 35; ++k) {
        const double dur = k < 5 ? 100'000 : 10'000;
        rows.push_back(range("ProfilerStep#" + std::to_string(k), at, dur));
        at += dur;
    }
    const ReportTable table = reportOf(*traceOfText(rows), "steps");
    QCOMPARE(table.rows(), std::size_t{35});
    QCOMPARE(cellOf(table, 4, "Mark"), std::string("warm-up"));
    QCOMPARE(cellOf(table, 5, "Mark"), std::string());
    QCOMPARE(table.notes().size(), std::size_t{1});
    QVERIFY2(table.notes()[0].find("5 warm-up steps excluded of 35; mean 10.00 ms") != std::string::npos,
             table.notes()[0].c_str());
    QCOMPARE(numberOf(table, 0, "Period (ns)"), 100'000'000);
    QVERIFY(table.isEmpty(34, columnOf(table, "Period (ns)")));
}

// Phases + "(unattributed)" = step time, to the ns.
void TstOurReports::a14_phasesSumToTheStep() {
    const auto made =
        traceOfText({range("ProfilerStep#1", 0, 10), range("forward", 1, 4), range("inner", 2, 1),
                     range("backward", 5, 3), range("forward", 8.5, 0.25)});
    const ReportTable small = reportOf(*made, "phases");
    QCOMPARE(small.rows(), std::size_t{3});
    QCOMPARE(cellOf(small, 0, "Phase"), std::string("forward"));
    QCOMPARE(numberOf(small, 0, "Count"), 2);
    QCOMPARE(numberOf(small, 0, "Time (ns)"), 4'250);
    QCOMPARE(numberOf(small, 1, "Time (ns)"), 3'000);
    QCOMPARE(numberOf(small, 2, "Time (ns)"), 2'750);
    const auto trace = capturedTrace("healthy_train");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    QCOMPARE(sumOf(reportOf(*trace, "phases"), "Time (ns)"),
             sumOf(reportOf(*trace, "steps"), "Duration (ns)"));
}

// [1,2,3,4,5] ms: 3 / 3 / 1.5811 / 1 / 5; one value: deviation 0.
void TstOurReports::a17_statistics() {
    std::array<std::int64_t, 5> values{5'000'000, 1'000'000, 4'000'000, 2'000'000, 3'000'000};
    const Statistics five = statisticsOf(values);
    QCOMPARE(five.total / five.count, 3'000'000);
    QCOMPARE(five.medianTwice, 6'000'000);
    QCOMPARE(std::llround(five.deviation), 1'581'139);
    QCOMPARE(five.min, 1'000'000);
    QCOMPARE(five.max, 5'000'000);
    QCOMPARE(statisticsOf(std::span(values).first(1)).deviation, 0.0);
}

// A step of three times the median is marked "unusual".
void TstOurReports::c46_unusualStep() {
    const ReportTable table =
        reportOf(*traceOfText({range("ProfilerStep#0", 0, 10), range("ProfilerStep#1", 10, 10),
                               range("ProfilerStep#2", 20, 30), range("ProfilerStep#3", 50, 10)}),
                 "steps");
    QCOMPARE(cellOf(table, 2, "Mark"), std::string("unusual"));
    QCOMPARE(cellOf(table, 3, "Mark"), std::string());
    const std::vector<std::int64_t> slowing{9, 9, 9, 1, 1, 1, 1};
    QCOMPARE(countWarmUps(slowing, 1.5), std::size_t{3});
    const std::vector<std::int64_t> mostlySlow{9, 9, 9, 1};
    QCOMPARE(countWarmUps(mostlySlow, 1.5), std::size_t{0}); // the median is slow itself
}

void TstOurReports::steps_knowBusyAndData() {
    const ReportTable table =
        reportOf(*traceOfText({range("ProfilerStep#0", 0, 100), kernel(20, 30), kernel(90, 30),
                               range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 5, 10)}),
                 "steps");
    QCOMPARE(numberOf(table, 0, "GPU Busy (ns)"), 40'000);
    QCOMPARE(numberOf(table, 0, "GPU Idle (ns)"), 60'000);
    QCOMPARE(numberOf(table, 0, "Data Loading (ns)"), 10'000);
    QCOMPARE(numberOf(table, 0, "GPU Operations"), 2);
}

void TstOurReports::idle_sumsToTheIdleTime() {
    const auto trace = capturedTrace("item_sync");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    const ReportTable table = reportOf(*trace, "idle");
    QCOMPARE(sumOf(table, "Idle (ns)"), busy.idleNs());
    QCOMPARE(sumOf(table, "Gaps Total (ns)"), busy.idleNs());
    const auto gaps = GapAnalysis::run(trace, {}, job);
    QCOMPARE(sumOf(table, "Gaps"), static_cast<std::int64_t>((*gaps)->gapsOf({0}).size()));
    const GapTotals totals = (*gaps)->totals({0});
    const auto drain = *rowOf(table, "Cause", "SYNC_DRAIN");
    QCOMPARE(numberOf(table, drain, "Idle (ns)"),
             totals.partNs[static_cast<std::size_t>(GapCause::SyncDrain)]);
    QCOMPARE(cellOf(table, drain, "Class"), std::string("sync"));
    for (std::size_t row = 1; row < table.rows(); ++row)
        QVERIFY(numberOf(table, row, "Idle (ns)") <= numberOf(table, row - 1, "Idle (ns)"));
}

void TstOurReports::threads_busyIsTheUnion() {
    const auto trace = traceOfText({rowText("cpu_op", "a", 0, 10), rowText("cpu_op", "b", 2, 4),
                                    launchCall(3, 2, 1), rowText("cpu_op", "c", 20, 5),
                                    rowText("cpu_op", "d", 0, 100, "{}", 2), kernel(50, 1, "k", 1)});
    const ReportTable table = reportOf(*trace, "threads");
    QCOMPARE(table.rows(), std::size_t{2});
    QCOMPARE(numberOf(table, 0, "Busy (ns)"), 100'000);
    QCOMPARE(numberOf(table, 1, "Busy (ns)"), 15'000);
    QCOMPARE(numberOf(table, 1, "Rows"), 4);
    QCOMPARE(numberOf(table, 1, "Operators"), 3);
    QCOMPARE(numberOf(table, 1, "In CUDA Calls (ns)"), 2'000);
    QCOMPARE(numberOf(table, 1, "Launching Calls"), 1);
    ReportOptions options;
    options.range = TimeRange{{5'000}, {22'000}};
    const ReportTable cut = reportOf(*trace, "threads", options);
    QCOMPARE(numberOf(cut, 1, "Busy (ns)"), 7'000);
}

// ROCm's sets do not tell their size: 0 bytes and 0 GB/s would be numbers that nobody measured.
void TstOurReports::copies_untoldBytesAreUnknown() {
    const std::string told = "{'device':0,'stream':7,'bytes':4000}", untold = "{'device':0,'stream':7}";
    const auto trace = traceOfText({rowText("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 0, 4, told, 7),
                                    rowText("gpu_memset", "Memset (Device)", 10, 5, untold, 7)});
    const ReportTable copies = reportOf(*trace, "copies");
    const auto set = *rowOf(copies, "Direction", "set");
    for (const char* column : {"Bytes", "GB/s", "GB/s of Union"})
        QVERIFY2(copies.isEmpty(set, columnOf(copies, column)), column);
    QCOMPARE(numberOf(copies, set, "Sum (ns)"), 5'000);
    const auto copy = *rowOf(copies, "Direction", "HtoD");
    QCOMPARE(numberOf(copies, copy, "Bytes"), 4'000);
    QCOMPARE(cellOf(copies, copy, "GB/s"), std::string("1.000"));
    QCOMPARE(cellOf(copies, copy, "Pageable"), std::string("no"));
    const ReportTable bare =
        reportOf(*traceOfText({rowText("gpu_memcpy", "Memcpy HtoD", 0, 4, told, 7)}), "copies");
    QVERIFY(bare.isEmpty(0, columnOf(bare, "Pageable")) || cellOf(bare, 0, "Pageable").empty());
    QVERIFY(copies.notes().back().starts_with("1 copy or set does not tell how many bytes"));
    const ReportTable sizes = reportOf(*trace, "cuda_gpu_mem_size_sum");
    QCOMPARE(sizes.rows(), std::size_t{1});
    QCOMPARE(cellOf(sizes, 0, "Total (MB)"), std::string("0.004"));
    const ReportTable ops = reportOf(*trace, "cuda_gpu_trace");
    QCOMPARE(cellOf(ops, 0, "Throughput (MB/s)"), std::string("1000.000"));
    QVERIFY(ops.isEmpty(1, columnOf(ops, "Bytes (MB)")));
    QVERIFY(ops.isEmpty(1, columnOf(ops, "Throughput (MB/s)")));
    const ReportTable bandwidth = reportOf(*trace, "memory_bw_summary");
    QVERIFY(bandwidth.isEmpty(*rowOf(bandwidth, "Operation", "Memset"), columnOf(bandwidth, "Bytes")));
    QCOMPARE(numberOf(bandwidth, *rowOf(bandwidth, "Operation", "Memcpy HtoD"), "Bytes"), 4'000);
    QCOMPARE(reportOf(*trace, "memory_bw_time_series").rows(), std::size_t{2}); // of the copy alone
    const ReportTable windows = reportOf(*trace, "windows");
    QVERIFY(
        windows.isEmpty(*rowOf(windows, "Figure", "Bytes copied and set"), columnOf(windows, "Window 1")));
}

// A device that works in [10, 20) of [0, 40): idle 30 in the range, none between its operations.
void TstOurReports::overlap_edgesOfARangeAreSaid() {
    const auto trace = traceOfText({kernel(10, 10)});
    ReportOptions options;
    options.range = TimeRange{{0}, {40'000}};
    const ReportTable wide = reportOf(*trace, "overlap", options);
    QCOMPARE(overlapNs(wide, "state", "idle"), 30'000);
    QVERIFY(wide.notes().back().find("edges") != std::string::npos);
    QCOMPARE(sumOf(reportOf(*trace, "idle", options), "Idle (ns)"), 0);
    options.range = TimeRange{{12'000}, {15'000}};
    QVERIFY(reportOf(*trace, "overlap", options).notes().back().find("edges") == std::string::npos);
}

void TstOurReports::emptyTraces_saySo() {
    const auto trace = traceOfText({rowText("cpu_op", "a", 0, 10)});
    for (const std::string_view report :
         {"api", "collectives", "copies", "idle", "launch", "overlap", "phases", "steps", "streams"}) {
        const ReportTable table = reportOf(*trace, report);
        QVERIFY2(table.rows() == 0 && table.notes().size() == 1, std::string(report).c_str());
    }
}

LACUNA_TEST(TstOurReports, "tst_our_reports")

} // namespace tst_our_reports

#include "tst_our_reports.moc"
