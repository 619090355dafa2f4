// Computed colours of groups: contrast by the formula of WCAG 2, the same group the same colour.

#include "tests/support/test_main.h"
#include "widgets/theme/group_colours.h"

#include <set>

namespace tst_group_colours {

using namespace lacuna;
using namespace lacuna::ui;

namespace {
constexpr std::array kAllThemes{Theme::Light, Theme::Dark, Theme::Print, Theme::HighContrast};
}

class TstGroupColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyColour_standsOutAndCarriesText() {
        for (const Theme theme : kAllThemes) {
            const QRgb ground = ThemePalette::of(theme).ink(Ink::Ground);
            const double least = theme == Theme::HighContrast ? 7.0 : 3.0;
            for (int hue = 0; hue < kGroupHues; ++hue)
                for (int shade = 0; shade < kGroupShades; ++shade) {
                    const QRgb colour = groupColour(hue, shade, theme);
                    const QByteArray which = QByteArray::number(hue) + '/' + QByteArray::number(shade) +
                                             " of theme " + QByteArray::number(static_cast<int>(theme)) +
                                             ": ";
                    const double toGround = contrastRatio(colour, ground);
                    QVERIFY2(toGround >= least, which + QByteArray::number(toGround));
                    const double toText = contrastRatio(colour, textOn(colour));
                    QVERIFY2(toText >= 4.5, which + QByteArray::number(toText));
                }
        }
    }

    void everyColour_isAnother() {
        for (const Theme theme : kAllThemes) {
            std::set<QRgb> colours;
            for (int hue = 0; hue < kGroupHues; ++hue)
                for (int shade = 0; shade < kGroupShades; ++shade)
                    colours.insert(groupColour(hue, shade, theme));
            QCOMPARE(colours.size(), static_cast<std::size_t>(kGroupHues * kGroupShades));
        }
    }

    void stepsOfDuration_differ() {
        for (const Theme theme : kAllThemes) {
            std::set<QRgb> colours;
            for (int step = 0; step < kDurationSteps; ++step) {
                const QRgb colour = groupColour(EventGroup{"", 0, step}, theme);
                colours.insert(colour);
                QVERIFY(contrastRatio(colour, ThemePalette::of(theme).ink(Ink::Ground)) >= 3.0);
            }
            QCOMPARE(colours.size(), static_cast<std::size_t>(kDurationSteps));
        }
    }

    // Worked by hand from the formulas: OKLCH(0.5, 0, any) is grey of linear light 0.125.
    void lightness_isThatOfTheFormula() {
        const QRgb light = groupColour(0, 0, Theme::Light);
        const double luminance = 1.05 / contrastRatio(light, 0xffffffff) - 0.05;
        QVERIFY2(luminance > 0.09 && luminance < 0.16, QByteArray::number(luminance)); // 0.5 cubed, coloured
    }
};

LACUNA_TEST(TstGroupColours, "tst_group_colours")

} // namespace tst_group_colours

#include "tst_group_colours.moc"
