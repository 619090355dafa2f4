#include "widgets/timeline/hatch.h"

#include <cmath>

namespace lacuna::ui {

namespace {

// Lines x + y = c (slash) or x - y = c (backslash), cut to the rectangle.
void addDiagonals(const QRectF& r, double spacing, double phase, bool slash, std::vector<QLineF>& out) {
    const double step = spacing * std::sqrt(2.0);
    const double low = slash ? r.left() + r.top() : r.left() - r.bottom();
    const double high = slash ? r.right() + r.bottom() : r.right() - r.top();
    for (double c = phase + std::ceil((low - phase) / step) * step; c < high; c += step) {
        // y along the line at the left and right side, then limited to the rectangle.
        const double sign = slash ? -1.0 : 1.0;
        const auto xAt = [&](double y) { return slash ? c - y : c + y; };
        const auto yAt = [&](double x) { return sign * (x - c); };
        const double x0 = std::max(r.left(), std::min(xAt(r.top()), xAt(r.bottom())));
        const double x1 = std::min(r.right(), std::max(xAt(r.top()), xAt(r.bottom())));
        if (x1 > x0)
            out.emplace_back(x0, yAt(x0), x1, yAt(x1));
    }
}

double firstAtOrAfter(double from, double spacing, double phase) {
    return phase + std::ceil((from - phase) / spacing) * spacing;
}

void addHorizontals(const QRectF& r, double spacing, double phase, std::vector<QLineF>& out) {
    for (double y = firstAtOrAfter(r.top() + 0.5, spacing, phase); y <= r.bottom() - 0.5; y += spacing)
        out.emplace_back(r.left(), y, r.right(), y);
}

void addVerticals(const QRectF& r, double spacing, double phase, bool dashed, std::vector<QLineF>& out) {
    constexpr double kDash = 3.0;
    for (double x = firstAtOrAfter(r.left() + 0.5, spacing, phase); x <= r.right() - 0.5; x += spacing) {
        if (!dashed) {
            out.emplace_back(x, r.top(), x, r.bottom());
            continue;
        }
        for (double y = r.top() + 1; y < r.bottom(); y += 2 * kDash)
            out.emplace_back(x, y, x, std::min(y + kDash, r.bottom()));
    }
}

void addDots(const QRectF& r, double spacing, QPointF phase, std::vector<QLineF>& out) {
    constexpr double kDot = 1.5;
    bool odd = false;
    for (double y = r.top() + spacing / 2; y <= r.bottom() - 1; y += spacing, odd = !odd) {
        const double shift = phase.x() + (odd ? spacing / 2 : 0.0);
        for (double x = firstAtOrAfter(r.left() + 1, spacing, shift); x <= r.right() - kDot - 0.5;
             x += spacing)
            out.emplace_back(x, y, x + kDot, y);
    }
}

void addDashedSide(QPointF from, QPointF to, std::vector<QLineF>& out) {
    constexpr double kDash = 2.0;
    const QLineF side(from, to);
    for (double at = 0; at < side.length(); at += 2 * kDash)
        out.emplace_back(side.pointAt(at / side.length()),
                         side.pointAt(std::min(1.0, (at + kDash) / side.length())));
}

} // namespace

ClassLook lookOf(GapClass cls) {
    switch (cls) {
    case GapClass::Sync:
        return {Hatch::Slash};
    case GapClass::Launch:
        return {Hatch::Dots};
    case GapClass::Host:
        return {Hatch::Horizontal};
    case GapClass::Copy:
        return {Hatch::Backslash};
    case GapClass::Data:
        return {Hatch::Grid};
    case GapClass::Allocation:
        return {Hatch::Cross};
    case GapClass::Dependency:
        return {Hatch::VerticalDashes};
    case GapClass::Startup:
        return {Hatch::None, true, true};
    case GapClass::Edge:
        return {Hatch::None, false, false};
    case GapClass::Unknown:
        break;
    }
    return {};
}

std::vector<QLineF> hatchLines(const QRectF& rect, Hatch hatch, double spacing, QPointF phase) {
    std::vector<QLineF> lines;
    if (rect.width() <= 1 || rect.height() <= 1)
        return lines;
    const double across = rect.top() + spacing / 2 + phase.y();
    switch (hatch) {
    case Hatch::None:
        break;
    case Hatch::Slash:
        addDiagonals(rect, spacing, phase.x(), true, lines);
        break;
    case Hatch::Backslash:
        addDiagonals(rect, spacing, phase.x(), false, lines);
        break;
    case Hatch::Cross:
        addDiagonals(rect, spacing, phase.x(), true, lines);
        addDiagonals(rect, spacing, phase.x(), false, lines);
        break;
    case Hatch::Dots:
        addDots(rect, spacing, phase, lines);
        break;
    case Hatch::Horizontal:
        addHorizontals(rect, spacing, across, lines);
        break;
    case Hatch::Grid:
        addHorizontals(rect, spacing, across, lines);
        addVerticals(rect, spacing, phase.x(), false, lines);
        break;
    case Hatch::VerticalDashes:
        addVerticals(rect, spacing, phase.x(), true, lines);
        break;
    }
    return lines;
}

std::vector<QLineF> dottedFrame(const QRectF& rect) {
    std::vector<QLineF> lines;
    const QRectF r = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    if (r.width() <= 0 || r.height() <= 0)
        return lines;
    addDashedSide(r.topLeft(), r.topRight(), lines);
    addDashedSide(r.topRight(), r.bottomRight(), lines);
    addDashedSide(r.bottomRight(), r.bottomLeft(), lines);
    addDashedSide(r.bottomLeft(), r.topLeft(), lines);
    return lines;
}

} // namespace lacuna::ui
