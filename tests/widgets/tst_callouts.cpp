// A callout's anchor stays right under zoom, pan, scroll and fold; its box keeps its distance.
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"

namespace tst_callouts {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

class TstCallouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void anchor_followsTime_underZoomAndPan();
    void anchor_standsOnTheLane_underScroll();
    void foldedLane_movesTheAnchorToItsHead();
    void anchorOutsideTheView_becomesAPinOnThatEdge();
    void boxes_doNotOverlap();
    void box_staysInsideTheView();
    void unknownLane_isNotDrawn();

private:
    AnnotationSet noteAt(std::int64_t ns, const char* lane = "lane/gpu_stream/0/7") const;
    std::vector<CalloutPlace> place(PaintedView& view, const AnnotationSet& set) const;
    LoadedView m_loaded;
};

void TstCallouts::initTestCase() {
    m_loaded = loadView("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(m_loaded);
}

AnnotationSet TstCallouts::noteAt(std::int64_t ns, const char* lane) const {
    AnnotationSet set;
    Callout callout;
    callout.laneKey = lane;
    callout.time = {ns};
    callout.title = "title";
    callout.text = "some words about it";
    set.apply(AnnotationEdit::add(callout));
    return set;
}

std::vector<CalloutPlace> TstCallouts::place(PaintedView& view, const AnnotationSet& set) const {
    view.scene.annotations = &set;
    return TimelineRenderer(ThemePalette::of(Theme::Light), FigureFonts::load()).placeCallouts(view.scene);
}

void TstCallouts::anchor_followsTime_underZoomAndPan() {
    const AnnotationSet set = noteAt(7'000'000);
    for (const TimeRange range : {TimeRange{{0}, {29'000'000}}, TimeRange{{6'000'000}, {9'000'000}},
                                  TimeRange{{6'990'000}, {7'020'000}}}) {
        PaintedView view(m_loaded, range, 1000, 900);
        const auto places = place(view, set);
        QCOMPARE(places.size(), 1u);
        QCOMPARE(places[0].edge, 0);
        QCOMPARE(places[0].anchor.x(), view.frame.viewport.xOf({7'000'000}));
        QVERIFY(std::abs(places[0].box.left() - places[0].anchor.x() - 24) <= 0.5);
    }
}

void TstCallouts::anchor_standsOnTheLane_underScroll() {
    const AnnotationSet set = noteAt(7'000'000);
    for (const int scroll : {0, 40, 120}) {
        PaintedView view(m_loaded, {{0}, {29'000'000}}, 1000, 900, 1.0, {}, {}, scroll);
        const auto row = view.layout.rowOf(laneOfKey(*m_loaded.trace, "lane/gpu_stream/0/7"));
        QVERIFY(row);
        const TimelineRow& lane = view.layout.rows()[*row];
        const auto places = place(view, set);
        QCOMPARE(places[0].anchor.y(), double(lane.y + lane.stripTop - scroll));
    }
}

void TstCallouts::foldedLane_movesTheAnchorToItsHead() {
    LayoutOptions options;
    options.folded.insert("gpu/0");
    PaintedView view(m_loaded, {{0}, {29'000'000}}, 1000, 900, 1.0, {}, options);
    const AnnotationSet set = noteAt(7'000'000);
    const auto places = place(view, set);
    QCOMPARE(places.size(), 1u);
    QVERIFY(places[0].inFoldedGroup);
    for (const TimelineRow& row : view.layout.rows())
        if (row.key == "gpu/0")
            QCOMPARE(places[0].anchor.y(), row.y + row.height / 2.0);
}

void TstCallouts::anchorOutsideTheView_becomesAPinOnThatEdge() {
    PaintedView view(m_loaded, {{8'000'000}, {12'000'000}}, 1000, 900);
    const AnnotationSet before = noteAt(7'000'000), after = noteAt(13'000'000);
    const auto left = place(view, before);
    QCOMPARE(left[0].edge, -1);
    QVERIFY(left[0].box.left() >= 0 && left[0].box.right() < 40);
    const auto right = place(view, after);
    QCOMPARE(right[0].edge, 1);
    QVERIFY(right[0].box.left() > 960 && right[0].box.right() <= 1000);
}

void TstCallouts::boxes_doNotOverlap() {
    AnnotationSet set;
    for (int i = 0; i < 6; ++i) {
        Callout callout = noteAt(7'000'000 + i * 10'000).callouts()[0];
        callout.id = 0;
        callout.number = 0;
        set.apply(AnnotationEdit::add(callout));
    }
    PaintedView view(m_loaded, {{0}, {29'000'000}}, 1000, 900);
    const auto places = place(view, set);
    QCOMPARE(places.size(), 6u);
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = a + 1; b < places.size(); ++b)
            QVERIFY(!places[a].box.intersects(places[b].box));
}

void TstCallouts::box_staysInsideTheView() {
    AnnotationSet set = noteAt(28'900'000);
    Callout callout = set.callouts()[0];
    callout.boxDx = 5'000;
    callout.boxDy = -5'000;
    set.apply(AnnotationEdit::replace(callout));
    PaintedView view(m_loaded, {{0}, {29'000'000}}, 1000, 900);
    const auto places = place(view, set);
    QVERIFY(QRectF(0, 0, 1000, 900).contains(places[0].box));
}

void TstCallouts::unknownLane_isNotDrawn() {
    PaintedView view(m_loaded, {{0}, {29'000'000}}, 1000, 900);
    QVERIFY(place(view, noteAt(1'000, "lane/gpu_stream/9/9")).empty());
}

LACUNA_TEST(TstCallouts, "tst_callouts")

} // namespace tst_callouts

#include "tst_callouts.moc"
