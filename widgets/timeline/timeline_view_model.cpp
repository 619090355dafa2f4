#include "widgets/timeline/timeline_view_model.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr qint64 kBurstMs = 800;         // movements closer than this are one step of the history
constexpr std::size_t kMaxHistory = 200; // views
constexpr double kMinRevealPx = 3.0;
constexpr double kMostCovered = 0.6; // share of the area that pinned rows may keep

Viewport deviceViewport(const Viewport& logical, double ratio) {
    return snapped({logical.begin, logical.nsPerPx / ratio,
                    static_cast<int>(std::lround(static_cast<double>(logical.widthPx) * ratio))});
}

// The median step; of steps as long as that one (kTypical), the one that holds the worst gap.
std::optional<TimeRange> firstStep(const Document& document) {
    constexpr double kTypical = 0.05; // of the median: such steps tell the same
    const Trace& t = document.trace();
    const std::int64_t median = document.steps.medianNs;
    std::optional<TimeRange> worst, found;
    if (document.gaps != nullptr && !document.gaps->byRank().empty())
        worst = document.gaps->gap(document.gaps->byRank().front()).range;
    for (const EventId step : document.steps.events) {
        const TimeRange range = t.events().range(step);
        const std::int64_t apart = std::abs(range.length().v - median);
        if (worst && range.begin <= worst->begin && worst->end <= range.end &&
            static_cast<double>(apart) <= kTypical * static_cast<double>(median))
            return range;
        if (apart == 0 && !found)
            found = range;
    }
    return found;
}

} // namespace

TimelineViewModel::TimelineViewModel(AnalysisSession& session, QObject* parent)
    : QObject(parent), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, &TimelineViewModel::resetDocument);
    connect(&session, &AnalysisSession::previewChanged, this, &TimelineViewModel::resetDocument);
    connect(&session, &AnalysisSession::annotationsChanged, this, &TimelineViewModel::invalidatePicture);
    connect(&session.selection(), &SelectionModel::changed, this, &TimelineViewModel::selectionChanged);
    m_wanted.widthPx = m_visible.widthPx = m_area.width();
    resetDocument();
}

const Trace* TimelineViewModel::trace() const {
    const Document* document = m_session.shown();
    return document == nullptr ? nullptr : &document->trace();
}

TimeRange TimelineViewModel::extent() const {
    const Trace* t = trace();
    TimeRange window = t == nullptr ? TimeRange{} : t->window();
    if (window.end <= window.begin)
        window.end = window.begin + DurationNs{1};
    return window;
}

void TimelineViewModel::resetDocument() {
    if (m_isHeld)
        return;
    const Document* shown = m_session.shown();
    const bool isPart = shown != nullptr && (m_session.isPreview() || !shown->isWhole());
    const auto part = std::exchange(
        m_part,
        isPart ? std::optional(Part{shown->path, shown->member, shown->trace().fileZeroNs()}) : std::nullopt);
    if (part && shown != nullptr && shown->path == part->path && shown->member == part->member) {
        continueFromPart(part->zeroNs);
        return;
    }
    m_back.clear();
    m_forward.clear();
    m_burst.invalidate();
    m_options = {};
    m_look = {};
    m_timeBase = TimeBase::TraceStart;
    m_hasSelectionZero = false;
    m_zoneS.reset();
    m_currentRow.clear();
    m_bookmarks.clear();
    m_scrollY = 0;
    m_selectedCallout = 0;
    m_emphasis = {};
    m_measurement.reset();
    m_pins.clear();
    if (shown != nullptr && shown->gaps != nullptr)
        m_pins = topPins(*shown->gaps);
    rebuildLayout();
    showFirstView();
    refreshAxis();
    m_back.clear();
    Q_EMIT historyChanged();
}

// More of the same file: the view stays where the user has put it, also when time zero or the rows above it
// moved. Untouched, it is fitted again.
void TimelineViewModel::continueFromPart(std::int64_t partZeroNs) {
    m_measurement.reset(); // by row number of the part
    const Document& shown = *m_session.shown();
    if (shown.gaps != nullptr)
        m_pins = topPins(*shown.gaps);
    const DurationNs shift{partZeroNs - shown.trace().fileZeroNs()};
    const TimelineRow* top = m_scrollY > 0 ? firstScrolledRow() : nullptr;
    const LaneId topLane = top != nullptr ? top->lane : LaneId{};
    const int hidden = top != nullptr ? m_scrollY - top->y : 0;
    for (std::vector<View>* history : {&m_back, &m_forward})
        for (View& view : *history) {
            view.begin = view.begin + shift;
            view.selection = {}; // by row number of the part
        }
    if (m_options.focus)
        m_options.focus = TimeRange{m_options.focus->begin + shift, m_options.focus->end + shift};
    rebuildLayout();
    if (m_firstViewPending) {
        showFirstView();
    } else {
        if (const auto row = topLane ? m_layout.visibleRowOf(topLane) : std::nullopt)
            m_scrollY = std::clamp(m_layout.rows()[*row].y + hidden, 0, maxScrollY());
        setViewport({m_wanted.begin + shift, m_wanted.nsPerPx, m_wanted.widthPx});
    }
    Q_EMIT historyChanged();
}

void TimelineViewModel::rebuildLayout() {
    const Document* document = m_session.shown();
    m_options.facts = document == nullptr ? nullptr : &document->facts;
    m_layout = document == nullptr ? RowLayout{} : RowLayout::build(document->trace(), m_options);
    ++m_layoutNumber;
    m_scrollY = std::clamp(m_scrollY, 0, maxScrollY());
    invalidate();
}

void TimelineViewModel::showFirstView() {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return;
    const std::optional<TimeRange> step = firstStep(*document);
    const TimeRange range = step.value_or(extent());
    const double margin = step ? kFitMargin : 0.0;
    m_options.focus = range;
    rebuildLayout();
    showWorstLane();
    setViewport(Viewport::fitting(range, m_area.width(), margin));
    m_firstViewPending = true;
}

// The worst gap is what people come for: its lane is in view from the start. No further than needed, and the
// rows above begin with a whole one.
void TimelineViewModel::showWorstLane() {
    const Document* document = m_session.shown();
    if (document == nullptr || document->gaps == nullptr || document->gaps->byRank().empty())
        return;
    const Gap& worst = document->gaps->gap(document->gaps->byRank().front());
    m_scrollY = 0;
    const auto row = m_layout.visibleRowOf(document->trace().laneOf(worst.next));
    if (!row)
        return;
    m_scrollY = scrollToShow(m_layout.rows()[*row]);
    const int covered = mayCover(m_layout.pinnedHeight()) ? m_layout.pinnedHeight() : 0;
    if (m_scrollY > 0)
        for (const TimelineRow& other : m_layout.rows())
            if (other.y - covered >= m_scrollY && other.y <= m_layout.rows()[*row].y) {
                m_scrollY = std::min(other.y - covered, maxScrollY());
                break;
            }
}

void TimelineViewModel::setArea(QSize lanes, double ratio) {
    lanes = lanes.expandedTo({16, 16});
    if (lanes == m_area && ratio == m_ratio)
        return;
    const bool isOtherSize = lanes != m_area;
    m_area = lanes;
    m_ratio = ratio;
    m_scrollY = std::clamp(m_scrollY, 0, maxScrollY());
    if (trace() != nullptr && isOtherSize && m_firstViewPending) {
        showFirstView(); // nothing was moved by hand: the first view is fitted to the new size
        return;
    }
    setViewport(m_wanted.resized(lanes.width()));
}

int TimelineViewModel::maxScrollY() const {
    return std::max(0, m_layout.height() - m_area.height());
}

void TimelineViewModel::setViewport(const Viewport& viewport) {
    m_wanted = trace() == nullptr ? viewport : viewport.clampedTo(extent());
    const Viewport device = deviceViewport(m_wanted, m_ratio);
    m_visible = {device.begin, device.nsPerPx * m_ratio, m_area.width()};
    refreshAxis();
    invalidate();
    Q_EMIT viewChanged();
}

void TimelineViewModel::invalidate() {
    m_frameValid = false;
    Q_EMIT invalidated();
}

void TimelineViewModel::invalidatePicture() {
    Q_EMIT invalidated();
}

FrameOptions TimelineViewModel::frameOptions(const Document& document) {
    FrameOptions options;
    options.heightPx = static_cast<std::int32_t>(std::lround(m_area.height() * m_ratio));
    options.scrollPx = static_cast<std::int32_t>(std::lround(m_scrollY * m_ratio));
    options.scale = m_ratio;
    options.gaps = document.gaps.get();
    options.selection = m_session.selection().current();
    options.arrows = m_arrows;
    options.arrows.range = m_session.selection().range();
    options.crew = &m_crew;
    return options;
}

const Frame& TimelineViewModel::frame() {
    if (isFrameReady())
        return m_frame;
    const bool hasBars = std::exchange(m_frameValid, true);
    m_arrowsValid = true;
    const Document* document = m_session.shown();
    if (document == nullptr) {
        m_frame = {};
        return m_frame;
    }
    FrameOptions options = frameOptions(*document);
    const int covered = coveredPx();
    if (covered > 0) {
        options.scrollPx = 0;
        refreshScreenLayout();
    }
    const RowLayout& layout = covered > 0 ? m_onScreen : m_layout;
    if (hasBars) {
        rebuildArrows(document->trace(), layout, options, m_frame);
    } else {
        const Viewport viewport = deviceViewport(m_wanted, m_ratio);
        buildFrame(document->trace(), layout, viewport, options, m_frame);
        if (covered > 0) { // no arrows: they are drawn under the pinned rows
            options.heightPx = static_cast<std::int32_t>(std::lround(covered * m_ratio));
            options.arrows.scope = ArrowScope::Off;
            buildFrame(document->trace(), m_pinnedRows, viewport, options, m_pinnedFrame);
        }
    }
    ++m_framesBuilt;
    return m_frame;
}

// --- arrows

void TimelineViewModel::setArrowScope(ArrowScope scope) {
    if (scope == m_arrows.scope)
        return;
    m_arrows.scope = scope;
    m_arrowsValid = false;
    invalidatePicture();
    Q_EMIT arrowsChanged();
}

void TimelineViewModel::setArrowHops(std::uint32_t hops) {
    hops = std::clamp<std::uint32_t>(hops, 1, kMostHops);
    if (hops == m_arrows.hops)
        return;
    m_arrows.hops = hops;
    m_arrowsValid = false;
    invalidatePicture();
    Q_EMIT arrowsChanged();
}

void TimelineViewModel::openFans() {
    if (std::exchange(m_arrows.opensFans, true))
        return;
    m_arrowsValid = false;
    invalidatePicture();
}

std::vector<Arrow> TimelineViewModel::arrowsOf(EventId event) {
    constexpr std::size_t kMostRows = 20'000; // looked at in well under a millisecond
    const Document* document = m_session.shown();
    if (document == nullptr || !event || m_arrows.scope == ArrowScope::Off ||
        m_session.selection().event() == event || arrowWork(document->trace(), event) > kMostRows)
        return {};
    const Frame& now = frame();
    const RowLayout& layout = coveredPx() > 0 ? m_onScreen : m_layout;
    return buildArrows(document->trace(), layout, now.viewport, event,
                       {now.heightPx, now.scrollPx, now.scale, document->gaps.get(), {}});
}

// Where the rows stand under the pinned ones; made anew when rows or scroll position changed.
void TimelineViewModel::refreshScreenLayout() {
    const std::pair of(m_layoutNumber, m_scrollY);
    if (m_screenOf == of)
        return;
    if (!m_screenOf || m_screenOf->first != m_layoutNumber)
        m_pinnedRows = m_layout.pinnedOnly();
    m_onScreen = m_layout.scrolledUnderPinned(m_scrollY);
    m_screenOf = of;
}

bool TimelineViewModel::mayCover(int pinnedPx) const {
    return pinnedPx <= kMostCovered * m_area.height();
}

int TimelineViewModel::coveredPx() const {
    const int pinned = m_layout.pinnedHeight();
    return m_scrollY > 0 && mayCover(pinned) ? pinned : 0;
}

int TimelineViewModel::screenY(int contentY) const {
    return contentY < coveredPx() ? contentY : contentY - m_scrollY;
}

int TimelineViewModel::contentY(int screenY) const {
    return screenY < coveredPx() ? screenY : screenY + m_scrollY;
}

int TimelineViewModel::topOf(const TimelineRow& row) const {
    return screenY(row.y);
}

bool TimelineViewModel::beginsInView(const TimelineRow& row) const {
    const int covered = coveredPx(), y = topOf(row);
    return row.y < covered || (y >= covered && y < m_area.height());
}

// What stands at the upper edge of what scrolls.
const TimelineRow* TimelineViewModel::firstScrolledRow() const {
    return rowAt(coveredPx());
}

TimelineScene TimelineViewModel::scene() {
    const Frame& whole = frame();
    TimelineScene scene = sceneOf(whole, coveredPx() > 0 ? m_onScreen : m_layout);
    scene.calloutsApart = coveredPx() > 0;
    return scene;
}

TimelineScene TimelineViewModel::pinnedScene() {
    (void)frame();
    TimelineScene scene = sceneOf(m_pinnedFrame, m_pinnedRows);
    scene.calloutsApart = true;
    return scene;
}

TimelineScene TimelineViewModel::sceneOf(const Frame& frame, const RowLayout& layout) {
    TimelineScene scene;
    const Document* document = m_session.shown();
    scene.frame = &frame;
    scene.layout = &layout;
    if (document == nullptr)
        return scene;
    scene.trace = &document->trace();
    scene.gaps = document->gaps.get();
    scene.emphasis = m_emphasis;
    scene.pins = m_pins;
    scene.measured = m_measurement;
    scene.annotations = &m_session.annotations();
    scene.selectedCallout = m_selectedCallout;
    scene.look = &m_look;
    scene.axis = m_axis;
    if (const TimelineRow* row = currentRow())
        scene.currentRow = row->key;
    scene.path = m_session.isPreview() ? nullptr : m_path.get();
    scene.search = m_search.get();
    scene.tags = m_session.isPreview() || m_tags.empty() ? nullptr : &m_tags;
    scene.crew = &m_crew;
    return scene;
}

void TimelineViewModel::setStartUp(std::optional<TimeRange> region, std::vector<RowTag> tags) {
    if (region == m_startUp && tags == m_tags)
        return;
    m_startUp = region;
    m_tags = std::move(tags);
    invalidatePicture();
}

void TimelineViewModel::setPath(std::shared_ptr<const CriticalPath> path) {
    if (m_path == path)
        return;
    m_path = std::move(path);
    invalidatePicture();
}

void TimelineViewModel::setSearchHits(std::shared_ptr<const SearchHits> hits) {
    if (hits == m_search)
        return;
    m_search = std::move(hits);
    invalidatePicture();
    Q_EMIT searchChanged();
}

void TimelineViewModel::selectionChanged() {
    m_emphasis = {};
    m_measurement.reset();
    if (const Document* document = m_session.shown()) {
        const SelectionModel& selection = m_session.selection();
        m_emphasis = emphasisOf(document->trace(), document->gaps.get(), selection.current());
        if (const auto& events = selection.events(); events.size() > 1) {
            m_emphasis.outlined = events;
            std::sort(m_emphasis.outlined.begin(), m_emphasis.outlined.end());
            if (events.size() == 2)
                m_measurement = measured(document->trace(), events[0], events[1]);
        }
        if (!m_emphasis.time && selection.range()) {
            m_emphasis.time = selection.range();
            m_emphasis.timeIsGap = false;
        }
        if (selection.event() || selection.gap())
            m_currentRow.clear(); // lane commands follow what is selected
        if (const GapId gap = selection.gap()) {
            // Deep Python stacks show the levels that matter in this gap.
            m_options.focus = document->gaps->gap(gap).range;
            rebuildLayout();
        }
        if (const auto time = selectedTime()) {
            m_selectionZero = time->begin;
            m_hasSelectionZero = true;
        }
    }
    refreshAxis();
    m_arrowsValid = false;
    if (!(m_session.selection().current() == m_arrowsOf)) {
        m_arrowsOf = m_session.selection().current();
        m_arrows.opensFans = false;
        setArrowHops(1);
    }
    invalidatePicture();
}

// --- what times count from

bool TimelineViewModel::hasTimeBase(TimeBase base) const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return false;
    switch (base) {
    case TimeBase::StepStart:
        return !document->steps.events.empty();
    case TimeBase::SelectionStart:
        return m_hasSelectionZero;
    case TimeBase::WallClock:
        return document->trace().facts().baseNs.has_value();
    case TimeBase::TraceStart:
        break;
    }
    return true;
}

void TimelineViewModel::setTimeBase(TimeBase base) {
    m_timeBase = base;
    refreshAxis();
}

void TimelineViewModel::restoreAxis(TimeBase base, TimeNs zero, std::int32_t zoneS) {
    m_timeBase = base;
    if (base == TimeBase::SelectionStart) {
        m_selectionZero = zero;
        m_hasSelectionZero = true;
    }
    if (base == TimeBase::WallClock)
        m_zoneS = zoneS;
    refreshAxis();
}

void TimelineViewModel::refreshAxis() {
    TimeAxis axis;
    if (const Document* document = m_session.shown(); document != nullptr && hasTimeBase(m_timeBase)) {
        const Trace& trace = document->trace();
        const TimeRange view = m_visible.range();
        if (m_timeBase == TimeBase::StepStart) {
            axis = axisOfStep(trace, document->steps, view.begin + DurationNs{view.length().v / 2});
        } else if (m_timeBase != TimeBase::TraceStart) {
            std::int32_t zoneS = m_zoneS.value_or(0);
            constexpr std::int64_t kMillisecond = 1'000'000;
            if (m_timeBase == TimeBase::WallClock && !m_zoneS)
                zoneS = QDateTime::fromMSecsSinceEpoch(*trace.facts().baseNs / kMillisecond).offsetFromUtc();
            axis = axisOf(trace, m_timeBase, m_selectionZero, zoneS);
        }
    }
    if (axis == m_axis)
        return;
    m_axis = axis;
    Q_EMIT axisChanged();
    Q_EMIT invalidated(); // the bars stay
}

Selection TimelineViewModel::at(QPointF lanes) const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return {};
    const bool isCovered = coveredPx() > 0;
    HitInput input;
    input.scrollPx = isCovered ? 0 : static_cast<std::int32_t>(std::lround(m_scrollY * m_ratio));
    input.scale = m_ratio;
    input.gaps = document->gaps.get();
    const bool isFresh = m_screenOf == std::pair(m_layoutNumber, m_scrollY);
    const RowLayout made = isCovered && !isFresh ? m_layout.scrolledUnderPinned(m_scrollY) : RowLayout();
    const RowLayout& layout = !isCovered ? m_layout : isFresh ? m_onScreen : made;
    return hitTest(document->trace(), layout, deviceViewport(m_wanted, m_ratio), input,
                   static_cast<int>(std::floor(lanes.x() * m_ratio)),
                   static_cast<int>(std::floor(lanes.y() * m_ratio)));
}

const Bar* TimelineViewModel::denseBarAt(QPointF lanes) {
    const auto x = static_cast<std::int32_t>(std::floor(lanes.x() * m_ratio));
    const auto y = static_cast<std::int32_t>(std::floor(lanes.y() * m_ratio));
    for (const LaneFrame& lane : frame().lanes) {
        if (y < lane.y || y >= lane.y + lane.height)
            continue;
        for (const Bar& bar : lane.bars) {
            const std::int32_t top = lane.stripY(bar.strip);
            if (bar.count > 1 && bar.x0 <= x && x < bar.x1 && top <= y && y < top + lane.heightOf(bar.strip))
                return &bar;
        }
    }
    return nullptr;
}

std::optional<LaunchCell> TimelineViewModel::launchCellAt(QPointF lanes) {
    const auto x = static_cast<std::int32_t>(std::floor(lanes.x() * m_ratio));
    const auto y = static_cast<std::int32_t>(std::floor(lanes.y() * m_ratio));
    const TimelineRow* row = rowAt(lanes.y());
    if (row == nullptr || row->launchRate == nullptr)
        return std::nullopt;
    const auto inStrip = [y](const LaneFrame& lane) {
        return lane.rateHeight > 0 && y >= lane.y + lane.rateTop &&
               y < lane.y + lane.rateTop + lane.rateHeight;
    };
    if (std::ranges::none_of(frame().lanes, inStrip))
        return std::nullopt;
    // As the strip shows it: the most of what the pixel touches, else what holds there.
    const CounterTrack& rate = *row->launchRate;
    const TimeRange pixel = PixelGrid(frame().viewport).columnRange(x);
    const auto begin = rate.timeNs.begin();
    auto at = static_cast<std::size_t>(std::ranges::upper_bound(rate.timeNs, pixel.begin.v) - begin);
    std::size_t most = at == 0 ? at : at - 1;
    for (; at < rate.timeNs.size() && rate.timeNs[at] < pixel.end.v; ++at)
        if (rate.value[at] > rate.value[most])
            most = at;
    if (rate.timeNs[most] >= pixel.end.v || rate.value[most] <= 0)
        return std::nullopt;
    return LaunchCell{rate.timeNs[most] / kLaunchCellNs, static_cast<std::uint32_t>(rate.value[most])};
}

const TimelineRow* TimelineViewModel::rowAt(double y) const {
    const auto row = m_layout.rowAt(contentY(static_cast<int>(std::floor(y))));
    return row ? &m_layout.rows()[*row] : nullptr;
}

std::optional<TimeRange> TimelineViewModel::selectedTime() const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return std::nullopt;
    const SelectionModel& selection = m_session.selection();
    if (const EventId event = selection.event())
        return document->trace().events().range(event);
    if (const GapId gap = selection.gap())
        return document->gaps->gap(gap).range;
    return selection.range();
}

LaneId TimelineViewModel::selectedLane() const {
    const Document* document = m_session.shown();
    if (document == nullptr)
        return {};
    const SelectionModel& selection = m_session.selection();
    if (const EventId event = selection.event())
        return document->trace().laneOf(event);
    if (const GapId gap = selection.gap())
        return document->trace().laneOf(document->gaps->gap(gap).next);
    const auto* lane = std::get_if<LaneId>(&selection.current());
    return lane != nullptr ? *lane : LaneId{};
}

// --- history

TimelineViewModel::View TimelineViewModel::currentView() const {
    return {m_wanted.begin, m_wanted.nsPerPx, m_scrollY, m_session.selection().current()};
}

void TimelineViewModel::remember() {
    m_firstViewPending = false;
    m_burst.invalidate();
    if (m_restoring)
        return;
    const View view = currentView();
    if (m_back.empty() || !(m_back.back() == view))
        m_back.push_back(view);
    if (m_back.size() > kMaxHistory)
        m_back.erase(m_back.begin());
    m_forward.clear();
    Q_EMIT historyChanged();
}

void TimelineViewModel::rememberBurst() {
    if (!m_burst.isValid() || m_burst.elapsed() > kBurstMs)
        remember();
    m_burst.start();
}

void TimelineViewModel::restore(const View& view) {
    m_restoring = true;
    m_session.selection().set(view.selection, Origin::Command);
    m_scrollY = std::clamp(view.scrollY, 0, maxScrollY());
    setViewport({view.begin, view.nsPerPx, m_area.width()});
    m_restoring = false;
    Q_EMIT historyChanged();
}

void TimelineViewModel::goBack() {
    // A movement that was undone by hand leaves an equal view behind: skip it.
    const View now = currentView();
    while (!m_back.empty() && m_back.back() == now)
        m_back.pop_back();
    if (m_back.empty()) {
        Q_EMIT historyChanged();
        return;
    }
    m_forward.push_back(now);
    const View view = m_back.back();
    m_back.pop_back();
    m_burst.invalidate();
    restore(view);
}

void TimelineViewModel::goForward() {
    if (m_forward.empty())
        return;
    m_back.push_back(currentView());
    const View view = m_forward.back();
    m_forward.pop_back();
    m_burst.invalidate();
    restore(view);
}

// --- movements

void TimelineViewModel::panBy(double dx) {
    rememberBurst();
    setViewport(m_wanted.panned(dx));
}

void TimelineViewModel::scrollBy(double dy) {
    const int next = std::clamp(m_scrollY + static_cast<int>(std::lround(dy)), 0, maxScrollY());
    if (next == m_scrollY)
        return;
    m_scrollY = next;
    m_firstViewPending = false;
    invalidate();
    Q_EMIT viewChanged();
}

void TimelineViewModel::zoomAt(double factor, double x) {
    rememberBurst();
    setViewport(m_wanted.zoomed(factor, x));
}

void TimelineViewModel::fit(TimeRange range, double margin) {
    remember();
    if (range.isEmpty())
        range.end = range.begin + DurationNs{1};
    setViewport(Viewport::fitting(range, m_area.width(), margin));
}

void TimelineViewModel::setRange(TimeRange range, bool burst) {
    if (burst)
        rememberBurst();
    else
        remember();
    setViewport(Viewport::fitting(range, m_area.width(), 0.0));
}

void TimelineViewModel::centre(TimeRange range) {
    remember();
    const double middle = (m_wanted.xOf(range.begin) + m_wanted.xOf(range.end)) / 2.0;
    setViewport(m_wanted.panned(middle - m_area.width() / 2.0));
}

void TimelineViewModel::showWhole() {
    fit(extent(), 0.0);
}

void TimelineViewModel::reveal(TimeRange range, LaneId lane) {
    remember();
    bringIntoView(range, lane);
}

void TimelineViewModel::goTo(const Selection& what, Origin origin) {
    remember();
    m_session.selection().set(what, origin);
    if (const auto range = selectedTime())
        bringIntoView(*range, selectedLane());
}

void TimelineViewModel::bringIntoView(TimeRange range, LaneId lane) {
    if (lane)
        revealLane(lane);
    const double width = static_cast<double>(range.length().v) / m_wanted.nsPerPx;
    if (width > m_area.width() * 0.9 || width < kMinRevealPx) {
        // Room around it, so that what happened before and after is seen: a third of the view.
        const double margin = range.isEmpty() ? 0.0 : 1.0 / 3.0;
        TimeRange target = range;
        if (target.isEmpty())
            target.end = target.begin + DurationNs{1'000};
        setViewport(Viewport::fitting(target, m_area.width(), margin));
        return;
    }
    const double left = m_wanted.xOf(range.begin), right = m_wanted.xOf(range.end);
    if (left < 0 || right > m_area.width())
        setViewport(m_wanted.panned((left + right) / 2.0 - m_area.width() / 2.0));
}

void TimelineViewModel::revealLane(LaneId lane) {
    const auto at = m_layout.visibleRowOf(lane);
    if (!at)
        return;
    const int next = scrollToShow(m_layout.rows()[*at]);
    if (next == m_scrollY)
        return;
    m_scrollY = next;
    invalidate();
    Q_EMIT viewChanged();
}

// The nearest scroll position that shows all of a row, its beginning where it is higher than the view.
int TimelineViewModel::scrollToShow(const TimelineRow& row) const {
    const int pinned = m_layout.pinnedHeight();
    const bool stays = mayCover(pinned);
    if (stays && row.y < pinned)
        return m_scrollY;
    int next = m_scrollY;
    if (row.y + row.height > next + m_area.height())
        next = row.y + row.height - m_area.height();
    const int covered = stays ? pinned : 0;
    if (row.y < next + covered)
        next = row.y - covered;
    return std::clamp(next, 0, maxScrollY());
}

bool TimelineViewModel::focusSelection() {
    const auto range = selectedTime();
    if (!range)
        return false;
    if (const LaneId lane = selectedLane())
        revealLane(lane);
    const Viewport before = m_wanted;
    const int scrollBefore = m_scrollY;
    const double middle = (before.xOf(range->begin) + before.xOf(range->end)) / 2.0;
    if (std::abs(middle - m_area.width() / 2.0) > 1.0) {
        centre(*range);
        // At the edge of the trace nothing can be centred: then the first press fits.
        if (!(m_wanted == before) || m_scrollY != scrollBefore)
            return true;
    }
    fit(*range, kFitMargin);
    return true;
}

void TimelineViewModel::toggleFold(const TimelineRow& row) {
    m_options.toggle(row);
    m_firstViewPending = false;
    rebuildLayout();
    Q_EMIT viewChanged();
}

void TimelineViewModel::foldGroups(bool folded) {
    for (const TimelineRow& row : m_layout.rows())
        if (row.kind == RowKind::GroupHead && row.folded != folded)
            m_options.toggle(row);
    rebuildLayout();
    Q_EMIT viewChanged();
}

// --- lanes

void TimelineViewModel::setLanePlan(const LanePlan& plan) {
    if (plan == m_options.plan)
        return;
    const TimelineRow* top = m_scrollY > 0 ? firstScrolledRow() : nullptr;
    const std::string topKey = top != nullptr ? top->key : std::string();
    const int below = top != nullptr ? topOf(*top) - coveredPx() : 0; // what stays on top
    m_options.plan = plan;
    rebuildLayout();
    const int pinned = m_layout.pinnedHeight(), covered = mayCover(pinned) ? pinned : 0;
    if (const auto at = std::ranges::find(m_layout.rows(), topKey, &TimelineRow::key);
        !topKey.empty() && at != m_layout.rows().end() && at->y >= pinned)
        m_scrollY = std::clamp(at->y - below - covered, 0, maxScrollY());
    invalidate();
    Q_EMIT viewChanged();
    Q_EMIT lanesChanged();
}

void TimelineViewModel::setLook(const EventLook& look) {
    if (look == m_look)
        return;
    m_look = look;
    invalidate();
    Q_EMIT lanesChanged();
}

const TimelineRow* TimelineViewModel::currentRow() const {
    const auto rows = m_layout.rows();
    if (const auto at = std::ranges::find(rows, m_currentRow, &TimelineRow::key);
        !m_currentRow.empty() && at != rows.end())
        return &*at;
    const LaneId lane = selectedLane();
    const auto row = lane ? m_layout.visibleRowOf(lane) : std::nullopt;
    return row ? &rows[*row] : nullptr;
}

void TimelineViewModel::setCurrentRow(const std::string& key) {
    if (key == m_currentRow)
        return;
    m_currentRow = key;
    invalidatePicture();
    Q_EMIT currentRowChanged();
}

void TimelineViewModel::revealRow(const std::string& key) {
    const auto row = std::ranges::find(m_layout.rows(), key, &TimelineRow::key);
    if (row == m_layout.rows().end())
        return;
    scrollBy(scrollToShow(*row) - m_scrollY);
}

// --- bookmarks

void TimelineViewModel::storeBookmark(int key) {
    if (trace() != nullptr && key >= 1 && key <= kBookmarks)
        m_bookmarks[key] = {rangeToFit(), m_scrollY};
}

TimeRange TimelineViewModel::rangeToFit() const {
    const TimeNs begin = m_visible.timeAt(0.5);
    const double length = m_visible.nsPerPx * std::max(1, m_visible.widthPx - 1);
    return {begin, begin + DurationNs{std::max<std::int64_t>(1, std::llround(length))}};
}

bool TimelineViewModel::goToBookmark(int key) {
    const auto at = m_bookmarks.find(key);
    if (at == m_bookmarks.end() || trace() == nullptr)
        return false;
    const Bookmark bookmark = at->second;
    fit(bookmark.range, 0.0);
    m_scrollY = std::clamp(bookmark.scrollY, 0, maxScrollY());
    invalidate();
    Q_EMIT viewChanged();
    return true;
}

void TimelineViewModel::setSelectedCallout(std::uint32_t id) {
    if (id == m_selectedCallout)
        return;
    m_selectedCallout = id;
    invalidatePicture();
}

} // namespace lacuna::ui
