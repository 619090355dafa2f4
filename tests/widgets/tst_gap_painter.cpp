// Gap marks: absence, told apart by class, never covered by a neighbour's colour.
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/timeline/hatch.h"

#include <QPainter>
#include <QSet>

namespace tst_gap_painter {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

class TstGapPainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void swatches_ofAnyTwoClasses_differ();
    void hatchLines_stayInsideTheirRectangle();
    void hatch_isBlendedAtSixtyPercent();
    void gap_isLaneBackgroundBetweenItsLines();
    void narrowGap_isPlainGapColour();
    void selectedGap_dimsTheRest_andKeepsItsChain();
    void label_standsOnAClearPatch();
};

namespace {

constexpr int kSwatchW = 60, kSwatchH = 40;

QImage swatch(GapClass cls, Theme theme) {
    QImage image(kSwatchW, kSwatchH, QImage::Format_ARGB32_Premultiplied);
    const ThemePalette palette = ThemePalette::of(theme);
    image.fill(QColor::fromRgb(palette.ink(Ink::Ground)));
    QPainter painter(&image);
    paintGapSwatch(painter, QRectF(2, 2, kSwatchW - 4, kSwatchH - 4), cls, palette);
    return image;
}

int differingPixels(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    return count;
}

// A kernel, 600 us idle with a host thread asleep in "wait", a kernel.
std::string oneGap() {
    return R"({"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":200,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":800,"dur":200,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cpu_op","name":"aten::wait","pid":1,"tid":1,"ts":10,"dur":760,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":-10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":785,"dur":5,"args":{"correlation":2}}
]})";
}

const LaneFrame* streamOf(const PaintedView& view) {
    for (const LaneFrame& lane : view.frame.lanes)
        if (view.loaded.trace->lane(lane.lane).kind == LaneKind::GpuStream)
            return &lane;
    return nullptr;
}

} // namespace

void TstGapPainter::swatches_ofAnyTwoClasses_differ() {
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Print})
        for (std::size_t a = 0; a < kGapClasses; ++a)
            for (std::size_t b = a + 1; b < kGapClasses; ++b) {
                const auto first = static_cast<GapClass>(a), second = static_cast<GapClass>(b);
                const int differing = differingPixels(swatch(first, theme), swatch(second, theme));
                QVERIFY2(differing >= 60,
                         qPrintable(QStringLiteral("%1 and %2: %3 pixels").arg(a).arg(b).arg(differing)));
            }
}

void TstGapPainter::hatchLines_stayInsideTheirRectangle() {
    const QRectF rect(3.5, 7.25, 41.5, 23);
    for (const Hatch hatch : {Hatch::Slash, Hatch::Backslash, Hatch::Cross, Hatch::Dots, Hatch::Horizontal,
                              Hatch::Grid, Hatch::VerticalDashes}) {
        const std::vector<QLineF> lines = hatchLines(rect, hatch, 6, {1.5, 0});
        QVERIFY(!lines.empty());
        const QRectF room = rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9);
        for (const QLineF& line : lines) {
            QVERIFY(room.contains(line.p1()));
            QVERIFY(room.contains(line.p2()));
        }
    }
    QVERIFY(hatchLines(QRectF(0, 0, 1, 50), Hatch::Slash, 6).empty());
}

void TstGapPainter::hatch_isBlendedAtSixtyPercent() {
    // Values of the mock-ups: #B42318 at 60 % over white, #FF9B8A over #16191D.
    QCOMPARE(mixed(0xffb42318, 0xffffffff, 0.6), qRgb(0xd2, 0x7b, 0x74));
    QCOMPARE(mixed(0xffff9b8a, 0xff16191d, 0.6), qRgb(0xa2, 0x67, 0x5e));
    const QImage image = swatch(GapClass::Host, Theme::Light);
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        colours.insert(image.pixel(kSwatchW / 2, y));
    QCOMPARE(colours, (QSet<QRgb>{0xffffffff, 0xffb42318, 0xffd27b74}));
}

void TstGapPainter::gap_isLaneBackgroundBetweenItsLines() {
    PaintedView view(viewOfJson(oneGap()), {{0}, {1'000'000}}, 1000, 600);
    const TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
    const QImage image = renderer.paintLanes(view.scene);
    const LaneFrame* lane = streamOf(view);
    QVERIFY(lane != nullptr);
    QCOMPARE(view.frame.gaps.size(), 1u);
    const GapMark& mark = view.frame.gaps[0];
    QVERIFY(std::abs(mark.x1 - mark.x0 - 600) <= 1);
    QSet<QRgb> colours;
    for (int y = mark.y; y < mark.y + mark.height; ++y)
        colours.insert(image.pixel(mark.x0 + 100, y) | 0xff000000);
    QVERIFY(colours.contains(0xffffffff));
    QVERIFY(!colours.contains(0xff186143));
    QCOMPARE(image.pixel(mark.x0, mark.y + 5), 0xffb42318);     // frame
    QCOMPARE(image.pixel(mark.x0 - 2, mark.y + 5), 0xff186143); // the kernel beside it
    QCOMPARE(image.pixel(mark.x1 + 1, mark.y + 5), 0xff186143);
}

void TstGapPainter::narrowGap_isPlainGapColour() {
    const TimelineRenderer renderer(ThemePalette::of(Theme::Dark), FigureFonts::load());
    PaintedView three(viewOfJson(oneGap()), {{0}, {300'000'000}}, 1'500, 600); // 200 us a pixel: 3 pixels
    QCOMPARE(three.frame.gaps.size(), 1u);
    const GapMark& mark = three.frame.gaps[0];
    const QImage image = renderer.paintLanes(three.scene);
    for (int x = mark.x0; x < mark.x1; ++x)
        QCOMPARE(image.pixel(x, mark.y + mark.height / 2), 0xffff9b8a);
}

void TstGapPainter::selectedGap_dimsTheRest_andKeepsItsChain() {
    const LoadedView loaded = loadView("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(loaded);
    GapId worstHost;
    for (std::uint32_t i = 0; i < loaded.gaps->gaps().size(); ++i)
        if (loaded.gaps->gaps()[i].length().v == 2'490'986)
            worstHost = {i};
    QVERIFY(worstHost);
    const Emphasis emphasis = emphasisOf(*loaded.trace, loaded.gaps.get(), worstHost);
    const Gap& gap = loaded.gaps->gap(worstHost);
    QVERIFY(emphasis.dims);
    QVERIFY(emphasis.keeps(gap.next) && emphasis.keeps(gap.previous) && emphasis.keeps(gap.launch));
    QCOMPARE(emphasis.outlined.size(), 2u); // blocking call and next launch
    bool keepsSleep = false, keepsRange = false;
    for (const EventId event : emphasis.kept) {
        keepsSleep = keepsSleep || loaded.trace->nameOf(event).find("sleep") != std::string_view::npos;
        keepsRange = keepsRange || loaded.trace->nameOf(event) == "log_loss";
    }
    QVERIFY(keepsSleep);
    QVERIFY(keepsRange);

    PaintedView view(loaded, {{3'750'000}, {10'350'000}}, 1320, 700, 1.0, worstHost);
    const QImage image =
        TimelineRenderer(ThemePalette::of(Theme::Light), FigureFonts::load()).paintLanes(view.scene);
    const LaneFrame* lane = streamOf(view);
    QVERIFY(lane != nullptr);
    const int y = lane->stripY(0) + 10;
    int dimmed = 0, full = 0;
    for (int x = 0; x < image.width(); ++x) {
        dimmed += image.pixel(x, y) == 0xff97b8aa ? 1 : 0; // #186143 at 45 %, as in main_light.png
        full += image.pixel(x, y) == 0xff186143 ? 1 : 0;
    }
    QVERIFY(dimmed > 400);
    QVERIFY(full > 20 && full < 60); // the next kernel only
}

void TstGapPainter::label_standsOnAClearPatch() {
    PaintedView view(viewOfJson(oneGap()), {{0}, {1'000'000}}, 1000, 600);
    view.scene.pins.clear();
    const QImage image =
        TimelineRenderer(ThemePalette::of(Theme::Light), FigureFonts::load()).paintLanes(view.scene);
    const GapMark& mark = view.frame.gaps[0];
    // Left of the letter box, on the height of a hatch line that is there elsewhere.
    const int middle = (mark.x0 + mark.x1) / 2;
    int lines = 0, patch = 0;
    for (int y = mark.y + 2; y < mark.y + mark.height - 2; ++y) {
        lines += image.pixel(mark.x0 + 50, y) != 0xffffffff ? 1 : 0;
        patch += image.pixel(middle - 52, y) != 0xffffffff ? 1 : 0;
    }
    QVERIFY(lines >= 6);
    QVERIFY(patch <= lines / 2);
}

LACUNA_TEST(TstGapPainter, "tst_gap_painter")

} // namespace tst_gap_painter

#include "tst_gap_painter.moc"
