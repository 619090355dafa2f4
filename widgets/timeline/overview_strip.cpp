#include "widgets/timeline/overview_strip.h"

#include "core/base/text_format.h"
#include "core/search/search_hits.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kTop = 4, kStripBetween = 4;
constexpr double kStripPinRadius = 9;
constexpr double kWindowEdgePx = 5;         // an edge of the window is caught this far away
constexpr double kMinWindowPx = 6;          // a narrow view still shows as a window
constexpr double kOutsideShare = 0.5;       // strength of columns outside the view
constexpr std::size_t kManyRanges = 20'000; // a pass over them would be felt
constexpr double kLongColumnNs = 1'000;
constexpr double kKeyPanShare = 0.2; // of the view

// Adds the covered share of every column to `into`: each column is `perColumn` ns wide, the first starts at
// zero.
template <class Add>
void coverColumns(std::span<const TimeRange> ranges, TimeNs zero, double perColumn, std::size_t count,
                  Add add) {
    for (const TimeRange& range : ranges) {
        const double from = std::max(0.0, static_cast<double>((range.begin - zero).v) / perColumn);
        const double to =
            std::min(static_cast<double>(count), static_cast<double>((range.end - zero).v) / perColumn);
        for (auto c = static_cast<std::size_t>(from); c < count && static_cast<double>(c) < to; ++c) {
            const double part =
                std::min(to, static_cast<double>(c + 1)) - std::max(from, static_cast<double>(c));
            if (part > 0)
                add(c, static_cast<float>(part));
        }
    }
}

} // namespace

OverviewStrip::OverviewStrip(TimelineViewModel& model, const ThemePalette& palette, const FigureFonts& fonts,
                             QWidget* parent)
    : QWidget(parent), m_model(model), m_palette(palette), m_fonts(fonts) {
    setObjectName(QStringLiteral("overview"));
    setLayoutDirection(Qt::LeftToRight); // time is not mirrored
    setAccessibleName(tr("Overview"));
    setAccessibleDescription(tr("GPU activity and idle share of the whole trace; arrow keys move the view."));
    setFixedHeight(Measures::kMinimapBlock);
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&model, &TimelineViewModel::viewChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &TimelineViewModel::searchChanged, this, qOverload<>(&QWidget::update));
    for (const auto signal : {&AnalysisSession::documentChanged, &AnalysisSession::previewChanged})
        connect(&model.session(), signal, this, [this] {
            m_valid = false;
            update();
        });
}

void OverviewStrip::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

QSize OverviewStrip::sizeHint() const {
    return {900, Measures::kMinimapBlock};
}

QRectF OverviewStrip::stripsRect() const {
    return QRectF(Measures::kHeadWidth, kTop, std::max(1, width() - Measures::kHeadWidth),
                  Measures::kMinimapActivity + kStripBetween + Measures::kMinimapIdle);
}

double OverviewStrip::xOf(TimeNs t) const {
    const TimeRange extent = m_model.extent();
    return stripsRect().left() + stripsRect().width() * static_cast<double>((t - extent.begin).v) /
                                     static_cast<double>(extent.length().v);
}

TimeNs OverviewStrip::timeAt(double x) const {
    const TimeRange extent = m_model.extent();
    const double share = (x - stripsRect().left()) / stripsRect().width();
    return extent.begin + DurationNs{static_cast<std::int64_t>(
                              std::llround(share * static_cast<double>(extent.length().v)))};
}

QRectF OverviewStrip::windowRect() const {
    const TimeRange view = m_model.viewport().range();
    double left = std::max(stripsRect().left(), xOf(view.begin));
    double right = std::min(stripsRect().right(), xOf(view.end));
    if (right - left < kMinWindowPx) {
        const double middle = std::clamp((left + right) / 2, stripsRect().left() + kMinWindowPx / 2,
                                         stripsRect().right() - kMinWindowPx / 2);
        left = middle - kMinWindowPx / 2;
        right = middle + kMinWindowPx / 2;
    }
    return {left, kTop - 2, right - left, stripsRect().height() + 4};
}

void OverviewStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_valid = false;
}

const std::vector<OverviewStrip::ColumnShare>& OverviewStrip::columns() {
    if (!m_valid)
        computeColumns();
    return m_columns;
}

void OverviewStrip::computeColumns() {
    m_valid = true;
    m_pictures = {};
    m_columns.assign(static_cast<std::size_t>(std::lround(stripsRect().width())), {});
    m_pins.clear();
    const Document* document = m_model.session().shown();
    if (document == nullptr)
        return;
    if (document->gaps != nullptr)
        m_pins = topPins(*document->gaps);
    float devices = 0;
    for (std::size_t d = 0; d < document->busy.size(); ++d) {
        if (document->busy[d].ops == 0)
            continue;
        addDevice(document->busy[d], document->covered[d].busy);
        devices += 1;
    }
    for (ColumnShare& column : m_columns) {
        column.busy /= std::max(1.0f, devices);
        column.idle = std::max(0.0f, column.idle / std::max(1.0f, devices));
    }
}

void OverviewStrip::addDevice(const DeviceBusy& device, const CoveredTime& busy) {
    const TimeRange extent = m_model.extent();
    const double perColumn = static_cast<double>(extent.length().v) / static_cast<double>(m_columns.size());
    const auto over = [&](std::span<const TimeRange> ranges, auto add) {
        coverColumns(ranges, extent.begin, perColumn, m_columns.size(), add);
    };
    const auto addBusy = [this](std::size_t c, float part) {
        m_columns[c].busy += part;
        m_columns[c].idle -= part;
    };
    if (device.busy.ranges().size() < kManyRanges || perColumn < kLongColumnNs) {
        over(device.busy.ranges(), addBusy);
    } else {
        const auto busyUntil = [&](std::size_t column) { // exact to the nanosecond of the edge
            return busy.before(extent.begin +
                               DurationNs{std::llround(static_cast<double>(column) * perColumn)});
        };
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const auto ns = static_cast<double>(busyUntil(c + 1) - busyUntil(c));
            addBusy(c, static_cast<float>(ns / perColumn));
        }
    }
    if (m_model.session().isPreview())
        return; // what looks idle may still be filled
    over(std::span(&device.span, 1), [this](std::size_t c, float part) {
        m_columns[c].idle += part;
        m_columns[c].edge = false;
    });
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.fillRect(rect(), m_palette.color(Ink::Window));
    if (m_model.trace() == nullptr)
        return;
    paintHeads(painter);
    paintColumns(painter);
    paintHits(painter);
    paintPins(painter);
    const QRectF window = windowRect();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_palette.color(Ink::Selection), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(1, 1, -1, -1));
    for (const double x : {window.left(), window.right()}) // handles
        painter.fillRect(QRectF(x - 2, window.center().y() - 6, 4, 12), m_palette.color(Ink::Selection));
    painter.fillRect(QRectF(0, height() - 1, width(), 1), m_palette.color(Ink::Border));
    if (hasFocus()) {
        painter.setPen(QPen(m_palette.color(Ink::Selection), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
    }
}

void OverviewStrip::paintHeads(QPainter& painter) const {
    const TimeRange extent = m_model.extent();
    const QRectF activity(12, kTop, Measures::kHeadWidth - 24, Measures::kMinimapActivity);
    painter.setFont(uiFont(Face::Regular, 12));
    painter.setPen(m_palette.color(Ink::TextSecondary));
    painter.drawText(activity, Qt::AlignLeft | Qt::AlignVCenter, tr("GPU activity"));
    painter.drawText(activity, Qt::AlignRight | Qt::AlignVCenter,
                     QString(u"0 – "_s + text(formatDuration(extent.length()))));
    painter.drawText(activity.translated(0, Measures::kMinimapActivity + kStripBetween),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("idle share"));
}

// The strips with one strength for all columns; the painter's origin is their top left corner.
void OverviewStrip::paintStrips(QPainter& painter, bool isInside) {
    const QRgb ground = m_palette.ink(Ink::Ground);
    const double width = stripsRect().width(), idleTop = Measures::kMinimapActivity + kStripBetween;
    painter.fillRect(QRectF(0, 0, width, Measures::kMinimapActivity), ground);
    painter.fillRect(QRectF(0, idleTop, width, Measures::kMinimapIdle), ground);
    const auto strength = [&](Ink ink) {
        return isInside ? m_palette.ink(ink) : mixed(m_palette.ink(ink), ground, kOutsideShare);
    };
    const QRgb kernel = strength(Ink::Kernel), gap = strength(Ink::Gap);
    // Neighbours of one height are one rectangle.
    const auto paint = [&](QRgb ink, double bottom, double height, const auto& shareOf) {
        const auto heightAt = [&](const auto& column) {
            const auto share = static_cast<double>(std::min(shareOf(column), 1.0f));
            return share <= 0 ? 0.0 : std::max(1.0, std::round(height * share));
        };
        const auto& all = columns();
        for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
            const double h = heightAt(all[first]);
            for (last = first + 1; last < all.size() && heightAt(all[last]) == h;)
                ++last;
            if (h > 0)
                painter.fillRect(
                    QRectF(static_cast<double>(first), bottom - h, static_cast<double>(last - first), h),
                    ink);
        }
    };
    paint(kernel, Measures::kMinimapActivity, Measures::kMinimapActivity,
          [](const auto& column) { return column.busy; });
    paint(gap, idleTop + Measures::kMinimapIdle, Measures::kMinimapIdle,
          [](const auto& column) { return column.idle; });
}

// Both strengths as pictures: some thousand fills, which only another trace, width or theme changes.
const std::array<QImage, 2>& OverviewStrip::stripPictures() {
    const double ratio = devicePixelRatioF();
    columns();
    if (!m_pictures[0].isNull() && m_picturesRatio == ratio && m_picturesTheme == m_palette.theme())
        return m_pictures;
    m_picturesRatio = ratio;
    m_picturesTheme = m_palette.theme();
    const QSizeF size = stripsRect().size() * ratio;
    for (std::size_t i = 0; i < m_pictures.size(); ++i) {
        m_pictures[i] = QImage(
            QSize(static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height()))),
            QImage::Format_RGB32);
        m_pictures[i].setDevicePixelRatio(ratio);
        m_pictures[i].fill(m_palette.ink(Ink::Window));
        QPainter painter(&m_pictures[i]);
        paintStrips(painter, i == 1);
    }
    return m_pictures;
}

// Pale, and strong in the window: columns that it touches.
void OverviewStrip::paintColumns(QPainter& painter) {
    const QRectF strips = stripsRect(), window = windowRect();
    const double first = std::floor(window.left() - strips.left()),
                 end = std::ceil(window.right() - strips.left());
    const QRectF inside(strips.left() + first, strips.top(), end - first, strips.height());
    if (const double ratio = devicePixelRatioF(); ratio == std::floor(ratio)) {
        const auto& [pale, strong] = stripPictures();
        painter.drawImage(strips.topLeft(), pale);
        const QRectF part(QPointF(first, 0) * ratio, inside.size() * ratio);
        painter.drawImage(inside, strong, part);
    } else { // columns share pixels
        for (const bool isInside : {false, true}) {
            painter.save();
            if (isInside)
                painter.setClipRect(inside);
            painter.translate(strips.topLeft());
            paintStrips(painter, isInside);
            painter.restore();
        }
    }
    const QRectF idleStrip(strips.left(), strips.top() + Measures::kMinimapActivity + kStripBetween,
                           strips.width(), Measures::kMinimapIdle);
    const auto& all = columns();
    std::size_t firstInner = all.size(), lastInner = 0;
    for (std::size_t c = 0; c < all.size(); ++c)
        if (!all[c].edge) {
            firstInner = std::min(firstInner, c);
            lastInner = c + 1;
        }
    if (m_model.session().isPreview())
        return; // which parts are edges is not known yet
    // Before the first and after the last operation nothing is idle: these parts are edges.
    painter.setFont(uiFont(Face::Regular, 11));
    painter.setPen(m_palette.color(Ink::TextSecondary));
    const auto edge = [&](double left, double right) {
        if (right <= left)
            return;
        const QRectF part(left, idleStrip.top(), right - left, idleStrip.height());
        painter.fillRect(part, m_palette.color(Ink::Window));
        if (part.width() > 40)
            painter.drawText(part, Qt::AlignCenter, tr("edge"));
    };
    edge(strips.left(), strips.left() + static_cast<double>(std::min(firstInner, all.size())));
    if (lastInner > 0)
        edge(strips.left() + static_cast<double>(lastInner), strips.right());
}

QPointF OverviewStrip::pinCentre(GapId gap) const {
    const Document* document = m_model.session().document();
    if (document == nullptr)
        return {};
    const TimeRange range = document->gaps->gap(gap).range;
    const QRectF strips = stripsRect();
    const double x = std::clamp((xOf(range.begin) + xOf(range.end)) / 2, strips.left() + kStripPinRadius,
                                strips.right() - kStripPinRadius);
    return {x, strips.bottom() - Measures::kMinimapIdle / 2.0};
}

void OverviewStrip::paintPins(QPainter& painter) const {
    for (auto pin = m_pins.rbegin(); pin != m_pins.rend(); ++pin) { // number 1 on top
        const QPointF centre = pinCentre(pin->gap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(
            m_palette.color(Ink::Ground)); // a ring of air, so that it stands out of a red column
        painter.drawEllipse(centre, kStripPinRadius + 1.5, kStripPinRadius + 1.5);
        paintPin(painter, centre, kStripPinRadius, pin->number, m_palette, m_fonts);
    }
}

// Where a search has hits: lines between the strips, at least two pixels wide so that one hit can be seen.
void OverviewStrip::paintHits(QPainter& painter) const {
    const SearchHits* hits = m_model.searchHits();
    if (hits == nullptr || hits->isEmpty() || hits->trace().get() != m_model.trace())
        return;
    constexpr double kHitWidth = 2;
    const QRectF strips = stripsRect();
    const double perColumn = strips.width() / static_cast<double>(SearchHits::kColumns);
    double painted = -kHitWidth;
    for (std::size_t c = 0; c < SearchHits::kColumns; ++c) {
        const double x = std::floor(static_cast<double>(c) * perColumn);
        if (!hits->columns().test(c) || x < painted + 1)
            continue;
        painted = x;
        painter.fillRect(
            QRectF(strips.left() + x, strips.top() + Measures::kMinimapActivity, kHitWidth, kStripBetween),
            m_palette.color(Ink::Selection));
    }
}

// --- pointer and keys

OverviewStrip::Drag OverviewStrip::partAt(QPointF at) const {
    const QRectF window = windowRect();
    const double toLeft = std::abs(at.x() - window.left()), toRight = std::abs(at.x() - window.right());
    if (std::min(toLeft, toRight) <= std::min(kWindowEdgePx, window.width() / 3))
        return toLeft <= toRight ? Drag::Left : Drag::Right;
    return window.contains(at.x(), window.center().y()) ? Drag::Window : Drag::None;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_model.trace() == nullptr ||
        event->position().x() < Measures::kHeadWidth)
        return;
    const QPointF at = event->position();
    columns(); // pins
    for (const GapPin& pin : m_pins) {
        const QPointF way = at - pinCentre(pin.gap);
        if (std::hypot(way.x(), way.y()) <= kStripPinRadius) {
            Q_EMIT gapClicked(pin.gap);
            return;
        }
    }
    m_drag = partAt(at);
    m_dragged = m_model.viewport().range();
    const QRectF window = windowRect();
    m_grab = at.x() - window.left();
    if (m_drag == Drag::None) { // jump there, then the window follows the pointer
        m_drag = Drag::Window;
        m_grab = window.width() / 2;
        moveTo(at.x());
    }
}

void OverviewStrip::moveTo(double x) {
    const TimeNs begin = timeAt(x - m_grab);
    m_model.setRange({begin, begin + m_dragged.length()}, true);
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_drag == Drag::None) {
        const Drag part = x < Measures::kHeadWidth ? Drag::None : partAt(event->position());
        setCursor(part == Drag::Left || part == Drag::Right ? Qt::SizeHorCursor
                  : part == Drag::Window                    ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    if (m_drag == Drag::Window) {
        moveTo(x);
        return;
    }
    TimeRange range = m_dragged;
    (m_drag == Drag::Left ? range.begin : range.end) = timeAt(x);
    if (range.end < range.begin)
        std::swap(range.begin, range.end);
    if (!range.isEmpty())
        m_model.setRange(range, true);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*) {
    m_drag = Drag::None;
}

void OverviewStrip::keyPressEvent(QKeyEvent* event) {
    const double step = m_model.area().width() * kKeyPanShare;
    if (event->key() == Qt::Key_Left)
        m_model.panBy(-step);
    else if (event->key() == Qt::Key_Right)
        m_model.panBy(step);
    else
        QWidget::keyPressEvent(event);
}

bool OverviewStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_model.trace() == nullptr)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double x = help->pos().x() - stripsRect().left();
    const auto& all = columns();
    if (x < 0 || x >= static_cast<double>(all.size())) {
        QToolTip::hideText();
        return true;
    }
    const ColumnShare& column = all[static_cast<std::size_t>(x)];
    const QString place = text(formatDuration({timeAt(help->pos().x()).v}));
    const QString tip = column.edge ? tr("%1: before the first or after the last operation").arg(place)
                                    : tr("%1: busy %2, idle %3 of this pixel's time")
                                          .arg(place, text(formatPercent(static_cast<double>(column.busy))),
                                               text(formatPercent(static_cast<double>(column.idle))));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace lacuna::ui
