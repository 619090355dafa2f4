// The values of ux.md section 12: contrast to the lane background and to the label, and distances under
// simulated colour blindness (Machado 2009, severity 1; CIE76 in L*a*b*, D65).
#include "tests/support/test_main.h"
#include "widgets/theme/theme_palette.h"

#include <QGuiApplication>

#include <array>
#include <cmath>

namespace tst_theme {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

constexpr std::array kKinds{Ink::Operator,      Ink::Api,    Ink::Wait,   Ink::Kernel,
                            Ink::Communication, Ink::Memcpy, Ink::Memset, Ink::Range};
constexpr std::array kThemes{Theme::Light, Theme::Dark, Theme::Print};

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;
constexpr std::array<Matrix, 3> kMachado{
    Matrix{
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    Matrix{
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    Matrix{
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

double linear(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple linearOf(QRgb rgb) {
    return {linear(qRed(rgb) / 255.0), linear(qGreen(rgb) / 255.0), linear(qBlue(rgb) / 255.0)};
}

Triple times(const Matrix& m, const Triple& v) {
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = std::clamp(m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2], 0.0, 1.0);
    return out;
}

Triple lab(const Triple& v) {
    const double x = (0.4124564 * v[0] + 0.3575761 * v[1] + 0.1804375 * v[2]) / 0.95047;
    const double y = 0.2126729 * v[0] + 0.7151522 * v[1] + 0.0721750 * v[2];
    const double z = (0.0193339 * v[0] + 0.1191920 * v[1] + 0.9503041 * v[2]) / 1.08883;
    const auto f = [](double t) {
        return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16) / 116;
    };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double distance(const Triple& a, const Triple& b) {
    return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                     (a[2] - b[2]) * (a[2] - b[2]));
}

double smallestDistance(QRgb a, QRgb b) {
    double smallest = 1e9;
    for (const Matrix& m : kMachado)
        smallest = std::min(smallest, distance(lab(times(m, linearOf(a))), lab(times(m, linearOf(b)))));
    return smallest;
}

} // namespace

class TstTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kinds_standOutFromTheLane();
    void labels_areReadableOnEveryKind();
    void dimmedLabels_areReadable();
    void textRoles_areReadable();
    void kinds_differUnderColourBlindness();
    void roles_haveTheValuesOfTheReference();
    void printFills_areNotDarkerThanSeventyPercent();
    void highContrast_isSevenToOne();
    void systemTheme_followsThePalette();
    void mixed_isExactAtTheEnds();
};

void TstTheme::kinds_standOutFromTheLane() {
    for (const Theme theme : kThemes) {
        const ThemePalette palette = ThemePalette::of(theme);
        for (const Ink kind : kKinds)
            QVERIFY2(contrastRatio(palette.ink(kind), palette.ink(Ink::Ground)) >= 3.0,
                     qPrintable(inkTitle(kind)));
        QVERIFY(contrastRatio(palette.ink(Ink::Gap), palette.ink(Ink::Ground)) >= 4.5);
        QVERIFY(contrastRatio(palette.ink(Ink::Selection), palette.ink(Ink::Ground)) >= 3.0);
        QVERIFY(contrastRatio(palette.ink(Ink::Annotation), palette.ink(Ink::Ground)) >= 3.0);
    }
}

void TstTheme::labels_areReadableOnEveryKind() {
    for (const Theme theme : kThemes) {
        const ThemePalette palette = ThemePalette::of(theme);
        for (const Ink kind : kKinds)
            QVERIFY2(contrastRatio(palette.labelOn(kind), palette.ink(kind)) >= 4.5,
                     qPrintable(inkTitle(kind)));
        QVERIFY(contrastRatio(palette.labelOn(Ink::Gap), palette.ink(Ink::Gap)) >= 4.5);
    }
}

// Text colour mixed 82 % over a fill of 45 %: readable, if quieter than a full label.
void TstTheme::dimmedLabels_areReadable() {
    for (const Theme theme : kThemes) {
        const ThemePalette palette = ThemePalette::of(theme);
        for (const Ink kind : kKinds) {
            const QRgb fill = mixed(palette.ink(kind), palette.ink(Ink::Ground), 0.45);
            const QRgb label = mixed(palette.ink(Ink::Text), fill, 0.82);
            QVERIFY2(contrastRatio(label, fill) >= 3.0, qPrintable(inkTitle(kind)));
        }
    }
}

void TstTheme::textRoles_areReadable() {
    for (const Theme theme : kThemes) {
        const ThemePalette palette = ThemePalette::of(theme);
        for (const Ink surface : {Ink::Ground, Ink::RowAlt, Ink::Window})
            for (const Ink ink : {Ink::Text, Ink::TextSecondary})
                QVERIFY(contrastRatio(palette.ink(ink), palette.ink(surface)) >= 4.5);
        QVERIFY(contrastRatio(palette.ink(Ink::Text), palette.ink(Ink::SelectedRow)) >= 4.5);
        QVERIFY(contrastRatio(palette.ink(Ink::NoteMark), palette.ink(Ink::Button)) >= 4.5);
    }
}

void TstTheme::kinds_differUnderColourBlindness() {
    // Kinds that can share a lane: host calls, and device work.
    const auto shareLane = [](Ink a, Ink b) {
        const auto isHost = [](Ink i) { return i == Ink::Api || i == Ink::Wait; };
        const auto isDevice = [](Ink i) {
            return i == Ink::Kernel || i == Ink::Communication || i == Ink::Memcpy || i == Ink::Memset;
        };
        return (isHost(a) && isHost(b)) || (isDevice(a) && isDevice(b));
    };
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::HighContrast}) {
        const ThemePalette palette = ThemePalette::of(theme);
        for (std::size_t i = 0; i < kKinds.size(); ++i)
            for (std::size_t k = i + 1; k < kKinds.size(); ++k) {
                const double d = smallestDistance(palette.ink(kKinds[i]), palette.ink(kKinds[k]));
                const QString pair =
                    QStringLiteral("%1 / %2: %3").arg(inkTitle(kKinds[i]), inkTitle(kKinds[k])).arg(d);
                QVERIFY2(d >= (shareLane(kKinds[i], kKinds[k]) ? 21.0 : 13.0), qPrintable(pair));
            }
    }
}

void TstTheme::roles_haveTheValuesOfTheReference() {
    const ThemePalette light = ThemePalette::of(Theme::Light), dark = ThemePalette::of(Theme::Dark);
    const struct {
        Ink role;
        QRgb light, dark;
    } rows[] = {
        {Ink::Operator, 0xff295dac, 0xff6ba4ec},      {Ink::Api, 0xff15a2ad, 0xffa5e3e6},
        {Ink::Wait, 0xffbf7352, 0xfffa8560},          {Ink::Kernel, 0xff186143, 0xff43d886},
        {Ink::Communication, 0xffee38e0, 0xffdc62c4}, {Ink::Memcpy, 0xff67440e, 0xfff0a51e},
        {Ink::Memset, 0xff89830e, 0xffeff07a},        {Ink::Range, 0xff353b44, 0xff7c8797},
        {Ink::Gap, 0xffb42318, 0xffff9b8a},           {Ink::Selection, 0xff0b57d0, 0xffffd866},
        {Ink::Annotation, 0xff6e3fa3, 0xffc8a6f5},    {Ink::Text, 0xff1b1f24, 0xffe6e9ed},
        {Ink::TextSecondary, 0xff57606a, 0xffa3acb8}, {Ink::Ground, 0xffffffff, 0xff16191d},
        {Ink::Window, 0xfff2f3f5, 0xff20242a},        {Ink::Border, 0xffc9ced5, 0xff3d444d},
        {Ink::InnerLine, 0xffe4e7eb, 0xff2b3138},     {Ink::SelectedRow, 0xffdce7f9, 0xff3a3729},
    };
    for (const auto& row : rows) {
        QCOMPARE(light.ink(row.role), row.light);
        QCOMPARE(dark.ink(row.role), row.dark);
    }
}

void TstTheme::printFills_areNotDarkerThanSeventyPercent() {
    const ThemePalette print = ThemePalette::of(Theme::Print);
    for (const Ink kind : kKinds)
        QVERIFY2(lab(linearOf(print.ink(kind)))[0] >= 30.0, qPrintable(inkTitle(kind)));
}

void TstTheme::highContrast_isSevenToOne() {
    const ThemePalette palette = ThemePalette::of(Theme::HighContrast);
    for (const Ink ground : {Ink::Ground, Ink::RowAlt, Ink::Window, Ink::Button})
        for (const Ink text : {Ink::Text, Ink::TextSecondary, Ink::Gap, Ink::Selection, Ink::Annotation})
            QVERIFY(contrastRatio(palette.ink(text), palette.ink(ground)) >= 7.0);
    for (const Ink kind : kKinds) {
        QVERIFY2(contrastRatio(palette.ink(kind), palette.ink(Ink::Ground)) >= 7.0,
                 qPrintable(inkTitle(kind)));
        QVERIFY2(contrastRatio(palette.labelOn(kind), palette.ink(kind)) >= 7.0, qPrintable(inkTitle(kind)));
    }
    QVERIFY(contrastRatio(palette.ink(Ink::Border), palette.ink(Ink::Window)) >= 7.0);
}

void TstTheme::systemTheme_followsThePalette() {
    QCOMPARE(ThemePalette::systemTheme(ThemePalette::of(Theme::Light).widgetPalette()), Theme::Light);
    QCOMPARE(ThemePalette::systemTheme(ThemePalette::of(Theme::Dark).widgetPalette()), Theme::Dark);
}

void TstTheme::mixed_isExactAtTheEnds() {
    QCOMPARE(mixed(0xff123456, 0xffabcdef, 1.0), 0xff123456);
    QCOMPARE(mixed(0xff123456, 0xffabcdef, 0.0), 0xffabcdef);
    QCOMPARE(mixed(0xff000000, 0xffffffff, 0.45), qRgb(140, 140, 140));
    QCOMPARE(contrastRatio(0xff000000, 0xffffffff), 21.0);
}

LACUNA_TEST(TstTheme, "tst_theme")

} // namespace tst_theme

#include "tst_theme.moc"
