#include "widgets/timeline/timeline_view.h"

#include "core/analysis/host_lanes.h"
#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/arrow_painter.h"
#include "widgets/timeline/axis_text.h"
#include "widgets/timeline/large_picture.h"
#include "widgets/timeline/timeline_accessible.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

// The horizontal bar is a proportion of the extent: at 1 ns a pixel a minute does not fit an int.
constexpr int kBarSteps = 1 << 20;
constexpr double kArrowPanPx = 60.0, kArrowScrollPx = 40.0;

} // namespace

TimelineView::TimelineView(TimelineViewModel& model, const ThemePalette& palette, const FigureFonts& fonts,
                           QWidget* parent)
    : QAbstractScrollArea(parent), m_model(model), m_renderer(palette, fonts) {
    TimelineAccessible::install();
    setObjectName(QStringLiteral("timeline"));
    setLayoutDirection(Qt::LeftToRight); // time is not mirrored
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_model, &TimelineViewModel::invalidated, this, [this] {
        m_baseValid = false;
        viewport()->update();
    });
    connect(&m_model, &TimelineViewModel::viewChanged, this, &TimelineView::syncScrollBars);
    connect(&m_model, &TimelineViewModel::axisChanged, this, &TimelineView::describeSelection);
    connect(&m_model.session().selection(), &SelectionModel::changed, this, &TimelineView::describeSelection);
    describeSelection();
    connect(&m_model.session(), &AnalysisSession::documentChanged, this, [this] {
        m_input.cancel();
        m_marks = {};
        syncScrollBars();
    });
    connect(&m_model.session(), &AnalysisSession::previewChanged, this, [this] {
        m_marks = {}; // they name rows of the last preview
        syncScrollBars();
    });
}

void TimelineView::setThemePalette(const ThemePalette& palette) {
    m_renderer.setPalette(palette);
    m_baseValid = false;
    m_headsKey.reset();
    viewport()->update();
}

// Assistive technology hears what is selected, in the words of the inspector.
void TimelineView::describeSelection() {
    AnalysisSession& session = m_model.session();
    QString description =
        tr("Lanes of events over time. Comma and full stop walk the events of a lane, G the gaps.");
    if (const auto& measured = m_model.measurement()) {
        const Trace& trace = *m_model.trace();
        description =
            tr("%1 to %2: %3")
                .arg(text(elideMiddle(trace.nameOf(measured->first), 160)),
                     text(elideMiddle(trace.nameOf(measured->second), 160)), measurementText(*measured));
    } else if (const EventId event = session.selection().event()) {
        const Trace& trace = *m_model.trace();
        const TimeRange range = trace.events().range(event);
        description =
            tr("%1, %2, %3, starts %4")
                .arg(text(elideMiddle(trace.nameOf(event), 160)), term(inkTitle(inkOf(trace, event))),
                     text(formatDuration(range.length())), text(timeText(range.begin, m_model.axis())));
    } else if (const GapId gap = session.selection().gap()) {
        description = text(session.story(gap).verdict);
    } else if (const auto& range = session.selection().range()) {
        description =
            tr("Marked range of %1, starts %2")
                .arg(text(formatDuration(range->length())), text(timeText(range->begin, m_model.axis())));
    }
    setAccessibleDescription(description);
    announceSelection(*this);
}

QRect TimelineView::lanesRect() const {
    return viewport()->rect().adjusted(Measures::kHeadWidth, Measures::kRulerHeight, 0, 0);
}

QPointF TimelineView::toLanes(QPointF at) const {
    return at - QPointF(lanesRect().topLeft());
}

double TimelineView::zoomAnchor() const {
    const double middle = lanesRect().width() / 2.0;
    return m_pointer && lanesRect().contains(m_pointer->toPoint()) ? toLanes(*m_pointer).x() : middle;
}

std::optional<TimeNs> TimelineView::cursorTime() const {
    if (!m_pointer || m_pointer->x() < Measures::kHeadWidth || m_model.trace() == nullptr)
        return std::nullopt;
    return m_model.viewport().timeAt(toLanes(*m_pointer).x());
}

bool TimelineView::cancelGesture() {
    const bool hadTool = m_input.hasCalloutTool();
    setCalloutTool(false);
    if (!m_input.cancel())
        return hadTool;
    m_marks.band.reset();
    m_calloutShift.reset();
    m_dropY.reset();
    if (m_planBefore)
        m_model.setLanePlan(*std::exchange(m_planBefore, std::nullopt));
    m_baseValid = false;
    viewport()->update();
    return true;
}

// --- painting

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    m_model.setArea(lanesRect().size(), devicePixelRatioF());
    syncScrollBars();
}

void TimelineView::syncScrollBars() {
    m_syncing = true;
    verticalScrollBar()->setRange(0, m_model.maxScrollY());
    verticalScrollBar()->setPageStep(std::max(1, m_model.area().height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(kArrowScrollPx));
    verticalScrollBar()->setValue(m_model.scrollY());
    m_syncing = false;
}

void TimelineView::scrollContentsBy(int, int) {
    if (!m_syncing)
        m_model.scrollBy(verticalScrollBar()->value() - m_model.scrollY());
}

void TimelineView::paintBase() {
    const double ratio = devicePixelRatioF();
    m_model.setArea(lanesRect().size(), ratio);
    TimelineScene scene = m_model.scene();
    const QSize device(static_cast<int>(std::lround(viewport()->width() * ratio)),
                       static_cast<int>(std::lround(viewport()->height() * ratio)));
    if (m_base.size() != device || m_base.devicePixelRatio() != ratio || scene.trace == nullptr) {
        m_base = largePicture(device);
        m_base.setDevicePixelRatio(ratio);
        m_base.fill(m_renderer.palette().color(Ink::Ground));
        m_headsKey.reset();
    }
    m_baseValid = true;
    if (scene.trace == nullptr)
        return;
    m_marks.arrows = m_model.arrowsOf(m_marks.event); // they stand elsewhere now
    // Else its parts share pixels and leave some: then all is painted again, in its order.
    const bool isWhole = ratio == std::floor(ratio);
    if (!isWhole)
        m_base.fill(m_renderer.palette().color(Ink::Ground));
    AnnotationSet shifted;
    if (m_calloutShift) { // the box that is being dragged follows the pointer
        shifted = *scene.annotations;
        if (const Callout* callout = shifted.find(m_pressedCallout)) {
            Callout moved = *callout;
            moved.boxDx += m_calloutShift->x();
            moved.boxDy += m_calloutShift->y();
            shifted.apply(AnnotationEdit::replace(moved));
            scene.annotations = &shifted;
        }
    }
    paintBaseLanes(scene);
    const HeadsKey key{m_model.layoutNumber(), m_model.scrollY(), m_renderer.palette().theme(),
                       scene.currentRow};
    const bool keepsHeads = isWhole && m_headsKey == key;
    m_headsKey = key;
    QPainter painter(&m_base);
    const QRect lanes = lanesRect();
    if (!keepsHeads) {
        painter.save();
        painter.setClipRect(QRect(0, lanes.top(), Measures::kHeadWidth, lanes.height()));
        painter.translate(0, lanes.top());
        m_renderer.paintHeads(painter, scene, Measures::kHeadWidth);
        painter.restore();
    }
    if (const int covered = m_model.coveredPx(); covered > 0)
        paintPinned(painter, scene, covered);
    painter.save();
    painter.translate(lanes.topLeft());
    paintArrowLegend(painter, m_renderer.contextFor(scene));
    painter.restore();
    m_renderer.paintRuler(painter, scene, QRectF(lanes.left(), 0, lanes.width(), Measures::kRulerHeight));
    paintCorner(painter);
}

// Straight into the base picture where the lanes stand on whole device pixels, else by way of a picture of
// their own.
void TimelineView::paintBaseLanes(const TimelineScene& scene) {
    const double ratio = m_base.devicePixelRatio();
    const QPointF corner = QPointF(lanesRect().topLeft()) * ratio;
    const QRect part(corner.toPoint(), QSize(scene.frame->viewport.widthPx, scene.frame->heightPx));
    if (QPointF(part.topLeft()) == corner && m_base.rect().contains(part)) {
        const qsizetype offset = part.y() * m_base.bytesPerLine() + part.x() * qsizetype{sizeof(QRgb)};
        QImage lanes(m_base.bits() + offset, part.width(), part.height(), m_base.bytesPerLine(),
                     m_base.format());
        m_renderer.paintLanes(scene, lanes);
        return;
    }
    QPainter painter(&m_base);
    painter.drawImage(lanesRect().topLeft(), m_renderer.paintLanes(scene));
}

// Beside the ruler, over the heads.
void TimelineView::paintCorner(QPainter& painter) const {
    const ThemePalette& palette = m_renderer.palette();
    const QRectF corner(0, 0, Measures::kHeadWidth, Measures::kRulerHeight);
    painter.fillRect(corner, palette.color(Ink::Window));
    painter.fillRect(QRectF(0, corner.bottom() - 1, corner.width(), 1), palette.color(Ink::Border));
    painter.fillRect(QRectF(corner.right() - 1, 0, 1, corner.height()), palette.color(Ink::Border));
    painter.setFont(uiFont(Face::Regular, 11.5));
    painter.setPen(palette.color(Ink::TextSecondary));
    painter.drawText(corner.adjusted(12, 0, -24, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     axisText(m_model.axis()));
    const QPointF sign(corner.right() - 16, corner.center().y()); // there is a menu
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(Ink::TextSecondary));
    painter.drawPolygon(QPolygonF{sign + QPointF(-4, -2), sign + QPointF(4, -2), sign + QPointF(0, 3)});
}

// The pinned rows over what has scrolled under them, then the boxes of callouts over both.
void TimelineView::paintPinned(QPainter& painter, const TimelineScene& scene, int covered) {
    const QRect lanes = lanesRect();
    TimelineScene pinned = m_model.pinnedScene();
    pinned.annotations = scene.annotations;
    painter.drawImage(lanes.topLeft(), m_renderer.paintLanes(pinned));
    painter.save();
    painter.setClipRect(QRect(0, lanes.top(), Measures::kHeadWidth, covered));
    painter.translate(0, lanes.top());
    m_renderer.paintHeads(painter, pinned, Measures::kHeadWidth);
    painter.restore();
    crispFill(painter, QRectF(0, lanes.top() + covered - 1, viewport()->width(), 1),
              m_renderer.palette().ink(Ink::TextSecondary));
    painter.save();
    painter.setClipRect(lanes);
    painter.translate(lanes.topLeft());
    m_renderer.paintCalloutsOver(painter, scene);
    painter.restore();
}

void TimelineView::paintEvent(QPaintEvent*) {
    const auto begin = std::chrono::steady_clock::now();
    paintAll();
    const auto ns = [](auto duration) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
    };
    m_meter.painted(ns(begin.time_since_epoch()), ns(std::chrono::steady_clock::now() - begin));
    Q_EMIT framePainted();
}

void TimelineView::paintAll() {
    const double ratio = devicePixelRatioF();
    if (!m_baseValid || m_base.devicePixelRatio() != ratio)
        paintBase();
    QPainter painter(viewport());
    // It has no transparent pixel, but only its format can say so: then it is copied and not blended.
    QImage opaque(m_base.constBits(), m_base.width(), m_base.height(), m_base.bytesPerLine(),
                  QImage::Format_RGB32);
    opaque.setDevicePixelRatio(ratio);
    painter.drawImage(0, 0, opaque);
    if (m_model.trace() == nullptr)
        return;
    const QRect lanes = lanesRect();
    painter.save();
    painter.setClipRect(lanes);
    painter.translate(lanes.topLeft());
    const int covered = m_model.coveredPx();
    if (covered > 0 && m_pointer &&
        toLanes(*m_pointer).y() >= covered) // nothing of them over the pinned rows
        painter.setClipRect(QRect(0, covered, lanes.width(), lanes.height() - covered));
    m_renderer.paintHover(painter, m_model.scene(), m_marks);
    painter.restore();
    paintHeadMarks(painter);
    if (m_focusRing && hasFocus()) {
        painter.setPen(QPen(m_renderer.palette().color(Ink::Selection), 1));
        painter.drawRect(QRectF(lanes).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QRegion TimelineView::marksRegion() {
    const QRect lanes = lanesRect();
    if (!m_baseValid || !m_model.isFrameReady() || m_marks.band || m_dropY)
        return viewport()->rect();
    QRegion region;
    constexpr int kAir = 3; // marks stand around what they mark, and fractional pixels are rounded
    const auto add = [&](const QRectF& inLanes) {
        if (!inLanes.isEmpty())
            region += inLanes.translated(lanes.topLeft()).toAlignedRect().adjusted(-kAir, -kAir, kAir, kAir) &
                      lanes;
    };
    if (m_marks.cursorX >= 0)
        add(QRectF(m_marks.cursorX, 0, 1, lanes.height()));
    if (m_model.trace() != nullptr) {
        const TimelineScene scene = m_model.scene();
        const PaintContext context = m_renderer.contextFor(scene);
        add(logical(context.rectOf(m_marks.event), context.scale()));
        add(thinArrowsRect(m_marks.arrows, context.scale()));
        if (m_marks.gap)
            for (const QRect& rect : context.rectsOf(m_marks.gap))
                add(logical(rect, context.scale()));
    }
    if (m_pointer && m_pointer->x() < Measures::kHeadWidth) // the grip
        region += QRect(0, lanes.top(), Measures::kHeadWidth, lanes.height());
    return region;
}

// --- pointer

TimelineZone TimelineView::zoneAt(QPointF at, std::uint32_t* callout) {
    if (at.x() < Measures::kHeadWidth)
        return TimelineZone::Heads;
    if (at.y() < Measures::kRulerHeight)
        return TimelineZone::Ruler;
    if (m_model.trace() != nullptr && !m_model.session().annotations().isEmpty()) {
        const auto places = m_renderer.placeCallouts(m_model.scene());
        for (auto place = places.rbegin(); place != places.rend(); ++place) // the last is on top
            if (place->box.contains(toLanes(at))) {
                *callout = place->id;
                return TimelineZone::Callout;
            }
    }
    return TimelineZone::Lanes;
}

QRect TimelineView::calloutBox(std::uint32_t id) {
    for (const CalloutPlace& place : m_renderer.placeCallouts(m_model.scene()))
        if (place.id == id)
            return place.box.translated(lanesRect().topLeft()).toAlignedRect();
    return {};
}

PointerInput TimelineView::inputOf(const QMouseEvent& event) {
    PointerInput input;
    input.at = event.position();
    std::uint32_t callout = 0;
    input.zone = zoneAt(input.at, &callout);
    if (event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseButtonDblClick)
        m_pressedCallout = callout;
    input.button = event.button();
    input.modifiers = event.modifiers();
    input.outside = !window()->rect().contains(viewport()->mapTo(window(), input.at.toPoint()));
    input.atRowEdge = isAtRowEdge(input.at);
    if (const auto& range = m_model.session().selection().range()) {
        input.rangeLeft = m_model.viewport().xOf(range->begin) + lanesRect().left();
        input.rangeRight = m_model.viewport().xOf(range->end) + lanesRect().left();
    }
    return input;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    const PointerInput input = inputOf(*event);
    m_pressedRange = m_model.session().selection().range();
    apply(m_input.press(input));
    updateShape(input);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QRegion before = marksRegion();
    m_pointer = event->position();
    const PointerInput input = inputOf(*event);
    apply(m_input.move(input));
    m_marks.cursorX = lanesRect().contains(event->position().toPoint()) ? toLanes(event->position()).x() : -1;
    updateShape(input);
    viewport()->update(before | marksRegion());
    Q_EMIT cursorMoved();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const PointerInput input = inputOf(*event);
    apply(m_input.release(input));
    updateShape(input);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    apply(m_input.doubleClick(inputOf(*event)));
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    WheelInput input;
    input.at = event->position() - QPointF(lanesRect().left(), 0);
    input.pixels = event->pixelDelta();
    input.degrees = event->angleDelta();
    input.modifiers = event->modifiers();
    apply(m_input.wheel(input));
    hover(event->position());
    event->accept();
}

void TimelineView::updateShape(const PointerInput& input) {
    switch (m_input.shape(input)) {
    case PointerShape::Cross:
        viewport()->setCursor(Qt::CrossCursor);
        break;
    case PointerShape::Arrow:
        viewport()->unsetCursor();
        break;
    case PointerShape::ResizeRange:
        viewport()->setCursor(Qt::SizeHorCursor);
        break;
    case PointerShape::ResizeRow:
        viewport()->setCursor(Qt::SizeVerCursor);
        break;
    case PointerShape::Hand:
        viewport()->setCursor(Qt::OpenHandCursor);
        break;
    case PointerShape::ClosedHand:
        viewport()->setCursor(Qt::ClosedHandCursor);
        break;
    }
}

TimeRange TimelineView::bandOf(double from, double to) const {
    const double left = std::min(from, to) - lanesRect().left(),
                 right = std::max(from, to) - lanesRect().left();
    const double width = lanesRect().width();
    return {m_model.viewport().timeAt(std::clamp(left, 0.0, width)),
            m_model.viewport().timeAt(std::clamp(right, 0.0, width))};
}

void TimelineView::apply(const TimelineIntents& intents) {
    if (m_model.trace() == nullptr)
        return;
    for (const TimelineIntent& intent : intents)
        applyOne(intent);
}

void TimelineView::applyOne(const TimelineIntent& intent) {
    if (const auto* at = std::get_if<HoverAt>(&intent)) {
        hover(at->at);
    } else if (const auto* select = std::get_if<SelectAt>(&intent)) {
        selectAt(select->at, select->adds);
    } else if (const auto* fit = std::get_if<FitAt>(&intent)) {
        fitAt(fit->at);
    } else if (const auto* pan = std::get_if<PanBy>(&intent)) {
        if (pan->dx != 0)
            m_model.panBy(pan->dx);
        if (pan->dy != 0)
            m_model.scrollBy(pan->dy);
    } else if (const auto* zoom = std::get_if<ZoomAt>(&intent)) {
        m_model.zoomAt(zoom->factor, zoom->x);
    } else if (const auto* mark = std::get_if<MarkRange>(&intent)) {
        const TimeRange range = bandOf(mark->from, mark->to);
        if (!range.isEmpty())
            m_model.session().selection().set(range, Origin::Timeline);
    } else if (std::holds_alternative<CarryRange>(intent)) {
        if (m_pressedRange) // what the drag has marked on its way out is not meant
            m_model.session().selection().set(*m_pressedRange, Origin::Timeline);
        Q_EMIT rangeCarriedOut();
    } else if (std::holds_alternative<RangeDrawn>(intent)) {
        setCalloutTool(false);
        Q_EMIT calloutRangeDrawn();
    } else if (const auto* band = std::get_if<ZoomBand>(&intent)) {
        m_marks.band = bandOf(band->from, band->to);
    } else if (const auto* zoomTo = std::get_if<ZoomToBand>(&intent)) {
        m_marks.band.reset();
        viewport()->update();
        const TimeRange range = bandOf(zoomTo->from, zoomTo->to);
        if (!range.isEmpty())
            m_model.fit(range, 0.0);
    } else if (const auto* head = std::get_if<ToggleHead>(&intent)) {
        clickHead(head->at);
    } else if (const auto* drag = std::get_if<DragHead>(&intent)) {
        dragHead(*drag);
    } else if (const auto* pull = std::get_if<ResizeHead>(&intent)) {
        resizeHead(*pull);
    } else if (const auto* move = std::get_if<MoveCallout>(&intent)) {
        m_calloutShift = QPointF(move->dx, move->dy);
        if (move->last) {
            m_calloutShift.reset();
            Q_EMIT calloutMoved(m_pressedCallout, move->dx, move->dy);
        }
        m_baseValid = false;
        viewport()->update();
    } else if (std::holds_alternative<SelectCallout>(intent)) {
        m_model.setSelectedCallout(m_pressedCallout);
    } else if (std::holds_alternative<EditCallout>(intent)) {
        Q_EMIT calloutEditRequested(m_pressedCallout);
    }
}

void TimelineView::hover(QPointF at) {
    const QRegion before = marksRegion();
    const EventId was = std::exchange(m_marks.event, EventId());
    m_marks.gap = {};
    if (lanesRect().contains(at.toPoint())) {
        const Selection hit = m_model.at(toLanes(at));
        if (const auto* event = std::get_if<EventId>(&hit))
            m_marks.event = *event;
        else if (const auto* gap = std::get_if<GapId>(&hit))
            m_marks.gap = *gap;
    }
    if (m_marks.event != was)
        m_marks.arrows = m_model.arrowsOf(m_marks.event);
    viewport()->update(before | marksRegion());
}

void TimelineView::selectAt(QPointF at, bool adds) {
    m_model.setSelectedCallout(0);
    if (m_model.trace() != nullptr)
        for (const ArrowChip& chip : arrowChips(m_model.scene(), m_renderer.fonts()))
            if (chip.rect.contains(toLanes(at))) { // the end of an arrow outside the view; Alt+Left returns
                m_model.goTo(chip.target, Origin::Timeline);
                return;
            }
    const Selection hit = m_model.at(toLanes(at));
    if (adds) { // beside an event nothing is dropped: a near miss costs no selection
        if (const auto* event = std::get_if<EventId>(&hit))
            m_model.session().selection().toggle(*event, Origin::Timeline);
        return;
    }
    if (std::holds_alternative<LaneId>(hit) || std::holds_alternative<TimeRange>(hit))
        m_model.session().selection().set(Selection{}, Origin::Timeline);
    else
        m_model.session().selection().set(hit, Origin::Timeline);
}

void TimelineView::setCalloutTool(bool on) {
    if (on == m_input.hasCalloutTool())
        return;
    m_input.setCalloutTool(on);
    if (on)
        viewport()->setCursor(Qt::CrossCursor);
    else
        viewport()->unsetCursor();
    Q_EMIT calloutToolChanged();
}

void TimelineView::fitAt(QPointF at) {
    selectAt(at);
    if (std::holds_alternative<LaneId>(m_model.at(toLanes(at))))
        if (const TimelineRow* row = m_model.rowAt(toLanes(at).y()); row != nullptr) {
            Q_EMIT calloutPlaceChosen(row->key, m_model.viewport().timeAt(toLanes(at).x()));
            return;
        }
    if (const auto range = m_model.selectedTime();
        range && !std::holds_alternative<std::monostate>(m_model.session().selection().current()))
        m_model.fit(*range, TimelineViewModel::kFitMargin);
}

// --- keys that are not commands

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double faster = (event->modifiers() & Qt::ShiftModifier) != 0 ? 4.0 : 1.0;
    switch (event->key()) {
    case Qt::Key_Space:
        m_input.setSpaceHeld(true);
        viewport()->setCursor(Qt::OpenHandCursor);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Left ? -1 : 1;
        if (const EventId now = m_model.session().selection().event(); now && faster == 1.0) {
            const Trace& trace = *m_model.trace(); // within the lane
            if (const auto next = direction > 0 ? nextInLane(trace, now) : previousInLane(trace, now))
                m_model.goTo(*next, Origin::Command);
        } else {
            m_model.panBy(direction * kArrowPanPx * faster);
        }
        return;
    }
    case Qt::Key_Up:
        m_model.scrollBy(-kArrowScrollPx * faster);
        return;
    case Qt::Key_Down:
        m_model.scrollBy(kArrowScrollPx * faster);
        return;
    case Qt::Key_Home:
        m_model.showWhole();
        return;
    case Qt::Key_PageUp:
        m_model.scrollBy(-m_model.area().height() * 0.9);
        return;
    case Qt::Key_PageDown:
        m_model.scrollBy(m_model.area().height() * 0.9);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_input.setSpaceHeld(false);
        viewport()->unsetCursor();
        return;
    }
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    const Qt::FocusReason reason = event->reason();
    m_focusRing =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    m_input.setSpaceHeld(false);
    viewport()->update();
}

// --- tooltip

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_pointer.reset();
        m_marks = {};
        viewport()->update();
        Q_EMIT cursorMoved();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport(),
                               QRect(help->pos(), QSize(1, 1)).adjusted(-2, -2, 2, 2));
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString TimelineView::tipAt(QPoint at) {
    if (m_model.trace() == nullptr)
        return {};
    if (at.x() < Measures::kHeadWidth) {
        const TimelineRow* row = at.y() < Measures::kRulerHeight ? nullptr : m_model.rowAt(toLanes(at).y());
        if (row == nullptr)
            return {};
        const QString recorded =
            row->recordedTitle.empty()
                ? QString()
                : u"<br>"_s + tr("recorded as %1").arg(text(row->recordedTitle)).toHtmlEscaped();
        const QString overlaps =
            row->kind == RowKind::Lane && row->stripCount > 1 &&
                    m_model.trace()->lane(row->lane).kind == LaneKind::GpuStream
                ? u"<br>⧉ "_s + tr("What overlaps other work of the stream stands below it")
                : QString();
        std::string whole = row->title; // the head leaves out what it has no room for
        for (const std::string& part : {row->subtitle, row->detail})
            if (!part.empty())
                whole.append(", ").append(part);
        return text(whole).toHtmlEscaped() + recorded + overlaps;
    }
    if (!lanesRect().contains(at))
        return {};
    const Selection hit = m_model.at(toLanes(at));
    if (const auto* event = std::get_if<EventId>(&hit))
        return eventTip(*event, toLanes(at));
    if (const auto* gap = std::get_if<GapId>(&hit))
        return gapTip(*gap);
    if (const auto cell = m_model.launchCellAt(toLanes(at)))
        return launchTip(*cell);
    return {};
}

// Launches beside how busy each device was in the same ms.
QString TimelineView::launchTip(const LaunchCell& cell) const {
    const TimeRange range = cell.range();
    QString tip =
        u"<b>"_s + tr("Launches in this ms: %1").arg(cell.launches) + u"</b><br>"_s + startText(range.begin);
    const Document* document = m_model.session().document(); // null while the file is read
    if (const GapAnalysis* gaps = document == nullptr ? nullptr : document->gaps.get())
        for (std::uint32_t d = 0; d < m_model.trace()->devices().size(); ++d)
            if (!gaps->deviceWindow({d}).isEmpty())
                tip += u"<br>"_s +
                       tr("GPU %1 busy %2 of it")
                           .arg(m_model.trace()->devices()[d].ordinal)
                           .arg(text(formatPercent(static_cast<double>(gaps->totals({d}, range).busyNs) /
                                                   static_cast<double>(kLaunchCellNs))));
    return cell.isDense() ? tip + u"<br>"_s + tr("dense: more than %1").arg(kDenseLaunches) : tip;
}

QString TimelineView::eventTip(EventId event, QPointF lanes) {
    const Trace& trace = *m_model.trace();
    const TimeRange range = trace.events().range(event);
    QString tip = u"<b>"_s + text(elideMiddle(trace.nameOf(event), 160)).toHtmlEscaped() + u"</b><br>"_s;
    const EventLook& look = m_model.look();
    if (const auto given = look.names.find(trace.nameOf(event)); given != look.names.end())
        tip += tr("named %1 by you").arg(text(given->second)).toHtmlEscaped() + u"<br>"_s;
    if (look.colourBy != ColourBy::Kind) {
        EventGroups groups(trace, look.colourBy);
        tip += text(groups.group(groups.groupOf(event)).title).toHtmlEscaped() + u"<br>"_s;
    }
    tip += text(formatDuration(range.length())) + u" · "_s + text(formatExact(range.length())) + u"<br>"_s +
           startText(range.begin);
    if (const TimelineRow* row = m_model.rowAt(lanes.y()))
        tip += u"<br>"_s + text(row->title).toHtmlEscaped();
    if (const auto cls = startUpClassOf(event); cls != findings::StartUpClass::None)
        tip += u"<br>"_s + tr("start-up: %1").arg(text(findings::startUpTitle(cls)));
    if (const Bar* bar = m_model.denseBarAt(lanes)) {
        const auto pixelNs = static_cast<std::int64_t>(std::llround(m_model.frame().viewport.nsPerPx));
        const auto busyNs =
            static_cast<std::int64_t>(std::llround(bar->coverage * static_cast<float>(pixelNs)));
        tip += u"<br>"_s +
               tr("%1 event(s) here, %2 busy of %3; this is the longest", nullptr, pluralOf(bar->count))
                   .arg(text(formatCount(bar->count)), text(formatDuration({busyNs})),
                        text(formatDuration({pixelNs})));
    }
    return tip;
}

// Of host rows that begin in the start-up of the trace.
findings::StartUpClass TimelineView::startUpClassOf(EventId event) const {
    const Trace& trace = *m_model.trace();
    const auto& region = m_model.startUp();
    const bool isInside = region && region->contains(trace.events().range(event).begin);
    return isInside && isHostLane(trace.lane(trace.laneOf(event)), {})
               ? findings::startUpClassOf(trace.nameOf(event))
               : findings::StartUpClass::None;
}

// In all digits, and what they count from when it is not the start of the trace.
QString TimelineView::startText(TimeNs begin) const {
    const TimeAxis& axis = m_model.axis();
    const QString starts = tr("starts %1").arg(text(exactTimeText(begin, axis)));
    return axis.base == TimeBase::TraceStart || axis.isWall() ? starts : starts + u", "_s + axisText(axis);
}

QString TimelineView::gapTip(GapId id) const {
    const GapAnalysis& gaps = *m_model.session().document()->gaps;
    const Gap& gap = gaps.gap(id);
    return u"<b>"_s + tr("GPU idle, %1").arg(term(classTitle(classOf(gap.cause)))).toHtmlEscaped() +
           u"</b><br>"_s + text(formatDuration(gap.length())) + u" · "_s + text(formatExact(gap.length())) +
           u"<br>"_s + startText(gap.range.begin) + u"<br>"_s + tr("rank %1, worst first").arg(gap.rank);
}

} // namespace lacuna::ui
