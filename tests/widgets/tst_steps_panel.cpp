// The Steps panel in the window: a bar leads to its step, a repeat is what a person says, and what was said
// is undone, saved and told in exports. Report options in the window.

#include "core/document/workspace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/steps_panel.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/steps/step_strip.h"
#include "widgets/steps/timing_log_dialog.h"
#include "widgets/tables/report_option_bar.h"
#include "widgets/timeline/timeline_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

#include <map>

namespace tst_steps_panel {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

// Eight repeats of three kernels without any mark.
QByteArray repeats() {
    std::string rows;
    for (int k = 0; k < 8; ++k)
        for (const auto& [name, at] : {std::pair("embed", 0), std::pair("mlp", 200), std::pair("head", 400)})
            rows += (rows.empty() ? "" : ",") +
                    rowText("kernel", name, 2'000 * k + at, 100, "{'device':0,'stream':7}", 7);
    return QByteArray::fromStdString(q(objectForm(rows)));
}

class StepsFixture : public WindowFixture {
public:
    StepsPanel& panel() { return *static_cast<StepsPanel*>(window().panel(QStringLiteral("steps"))); }
    StepStudy& study() { return panel().study(); }
    SessionSettings& settings() { return study().settings(); }
    template <class T> T& part(const char* name) {
        return *window().findChild<T*>(QString::fromLatin1(name));
    }
    bool openSteps(const std::filesystem::path& file) {
        return open(file) && window().commands().run(QStringLiteral("steps.panel")) && settled();
    }
    bool settled() {
        return QTest::qWaitFor(
            [&] { return study().facts() != nullptr && study().facts()->settings == settings().values(); },
            60'000);
    }
    ReportTableView& table() { return part<ReportTableView>("stepTable"); }
    bool hasRows(std::size_t count) {
        return QTest::qWaitFor(
            [&] { return table().rows().rowCount() == static_cast<int>(count) && !table().isArranging(); },
            60'000);
    }
    QString file(const QByteArray& text) {
        QFile out(folder() + QStringLiteral("/repeats.json"));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
    }
};

} // namespace

class TstStepsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qputenv("LACUNA_CACHE", "off");
        qputenv("HOME", m_home.path().toUtf8()); // settings of its own, whatever runs beside it
    }
    void table_andBarsLeadToTheirSteps();
    void range_saysHowManyWholeSteps();
    void c43_repeatIsWhatAPersonSays();
    void c43_workspaceKeepsIt();
    void a03_chipIncludesTheWarmUp();
    void c57_startUpBecomesTheTarget();
    void a13_peakIsRememberedForTheGpu();
    void a15_timingLogIsPasted();
    void c54_startUpIsTaggedInTheLanes();
    void c14_delayedCaptureHasABanner();
    void wrongInput_isRefusedWithItsReason();
    void options_areThoseOfTheReport();
    void options_groupSortAndLimit();

private:
    QTemporaryDir m_home;
};

void TstStepsPanel::table_andBarsLeadToTheirSteps() {
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(itemSync()));
    const StepTimes& times = fixture.study().facts()->times;
    QVERIFY(fixture.hasRows(times.steps.size()));
    auto& course = fixture.part<PickPlot>("stepCourse");
    QCOMPARE(course.picks().size(), times.steps.size());
    const auto steps = course.picks(); // a click makes them anew
    for (const PlotPick& pick : steps) {
        QTest::mouseClick(&course, Qt::LeftButton, {}, pick.area.center().toPoint());
        QCOMPARE(fixture.session().selection().event(), times.steps[pick.item].event);
        QCOMPARE(*fixture.table().currentTableRow(), static_cast<std::uint32_t>(pick.item));
    }
    // Every bar of the histogram leads to a step of its bin.
    auto& histogram = fixture.part<PickPlot>("stepHistogram");
    const auto bars = histogram.picks();
    QVERIFY(!bars.empty());
    for (const PlotPick& bar : bars) {
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, bar.area.center().toPoint());
        QVERIFY(fixture.study().current());
    }
    course.setFocus();
    QTest::keyClick(&course, Qt::Key_Left);
    for (std::size_t k = 0; k < times.steps.size(); ++k)
        QTest::keyClick(&course, Qt::Key_Left);
    QTest::keyClick(&course, Qt::Key_Return);
    QVERIFY(fixture.study().current() == std::size_t{0});
}

void TstStepsPanel::range_saysHowManyWholeSteps() {
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(itemSync()));
    const StepTimes times = fixture.study().facts()->times;
    QVERIFY(times.steps.size() >= 3);
    // C35: the middle of the first to the end of the third.
    const TimeRange range{{(times.steps[0].range.begin.v + times.steps[0].range.end.v) / 2},
                          times.steps[2].range.end};
    fixture.session().selection().set(range, Origin::Timeline);
    QVERIFY(fixture.hasRows(3));
    QVERIFY(fixture.part<QLabel>("stepNotes")
                .text()
                .startsWith(QStringLiteral("The range holds 2 whole steps.")));
}

void TstStepsPanel::c43_repeatIsWhatAPersonSays() {
    StepsFixture fixture;
    const QString file = fixture.file(repeats());
    QVERIFY(fixture.openSteps(file.toStdString()));
    auto& state = fixture.part<QLabel>("candidateState");
    auto& meaning = fixture.part<QComboBox>("candidateMeaning");
    auto& confirm = fixture.part<QPushButton>("candidateConfirm");
    QCOMPARE(state.text(), QStringLiteral("Candidate steps (unconfirmed)"));
    QVERIFY(state.isVisible());
    QVERIFY(!confirm.isEnabled()); // nothing is assumed
    QVERIFY(fixture.study().facts()->times.steps.empty());
    QVERIFY(fixture.part<StepStrip>("stepStrip").isVisible());
    meaning.setEditText(QStringLiteral("a:b"));
    QTest::mouseClick(&confirm, Qt::LeftButton);
    QVERIFY(!fixture.part<QLabel>("candidateProblem").text().isEmpty());
    QVERIFY(fixture.settings().ofTrace().empty());
    meaning.setEditText(QStringLiteral("token"));
    QTest::mouseClick(&confirm, Qt::LeftButton);
    QVERIFY(fixture.settled());
    QCOMPARE(state.text(), QStringLiteral("Confirmed"));
    QVERIFY(fixture.hasRows(8));
    QVERIFY(fixture.table().copied(CopyForm::Csv).contains(QStringLiteral("token 3 (pattern)")));
    QVERIFY(fixture.part<QLabel>("stepNotes")
                .text()
                .contains(QStringLiteral("a user said that a repeat is a token")));
    fixture.session().undoStack().undo();
    QVERIFY(fixture.settled());
    QCOMPARE(state.text(), QStringLiteral("Candidate steps (unconfirmed)"));
    QVERIFY(fixture.hasRows(0));
    fixture.session().undoStack().redo();
    QVERIFY(fixture.settled());
    QTest::mouseClick(&fixture.part<QPushButton>("candidateTakeBack"), Qt::LeftButton);
    QVERIFY(fixture.settled());
    QVERIFY(fixture.study().facts()->times.steps.empty());
}

void TstStepsPanel::c43_workspaceKeepsIt() {
    StepsFixture fixture;
    const QString file = fixture.file(repeats());
    QVERIFY(fixture.openSteps(file.toStdString()));
    QVERIFY(fixture.settings().setOfTrace("steps.pattern", "token:1", {}));
    const QString saved = fixture.folder() + QStringLiteral("/a.lacuna");
    QSignalSpy done(&fixture.window().workspace(), &WorkspaceControl::saved);
    fixture.window().workspace().save(saved);
    QVERIFY(!done.isEmpty() || done.wait(60'000));
    const auto read = Workspace::read(saved.toStdString());
    QVERIFY(read);
    QCOMPARE(read->settings.at("steps.pattern"), std::string("token:1"));
    fixture.session().close();
    QVERIFY(fixture.settings().ofTrace().empty()); // of another document nothing was said
    QVERIFY(fixture.open(saved.toStdString()));
    QVERIFY(fixture.settled());
    QCOMPARE(fixture.study().facts()->times.meaning, std::string("token"));
}

void TstStepsPanel::a03_chipIncludesTheWarmUp() {
    std::string rows;
    double at = 0;
    for (int k = 0; k < 6; ++k) {
        const double length = k == 0 ? 100'000 : 10'000;
        rows += (rows.empty() ? "" : ",") +
                rowText("user_annotation", "ProfilerStep#" + std::to_string(k), at, length);
        rows += "," + rowText("kernel", "k", at + 10, 50, "{'device':0,'stream':7}", 7);
        at += length;
    }
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(fixture.file(QByteArray::fromStdString(q(objectForm(rows)))).toStdString()));
    auto& chip = fixture.part<QToolButton>("warmUpChip");
    QCOMPARE(chip.text(), QStringLiteral("1 warm-up step excluded of 6"));
    QTest::mouseClick(&chip, Qt::LeftButton);
    QVERIFY(fixture.settled());
    QVERIFY(chip.text().contains(QStringLiteral("included")));
    QVERIFY(fixture.part<QCheckBox>("includeWarmUp").isChecked());
    fixture.session().undoStack().undo();
    QVERIFY(fixture.settled());
    QVERIFY(chip.text().contains(QStringLiteral("excluded")));
}

void TstStepsPanel::c57_startUpBecomesTheTarget() {
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(itemSync()));
    QVERIFY(!fixture.settings().values()->startUpIsTarget);
    fixture.part<QCheckBox>("startUpIsTarget").click();
    QVERIFY(fixture.settings().values()->startUpIsTarget);
    QVERIFY(fixture.window().commands().action(QStringLiteral("steps.startUpIsTarget"))->isChecked());
    QVERIFY(fixture.window().commands().run(QStringLiteral("steps.startUpIsTarget")));
    QVERIFY(!fixture.settings().values()->startUpIsTarget);
}

void TstStepsPanel::a13_peakIsRememberedForTheGpu() {
    const auto enter = [](QLineEdit& field, const char* value) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, QString::fromLatin1(value));
        QTest::keyClick(&field, Qt::Key_Return);
    };
    {
        StepsFixture fixture;
        QVERIFY(fixture.openSteps(itemSync()));
        QVERIFY(!fixture.settings().gpuName().empty());
        enter(fixture.part<QLineEdit>("step.samples_per_step"), "128");
        enter(fixture.part<QLineEdit>("step.flops_per_sample"), "3e9");
        QVERIFY(fixture.settled());
        QVERIFY(fixture.part<QLabel>("stepResults").text().contains(QStringLiteral("Enter the peak FLOP/s")));
        enter(fixture.part<QLineEdit>("step.peak_flops"), "9.89e14");
        QVERIFY(fixture.settled());
        QVERIFY(fixture.part<QLabel>("stepResults").text().contains(QStringLiteral("MFU ")));
        QVERIFY(fixture.settings().ofTrace().count("peak_flops") == 0); // of the GPU, not of the trace
    }
    StepsFixture again;
    QVERIFY(again.openSteps(itemSync()));
    QCOMPARE(*again.settings().values()->peakFlops, 9.89e14);
    QCOMPARE(again.part<QLineEdit>("step.peak_flops").text(), QStringLiteral("9.89e+14"));
    QVERIFY(!again.settings().values()->samplesPerStep); // that was of the trace
}

// 30 lines of 10 ms against steps of 11 ms: +10.0 %, told before and after it is used, and undone.
void TstStepsPanel::a15_timingLogIsPasted() {
    std::string rows, log;
    for (int k = 0; k < 5; ++k)
        rows += (rows.empty() ? "" : ",") +
                rowText("user_annotation", "ProfilerStep#" + std::to_string(k + 10), 11'000 * k, 11'000);
    for (int k = 0; k < 30; ++k)
        log += "[" + std::to_string(k) + "]: iter 10.0 ms, loss " + std::to_string(3.0 - 0.1 * k) + "\n";
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(fixture.file(QByteArray::fromStdString(q(objectForm(rows)))).toStdString()));
    QVERIFY(fixture.window().commands().run(QStringLiteral("steps.log")));
    auto& text = fixture.part<QPlainTextEdit>("timingLogText");
    auto& reading = fixture.part<QLabel>("timingLogReading");
    QVERIFY(!fixture.part<QPushButton>("timingLogUse").isEnabled());
    QVERIFY(fixture.window().findChild<QPushButton*>(QStringLiteral("timingLogForget")) == nullptr);
    text.setPlainText(QStringLiteral("Training starts\n") + QString::fromStdString(log));
    for (const char* told :
         {"Steps with a time: 30; other lines: 1.", "Loss 3 to 0.1.",
          "Outside measurement: 10.00 ms, the mean of 30 logged steps; the capture adds +10.0 %.",
          "Logged steps are matched by number: 5 of 5 steps of the trace."})
        QVERIFY2(reading.text().contains(QString::fromUtf8(told)), qPrintable(reading.text()));
    QTest::mouseClick(&fixture.part<QPushButton>("timingLogUse"), Qt::LeftButton);
    QVERIFY(fixture.settled());
    QCOMPARE(fixture.settings().values()->outsideLog.size(), std::size_t{30});
    QVERIFY(fixture.part<QLabel>("stepResults").text().contains(QStringLiteral("the capture adds +10.0 %")));
    QVERIFY(fixture.part<QPushButton>("stepLog").text().contains(QStringLiteral("30 steps")));
    QVERIFY(fixture.hasRows(5));
    const auto hasColumn = [&](const QString& title) {
        const QAbstractItemModel& table = fixture.table().rows();
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal).toString().startsWith(title))
                return true;
        return false;
    };
    QVERIFY(QTest::qWaitFor([&] { return hasColumn(QStringLiteral("Loss")); }, 60'000));
    QVERIFY(hasColumn(QStringLiteral("Logged")));
    fixture.session().undoStack().undo();
    QVERIFY(fixture.settled());
    QVERIFY(fixture.settings().values()->outsideLog.empty());
    // From a file; what is none is refused with its reason.
    QVERIFY(fixture.window().commands().run(QStringLiteral("steps.log")));
    auto& dialog = fixture.part<TimingLogDialog>("timingLog");
    QVERIFY(!dialog.openFile(fixture.folder() + QStringLiteral("/none.log")));
    QVERIFY(fixture.part<QLabel>("timingLogReading").text().contains(QStringLiteral("none.log")));
    QFile file(fixture.folder() + QStringLiteral("/run.log"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(log));
    file.close();
    QVERIFY(dialog.openFile(file.fileName()));
    QVERIFY(fixture.part<QPushButton>("timingLogUse").isEnabled());
}

// The longest row of each class has its tag in the lane, and every row of the start-up its class in the tip.
void TstStepsPanel::c54_startUpIsTaggedInTheLanes() {
    std::string rows = rowText("cuda_runtime", "cudaMalloc", 0, 3'000, "{'correlation':1}") + "," +
                       rowText("cuda_runtime", "cudaMalloc", 4'000, 1'000, "{'correlation':2}") + "," +
                       rowText("cuda_runtime", "cuModuleLoadData", 6'000, 2'000, "{'correlation':3}");
    for (int k = 0; k < 3; ++k) {
        rows += "," +
                rowText("user_annotation", "ProfilerStep#" + std::to_string(k), 20'000 + 10'000 * k, 10'000);
        rows += "," + rowText("kernel", "k", 21'000 + 10'000 * k, 1'000, "{'device':0,'stream':7}", 7);
    }
    rows += "," + rowText("cuda_runtime", "cudaMalloc", 30'500, 1'000, "{'correlation':4}");
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(fixture.file(QByteArray::fromStdString(q(objectForm(rows)))).toStdString()));
    const Trace& trace = fixture.session().document()->trace();
    const auto* tags = fixture.view().scene().tags;
    QVERIFY(tags != nullptr);
    std::map<std::string, QString> tagged; // by name and begin
    for (const auto& tag : *tags)
        tagged[std::string(trace.nameOf(tag.event)) + " " +
               std::to_string(trace.events().range(tag.event).begin.v)] = tag.text;
    QCOMPARE(tagged, (std::map<std::string, QString>{
                         {"cudaMalloc 0", QStringLiteral("allocator growth")},
                         {"cuModuleLoadData 6000000", QStringLiteral("lazy loading of code")}}));
    // In the picture, and in the tips; a row of a step has none.
    fixture.view().showWhole();
    TimelineView& timeline = fixture.window().timeline();
    const auto tipOf = [&](std::int64_t ns) {
        const TimeNs at{ns};
        const double x = fixture.view().viewport().xOf(at);
        for (int y = 0; y < timeline.lanesRect().height(); ++y)
            if (const QString tip = timeline.tipAt(QPoint(timeline.lanesRect().left() + static_cast<int>(x),
                                                          timeline.lanesRect().top() + y));
                tip.contains(QStringLiteral("cuda")) || tip.contains(QStringLiteral("cuModule")))
                return tip;
        return QString();
    };
    QVERIFY(tipOf(4'500'000).contains(QStringLiteral("start-up: allocator growth")));
    QVERIFY(tipOf(7'000'000).contains(QStringLiteral("start-up: lazy loading of code")));
    const QString later = tipOf(31'000'000);
    QVERIFY(later.contains(QStringLiteral("cudaMalloc")) && !later.contains(QStringLiteral("start-up")));
    QVERIFY(fixture.window().commands().run(QStringLiteral("view.stepStrip"))); // goes with the strip
    QVERIFY(fixture.view().scene().tags == nullptr);
}

void TstStepsPanel::c14_delayedCaptureHasABanner() {
    const SqliteFixture delayed(std::string(nsysSchema()) +
                                "INSERT INTO StringIds VALUES (1, 'cudaFree_v3020');"
                                "INSERT INTO META_DATA_CAPTURE VALUES ('START_DELAY_MS', '10000');"
                                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 800000000, 0, " +
                                std::to_string(globalTid(483, 483)) + ", 1, 1, 0, NULL);");
    WindowFixture fixture;
    QVERIFY(fixture.open(delayed.file()));
    auto& banner = *fixture.window().findChild<QWidget*>(QStringLiteral("banner"));
    QVERIFY(banner.isVisible());
    QCOMPARE(banner.findChild<QLabel*>(QStringLiteral("bannerMessage"))->text(),
             QStringLiteral("Window 10.0–10.8 s after launch. No ranges: phase unverified."));
    QVERIFY(fixture.open(itemSync())); // it was not delayed
    QVERIFY(!banner.isVisible());
}

void TstStepsPanel::wrongInput_isRefusedWithItsReason() {
    StepsFixture fixture;
    QVERIFY(fixture.openSteps(itemSync()));
    auto& samples = fixture.part<QLineEdit>("step.samples_per_step");
    auto& problem = fixture.part<QLabel>("stepProblem");
    samples.setFocus();
    QTest::keyClicks(&samples, QStringLiteral("-3"));
    QVERIFY(problem.text().contains(QStringLiteral("a number above 0"))); // while it is typed
    QTest::keyClick(&samples, Qt::Key_Return);
    QVERIFY(fixture.settings().ofTrace().empty());
    auto& schedule = fixture.part<QLineEdit>("step.schedule");
    schedule.setFocus();
    QTest::keyClicks(&schedule, QStringLiteral("often"));
    QTest::keyClick(&schedule, Qt::Key_Return);
    QVERIFY(!problem.text().isEmpty());
    QVERIFY(fixture.settings().values()->schedule.empty());
    schedule.selectAll();
    QTest::keyClicks(&schedule, QStringLiteral("wait=2,warmup=1,active=4"));
    QTest::keyClick(&schedule, Qt::Key_Return);
    QVERIFY(!problem.isVisible());
    QVERIFY(fixture.settled());
    QVERIFY(fixture.study().facts()->schedule);
}

void TstStepsPanel::options_areThoseOfTheReport() {
    ReportOptionBar bar;
    for (const ReportSpec& report : builtinReports()) {
        bar.showFor(report, {0, 1});
        for (const ReportOptionInfo& info : reportOptions())
            QCOMPARE(bar.control(info.id) != nullptr, takes(report, info.id));
        bar.showFor(report, {0});
        QVERIFY(bar.control(ReportOption::Device) == nullptr); // nothing to choose
    }
}

void TstStepsPanel::options_groupSortAndLimit() {
    StepsFixture fixture;
    QVERIFY(fixture.open(itemSync()));
    auto& bottom = fixture.part<QWidget>("bottomArea");
    auto* tabs = bottom.findChild<QTabBar*>();
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Reports"))
            tabs->setCurrentIndex(i);
    auto& names = fixture.part<QTreeWidget>("reportNames");
    names.setCurrentItem(names.findItems(QStringLiteral("key_averages"), Qt::MatchExactly).front());
    auto& table = fixture.part<ReportTableView>("reportTable");
    QVERIFY(QTest::qWaitFor(
        [&] { return table.reportName() == QStringLiteral("key_averages") && !table.isArranging(); },
        60'000));
    const auto columnThere = [&] { return table.rows().table()->findColumn("Thread").has_value(); };
    const bool before = columnThere();
    auto* group = fixture.window()
                      .panel(QStringLiteral("reports"))
                      ->findChild<QComboBox*>(QStringLiteral("option.group-by"));
    QVERIFY(group != nullptr);
    QCOMPARE(group->count(), 6);
    group->setCurrentIndex(group->findText(QStringLiteral("thread")));
    Q_EMIT group->activated(group->currentIndex());
    QVERIFY(QTest::qWaitFor([&] { return columnThere() != before; }, 60'000));
    auto* limit = fixture.window()
                      .panel(QStringLiteral("reports"))
                      ->findChild<QLineEdit*>(QStringLiteral("option.limit"));
    limit->setFocus();
    QTest::keyClicks(limit, QStringLiteral("3"));
    QTest::keyClick(limit, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return table.rows().rowCount() == 3; }, 60'000));
    limit->selectAll();
    QTest::keyClicks(limit, QStringLiteral("many"));
    QTest::keyClick(limit, Qt::Key_Return);
    QVERIFY(fixture.part<QLabel>("reportNotes").text().contains(QStringLiteral("a number of rows")));
    QCOMPARE(table.rows().rowCount(), 3);
}

LACUNA_TEST(TstStepsPanel, "tst_steps_panel")

} // namespace tst_steps_panel

#include "tst_steps_panel.moc"
