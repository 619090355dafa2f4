// The window as a person meets it: opening, failing, cancelling, selecting, marking, panels, settings.

#include "app/status_line.h"
#include "core/base/text_format.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/name_label.h"
#include "widgets/panels/panel.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/timeline/overview_strip.h"
#include "widgets/timeline/timeline_view.h"

#include <QAbstractButton>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollArea>
#include <QSlider>
#include <QTextDocumentFragment>
#include <QTreeView>

#include <algorithm>

namespace tst_main_window {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

namespace {

std::filesystem::path stall() {
    return test::fixture("captured/nsys/stall.sqlite");
}

// Of the visible label of that name: a page that was replaced may still wait for its deletion.
QString labelText(QWidget& window, const char* name) {
    for (const auto* label : window.findChildren<QLabel*>(QString::fromLatin1(name)))
        if (label->isVisible())
            return QTextDocumentFragment::fromHtml(label->text()).toPlainText();
    return {};
}

// Middle of a gap in its GPU lane, in the timeline's viewport.
QPoint gapPoint(WindowFixture& fixture, GapId gap) {
    TimelineViewModel& view = fixture.view();
    const Gap& facts = fixture.session().document()->gaps->gap(gap);
    view.fit(facts.range, 0.5);
    const LaneId lane = fixture.session().document()->trace().laneOf(facts.next);
    view.revealLane(lane);
    const TimelineRow& row = view.layout().rows()[*view.layout().visibleRowOf(lane)];
    const QRect lanes = fixture.window().timeline().lanesRect();
    return {lanes.center().x(), lanes.top() + view.topOf(row) + row.height / 2};
}

QByteArray writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? bytes : QByteArray();
}

} // namespace

class TstMainWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startsEmpty() {
        WindowFixture fixture;
        QVERIFY(fixture.window().findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        QCOMPARE(fixture.window().windowTitle(), QStringLiteral("Lacuna"));
        for (const char* id :
             {"file.export", "file.close", "gaps.next", "annotate.add", "edit.undo", "timeline.zoomIn"})
            QVERIFY2(!fixture.window().commands().action(QString::fromLatin1(id))->isEnabled(), id);
        QVERIFY(fixture.window().commands().action(QStringLiteral("file.open"))->isEnabled());
    }

    void opensATraceAndShowsWhereTheGpuIsIdle_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("json.gz") << QString::fromStdString(itemSync().string());
        QTest::newRow("sqlite") << QString::fromStdString(stall().string());
    }
    void opensATraceAndShowsWhereTheGpuIsIdle() {
        QFETCH(QString, file);
        WindowFixture fixture;
        QVERIFY(fixture.open(file.toStdString()));
        QVERIFY(fixture.window().timeline().isVisible());
        QVERIFY(fixture.window().windowTitle().endsWith(QFileInfo(file).fileName()));
        const auto* table = fixture.window().findChild<QTreeView*>(QStringLiteral("gapsTable"));
        QVERIFY(table->isVisible());
        QVERIFY(table->model()->rowCount() > 2);
        // The worst finding is the first thing in the inspector.
        const GapAnalysis& gaps = *fixture.session().document()->gaps;
        const QString verdict = QString::fromStdString(gaps.explain(gaps.gap(gaps.byRank().front())).verdict);
        const auto isSaid = [&] {
            const auto labels = fixture.window().panel(QStringLiteral("inspector"))->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel* label) { return label->text() == verdict; });
        };
        QTRY_VERIFY(isSaid()); // behind the first picture
    }

    void cancelKeepsWhatWasOpen() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        const Document* before = fixture.session().document();
        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        fixture.window().open(QString::fromStdString(stall().string()));
        QVERIFY(fixture.session().isLoading());
        auto* cancel = fixture.window().findChild<QAbstractButton*>(QStringLiteral("loadCancel"));
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(ended.size(), 1);
        QVERIFY(!fixture.session().isLoading());
        QTest::qWait(300); // a late result must not arrive
        QCOMPARE(fixture.session().document(), before);
        QVERIFY(!cancel->isVisible());
        QVERIFY(fixture.window().timeline().isVisible());
    }

    void cancelOfTheFirstLoadGoesBackToTheStartPage() {
        WindowFixture fixture;
        fixture.window().open(QString::fromStdString(itemSync().string()));
        QVERIFY(!fixture.window().findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        fixture.session().cancelOpen();
        QVERIFY(fixture.window().findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        QTest::qWait(300);
        QVERIFY(fixture.session().document() == nullptr);
    }

    void closingDuringALoadWaitsForIt() {
        auto fixture = std::make_unique<WindowFixture>();
        fixture->window().open(QString::fromStdString(stall().string()));
        fixture->window().close();
        fixture.reset(); // under a sanitizer this would report what outlives the window
        QVERIFY(true);
    }

    void brokenFileSaysWhatWhereAndWhatToDo() {
        WindowFixture fixture;
        const QString bad = fixture.folder() + QStringLiteral("/bad.json");
        writeFile(bad, "this is no trace");
        QVERIFY(!fixture.open(bad.toStdString()));
        QTRY_COMPARE(labelText(fixture.window(), "failureTitle"),
                     QStringLiteral("bad.json could not be opened."));
        const Error& error = fixture.session().failure()->error;
        QVERIFY(!error.detail.empty() && !error.remedy.empty());
        QCOMPARE(labelText(fixture.window(), "failureReason"), QString::fromStdString(error.detail));
        QCOMPARE(labelText(fixture.window(), "failureRemedy"), QString::fromStdString(error.remedy));
        QCOMPARE(labelText(fixture.window(), "failurePath"), bad);
        const auto* open = fixture.window().findChild<QAbstractButton*>(QStringLiteral("startOpen"));
        QCOMPARE(open->text(), QStringLiteral("Open another..."));
    }

    void brokenFileLeavesTheOpenOneAlone() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        const Document* before = fixture.session().document();
        const QString bad = fixture.folder() + QStringLiteral("/bad.json");
        writeFile(bad, "{\"no\": 1}");
        fixture.open(bad.toStdString());
        QCOMPARE(fixture.session().document(), before);
        QVERIFY(fixture.window().timeline().isVisible());
        QVERIFY(labelText(fixture.window(), "bannerMessage")
                    .startsWith(QStringLiteral("bad.json could not be opened: ")));
        fixture.session().dismissFailure();
        QVERIFY(labelText(fixture.window(), "bannerMessage").isEmpty());
    }

    void missingFileIsAnErrorNotACrash() {
        WindowFixture fixture;
        QVERIFY(!fixture.open("/nowhere/at/all.json"));
        QTRY_VERIFY(!labelText(fixture.window(), "failureReason").isEmpty());
    }

    void truncatedFileIsOpenUpToItsEnd() {
        WindowFixture fixture;
        const QByteArray whole = QByteArray::fromStdString(test::readFile(test::fixture("micro/M1.json")));
        const QString half = fixture.folder() + QStringLiteral("/half.json");
        writeFile(half, whole.left(whole.size() * 3 / 4));
        QVERIFY(fixture.open(half.toStdString()));
        QVERIFY(fixture.session().document()->trace().report().isPartial());
        QVERIFY(!labelText(fixture.window(), "bannerMessage").isEmpty());
    }

    void d07_e07_clickOnAGapTellsItsStory() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        const GapId worst = fixture.session().document()->gaps->byRank().front();
        const QPoint at = gapPoint(fixture, worst);
        QTest::mouseClick(fixture.window().timeline().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(fixture.session().selection().gap(), worst);
        const GapStory& story = fixture.session().story(worst);
        QCOMPARE(labelText(fixture.window(), "verdict"), QString::fromStdString(story.verdict));
        QVERIFY(labelText(fixture.window(), "verdict").startsWith(QStringLiteral("Observed: ")));
        QVERIFY(labelText(fixture.window(), "verdict").contains(QStringLiteral("cudaStreamSynchronize")));
        QVERIFY(labelText(fixture.window(), "bound").startsWith(QStringLiteral("Bound: at most ")));
        // The table shows the same gap.
        const auto* table = fixture.window().findChild<QTreeView*>(QStringLiteral("gapsTable"));
        QVERIFY(table->currentIndex().isValid());
    }

    // ux.md section 6: the five parts of the story of a gap fit without scrolling at 1080 p.
    void storyOfAGap_fitsAt1080p_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("item_sync") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
        QTest::newRow("stall") << QStringLiteral("captured/nsys/stall.sqlite");
        QTest::newRow("pageable_copy") << QStringLiteral("captured/torch/pageable_copy.pt.trace.json.gz");
        QTest::newRow("dataloader_stall")
            << QStringLiteral("captured/torch/dataloader_stall.pt.trace.json.gz");
    }
    void storyOfAGap_fitsAt1080p() {
        QFETCH(QString, file);
        WindowFixture fixture;
        fixture.window().resize(1920, 1080);
        QVERIFY(fixture.open(test::fixture(file.toStdString())));
        auto* scroll = fixture.window().panel(QStringLiteral("inspector"))->findChild<QScrollArea*>();
        const auto ranks = fixture.session().document()->gaps->byRank();
        QVERIFY(ranks.size() >= 3);
        for (std::size_t rank = 0; rank < std::min<std::size_t>(6, ranks.size()); ++rank) {
            fixture.view().goTo(ranks[rank], Origin::Command);
            QApplication::processEvents();
            const auto* bound = fixture.window().findChild<QLabel*>(QStringLiteral("bound"));
            QVERIFY(bound != nullptr);
            const int end = bound->mapTo(scroll->widget(), QPoint(0, bound->height())).y();
            QVERIFY(end > 300); // laid out
            QVERIFY2(end <= scroll->viewport()->height(), qPrintable(QString::number(end)));
        }
    }
    void rowOfTheTableSelectsAndReveals() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        auto* table = fixture.window().findChild<QTreeView*>(QStringLiteral("gapsTable"));
        const GapId second = fixture.session().document()->gaps->groups()[1].members.front();
        const QModelIndex row = table->model()->index(1, 2);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
        QCOMPARE(fixture.session().selection().gap(), second);
        const TimeRange gap = fixture.session().document()->gaps->gap(second).range;
        const TimeRange view = fixture.view().viewport().range();
        QVERIFY(view.begin <= gap.begin && gap.end <= view.end);
    }

    void dragMarksARangeWithStatistics() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        fixture.view().showWhole();
        QWidget* canvas = fixture.window().timeline().viewport();
        const QRect lanes = fixture.window().timeline().lanesRect();
        const QPoint from(lanes.left() + 200, lanes.top() + 40), to(lanes.left() + 500, lanes.top() + 60);
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, (from + to) / 2);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        const auto range = fixture.session().selection().range();
        QVERIFY(range.has_value());
        QCOMPARE(range->begin, fixture.view().viewport().timeAt(200));
        QCOMPARE(range->end, fixture.view().viewport().timeAt(500));
        // The statistics say that busy, idle and edges sum to the range.
        const GapTotals totals = fixture.session().document()->gaps->totals(DeviceId{0}, *range);
        QCOMPARE(totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs, range->length().v);
        const auto isShown = [&] { // ten times a second while a button is down
            const auto rows =
                fixture.window().panel(QStringLiteral("inspector"))->findChildren<QAbstractButton*>();
            return std::any_of(rows.begin(), rows.end(), [](const QAbstractButton* row) {
                return row->accessibleName().startsWith(QStringLiteral("busy + idle + edges"));
            });
        };
        QVERIFY(QTest::qWaitFor(isShown));
        // Its right edge moves alone.
        QTest::mousePress(canvas, Qt::LeftButton, {}, to + QPoint(1, 0));
        QTest::mouseMove(canvas, to + QPoint(60, 0));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to + QPoint(60, 0));
        QCOMPARE(fixture.session().selection().range()->begin, range->begin);
        QCOMPARE(fixture.session().selection().range()->end, fixture.view().viewport().timeAt(560));
    }

    void eventShowsAllThatTheFileRecords() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        const Trace& trace = fixture.session().document()->trace();
        const EventId kernel = fixture.session().document()->gaps->gaps().front().next;
        fixture.view().goTo(kernel, Origin::Command);
        const auto details = fixture.session().details(kernel);
        QVERIFY(static_cast<bool>(details));
        QVERIFY(details->fields.size() > 5);
        QStringList shown;
        for (const auto* label : fixture.window().panel(QStringLiteral("inspector"))->findChildren<QLabel*>())
            shown << label->text();
        for (const auto* label :
             fixture.window().panel(QStringLiteral("inspector"))->findChildren<NameLabel*>())
            shown << label->name();
        for (const auto& [name, value] : details->fields)
            QVERIFY2(shown.contains(QString::fromStdString(value)), name.c_str());
        QVERIFY(shown.contains(
            QString::fromUtf8(trace.nameOf(kernel).data(), qsizetype(trace.nameOf(kernel).size()))));
    }

    void hoverTellsNameAndExactTimes() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        const GapId worst = fixture.session().document()->gaps->byRank().front();
        const QPoint at = gapPoint(fixture, worst);
        const QString tip = fixture.window().timeline().tipAt(at);
        const Gap& gap = fixture.session().document()->gaps->gap(worst);
        QVERIFY(tip.contains(QString::fromStdString(formatExact(gap.length()))));
        QVERIFY(tip.contains(QStringLiteral("rank 1")));
    }

    void overviewJumpsPansAndZooms() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        auto* overview = fixture.window().findChild<OverviewStrip*>();
        const TimeRange extent = fixture.view().extent();
        fixture.view().fit({extent.begin, extent.begin + DurationNs{extent.length().v / 5}}, 0.0);
        const std::int64_t span = fixture.view().viewport().range().length().v;
        const QRectF strips = overview->stripsRect();
        // A click jumps: the middle of the view is there.
        const QPoint there(int(strips.left() + strips.width() * 0.62), 8);
        QTest::mouseClick(overview, Qt::LeftButton, {}, there);
        const QRectF window = overview->windowRect();
        QVERIFY(std::abs(window.center().x() - there.x()) < 3);
        QVERIFY(std::abs(fixture.view().viewport().range().length().v - span) < span / 50);
        // The window is dragged.
        QTest::mousePress(overview, Qt::LeftButton, {}, window.center().toPoint() - QPoint(0, 14));
        QTest::mouseMove(overview, window.center().toPoint() - QPoint(80, 14));
        QTest::mouseRelease(overview, Qt::LeftButton, {}, window.center().toPoint() - QPoint(80, 14));
        QVERIFY(std::abs(overview->windowRect().center().x() - (window.center().x() - 80)) < 3);
        // An edge zooms and leaves the other one.
        const QRectF moved = overview->windowRect();
        const QPoint edge(int(moved.right()), 8);
        QTest::mousePress(overview, Qt::LeftButton, {}, edge);
        QTest::mouseMove(overview, edge + QPoint(50, 0));
        QTest::mouseRelease(overview, Qt::LeftButton, {}, edge + QPoint(50, 0));
        QVERIFY(std::abs(overview->windowRect().left() - moved.left()) < 3);
        QVERIFY(std::abs(overview->windowRect().right() - (moved.right() + 50)) < 4);
        // A pin selects its gap.
        const GapId worst = fixture.session().document()->gaps->byRank().front();
        QTest::mouseClick(overview, Qt::LeftButton, {}, overview->pinCentre(worst).toPoint());
        QCOMPARE(fixture.session().selection().gap(), worst);
    }

    void droppedFileIsOpened() {
        WindowFixture fixture;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(itemSync().string()))});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&fixture.window(), &enter);
        QVERIFY(enter.isAccepted());
        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&fixture.window(), &drop);
        QVERIFY(ended.wait(60'000));
        QVERIFY(fixture.session().document() != nullptr);
    }

    void narrowWindowHasTheInspectorBelow() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        Panel* inspector = fixture.window().panel(QStringLiteral("inspector"));
        auto* bottom = fixture.window().findChild<QWidget*>(QStringLiteral("bottomArea"));
        QVERIFY(!bottom->isAncestorOf(inspector));
        fixture.window().resize(1000, 700);
        QTRY_VERIFY(bottom->isAncestorOf(inspector));
        fixture.window().commands().run(QStringLiteral("view.inspector"));
        QVERIFY(inspector->isVisible());
        fixture.window().resize(1500, 900);
        QTRY_VERIFY(!bottom->isAncestorOf(inspector));
        QVERIFY(inspector->isVisible());
        QCOMPARE(fixture.window().minimumSize(), QSize(960, 600));
    }

    void remembersFilesAndLayout() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        QCOMPARE(fixture.state().recentFiles().size(), std::size_t{1});
        QVERIFY(fixture.open(stall()));
        QCOMPARE(fixture.state().recentFiles().front().path, QString::fromStdString(stall().string()));
        QVERIFY(fixture.open(itemSync())); // no double entry
        QCOMPARE(fixture.state().recentFiles().size(), std::size_t{2});
        fixture.window().commands().run(QStringLiteral("view.inspector"));
        fixture.theme().choose(ThemeChoice::Dark);
        fixture.window().close();
        QVERIFY(!fixture.state().layout().inspectorShown);
        QCOMPARE(fixture.state().layout().theme, ThemeChoice::Dark);
        fixture.state().clearRecent();
        QVERIFY(fixture.state().recentFiles().empty());
    }

    void reloadKeepsTheCallouts() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        fixture.view().goTo(fixture.session().document()->gaps->byRank().front(), Origin::Command);
        fixture.window().commands().run(QStringLiteral("annotate.addVerdict"));
        QCOMPARE(fixture.session().annotations().callouts().size(), std::size_t{1});
        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        fixture.window().commands().run(QStringLiteral("file.reload"));
        QVERIFY(ended.wait(60'000));
        QCOMPARE(fixture.session().annotations().callouts().size(), std::size_t{1});
    }

    void calloutsAreNotLostWithoutAQuestion() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        fixture.view().goTo(fixture.session().document()->gaps->byRank().front(), Origin::Command);
        fixture.window().commands().run(QStringLiteral("annotate.addVerdict"));
        int asked = 0;
        fixture.window().setLossQuestion([&] {
            ++asked;
            return false;
        });
        const Document* before = fixture.session().document();
        fixture.window().open(QString::fromStdString(stall().string()));
        QVERIFY(!fixture.window().close());
        QCOMPARE(asked, 2);
        QCOMPARE(fixture.session().document(), before);
        QVERIFY(!fixture.session().isLoading());
        fixture.window().setLossQuestion([] { return true; });
    }

    void everyControlHasAName() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        fixture.view().goTo(fixture.session().document()->gaps->byRank().front(), Origin::Command);
        for (const QWidget* widget : fixture.window().findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool control = button != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                 qobject_cast<const QSlider*>(widget) != nullptr ||
                                 qobject_cast<const QTreeView*>(widget) != nullptr;
            if (!control || !widget->isVisible() || widget->focusPolicy() == Qt::NoFocus)
                continue;
            const bool named =
                !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
            QVERIFY2(named, qPrintable(QString::fromLatin1(widget->metaObject()->className()) +
                                       widget->objectName()));
        }
    }
};

LACUNA_TEST(TstMainWindow, "tst_main_window")

} // namespace tst_main_window

#include "tst_main_window.moc"
