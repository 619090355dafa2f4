// What the timeline shows, without pixels: first view, movement, history, folds.

#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/timeline/timeline_view_model.h"

namespace tst_timeline_view_model {

using namespace lacuna;
using namespace lacuna::ui;

class TstTimelineViewModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(test::openAndWait(m_session, test::fixture("captured/torch/item_sync.pt.trace.json.gz")));
    }
    void init() {
        m_session.selection().clear(Origin::Session);
        m_model = std::make_unique<TimelineViewModel>(m_session);
        m_model->setArea({1200, 500}, 1.0);
        m_model->showWhole();
    }
    void cleanup() { m_model.reset(); }

    void opensOnTheMedianStep() {
        TimelineViewModel model(m_session);
        model.setArea({1000, 500}, 1.0);
        model.showFirstView();
        const Document& document = *m_session.document();
        QVERIFY(!document.steps.events.empty());
        const TimeRange view = model.viewport().range();
        bool found = false;
        for (const EventId step : document.steps.events)
            if (document.trace().events().duration(step).v == document.steps.medianNs) {
                const TimeRange range = document.trace().events().range(step);
                found = found || (view.begin <= range.begin && range.end <= view.end);
            }
        QVERIFY(found);
        QVERIFY(view.length().v < document.steps.medianNs * 5 / 4);
        // A resize before anything was moved fits it again.
        model.setArea({1600, 500}, 1.0);
        QVERIFY(std::abs(model.viewport().range().length().v - view.length().v) < view.length().v / 50);
    }

    // All steps of this loop are alike, and the worst gap is in the first: that one is shown.
    void opensOnTheWorstGap_whereItsStepIsTypical() {
        AnalysisSession session;
        QVERIFY(
            test::openAndWait(session, test::fixture("captured/torch/decode_launch_bound.pt.trace.json.gz")));
        TimelineViewModel model(session);
        model.setArea({1000, 500}, 1.0);
        model.showFirstView();
        const Document& document = *session.document();
        const TimeRange first = document.trace().events().range(document.steps.events.front());
        const TimeRange worst = document.gaps->gap(document.gaps->byRank().front()).range;
        QVERIFY(first.begin <= worst.begin && worst.end <= first.end);
        QVERIFY(first.length().v != document.steps.medianNs);
        const TimeRange view = model.viewport().range();
        QVERIFY(view.begin <= first.begin && first.end <= view.end);
        QVERIFY(view.length().v < first.length().v * 5 / 4);
    }

    // Where lanes had to scroll for the worst gap, they begin with a whole row.
    void opensWithWholeRows() {
        TimelineViewModel model(m_session);
        for (const int height : {220, 300, 380, 460}) {
            model.setArea({1000, height}, 1.0);
            model.showFirstView();
            if (model.scrollY() == 0 || model.scrollY() == model.maxScrollY())
                continue;
            const int covered = model.coveredPx();
            bool isWhole = false;
            for (const TimelineRow& row : model.layout().rows())
                isWhole = isWhole || row.y - covered == model.scrollY();
            QVERIFY2(isWhole, qPrintable(QString::number(height)));
        }
    }

    void zoomKeepsTheTimeUnderThePointer() {
        // Within a pixel of the coarser grid, on which the picture stood.
        const auto pixel = static_cast<std::int64_t>(m_model->viewport().nsPerPx) + 1;
        const TimeNs before = m_model->viewport().timeAt(700);
        m_model->zoomAt(8, 700);
        QVERIFY(std::abs((m_model->viewport().timeAt(700) - before).v) <= pixel);
        // On and on: the error does not add up.
        for (int i = 0; i < 12; ++i)
            m_model->zoomAt(i % 2 == 0 ? 1.25 : 0.8, 700);
        QVERIFY(std::abs((m_model->viewport().timeAt(700) - before).v) <= pixel);
    }

    void viewStaysInsideTheTrace() {
        m_model->panBy(-1e9);
        const TimeRange extent = m_model->extent();
        QVERIFY(m_model->viewport().begin >= extent.begin - DurationNs{extent.length().v / 25});
        m_model->zoomAt(1e-9, 100);
        QVERIFY(m_model->viewport().range().length().v <= extent.length().v * 105 / 100);
    }

    void backAndForwardThroughViews() {
        const Viewport whole = m_model->viewport();
        const GapId worst = m_session.document()->gaps->byRank().front();
        m_model->goTo(worst, Origin::Command);
        m_model->fit(*m_model->selectedTime(), 0.3);
        const Viewport fitted = m_model->viewport();
        QVERIFY(m_model->canGoBack());
        m_model->goBack();
        m_model->goBack();
        QCOMPARE(m_model->viewport(), whole);
        QVERIFY(!m_session.selection().gap()); // the selection goes back with the view
        m_model->goForward();
        m_model->goForward();
        QCOMPARE(m_model->viewport(), fitted);
        QCOMPARE(m_session.selection().gap(), worst);
        QVERIFY(!m_model->canGoForward());
    }

    void aBurstOfMovementsIsOneStep() {
        const Viewport whole = m_model->viewport();
        m_model->zoomAt(4, 600);
        for (int i = 0; i < 20; ++i)
            m_model->panBy(10);
        QVERIFY(!(m_model->viewport() == whole));
        m_model->goBack();
        QCOMPARE(m_model->viewport(), whole);
    }

    void centresFirstThenFits() {
        QVERIFY(!m_model->focusSelection()); // nothing selected
        const GapId worst = m_session.document()->gaps->byRank().front();
        m_session.selection().set(worst, Origin::Command);
        const TimeRange gap = *m_model->selectedTime();
        m_model->zoomAt(4, 10);
        const double zoom = m_model->viewport().nsPerPx;
        QVERIFY(m_model->focusSelection());
        QCOMPARE(m_model->viewport().nsPerPx, zoom);
        const double middle = (m_model->viewport().xOf(gap.begin) + m_model->viewport().xOf(gap.end)) / 2;
        QVERIFY(std::abs(middle - 600) < 2);
        QVERIFY(m_model->focusSelection());
        QVERIFY(m_model->viewport().nsPerPx < zoom);
        QVERIFY(m_model->viewport().range().begin <= gap.begin && gap.end <= m_model->viewport().range().end);
    }

    void aGapIsFoundAtItsPixel() {
        const GapId worst = m_session.document()->gaps->byRank().front();
        m_model->goTo(worst, Origin::Command);
        m_model->fit(*m_model->selectedTime(), 0.3);
        const auto row = m_model->layout().visibleRowOf(m_model->selectedLane());
        QVERIFY(row.has_value());
        m_model->revealLane(m_model->selectedLane());
        const TimelineRow& lane = m_model->layout().rows()[*row];
        const Selection hit = m_model->at({600, double(lane.y - m_model->scrollY() + lane.height / 2)});
        QVERIFY(std::holds_alternative<GapId>(hit));
        QCOMPARE(std::get<GapId>(hit), worst);
    }

    void framesAreBuiltOnlyWhenSomethingChanged() {
        m_model->frame();
        const auto built = m_model->framesBuilt();
        m_model->frame();
        m_model->scene();
        m_model->at({10, 10});
        QCOMPARE(m_model->framesBuilt(), built);
        m_model->panBy(20);
        m_model->frame();
        QCOMPARE(m_model->framesBuilt(), built + 1);
    }

    void foldingAGroupShortensTheContent() {
        const int height = m_model->layout().height();
        const auto& rows = m_model->layout().rows();
        const auto group = std::find_if(rows.begin(), rows.end(), [](const TimelineRow& row) {
            return row.kind == RowKind::GroupHead && row.foldable;
        });
        QVERIFY(group != rows.end());
        const std::string key = group->key;
        m_model->toggleFold(*group);
        QVERIFY(m_model->layout().height() < height);
        const auto folded = std::find_if(m_model->layout().rows().begin(), m_model->layout().rows().end(),
                                         [&](const TimelineRow& row) { return row.key == key; });
        QVERIFY(folded->folded);
        m_model->toggleFold(*folded);
        QCOMPARE(m_model->layout().height(), height);
    }

private:
    AnalysisSession m_session;
    std::unique_ptr<TimelineViewModel> m_model;
};

LACUNA_TEST(TstTimelineViewModel, "tst_timeline_view_model")

} // namespace tst_timeline_view_model

#include "tst_timeline_view_model.moc"
