#include "widgets/timeline/measure_painter.h"

#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr double kAir = 3, kMeasureHead = 5, kMeasurePad = 5, kText = 12, kLabel = 18;

// A line of whole pixels with its clear surround, so that it reads on bars of any colour.
void line(QPainter& painter, const QRectF& rect, const PaintContext& context) {
    crispFill(painter, rect.adjusted(-1, -1, 1, 1), context.palette.ink(Ink::Ground));
    crispFill(painter, rect, context.palette.ink(Ink::Selection));
}

// Arrow head that points at (x, y) from the side `from` (-1: it comes from the left).
void head(QPainter& painter, double x, double y, double from, const PaintContext& context) {
    for (double step = 0; step < kMeasureHead; ++step)
        crispFill(painter, QRectF(from < 0 ? x - step - 1 : x + step, y - step / 2, 1, step + 1),
                  context.palette.ink(Ink::Selection));
}

} // namespace

void paintMeasurement(QPainter& painter, const PaintContext& context) {
    const auto& m = context.scene.measured;
    if (!m)
        return;
    const double scale = context.scale();
    const QRect firstRect = context.rectOf(m->first), secondRect = context.rectOf(m->second);
    if (firstRect.isNull() && secondRect.isNull())
        return;
    const QRectF view(0, 0, context.frame().viewport.widthPx / scale, context.frame().heightPx / scale);
    const QRectF a = logical(firstRect.isNull() ? secondRect : firstRect, scale);
    const QRectF b = logical(secondRect.isNull() ? firstRect : secondRect, scale);
    const auto xOf = [&](TimeNs time) { return context.frame().viewport.xOf(time) / scale; };
    const double x0 = xOf(m->range.begin), x1 = xOf(m->range.end);
    if (x1 < view.left() || x0 > view.right())
        return;
    // In one lane near its lower edge: in the middle stands what the lane itself says.
    const bool isOneLane = std::abs(a.center().y() - b.center().y()) < 1 && a.height() > 2 * kLabel;
    const double y =
        std::clamp(isOneLane ? a.bottom() - kLabel / 2 - 2 : (a.center().y() + b.center().y()) / 2, 12.0,
                   std::max(12.0, view.bottom() - 12));
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto post = [&](double x, const QRectF& of) { // from the event to the line
        if (x < view.left() || x > view.right())
            return;
        const double top = std::min(of.center().y(), y - 6), bottom = std::max(of.center().y(), y + 6);
        line(painter,
             QRectF(x, std::max(top, view.top()), 1,
                    std::min(bottom, view.bottom()) - std::max(top, view.top())),
             context);
    };
    post(x0, a);
    post(x1, b);
    const double left = std::max(x0, view.left()), right = std::min(x1, view.right());
    line(painter, QRectF(left, y, std::max(1.0, right - left), 1), context);
    if (right - left > 3 * kMeasureHead) {
        if (x0 >= view.left())
            head(painter, x0 + 1, y, 1, context);
        if (x1 <= view.right())
            head(painter, x1, y, -1, context);
    }
    const TextStyle strong = context.fonts.style(Face::SemiBold, kText);
    const QString text = ui::text(formatDuration(m->range.length())) +
                         (m->isGap() ? QString() : QString(u" "_s + QChar(0x21e5))); // start to start
    const double width = strong.width(text) + 2 * kMeasurePad;
    // On the line where it fits, else right of it, else left.
    double from = (left + right) / 2 - width / 2;
    if (width + 4 * kMeasureHead > right - left) {
        from = right + kAir;
        if (from + width > view.right())
            from = left - kAir - width;
    }
    const QRectF patch(from, y - kLabel / 2 + 0.5, width, kLabel);
    crispFill(painter, patch, context.palette.ink(Ink::Ground));
    strokeInside(painter, patch, 1, context.palette.ink(Ink::Selection));
    strong.drawCentred(painter, {patch.center().x(), strong.baselineCentredOn(patch.center().y())}, text,
                       context.palette.ink(Ink::Text));
}

} // namespace lacuna::ui
