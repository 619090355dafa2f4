#include "widgets/timeline/head_painter.h"

#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kTitleX = 26, kRightPad = 11, kBetween = 8, kMarkX = 15, kCurrentBar = 3;

struct HeadStyle {
    TextStyle title, secondary;
    double titleX = kTitleX, rightX = 0;
    bool figure = false;
};

// Title, then the subtitle in what is left; the detail at the right goes first when space is short.
void paintTexts(QPainter& painter, const TimelineRow& row, double middle, const HeadStyle& style,
                const ThemePalette& palette) {
    const QString detail = QString::fromStdString(row.detail);
    const QString title = QString::fromStdString(row.title), subtitle = QString::fromStdString(row.subtitle);
    const double room = style.rightX - style.titleX;
    const double detailWidth = detail.isEmpty() ? 0 : style.secondary.width(detail);
    const bool showDetail = detailWidth > 0 && style.title.width(title) + kBetween + detailWidth <= room;
    const double left = room - (showDetail ? detailWidth + kBetween : 0);
    const QString shown = style.title.elided(title, left);
    style.title.draw(painter, {style.titleX, style.title.baselineCentredOn(middle)}, shown,
                     palette.ink(Ink::Text));
    if (showDetail)
        style.secondary.drawRight(painter, {style.rightX, style.secondary.baselineCentredOn(middle)}, detail,
                                  palette.ink(Ink::TextSecondary));
    const double used = style.title.width(shown) + kBetween;
    if (!subtitle.isEmpty() && shown == title && left - used > 30)
        style.secondary.draw(painter, {style.titleX + used, style.secondary.baselineCentredOn(middle)},
                             style.secondary.elided(subtitle, left - used), palette.ink(Ink::TextSecondary));
}

void paintTriangle(QPainter& painter, const QRectF& box, bool folded, QRgb colour) {
    const QPointF c = box.center();
    const QPolygonF down({c + QPointF(-4, -2), c + QPointF(4, -2), c + QPointF(0, 2.5)});
    const QPolygonF right({c + QPointF(-2, -4), c + QPointF(2.5, 0), c + QPointF(-2, 4)});
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(colour));
    painter.drawPolygon(folded ? right : down);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// In the place of the triangle: a click on it lets the row go back where it belongs.
void paintStar(QPainter& painter, QPointF centre, QRgb colour) {
    constexpr int kPoints = 10;
    constexpr double kOuter = 5.5, kInner = 2.3, kTurn = 3.14159265358979 / 5;
    QPolygonF star;
    for (int i = 0; i < kPoints; ++i) {
        const double radius = i % 2 == 0 ? kOuter : kInner;
        star << centre + QPointF(radius * std::sin(i * kTurn), -radius * std::cos(i * kTurn));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(colour));
    painter.drawPolygon(star);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Beside a row for what overlaps the row above it: two sheets, one over the other.
void paintOverlapMark(QPainter& painter, QPointF centre, QRgb colour, QRgb ground) {
    constexpr double kSide = 5, kShift = 2;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(QColor::fromRgb(colour), 1));
    painter.setBrush(QColor::fromRgb(ground));
    for (const double shift : {-kShift, kShift}) {
        const double left = std::round(centre.x() + shift - kSide / 2),
                     top = std::round(centre.y() - shift / 2 - kSide / 2);
        painter.drawRect(QRectF(left + 0.5, top + 0.5, kSide, kSide));
    }
}

// Work of one stream at the same time: in the second strip and those below it.
bool showsOverlaps(const Trace& trace, const TimelineRow& row) {
    return row.kind == RowKind::Lane && row.stripCount > 1 &&
           trace.lane(row.lane).kind == LaneKind::GpuStream;
}

// Middle of the first text line: a row of one small strip is centred, a taller one starts at its first strip.
double firstLineMiddle(const TimelineRow& row, double y) {
    if (row.kind != RowKind::Lane || row.height <= 30)
        return y + (row.height - 1) / 2.0;
    const double strip = row.stripHeight > 0 ? row.stripHeight : 20;
    const bool twoLines = !row.secondLine.empty();
    return strip > 36 ? y + row.stripTop + strip / 2 - (twoLines ? 9 : 0) : y + row.stripTop + strip / 2;
}

// Top of the line under a row, on the device pixel that the lanes use for it.
double ruleOf(const TimelineRow& row, const PaintContext& context) {
    const auto bottom = std::lround((row.y + row.height) * context.scale()) - context.frame().scrollPx;
    return static_cast<double>(bottom - context.linePx()) / context.scale();
}

void paintSecondLine(QPainter& painter, const TimelineRow& row, double middle, const HeadStyle& style,
                     const ThemePalette& palette) {
    const QString second = QString::fromStdString(row.secondLine);
    if (!second.isEmpty() && row.height >= 40)
        style.secondary.draw(painter, {style.titleX, style.secondary.baselineCentredOn(middle + 18)},
                             style.secondary.elided(second, style.rightX - style.titleX),
                             palette.ink(Ink::TextSecondary));
}

} // namespace

void paintHeadColumn(QPainter& painter, const PaintContext& context, double width) {
    const ThemePalette& palette = context.palette;
    const double height = context.frame().heightPx / context.scale();
    const double scroll = context.frame().scrollPx / context.scale();
    const QRgb window = palette.ink(Ink::Window), text = palette.ink(Ink::Text);
    crispFill(painter, QRectF(0, 0, width, height), window);
    const HeadStyle lane{context.fonts.style(Face::Regular, 12.5), context.fonts.style(Face::Regular, 11.5),
                         kTitleX, width - kRightPad};
    const HeadStyle group{context.fonts.style(Face::SemiBold, 12.5), lane.secondary, kTitleX, lane.rightX};
    const auto rows = context.scene.layout->rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TimelineRow& row = rows[i];
        const double y = row.y - scroll;
        if (y + row.height <= 0 || y >= height)
            continue;
        const bool isGroup = row.kind == RowKind::GroupHead;
        if (isGroup)
            crispFill(painter, QRectF(0, y, width, row.height - 1), mixed(text, window, 0.045));
        const bool strong = i + 1 == rows.size() || rows[i + 1].kind != RowKind::Lane;
        crispFill(painter, QRectF(0, ruleOf(row, context), width, 1),
                  palette.ink(strong ? Ink::Border : Ink::InnerLine));
        const double middle = firstLineMiddle(row, y);
        if (row.kind == RowKind::Note) {
            lane.secondary.drawRight(painter, {lane.rightX, lane.secondary.baselineCentredOn(middle)},
                                     lane.secondary.elided(QString::fromStdString(row.title), width - 20),
                                     palette.ink(Ink::TextSecondary));
            continue;
        }
        paintTexts(painter, row, middle, isGroup ? group : lane, palette);
        paintSecondLine(painter, row, middle, lane, palette);
        if (showsOverlaps(*context.scene.trace, row))
            paintOverlapMark(painter, {lane.rightX - 6, y + row.stripY(1) + row.heightOf(1) / 2.0},
                             palette.ink(Ink::TextSecondary), window);
        if (row.pinned)
            paintStar(painter, {kMarkX, middle}, palette.ink(Ink::TextSecondary));
        else if (row.foldable)
            paintTriangle(painter, TimelineRenderer::foldTriangle(row, scroll), row.folded,
                          palette.ink(Ink::TextSecondary));
        if (row.key == context.scene.currentRow)
            crispFill(painter, QRectF(0, y, kCurrentBar, row.height - 1), palette.ink(Ink::Selection));
    }
    crispFill(painter, QRectF(width - 1, 0, 1, height), palette.ink(Ink::Border));
}

void paintFigureHeads(QPainter& painter, const PaintContext& context, double width, double ruleWidth) {
    const ThemePalette& palette = context.palette;
    const double height = context.frame().heightPx / context.scale();
    const double scroll = context.frame().scrollPx / context.scale();
    const HeadStyle lane{context.fonts.style(Face::Regular, 13), context.fonts.style(Face::Regular, 12), 0,
                         width - 12, true};
    const HeadStyle group{context.fonts.style(Face::SemiBold, 13), lane.secondary, 0, width - 12, true};
    const auto rows = context.scene.layout->rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TimelineRow& row = rows[i];
        const double y = row.y - scroll;
        if (y + row.height <= 0 || y >= height)
            continue;
        const double middle = firstLineMiddle(row, y);
        if (row.kind == RowKind::Note)
            lane.secondary.draw(painter, {0, lane.secondary.baselineCentredOn(middle)},
                                lane.secondary.elided(QString::fromStdString(row.title), width - 12),
                                palette.ink(Ink::TextSecondary));
        else {
            paintTexts(painter, row, middle, row.kind == RowKind::GroupHead ? group : lane, palette);
            paintSecondLine(painter, row, middle, lane, palette);
        }
        if (i + 1 < rows.size())
            crispFill(painter, QRectF(0, ruleOf(row, context), ruleWidth, 1), palette.ink(Ink::InnerLine));
    }
}

} // namespace lacuna::ui
