// The strip of schedule and steps, the plots and figures of steps: what they say and where it stands. Tests
// are named by the items of features.md. Times in us unless a name says otherwise.

#include "core/report/step_values.h"
#include "tests/support/event_text.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/plot/step_plots.h"
#include "widgets/steps/step_inputs.h"
#include "widgets/steps/step_numbers.h"
#include "widgets/steps/step_strip.h"
#include "widgets/steps/strip_cells.h"
#include "widgets/timeline/timeline_renderer.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QUndoStack>

#include <algorithm>
#include <cmath>

namespace tst_step_strip {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;
using Rows = std::vector<std::string>;

std::string kernel(double ts, double dur, std::string_view name = "gemm") {
    return rowText("kernel", name, ts, dur, "{'device':0,'stream':7}", 7);
}
std::string annotation(std::string_view name, double ts, double dur) {
    return rowText("user_annotation", name, ts, dur);
}
// ProfilerStep#first ... last, each of 10 ms.
Rows marks(int first, int last) {
    Rows rows;
    for (int n = first; n <= last; ++n) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(n), 10'000 * (n - first), 10'000));
        rows.push_back(kernel(10'000 * (n - first) + 100, 4'000));
    }
    return rows;
}
// Six repeats of three kernels, 2 ms apart, without any mark.
Rows repeats() {
    Rows rows;
    for (int k = 0; k < 6; ++k)
        for (const auto& [name, at] : {std::pair("embed", 0), std::pair("mlp", 200), std::pair("head", 400)})
            rows.push_back(kernel(2'000 * k + at, 100, name));
    return rows;
}

std::shared_ptr<const StepFacts> factsOf(const Rows& rows, const SettingTexts& settings = {}) {
    JobControl job;
    auto facts = findStepFacts(traceOfText(rows),
                               std::make_shared<const AnalysisSettings>(withSettingTexts({}, settings)), job);
    return facts ? *facts : nullptr;
}

QStringList labelsOf(const std::vector<ScheduleCell>& cells) {
    QStringList labels;
    for (const ScheduleCell& cell : cells)
        labels << cell.label;
    return labels;
}

} // namespace

class TstStepStrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }
    void b06_c08_d46_scheduleByNumber_data();
    void b06_c08_d46_scheduleByNumber();
    void c09_tipsExplainSavingAndRepeat();
    void c13_applicationWarmUpIsMarkedApart();
    void a03_c46_statesOfSteps();
    void c54_startUpNamesItsClasses();
    void c43_candidatesUntilAPersonConfirms();
    void strip_standsOverItsSteps();
    void strip_isReachedByKeys();
    void a17_b16_figures();
    void a19_modesInHistogram();
    void a12_dataIsStackedOnTheIteration();
    void course_ofManySteps_keepsTheLongest();
    void a08_a09_a13_throughput();
};

void TstStepStrip::b06_c08_d46_scheduleByNumber_data() {
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<QStringList>("labels");
    const auto row = [](const char* name, int first, int last, const char* schedule, QStringList labels) {
        QTest::newRow(name) << first << last << QString::fromLatin1(schedule) << std::move(labels);
    };
    row("B06", 4, 8, "wait=2,warmup=2,active=5,repeat=1",
        {QStringLiteral("0–1 wait"), QStringLiteral("2–3 warm-up"), QStringLiteral("4–8 active"),
         QStringLiteral("9+ outside the schedule")});
    row("C08", 3, 5, "wait=1,warmup=2,active=3,repeat=1",
        {QStringLiteral("0 wait"), QStringLiteral("1–2 warm-up"), QStringLiteral("3–5 active"),
         QStringLiteral("6+ outside the schedule")});
    row("D46", 2, 4, "wait=1,warmup=1,active=3",
        {QStringLiteral("0 wait"), QStringLiteral("1 warm-up"), QStringLiteral("2–4 active"),
         QStringLiteral("repeats until collection ends")});
    row("not told", 3, 6, "", {QStringLiteral("0–2 not recorded"), QStringLiteral("3–6 recorded")});
    row("all recorded, not told", 0, 3, "", {});
    row("many cycles", 1, 2, "wait=1,active=2,repeat=50",
        {QStringLiteral("0 wait"), QStringLiteral("1–2 active"), QStringLiteral("3 wait"),
         QStringLiteral("4–5 active"), QStringLiteral("6 wait"), QStringLiteral("7–8 active"),
         QStringLiteral("50 times in all")});
}

void TstStepStrip::b06_c08_d46_scheduleByNumber() {
    QFETCH(int, first);
    QFETCH(int, last);
    QFETCH(QString, schedule);
    QFETCH(QStringList, labels);
    SettingTexts settings;
    if (!schedule.isEmpty())
        settings["schedule"] = schedule.toStdString();
    const auto facts = factsOf(marks(first, last), settings);
    const auto cells = scheduleCells(*facts);
    QCOMPARE(labelsOf(cells), labels);
    for (const ScheduleCell& cell : cells) // the recorded one leads to its first step
        QCOMPARE(cell.step.has_value(),
                 static_cast<int>(cell.first) <= last && static_cast<int>(cell.last) >= first);
}

void TstStepStrip::c09_tipsExplainSavingAndRepeat() {
    const auto facts = factsOf(marks(2, 4), {{"schedule", "wait=1,warmup=1,active=3,repeat=0"}});
    const auto cells = scheduleCells(*facts);
    QVERIFY(cells[2].tip.contains(QStringLiteral("After step 4 the profiler saves what it has.")));
    QVERIFY(!cells[1].tip.contains(QStringLiteral("saves what it has")));
    QVERIFY(cells[3].tip.contains(QStringLiteral("repeats until collection ends")));
    const auto wrong = factsOf(marks(0, 4), {{"schedule", "wait=1,warmup=1,active=3"}});
    QVERIFY(scheduleCells(*wrong)[0].tip.contains(
        QStringLiteral("The recorded steps are not the active ones of this schedule.")));
}

// Step 3 takes 40 ms: the application warms up in it, though the profiler records it.
void TstStepStrip::c13_applicationWarmUpIsMarkedApart() {
    Rows rows{annotation("ProfilerStep#3", 0, 40'000), kernel(100, 4'000)};
    for (int k = 0; k < 4; ++k)
        rows.push_back(annotation("ProfilerStep#" + std::to_string(4 + k), 40'000 + 10'000 * k, 10'000));
    const auto facts = factsOf(rows, {{"schedule", "wait=1,warmup=2,active=5,repeat=1"}});
    const auto cells = scheduleCells(*facts);
    QCOMPARE(cells[1].label, QStringLiteral("1–2 warm-up"));
    QVERIFY(cells[1].warmUpMarks.empty());
    QCOMPARE(cells[2].label, QStringLiteral("3–7 active"));
    QCOMPARE(cells[2].warmUpMarks, std::vector<std::uint64_t>{3});
    QVERIFY(cells[2].tip.contains(QStringLiteral("The application warms up here")));
}

// 30, 10, 10, 35, 10 ms.
void TstStepStrip::a03_c46_statesOfSteps() {
    Rows rows;
    double at = 0;
    int number = 0;
    for (const double length : {30'000.0, 10'000.0, 10'000.0, 35'000.0, 10'000.0}) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(number++), at, length));
        rows.push_back(kernel(at + 1'000, 4'000));
        at += length;
    }
    const auto facts = factsOf(rows);
    const auto cells = stepCells(*facts);
    QCOMPARE(cells.size(), std::size_t{6});
    QVERIFY(cells[0].state == StepCell::State::StartUp);
    QCOMPARE(cells[0].range.length().v, 30 * kMs);
    QVERIFY(cells[1].state == StepCell::State::WarmUp);
    QCOMPARE(stepLabel(*facts, cells[1]), QStringLiteral("warm-up 30.00 ms"));
    QVERIFY(stepTip(*facts, cells[1]).contains(QStringLiteral("left out of statistics")));
    QVERIFY(cells[2].state == StepCell::State::Measured);
    QCOMPARE(stepLabel(*facts, cells[2]), QStringLiteral("10.00 ms"));
    QVERIFY(stepTip(*facts, cells[2]).contains(QStringLiteral("GPU busy 4.000 ms, idle 6.000 ms")));
    QVERIFY(cells[4].state == StepCell::State::Unusual);
    QVERIFY(stepTip(*facts, cells[4]).contains(QStringLiteral("3.5 times the median")));
    QVERIFY(stepTip(*facts, cells[4]).contains(QStringLiteral("does not say which"))); // no cause asserted
    const auto included = factsOf(rows, {{"warm_up", "include"}});
    QVERIFY(!included->startUp); // nothing lies before the first measured step
    QVERIFY(stepTip(*included, stepCells(*included)[0]).contains(QStringLiteral("included as set")));
}

void TstStepStrip::c54_startUpNamesItsClasses() {
    Rows rows{rowText("cuda_runtime", "cudaMalloc", 0, 3'000, "{'correlation':1}"),
              rowText("cuda_runtime", "cudaMalloc", 4'000, 1'000, "{'correlation':2}"),
              rowText("cuda_runtime", "cuModuleLoadData", 6'000, 2'000, "{'correlation':3}")};
    for (int k = 0; k < 3; ++k) {
        rows.push_back(annotation("ProfilerStep#" + std::to_string(k), 20'000 + 10'000 * k, 10'000));
        rows.push_back(kernel(21'000 + 10'000 * k, 1'000));
    }
    const auto facts = factsOf(rows);
    const auto cells = stepCells(*facts);
    QVERIFY(cells[0].state == StepCell::State::StartUp);
    QCOMPARE(cells[0].range.length().v, 20 * kMs);
    const QString tip = stepTip(*facts, cells[0]);
    QVERIFY(tip.contains(QStringLiteral("allocator growth: 4.000 ms, rows: 2")));
    QVERIFY(tip.contains(QStringLiteral("lazy loading of code: 2.000 ms, rows: 1")));
    for (std::size_t c = 0; c < findings::kStartUpClasses; ++c) // all eight are named
        QVERIFY(tip.contains(QString::fromStdString(
            std::string(findings::startUpTitle(static_cast<findings::StartUpClass>(c))))));
}

void TstStepStrip::c43_candidatesUntilAPersonConfirms() {
    const auto facts = factsOf(repeats());
    QVERIFY(facts->times.steps.empty());
    const auto cells = stepCells(*facts);
    QCOMPARE(cells.size(), std::size_t{6});
    for (const StepCell& cell : cells)
        QVERIFY(cell.state == StepCell::State::Candidate);
    QVERIFY(
        stepTip(*facts, cells[1]).startsWith(QStringLiteral("Candidate step (unconfirmed): repeat 2 of 6")));
    QCOMPARE(candidateQuestion(*facts, 0),
             QStringLiteral("6 similar spans of 2.000 ms were found. They may be steps, micro-batches or "
                            "tokens. What are they?"));
    const auto confirmed = factsOf(repeats(), {{"steps.pattern", "token:1"}});
    const auto tokens = stepCells(*confirmed);
    QCOMPARE(tokens.size(), std::size_t{6});
    QVERIFY(tokens[1].state == StepCell::State::Measured);
    QCOMPARE(stepLabel(*confirmed, tokens[1]), QStringLiteral("token 2"));
    QVERIFY(stepTip(*confirmed, tokens[1]).contains(QStringLiteral("you said that it is a token")));
}

namespace {

struct OpenStrip {
    AnalysisSession session;
    TimelineViewModel view{session};
    StepStudy study{view};
    StepStrip strip{study, ThemePalette::of(Theme::Light)};

    bool open(const std::filesystem::path& file) {
        view.setArea({1000, 400}, 1.0);
        strip.resize(1216, 60);
        return openAndWait(session, file) &&
               QTest::qWaitFor([&] { return study.facts() != nullptr; }, 60'000);
    }
};

std::filesystem::path itemSync() {
    return fixture("captured/torch/item_sync.pt.trace.json.gz");
}

} // namespace

void TstStepStrip::strip_standsOverItsSteps() {
    OpenStrip open;
    QVERIFY(open.open(itemSync()));
    const auto& cells = open.strip.steps();
    QVERIFY(cells.size() >= 4);
    open.view.showWhole();
    const Viewport& view = open.view.viewport();
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const QRectF rect = open.strip.stepRect(c);
        QCOMPARE(rect.left(), Measures::kHeadWidth + std::round(view.xOf(cells[c].range.begin)));
        if (cells[c].state == StepCell::State::StartUp)
            continue;
        QTest::mouseClick(&open.strip, Qt::LeftButton, {}, rect.center().toPoint());
        QCOMPARE(open.session.selection().event(), open.study.facts()->times.steps[cells[c].number].event);
        QVERIFY(open.study.current() == cells[c].number);
        open.view.showWhole();
    }
    open.session.close();
    QVERIFY(open.strip.isEmpty()); // of no document
}

void TstStepStrip::strip_isReachedByKeys() {
    OpenStrip open;
    QVERIFY(open.open(itemSync()));
    QVERIFY(open.strip.focusPolicy() & Qt::TabFocus);
    const auto& cells = open.strip.steps();
    QTest::keyClick(&open.strip, Qt::Key_Right);
    QVERIFY(open.strip.place());
    QCOMPARE(open.strip.place()->row, 1);
    while (open.strip.place()->cell + 1 < cells.size())
        QTest::keyClick(&open.strip, Qt::Key_Right);
    QTest::keyClick(&open.strip, Qt::Key_Right); // stays at the last
    QVERIFY(open.strip.place()->cell == cells.size() - 1);
    QTest::keyClick(&open.strip, Qt::Key_Return);
    QCOMPARE(open.session.selection().event(), open.study.facts()->times.steps.back().event);
    QVERIFY(open.strip.accessibleDescription().contains(QStringLiteral("GPU busy")));
    QTest::keyClick(&open.strip, Qt::Key_Up); // to the schedule: 0-2 not recorded, 3-6 recorded
    QCOMPARE(open.strip.place()->row, 0);
    QTest::keyClick(&open.strip, Qt::Key_Right);
    QTest::keyClick(&open.strip, Qt::Key_Return);
    QCOMPARE(open.session.selection().event(), open.study.facts()->times.steps.front().event);
}

namespace {

StepTimes timesOf(const std::vector<std::int64_t>& lengths) {
    StepTimes times;
    times.meaning = "step";
    times.source = "ProfilerStep";
    std::int64_t at = 0;
    for (const std::int64_t length : lengths) {
        StepTime step;
        step.range = {{at}, {at + length}};
        step.iterationNs = length;
        times.steps.push_back(step);
        at += length;
    }
    return times;
}

QString figureOf(const StepFigures& figures, const char* name) {
    for (const auto& [title, figure] : figures)
        if (title == QString::fromLatin1(name))
            return figure;
    return {};
}

} // namespace

void TstStepStrip::a17_b16_figures() {
    const StepTimes five = timesOf({1 * kMs, 2 * kMs, 3 * kMs, 4 * kMs, 5 * kMs});
    const StepFigures figures =
        stepFigures(stepQuantities(five).front(), five, {}, QuantileDefinition::Usual);
    QCOMPARE(figureOf(figures, "values"), QStringLiteral("5"));
    QCOMPARE(figureOf(figures, "mean"), QStringLiteral("3.000 ms"));
    QCOMPARE(figureOf(figures, "median"), QStringLiteral("3.000 ms"));
    QCOMPARE(figureOf(figures, "standard deviation"), QStringLiteral("1.581 ms"));
    QCOMPARE(figureOf(figures, "min"), QStringLiteral("1.000 ms"));
    QCOMPARE(figureOf(figures, "max"), QStringLiteral("5.000 ms"));
    std::vector<std::int64_t> fifty;
    for (std::int64_t k = 1; k <= 50; ++k)
        fifty.push_back(k * kMs);
    const StepTimes many = timesOf(fifty);
    const StepQuantity duration = stepQuantities(many).front();
    QCOMPARE(figureOf(stepFigures(duration, many, {}, QuantileDefinition::Benchmark), "median"),
             QStringLiteral("26.00 ms"));
    QCOMPARE(figureOf(stepFigures(duration, many, {}, QuantileDefinition::Benchmark), "p95"),
             QStringLiteral("48.00 ms"));
    QCOMPARE(figureOf(stepFigures(duration, many, {}, QuantileDefinition::Usual), "median"),
             QStringLiteral("25.50 ms"));
    QCOMPARE(figureOf(stepFigures(duration, many, {}, QuantileDefinition::Usual), "drift"),
             QStringLiteral("+4900.0 %"));
    StepTimes warm = timesOf({100 * kMs, 10 * kMs, 10 * kMs});
    warm.warmUps = 1;
    QCOMPARE(
        figureOf(stepFigures(stepQuantities(warm).front(), warm, {}, QuantileDefinition::Usual), "values"),
        QStringLiteral("2, 1 warm-up excluded"));
}

// 50 x 1 ms and 50 x 3 ms: mean 2, two modes.
void TstStepStrip::a19_modesInHistogram() {
    std::vector<std::int64_t> lengths(50, kMs);
    lengths.insert(lengths.end(), 50, 3 * kMs);
    const StepTimes times = timesOf(lengths);
    const StepQuantity duration = stepQuantities(times).front();
    const StepFigures figures = stepFigures(duration, times, {}, QuantileDefinition::Usual);
    QCOMPARE(figureOf(figures, "mean"), QStringLiteral("2.000 ms"));
    QCOMPARE(figureOf(figures, "modes"), QStringLiteral("2: 1.000 ms (50), 3.000 ms (50)"));
    StepHistogram input;
    input.quantity = QStringLiteral("Duration");
    input.bins = histogramOf(duration.values, kStepBins);
    input.modes = durationModes(duration.values, 0.1);
    const FigureFonts fonts = FigureFonts::load();
    const PickScene made = stepHistogramScene(input, ThemePalette::of(Theme::Light), QSize(400, 112), fonts);
    QCOMPARE(made.picks.size(), std::size_t{2}); // empty bins cannot be picked
    QCOMPARE(made.picks[0].item, std::size_t{0});
    QCOMPARE(made.picks[1].item, kStepBins - 1);
    QVERIFY(made.scene.description.endsWith(QStringLiteral("2 modes: 1.000 ms, 3.000 ms")));
}

// 2 ms of data and 10 ms of iteration are drawn to scale, 12 ms in all.
void TstStepStrip::a12_dataIsStackedOnTheIteration() {
    StepCourse input;
    input.quantity = QStringLiteral("Iteration");
    input.bars.push_back({0, 10 * kMs, 2 * kMs, false, false, QStringLiteral("step 1")});
    const PickScene made =
        stepCourseScene(input, ThemePalette::of(Theme::Light), QSize(400, 112), FigureFonts::load());
    std::vector<QRectF> rects;
    for (const auto& item : made.scene.items)
        if (const auto* rect = std::get_if<PlotRect>(&item))
            rects.push_back(rect->rect);
    QCOMPARE(rects.size(), std::size_t{2});
    QVERIFY(std::abs(rects[0].height() / rects[1].height() - 5) < 1e-9);
    QCOMPARE(rects[1].bottom(), rects[0].top());
    QCOMPARE(made.picks[0].tip, QStringLiteral("step 1: 10.00 ms, data 2.000 ms, both 12.00 ms"));
}

void TstStepStrip::course_ofManySteps_keepsTheLongest() {
    StepCourse input;
    input.quantity = QStringLiteral("Duration");
    for (std::size_t k = 0; k < 10'000; ++k)
        input.bars.push_back({k, k == 7'777 ? 9 * kMs : kMs, 0, false, false, {}});
    const PickScene made =
        stepCourseScene(input, ThemePalette::of(Theme::Light), QSize(400, 112), FigureFonts::load());
    QVERIFY(made.picks.size() < 400);
    QVERIFY(std::any_of(made.picks.begin(), made.picks.end(),
                        [](const PlotPick& pick) { return pick.item == 7'777; }));
}

void TstStepStrip::a08_a09_a13_throughput() {
    const StepTimes one = timesOf({10 * kMs});
    QCOMPARE(throughputLines(withSettingTexts({}, {{"samples_per_step", "128"}}), one).front(),
             QStringLiteral("12,800.00 samples/s by the mean iteration"));
    const StepTimes two = timesOf({10 * kMs, 30 * kMs});
    QCOMPARE(throughputLines(withSettingTexts({}, {{"samples_per_step", "128"}}), two).front(),
             QStringLiteral("6,400.00 samples/s by the mean iteration"));
    const StepTimes second = timesOf({1000 * kMs});
    SettingTexts settings{{"samples_per_step", "1000"}, {"flops_per_sample", "3e11"}};
    QCOMPARE(throughputLines(withSettingTexts({}, settings), second).back(),
             QStringLiteral("MFU: Enter the peak FLOP/s."));
    settings["peak_flops"] = "1e15";
    QCOMPARE(throughputLines(withSettingTexts({}, settings), second).back(),
             QStringLiteral("MFU 30.0 % (derived)"));
    settings["outside_step"] = "950ms";
    QCOMPARE(throughputLines(withSettingTexts({}, settings), second).back(),
             QStringLiteral("the capture adds +5.3 %"));
}

LACUNA_TEST(TstStepStrip, "tst_step_strip")

} // namespace tst_step_strip

#include "tst_step_strip.moc"
