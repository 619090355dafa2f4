// The few pictures that are compared pixel by pixel. Everything else about painting is tested by its meaning.
#include "tests/support/image_golden.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_painter.h"

#include <QPainter>

namespace tst_image_goldens {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

class TstImageGoldens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figure_light_withCallouts();
    void figure_dark_atScaleOneAndAHalf();
    void figures_inEveryThemeAndScale_data();
    void figures_inEveryThemeAndScale();
    void lanes_withSelectedGap();
    void swatches_ofAllClassesAndKinds();
};

namespace {

// One step: forward with two kernels, a wait, host work, the next step's kernels; times in us.
std::string oneStep() {
    std::string rows = R"({"traceEvents":[)";
    const auto add = [&rows](const char* cat, const char* name, int pid, int tid, int ts, int dur,
                             const std::string& args) {
        if (!rows.ends_with("["))
            rows += ",\n";
        rows += std::string(R"({"ph":"X","cat":")") + cat + R"(","name":")" + name + R"(","pid":)" +
                std::to_string(pid) + R"(,"tid":)" + std::to_string(tid) + R"(,"ts":)" + std::to_string(ts) +
                R"(,"dur":)" + std::to_string(dur) + R"(,"args":{)" + args + "}}";
    };
    const auto launch = [&](const char* name, int at, int dur, int kernelAt, int kernelDur, int id) {
        const std::string link = R"("correlation":)" + std::to_string(id);
        add("cuda_runtime", "cudaLaunchKernel", 100, 100, at, dur, link);
        add("kernel", name, 0, 7, kernelAt, kernelDur, R"("device":0,"stream":7,)" + link);
    };
    add("user_annotation", "ProfilerStep#1", 100, 100, 0, 1000, "");
    add("user_annotation", "ProfilerStep#2", 100, 100, 1010, 390, "");
    add("user_annotation", "forward", 100, 100, 5, 200, "");
    add("user_annotation", "log_loss", 100, 100, 210, 780, "");
    add("cpu_op", "aten::linear", 100, 100, 10, 90, "");
    add("cpu_op", "aten::addmm", 100, 100, 15, 80, "");
    launch("ampere_sgemm_128x64_nn", 20, 12, 40, 150, 1);
    add("cpu_op", "aten::relu", 100, 100, 110, 60, "");
    launch("relu_kernel", 120, 12, 195, 140, 2);
    add("cpu_op", "aten::item", 100, 100, 220, 150, "");
    add("cuda_runtime", "cudaStreamSynchronize", 100, 100, 230, 130, R"("correlation":3)");
    add("cpu_op", "preprocess", 100, 100, 380, 600, "");
    launch("ampere_sgemm_128x64_nn", 1020, 12, 1040, 200, 4);
    launch("ncclDevKernel_AllReduce", 1050, 12, 1245, 100, 5);
    return rows + "]}";
}

FigureInput figureOf(const LoadedView& loaded) {
    FigureInput in;
    in.trace = loaded.trace.get();
    in.gaps = loaded.gaps.get();
    in.gap = loaded.gaps->byRank()[0];
    in.range = {{0}, {1'400'000}};
    in.size = {960, 640};
    in.title = QStringLiteral("The wait and the work after it");
    in.subtitle = QStringLiteral("One step of a made-up program.");
    in.sha256 = QStringLiteral("0123456789abcdef");
    return in;
}

} // namespace

void TstImageGoldens::figure_light_withCallouts() {
    const LoadedView loaded = viewOfJson(oneStep());
    QVERIFY(loaded);
    AnnotationSet set;
    Callout wait;
    wait.laneKey = "lane/cuda_api/100/100";
    wait.time = {300'000};
    wait.title = "The wait";
    wait.text = "item() reads one number; when it returns, the queue is empty.";
    wait.boxDx = 60;
    wait.boxDy = -110;
    set.apply(AnnotationEdit::add(wait));
    Callout gap = wait;
    gap.laneKey = "lane/gpu_stream/0/7";
    gap.time = {335'000};
    gap.end = TimeNs{1'040'000};
    gap.title = "The gap";
    gap.text = "Nothing runs.";
    gap.boxDx = -60;
    gap.boxDy = -90;
    set.apply(AnnotationEdit::add(gap));
    FigureInput in = figureOf(loaded);
    in.annotations = &set;
    QCOMPARE(compareWithGolden(paintFigure(in, FigureFonts::load()), QStringLiteral("figure_light")),
             QString());
}

void TstImageGoldens::figure_dark_atScaleOneAndAHalf() {
    const LoadedView loaded = viewOfJson(oneStep());
    QVERIFY(loaded);
    FigureInput in = figureOf(loaded);
    in.theme = Theme::Dark;
    in.scale = 1.5;
    in.size = {640, 480};
    QCOMPARE(compareWithGolden(paintFigure(in, FigureFonts::load()), QStringLiteral("figure_dark")),
             QString());
}

// Two views, three themes, three scales; to the pixel.
void TstImageGoldens::figures_inEveryThemeAndScale_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<QString>("themeName");
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("withNotes");
    const std::pair<Theme, const char*> themes[] = {
        {Theme::Light, "light"}, {Theme::Dark, "dark"}, {Theme::Print, "print"}};
    for (const auto& [theme, name] : themes)
        for (const double scale : {1.0, 1.5, 2.0})
            for (const bool withNotes : {true, false})
                QTest::addRow("%s at %g, %s", name, scale, withNotes ? "gap and notes" : "plain")
                    << static_cast<int>(theme) << QString::fromLatin1(name) << scale << withNotes;
}

void TstImageGoldens::figures_inEveryThemeAndScale() {
    QFETCH(int, theme);
    QFETCH(QString, themeName);
    QFETCH(double, scale);
    QFETCH(bool, withNotes);
    const LoadedView loaded = viewOfJson(oneStep());
    QVERIFY(loaded);
    AnnotationSet set;
    Callout wait;
    wait.laneKey = "lane/cuda_api/100/100";
    wait.time = {300'000};
    wait.title = "The wait";
    wait.text = "`item()` reads **one number**; *the queue is empty* then.";
    wait.boxDx = 40;
    wait.boxDy = 60;
    set.apply(AnnotationEdit::add(wait));
    Callout bracket;
    bracket.kind = AnnotationKind::Bracket;
    bracket.laneKey = "lane/cuda_api/100/100";
    bracket.time = {20'000};
    bracket.end = TimeNs{132'000};
    bracket.title = "launches";
    set.apply(AnnotationEdit::add(bracket));
    FigureInput in = figureOf(loaded);
    in.theme = static_cast<Theme>(theme);
    in.scale = scale;
    in.size = {600, 440};
    if (withNotes) {
        in.annotations = &set;
    } else { // another range without a gap, counted from its step, coloured by name
        in.gap = {};
        in.range = {{0}, {400'000}};
        in.axis = axisOf(*loaded.trace, TimeBase::StepStart, {0}, 0);
        in.look.colourBy = ColourBy::Name;
        in.size = {560, 400};
    }
    QCOMPARE(compareExactly(paintFigure(in, FigureFonts::load()),
                            QStringLiteral("figure_%1_%2_%3")
                                .arg(withNotes ? QStringLiteral("notes") : QStringLiteral("plain"), themeName)
                                .arg(qRound(scale * 100))),
             QString());
}

void TstImageGoldens::lanes_withSelectedGap() {
    const LoadedView loaded = viewOfJson(oneStep());
    QVERIFY(loaded);
    PaintedView view(loaded, {{0}, {1'400'000}}, 760, 330, 1.0, loaded.gaps->byRank()[0]);
    const TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
    QImage image(216 + 760, 26 + 330, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.drawImage(QPointF(216, 26), renderer.paintLanes(view.scene));
    renderer.paintRuler(painter, view.scene, QRectF(216, 0, 760, 26));
    painter.translate(0, 26);
    renderer.paintHeads(painter, view.scene, 216);
    painter.end();
    QCOMPARE(compareWithGolden(image, QStringLiteral("lanes_selected_gap")), QString());
}

void TstImageGoldens::swatches_ofAllClassesAndKinds() {
    QImage image(480, 200, QImage::Format_ARGB32_Premultiplied);
    const FigureFonts fonts = FigureFonts::load();
    QPainter painter(&image);
    double y = 0;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const ThemePalette palette = ThemePalette::of(theme);
        painter.fillRect(QRectF(0, y, 480, 100), palette.color(Ink::Ground));
        for (std::size_t i = 0; i < kGapClasses; ++i) {
            const double x = 8 + 46.0 * static_cast<double>(i);
            paintGapSwatch(painter, QRectF(x, y + 8, 40, 30), static_cast<GapClass>(i), palette);
            paintLetterBox(painter, QRectF(x, y + 44, 16, 16), static_cast<GapClass>(i), palette, fonts);
        }
        double x = 8;
        for (const Ink kind : {Ink::Operator, Ink::Api, Ink::Wait, Ink::Kernel, Ink::Communication,
                               Ink::Memcpy, Ink::Memset, Ink::Range}) {
            paintKindSwatch(painter, QRectF(x, y + 72, 16, 14), kind, palette);
            x += 24;
        }
        for (int number = 1; number <= 3; ++number)
            paintPin(painter, {300.0 + 30 * number, y + 79}, 7.0 + number, number, palette, fonts);
        y += 100;
    }
    painter.end();
    QCOMPARE(compareWithGolden(image, QStringLiteral("swatches")), QString());
}

LACUNA_TEST(TstImageGoldens, "tst_image_goldens")

} // namespace tst_image_goldens

#include "tst_image_goldens.moc"
