// Calls that wait look different from calls that do not, in grey too: features.md D05.

#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_fonts.h"

#include <set>

namespace tst_wait_style {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

// A waiting and a launching call of 400 us each, on one thread.
std::string twoCalls() {
    return R"({"traceEvents":[
{"ph":"X","cat":"kernel","name":"K","pid":0,"tid":7,"ts":100,"dur":300,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":400,"args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":500,"dur":400,"args":{"correlation":3}}
]})";
}

// Grey values of the right third of an event's bar, where no label stands; without its edges.
std::set<int> greysOf(const PaintedView& view, const QImage& image, std::string_view name) {
    std::set<int> greys;
    for (const LaneFrame& lane : view.frame.lanes)
        for (const Bar& bar : lane.bars) {
            if (bar.count != 1 || view.loaded.trace->nameOf(bar.first) != name)
                continue;
            const int top = lane.stripY(bar.strip) + 2;
            const int bottom = lane.stripY(bar.strip) + lane.heightOf(bar.strip) - 2;
            for (int y = top; y < bottom; ++y)
                for (int x = bar.x0 + 2 * (bar.x1 - bar.x0) / 3; x < bar.x1 - 3; ++x)
                    greys.insert(qGray(image.pixel(x, y)));
        }
    return greys;
}

} // namespace

class TstWaitStyle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d05_distinctInGrey_data();
    void d05_distinctInGrey();
};

void TstWaitStyle::d05_distinctInGrey_data() {
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::Light);
    QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    QTest::newRow("print") << static_cast<int>(Theme::Print);
}

void TstWaitStyle::d05_distinctInGrey() {
    QFETCH(int, theme);
    const PaintedView view(viewOfJson(twoCalls()), {{0}, {900'000}}, 1'200, 600);
    const QImage image = TimelineRenderer(ThemePalette::of(static_cast<Theme>(theme)), FigureFonts::load())
                             .paintLanes(view.scene);
    QCOMPARE(greysOf(view, image, "cudaLaunchKernel").size(), std::size_t{1});
    const std::set<int> wait = greysOf(view, image, "cudaStreamSynchronize");
    QVERIFY2(wait.size() > 1, "no lines in it");
    QVERIFY2(*wait.rbegin() - *wait.begin() >= 16,
             qPrintable(QString::number(*wait.rbegin() - *wait.begin())));
}

LACUNA_TEST(TstWaitStyle, "tst_wait_style")

} // namespace tst_wait_style

#include "tst_wait_style.moc"
