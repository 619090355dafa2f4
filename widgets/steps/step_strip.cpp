#include "widgets/steps/step_strip.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/hatch.h"
#include "widgets/timeline/timeline_renderer.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr int kRow = 20;
constexpr double kHatchSpacing = 5, kLabelPad = 5, kLeastScheduleCell = 70, kLeastShown = 1;

struct CellLook {
    Ink ink = Ink::TextSecondary; // of the frame and the hatch
    double fill = 0;              // share of the ink in the ground
    Hatch hatch = Hatch::None;
    bool isDotted = false;
    Ink label = Ink::Text;
};

CellLook lookOf(ScheduleCell::State state) {
    switch (state) {
    case ScheduleCell::State::Active:
    case ScheduleCell::State::Recorded:
        return {Ink::Range, 0.45, Hatch::None, false, Ink::Text};
    case ScheduleCell::State::WarmUp:
        return {Ink::Range, 0, Hatch::Slash, false, Ink::Text};
    case ScheduleCell::State::Outside:
        return {Ink::TextSecondary, 0, Hatch::None, true, Ink::TextSecondary};
    case ScheduleCell::State::Skipped:
    case ScheduleCell::State::Wait:
    case ScheduleCell::State::NotRecorded:
        break;
    }
    return {Ink::Border, 0, Hatch::None, false, Ink::TextSecondary};
}

CellLook lookOf(StepCell::State state) {
    switch (state) {
    case StepCell::State::StartUp:
        return {Ink::TextSecondary, 0, Hatch::None, true, Ink::TextSecondary};
    case StepCell::State::WarmUp:
        return {Ink::Range, 0, Hatch::Slash, false, Ink::Text};
    case StepCell::State::Unusual:
        return {Ink::Gap, 0.2, Hatch::Backslash, false, Ink::Text};
    case StepCell::State::Candidate:
        return {Ink::Annotation, 0, Hatch::None, true, Ink::Text};
    case StepCell::State::Measured:
        break;
    }
    return {Ink::Range, 0.25, Hatch::None, false, Ink::Text};
}

void paintCell(QPainter& painter, const QRectF& rect, const CellLook& look, const ThemePalette& palette) {
    const QRgb ground = palette.ink(Ink::Ground), ink = palette.ink(look.ink);
    painter.fillRect(rect, QColor::fromRgb(mixed(ink, ground, look.fill)));
    if (look.hatch != Hatch::None) {
        painter.setPen(QPen(QColor::fromRgb(mixed(ink, ground, 0.5)), 1));
        const auto lines = hatchLines(rect, look.hatch, kHatchSpacing);
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    painter.setPen(QPen(QColor::fromRgb(ink), 1));
    painter.setBrush(Qt::NoBrush);
    if (look.isDotted) {
        const auto lines = dottedFrame(rect);
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    } else if (rect.width() >= 2) {
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

// A label of fewer letters tells nothing.
double leastLabel(const QFontMetricsF& metrics) {
    constexpr int kLeastLetters = 3;
    return metrics.averageCharWidth() * kLeastLetters;
}

// A row of steps where the document has some; one of the schedule when the profiler's first is not step 0.
int expectedRows(const Document& document) {
    const Steps& steps = document.steps;
    if (steps.events.empty())
        return 0;
    const bool hasEarlier = steps.source == "ProfilerStep" &&
                            !document.trace().nameOf(steps.events.front()).ends_with("ProfilerStep#0");
    return hasEarlier ? 2 : 1;
}

} // namespace

StepStrip::StepStrip(StepStudy& study, const ThemePalette& palette, QWidget* parent)
    : QWidget(parent), m_study(study), m_palette(palette) {
    setObjectName(u"stepStrip"_s);
    setLayoutDirection(Qt::LeftToRight); // time is not mirrored
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&study, &StepStudy::changed, this, &StepStrip::rebuild);
    connect(&study, &StepStudy::currentChanged, this, qOverload<>(&QWidget::update));
    // Not at every change of the timeline's picture: only the view tells where a step stands.
    connect(&study.view(), &TimelineViewModel::viewChanged, this, qOverload<>(&QWidget::update));
    rebuild();
}

void StepStrip::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void StepStrip::setOn(bool on) {
    m_isOn = on;
    showSelf();
}

void StepStrip::rebuild() {
    const StepFacts* facts = m_study.facts();
    m_schedule = facts == nullptr ? std::vector<ScheduleCell>() : scheduleCells(*facts);
    m_steps = facts == nullptr ? std::vector<StepCell>() : stepCells(*facts);
    m_widths.clear();
    for (const ScheduleCell& cell : m_schedule)
        m_widths.push_back(cell.isOpenEnd ? 2 : cell.last - cell.first + 1);
    if (m_place && m_place->cell >= cellsIn(m_place->row))
        m_place.reset();
    showSelf();
    describe();
    update();
}

void StepStrip::showSelf() {
    const int found = (m_schedule.empty() ? 0 : 1) + (m_steps.empty() ? 0 : 1);
    const Document* document = m_study.view().session().document();
    // While steps are looked for, their place is kept, so that the lanes do not move when they are there.
    const int rows = m_study.facts() == nullptr && document != nullptr ? expectedRows(*document) : found;
    setFixedHeight(rows * kRow + 1);
    setVisible(m_isOn && rows != 0);
}

// ---- where things stand

int StepStrip::rowTop(int row) const {
    return row == 1 && !m_schedule.empty() ? kRow : 0;
}

QRectF StepStrip::scheduleRect(std::size_t cell) const {
    if (cell >= m_schedule.size())
        return {};
    const double all = m_study.view().area().width();
    const auto count = static_cast<double>(m_schedule.size());
    const double least = std::min(kLeastScheduleCell, all / count); // numbers are printed: no axis
    std::uint64_t steps = 0, before = 0;
    for (std::size_t c = 0; c < m_widths.size(); ++c) {
        before += c < cell ? m_widths[c] : 0;
        steps += m_widths[c];
    }
    const double perStep = (all - least * count) / static_cast<double>(steps);
    const double left = std::round(least * static_cast<double>(cell) + perStep * static_cast<double>(before));
    const double right = std::round(least * static_cast<double>(cell + 1) +
                                    perStep * static_cast<double>(before + m_widths[cell]));
    return {Measures::kHeadWidth + left, 2.0 + rowTop(0), right - left - 2, kRow - 3.0};
}

QRectF StepStrip::stepRect(std::size_t cell) const {
    if (cell >= m_steps.size())
        return {};
    const Viewport& view = m_study.view().viewport();
    const double width = m_study.view().area().width();
    const double from = std::clamp(view.xOf(m_steps[cell].range.begin), 0.0, width);
    const double to = std::clamp(view.xOf(m_steps[cell].range.end), 0.0, width);
    if (to - from < kLeastShown && !(view.range().contains(m_steps[cell].range.begin)))
        return {};
    return {Measures::kHeadWidth + std::round(from), 1.0 + rowTop(1),
            std::max(kLeastShown, std::round(to) - std::round(from)), kRow - 2.0};
}

QRectF StepStrip::rectOf(const Place& place) const {
    return place.row == 0 ? scheduleRect(place.cell) : stepRect(place.cell);
}

std::optional<StepStrip::Place> StepStrip::placeAt(QPointF at) const {
    if (at.x() < Measures::kHeadWidth)
        return std::nullopt;
    if (!m_schedule.empty() && at.y() < kRow) {
        for (std::size_t c = 0; c < m_schedule.size(); ++c)
            if (scheduleRect(c).contains(at))
                return Place{0, c};
        return std::nullopt;
    }
    // The last that begins before the pointer; the start-up, which others may cover, stands first.
    const TimeNs t = m_study.view().viewport().timeAt(at.x() - Measures::kHeadWidth);
    const bool hasStartUp = !m_steps.empty() && m_steps.front().state == StepCell::State::StartUp;
    const auto first = m_steps.begin() + (hasStartUp ? 1 : 0);
    auto next = std::upper_bound(first, m_steps.end(), t,
                                 [](TimeNs time, const StepCell& cell) { return time < cell.range.begin; });
    if (next != first && std::prev(next)->range.contains(t))
        return Place{1, static_cast<std::size_t>(std::prev(next) - m_steps.begin())};
    if (hasStartUp && m_steps.front().range.contains(t))
        return Place{1, 0};
    return std::nullopt;
}

// ---- words

QString StepStrip::labelOf(const Place& place) const {
    return place.row == 0 ? m_schedule[place.cell].label : stepLabel(*m_study.facts(), m_steps[place.cell]);
}

QString StepStrip::tipOf(const Place& place) const {
    return place.row == 0 ? m_schedule[place.cell].tip : stepTip(*m_study.facts(), m_steps[place.cell]);
}

QString StepStrip::tipAt(QPointF at) const {
    if (const auto place = placeAt(at))
        return tipOf(*place);
    if (at.x() >= Measures::kHeadWidth)
        return {};
    if (!m_schedule.empty() && at.y() < kRow)
        return tr("The profiler's schedule, by number of step.\nfilled: recorded (active); hatched: the "
                  "profiler warms up; frame: waits, skipped or not recorded; dotted: outside the schedule;\n"
                  "▲ the application warms up, by its times.\nClick to tell the schedule.");
    return m_study.facts() != nullptr && m_study.facts()->times.steps.empty()
               ? tr("Repeats that may be steps, not confirmed (dotted). Click to say what they are.")
               : tr("Steps over the time of the lanes.\ndotted: start-up; hatched: warm-up of the "
                    "application; filled: measured; counter-hatched: unusual.");
}

void StepStrip::describe() {
    setAccessibleName(tr("Schedule and steps"));
    setAccessibleDescription(m_place ? labelOf(*m_place) + u". "_s + tipOf(*m_place)
                                     : tr("Arrow keys move among the cells, Enter goes to one."));
}

// ---- painting

void StepStrip::paintHead(QPainter& painter, int row, const QString& title, const QString& detail) const {
    const QRectF head(12, rowTop(row), Measures::kHeadWidth - 24, kRow);
    painter.setFont(uiFont(Face::Regular, 12));
    painter.setPen(m_palette.color(Ink::TextSecondary));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, title);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, detail);
}

void StepStrip::paintLabel(QPainter& painter, const QRectF& rect, const QString& label, Ink ink,
                           bool isHatched) const {
    const QRectF room = rect.adjusted(kLabelPad, 0, -kLabelPad, 0);
    const QFontMetricsF metrics(painter.font());
    if (room.width() < leastLabel(metrics))
        return;
    const double width = metrics.horizontalAdvance(label);
    if (isHatched) // clear of the lines behind it
        painter.fillRect(
            QRectF(room.left() - 2, rect.top() + 2, std::min(width, room.width()) + 4, rect.height() - 4),
            m_palette.color(Ink::Ground));
    painter.setPen(m_palette.color(ink));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(label, Qt::ElideRight, room.width()));
}

void StepStrip::paintSchedule(QPainter& painter) const {
    const bool isTold = m_study.facts()->schedule.has_value();
    paintHead(painter, 0, tr("Schedule"), isTold ? tr("as told") : tr("not told"));
    painter.setFont(uiFont(Face::Regular, 11.5));
    for (std::size_t c = 0; c < m_schedule.size(); ++c) {
        const ScheduleCell& cell = m_schedule[c];
        const QRectF rect = scheduleRect(c);
        const CellLook look = lookOf(cell.state);
        paintCell(painter, rect, look, m_palette);
        paintLabel(painter, rect, cell.label, look.label, look.hatch != Hatch::None);
        const auto steps = static_cast<double>(m_widths[c]);
        for (const std::uint64_t number : cell.warmUpMarks) { // a triangle on the foot of the cell
            const double x =
                rect.left() + rect.width() * (static_cast<double>(number - cell.first) + 0.5) / steps;
            const QPointF corners[] = {
                {x - 4, rect.bottom()}, {x + 4, rect.bottom()}, {x, rect.bottom() - 7}};
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_palette.color(Ink::Text));
            painter.drawPolygon(corners, 3);
        }
    }
}

void StepStrip::paintSteps(QPainter& painter) const {
    const StepFacts& facts = *m_study.facts();
    const std::size_t all = facts.times.steps.size();
    if (all == 0)
        paintHead(painter, 1, tr("Candidate steps"), tr("unconfirmed"));
    else
        paintHead(painter, 1, facts.isConfirmedPattern() ? text(facts.times.meaning) : tr("Measured steps"),
                  facts.times.warmUps == 0 ? text(std::to_string(all))
                                           : tr("%1 of %2").arg(facts.times.measured().size()).arg(all));
    painter.setFont(uiFont(Face::Regular, 11.5));
    const double least = leastLabel(QFontMetricsF(painter.font())) + 2 * kLabelPad;
    const TimeRange view = m_study.view().viewport().range();
    // Those before the view are passed over; the first cell may be the start-up, which is out of order.
    auto cell = std::lower_bound(m_steps.begin() + 1, m_steps.end(), view.begin,
                                 [](const StepCell& one, TimeNs t) { return one.range.end < t; });
    double painted = -1;
    const auto paint = [&](std::size_t c) {
        const QRectF rect = stepRect(c);
        if (rect.isEmpty() || rect.right() <= painted)
            return;
        painted = rect.right();
        const CellLook look = lookOf(m_steps[c].state);
        paintCell(painter, rect, look, m_palette);
        if (rect.width() >= least) // of thousands of narrow ones no text is made
            paintLabel(painter, rect, stepLabel(facts, m_steps[c]), look.label, look.hatch != Hatch::None);
        if (m_steps[c].state != StepCell::State::Candidate && m_steps[c].state != StepCell::State::StartUp &&
            m_study.current() == m_steps[c].number)
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2),
                             m_palette.color(Ink::Selection));
    };
    paint(0);
    painted = m_steps.front().state == StepCell::State::StartUp ? -1 : painted;
    for (; cell != m_steps.end() && cell->range.begin < view.end; ++cell)
        paint(static_cast<std::size_t>(cell - m_steps.begin()));
}

void StepStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.fillRect(rect(), m_palette.color(Ink::Window));
    painter.fillRect(QRectF(Measures::kHeadWidth, 0, width() - Measures::kHeadWidth, height()),
                     m_palette.color(Ink::Ground));
    if (m_study.facts() == nullptr)
        return;
    if (!m_schedule.empty())
        paintSchedule(painter);
    if (!m_steps.empty())
        paintSteps(painter);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), m_palette.color(Ink::Border));
    if (!hasFocus())
        return;
    painter.setPen(QPen(m_palette.color(Ink::Selection), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -1.5));
    if (m_place)
        if (const QRectF at = rectOf(*m_place); !at.isEmpty())
            strokeInside(painter, at, 2, m_palette.ink(Ink::Selection));
}

// ---- pointer and keys

void StepStrip::activate(const Place& place) {
    m_place = place;
    describe();
    update();
    if (place.row == 0) {
        if (m_schedule[place.cell].step)
            m_study.goTo(*m_schedule[place.cell].step);
        else
            Q_EMIT panelRequested();
        return;
    }
    const StepCell& cell = m_steps[place.cell];
    if (cell.state == StepCell::State::StartUp || cell.state == StepCell::State::Candidate)
        m_study.show(cell.range);
    else
        m_study.goTo(cell.number);
}

void StepStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_study.facts() == nullptr)
        return;
    if (const auto place = placeAt(event->position()))
        activate(*place);
    else if (event->position().x() < Measures::kHeadWidth)
        Q_EMIT panelRequested();
}

void StepStrip::move(int cells) {
    if (!m_place) {
        m_place = Place{m_steps.empty() ? 0 : 1, 0};
    } else {
        const auto last = static_cast<long long>(cellsIn(m_place->row)) - 1;
        m_place->cell = static_cast<std::size_t>(
            std::clamp(static_cast<long long>(m_place->cell) + cells, 0LL, std::max(0LL, last)));
    }
}

void StepStrip::changeRow() {
    if (!m_schedule.empty() && !m_steps.empty())
        m_place = Place{m_place ? 1 - m_place->row : 0, 0};
}

void StepStrip::keyPressEvent(QKeyEvent* event) {
    if (m_study.facts() == nullptr)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        move(-1);
        break;
    case Qt::Key_Right:
        move(1);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        changeRow();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_place)
            activate(*m_place);
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    describe();
    update();
}

void StepStrip::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_place && !isEmpty())
        move(0);
    describe();
    update();
}

bool StepStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()).toHtmlEscaped().replace(u'\n', u"<br>"_s), this);
    return true;
}

} // namespace lacuna::ui
