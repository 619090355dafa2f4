// What painting keeps from one picture to the next (labels as pixels, heads, parts of the window) is what a
// first picture would be, to the bit.

#include "core/base/crew.h"
#include "core/search/search.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/timeline/label_stamps.h"
#include "widgets/timeline/large_picture.h"
#include "widgets/timeline/overview_strip.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>

#include <array>
#include <functional>
#include <random>

namespace tst_kept_pixels {

using namespace lacuna;
using namespace lacuna::ui;
using test::PaintedView;

namespace {

constexpr const char* kTrace = "captured/torch/item_sync.pt.trace.json.gz";

QImage painted(const TimelineRenderer& renderer, const TimelineScene& scene, QRgb before) {
    QImage image(scene.frame->viewport.widthPx, scene.frame->heightPx, QImage::Format_ARGB32_Premultiplied);
    image.fill(before);
    renderer.paintLanes(scene, image);
    return image;
}

void movePointer(TimelineView& view, QPoint at) {
    QMouseEvent move(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(view.viewport(), &move);
}

// What stands on the screen, and what a view that was never painted before shows of the same.
QImage onScreen(TimelineView& view) {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    return view.screen()->grabWindow(view.winId()).toImage().convertToFormat(QImage::Format_RGB32);
}

QImage fresh(TimelineView& like, const ThemePalette& palette, std::optional<QPoint> pointer) {
    TimelineView view(like.model(), palette, FigureFonts::load());
    view.resize(like.size());
    view.show();
    QCoreApplication::processEvents();
    if (pointer)
        movePointer(view, *pointer);
    return view.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

} // namespace

class TstKeptPixels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // As large as a window and as small as a button; a copy outlives the picture and does not change with it.
    void largePictures_areOrdinaryOnes() {
        for (const QSize size : {QSize(1'600, 900), QSize(7, 3)}) {
            QImage picture = largePicture(size);
            QCOMPARE(picture.size(), size);
            QCOMPARE(picture.format(), QImage::Format_ARGB32_Premultiplied);
            picture.fill(Qt::red);
            const QImage copy = picture;
            picture.fill(Qt::blue);
            QCOMPARE(copy.pixel(size.width() - 1, size.height() - 1), qRgb(255, 0, 0));
            QCOMPARE(picture.pixel(size.width() - 1, size.height() - 1), qRgb(0, 0, 255));
            picture = {};
            QCOMPARE(copy.pixel(0, 0), qRgb(255, 0, 0));
        }
        QVERIFY(largePicture({}).isNull());
    }

    void stamps_areWhatQtDraws_atAnyPlaceAndScale();
    void stamp_isNotCopied_whereSomethingElseIsBelow();
    void everyPixelOfThePicture_isPainted_onAnyNumberOfThreads();
    void usedRenderer_paintsLikeANewOne_afterEveryChange();
    void window_showsWhatANewOneWould_afterEveryChange();
    void overview_isStrongWhereTheViewIs_andLikeANewOne();
};

void TstKeptPixels::stamps_areWhatQtDraws_atAnyPlaceAndScale() {
    const FigureFonts fonts = FigureFonts::load();
    const QRgb fill = 0xff186143;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> within(0, 1);
    for (const double px : {11.5, 12.0, 14.375}) {
        const TextStyle style = fonts.style(Face::Medium, px);
        LabelStamps stamps(style);
        for (const double scale : {1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 3.0})
            for (int i = 0; i < 120; ++i) {
                const QString text = i % 3 == 0   ? QStringLiteral("aten::addmm")
                                     : i % 3 == 1 ? QStringLiteral("AVAToj ﬁ é 漢 fff")
                                                  : QStringLiteral("volta_sgemm_128x64…");
                // Whole pixels, parts that are exact, any part.
                const double part = i % 5 == 0 ? 0 : i % 5 == 1 ? 0.18025 : within(random);
                const QPointF at((20 + i) / scale + (i % 2 == 0 ? 5 : part), (30 + i % 7 + part) / scale);
                QImage expected(400, 120, QImage::Format_ARGB32_Premultiplied);
                expected.fill(fill);
                expected.setDevicePixelRatio(scale);
                QImage actual = expected;
                {
                    QPainter painter(&expected);
                    style.draw(painter, at, text, 0xffffffff);
                }
                {
                    const Canvas canvas(actual);
                    QPainter painter(&actual);
                    stamps.draw(painter, canvas, scale, at, {text, style.width(text), 0xffffffff, fill});
                }
                QVERIFY2(actual == expected, qPrintable(QStringLiteral("%1 px, scale %2, %3 %4, %5")
                                                            .arg(px)
                                                            .arg(scale)
                                                            .arg(at.x())
                                                            .arg(at.y())
                                                            .arg(text)));
            }
        QVERIFY(stamps.copies() > 400);
    }
}

void TstKeptPixels::stamp_isNotCopied_whereSomethingElseIsBelow() {
    const TextStyle style = FigureFonts::load().style(Face::Medium, 11.5);
    LabelStamps stamps(style);
    const QString text = QStringLiteral("aten::linear");
    const auto draw = [&](bool withStamps, int lineX, int y) {
        QImage image(160, 40, QImage::Format_ARGB32_Premultiplied);
        image.fill(0xff295dac);
        const Canvas canvas(image);
        canvas.fill(QRect(lineX, 0, 2, 40), 0xffb42318);
        QPainter painter(&image);
        if (withStamps)
            stamps.draw(painter, canvas, 1, QPointF(20, y),
                        {text, style.width(text), 0xffffffff, 0xff295dac});
        else
            style.draw(painter, QPointF(20, y), text, 0xffffffff);
        painter.end();
        return image;
    };
    for (int lineX = 0; lineX < 120; lineX += 3)
        for (const int y : {-2, 3, 20, 38, 43}) // also cut by an edge of the picture
            QVERIFY(draw(true, lineX, y) == draw(false, lineX, y));
}

void TstKeptPixels::everyPixelOfThePicture_isPainted_onAnyNumberOfThreads() {
    const test::LoadedView loaded = test::loadView(kTrace);
    QVERIFY(loaded);
    const TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
    const TimeRange all = loaded.trace->window();
    for (const double scale : {1.0, 1.3, 1.5, 2.0})
        for (const int scroll : {0, 57, 211})
            for (const std::int64_t parts : {1, 16, 400}) {
                const TimeRange range{
                    all.begin, all.begin + DurationNs{std::max<std::int64_t>(1, all.length().v / parts)}};
                PaintedView view(loaded, range, 700, 500, scale, {}, {}, scroll);
                const QImage alone = painted(renderer, view.scene, 0xff123456);
                QVERIFY(alone == painted(renderer, view.scene, 0x00000000));
                for (const unsigned threads : {2u, 4u}) {
                    Crew crew(threads);
                    FrameOptions options;
                    options.heightPx = 500;
                    options.scrollPx = scroll;
                    options.scale = scale;
                    options.gaps = loaded.gaps.get();
                    options.crew = &crew;
                    Frame frame = view.frame; // its memory is used again
                    buildFrame(*loaded.trace, view.layout, Viewport::fitting(range, 700), options, frame);
                    QCOMPARE(dumpFrame(*loaded.trace, view.layout, frame),
                             dumpFrame(*loaded.trace, view.layout, view.frame));
                    TimelineScene scene = view.scene;
                    scene.frame = &frame;
                    scene.crew = &crew;
                    QVERIFY(alone == painted(renderer, scene, 0xffabcdef));
                }
            }
}

void TstKeptPixels::usedRenderer_paintsLikeANewOne_afterEveryChange() {
    const test::LoadedView loaded = test::loadView(kTrace);
    QVERIFY(loaded);
    const FigureFonts fonts = FigureFonts::load();
    const TimeRange all = loaded.trace->window();
    JobControl job;
    const auto hits = searchNames(loaded.trace, *parseQuery("aten", {}), job);
    QVERIFY(hits && !hits->isEmpty());
    EventLook renamed;
    renamed.names["aten::item"] = "mine";
    renamed.names["cudaStreamSynchronize"] = "wait here";
    EventLook full;
    full.fullNames = true;
    EventLook byName;
    byName.colourBy = ColourBy::Name;
    const std::array<const EventLook*, 4> looks{nullptr, &renamed, &full, &byName};
    for (const double labelPx : {11.5, 14.375}) { // text sizes
        const RendererStyle style{RendererStyle::Rows::Window, labelPx, true};
        TimelineRenderer used(ThemePalette::of(Theme::Light), fonts, style);
        Crew crew;
        std::size_t change = 0;
        for (int round = 0; round < 2; ++round) // the second time all is kept
            for (const Theme theme : {Theme::Light, Theme::Dark, Theme::HighContrast, Theme::Print})
                for (const double scale : {1.0, 1.5}) {
                    const std::int64_t parts = std::array<std::int64_t, 4>{1, 9, 40, 300}[change % 4];
                    const TimeRange range{all.begin + DurationNs{all.length().v / 3},
                                          all.begin +
                                              DurationNs{all.length().v / 3 + all.length().v / parts}};
                    const Selection selection =
                        change % 3 == 1 ? Selection{loaded.gaps->byRank()[0]} : Selection{};
                    LayoutOptions layout;
                    if (change % 5 == 2)
                        layout.plan.hidden.insert("lane/gpu_stream/0/7");
                    PaintedView view(loaded, range, 900, 600, scale, selection, layout,
                                     change % 4 == 3 ? 120 : 0);
                    view.scene.look = looks[change % looks.size()];
                    view.scene.search = change % 2 == 1 ? &*hits : nullptr;
                    view.scene.crew = &crew;
                    ++change;
                    used.setPalette(ThemePalette::of(theme));
                    const TimelineRenderer unused(ThemePalette::of(theme), fonts, style);
                    const QImage kept = used.paintLanes(view.scene);
                    QVERIFY2(kept == unused.paintLanes(view.scene), qPrintable(QString::number(change)));
                    QVERIFY(kept == used.paintLanes(view.scene));
                }
    }
}

void TstKeptPixels::window_showsWhatANewOneWould_afterEveryChange() {
    AnalysisSession session;
    QVERIFY(test::openAndWait(session, test::fixture(kTrace)));
    TimelineViewModel model(session);
    ThemePalette palette = ThemePalette::of(Theme::Light);
    TimelineView view(model, palette, FigureFonts::load());
    view.resize(1100, 700);
    view.show();
    const QRect lanes = view.lanesRect();
    std::optional<QPoint> pointer;
    const auto point = [&](int x, int y) {
        pointer = QPoint(x, y);
        movePointer(view, *pointer);
    };
    JobControl job;
    const auto hits = searchNames(session.document()->loaded.trace, *parseQuery("aten", {}), job);
    QVERIFY(hits);
    const std::vector<std::function<void()>> changes{
        [&] { model.showWhole(); },
        [&] { point(lanes.left() + 300, lanes.top() + 90); },
        [&] { point(lanes.left() + 340, lanes.top() + 110); },
        [&] { point(60, lanes.top() + 60); },
        [&] { point(60, lanes.top() + 160); },
        [&] { point(lanes.left() + 500, lanes.top() + 40); },
        [&] { model.zoomAt(6, 500); },
        [&] { point(lanes.left() + 505, lanes.top() + 44); },
        [&] { model.panBy(37); },
        [&] { model.scrollBy(60); },
        [&] { point(lanes.left() + 100, lanes.top() + 300); },
        [&] { session.selection().set(session.document()->gaps->byRank()[0], Origin::Command); },
        [&] { session.selection().set(EventId{100}, Origin::Command); },
        [&] {
            const TimeRange shown = model.viewport().range();
            session.selection().set(TimeRange{shown.begin + DurationNs{shown.length().v / 4},
                                              shown.begin + DurationNs{shown.length().v / 2}},
                                    Origin::Timeline);
        },
        [&] { model.setSearchHits(std::make_shared<const SearchHits>(*hits)); },
        [&] { model.setCurrentRow("lane/gpu_stream/0/7"); },
        [&] {
            EventLook look = model.look();
            look.names["aten::item"] = "mine";
            model.setLook(look);
        },
        [&] {
            LanePlan plan = model.lanePlan();
            plan.names["lane/gpu_stream/0/7"] = "my stream";
            model.setLanePlan(plan);
        },
        [&] {
            LanePlan plan = model.lanePlan();
            plan.percent["lane/gpu_stream/0/7"] = 200;
            model.setLanePlan(plan);
        },
        [&] {
            LanePlan plan = model.lanePlan();
            plan.hidden.insert("lane/gpu_stream/0/7");
            model.setLanePlan(plan);
        },
        [&] {
            palette = ThemePalette::of(Theme::Dark);
            view.setThemePalette(palette);
        },
        [&] { model.foldGroups(true); },
        [&] { view.resize(900, 620); },
        [&] { model.foldGroups(false); },
        [&] { point(lanes.left() + 20, lanes.top() + 150); },
        [&] { session.selection().set(Selection{}, Origin::Command); },
        [&] { model.setSearchHits(nullptr); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        changes[i]();
        if (pointer) // what is under it may be something else now
            movePointer(view, *pointer);
        const QImage shown = onScreen(view);
        QVERIFY2(shown == fresh(view, palette, pointer), qPrintable(QString::number(i)));
    }
}

void TstKeptPixels::overview_isStrongWhereTheViewIs_andLikeANewOne() {
    AnalysisSession session;
    QVERIFY(test::openAndWait(session, test::fixture(kTrace)));
    TimelineViewModel model(session);
    const FigureFonts fonts = FigureFonts::load();
    ThemePalette palette = ThemePalette::of(Theme::Light);
    OverviewStrip used(model, palette, fonts);
    used.resize(1000, used.height());
    const std::vector<std::function<void()>> changes{
        [&] { model.showWhole(); },
        [&] { model.zoomAt(3.7, 300); },
        [&] { model.panBy(61); },
        [&] {
            palette = ThemePalette::of(Theme::Dark);
            used.setThemePalette(palette);
        },
        [&] { model.zoomAt(40, 100); },
        [&] { used.resize(731, used.height()); },
        [&] { model.showWhole(); },
    };
    for (const auto& change : changes) {
        change();
        const QImage image = used.grab().toImage().convertToFormat(QImage::Format_RGB32);
        OverviewStrip unused(model, palette, fonts);
        unused.resize(used.size());
        QVERIFY(image == unused.grab().toImage().convertToFormat(QImage::Format_RGB32));
        const QRectF window = used.windowRect(), strips = used.stripsRect();
        const QRgb strong = palette.ink(Ink::Kernel), pale = mixed(strong, palette.ink(Ink::Ground), 0.5);
        const int y = static_cast<int>(strips.top()) + Measures::kMinimapActivity - 1;
        for (std::size_t c = 0; c < used.columns().size(); ++c) {
            const double x = strips.left() + static_cast<double>(c);
            if (std::abs(x - window.left()) < 5 || std::abs(x - window.right()) < 5) // edges and handles
                continue;
            const bool isInside = x + 1 > window.left() && x < window.right();
            const QRgb expected = used.columns()[c].busy <= 0 ? palette.ink(Ink::Ground)
                                  : isInside                  ? strong
                                                              : pale;
            QCOMPARE(image.pixel(static_cast<int>(x), y), expected);
        }
    }
}

LACUNA_TEST(TstKeptPixels, "tst_kept_pixels")

} // namespace tst_kept_pixels

#include "tst_kept_pixels.moc"
