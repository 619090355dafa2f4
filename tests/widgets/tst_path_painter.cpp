// The critical path over the lanes: where its line stands, and that it is switched on and off.
#include "core/analysis/replay_model.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/timeline/path_painter.h"

#include <cmath>

namespace tst_path_painter {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

// A [0, 100) us on stream 7; host work; K [180, 200), launched at 170.
std::string lateKernel() {
    return R"({"traceEvents":[
{"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":0,"dur":100,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":"K","pid":0,"tid":7,"ts":180,"dur":20,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cpu_op","name":"aten::work","pid":1,"tid":1,"ts":110,"dur":50,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":20,"dur":85,"args":{"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":-10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":170,"dur":5,"args":{"correlation":2}}
]})";
}

CriticalPath pathOf(const LoadedView& view) {
    JobControl job;
    return *criticalPath(**ReplayModel::build(view.trace, job), job);
}

struct Painted {
    LoadedView loaded = viewOfJson(lateKernel());
    CriticalPath path = pathOf(loaded);
    PaintedView view{loaded, loaded.trace->window(), 840, 400};
    TimelineRenderer renderer{ThemePalette::of(Theme::Light), FigureFonts::load()};
    std::vector<PathStretch> stretches() { return pathStretches(renderer.contextFor(view.scene)); }
};

} // namespace

class TstPathPainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingWithoutAPath();
    void line_goesFromTheDeviceToTheHostAndBack();
    void line_isPainted();
    void manyPieces_costTwoAPixel();
};

void TstPathPainter::nothingWithoutAPath() {
    Painted painted;
    QVERIFY(painted.stretches().empty());
}

// Times in us since the launch at -10 us; pixels are those of the bars, rounded outwards.
void TstPathPainter::line_goesFromTheDeviceToTheHostAndBack() {
    Painted painted;
    painted.view.scene.path = &painted.path;
    const PaintContext context = painted.renderer.contextFor(painted.view.scene);
    const std::vector<PathStretch> stretches = pathStretches(context);
    const auto find = [&](int beginUs, int endUs) {
        const Viewport& view = context.frame().viewport;
        const int x0 = static_cast<int>(std::floor(view.xOf({beginUs * 1'000})));
        const int x1 = static_cast<int>(std::ceil(view.xOf({endUs * 1'000})));
        for (const PathStretch& stretch : stretches)
            if (stretch.x0 == x0 && stretch.x1 == x1)
                return stretch.y;
        return -1;
    };
    const auto footOf = [&](const char* name) {
        for (EventId e{0}; e.v < painted.loaded.trace->events().size(); ++e.v)
            if (painted.loaded.trace->nameOf(e) == name) {
                const QRect rect = context.rectOf(e);
                return rect.y() + rect.height();
            }
        return -2;
    };
    QCOMPARE(find(10, 110), footOf("A"));
    QCOMPARE(find(110, 115), footOf("cudaStreamSynchronize"));
    QCOMPARE(find(120, 170), footOf("aten::work"));
    QCOMPARE(find(180, 185), footOf("cudaLaunchKernel"));
    QCOMPARE(find(190, 210), footOf("K"));
    for (std::size_t i = 1; i < stretches.size(); ++i)
        QVERIFY(stretches[i].x0 == stretches[i - 1].x1 || stretches[i].x0 == stretches[i - 1].x1 - 1);
}

void TstPathPainter::line_isPainted() {
    Painted painted;
    const QImage without = painted.renderer.paintLanes(painted.view.scene);
    painted.view.scene.path = &painted.path;
    const QImage with = painted.renderer.paintLanes(painted.view.scene);
    QVERIFY(without != with);
    const QRgb ink = painted.renderer.palette().ink(Ink::Selection);
    for (const PathStretch& stretch : painted.stretches())
        QCOMPARE(with.pixel((stretch.x0 + stretch.x1) / 2, stretch.y - 2), ink);
}

void TstPathPainter::manyPieces_costTwoAPixel() {
    Painted painted;
    CriticalPath many;
    const TimeRange whole = painted.path.range();
    for (std::int64_t t = whole.begin.v; t < whole.end.v; t += 10)
        many.pieces.push_back({{{t}, {t + 10}}, PathKind::Kernel, painted.path.pieces.back().event, {}});
    painted.view.scene.path = &many;
    QVERIFY(many.pieces.size() > 20'000);
    const std::vector<PathStretch> stretches = painted.stretches();
    QVERIFY(stretches.size() >= 840 && stretches.size() <= 2 * 840 + 2);
}

LACUNA_TEST(TstPathPainter, "tst_path_painter")

} // namespace tst_path_painter

#include "tst_path_painter.moc"
