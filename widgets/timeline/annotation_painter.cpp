#include "widgets/timeline/annotation_painter.h"

#include "core/trace/strip_query.h"
#include "core/view/short_name.h"
#include "widgets/timeline/note_ink.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lacuna::ui {

namespace {

constexpr double kLine = 2, kTick = 6, kHalo = 5, kHead = 9, kPinRadius = 9, kTitlePx = 11.5, kGrab = 6;
constexpr double kHighlightShare = 0.22;

// A row that stands for a lane: itself, or the head of the folded group. Logical pixels of the lanes area.
struct RowPlace {
    const TimelineRow* row = nullptr;
    double top = 0;
    bool folded = false;
};

std::optional<RowPlace> placeOfLane(const TimelineScene& scene, const std::string& key) {
    const auto rows = scene.layout->rows();
    RowPlace place;
    if (const auto at = std::ranges::find(rows, key, &TimelineRow::key); at != rows.end()) {
        place.row = &*at;
    } else {
        const LaneId lane = laneOfKey(*scene.trace, key);
        const auto head = lane ? scene.layout->visibleRowOf(lane) : std::nullopt;
        if (!head)
            return std::nullopt;
        place.row = &rows[*head];
        place.folded = true;
    }
    place.top = place.row->y - scene.frame->scrollPx / scene.frame->scale;
    return place;
}

QRectF viewOf(const TimelineScene& scene) {
    const double scale = scene.frame->scale;
    return {0, 0, scene.frame->viewport.widthPx / scale, scene.frame->heightPx / scale};
}

double xOf(const TimelineScene& scene, TimeNs time) {
    constexpr double kFar = 1e6;
    return std::clamp(scene.frame->viewport.xOf(time) / scene.frame->scale, -kFar, kFar);
}

// The visible part of a time range of a lane; null when none of it is.
QRectF rangeRect(const TimelineScene& scene, const Callout& note) {
    const auto place = placeOfLane(scene, note.laneKey);
    if (!place)
        return {};
    const double x0 = xOf(scene, note.time), x1 = xOf(scene, note.end.value_or(note.time));
    return QRectF(x0, place->top, std::max(2.0, x1 - x0), place->row->height - 1).intersected(viewOf(scene));
}

// Middle of a strip at a time.
std::optional<QPointF> pointOf(const TimelineScene& scene, const std::string& key, TimeNs time,
                               std::uint32_t strip) {
    const auto place = placeOfLane(scene, key);
    if (!place)
        return std::nullopt;
    const TimelineRow& row = *place->row;
    const double x = xOf(scene, time);
    if (place->folded || row.kind != RowKind::Lane || row.stripCount == 0)
        return QPointF(x, place->top + row.height / 2.0);
    const std::uint32_t shown =
        std::clamp(strip, row.firstStrip, row.firstStrip + row.stripCount - 1) - row.firstStrip;
    return QPointF(x, place->top + row.stripY(shown) + row.heightOf(shown) / 2.0);
}

// The part of a line inside a rectangle (Liang and Barsky, 1984); none outside.
std::optional<QLineF> cutTo(const QLineF& line, const QRectF& view) {
    double from = 0, to = 1;
    const double dx = line.dx(), dy = line.dy();
    const auto cut = [&](double p, double q) {
        if (p == 0)
            return q >= 0;
        const double t = q / p;
        if (p < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
        return from <= to;
    };
    if (!cut(-dx, line.x1() - view.left()) || !cut(dx, view.right() - line.x1()) ||
        !cut(-dy, line.y1() - view.top()) || !cut(dy, view.bottom() - line.y1()))
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

QColor inkOfNote(const PaintContext& context, const Callout& note) {
    return context.palette.color(noteInk(note.colour));
}

// A text on a clear patch, when it fits into the width.
void paintTitle(QPainter& painter, QPointF centre, const QString& title, double width, Ink ink,
                const PaintContext& context) {
    const TextStyle style = context.fonts.style(Face::SemiBold, kTitlePx);
    const double length = style.width(title);
    if (title.isEmpty() || length + 12 > width)
        return;
    crispFill(painter, QRectF(centre.x() - length / 2 - 4, centre.y() - 8, length + 8, 16),
              context.palette.ink(Ink::Ground));
    style.drawCentred(painter, {centre.x(), style.baselineCentredOn(centre.y())}, title,
                      context.palette.ink(ink));
}

bool isSelected(const PaintContext& context, const Callout& note) {
    return note.id != 0 && note.id == context.scene.selectedCallout;
}

void paintBracket(QPainter& painter, const Callout& note, const PaintContext& context) {
    const QRectF rect = rangeRect(context.scene, note);
    if (rect.isEmpty())
        return;
    const double thickness = isSelected(context, note) ? kLine + 1 : kLine, y = rect.top() + 1;
    const QRgb ground = context.palette.ink(Ink::Ground), ink = context.palette.ink(noteInk(note.colour));
    const double height = std::min(kTick, rect.height());
    crispFill(
        painter,
        QRectF(rect.left() - 1, y - 1, rect.width() + 2, thickness + 2).intersected(viewOf(context.scene)),
        ground);
    crispFill(painter, QRectF(rect.left(), y, rect.width(), thickness), ink);
    if (xOf(context.scene, note.time) >= 0)
        crispFill(painter, QRectF(rect.left(), y, thickness, height), ink);
    if (xOf(context.scene, note.end.value_or(note.time)) <= viewOf(context.scene).right())
        crispFill(painter, QRectF(rect.right() - thickness, y, thickness, height), ink);
    paintTitle(painter, {rect.center().x(), y + 7}, QString::fromStdString(note.title), rect.width(),
               noteInk(note.colour), context);
}

void paintArrowNote(QPainter& painter, const Callout& note, const PaintContext& context) {
    const auto from = pointOf(context.scene, note.laneKey, note.time, note.strip);
    const auto to = pointOf(context.scene, note.toLaneKey, note.toTime, note.toStrip);
    if (!from || !to)
        return;
    const QLineF whole(*from, *to);
    const auto line = cutTo(whole, viewOf(context.scene));
    if (!line || line->length() < 1)
        return;
    const double width = isSelected(context, note) ? kLine + 1 : kLine;
    painter.setRenderHint(QPainter::Antialiasing, true);
    const bool hasHead = line->p2() == whole.p2();
    const QLineF shaft(line->p1(), hasHead && line->length() > kHead
                                       ? line->pointAt(1 - kHead / line->length())
                                       : line->p2());
    painter.setPen(QPen(context.palette.color(Ink::Ground), kHalo, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(shaft);
    painter.setPen(QPen(inkOfNote(context, note), width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(shaft);
    if (hasHead) {
        const QPointF along((whole.dx()) / whole.length(), whole.dy() / whole.length());
        const QPointF across(-along.y(), along.x());
        const QPointF neck = line->p2() - along * kHead;
        painter.setPen(Qt::NoPen);
        painter.setBrush(inkOfNote(context, note));
        painter.drawPolygon(QPolygonF({line->p2(), neck + across * kHead / 2, neck - across * kHead / 2}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintTitle(painter, line->center(), QString::fromStdString(note.title), line->length(),
               noteInk(note.colour), context);
}

void paintPinNote(QPainter& painter, const Callout& note, const PaintContext& context) {
    const auto at = pointOf(context.scene, note.laneKey, note.anchorTime(), note.strip);
    if (!at ||
        !viewOf(context.scene).adjusted(kPinRadius, kPinRadius, -kPinRadius, -kPinRadius).contains(*at))
        return;
    paintPin(painter, *at, isSelected(context, note) ? kPinRadius + 2 : kPinRadius, note.number,
             context.palette, context.fonts, noteInk(note.colour));
}

// What is hidden in exports, also there: a gap in what is named has its reason.
void paintRedaction(QPainter& painter, const Callout& note, const PaintContext& context) {
    const QRectF rect = rangeRect(context.scene, note);
    if (rect.isEmpty())
        return;
    constexpr double kDash = 4;
    const QRgb ink = context.palette.ink(noteInk(note.colour));
    for (double x = rect.left(); x < rect.right(); x += 2 * kDash)
        for (const double y : {rect.top() + 1, rect.bottom() - 2})
            crispFill(painter, QRectF(x, y, std::min(kDash, rect.right() - x), 1), ink);
    for (double y = rect.top(); y < rect.bottom(); y += 2 * kDash)
        for (const double x : {rect.left(), rect.right() - 1})
            crispFill(painter, QRectF(x, y, 1, std::min(kDash, rect.bottom() - y)), ink);
}

template <class Paint> void forEachShown(const TimelineScene& scene, const Paint& paint) {
    if (scene.annotations != nullptr)
        for (const Callout& note : scene.annotations->callouts())
            if (note.isShown && note.kind != AnnotationKind::Callout)
                paint(note);
}

QRectF grabRect(const TimelineScene& scene, const Callout& note) {
    switch (note.kind) {
    case AnnotationKind::Bracket:
    case AnnotationKind::Highlight:
    case AnnotationKind::Redaction: {
        const QRectF rect = rangeRect(scene, note);
        return rect.isEmpty()
                   ? QRectF()
                   : QRectF(rect.left(), rect.top(), rect.width(), std::min(rect.height(), 2 * kGrab));
    }
    case AnnotationKind::Arrow: {
        const auto from = pointOf(scene, note.laneKey, note.time, note.strip);
        const auto to = pointOf(scene, note.toLaneKey, note.toTime, note.toStrip);
        const auto line = from && to ? cutTo(QLineF(*from, *to), viewOf(scene)) : std::nullopt;
        return line ? QRectF(line->center() - QPointF(kGrab, kGrab), QSizeF(2 * kGrab, 2 * kGrab)) : QRectF();
    }
    case AnnotationKind::Pin: {
        const auto at = pointOf(scene, note.laneKey, note.anchorTime(), note.strip);
        return at && viewOf(scene).contains(*at)
                   ? QRectF(*at - QPointF(kPinRadius, kPinRadius), QSizeF(2 * kPinRadius, 2 * kPinRadius))
                   : QRectF();
    }
    case AnnotationKind::Callout:
        break;
    }
    return {};
}

} // namespace

std::vector<CalloutPlace> annotationPlaces(const TimelineScene& scene, const FigureFonts&) {
    std::vector<CalloutPlace> places;
    forEachShown(scene, [&](const Callout& note) {
        if (const QRectF rect = grabRect(scene, note); !rect.isEmpty())
            places.push_back({note.id, rect.center(), rect, false, 0});
    });
    return places;
}

void paintHighlights(QPainter& painter, const PaintContext& context) {
    forEachShown(context.scene, [&](const Callout& note) {
        const QRectF rect = rangeRect(context.scene, note);
        if (note.kind != AnnotationKind::Highlight || rect.isEmpty())
            return;
        QColor fill = inkOfNote(context, note);
        fill.setAlphaF(static_cast<float>(kHighlightShare));
        painter.fillRect(rect, fill);
        strokeInside(painter, rect, isSelected(context, note) ? 2 : 1,
                     context.palette.ink(noteInk(note.colour)));
    });
}

void paintAnnotations(QPainter& painter, const PaintContext& context) {
    forEachShown(context.scene, [&](const Callout& note) {
        switch (note.kind) {
        case AnnotationKind::Bracket:
            return paintBracket(painter, note, context);
        case AnnotationKind::Arrow:
            return paintArrowNote(painter, note, context);
        case AnnotationKind::Pin:
            return paintPinNote(painter, note, context);
        case AnnotationKind::Redaction:
            return paintRedaction(painter, note, context);
        case AnnotationKind::Highlight:
        case AnnotationKind::Callout:
            return;
        }
    });
}

// --- redactions

std::set<StringId> redactedNames(const Trace& trace, const AnnotationSet& annotations) {
    std::set<StringId> names;
    for (const Callout& note : annotations.callouts()) {
        if (note.kind != AnnotationKind::Redaction)
            continue;
        const LaneId lane = laneOfKey(trace, note.laneKey);
        if (!lane)
            continue;
        const TimeRange range{note.time, note.end.value_or(note.time + DurationNs{1})};
        for (std::uint32_t s = 0; s < trace.lane(lane).depth; ++s) {
            const auto [first, last] = eventsTouching(trace, {trace.lane(lane).firstStrip.v + s}, range);
            for (std::uint32_t e = first.v; e < last.v; ++e)
                names.insert(trace.events().name[e]);
        }
    }
    return names;
}

QString redacted(QString text, const Trace& trace, const std::set<StringId>& names) {
    constexpr qsizetype kShortest = 3; // "a" would black out every word
    const QString block = QString::fromUtf8(kRedactedText);
    std::set<QString, std::greater<>> forms;
    for (const StringId name : names) {
        const std::string_view full = trace.strings().view(name);
        forms.insert(QString::fromUtf8(full.data(), static_cast<qsizetype>(full.size())));
        for (const EventKind kind :
             {EventKind::Kernel, EventKind::CpuOp, EventKind::Python, EventKind::RuntimeApi})
            for (const std::string& form : shortNames(full, kind))
                forms.insert(QString::fromStdString(form));
    }
    std::vector<QString> longestFirst(forms.begin(), forms.end());
    std::ranges::stable_sort(longestFirst, std::greater<>{}, [](const QString& form) { return form.size(); });
    for (const QString& form : longestFirst)
        if (form.size() >= kShortest)
            text.replace(form, block);
    return text;
}

AnnotationSet redactedNotes(const AnnotationSet& notes, const Trace& trace, const std::set<StringId>& names) {
    AnnotationSet hidden = notes;
    if (names.empty())
        return hidden;
    const auto without = [&](const std::string& said) {
        return redacted(QString::fromStdString(said), trace, names).toStdString();
    };
    for (const Callout& note : notes.callouts()) {
        Callout one = note;
        one.title = without(note.title);
        one.text = without(note.text);
        hidden.apply(AnnotationEdit::replace(std::move(one)));
    }
    return hidden;
}

} // namespace lacuna::ui
