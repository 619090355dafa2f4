// Annotations besides callouts: where they are drawn, in window and figure, and what redactions hide.

#include "core/document/live_notes.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_alt_text.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/figure/pdf_canonical.h"
#include "widgets/timeline/annotation_painter.h"

namespace tst_annotation_painter {

using namespace lacuna;
using namespace lacuna::ui;
using test::LoadedView;
using test::PaintedView;

namespace {

constexpr const char* kLane = "lane/gpu_stream/0/7";
constexpr TimeRange kWhole{{0}, {29'000'000}};

Callout note(AnnotationKind kind, std::int64_t begin = 7'000'000, std::int64_t end = 9'000'000) {
    Callout note;
    note.kind = kind;
    note.laneKey = kLane;
    note.time = {begin};
    note.end = TimeNs{end};
    if (kind == AnnotationKind::Arrow) {
        note.end.reset();
        note.toLaneKey = "lane/cuda_api/483/483";
        note.toTime = {15'000'000};
    }
    return note;
}

AnnotationSet setOf(std::initializer_list<Callout> notes) {
    AnnotationSet set;
    for (const Callout& one : notes)
        set.apply(AnnotationEdit::add(one));
    return set;
}

// Pixels that differ, and the rectangle around them.
std::pair<int, QRect> difference(const QImage& a, const QImage& b) {
    int count = 0;
    QRect around;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.pixel(x, y) != b.pixel(x, y)) {
                ++count;
                around |= QRect(x, y, 1, 1);
            }
    return {count, around};
}

} // namespace

class TstAnnotationPainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_loaded = test::loadView("captured/torch/item_sync.pt.trace.json.gz");
        QVERIFY(m_loaded);
    }

    void everyKind_isDrawnAtItsPlaceOnly_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("scale");
        for (const AnnotationKind kind : {AnnotationKind::Bracket, AnnotationKind::Arrow, AnnotationKind::Pin,
                                          AnnotationKind::Highlight, AnnotationKind::Redaction})
            for (const double scale : {1.0, 2.0})
                QTest::addRow("%s at %g", std::string(annotationKindName(kind)).c_str(), scale)
                    << static_cast<int>(kind) << scale;
    }
    void everyKind_isDrawnAtItsPlaceOnly() {
        QFETCH(int, kind);
        QFETCH(double, scale);
        const auto what = static_cast<AnnotationKind>(kind);
        const AnnotationSet set = setOf({note(what)});
        const int width = static_cast<int>(1000 * scale), height = static_cast<int>(900 * scale);
        PaintedView view(m_loaded, kWhole, width, height, scale);
        const TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
        const QImage without = renderer.paintLanes(view.scene);
        view.scene.annotations = &set;
        const QImage with = renderer.paintLanes(view.scene);
        const auto [count, around] = difference(without, with);
        QVERIFY(count > 0);
        const TimelineRow& lane = view.layout.rows()[*view.layout.rowOf(laneOfKey(*m_loaded.trace, kLane))];
        const double left = 7e6 / 29e6 * width,
                     right = what == AnnotationKind::Arrow ? 15e6 / 29e6 * width : 9e6 / 29e6 * width;
        const double air = 12 * scale;
        QVERIFY2(around.left() >= left - air && around.right() <= right + air, "beside its time");
        if (what != AnnotationKind::Arrow)
            QVERIFY2(around.top() >= lane.y * scale - 1 && around.bottom() <= (lane.y + lane.height) * scale,
                     "outside its lane");
        // Where it can be clicked.
        const auto places = annotationPlaces(view.scene, FigureFonts::load());
        QCOMPARE(places.size(), std::size_t{1});
        QVERIFY(places[0].box.intersects(
            QRectF(around.x() / scale, around.y() / scale, around.width() / scale, around.height() / scale)));
        // Hidden ones are not drawn.
        AnnotationSet hidden = set;
        Callout off = hidden.callouts()[0];
        off.isShown = false;
        hidden.apply(AnnotationEdit::replace(off));
        view.scene.annotations = &hidden;
        QVERIFY(renderer.paintLanes(view.scene) == without);
        QVERIFY(annotationPlaces(view.scene, FigureFonts::load()).empty());
    }

    // In the chosen colour of the theme, and in no other's.
    void colour_isTheThemesInk() {
        PaintedView view(m_loaded, kWhole, 1000, 900);
        const ThemePalette palette = ThemePalette::of(Theme::Dark);
        const TimelineRenderer renderer(palette, FigureFonts::load());
        for (const auto& [colour, ink] :
             {std::pair(NoteColour::Annotation, Ink::Annotation), std::pair(NoteColour::Gap, Ink::Gap),
              std::pair(NoteColour::Accent, Ink::Selection), std::pair(NoteColour::Text, Ink::Text)}) {
            Callout one = note(AnnotationKind::Pin);
            one.colour = colour;
            const AnnotationSet set = setOf({one});
            view.scene.annotations = &set;
            const QImage painted = renderer.paintLanes(view.scene);
            const QPointF centre = annotationPlaces(view.scene, FigureFonts::load())[0].box.center();
            QCOMPARE(QColor(painted.pixel((centre - QPointF(6, 0)).toPoint())), palette.color(ink));
        }
    }

    void outOfView_isNotDrawn() {
        PaintedView view(m_loaded, {{20'000'000}, {21'000'000}}, 1000, 900);
        const AnnotationSet set = setOf({note(AnnotationKind::Bracket), note(AnnotationKind::Pin),
                                         note(AnnotationKind::Highlight), note(AnnotationKind::Redaction)});
        const TimelineRenderer renderer(ThemePalette::of(Theme::Dark), FigureFonts::load());
        const QImage without = renderer.paintLanes(view.scene);
        view.scene.annotations = &set;
        QVERIFY(renderer.paintLanes(view.scene) == without);
    }

    void longArrow_isCutToTheView() {
        PaintedView view(m_loaded, {{10'000'000}, {11'000'000}}, 1000, 900);
        const AnnotationSet set = setOf({note(AnnotationKind::Arrow)}); // both ends are outside
        view.scene.annotations = &set;
        const auto places = annotationPlaces(view.scene, FigureFonts::load());
        QCOMPARE(places.size(), std::size_t{1});
        QVERIFY(QRectF(0, 0, 1000, 900).contains(places[0].anchor));
    }

    void numbers_areOfCalloutsAndPinsOnly() {
        const AnnotationSet set = setOf({note(AnnotationKind::Bracket), note(AnnotationKind::Pin),
                                         note(AnnotationKind::Highlight), note(AnnotationKind::Callout)});
        QCOMPARE(set.callouts()[0].number, 0);
        QCOMPARE(set.callouts()[1].number, 1);
        QCOMPARE(set.callouts()[2].number, 0);
        QCOMPARE(set.callouts()[3].number, 2);
    }

    // The name is in no form in the picture's text, its title, its description or the view that it holds.
    void redaction_hidesNamesInExports() {
        const Trace& trace = *m_loaded.trace;
        const LaneId lane = laneOfKey(trace, "lane/cuda_api/483/483");
        QVERIFY(lane);
        Callout hide = note(AnnotationKind::Redaction, 0, 29'000'000);
        hide.laneKey = "lane/cuda_api/483/483";
        const AnnotationSet set = setOf({hide}), none;
        const auto names = redactedNames(trace, set);
        QVERIFY(names.size() > 2);
        QCOMPARE(redacted(QStringLiteral("in cudaStreamSynchronize, for long"), trace, names),
                 QStringLiteral("in ████, for long"));
        FigureInput input;
        input.trace = &trace;
        input.gaps = m_loaded.gaps.get();
        input.range = {{10'000'000}, {16'000'000}};
        input.gap = m_loaded.gaps->byRank().front();
        input.annotations = &none;
        const FigureFonts fonts = FigureFonts::load();
        const auto open = figureBytes(input, fonts, FigureFormat::Svg);
        QVERIFY(open && open->contains("cudaStreamSynchronize"));
        QVERIFY(figureAltText(input).contains(QStringLiteral("cudaStreamSynchronize")));
        input.annotations = &set;
        const auto closed = figureBytes(input, fonts, FigureFormat::Svg);
        QVERIFY(closed);
        QVERIFY(!closed->contains("cudaStreamSynchronize"));
        QVERIFY(!closed->contains("StreamSync"));
        QVERIFY(!figureAltText(input).contains(QStringLiteral("cudaStreamSynchronize")));
        QVERIFY(paintFigure(input, fonts) != QImage());
        // Nor by what a note says, nor by the name that the user gave, nor by the view that the file holds.
        Callout verdict = note(AnnotationKind::Callout);
        verdict.title = "cudaStreamSynchronize";
        verdict.text = m_loaded.gaps->explain(m_loaded.gaps->gap(input.gap)).verdict;
        QVERIFY(verdict.text.find("cudaStreamSynchronize") != std::string::npos);
        const AnnotationSet both = setOf({hide, verdict});
        input.annotations = &both;
        input.look.names["cudaStreamSynchronize"] = "the wait";
        const std::string held = workspaceOf(input).text();
        QVERIFY(held.find("cudaStreamSynchronize") == std::string::npos);
        QVERIFY(held.find("redaction") != std::string::npos); // opened again, it hides the name still
        const auto svg = figureBytes(input, fonts, FigureFormat::Svg);
        QVERIFY(svg && !svg->contains("cudaStreamSynchronize") && !svg->contains("StreamSync"));
        const auto png = figureBytes(input, fonts, FigureFormat::Png);
        QVERIFY(png && !png->contains("cudaStreamSynchronize"));
        const auto pdf = figureBytes(input, fonts, FigureFormat::Pdf);
        QVERIFY(pdf && !pdf->contains("cudaStreamSynchronize"));
        const QByteArray attached = pdfAttachment(*pdf, QString::fromLatin1(kPdfNameOfWorkspace));
        QVERIFY(attached.contains("redaction") && !attached.contains("cudaStreamSynchronize"));
    }

    void liveNote_saysWhatTheAnalysisSaysNow() {
        const GapId worst = m_loaded.gaps->byRank().front();
        const Gap& gap = m_loaded.gaps->gap(worst);
        Callout live = note(AnnotationKind::Callout, gap.range.begin.v, gap.range.end.v);
        live.isLive = true;
        live.title = "as it was";
        live.text = "as it was";
        Callout dead = live;
        dead.isLive = false;
        Callout lost = live;
        lost.time = {gap.range.begin.v + 1}; // no such gap
        AnnotationSet set = setOf({live, dead, lost});
        QVERIFY(renewLiveNotes(set, *m_loaded.trace, *m_loaded.gaps));
        QCOMPARE(set.callouts()[0].text, m_loaded.gaps->explain(gap).verdict);
        QCOMPARE(set.callouts()[0].title, liveTitle(gap));
        QCOMPARE(set.callouts()[1].text, std::string("as it was"));
        QCOMPARE(set.callouts()[2].text, std::string("as it was"));
        QVERIFY(!renewLiveNotes(set, *m_loaded.trace, *m_loaded.gaps)); // nothing more to say
    }

private:
    LoadedView m_loaded;
};

LACUNA_TEST(TstAnnotationPainter, "tst_annotation_painter")

} // namespace tst_annotation_painter

#include "tst_annotation_painter.moc"
