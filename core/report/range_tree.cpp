#include "core/report/range_tree.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::string_view kStartEndLane = "start/end ranges"; // as the importer titles lanes

struct LaneRanges {
    RangeStyle style = RangeStyle::PushPop;
    std::string domain;
};

struct FoundRange {
    std::int64_t begin = 0, end = 0;
    EventId event;
    ThreadId thread;
    std::uint32_t name = 0;
};

// What the lane of a range says about it: the importer gives every NVTX domain and style a lane of its own.
LaneRanges rangesOfLane(const Trace& trace, const Lane& lane) {
    LaneRanges ranges;
    if (trace.facts().format != "nsys-sqlite")
        return ranges;
    std::string_view title = trace.strings().view(lane.title);
    if (title.ends_with(kStartEndLane)) {
        ranges.style = RangeStyle::StartEnd;
        title.remove_suffix(kStartEndLane.size());
        if (title.ends_with(", "))
            title.remove_suffix(2);
    }
    ranges.domain = title;
    return ranges;
}

} // namespace

std::string_view rangeStyleName(RangeStyle style) {
    switch (style) {
    case RangeStyle::PushPop:
        return "PushPop";
    case RangeStyle::StartEnd:
        return "StartEnd";
    case RangeStyle::None:
        break;
    }
    return {};
}

RangeNames::RangeNames(const Trace& trace) : m_trace(trace), m_ofName(trace.strings().size(), kUnseen) {}

void RangeNames::enter(const Lane& lane) {
    for (const StringId name : m_seen)
        m_ofName[name.v] = kUnseen;
    m_seen.clear();
    m_lane = &lane;
    LaneRanges ranges = rangesOfLane(m_trace, lane);
    m_style = ranges.style;
    m_domain = std::move(ranges.domain);
}

std::uint32_t RangeNames::add(StringId name) {
    std::string text = m_domain + ":";
    text += m_trace.strings().view(name);
    const auto [at, isNew] =
        m_numbers.try_emplace({m_style, text}, static_cast<std::uint32_t>(m_names.size()));
    if (isNew)
        m_names.push_back({m_style, std::move(text)});
    m_seen.push_back(name);
    return m_ofName[name.v] = at->second;
}

// In order, with their names. Put in order while they are half as large as in the tree: at ten million rows
// most of the time goes into memory that is touched for the first time.
bool RangeTree::collect(const ReportInput& input, JobControl& job) {
    const EventTable& events = input.trace.events();
    RowPoll poll(job);
    Column<FoundRange> found;
    found.reserve(countRows(input, kindBit(EventKind::Range), job));
    RangeNames names(input.trace);
    const bool done = forEachRow(input, kindBit(EventKind::Range), job, [&](EventId e, const Lane& lane) {
        found.push_back({events.beginNs[e.v], events.endNs[e.v], e, lane.thread, names.of(e, lane)});
    });
    m_names = names.take();
    const auto before = [&events](const FoundRange& x, const FoundRange& y) {
        if (x.begin != y.begin)
            return x.begin < y.begin;
        return x.end != y.end ? x.end > y.end : events.source[x.event.v] < events.source[y.event.v];
    };
    if (!done || !sortRows(found, poll, before))
        return false;
    const bool rowsAreNumbered = input.trace.facts().format == "nsys-sqlite";
    m_ranges.reserve(found.size());
    for (const FoundRange& one : found) {
        if (!poll.tick())
            return false;
        AnnotatedRange range;
        range.event = one.event;
        range.begin = one.begin;
        range.end = one.end;
        range.thread = one.thread;
        range.name = one.name;
        range.style = m_names[one.name].style;
        range.id = rowsAreNumbered ? SourceRef{events.source[one.event.v]}.rowid()
                                   : static_cast<std::int64_t>(m_ranges.size()) + 1;
        m_ranges.push_back(range);
    }
    return true;
}

std::optional<RangeTree> RangeTree::build(const ReportInput& input, JobControl& job) {
    RangeTree tree;
    if (!tree.collect(input, job) || !tree.nest(job))
        return std::nullopt;
    return tree;
}

// One stack per thread. A range that is over may lie below one that is not (the two cross, or the upper
// begins where the lower ends): it goes when it is walked over, so that back-to-back ranges do not pile up.
bool RangeTree::nest(JobControl& job) {
    std::unordered_map<ThreadId, std::vector<std::uint32_t>> stacks;
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < m_ranges.size(); ++i) {
        if (!poll.tick())
            return false;
        AnnotatedRange& range = m_ranges[i];
        std::vector<std::uint32_t>& stack = stacks[range.thread];
        const auto isOver = [&](std::uint32_t outer) { return m_ranges[outer].end < range.begin; };
        while (!stack.empty() && isOver(stack.back()))
            stack.pop_back();
        const auto enclosing = std::find_if(stack.rbegin(), stack.rend(), [&](std::uint32_t outer) {
            return m_ranges[outer].end >= range.end;
        });
        if (enclosing != stack.rend()) {
            AnnotatedRange& parent = m_ranges[*enclosing];
            range.parent = *enclosing;
            range.level = parent.level + 1;
            if (range.style == RangeStyle::PushPop) {
                ++parent.children;
                parent.childrenNs += range.end - range.begin;
            }
        }
        stack.erase(std::remove_if(enclosing.base(), stack.end(), isOver), stack.end());
        if (range.style == RangeStyle::PushPop)
            stack.push_back(i);
    }
    return true;
}

std::string RangeTree::stackOf(const AnnotatedRange& range) const {
    std::string own = ":" + std::to_string(range.id);
    std::string stack;
    for (std::uint32_t outer = range.parent; outer != AnnotatedRange::kNoParent;
         outer = m_ranges[outer].parent)
        stack.insert(0, ":" + std::to_string(m_ranges[outer].id));
    return stack + own;
}

} // namespace lacuna
