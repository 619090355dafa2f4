#include "widgets/timeline/hatch.h"

#include <cmath>
#include <cstdint>

namespace lacuna::ui {

namespace {

// phase + k * spacing for all whole k inside [from, to]; from products, so that no error adds up.
std::vector<double> steps(double from, double to, double spacing, double phase) {
    std::vector<double> at;
    const auto first = static_cast<std::int64_t>(std::ceil((from - phase) / spacing));
    const auto last = static_cast<std::int64_t>(std::floor((to - phase) / spacing));
    for (std::int64_t k = first; k <= last; ++k)
        at.push_back(phase + static_cast<double>(k) * spacing);
    return at;
}

// Lines x + y = c (slash) or x - y = c (backslash), cut to the rectangle.
void addDiagonals(const QRectF& r, double spacing, double phase, bool slash, std::vector<QLineF>& out) {
    const double low = slash ? r.left() + r.top() : r.left() - r.bottom();
    const double high = slash ? r.right() + r.bottom() : r.right() - r.top();
    for (const double c : steps(low, high, spacing * std::sqrt(2.0), phase)) {
        const auto xAt = [&](double y) { return slash ? c - y : c + y; };
        const auto yAt = [&](double x) { return slash ? c - x : x - c; };
        const double x0 = std::max(r.left(), std::min(xAt(r.top()), xAt(r.bottom())));
        const double x1 = std::min(r.right(), std::max(xAt(r.top()), xAt(r.bottom())));
        if (x1 > x0)
            out.emplace_back(x0, yAt(x0), x1, yAt(x1));
    }
}

void addHorizontals(const QRectF& r, double spacing, double phase, std::vector<QLineF>& out) {
    for (const double y : steps(r.top() + 0.5, r.bottom() - 0.5, spacing, phase))
        out.emplace_back(r.left(), y, r.right(), y);
}

void addVerticals(const QRectF& r, double spacing, double phase, bool dashed, std::vector<QLineF>& out) {
    constexpr double kDash = 3.0;
    for (const double x : steps(r.left() + 0.5, r.right() - 0.5, spacing, phase)) {
        if (!dashed) {
            out.emplace_back(x, r.top(), x, r.bottom());
            continue;
        }
        for (const double y : steps(r.top() + 1, r.bottom() - 0.5, 2 * kDash, r.top() + 1))
            out.emplace_back(x, y, x, std::min(y + kDash, r.bottom()));
    }
}

// Every second row is shifted by half.
void addDots(const QRectF& r, double spacing, QPointF phase, std::vector<QLineF>& out) {
    constexpr double kHatchDot = 1.5;
    const double top = r.top() + spacing / 2;
    bool odd = false;
    for (const double y : steps(top, r.bottom() - 1, spacing, top)) {
        const double shift = phase.x() + (odd ? spacing / 2 : 0.0);
        for (const double x : steps(r.left() + 1, r.right() - kHatchDot - 0.5, spacing, shift))
            out.emplace_back(x, y, x + kHatchDot, y);
        odd = !odd;
    }
}

void addDashedSide(QPointF from, QPointF to, std::vector<QLineF>& out) {
    constexpr double kDash = 2.0;
    const QLineF side(from, to);
    for (const double at : steps(0, side.length() - 0.1, 2 * kDash, 0))
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
