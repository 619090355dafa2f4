#include "widgets/timeline/arrow_painter.h"

#include "core/base/text_format.h"
#include "core/view/arrows.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lacuna::ui {

namespace {

constexpr double kWidth = 2, kArrowHead = 9, kOutside = 4; // ends stand outside the selection outline
constexpr double kChipHeight = 18, kChipPad = 6;
constexpr QChar kSign(0x26a0); // of a skewed one

struct Ends {
    QPointF from, to;
    double direction = 1; // of the arrow's end: +1 down, -1 up
};

Ends endsOf(const Arrow& arrow, double scale) {
    Ends ends{{arrow.x0 / scale, arrow.y0 / scale}, {arrow.x1 / scale, arrow.y1 / scale}};
    ends.direction = ends.to.y() >= ends.from.y() ? 1 : -1;
    ends.from.ry() += ends.direction * kOutside;
    ends.to.ry() -= ends.direction * kOutside;
    return ends;
}

QPen arrowPen(ArrowStyle style, double width, const QColor& colour) {
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
    if (style == ArrowStyle::Dependency)
        pen.setDashPattern({5 / width, 4 / width}); // Qt measures dashes in pen widths
    return pen;
}

// The trunk of a fan carries its count; what leaves the view has a chip instead.
bool hasCount(const Arrow& arrow) {
    return arrow.count > 1 && !arrow.toOutside;
}

bool hasSign(const Arrow& arrow) {
    return arrow.skewed && !hasCount(arrow);
}

void paintArrow(QPainter& painter, const Arrow& arrow, const PaintContext& context, double width,
                const QColor& colour) {
    const Ends ends = endsOf(arrow, context.scale());
    const QPointF neck = ends.to - QPointF(0, ends.direction * kArrowHead);
    const double middle = (ends.from.y() + neck.y()) / 2;
    QPainterPath path(ends.from);
    path.cubicTo({ends.from.x(), middle}, {neck.x(), middle}, neck);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(arrowPen(arrow.style, width, colour));
    painter.drawPath(path);
    if (arrow.toOutside)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const double half = kArrowHead / 2;
    painter.drawPolygon(QPolygonF({ends.to, neck + QPointF(-half, 0), neck + QPointF(half, 0)}));
}

// A text in the selection colour on a clear patch: the count of a fan, the warning of a skewed arrow.
void paintTag(QPainter& painter, QPointF centre, const QString& text, const PaintContext& context) {
    const TextStyle style = context.fonts.style(Face::SemiBold, 11);
    const double width = style.width(text);
    painter.fillRect(QRectF(centre.x() - width / 2 - 4, centre.y() - 8, width + 8, 16),
                     context.palette.color(Ink::Ground));
    style.drawCentred(painter, {centre.x(), style.baselineCentredOn(centre.y())}, text,
                      context.palette.ink(Ink::Selection));
}

QString fanText(const Arrow& arrow, const TimelineScene& scene) {
    const EventKind kind = scene.trace->events().kind[arrow.to.v];
    const QString count = QString::fromStdString(formatCount(arrow.count));
    return kind == EventKind::Kernel ? count + QStringLiteral(" kernels")
                                     : count + QStringLiteral(" operations");
}

// Which way, where, and how far from the other end: "→ stream 13, +2.4 ms".
QString chipText(const TimelineScene& scene, const Arrow& arrow, bool ofEnd) {
    const Trace& trace = *scene.trace;
    const EventId there = ofEnd ? arrow.to : arrow.from, here = ofEnd ? arrow.from : arrow.to;
    const Lane& lane = trace.lane(trace.laneOf(there));
    const DurationNs away = trace.events().range(there).begin - trace.events().range(here).begin;
    QStringList parts;
    if (ofEnd && arrow.count > 1)
        parts << fanText(arrow, scene);
    if (lane.kind == LaneKind::GpuStream)
        parts << QStringLiteral("stream ") + QString::number(lane.sourceId);
    else if (lane.thread)
        parts << QString::fromStdString(trace.threadTitle(lane.thread));
    parts << (away.v >= 0 ? QStringLiteral("+") : QString()) + QString::fromStdString(formatDuration(away));
    return QChar(ofEnd ? 0x2192 : 0x2190) + QStringLiteral(" ") + parts.join(QStringLiteral(", "));
}

} // namespace

void paintArrows(QPainter& painter, const PaintContext& context) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Arrow& arrow : context.frame().arrows)
        paintArrow(painter, arrow, context, kWidth, context.palette.color(Ink::Selection));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const Arrow& arrow : context.frame().arrows) {
        const Ends ends = endsOf(arrow, context.scale());
        const QPointF middle = (ends.from + ends.to) / 2;
        if (hasCount(arrow))
            paintTag(painter, middle, fanText(arrow, context.scene), context);
        else if (hasSign(arrow))
            paintTag(painter, middle, QString(kSign), context);
    }
}

void paintThinArrows(QPainter& painter, const PaintContext& context, const std::vector<Arrow>& arrows) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Arrow& arrow : arrows)
        paintArrow(painter, arrow, context, 1, context.palette.color(Ink::Text));
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (arrows.size() != 1)
        return;
    const Ends ends = endsOf(arrows[0], context.scale());
    const auto& begin = context.scene.trace->events().beginNs;
    const DurationNs delay{begin[arrows[0].to.v] - begin[arrows[0].from.v]};
    const QString sign = arrows[0].skewed ? QString(kSign) + u' ' : QString();
    paintTag(painter, (ends.from + ends.to) / 2,
             arrows[0].count > 1 ? fanText(arrows[0], context.scene)
                                 : sign + QString::fromStdString(formatDuration(delay)),
             context);
}

QRectF thinArrowsRect(const std::vector<Arrow>& arrows, double scale) {
    constexpr double kTagRoom = 60; // the text may be wider than the arrow
    QRectF rect;
    for (const Arrow& arrow : arrows) {
        const QPointF from(arrow.x0 / scale, arrow.y0 / scale), to(arrow.x1 / scale, arrow.y1 / scale);
        rect |= QRectF(from, to).normalized().adjusted(-kTagRoom, -kArrowHead, kTagRoom, kArrowHead);
    }
    return rect;
}

std::vector<ArrowChip> arrowChips(const TimelineScene& scene, const FigureFonts& fonts) {
    std::vector<ArrowChip> chips;
    const double scale = scene.frame->scale;
    const QRectF view(0, 0, scene.frame->viewport.widthPx / scale, scene.frame->heightPx / scale);
    const TextStyle style = fonts.style(Face::Medium, 11);
    const auto add = [&](const Arrow& arrow, bool ofEnd) {
        const QString text = chipText(scene, arrow, ofEnd);
        QRectF rect(0, 0, style.width(text) + 2 * kChipPad, kChipHeight);
        rect.moveCenter(QPointF(ofEnd ? arrow.x1 : arrow.x0, ofEnd ? arrow.y1 : arrow.y0) / scale);
        rect.moveLeft(
            std::round(std::clamp(rect.left(), 4.0, std::max(4.0, view.right() - rect.width() - 4))));
        rect.moveTop(
            std::round(std::clamp(rect.top(), 4.0, std::max(4.0, view.bottom() - rect.height() - 4))));
        chips.push_back({ofEnd ? arrow.to : arrow.from, rect, text});
    };
    // Where many arrows come from is for the tables: their chips would cover one another.
    const bool areFew = scene.frame->arrows.size() <= kFanLimit;
    for (const Arrow& arrow : scene.frame->arrows) {
        if (arrow.toOutside)
            add(arrow, true);
        if (arrow.fromOutside && areFew)
            add(arrow, false);
    }
    return chips;
}

void paintArrowSample(QPainter& painter, const QRectF& rect, ArrowStyle style, const ThemePalette& palette) {
    painter.setPen(arrowPen(style, kWidth, palette.color(Ink::Selection)));
    painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
}

namespace {

constexpr double kLegendHeight = 22, kLegendPad = 8, kLegendAir = 6, kSampleWidth = 24, kSampleGap = 6;

TextStyle legendStyle(const FigureFonts& fonts) {
    return fonts.style(Face::Regular, 11);
}

} // namespace

ArrowLegend arrowLegend(const TimelineScene& scene, const FigureFonts& fonts) {
    bool owns = false, depends = false, hasSigns = false;
    for (const Arrow& arrow : scene.frame->arrows) {
        (arrow.style == ArrowStyle::Ownership ? owns : depends) = true;
        hasSigns = hasSigns || hasSign(arrow);
    }
    ArrowLegend legend;
    const TextStyle style = legendStyle(fonts);
    double width = kLegendPad;
    const auto add = [&](std::optional<ArrowStyle> sample, const char* source) {
        const QString text = QCoreApplication::translate("lacuna::ui::ArrowLegend", source);
        legend.entries.push_back({sample, text, style.width(text)});
        width += kSampleWidth + kSampleGap + legend.entries.back().widthPx + kLegendPad;
    };
    if (owns)
        add(ArrowStyle::Ownership,
            QT_TRANSLATE_NOOP("lacuna::ui::ArrowLegend", "belongs to: launch \u2192 kernel"));
    if (depends)
        add(ArrowStyle::Dependency, QT_TRANSLATE_NOOP("lacuna::ui::ArrowLegend", "is waited for"));
    if (hasSigns)
        add(std::nullopt, QT_TRANSLATE_NOOP("lacuna::ui::ArrowLegend", "begins before its launch ended"));
    const double scale = scene.frame->scale;
    const QPointF corner(scene.frame->viewport.widthPx / scale - kLegendAir,
                         scene.frame->heightPx / scale - kLegendAir);
    if (legend.entries.empty() || width > corner.x() || kLegendHeight > corner.y())
        return {};
    width = std::ceil(width);
    legend.rect =
        QRectF(std::floor(corner.x() - width), std::floor(corner.y() - kLegendHeight), width, kLegendHeight);
    std::vector<ArrowChip> chips = arrowChips(scene, fonts); // which it may not cover, the lowest first
    std::sort(chips.begin(), chips.end(),
              [](const ArrowChip& a, const ArrowChip& b) { return a.rect.top() > b.rect.top(); });
    for (const ArrowChip& chip : chips)
        if (chip.rect.intersects(legend.rect))
            legend.rect.moveBottom(chip.rect.top() - kLegendAir);
    return legend.rect.top() < 0 ? ArrowLegend() : legend;
}

void paintArrowLegend(QPainter& painter, const PaintContext& context) {
    const ArrowLegend legend = arrowLegend(context.scene, context.fonts);
    if (legend.entries.empty())
        return;
    painter.fillRect(legend.rect, context.palette.color(Ink::Ground));
    strokeInside(painter, legend.rect, 1, context.palette.ink(Ink::Border));
    const TextStyle style = legendStyle(context.fonts);
    const double base = style.baselineCentredOn(legend.rect.center().y());
    QRectF sample(legend.rect.left() + kLegendPad, legend.rect.top(), kSampleWidth, kLegendHeight);
    for (const ArrowLegend::Entry& entry : legend.entries) {
        if (entry.style)
            paintArrowSample(painter, sample, *entry.style, context.palette);
        else
            style.drawCentred(painter, {sample.center().x(), base}, QString(kSign),
                              context.palette.ink(Ink::Selection));
        style.draw(painter, {sample.right() + kSampleGap, base}, entry.text, context.palette.ink(Ink::Text));
        sample.translate(kSampleWidth + kSampleGap + entry.widthPx + kLegendPad, 0);
    }
}

void paintArrowChips(QPainter& painter, const PaintContext& context) {
    const TextStyle style = context.fonts.style(Face::Medium, 11);
    for (const ArrowChip& chip : arrowChips(context.scene, context.fonts)) {
        painter.fillRect(chip.rect, context.palette.color(Ink::Ground));
        strokeInside(painter, chip.rect, 1, context.palette.ink(Ink::Selection));
        style.draw(painter, {chip.rect.left() + kChipPad, style.baselineCentredOn(chip.rect.center().y())},
                   chip.text, context.palette.ink(Ink::Text));
    }
}

} // namespace lacuna::ui
