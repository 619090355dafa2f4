// A trace that is shown while it is read: what the window offers before the whole is there, and what stays as
// it was when it comes. The load is played by the test, so nothing here depends on time.

#include "app/status_line.h"
#include "core/import/reading_stop.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/states/stretch_dialog.h"
#include "widgets/timeline/timeline_view.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>
#include <QTreeWidget>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace tst_progressive {

using namespace lacuna;
using namespace lacuna::ui;
using test::RandomRow;
using test::WindowFixture;

namespace {

CachedLoad complete(std::shared_ptr<const Trace> trace) {
    CachedLoad loaded;
    loaded.trace = std::move(trace);
    return loaded;
}

// Stands in for the importer: hands over what the test gives it, in the order of the calls.
class PlayedLoad {
public:
    // What a stop gives; none: it is not offered.
    std::optional<CachedLoad> untilStop;

    AnalysisSession::Loader loader() {
        return [this](const QString&, JobControl& job, const LoadOptions& options) -> Result<CachedLoad> {
            m_wantsSnapshots = static_cast<bool>(options.onSnapshot);
            if (untilStop) {
                options.stop->offer();
                job.advance(3u << 20);
                job.countEvents(60);
            }
            for (;;) {
                std::unique_lock guard(m_lock);
                m_changed.wait_for(guard, std::chrono::milliseconds(5),
                                   [&] { return m_snapshot != nullptr || m_result.has_value(); });
                if (job.cancelled())
                    return cancelledError();
                if (untilStop && options.stop->isAsked(0))
                    return *std::exchange(untilStop, std::nullopt);
                if (m_snapshot != nullptr)
                    options.onSnapshot(std::exchange(m_snapshot, nullptr));
                else if (m_result)
                    return *std::exchange(m_result, std::nullopt);
            }
        };
    }
    void snapshot(std::shared_ptr<const Trace> trace) {
        const std::lock_guard guard(m_lock);
        m_snapshot = std::move(trace);
        m_changed.notify_all();
    }
    void end(Result<CachedLoad> result) {
        const std::lock_guard guard(m_lock);
        m_result.emplace(std::move(result));
        m_changed.notify_all();
    }
    bool wantsSnapshots() const { return m_wantsSnapshots; }

private:
    std::mutex m_lock;
    std::condition_variable m_changed;
    std::shared_ptr<const Trace> m_snapshot;
    std::optional<Result<CachedLoad>> m_result;
    std::atomic<bool> m_wantsSnapshots = false;
};

// Kernels of 10 us every 30 us and the operators that launch them. The last rows of the file are the earliest
// in time, so that time zero moves when they come.
std::vector<RandomRow> rows() {
    std::vector<RandomRow> rows;
    for (int i = 0; i < 40; ++i) {
        const std::int64_t begin = 1'000'000 + i * 30'000;
        RandomRow op;
        op.name = "op " + std::to_string(i);
        op.thread = 0;
        op.beginNs = begin - 5'000;
        op.endNs = begin + 20'000;
        rows.push_back(op);
        RandomRow kernel;
        kernel.kind = EventKind::Kernel;
        kernel.name = "kernel " + std::to_string(i);
        kernel.device = 0;
        kernel.stream = 7;
        kernel.beginNs = begin;
        kernel.endNs = begin + 10'000;
        rows.push_back(kernel);
    }
    RandomRow early;
    early.name = "early";
    early.thread = 0;
    early.beginNs = 500'000;
    early.endNs = 600'000;
    rows.push_back(early);
    return rows;
}

std::shared_ptr<const Trace> traceOfFirst(std::size_t count, bool isStopped = false) {
    std::vector<RandomRow> part = rows();
    part.resize(count);
    return test::traceOfRows(part, isStopped);
}

std::shared_ptr<const Trace> stoppedTraceOfFirst(std::size_t count) {
    return traceOfFirst(count, true);
}

class PlayedWindow : public WindowFixture {
public:
    PlayedWindow() {
        session().setLoader(load.loader());
        window().open(QStringLiteral("/played/trace.json"));
    }
    ~PlayedWindow() { session().cancelOpen(); }

    void showSnapshot(std::size_t rowCount) { showSnapshot(traceOfFirst(rowCount)); }
    void showSnapshot(std::shared_ptr<const Trace> trace) {
        QSignalSpy shown(&session(), &AnalysisSession::previewChanged);
        load.snapshot(std::move(trace));
        while (shown.isEmpty() && shown.wait(60'000)) {
        }
    }
    void end(Result<CachedLoad> result) {
        QSignalSpy ended(&session(), &AnalysisSession::loadEnded);
        load.end(std::move(result));
        while (ended.isEmpty() && ended.wait(60'000)) {
        }
    }
    // A trace that tells which thread let go of it last.
    std::shared_ptr<const Trace> watched(std::size_t rowCount, std::atomic<const QThread*>& freedBy) {
        auto trace = traceOfFirst(rowCount);
        const Trace* const raw = trace.get();
        return {raw, [kept = std::move(trace), &freedBy](const Trace*) mutable {
                    kept.reset();
                    freedBy = QThread::currentThread();
                }};
    }
    void endWithAll() { end(complete(test::traceOfRows(rows()))); }
    bool isEnabled(const char* command) {
        return window().commands().action(QString::fromLatin1(command))->isEnabled();
    }
    bool isShown(const char* widget) {
        return window().findChild<QWidget*>(QString::fromLatin1(widget))->isVisible();
    }
    // Left edge of the view in the time of the file.
    std::int64_t viewBegin() { return view().viewport().begin.v + session().shown()->trace().fileZeroNs(); }
    EventId named(std::string_view name) {
        const Trace& trace = session().shown()->trace();
        for (EventId e{0}; e.v < trace.events().size(); ++e.v)
            if (trace.nameOf(e) == name)
                return e;
        return {};
    }

    PlayedLoad load;
};

} // namespace

class TstProgressive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAreShownWhileTheRestIsRead() {
        PlayedWindow window;
        QVERIFY(window.isShown("loadStrip"));
        QVERIFY(!window.isShown("timeline"));
        window.showSnapshot(20);
        QVERIFY(window.session().isPreview());
        QVERIFY(window.session().document() == nullptr);
        QVERIFY(window.isShown("timeline"));
        QVERIFY(window.isShown("loadStrip"));
        QCOMPARE(window.window().windowTitle(), QStringLiteral("Lacuna — trace.json"));
        QCOMPARE(window.view().frame().lanes.size(), std::size_t{2});
        window.showSnapshot(60);
        QCOMPARE(window.session().shown()->trace().events().size(), std::size_t{60});
        window.endWithAll();
        QVERIFY(!window.session().isPreview());
        QVERIFY(window.session().document() != nullptr);
        QVERIFY(!window.isShown("loadStrip"));
    }

    // A preview of millions of rows takes longer than a frame to unmap: not in the turn that replaces it.
    void previewsAreFreedByAnotherThread() {
        std::atomic<const QThread*> first = nullptr, second = nullptr, dropped = nullptr;
        {
            PlayedWindow window;
            window.showSnapshot(window.watched(20, first));
            window.showSnapshot(window.watched(60, second));
            QTRY_VERIFY(first != nullptr);
            QVERIFY(first != QThread::currentThread());
            window.endWithAll();
            QTRY_VERIFY(second != nullptr);
            QVERIFY(second != QThread::currentThread());
        }
        PlayedWindow window;
        window.showSnapshot(window.watched(20, dropped));
        window.session().cancelOpen();
        QTRY_VERIFY(dropped != nullptr);
        QVERIFY(dropped != QThread::currentThread());
    }

    void nothingThatMayBeWrongIsShown() {
        PlayedWindow window;
        window.showSnapshot(60);
        QVERIFY(window.session().shown()->gaps == nullptr);
        QVERIFY(window.view().frame().gaps.empty());
        QVERIFY(window.view().scene().pins.empty());
        auto* summary = window.window().findChild<QWidget*>(QStringLiteral("summary"));
        QCOMPARE(summary->accessibleName(), QStringLiteral("Loading..."));
        auto* table = window.window().findChild<QWidget*>(QStringLiteral("gapsTable"));
        QCOMPARE(table->accessibleDescription(), QStringLiteral("Loading..."));
        QVERIFY(window.window().statusLine().parts().contains(QStringLiteral("60 events so far")));
        for (const char* id : {"gaps.next", "gaps.nextInTime", "annotate.add", "file.export", "file.reload"})
            QVERIFY2(!window.isEnabled(id), id);
        window.endWithAll();
        QVERIFY(window.isEnabled("file.export"));
        QVERIFY(window.isEnabled("gaps.next"));
        QVERIFY(summary->accessibleName().startsWith(QStringLiteral("GPU 0 busy")));
        QCOMPARE(table->accessibleDescription(), QString());
    }

    void thePreviewCanBeLookedAt() {
        PlayedWindow window;
        window.showSnapshot(60);
        for (const char* id : {"timeline.zoomIn", "timeline.panRight", "timeline.showWhole", "file.close"})
            QVERIFY2(window.isEnabled(id), id);
        const double before = window.view().viewport().nsPerPx;
        window.window().commands().run(QStringLiteral("timeline.zoomIn"));
        QVERIFY(window.view().viewport().nsPerPx < before);
        window.session().selection().set(window.named("kernel 3"), Origin::Timeline);
        bool isNamed = false;
        for (const auto* label : window.window().findChildren<QLabel*>(QStringLiteral("eventName")))
            isNamed = isNamed || label->text() == QStringLiteral("kernel 3");
        QVERIFY(isNamed);
        QVERIFY(!window.session().details(window.named("kernel 3")));
    }

    void aViewThatWasMoved_staysInTheTimeOfTheFile() {
        PlayedWindow window;
        window.showSnapshot(60);
        const Trace& preview = window.session().shown()->trace();
        QCOMPARE(preview.fileZeroNs(), std::int64_t{995'000});
        window.view().fit({{200'000}, {400'000}}, 0.0);
        const std::int64_t begin = window.viewBegin();
        const double scale = window.view().viewport().nsPerPx;
        window.showSnapshot(70);
        QVERIFY(std::abs(window.viewBegin() - begin) <= static_cast<std::int64_t>(scale) + 1);
        window.endWithAll();
        QCOMPARE(window.session().shown()->trace().fileZeroNs(), std::int64_t{500'000});
        QVERIFY(std::abs(window.viewBegin() - begin) <= static_cast<std::int64_t>(scale) + 1);
        QCOMPARE(window.view().viewport().nsPerPx, scale);
    }

    void aViewThatWasNotMoved_isFittedAgain() {
        PlayedWindow window;
        window.showSnapshot(20);
        const TimeRange part = window.view().viewport().range();
        window.endWithAll();
        const TimeRange whole = window.view().viewport().range();
        QVERIFY(whole.length() > part.length());
        QVERIFY(whole.begin <= window.view().extent().begin);
        QVERIFY(whole.end >= window.view().extent().end);
        QVERIFY(!window.view().canGoBack());
    }

    void theSelectionIsTheSameRowOfTheFile() {
        PlayedWindow window;
        window.showSnapshot(60);
        const EventId before = window.named("kernel 7");
        window.session().selection().set(before, Origin::Timeline);
        window.endWithAll();
        const EventId after = window.session().selection().event();
        QVERIFY(after);
        QVERIFY(window.session().document()->trace().nameOf(after) == "kernel 7");
    }

    void aMarkedRangeStaysInTheTimeOfTheFile() {
        PlayedWindow window;
        window.showSnapshot(60);
        window.session().selection().set(TimeRange{{0}, {50'000}},
                                         Origin::Timeline); // 995 to 1045 us of the file
        window.endWithAll();
        QVERIFY(window.session().selection().range() == (TimeRange{{495'000}, {545'000}}));
    }

    void whatIsReadCanBeOpened() {
        PlayedWindow window;
        QVERIFY(!window.isShown("loadStop")); // this format is read to its end
        window.session().cancelOpen();
        window.load.untilStop = complete(stoppedTraceOfFirst(60));
        window.window().open(QStringLiteral("/played/trace.json"));
        QTRY_VERIFY(window.isShown("loadStop"));
        QSignalSpy ended(&window.session(), &AnalysisSession::loadEnded);
        QTest::mouseClick(window.window().findChild<QAbstractButton*>(QStringLiteral("loadStop")),
                          Qt::LeftButton);
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY(window.session().document() != nullptr);
        QCOMPARE(window.session().document()->stoppedAt, std::optional<std::uint64_t>(3u << 20));
        // The last of 60 rows is the kernel that begins 870 us after the first, whose operator is 5 us
        // earlier.
        QCOMPARE(window.window().findChild<QLabel*>(QStringLiteral("bannerMessage"))->text(),
                 QStringLiteral("Stopped at 3.0 MiB. The first 875.0 µs are open; the rest is not read."));
        QVERIFY(window.session().document()->gaps != nullptr);
    }

    // What is not read may hold it: nothing says that there was none.
    void aPartWithoutDeviceRows_saysSo() {
        PlayedWindow window;
        std::vector<RandomRow> host = rows();
        std::erase_if(host, [](const RandomRow& row) { return row.kind == EventKind::Kernel; });
        window.end(complete(test::traceOfRows(host, true)));
        auto* summary = window.window().findChild<QWidget*>(QStringLiteral("summary"));
        QVERIFY2(summary->accessibleName().contains(QStringLiteral("no GPU work in what is read")),
                 qPrintable(summary->accessibleName()));
        window.window().open(QStringLiteral("/played/whole.json"));
        window.end(complete(test::traceOfRows(host)));
        QVERIFY2(summary->accessibleName().contains(QStringLiteral("no GPU work in this trace")),
                 qPrintable(summary->accessibleName()));
    }

    void theRestIsReadIntoTheSameView() {
        PlayedWindow window;
        window.end(complete(stoppedTraceOfFirst(60)));
        window.view().fit({{200'000}, {400'000}}, 0.0);
        window.session().selection().set(window.named("kernel 7"), Origin::Timeline);
        const std::int64_t begin = window.viewBegin();
        auto* go = window.window().findChild<QWidget*>(QStringLiteral("banner"));
        QAbstractButton* more = nullptr;
        for (auto* button : go->findChildren<QAbstractButton*>())
            if (button->text() == QStringLiteral("Continue"))
                more = button;
        QVERIFY(more != nullptr && more->isVisible());
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(window.session().isLoading());
        QVERIFY(!go->isVisible());
        window.endWithAll();
        QVERIFY(!window.session().document()->stoppedAt);
        QCOMPARE(window.session().document()->trace().events().size(), rows().size());
        QVERIFY(std::abs(window.viewBegin() - begin) <= 1'000);
        QVERIFY(window.session().document()->trace().nameOf(window.session().selection().event()) ==
                "kernel 7");
        QVERIFY(!go->isVisible());
    }

    // Also a real file: what fits is read, and no more.
    void tooLittleMemory_asksFirst() {
        WindowFixture fixture;
        fixture.session().setFreeMemory([] { return std::uint64_t{1} << 20; });
        QVERIFY(!fixture.open(test::itemSync()));
        QVERIFY(fixture.session().failure()->lacksMemory);
        const auto* page = fixture.window().findChild<QWidget*>(QStringLiteral("startPage"));
        const auto told = [&] {
            return page->findChildren<QLabel*>(QStringLiteral("failureReason")).back()->text();
        };
        QVERIFY2(told().startsWith(QStringLiteral("This trace needs about 60.6 MiB of memory; ")) &&
                     told().endsWith(QStringLiteral("1.0 MiB are free. Open a part?")),
                 qPrintable(told()));
        const auto press = [&](const char* name) {
            QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
            QTest::mouseClick(page->findChildren<QAbstractButton*>(QLatin1String(name)).back(),
                              Qt::LeftButton);
            while (ended.isEmpty() && ended.wait(60'000)) {
            }
            return fixture.session().document();
        };
        const Document* part = press("startPart");
        QVERIFY(part != nullptr && part->stoppedAt);
        QCOMPARE(part->trace().report().rowsRead(), std::uint64_t{2048}); // the first look is behind so many
        fixture.session().close();
        QVERIFY(!fixture.open(test::itemSync()));
        const Document* whole = press("startAnyway");
        QVERIFY(whole != nullptr && !whole->stoppedAt);
    }

    // The file is looked through for its steps; those that are chosen are read, and then all of it.
    void tooLittleMemory_stepsCanBeChosen() {
        WindowFixture fixture;
        fixture.session().setFreeMemory([] { return std::uint64_t{20} << 20; });
        QVERIFY(!fixture.open(test::itemSync()));
        const auto* page = fixture.window().findChild<QWidget*>(QStringLiteral("startPage"));
        QSignalSpy surveyed(&fixture.session(), &AnalysisSession::surveyed);
        QTest::mouseClick(page->findChildren<QAbstractButton*>(QStringLiteral("startSteps")).back(),
                          Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(surveyed.size(), 1, 60'000);
        auto* dialog = fixture.window().findChild<StretchDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* steps = dialog->findChild<QTreeWidget*>();
        const TraceSurvey& survey = fixture.session().lastSurvey()->survey;
        QCOMPARE(static_cast<std::size_t>(steps->topLevelItemCount()), survey.steps.size());
        QVERIFY(steps->topLevelItem(0)->isSelected()); // the first is selected whatever fits
        // The second and third: the times follow.
        steps->clearSelection();
        steps->topLevelItem(1)->setSelected(true);
        steps->topLevelItem(2)->setSelected(true);
        const FileStretch asked = dialog->stretch();
        const FileStretch &first = survey.steps[1].stretch, &last = survey.steps[2].stretch;
        QVERIFY(asked.beginNs <= first.beginNs && first.beginNs - asked.beginNs <= 1'000);
        QVERIFY(asked.endNs >= last.endNs && asked.endNs - last.endNs <= 1'000);
        const QString need = dialog->findChild<QLabel*>(QStringLiteral("stretchNeed"))->text();
        QVERIFY2(need.contains(QStringLiteral("of memory; 20.0 MiB are free")), qPrintable(need));
        // Times typed: the steps in them are selected.
        dialog->findChild<QDoubleSpinBox*>(QStringLiteral("stretchTo"))
            ->setValue(static_cast<double>(first.endNs - survey.whole.beginNs) / 1e9 + 1e-6);
        QVERIFY(steps->topLevelItem(1)->isSelected() && !steps->topLevelItem(2)->isSelected());

        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        const FileStretch stretch = dialog->stretch();
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60'000);
        const Document* part = fixture.session().document();
        QVERIFY(part != nullptr && part->stretch == stretch && !part->stoppedAt);
        QVERIFY(part->trace().report().find(kRowsNotChosen) != nullptr);
        const QString banner = fixture.window().findChild<QLabel*>(QStringLiteral("bannerMessage"))->text();
        QVERIFY2(banner.endsWith(QStringLiteral("of this trace are open; the rest is not read.")),
                 qPrintable(banner));
        fixture.session().setFreeMemory([] { return std::uint64_t{100} << 30; });
        QAbstractButton* all = nullptr;
        for (auto* button :
             fixture.window().findChild<QWidget*>(QStringLiteral("banner"))->findChildren<QAbstractButton*>())
            if (button->text() == QStringLiteral("Read all of it"))
                all = button;
        QVERIFY(all != nullptr);
        QTest::mouseClick(all, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 60'000);
        QVERIFY(fixture.session().document()->isWhole());
    }

    // Tables cannot be read up to a place, so that is not offered; steps can be chosen.
    void tooLittleMemory_forTables() {
        WindowFixture fixture;
        fixture.session().setFreeMemory([] { return std::uint64_t{1} << 20; });
        QVERIFY(!fixture.open(test::fixture("captured/nsys/stall.sqlite")));
        const auto* page = fixture.window().findChild<QWidget*>(QStringLiteral("startPage"));
        QVERIFY(page->findChild<QAbstractButton*>(QStringLiteral("startPart")) == nullptr);
        QVERIFY(page->findChild<QAbstractButton*>(QStringLiteral("startSteps")) != nullptr);
        QVERIFY(page->findChild<QAbstractButton*>(QStringLiteral("startAnyway")) != nullptr);
    }

    void cancelGoesBackToTheStartPage() {
        PlayedWindow window;
        window.showSnapshot(60);
        window.session().selection().set(window.named("kernel 7"), Origin::Timeline);
        QTest::mouseClick(window.window().findChild<QAbstractButton*>(QStringLiteral("loadCancel")),
                          Qt::LeftButton);
        QVERIFY(window.session().shown() == nullptr);
        QVERIFY(!window.session().selection().event());
        QVERIFY(window.isShown("startPage"));
        QVERIFY(!window.isEnabled("timeline.zoomIn"));
        QCOMPARE(window.window().windowTitle(), QStringLiteral("Lacuna"));
    }

    void aFailureGoesBackToTheStartPage() {
        PlayedWindow window;
        window.showSnapshot(60);
        window.end(Error{Errc::Malformed, "The played file is bad.", {}, {}});
        QVERIFY(window.session().shown() == nullptr);
        QVERIFY(window.session().failure().has_value());
        QVERIFY(window.isShown("startPage"));
    }

    void anOpenDocumentStaysUntilTheNextIsThere() {
        PlayedWindow window;
        window.endWithAll();
        const Document* open = window.session().document();
        QVERIFY(open != nullptr);
        window.window().open(QStringLiteral("/played/next.json"));
        QTRY_VERIFY(!window.load.wantsSnapshots());
        QVERIFY(window.session().document() == open);
        window.end(complete(traceOfFirst(20)));
        QCOMPARE(window.session().document()->trace().events().size(), std::size_t{20});
    }
};

LACUNA_TEST(TstProgressive, "tst_progressive")

} // namespace tst_progressive

#include "tst_progressive.moc"
