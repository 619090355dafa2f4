#include "widgets/timeline/gap_painter.h"

#include "core/base/text_format.h"
#include "widgets/timeline/hatch.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kHatchSpacing = 6, kSwatchSpacing = 5, kHatchShare = 0.6;
constexpr double kPlainPx = 3; // up to here a gap is plain colour
constexpr double kPatchPad = 10, kPartGap = 8;
constexpr double kMinLabelled = 17, kMinWithDuration = 60; // narrower marks are not measured at all

// Straight lines stay on whole pixels; diagonals are antialiased.
void drawHatch(QPainter& painter, const QRectF& inner, Hatch hatch, double spacing, QPointF phase,
               QRgb colour) {
    const bool diagonal = hatch == Hatch::Slash || hatch == Hatch::Backslash || hatch == Hatch::Cross;
    const std::vector<QLineF> lines = hatchLines(inner, hatch, spacing, phase);
    if (!diagonal && hatch != Hatch::Dots) {
        for (const QLineF& line : lines) {
            const bool flat = line.dy() == 0;
            crispFill(painter, QRectF(line.x1(), line.y1(), flat ? line.dx() : 1.0, flat ? 1.0 : line.dy()),
                      colour);
        }
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPen pen(QColor::fromRgb(colour), hatch == Hatch::Dots ? 1.5 : 1.0);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

struct GapInks {
    QRgb frame, hatch, ground;
};

GapInks inksOf(const PaintContext& context, bool kept) {
    const QRgb ground = context.palette.ink(Ink::Ground);
    QRgb frame = context.palette.ink(Ink::Gap);
    if (!kept)
        frame = mixed(frame, ground, kDimShare);
    return {frame, mixed(frame, ground, kHatchShare), ground};
}

bool keptMark(const GapMark& mark, const PaintContext& context) {
    return !context.scene.emphasis.dims || mark.gap == context.scene.emphasis.gap;
}

int pinOf(const GapMark& mark, const PaintContext& context) {
    for (const GapPin& pin : context.scene.pins)
        if (pin.gap == mark.gap)
            return pin.number;
    return 0;
}

// Visible part of a mark in logical pixels.
QRectF visibleRect(const GapMark& mark, const PaintContext& context) {
    const int x0 = std::max(0, mark.x0), x1 = std::min(context.frame().viewport.widthPx, mark.x1);
    return logical(QRect(x0, mark.y, std::max(0, x1 - x0), mark.height), context.scale());
}

void paintFrame(QPainter& painter, const QRectF& rect, GapClass cls, QRgb colour) {
    const ClassLook look = lookOf(cls);
    if (look.dottedFrame) {
        painter.setPen(QPen(QColor::fromRgb(colour), 1, Qt::SolidLine, Qt::FlatCap));
        painter.setRenderHint(QPainter::Antialiasing, true);
        const std::vector<QLineF> lines = dottedFrame(rect);
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
        painter.setRenderHint(QPainter::Antialiasing, false);
    } else if (look.framed) {
        strokeInside(painter, rect, 1, colour);
    }
}

void paintMark(QPainter& painter, const GapMark& mark, const PaintContext& context) {
    const QRectF rect = visibleRect(mark, context);
    if (rect.isEmpty())
        return;
    const GapInks inks = inksOf(context, keptMark(mark, context));
    if (mark.cls == GapClass::Edge) {
        painter.fillRect(rect, QColor::fromRgb(inks.ground));
        return;
    }
    if (!showsHatch(mark, context.scale())) {
        painter.fillRect(rect, QColor::fromRgb(inks.frame));
        return;
    }
    painter.fillRect(rect, QColor::fromRgb(inks.ground));
    // The pattern hangs on the gap's own begin, so that it moves with the trace.
    const double begin = context.frame().viewport.xOf(context.scene.gaps->gap(mark.gap).range.begin);
    const double phase = std::fmod(begin / context.scale(), kHatchSpacing * std::sqrt(2.0));
    drawHatch(painter, rect.adjusted(1, 1, -1, -1), lookOf(mark.cls).hatch, kHatchSpacing, {phase, 0},
              inks.hatch);
    paintFrame(painter, rect, mark.cls, inks.frame);
}

// The parts of a label, left to right, as many as fit.
struct LabelParts {
    bool pin = false, letter = false, duration = false;
    double width = 0;
};

struct LabelPlan {
    LabelParts parts;
    double textPx = 0, box = 0, pad = 0;
};

// The largest size at which the duration fits, else the letter alone; nothing when not even that does.
LabelPlan planLabel(const QRectF& rect, const QString& duration, double pinWidth, const FigureFonts& fonts) {
    constexpr double kSmallest = 10.5;
    const double largest = std::clamp(std::round(rect.height() * 0.62) / 2, 9.0, 19.0);
    LabelPlan plan;
    for (const double px : {largest, 16.0, 13.5, kSmallest}) {
        if (px > largest)
            continue;
        plan.textPx = px;
        plan.box = std::round(px * 1.05);
        plan.pad = std::min(kPatchPad, px * 0.6);
        if (rect.width() < kMinWithDuration)
            continue;
        const double room = rect.width() - 2 * plan.pad - 4;
        const double full = plan.box + kPartGap + fonts.style(Face::SemiBold, px).width(duration);
        if (pinWidth + full <= room) {
            plan.parts = {pinWidth > 0, true, true, pinWidth + full};
            return plan;
        }
        if (px == std::min(largest, kSmallest) && full <= room) {
            plan.parts = {false, true, true, full};
            return plan;
        }
    }
    if (pinWidth > 0 && pinWidth + plan.box + 8 <= rect.width())
        plan.parts = {true, true, false, pinWidth + plan.box};
    else if (plan.box + 6 <= rect.width())
        plan.parts = {false, true, false, plan.box};
    return plan;
}

void paintMarkLabel(QPainter& painter, const GapMark& mark, const PaintContext& context) {
    const QRectF rect = visibleRect(mark, context);
    if (rect.height() < 13 || rect.width() < kMinLabelled)
        return;
    const Gap& gap = context.scene.gaps->gap(mark.gap);
    const QString duration = QString::fromStdString(formatDuration(gap.length()));
    const double radius = std::min(9.0, rect.height() / 2 - 2);
    const int pin = radius >= 6 ? pinOf(mark, context) : 0;
    const LabelPlan plan = planLabel(rect, duration, pin > 0 ? 2 * radius + kPartGap : 0, context.fonts);
    const LabelParts& parts = plan.parts;
    if (!parts.letter)
        return;
    const TextStyle style = context.fonts.style(Face::SemiBold, plan.textPx);
    const double box = plan.box, pad = plan.pad;

    const bool kept = keptMark(mark, context);
    const GapInks inks = inksOf(context, kept);
    double x = std::round(rect.center().x() - parts.width / 2);
    const double y = rect.center().y(), patch = std::min(rect.height() - 4, box + 8);
    painter.fillRect(QRectF(x - (parts.duration ? pad : 2), std::round(y - patch / 2),
                            parts.width + 2 * (parts.duration ? pad : 2), patch),
                     QColor::fromRgb(inks.ground));
    if (parts.pin) {
        paintPin(painter, {x + radius, y}, radius, pin, context.palette, context.fonts);
        x += 2 * radius + kPartGap;
    }
    paintLetterBox(painter, QRectF(x, std::round(y - box / 2), box, box), mark.cls, context.palette,
                   context.fonts);
    x += box + kPartGap;
    if (parts.duration)
        style.draw(painter, {x, style.baselineCentredOn(y)}, duration,
                   kept ? inks.frame : mixed(context.palette.ink(Ink::Gap), inks.ground, 0.75));
}

} // namespace

bool showsHatch(const GapMark& mark, double scale) {
    return !mark.overBar && (mark.x1 - mark.x0) / scale > kPlainPx;
}

void paintGapMarks(QPainter& painter, const PaintContext& context) {
    if (context.scene.gaps == nullptr)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const GapMark& mark : context.frame().gaps)
        paintMark(painter, mark, context);
}

void paintGapLabels(QPainter& painter, const PaintContext& context) {
    if (context.scene.gaps == nullptr)
        return;
    for (const GapMark& mark : context.frame().gaps)
        if (mark.labelled && !mark.overBar && mark.cls != GapClass::Edge)
            paintMarkLabel(painter, mark, context);
}

void paintGapSwatch(QPainter& painter, const QRectF& rect, GapClass cls, const ThemePalette& palette) {
    const QRgb ground = palette.ink(Ink::Ground), frame = palette.ink(Ink::Gap);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(rect, QColor::fromRgb(ground));
    drawHatch(painter, rect.adjusted(1, 1, -1, -1), lookOf(cls).hatch,
              rect.height() < 24 ? kSwatchSpacing : kHatchSpacing, {rect.left(), 0},
              mixed(frame, ground, kHatchShare));
    paintFrame(painter, rect, cls, frame);
}

void paintKindSwatch(QPainter& painter, const QRectF& rect, Ink role, const ThemePalette& palette) {
    const QRgb fill = palette.ink(role);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(rect, QColor::fromRgb(fill));
    if (role == Ink::Wait)
        drawHatch(painter, rect, Hatch::Slash, 4, {rect.left() + rect.top(), 0},
                  mixed(palette.labelOn(role), fill, 0.5));
}

void paintPin(QPainter& painter, QPointF centre, double radius, int number, const ThemePalette& palette,
              const FigureFonts& fonts, Ink role) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(role));
    painter.drawEllipse(centre, radius, radius);
    const TextStyle style = fonts.style(Face::SemiBold, std::round(radius * 2.6) / 2);
    style.drawCentred(painter, {centre.x(), style.baselineCentredOn(centre.y())}, QString::number(number),
                      palette.labelOn(role));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintLetterBox(QPainter& painter, const QRectF& rect, GapClass cls, const ThemePalette& palette,
                    const FigureFonts& fonts) {
    const QRgb ink = cls == GapClass::Edge ? palette.ink(Ink::TextSecondary) : palette.ink(Ink::Gap);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(rect, palette.color(Ink::Ground));
    strokeInside(painter, rect, 1, ink);
    const TextStyle style = fonts.style(Face::SemiBold, std::round(rect.height() * 1.36) / 2);
    style.drawCentred(painter, {rect.center().x(), style.baselineCentredOn(rect.center().y())},
                      QString(QLatin1Char(classLetter(cls))), ink);
}

} // namespace lacuna::ui
