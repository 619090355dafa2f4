#include "widgets/plot/small_roofline.h"

#include "core/base/si_text.h"
#include "widgets/plot/log_axis.h"
#include "widgets/plot/scene_pen.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

using Anchor = PlotText::Anchor;

QString rateTick(double value) {
    return text(siText(value, {})).trimmed();
}

} // namespace

PlotScene smallRooflineScene(const SmallRoofline& input, const ThemePalette& palette, QSize size,
                             const FigureFonts& fonts) {
    ScenePen pen(palette, fonts, size);
    const RooflinePoint& here = input.here;
    const double ridge = here.peakFlopPerSecond / here.peakBytesPerSecond;
    double leastX = std::min(here.flopPerByte, ridge / 4), mostX = std::max(here.flopPerByte, ridge * 4);
    double leastY = here.flopPerSecond;
    for (const RooflinePoint& point : input.others) {
        leastX = std::min(leastX, point.flopPerByte);
        mostX = std::max(mostX, point.flopPerByte);
        leastY = std::min(leastY, point.flopPerSecond);
    }
    constexpr double kLeft = 44, kTop = 18, kBottom = 24;
    const double bottom = size.height() - kBottom, right = size.width() - 2.0;
    const LogAxis x(leastX / 1.3, mostX * 1.3, kLeft, right);
    const LogAxis y(leastY / 1.3, here.peakFlopPerSecond * 1.3, bottom, kTop);
    for (const LogTick& tick : x.ticks(44)) {
        pen.line({{x.at(tick.value), kTop}, {x.at(tick.value), bottom}}, Ink::InnerLine);
        if (tick.isLabelled && x.at(tick.value) < right - 70)
            pen.text({x.at(tick.value), bottom + 15}, decadeText(tick.value), Ink::TextSecondary,
                     Anchor::Middle);
    }
    for (const LogTick& tick : y.ticks(24)) {
        pen.line({{kLeft, y.at(tick.value)}, {right, y.at(tick.value)}}, Ink::InnerLine);
        if (tick.isLabelled)
            pen.textAt(kLeft - 6, y.at(tick.value), rateTick(tick.value), Anchor::Right);
    }
    pen.text({kLeft + 4, kTop - 6}, u"FLOP/s"_s);
    pen.text({right, bottom + 15}, u"FLOP per byte"_s, Ink::TextSecondary, Anchor::Right);
    // The slope enters the plot at the left or at the bottom.
    const double enters = std::max(x.least(), y.least() / here.peakBytesPerSecond);
    const QPointF from(x.at(enters), y.at(enters * here.peakBytesPerSecond)),
        top(x.at(ridge), y.at(here.peakFlopPerSecond));
    pen.line({from, top, {right, top.y()}}, Ink::Text, 1.5);
    pen.text({right, top.y() - 6}, text(siText(here.peakFlopPerSecond, "FLOP/s")), Ink::TextSecondary,
             Anchor::Right);
    const QPointF along = top - from;
    const double length = std::hypot(along.x(), along.y());
    const QString bandwidth = text(siText(here.peakBytesPerSecond, "B/s"));
    if (length > pen.widthOf(bandwidth) + 20) {
        constexpr double kDegrees = 57.29577951308232;
        const double angle = std::atan2(along.y(), along.x());
        const QPointF up(std::sin(angle) * 5, -std::cos(angle) * 5);
        pen.scene.items.emplace_back(PlotText{from + along * 0.45 + up, bandwidth, Face::Regular, 11.5,
                                              palette.ink(Ink::TextSecondary), Anchor::Middle,
                                              angle * kDegrees});
    }
    for (const RooflinePoint& point : input.others)
        pen.scene.items.emplace_back(PlotDot{{x.at(point.flopPerByte), y.at(point.flopPerSecond)},
                                             3,
                                             mixed(palette.ink(Ink::Kernel), palette.ink(Ink::Ground), 0.5),
                                             true,
                                             text(siText(point.flopPerSecond, "FLOP/s"))});
    const QPointF dot(x.at(here.flopPerByte), y.at(here.flopPerSecond));
    pen.dot(dot, 5, Ink::Selection, text(siText(here.flopPerSecond, "FLOP/s")));
    const QString figure = u"%1 at %2 FLOP/B"_s.arg(text(siText(here.flopPerSecond, "FLOP/s")),
                                                    text(threeDigits(here.flopPerByte)));
    const bool isLeft = dot.x() > (kLeft + right) / 2;
    const double below = dot.y() + 18 < bottom ? dot.y() + 18 : dot.y() - 10;
    pen.text({dot.x() + (isLeft ? -8 : 8), below}, figure, Ink::Text, isLeft ? Anchor::Right : Anchor::Left);
    pen.scene.title = u"Roofline"_s;
    pen.scene.description = figure;
    return std::move(pen.scene);
}

} // namespace lacuna::ui
