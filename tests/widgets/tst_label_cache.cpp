#include "tests/support/test_main.h"
#include "widgets/timeline/label_cache.h"

namespace tst_label_cache {

using namespace lacuna;
using namespace lacuna::ui;

class TstLabelCache : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLabel_fitsItsWidth();
    void operatorName_losesItsNamespaceFirst();
    void cutName_keepsAtLeastFiveLetters();
    void narrowBar_hasNoLabel();
    void hostileNames_areShownSafely();
    void elided_neverSplitsASurrogatePair();
};

static TextStyle style() {
    return FigureFonts::load().style(Face::Medium, 11.5);
}

void TstLabelCache::everyLabel_fitsItsWidth() {
    const TextStyle font = style();
    const std::pair<const char*, EventKind> names[] = {
        {"aten::linear", EventKind::CpuOp},
        {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(T1::Params)", EventKind::Kernel},
        {"cudaStreamSynchronize", EventKind::RuntimeApi},
        {"torch/nn/modules/module.py(1783): _call_impl", EventKind::Python},
    };
    for (const auto& [name, kind] : names)
        for (double width = 0; width < 600; width += 1.5) {
            const FittedLabel label = fitLabel(name, kind, width, font);
            QVERIFY(label.widthPx <= width);
            QCOMPARE(label.widthPx, font.width(label.text));
        }
}

void TstLabelCache::operatorName_losesItsNamespaceFirst() {
    const TextStyle font = style();
    const double whole = font.width(QStringLiteral("aten::linear")),
                 shorter = font.width(QStringLiteral("linear"));
    QCOMPARE(fitLabel("aten::linear", EventKind::CpuOp, whole + 0.5, font).text,
             QStringLiteral("aten::linear"));
    QCOMPARE(fitLabel("aten::linear", EventKind::CpuOp, whole - 0.5, font).text, QStringLiteral("linear"));
    QCOMPARE(fitLabel("aten::linear", EventKind::CpuOp, shorter + 0.5, font).text, QStringLiteral("linear"));
}

void TstLabelCache::cutName_keepsAtLeastFiveLetters() {
    const TextStyle font = style();
    for (double width = 0; width < 200; width += 1) {
        const QString text = fitLabel("cudaStreamSynchronize", EventKind::RuntimeApi, width, font).text;
        if (text.endsWith(QChar(0x2026)))
            QVERIFY(text.size() >= 6);
    }
}

void TstLabelCache::narrowBar_hasNoLabel() {
    QVERIFY(fitLabel("aten::linear", EventKind::CpuOp, 4, style()).text.isEmpty());
    QVERIFY(fitLabel("", EventKind::CpuOp, 400, style()).text.isEmpty());
}

void TstLabelCache::hostileNames_areShownSafely() {
    const FittedLabel control = fitLabel("a\nb\tc\x01", EventKind::Range, 400, style());
    for (const QChar c : control.text)
        QVERIFY(c.category() != QChar::Other_Control);
    const std::string huge(1'000'000, 'x');
    QVERIFY(fitLabel(huge, EventKind::Range, 300, style()).widthPx <= 300);
    QVERIFY(fitLabel("\xff\xfe bad bytes", EventKind::Range, 300, style()).widthPx <= 300);
}

void TstLabelCache::elided_neverSplitsASurrogatePair() {
    const QString text = QString::fromUcs4(U"\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600");
    const TextStyle font = style();
    for (double width = 0; width < font.width(text); width += 1) {
        const QString cut = font.elided(text, width);
        QVERIFY(cut.isEmpty() || !cut.at(cut.size() - 2).isHighSurrogate());
    }
}

LACUNA_TEST(TstLabelCache, "tst_label_cache")

} // namespace tst_label_cache

#include "tst_label_cache.moc"
