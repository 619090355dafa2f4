// The Steps panel in the window: a bar leads to its step, a repeat is what a person says, and what was said
// is undone, saved and told in exports. Report options in the window.

#include "core/document/workspace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/steps_panel.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/steps/step_strip.h"
#include "widgets/tables/report_option_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

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
    auto* group = fixture.window().findChild<QComboBox*>(QStringLiteral("option.group-by"));
    QVERIFY(group != nullptr);
    QCOMPARE(group->count(), 6);
    group->setCurrentIndex(group->findText(QStringLiteral("thread")));
    Q_EMIT group->activated(group->currentIndex());
    QVERIFY(QTest::qWaitFor([&] { return columnThere() != before; }, 60'000));
    auto* limit = fixture.window().findChild<QLineEdit*>(QStringLiteral("option.limit"));
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
#include "tst_steps_panel.moc"
