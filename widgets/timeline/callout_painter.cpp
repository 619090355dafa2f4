#include "widgets/timeline/callout_painter.h"

#include "widgets/timeline/callout_text.h"
#include "widgets/timeline/note_ink.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kMaxTextWidth = 290, kPad = 14, kRadius = 4, kCalloutLine = 1.5, kDot = 4.5,
                 kCalloutHalo = 4;
constexpr double kPin = 10, kCalloutTitlePx = 13.5, kTextPx = 12.5, kTextLine = 18, kTitleLine = 20;
constexpr double kMinLanesHeight = 80; // below it boxes shrink to pins

struct CalloutText {
    QString title;
    CalloutLines lines;
    QSizeF size; // of the box
};

CalloutText layOut(const Callout& callout, const FigureFonts& fonts) {
    constexpr std::size_t kMaxLines = 8;
    const TextStyle title = fonts.style(Face::SemiBold, kCalloutTitlePx);
    const double titleWidth = kMaxTextWidth - 2 * kPin - 8;
    CalloutText text{title.elided(QString::fromStdString(callout.title), titleWidth),
                     CalloutLines(QString::fromStdString(callout.text), callout.isLive, fonts, kTextPx,
                                  kMaxTextWidth, kMaxLines),
                     {}};
    if (text.title.isEmpty() && text.lines.count() > 0) { // a note without a title starts beside its number
        text.title = title.elided(text.lines.plainLine(0), titleWidth);
        text.lines.removeFirst();
    }
    const double width = std::max(2 * kPin + 8 + title.width(text.title), text.lines.width());
    text.size = {std::ceil(width) + 2 * kPad,
                 kTitleLine + static_cast<double>(text.lines.count()) * kTextLine + 2 * kPad - 8};
    return text;
}

// Row that shows the callout's lane: itself, or the head of the folded group.
const TimelineRow* rowOf(const TimelineScene& scene, const Callout& callout, bool& folded) {
    const auto rows = scene.layout->rows();
    const auto at = std::find_if(rows.begin(), rows.end(),
                                 [&](const TimelineRow& row) { return row.key == callout.laneKey; });
    folded = false;
    if (at != rows.end())
        return &*at;
    const LaneId lane = laneOfKey(*scene.trace, callout.laneKey);
    const auto head = lane ? scene.layout->visibleRowOf(lane) : std::nullopt;
    folded = true;
    return head ? &rows[*head] : nullptr;
}

// Anchor in logical pixels of the lanes area, on the upper edge of its target when the box is above, else on
// the lower one.
QPointF anchorOf(const TimelineScene& scene, const Callout& callout, const TimelineRow& row, bool folded,
                 bool above) {
    const double x = scene.frame->viewport.xOf(callout.anchorTime()) / scene.frame->scale;
    const double top = row.y - scene.frame->scrollPx / scene.frame->scale;
    if (folded || row.kind != RowKind::Lane || row.stripCount == 0)
        return {x, top + row.height / 2.0};
    const std::uint32_t shown =
        std::clamp(callout.strip, row.firstStrip, row.firstStrip + row.stripCount - 1) - row.firstStrip;
    const double y = top + row.stripY(shown);
    return {x, above ? y : y + row.heightOf(shown)};
}

bool overlapsAny(const QRectF& box, const std::vector<CalloutPlace>& places) {
    constexpr double kAir = 8;
    const QRectF wide = box.adjusted(-kAir, -kAir, kAir, kAir);
    return std::any_of(places.begin(), places.end(),
                       [&](const CalloutPlace& p) { return p.edge == 0 && p.box.intersects(wide); });
}

// Moves a box down, then up, until it overlaps no earlier one; stays where it is when there is no room.
QRectF movedApart(const QRectF& wanted, const QRectF& view, const std::vector<CalloutPlace>& places) {
    constexpr double kStep = 8;
    for (int step = 0; step * kStep < view.height(); ++step)
        for (const double sign : {1.0, -1.0}) {
            const QRectF box = wanted.translated(0, sign * step * kStep);
            if (view.contains(box) && !overlapsAny(box, places))
                return box;
        }
    return wanted;
}

QPainterPath leaderOf(const CalloutPlace& place) {
    const QRectF& box = place.box;
    QPainterPath path;
    const bool under = place.anchor.x() > box.left() + 6 && place.anchor.x() < box.right() - 6;
    if (under) {
        path.moveTo(place.anchor.x(), place.anchor.y() > box.center().y() ? box.bottom() : box.top());
    } else {
        const double y = box.center().y();
        path.moveTo(place.anchor.x() < box.left() ? box.left() : box.right(), y);
        path.lineTo(place.anchor.x(), y);
    }
    path.lineTo(place.anchor);
    return path;
}

void paintBox(QPainter& painter, const CalloutPlace& place, const Callout& callout,
              const PaintContext& context, bool selected) {
    const ThemePalette& palette = context.palette;
    const Ink role = noteInk(callout.colour);
    const QColor ink = palette.color(role);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(ink, selected ? kCalloutLine + 1 : kCalloutLine));
    painter.setBrush(palette.color(Ink::Ground));
    const double inset = kCalloutLine / 2;
    painter.drawRoundedRect(place.box.adjusted(inset, inset, -inset, -inset), kRadius, kRadius);
    const CalloutText text = layOut(callout, context.fonts);
    const TextStyle title = context.fonts.style(Face::SemiBold, kCalloutTitlePx);
    const double left = place.box.left() + kPad, top = place.box.top() + kPad - 4;
    const QPointF pin(left + kPin, top + kTitleLine / 2);
    paintPin(painter, pin, kPin, callout.number, palette, context.fonts, role);
    const QString shown =
        (place.inFoldedGroup ? QString(QChar(0x25b8)) + QLatin1Char(' ') : QString()) + text.title;
    title.draw(painter, {pin.x() + kPin + 8, title.baselineCentredOn(pin.y())}, shown,
               palette.ink(Ink::Text));
    double y = top + kTitleLine + 3;
    for (std::size_t line = 0; line < text.lines.count(); ++line) {
        text.lines.draw(painter, line, left, y + kTextLine / 2 - 1, palette.ink(Ink::Text));
        y += kTextLine;
    }
}

void paintLeader(QPainter& painter, const CalloutPlace& place, const Callout& callout,
                 const PaintContext& context) {
    const QColor ink = context.palette.color(noteInk(callout.colour)),
                 ground = context.palette.color(Ink::Ground);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    const QPainterPath path = leaderOf(place);
    painter.setPen(QPen(ground, kCalloutHalo, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(QPen(ink, kCalloutLine, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(QPen(ground, 1.5));
    painter.setBrush(ink);
    painter.drawEllipse(place.anchor, kDot, kDot);
}

} // namespace

std::vector<CalloutPlace> calloutPlaces(const TimelineScene& scene, const FigureFonts& fonts) {
    std::vector<CalloutPlace> places;
    if (scene.annotations == nullptr)
        return places;
    const double scale = scene.frame->scale;
    const QRectF view(0, 0, scene.frame->viewport.widthPx / scale, scene.frame->heightPx / scale);
    for (const Callout& callout : scene.annotations->callouts()) {
        if (callout.kind != AnnotationKind::Callout || !callout.isShown)
            continue;
        bool folded = false;
        const TimelineRow* row = rowOf(scene, callout, folded);
        if (row == nullptr)
            continue;
        CalloutPlace place{
            callout.id, anchorOf(scene, callout, *row, folded, callout.boxDy < 0), {}, folded, 0};
        const auto index = static_cast<std::size_t>(row - scene.layout->rows().data());
        const double top = scene.layout->staysOnTop(index) ? 0 : scene.layout->coveredPx();
        if (place.anchor.x() < 0 || place.anchor.x() > view.right())
            place.edge = place.anchor.x() < 0 ? -1 : 1;
        const bool pinOnly = place.edge != 0 || place.anchor.y() < top || place.anchor.y() > view.bottom() ||
                             view.height() < kMinLanesHeight;
        if (pinOnly) {
            const QPointF centre(
                std::clamp(place.anchor.x(), kPin + 4, std::max(kPin + 4, view.right() - kPin - 4)),
                std::clamp(place.anchor.y(), top + kPin + 4,
                           std::max(top + kPin + 4, view.bottom() - kPin - 4)));
            place.edge = place.edge != 0 ? place.edge : 2;
            place.box = QRectF(centre.x() - kPin, centre.y() - kPin, 2 * kPin, 2 * kPin);
        } else {
            QRectF box(place.anchor + QPointF(callout.boxDx, callout.boxDy), layOut(callout, fonts).size);
            box.moveLeft(std::clamp(box.left(), 4.0, std::max(4.0, view.right() - box.width() - 4)));
            box.moveTop(std::clamp(box.top(), 4.0, std::max(4.0, view.bottom() - box.height() - 4)));
            box.moveTopLeft({std::round(box.left()), std::round(box.top())});
            place.box = movedApart(box, view, places);
        }
        places.push_back(place);
    }
    return places;
}

void paintCallouts(QPainter& painter, const PaintContext& context) {
    const std::vector<CalloutPlace> places = calloutPlaces(context.scene, context.fonts);
    for (const CalloutPlace& place : places)
        if (place.edge == 0)
            paintLeader(painter, place, *context.scene.annotations->find(place.id), context);
    for (const CalloutPlace& place : places) {
        const Callout* callout = context.scene.annotations->find(place.id);
        if (place.edge == 0)
            paintBox(painter, place, *callout, context, place.id == context.scene.selectedCallout);
        else
            paintPin(painter, place.box.center(), kPin, callout->number, context.palette, context.fonts,
                     noteInk(callout->colour));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lacuna::ui
