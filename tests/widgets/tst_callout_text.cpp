// Callout texts: which signs mean something, and how lines are wrapped.

#include "tests/support/test_main.h"
#include "widgets/timeline/callout_text.h"

#include <QImage>
#include <QPainter>
#include <QTest>

namespace tst_callout_text {

using namespace lacuna::ui;

namespace {

// "plain|b:bold|i:italic|c:code", spans joined by bars.
QString shown(const QString& paragraph) {
    QStringList parts;
    for (const TextSpan& span : calloutSpans(paragraph))
        parts << (span.bold ? QStringLiteral("b") : QString()) +
                     (span.italic ? QStringLiteral("i") : QString()) +
                     (span.code ? QStringLiteral("c") : QString()) + QLatin1Char(':') + span.text;
    return parts.join(QLatin1Char('|'));
}

} // namespace

class TstCalloutText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void spans_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        row("plain", ":plain");
        row("a **b** c", ":a |b:b|: c");
        row("*all of it*", "i:all of it");
        row("`item()` waits", "c:item()|: waits");
        row("**bold and *both* here**", "b:bold and |bi:both|b: here");
        row("(*x*)", ":(|i:x|:)");
        row("float* a, int* b", ":float* a, int* b");
        row("2 * 3 * 4", ":2 * 3 * 4");
        row("a*b*c", ":a*b*c");
        row("**never closed", ":**never closed");
        row("`a * b` *c*", "c:a * b|: |i:c");
        row(R"(\*not\* it)", ":*not* it");
        row("", "");
        row("***", ":***");
    }
    void spans() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(shown(text), expected);
    }

    void plain_isWithoutSigns() {
        QCOMPARE(plainCalloutText(QStringLiteral("a **b**\n`c` *d*")), QStringLiteral("a b\nc d"));
    }

    void lines_holdEveryWordOnce() {
        const FigureFonts fonts = FigureFonts::load();
        const QString text =
            QStringLiteral("The **queue is empty** when `item()` returns, *so the GPU waits*.");
        const CalloutLines lines(text, false, fonts, 12.5, 120, 20);
        QVERIFY(lines.count() > 2);
        QVERIFY(lines.width() <= 120);
        QStringList all;
        for (std::size_t i = 0; i < lines.count(); ++i)
            all << lines.plainLine(i);
        QCOMPARE(all.join(QLatin1Char(' ')), plainCalloutText(text));
        // As it is, for what is not ours to read signs in.
        const CalloutLines asIs(QStringLiteral("*a*"), true, fonts, 12.5, 120, 20);
        QCOMPARE(asIs.plainLine(0), QStringLiteral("*a*"));
        // Cut with an ellipsis.
        const CalloutLines cut(text, false, fonts, 12.5, 120, 2);
        QCOMPARE(cut.count(), std::size_t{2});
        QVERIFY(cut.plainLine(1).endsWith(QChar(0x2026)));
    }

    void italic_leans() {
        const FigureFonts fonts = FigureFonts::load();
        const auto painted = [&](bool slanted) {
            QImage image(40, 40, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::white);
            QPainter painter(&image);
            const TextStyle style = fonts.style(Face::Regular, 30);
            (slanted ? style.slanted() : style).draw(painter, {10, 34}, QStringLiteral("l"), qRgb(0, 0, 0));
            return image;
        };
        const auto middle = [](const QImage& image, int y) {
            int sum = 0, weight = 0;
            for (int x = 0; x < image.width(); ++x) {
                const int ink = 255 - qGray(image.pixel(x, y));
                sum += ink * x;
                weight += ink;
            }
            return weight == 0 ? -1.0 : static_cast<double>(sum) / weight;
        };
        const QImage upright = painted(false), slanted = painted(true);
        QVERIFY(std::abs(middle(upright, 14) - middle(upright, 30)) < 0.6);
        QVERIFY(middle(slanted, 14) - middle(slanted, 30) > 2); // leans to the right
    }
};

LACUNA_TEST(TstCalloutText, "tst_callout_text")

} // namespace tst_callout_text

#include "tst_callout_text.moc"
