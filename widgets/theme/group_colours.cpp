#include "widgets/theme/group_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lacuna::ui {

namespace {

double encoded(double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

struct LinearRgb {
    double red, green, blue;
    bool isInGamut() const {
        constexpr double kSlack = 1e-4;
        const auto inside = [](double c) { return c >= -kSlack && c <= 1 + kSlack; };
        return inside(red) && inside(green) && inside(blue);
    }
};

LinearRgb linearOf(double lightness, double chroma, double hueDegrees) {
    const double hue = hueDegrees * std::numbers::pi / 180.0;
    const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
    const auto cube = [](double v) { return v * v * v; };
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

// The chroma is lowered until the colour exists; its lightness, which contrast rests on, stays.
QRgb colourAt(double lightness, double hue) {
    constexpr double kChroma = 0.14, kStep = 0.01;
    double chroma = kChroma;
    while (chroma > 0 && !linearOf(lightness, chroma, hue).isInGamut())
        chroma -= kStep;
    const LinearRgb rgb = linearOf(lightness, std::max(0.0, chroma), hue);
    const auto channel = [](double c) { return static_cast<int>(std::lround(255 * encoded(c))); };
    return qRgb(channel(rgb.red), channel(rgb.green), channel(rgb.blue));
}

double lightnessOf(int shade, Theme theme) {
    switch (theme) {
    case Theme::Light:
    case Theme::Print:
        return shade == 0 ? 0.50 : 0.64;
    case Theme::Dark:
        return shade == 0 ? 0.68 : 0.82;
    case Theme::HighContrast:
        return shade == 0 ? 0.72 : 0.86;
    }
    return 0.5;
}

} // namespace

QRgb groupColour(int hue, int shade, Theme theme) {
    return colourAt(lightnessOf(shade, theme), 360.0 / kGroupHues * hue);
}

QRgb groupColour(const EventGroup& group, Theme theme) {
    static constexpr std::array<double, kDurationSteps> kStepHues{255, 210, 160, 110, 65, 25};
    if (group.step >= 0)
        return colourAt(lightnessOf(group.step % kGroupShades, theme),
                        kStepHues[static_cast<std::size_t>(std::min(group.step, kDurationSteps - 1))]);
    const auto hue = static_cast<int>(group.code % kGroupHues);
    const auto shade = static_cast<int>(group.code / kGroupHues % kGroupShades);
    return groupColour(hue, shade, theme);
}

QRgb textOn(QRgb fill) {
    const ThemePalette light = ThemePalette::of(Theme::Light), dark = ThemePalette::of(Theme::Dark);
    const QRgb white = light.labelOn(Ink::Text), black = dark.labelOn(Ink::Text);
    return contrastRatio(white, fill) >= contrastRatio(black, fill) ? white : black;
}

} // namespace lacuna::ui
