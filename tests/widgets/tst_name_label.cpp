// Names in the inspector: nothing of a long one is cut, and what is copied is the name as the file has it.

#include "tests/support/test_main.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/panels/name_label.h"
#include "widgets/plot/plot_axes.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace tst_name_label {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

const QString kKernel =
    u"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)"_s;

// The text of each line on the screen.
QStringList linesOf(const NameLabel& label) {
    QStringList lines;
    const QTextLayout& layout = *label.document()->firstBlock().layout();
    for (int i = 0; i < layout.lineCount(); ++i) {
        const QTextLine line = layout.lineAt(i);
        lines << label.document()->firstBlock().text().mid(line.textStart(), line.textLength());
    }
    return lines;
}

} // namespace

class TstNameLabel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { FigureFonts::load(); }

    void aLongName_hasTheLinesItNeeds() {
        QWidget parent;
        parent.resize(400, 400);
        NameLabel label(kKernel, uiFont(Face::Mono, 12.5), &parent);
        parent.show();
        for (const int width : {352, 216, 90}) {
            label.resize(width, label.height());
            QApplication::processEvents();
            const QStringList lines = linesOf(label);
            QVERIFY(lines.size() > 1);
            QCOMPARE(lines.join(QString()).remove(QChar(0x200b)), kKernel);
            const QTextLayout& layout = *label.document()->firstBlock().layout();
            for (int i = 0; i < layout.lineCount(); ++i)
                QVERIFY2(layout.lineAt(i).naturalTextWidth() <= label.viewport()->width(),
                         qPrintable(lines[i]));
            QVERIFY(label.viewport()->height() >= label.document()->size().height());
        }
        label.resize(352, label.height());
        QApplication::processEvents();
        for (const QString& line : linesOf(label).mid(0, 2)) // with room, inside no word
            QVERIFY2(u" \u200b"_s.contains(line.back()), qPrintable(line));
    }

    void whatIsCopied_isTheName() {
        NameLabel label(kKernel, uiFont(Face::Mono, 12.5));
        label.selectAll();
        label.copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), kKernel);
        QCOMPARE(label.name(), kKernel);
    }

    void onlyForNamesThatCouldBeCut() {
        QVERIFY(NameLabel::isNeededFor(u"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8"_s));
        QVERIFY(NameLabel::isNeededFor(kKernel));
        QVERIFY(!NameLabel::isNeededFor(u"aten::_local_scalar_dense"_s));
        QVERIFY(!NameLabel::isNeededFor(u"GPU 0, stream 7, stream 7 (default)"_s));
        QVERIFY(!NameLabel::isNeededFor(QString()));
    }

    // 10 px swatch, 8 px, name, 10 px, figure; then the column of 54 px.
    void aRowLeavesItsNameAllRoom() {
        const QString figure = u"1.626 µs"_s;
        InspectorRow row({Ink::Kernel, kKernel, true, false, false, false, {figure, u"3.0 %"_s}, {}},
                         ThemePalette::of(Theme::Light));
        row.resize(352, 17);
        QCOMPARE(row.textWidth(),
                 352 - 18 - 54 - 10 - QFontMetrics(uiFont(Face::Regular, 12)).horizontalAdvance(figure));
        InspectorRow bare({Ink::Kernel, kKernel, true, false, false, false, {}, {}},
                          ThemePalette::of(Theme::Light));
        bare.resize(352, 17);
        QCOMPARE(bare.textWidth(), 352 - 18);
    }

    // The last number of an axis stands flush with the edge; no other touches it.
    void numbersOfATimeAxis_keepApart() {
        const FigureFonts fonts = FigureFonts::load();
        for (double most = 90; most < 320; most += 1.7) {
            ScenePen pen(ThemePalette::of(Theme::Light), fonts, QSize(352, 100));
            timeAxis(pen, LinearAxis(21.4, most, kPlotLeft, 352), u"ms"_s, 80);
            std::vector<std::pair<double, double>> spans;
            for (const auto& item : pen.scene.items)
                if (const auto* number = std::get_if<PlotText>(&item)) {
                    const double width = pen.widthOf(number->text);
                    const double left = number->anchor == PlotText::Anchor::Right
                                            ? number->baseline.x() - width
                                            : number->baseline.x() - width / 2;
                    spans.emplace_back(left, left + width);
                }
            QVERIFY(spans.size() > 1);
            std::ranges::sort(spans);
            for (std::size_t i = 1; i < spans.size(); ++i)
                QVERIFY2(spans[i].first >= spans[i - 1].second, qPrintable(QString::number(most)));
        }
    }
};

LACUNA_TEST(TstNameLabel, "tst_name_label")

} // namespace tst_name_label

#include "tst_name_label.moc"
