#include "widgets/plot/plot_axes.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

using Anchor = PlotText::Anchor;

constexpr double kBetweenNumbers = 6; // px, least

void gridLine(ScenePen& pen, double y, bool isZero, const QString& number) {
    pen.line({{kPlotLeft, y}, {pen.scene.size.width() + 0.0, y}},
             isZero ? Ink::TextSecondary : Ink::InnerLine);
    pen.textAt(kPlotLeft - 6, y, number, Anchor::Right);
}

} // namespace

double nsPerUnit(TimeUnit unit) {
    return unit == TimeUnit::S ? 1e9 : unit == TimeUnit::Ms ? 1e6 : unit == TimeUnit::Us ? 1e3 : 1.0;
}

QString axisNumber(double value, double step) {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    return QString::number(value, 'f', decimals);
}

void timeAxis(ScenePen& pen, const LinearAxis& axis, const QString& unit, double y) {
    const double spacing = 62;
    const double step = axis.step(spacing);
    const QString last = axisNumber(axis.most(), step) + u' ' + unit;
    // No number that the last one, set flush with the edge, would touch.
    const double lastLeft = pen.scene.size.width() - pen.widthOf(last) - kBetweenNumbers;
    for (const double value : axis.ticks(spacing)) {
        const double x = axis.at(value);
        pen.line({{x, y}, {x, y + 4}}, Ink::TextSecondary);
        const QString number = axisNumber(value, step);
        if (x + pen.widthOf(number) / 2 <= lastLeft)
            pen.text({x, y + 16}, number, Ink::TextSecondary, Anchor::Middle);
    }
    pen.text({pen.scene.size.width() - 0.0, y + 16}, last, Ink::TextSecondary, Anchor::Right);
}

void valueAxis(ScenePen& pen, const LinearAxis& axis, double spacing) {
    const double step = axis.step(spacing);
    for (const double value : axis.ticks(spacing))
        gridLine(pen, axis.at(value), value == 0, axisNumber(value, step));
}

void countAxis(ScenePen& pen, const LinearAxis& axis, double spacing) {
    for (const double value : axis.ticks(spacing))
        if (value == std::floor(value))
            gridLine(pen, axis.at(value), value == 0, QString::number(value, 'f', 0));
}

} // namespace lacuna::ui
