// Steps: statistics, warm-up, phases, candidates, schedule and throughput, with the worked numbers of
// features.md. Each test is named by its item. Times in us unless a name says otherwise.

#include "core/analysis/candidate_steps.h"
#include "core/analysis/duration_pattern.h"
#include "core/analysis/profiler_schedule.h"
#include "core/analysis/sample_statistics.h"
#include "core/analysis/step_caption.h"
#include "core/analysis/step_marks.h"
#include "core/analysis/throughput.h"
#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <numeric>

namespace tst_step_analysis {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;
using Rows = std::vector<std::string>;

std::string kernel(double ts, double dur, std::string_view name = "gemm", int stream = 7) {
    return rowText("kernel", name, ts, dur, "{'device':0,'stream':" + std::to_string(stream) + "}", stream);
}
std::string annotation(std::string_view name, double ts, double dur, int thread = 1) {
    return rowText("user_annotation", name, ts, dur, "{}", thread);
}

ReportOptions withSettings(const std::vector<std::string>& changes) {
    auto settings = std::make_shared<AnalysisSettings>();
    for (const std::string& change : changes)
        if (!changeSetting(*settings, change))
            throw std::runtime_error(change);
    ReportOptions options;
    options.settings = std::move(settings);
    return options;
}

std::string notesOf(const ReportTable& table) {
    std::string text;
    for (const std::string& note : table.notes())
        text += note + "\n";
    return text;
}

#define HAS_PART(text, part) QVERIFY2((text).find(part) != std::string::npos, (text).c_str())

QString runsText(const std::string& schedule, std::uint64_t steps) {
    const auto parsed = parseSchedule(schedule);
    return parsed ? QString::fromStdString(scheduleSentence(*parsed, steps))
                  : QString::fromStdString(parsed.error().detail);
}

} // namespace

class TstStepAnalysis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a17_statistics();
    void b16_benchmarkDefinition();
    void a19_modesAndOutliers();
    void a19_oneModeStaysOne();
    void histogram_countsEachValueOnce();
    void b17_driftOfALine();
    void a03_warmUpChip();
    void a03_c43_captionOfSteps();
    void a08_a09_samplesPerSecond();
    void a11_firstDataTimeIsNotKnown();
    void a12_dataAndIteration();
    void a13_utilisation();
    void a14_c12_phasesPerStep();
    void a15_b23_outsideMeasurement();
    void backward_byAutogradOperators();
    void a16_totalOfIterations();
    void b05_tenSteps();
    void b06_c08_d46_schedules_data();
    void b06_c08_d46_schedules();
    void c09_explainsSavingAndRepeat();
    void c13_twoWarmUps();
    void schedule_ofTheRecordedSteps();
    void schedule_equalsAPlainLoop();
    void c43_candidatesStayUnconfirmed();
    void c43_traceThatBeginsWithARepeat();
    void c43_confirmedByTheUser();
    void candidates_ofACapture();
    void candidates_nothingRepeats();
    void d10_chosenRange();
    void reports_ofStatistics();
};

void TstStepAnalysis::a17_statistics() {
    const SampleStatistics five = sampleStatistics({5 * kMs, kMs, 4 * kMs, 2 * kMs, 3 * kMs});
    QCOMPARE(five.mean, 3e6);
    QCOMPARE(five.median, 3e6);
    QCOMPARE(std::llround(five.deviation), 1'581'139);
    QCOMPARE(five.min, kMs);
    QCOMPARE(five.max, 5 * kMs);
    QCOMPARE(sampleStatistics({7}).deviation, 0.0);
    QCOMPARE(sampleStatistics({}).count, std::size_t{0});
    QCOMPARE(sampleStatistics({1, 2, 3, 4}).median, 2.5);
}

// Sorted 1 ... 50: median 26, p95 48, min 1 by the definition of timing loops; 25.5 and 48 by ours.
void TstStepAnalysis::b16_benchmarkDefinition() {
    std::vector<std::int64_t> values(50);
    std::iota(values.begin(), values.end(), 1);
    const SampleStatistics loop = sampleStatistics(values, QuantileDefinition::Benchmark);
    QCOMPARE(loop.median, 26.0);
    QCOMPARE(loop.p95, 48.0);
    QCOMPARE(loop.min, 1);
    const SampleStatistics usual = sampleStatistics(values);
    QCOMPARE(usual.median, 25.5);
    QCOMPARE(usual.p95, 48.0); // the 48th: ceil(47.5)
    QVERIFY(std::string(quantileTitle(QuantileDefinition::Benchmark)).find("t[n/2]") != std::string::npos);
}

// 50 of 1 ms and 50 of 3 ms: mean 2.00 ms, two modes.
void TstStepAnalysis::a19_modesAndOutliers() {
    std::vector<std::int64_t> values(50, kMs);
    values.insert(values.end(), 50, 3 * kMs);
    QCOMPARE(sampleStatistics(values).mean, 2e6);
    const std::vector<DurationMode> modes = durationModes(values, 0.1);
    QCOMPARE(modes.size(), std::size_t{2});
    QCOMPARE(modes[0].medianNs, kMs);
    QCOMPARE(modes[0].count, std::uint64_t{50});
    QCOMPARE(modes[1].medianNs, 3 * kMs);
    const std::vector<std::int64_t> one{10, 11, 10, 40, 10, 3};
    QCOMPARE(outliersOf(one, 3), (std::vector<std::size_t>{3, 5}));
    QVERIFY(outliersOf(std::vector<std::int64_t>{1, 100}, 3).empty());
}

void TstStepAnalysis::a19_oneModeStaysOne() {
    QCOMPARE(durationModes(std::vector<std::int64_t>(30, 5), 0.1).size(), std::size_t{1});
    QCOMPARE(durationModes({1, 1, 1, 3, 3, 3}, 0.1).size(), std::size_t{1}); // too few to tell
    // Sums of twelve uniform numbers are near enough to normal ones.
    std::uint64_t state = 42;
    const auto next = [&state] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 40);
    };
    std::vector<std::int64_t> normal;
    for (int i = 0; i < 300; ++i) {
        double sum = 0;
        for (int k = 0; k < 12; ++k)
            sum += next();
        normal.push_back(static_cast<std::int64_t>(sum));
    }
    QCOMPARE(durationModes(normal, 0.1).size(), std::size_t{1});
    // One outlier is no mode.
    std::vector<std::int64_t> outlier(30, 1'000);
    for (std::size_t i = 0; i < outlier.size(); ++i)
        outlier[i] += static_cast<std::int64_t>(i);
    outlier.push_back(90'000);
    QCOMPARE(durationModes(outlier, 0.1).size(), std::size_t{1});
}

void TstStepAnalysis::histogram_countsEachValueOnce() {
    const std::vector<std::int64_t> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const auto bins = histogramOf(values, 5);
    QCOMPARE(bins.size(), std::size_t{5});
    std::size_t sum = 0;
    for (const HistogramBin& bin : bins) {
        std::size_t expected = 0;
        for (const std::int64_t value : values)
            expected +=
                value >= bin.begin && (value < bin.end || (value == bin.end && bin.end == 10)) ? 1U : 0U;
        QCOMPARE(bin.count, expected);
        sum += bin.count;
    }
    QCOMPARE(sum, values.size());
    QCOMPARE(histogramOf(std::vector<std::int64_t>{4, 4}, 5).size(), std::size_t{1});
    QVERIFY(histogramOf({}, 5).empty());
}

void TstStepAnalysis::b17_driftOfALine() {
    std::vector<std::int64_t> rising;
    for (int k = 0; k < 100; ++k)
        rising.push_back(kMs + 300'000 * k / 99);
    const Drift drift = driftOf(rising);
    QVERIFY(std::fabs(drift.change() - 0.30) < 1e-4);
    QVERIFY(drift.fit > 0.999);
    // Single outliers do not move it, noise is no drift.
    rising[5] = 90 * kMs;
    rising[70] = 0;
    QVERIFY(std::fabs(driftOf(rising).change() - 0.30) < 0.01);
    QVERIFY(driftOf(rising).fit > 0.99);
    const std::vector<std::int64_t> noise{5, 9, 5, 9, 9, 5, 9, 5, 5, 9, 9, 5};
    QVERIFY(driftOf(noise).fit < kLeastFitOfDrift);
    QCOMPARE(driftOf(std::vector<std::int64_t>{5, 5, 5, 5}).fit, 0.0);
    QCOMPARE(driftOf(std::vector<std::int64_t>{1, 2}).fit, 0.0);
}

// 35 steps, the first 5 of 100 ms, then 30 of 10 ms: mean 10.00 ms; with the warm-up 22.86 ms.
void TstStepAnalysis::a03_warmUpChip() {
    Rows rows;
    double at = 0;
    for (int k = 0; k < 35; ++k) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k), at, k < 5 ? 100'000 : 10'000));
        at += k < 5 ? 100'000 : 10'000;
    }
    const auto trace = traceOfText(rows);
    const std::string text = notesOf(reportOf(*trace, "steps"));
    HAS_PART(text, "5 warm-up steps excluded of 35; mean 10.00 ms");
    HAS_PART(notesOf(reportOf(*trace, "steps", withSettings({"warm_up=include"}))),
             "5 warm-up steps included, as set; mean 22.86 ms");
}

// Batch 128 in 10.00 ms: 12,800.00 samples/s. Steps of 10 and 30 ms: 6,400 by the mean, not 8,533.33.
void TstStepAnalysis::a08_a09_samplesPerSecond() {
    const auto trace = traceOfText({annotation("step", 0, 10'000), annotation("step", 10'000, 30'000)});
    const ReportTable table = reportOf(*trace, "steps", withSettings({"samples_per_step=128"}));
    QCOMPARE(cellOf(table, 0, "Samples/s"), std::string("12800.00"));
    QCOMPARE(cellOf(table, 1, "Samples/s"), std::string("4266.67"));
    HAS_PART(notesOf(table), "6400.00 samples/s by the mean iteration.");
    QCOMPARE(cellOf(reportOf(*trace, "steps"), 0, "Samples/s"), std::string());
}

// 30 steps: 29 data times. The first is known only when its loading lies inside the step.
void TstStepAnalysis::a11_firstDataTimeIsNotKnown() {
    Rows rows;
    for (int k = 0; k < 30; ++k) {
        rows.push_back(annotation("data", k * 12'000, 2'000));
        rows.push_back(annotation("step", k * 12'000 + 2'000, 10'000));
    }
    const ReportTable table = reportOf(*traceOfText(rows), "steps");
    std::size_t known = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        known += cellOf(table, row, "Data Loading (ns)").empty() ? 0U : 1U;
    QCOMPARE(table.rows(), std::size_t{30});
    QCOMPARE(known, std::size_t{29});
    QCOMPARE(cellOf(table, 0, "Data Loading (ns)"), std::string());
    QCOMPARE(numberOf(table, 1, "Data Loading (ns)"), 2 * kMs);
    // Nothing is known where no row names loading.
    QCOMPARE(cellOf(reportOf(*traceOfText({annotation("step", 0, 10), annotation("step", 10, 10)}), "steps"),
                    1, "Data Loading (ns)"),
             std::string());
}

// 2 ms + 10 ms: period 12 ms, whether the loading lies in front of the step or inside.
void TstStepAnalysis::a12_dataAndIteration() {
    for (const bool isInside : {false, true}) {
        Rows rows;
        for (int k = 0; k < 3; ++k) {
            rows.push_back(annotation("data", k * 12'000, 2'000));
            rows.push_back(
                annotation("step", k * 12'000 + (isInside ? 0 : 2'000), isInside ? 12'000 : 10'000));
        }
        const ReportTable table = reportOf(*traceOfText(rows), "steps");
        QCOMPARE(numberOf(table, 1, "Data Loading (ns)"), 2 * kMs);
        QCOMPARE(numberOf(table, 1, "Iteration (ns)"), 10 * kMs);
        QCOMPARE(numberOf(table, 1, "Period (ns)"), 12 * kMs);
        QCOMPARE(cellOf(table, 2, "Period (ns)"), std::string());
    }
}

// 1,000 samples/s x 3e11 / 1e15 = 30.0 %.
void TstStepAnalysis::a13_utilisation() {
    AnalysisSettings settings;
    settings.samplesPerStep = 100;
    settings.flopsPerSample = 3e11;
    Throughput speed = throughputOf(settings, 1e8);
    QCOMPARE(*speed.samplesPerSecond, 1'000.0);
    QVERIFY(!speed.utilisation);
    QCOMPARE(speed.missing, std::string("Enter the peak FLOP/s."));
    settings.peakFlops = 1e15;
    speed = throughputOf(settings, 1e8);
    QVERIFY(std::fabs(*speed.utilisation - 0.3) < 1e-12);
    QCOMPARE(speed.missing, std::string());
    settings.samplesPerStep.reset();
    QCOMPARE(throughputOf(settings, 1e8).missing, std::string("Enter the samples per step."));
    settings.flopsPerStep = 3e13;
    QVERIFY(std::fabs(*throughputOf(settings, 1e8).utilisation - 0.3) < 1e-12);
    QVERIFY(!throughputOf(settings, 0).utilisation);
    const auto trace = traceOfText({annotation("step", 0, 100'000), annotation("step", 100'000, 100'000)});
    HAS_PART(
        notesOf(reportOf(*trace, "steps",
                         withSettings({"samples_per_step=100", "flops_per_sample=3e11", "peak_flops=1e15"}))),
        "MFU 30.0 %.");
}

void TstStepAnalysis::a14_c12_phasesPerStep() {
    Rows rows;
    for (int k = 0; k < 2; ++k) {
        const double at = k * 100;
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k), at, 100));
        rows.push_back(annotation("forward", at + 5, 30));
        rows.push_back(annotation("backward", at + 40, 40));
        rows.push_back(annotation("optimizer", at + 82, 10));
        rows.push_back(annotation("Optimizer.step#SGD.step", at + 83, 8)); // counted once
    }
    const auto trace = traceOfText(rows);
    const ReportTable table = reportOf(*trace, "steps");
    QCOMPARE(numberOf(table, 1, "Forward (ns)"), 30'000);
    QCOMPARE(numberOf(table, 1, "Backward (ns)"), 40'000);
    QCOMPARE(numberOf(table, 1, "Optimizer (ns)"), 10'000);
    // Three names, in order, per step; with what is left they sum to the step.
    const ReportTable phases = reportOf(*trace, "phases");
    QCOMPARE(phases.rows(), std::size_t{8});
    const char* const names[] = {"forward", "backward", "optimizer", "(unattributed)"};
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < 4; ++row) {
        QCOMPARE(cellOf(phases, row, "Phase"), std::string(names[row]));
        sum += numberOf(phases, row, "Time (ns)");
    }
    QCOMPARE(sum, 100'000);
}

// 11.7 ms recorded, 11.45 ms without a profiler: the capture adds 2.2 %.
void TstStepAnalysis::a15_b23_outsideMeasurement() {
    const auto trace = traceOfText({annotation("step", 0, 11'700), annotation("step", 11'700, 11'700)});
    HAS_PART(notesOf(reportOf(*trace, "steps", withSettings({"outside_step=11.45ms"}))),
             "Outside measurement: 11.45 ms; the capture adds +2.2 %.");
    QVERIFY(notesOf(reportOf(*trace, "steps")).find("Outside") == std::string::npos);
}

// 250 ms over 100 iterations: 2.5 ms; 3.6 s over 200: 18.0 ms; without a number of iterations no value.
void TstStepAnalysis::a16_totalOfIterations() {
    AnalysisSettings settings;
    QVERIFY(changeSetting(settings, "outside_step=250ms/100"));
    QCOMPARE(*settings.outsideNs, 2.5e6);
    QVERIFY(changeSetting(settings, "outside_step = 3.6s / 200"));
    QCOMPARE(*settings.outsideNs, 18e6);
    for (const char* wrong : {"outside_step=3.6s/", "outside_step=3.6s/0", "outside_step=3.6s/1.5",
                              "outside_step=/100", "outside_step=3.6s/x"}) {
        const Status changed = changeSetting(settings, wrong);
        QVERIFY2(!changed && changed.error().detail.find("outside_step") != std::string::npos, wrong);
    }
    QCOMPARE(*settings.outsideNs, 18e6);
    const auto trace = traceOfText({annotation("step", 0, 3'000), annotation("step", 3'000, 3'000)});
    HAS_PART(notesOf(reportOf(*trace, "steps", withSettings({"outside_step=250ms/100"}))),
             "Outside measurement: 2.500 ms; the capture adds +20.0 %. Mean only: its spread is not known.");
}

void TstStepAnalysis::backward_byAutogradOperators() {
    const auto trace =
        traceOfText({annotation("ProfilerStep#1", 0, 100),
                     rowText("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 40, 20, "{}", 2),
                     rowText("cpu_op", "autograd::engine::evaluate_function: AddBackward0", 60, 5, "{}", 2)});
    const ReportTable table = reportOf(*trace, "steps");
    QCOMPARE(numberOf(table, 0, "Backward (ns)"), 25'000);
    QCOMPARE(cellOf(table, 0, "Forward (ns)"), std::string());
}

// 3 warm-ups, then 10 x record_function("step").
void TstStepAnalysis::b05_tenSteps() {
    Rows rows;
    for (int k = 0; k < 10; ++k)
        rows.push_back(annotation("step", 3'000 + k * 1'000, 900));
    const ReportTable table = reportOf(*traceOfText(rows), "steps");
    QCOMPARE(table.rows(), std::size_t{10});
    HAS_PART(notesOf(table), "10 steps by annotation");
}

void TstStepAnalysis::b06_c08_d46_schedules_data() {
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("steps");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* schedule, int steps, const char* expected) {
        QTest::newRow(schedule) << QString::fromLatin1(schedule) << steps << QString::fromUtf8(expected);
    };
    row("wait=2,warmup=2,active=5,repeat=1", 30,
        "0–1 wait, 2–3 warm-up, 4–8 active, 9–29 outside the schedule");
    row("wait=1, warmup=2, active=3, repeat=1", 6, "0 wait, 1–2 warm-up, 3–5 active");
    row("wait=1,warmup=1,active=3", 5, "0 wait, 1 warm-up, 2–4 active");
    row("active=2,wait=1,repeat=2", 8, "0 wait, 1–2 active, 3 wait, 4–5 active, 6–7 outside the schedule");
    row("active=2,repeat=0", 5, "0–4 active");
    row("skip_first=3,wait=1,active=1,repeat=1", 6, "0–2 skipped, 3 wait, 4 active, 5 outside the schedule");
    row("wait=1,warmup=1", 5, "a schedule needs active=N with N above 0");
    row("wait=1,active=-1", 5,
        "'active=-1' is no part of a schedule; it reads wait=2,warmup=2,active=5,repeat=1");
    row("sleep=1,active=1", 5,
        "'sleep=1' is no part of a schedule; it reads wait=2,warmup=2,active=5,repeat=1");
}

void TstStepAnalysis::b06_c08_d46_schedules() {
    QFETCH(QString, schedule);
    QFETCH(int, steps);
    QFETCH(QString, expected);
    QCOMPARE(runsText(schedule.toStdString(), static_cast<std::uint64_t>(steps)), expected);
}

void TstStepAnalysis::c09_explainsSavingAndRepeat() {
    const auto forever = parseSchedule("wait=1,warmup=1,active=3,repeat=0");
    HAS_PART(scheduleExplanation(*forever), "repeats until collection ends");
    const auto once = parseSchedule("wait=1,warmup=2,active=3,repeat=1");
    HAS_PART(scheduleExplanation(*once), "outside the schedule");
    QVERIFY(savesAfter(*once, 5));
    QVERIFY(!savesAfter(*once, 4) && !savesAfter(*once, 11));
    QVERIFY(savesAfter(*forever, 9));
}

// The profiler's warm-up says nothing about the application's, and the other way round.
void TstStepAnalysis::c13_twoWarmUps() {
    Rows rows;
    double at = 0;
    for (int k = 0; k < 4; ++k) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k + 3), at, k == 0 ? 5'000 : 1'000));
        at += k == 0 ? 5'000 : 1'000;
    }
    const auto trace = traceOfText(rows);
    HAS_PART(notesOf(reportOf(*trace, "steps")), "1 warm-up step excluded of 4");
    const std::string text =
        notesOf(reportOf(*trace, "schedule", withSettings({"schedule=wait=1,warmup=2,active=4"})));
    HAS_PART(text, "neither implies the other");
    HAS_PART(text, "Recorded: steps 3 to 6. 3 steps before waited, warmed the profiler up or were skipped.");
}

void TstStepAnalysis::schedule_ofTheRecordedSteps() {
    Rows rows;
    for (const int k : {2, 3, 7, 8})
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k), k * 10, 10));
    const auto trace = traceOfText(rows);
    const ReportTable seen = reportOf(*trace, "schedule");
    QCOMPARE(seen.rows(), std::size_t{4});
    QCOMPARE(cellOf(seen, 1, "State"), std::string("recorded"));
    QCOMPARE(numberOf(seen, 2, "First Step"), 4);
    QCOMPARE(numberOf(seen, 2, "Last Step"), 6);
    const ReportTable told =
        reportOf(*trace, "schedule", withSettings({"schedule=wait=2,warmup=1,active=2,repeat=0"}));
    QCOMPARE(cellOf(told, 1, "State"), std::string("warm-up"));
    HAS_PART(notesOf(told),
             "The recorded steps are not the active ones of this schedule."); // 2 is warm-up there
    const ReportTable right = reportOf(
        *trace, "schedule", withSettings({"schedule=wait=2,active=2,warmup=0,skip_first=0,repeat=1"}));
    HAS_PART(notesOf(right), "are not the active ones"); // 7 and 8 lie outside
    JobControl job;
    ReportQuery wrong;
    wrong.name = "schedule";
    wrong.options = withSettings({"schedule=often"});
    QVERIFY(!runReport(*trace, nullptr, wrong, job));
}

void TstStepAnalysis::schedule_equalsAPlainLoop() {
    for (std::uint32_t code = 0; code < 4 * 3 * 3 * 3 * 3; ++code) {
        const ProfilerSchedule schedule{code % 3, code / 3 % 3, code / 9 % 3, 1 + code / 27 % 3,
                                        code / 81 % 4};
        std::vector<ScheduleRun> expected;
        for (std::uint64_t s = 0; s < 25; ++s) {
            const ScheduleState state = scheduleState(schedule, s);
            if (!expected.empty() && expected.back().state == state)
                expected.back().last = s;
            else
                expected.push_back({state, s, s});
        }
        QVERIFY(scheduleRuns(schedule, 25) == expected);
    }
}

// What figures and documents say of the steps that their times are of.
void TstStepAnalysis::a03_c43_captionOfSteps() {
    const auto captionOf = [](const Trace& trace, const std::vector<std::string>& changes) {
        JobControl job;
        return *stepCaption(trace, *withSettings(changes).settings, job);
    };
    Rows rows;
    double at = 0;
    for (int k = 0; k < 6; ++k) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k), at, k == 0 ? 100'000 : 10'000));
        at += k == 0 ? 100'000 : 10'000;
    }
    const auto marked = traceOfText(rows);
    QCOMPARE(captionOf(*marked, {}).text, std::string("6 steps by ProfilerStep, 1 warm-up excluded"));
    QCOMPARE(captionOf(*marked, {}).medianNs, 10 * kMs);
    QCOMPARE(captionOf(*marked, {"warm_up=include"}).text,
             std::string("6 steps by ProfilerStep, 1 warm-up included as set"));
    // Repeats stay candidates until a person says what they are.
    Rows repeated;
    for (int k = 0; k < 8; ++k)
        for (const auto& [name, begin] :
             {std::pair("embed", 0), std::pair("mlp", 200), std::pair("head", 400)})
            repeated.push_back(kernel(2'000 * k + begin, 100, name));
    const auto bare = traceOfText(repeated);
    QCOMPARE(captionOf(*bare, {}).text, std::string("8 candidate steps (unconfirmed)"));
    QCOMPARE(captionOf(*bare, {}).medianNs, std::int64_t{0});
    QCOMPARE(captionOf(*bare, {"steps.pattern=token:1"}).text,
             std::string("8 tokens, repeats of a pattern as the user said"));
    QCOMPARE(captionOf(*traceOfText({kernel(0, 10)}), {}).text, std::string());
}

namespace {

// Eight repeats of embed, five layers of two kernels, head; 3 ms between repeats.
Rows repeats() {
    Rows rows{kernel(0, 50, "init")};
    for (int k = 0; k < 8; ++k) {
        const double at = 1'000 + k * 4'000;
        rows.push_back(kernel(at, 100, "embed"));
        for (int layer = 0; layer < 5; ++layer) {
            rows.push_back(kernel(at + 110 + layer * 150, 60, "attention"));
            rows.push_back(kernel(at + 180 + layer * 150, 60, "mlp"));
        }
        rows.push_back(kernel(at + 900, 100, "head"));
    }
    return rows;
}

} // namespace

void TstStepAnalysis::c43_candidatesStayUnconfirmed() {
    const auto trace = traceOfText(repeats());
    JobControl job;
    const auto candidates = findCandidateSteps(*trace, {}, job);
    QVERIFY(candidates);
    QCOMPARE(candidates->size(), std::size_t{2});
    const CandidateSteps& whole = (*candidates)[0];
    QCOMPARE(trace->strings().view(whole.anchor), std::string_view("embed")); // behind the longest pause
    QCOMPARE(whole.ranges.size(), std::size_t{8});
    QCOMPARE(whole.alike, std::size_t{8});
    QCOMPARE(whole.operations, std::size_t{12});
    QCOMPARE(whole.medianNs, 4 * kMs);
    QCOMPARE(whole.ranges[7].length().v, kMs);                 // to the end of its last operation
    QCOMPARE((*candidates)[1].ranges.size(), std::size_t{40}); // the layers
    const ReportTable steps = reportOf(*trace, "steps");
    QCOMPARE(steps.rows(), std::size_t{0});
    HAS_PART(notesOf(steps),
             "Candidate steps (unconfirmed) 1: 8 repeats of 12 operations, 8 alike, median 4.000 ms, each "
             "begun by ‹embed›.");
    HAS_PART(notesOf(steps), "a step, a microbatch, a token or an inner loop");
    QCOMPARE(reportOf(*trace, "candidate_steps").rows(), std::size_t{2});
}

// A trace that begins with a repeat: the idle time before its first operation is not known, that before the
// others is.
void TstStepAnalysis::c43_traceThatBeginsWithARepeat() {
    Rows rows = repeats();
    rows.erase(rows.begin()); // init
    JobControl job;
    const auto trace = traceOfText(rows);
    const auto candidates = findCandidateSteps(*trace, {}, job);
    QVERIFY(candidates && !candidates->empty());
    QCOMPARE(trace->strings().view(candidates->front().anchor), std::string_view("embed"));
    QCOMPARE(candidates->front().ranges.size(), std::size_t{8});
}

void TstStepAnalysis::c43_confirmedByTheUser() {
    const auto trace = traceOfText(repeats());
    const ReportTable steps = reportOf(*trace, "steps", withSettings({"steps.pattern=token"}));
    QCOMPARE(steps.rows(), std::size_t{8});
    QCOMPARE(cellOf(steps, 2, "Step"), std::string("token 3 (pattern)"));
    QCOMPARE(numberOf(steps, 2, "GPU Busy (ns)"), 800'000);
    QCOMPARE(numberOf(steps, 2, "GPU Operations"), 12);
    HAS_PART(notesOf(steps), "8 tokens by pattern");
    const ReportTable layers = reportOf(*trace, "steps", withSettings({"steps.pattern=layer:2"}));
    QCOMPARE(layers.rows(), std::size_t{40});
    HAS_PART(notesOf(reportOf(*trace, "steps", withSettings({"steps.pattern=step:4"}))),
             "There is no repeated pattern number 4.");
}

// Without its marks the pattern of a real capture has as many repeats as the program had tokens.
void TstStepAnalysis::candidates_ofACapture() {
    const auto file = shared("traces/captured/torch/decode_launch_bound.pt.trace.json.gz");
    if (!file)
        LACUNA_SKIP("the captured traces are not here");
    JobControl job;
    const auto loaded = loadTrace(*file, builtinImporters(), job);
    QVERIFY(loaded);
    const auto candidates = findCandidateSteps(*loaded->trace, {}, job);
    QVERIFY(candidates && !candidates->empty());
    bool any = false;
    for (const CandidateSteps& one : *candidates)
        any = any || one.ranges.size() == 80 || one.ranges.size() == 79;
    QVERIFY(any);
}

void TstStepAnalysis::candidates_nothingRepeats() {
    JobControl job;
    const auto unlike =
        traceOfText({kernel(0, 10, "a"), kernel(20, 10, "b"), kernel(40, 10, "c"), kernel(60, 10, "d")});
    QVERIFY(findCandidateSteps(*unlike, {}, job)->empty());
    const auto none = traceOfText({annotation("x", 0, 10)});
    QVERIFY(findCandidateSteps(*none, {}, job)->empty());
    HAS_PART(notesOf(reportOf(*unlike, "steps")), "no repeated pattern");
}

// Four levels of ranges: any of them can be the step.
void TstStepAnalysis::d10_chosenRange() {
    Rows rows{annotation("decode_loop", 0, 1'000)};
    for (int k = 0; k < 5; ++k) {
        rows.push_back(annotation("token " + std::to_string(k), k * 200, 200));
        rows.push_back(annotation("forward", k * 200 + 10, 100));
        rows.push_back(annotation("attention", k * 200 + 20, 50));
    }
    const auto trace = traceOfText(rows);
    QCOMPARE(reportOf(*trace, "steps").rows(), std::size_t{0});
    const ReportTable steps = reportOf(*trace, "steps", withSettings({"steps.range=token #"}));
    QCOMPARE(steps.rows(), std::size_t{5});
    QCOMPARE(cellOf(steps, 3, "Step"), std::string("token 3"));
    QCOMPARE(numberOf(steps, 3, "Forward (ns)"), 100'000);
    HAS_PART(notesOf(steps), "5 steps by range");
    HAS_PART(notesOf(reportOf(*trace, "steps", withSettings({"steps.range=epoch"}))),
             "There are no ranges named 'epoch'.");
}

void TstStepAnalysis::reports_ofStatistics() {
    Rows rows;
    for (int k = 0; k < 20; ++k) {
        rows.push_back(
            annotation("ProfilerStep#" + std::to_string(k), k * 4'000, k % 2 == 0 ? 1'000 : 3'000));
        rows.push_back(kernel(k * 4'000 + 10, 500));
    }
    const auto trace = traceOfText(rows);
    const ReportTable stats = reportOf(*trace, "step_stats");
    QCOMPARE(cellOf(stats, 0, "Quantity"), std::string("Duration"));
    QCOMPARE(cellOf(stats, 0, "Mean (ns)"), std::string("2000000.0"));
    QCOMPARE(cellOf(stats, 0, "Median (ns)"), std::string("2000000.0"));
    QCOMPARE(cellOf(stats, 1, "Definition"), std::string("benchmark"));
    QCOMPARE(cellOf(stats, 1, "Median (ns)"), std::string("3000000.0"));
    QCOMPARE(cellOf(stats, 0, "Modes (ns)"), std::string("1000000 (10); 3000000 (10)"));
    const ReportTable bins = reportOf(*trace, "step_histogram");
    std::int64_t count = 0;
    for (std::size_t row = 0; row < bins.rows(); ++row)
        if (cellOf(bins, row, "Quantity") == "Duration")
            count += numberOf(bins, row, "Count");
    QCOMPARE(count, 20);
}

LACUNA_TEST(TstStepAnalysis, "tst_step_analysis")

} // namespace tst_step_analysis

#include "tst_step_analysis.moc"
