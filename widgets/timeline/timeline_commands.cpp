#include "widgets/timeline/timeline_commands.h"

#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "core/view/arrows.h"
#include "widgets/command/command_registry.h"
#include "widgets/session/analysis_session.h"
#include "widgets/tables/gap_table_model.h"
#include "widgets/text.h"
#include "widgets/timeline/callouts.h"
#include "widgets/timeline/timeline_view.h"

#include <QMenu>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {
constexpr double kZoomStep = 1.25, kZoomFast = 2.5;
constexpr double kPanPx = 60.0, kPanFastPx = 240.0;
} // namespace

TimelineCommands::TimelineCommands(TimelineView& view, Callouts& callouts, AnalysisSession& session,
                                   CommandRegistry& registry)
    : QObject(&view), m_view(view), m_model(view.model()), m_callouts(callouts), m_session(session) {
    addMovement(registry);
    addWalks(registry);
    addArrows(registry);
    addAnnotations(registry);
}

void TimelineCommands::addMovement(CommandRegistry& registry) {
    const auto open = [this] { return m_session.shown() != nullptr; };
    const auto selected = [this] { return m_model.selectedTime().has_value(); };
    const QString group = tr("Move");
    const auto move = [&](const QString& id, const QString& title, QList<QKeySequence> keys, auto run) {
        registry.add({id, group, title, std::move(keys), run, open, nullptr, true, {}});
    };
    const auto zoom = [this](double factor) { m_model.zoomAt(factor, m_view.zoomAnchor()); };
    move(u"timeline.zoomIn"_s, tr("Zoom &in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal},
         [zoom] { zoom(kZoomStep); });
    move(u"timeline.zoomOut"_s, tr("Zoom &out"), {Qt::Key_S, Qt::Key_Minus}, [zoom] { zoom(1 / kZoomStep); });
    move(u"timeline.zoomInFast"_s, tr("Zoom in faster"), {QKeySequence(Qt::SHIFT | Qt::Key_W)},
         [zoom] { zoom(kZoomFast); });
    move(u"timeline.zoomOutFast"_s, tr("Zoom out faster"), {QKeySequence(Qt::SHIFT | Qt::Key_Minus)},
         [zoom] { zoom(1 / kZoomFast); }); // Shift+S is ranges.alike, which zooms where no range is marked
    move(u"timeline.panLeft"_s, tr("Move &left"), {Qt::Key_A}, [this] { m_model.panBy(-kPanPx); });
    move(u"timeline.panRight"_s, tr("Move &right"), {Qt::Key_D}, [this] { m_model.panBy(kPanPx); });
    move(u"timeline.panLeftFast"_s, tr("Move left faster"), {QKeySequence(Qt::SHIFT | Qt::Key_A)},
         [this] { m_model.panBy(-kPanFastPx); });
    move(u"timeline.panRightFast"_s, tr("Move right faster"), {QKeySequence(Qt::SHIFT | Qt::Key_D)},
         [this] { m_model.panBy(kPanFastPx); });
    registry.add({u"timeline.focusSelection"_s,
                  group,
                  tr("Centre the selection, again: &fit it"),
                  {Qt::Key_F},
                  [this] { m_model.focusSelection(); },
                  selected,
                  nullptr,
                  false,
                  {}});
    registry.add({u"timeline.showWhole"_s,
                  group,
                  tr("&Whole trace"),
                  {Qt::Key_0},
                  [this] { m_model.showWhole(); },
                  open,
                  nullptr,
                  false,
                  {}});
    registry.add({u"timeline.back"_s,
                  group,
                  tr("View &back"),
                  {QKeySequence(Qt::ALT | Qt::Key_Left), Qt::Key_Backspace},
                  [this] { m_model.goBack(); },
                  [this] { return m_model.canGoBack(); },
                  nullptr,
                  true,
                  {}});
    registry.add({u"timeline.forward"_s,
                  group,
                  tr("View f&orward"),
                  {QKeySequence(Qt::ALT | Qt::Key_Right)},
                  [this] { m_model.goForward(); },
                  [this] { return m_model.canGoForward(); },
                  nullptr,
                  true,
                  {}});
    registry.add({u"timeline.escape"_s,
                  group,
                  tr("Drop the selection, then the range"),
                  {Qt::Key_Escape},
                  [this] { escape(); },
                  open,
                  nullptr,
                  false,
                  {}});
}

void TimelineCommands::addWalks(CommandRegistry& registry) {
    const auto open = [this] { return m_session.shown() != nullptr; };
    const auto walk = [&](const QString& id, const QString& group, const QString& title, QKeySequence key,
                          auto target) {
        registry.add({id,
                      group,
                      title,
                      {key},
                      [this, target] { go(target()); },
                      [this, target, open] { return open() && target().has_value(); },
                      nullptr,
                      true,
                      {}});
    };
    const QString gaps = tr("Gaps"), events = tr("Events");
    walk(u"gaps.next"_s, gaps, tr("Next &gap, worst first"), Qt::Key_G, [this] { return gapByRank(1); });
    walk(u"gaps.previous"_s, gaps, tr("Previous g&ap, worst first"), QKeySequence(Qt::SHIFT | Qt::Key_G),
         [this] { return gapByRank(-1); });
    walk(u"gaps.nextInTime"_s, gaps, tr("Next gap in &time"), QKeySequence(Qt::CTRL | Qt::Key_Period),
         [this] { return gapInTime(1); });
    walk(u"gaps.previousInTime"_s, gaps, tr("Previous gap in t&ime"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
         [this] { return gapInTime(-1); });
    walk(u"events.next"_s, events, tr("&Next event in the lane"), Qt::Key_Period,
         [this] { return eventInLane(1); });
    walk(u"events.previous"_s, events, tr("&Previous event in the lane"), Qt::Key_Comma,
         [this] { return eventInLane(-1); });
    const auto arrow = [&](const QString& id, const QString& title, QKeySequence key, int direction,
                           bool repeats, auto run) {
        registry.add({id,
                      events,
                      title,
                      {key},
                      [run, direction] { run(direction); },
                      [this, direction] { return hasArrow(direction); },
                      nullptr,
                      repeats,
                      {}});
    };
    const auto follow = [this](int direction) { go(alongArrow(direction)); };
    const auto choose = [this](int direction) { chooseArrow(direction); };
    arrow(u"events.followArrow"_s, tr("Follow the arro&w"), Qt::Key_BracketRight, 1, true, follow);
    arrow(u"events.followArrowBack"_s, tr("Follow the arrow bac&k"), Qt::Key_BracketLeft, -1, true, follow);
    arrow(u"events.chooseArrow"_s, tr("Choose amon&g the arrows..."),
          QKeySequence(Qt::CTRL | Qt::Key_BracketRight), 1, false, choose);
    arrow(u"events.chooseArrowBack"_s, tr("Choose among the arrows &back..."),
          QKeySequence(Qt::CTRL | Qt::Key_BracketLeft), -1, false, choose);
}

void TimelineCommands::addArrows(CommandRegistry& registry) {
    const QString group = tr("Arrows");
    const auto scope = [&](const QString& id, const QString& title, ArrowScope wanted) {
        registry.add({id,
                      group,
                      title,
                      {},
                      [this, wanted] { m_model.setArrowScope(wanted); },
                      {},
                      nullptr,
                      false,
                      [this, wanted] { return m_model.arrows().scope == wanted; }});
    };
    scope(u"arrows.off"_s, tr("&No arrows"), ArrowScope::Off);
    scope(u"arrows.selection"_s, tr("Arrows of the &selection"), ArrowScope::Selected);
    scope(u"arrows.range"_s, tr("Arrows of all work in the &range"), ArrowScope::Range);
    const auto has = [this] {
        return m_model.arrows().scope != ArrowScope::Off &&
               (m_session.selection().event() || m_session.selection().gap());
    };
    registry.add({u"arrows.moreHops"_s,
                  group,
                  tr("One &hop more"),
                  {QKeySequence(Qt::SHIFT | Qt::Key_BracketRight)},
                  [this] { m_model.setArrowHops(m_model.arrows().hops + 1); },
                  [this, has] { return has() && m_model.arrows().hops < kMostHops; },
                  nullptr,
                  false,
                  {}});
    registry.add({u"arrows.oneHop"_s,
                  group,
                  tr("&One hop again"),
                  {QKeySequence(Qt::SHIFT | Qt::Key_BracketLeft)},
                  [this] { m_model.setArrowHops(1); },
                  [this, has] { return has() && m_model.arrows().hops > 1; },
                  nullptr,
                  false,
                  {}});
    connect(&m_model, &TimelineViewModel::arrowsChanged, &registry, &CommandRegistry::refresh);
}

void TimelineCommands::addAnnotations(CommandRegistry& registry) {
    const QString group = tr("Annotate");
    registry.add({u"annotate.add"_s,
                  group,
                  tr("&Callout at the selection..."),
                  {Qt::Key_N},
                  [this] { m_callouts.addAtSelection(); },
                  [this] { return m_callouts.canAdd(); },
                  nullptr,
                  false,
                  {}});
    registry.add({u"annotate.addVerdict"_s,
                  group,
                  tr("Callout with the &verdict"),
                  {QKeySequence(Qt::SHIFT | Qt::Key_N)},
                  [this] { m_callouts.addVerdict(); },
                  [this] { return m_callouts.canAddVerdict(); },
                  nullptr,
                  false,
                  {}});
    registry.add({u"annotate.tool"_s,
                  group,
                  tr("Callout &tool: drag over the lanes"),
                  {},
                  [this] { m_callouts.setTool(!m_view.hasCalloutTool()); },
                  [this] { return m_session.document() != nullptr; },
                  nullptr,
                  false,
                  [this] { return m_view.hasCalloutTool(); }});
    connect(&m_view, &TimelineView::calloutToolChanged, &registry, &CommandRegistry::refresh);
    registry.add({u"annotate.edit"_s,
                  group,
                  tr("&Edit the callout..."),
                  {Qt::Key_F2},
                  [this] { m_callouts.editSelected(); },
                  [this] { return m_callouts.hasSelected(); },
                  nullptr,
                  false,
                  {}});
    registry.add({u"annotate.remove"_s,
                  group,
                  tr("&Delete the callout"),
                  {Qt::Key_Delete},
                  [this] { m_callouts.removeSelected(); },
                  [this] { return m_callouts.hasSelected(); },
                  nullptr,
                  false,
                  {}});
}

void TimelineCommands::go(const std::optional<Selection>& target) {
    if (target)
        m_model.goTo(*target, Origin::Command);
}

void TimelineCommands::escape() {
    if (m_view.cancelGesture())
        return;
    if (m_callouts.hasSelected())
        m_model.setSelectedCallout(0);
    else
        m_session.selection().dropOne(Origin::Command);
}

EventId TimelineCommands::firstInView() const {
    const Trace& trace = m_session.shown()->trace();
    for (const TimelineRow& row : m_model.layout().rows()) {
        if (!row.lane || !m_model.beginsInView(row))
            continue;
        for (std::uint32_t s = 0; s < trace.lane(row.lane).depth; ++s) {
            const StripId strip{trace.lane(row.lane).firstStrip.v + s};
            const auto [first, last] = eventsTouching(trace, strip, m_model.viewport().range());
            if (first != last)
                return first;
        }
    }
    return {};
}

std::optional<Selection> TimelineCommands::eventInLane(int direction) const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return std::nullopt;
    const Trace& trace = document->trace();
    const SelectionModel& selection = m_session.selection();
    if (const GapId gap = selection.gap()) { // out of the gap, to what stands beside it
        const Gap& facts = document->gaps->gap(gap);
        const EventId beside = direction > 0 ? facts.next : facts.previous;
        return beside ? std::optional<Selection>(beside) : std::nullopt;
    }
    if (const EventId event = selection.event()) {
        const auto neighbour = direction > 0 ? nextInLane(trace, event) : previousInLane(trace, event);
        return neighbour ? std::optional<Selection>(*neighbour) : std::nullopt;
    }
    const EventId first = firstInView();
    return first ? std::optional<Selection>(first) : std::nullopt;
}

std::vector<EventId> TimelineCommands::arrowEndsOf(int direction) const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return {};
    return arrowEnds(document->trace(), document->gaps.get(), m_session.selection().current(), direction > 0);
}

bool TimelineCommands::hasArrow(int direction) const {
    const Document* document = m_session.shown();
    return document != nullptr && hasArrowEnds(document->trace(), document->gaps.get(),
                                               m_session.selection().current(), direction > 0);
}

std::optional<Selection> TimelineCommands::alongArrow(int direction) const {
    const std::vector<EventId> ends = arrowEndsOf(direction);
    return ends.empty() ? std::nullopt : std::optional<Selection>(ends.front());
}

// A list at what is selected: one entry an arrow, walked by the arrow keys.
void TimelineCommands::chooseArrow(int direction) {
    constexpr std::size_t kMostListed = 30;
    constexpr std::size_t kNameLength = 60;
    const std::vector<EventId> ends = arrowEndsOf(direction);
    if (ends.empty())
        return;
    const Trace& trace = m_session.shown()->trace();
    const TimeNs from = m_model.selectedTime()->begin;
    auto* menu = new QMenu(&m_view);
    menu->setObjectName(u"arrowMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (std::size_t i = 0; i < std::min(ends.size(), kMostListed); ++i) {
        const EventId end = ends[i];
        const DurationNs away = trace.events().range(end).begin - from;
        const auto row = m_model.layout().visibleRowOf(trace.laneOf(end));
        const QString where = row ? u", "_s + text(m_model.layout().rows()[*row].title) : QString();
        const QString entry = text(elideMiddle(trace.nameOf(end), kNameLength)) + where + u", "_s +
                              (away.v >= 0 ? u"+"_s : QString()) + text(formatDuration(away));
        QAction* action = menu->addAction(QString(entry).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, end] { go(Selection(end)); });
    }
    if (ends.size() > kMostListed)
        menu->addAction(tr("%1 more").arg(text(formatCount(ends.size() - kMostListed))))->setEnabled(false);
    menu->setActiveAction(menu->actions().front());
    const double x = std::clamp(m_model.viewport().xOf(from), 0.0, m_view.lanesRect().width() - 1.0);
    const auto row = m_model.layout().visibleRowOf(m_model.selectedLane());
    const int y =
        row ? std::clamp(m_model.topOf(m_model.layout().rows()[*row]) + m_model.layout().rows()[*row].height,
                         0, m_view.lanesRect().height())
            : 0;
    menu->popup(m_view.viewport()->mapToGlobal(m_view.lanesRect().topLeft() +
                                               QPoint(static_cast<int>(std::lround(x)), y)));
}

std::optional<Selection> TimelineCommands::gapByRank(int direction) const {
    const Document* document = m_session.document();
    if (document == nullptr)
        return std::nullopt;
    const auto ranks = document->gaps->byRank();
    const GapId now = m_session.selection().gap();
    // Rank 1 is place 0; without a selection the walk begins there.
    auto place = now ? static_cast<std::ptrdiff_t>(document->gaps->gap(now).rank) - 1 : std::ptrdiff_t{-1};
    if (!now && direction < 0)
        return std::nullopt;
    for (place += direction; place >= 0 && place < static_cast<std::ptrdiff_t>(ranks.size());
         place += direction) {
        const GapId gap = ranks[static_cast<std::size_t>(place)];
        if (document->gaps->gap(gap).length().v >= GapTableModel::kDefaultThresholdNs)
            return Selection(gap);
    }
    return std::nullopt;
}

std::optional<Selection> TimelineCommands::gapInTime(int direction) const {
    const Document* document = m_session.document();
    if (document == nullptr || document->gapsByTime.empty())
        return std::nullopt;
    const std::vector<GapId>& byTime = document->gapsByTime;
    const auto beginOf = [&](GapId gap) { return document->gaps->gap(gap).range.begin; };
    std::ptrdiff_t place = -1;
    if (const GapId now = m_session.selection().gap()) {
        const auto at = std::find(byTime.begin(), byTime.end(), now);
        if (at != byTime.end())
            place = at - byTime.begin() + direction;
    }
    if (place < 0 &&
        !m_session.selection().gap()) { // from the selected event, else from the middle of the view
        const TimeRange view = m_model.viewport().range();
        const auto selected = m_model.selectedTime();
        const TimeNs from = selected ? selected->begin : view.begin + DurationNs{view.length().v / 2};
        const auto after = std::upper_bound(byTime.begin(), byTime.end(), from,
                                            [&](TimeNs t, GapId gap) { return t < beginOf(gap); });
        place = after - byTime.begin() - (direction > 0 ? 0 : 1);
    }
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(byTime.size()))
        return std::nullopt;
    return Selection(byTime[static_cast<std::size_t>(place)]);
}

} // namespace lacuna::ui
