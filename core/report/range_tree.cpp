#include "core/report/range_tree.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::string_view kStartEndLane = "start/end ranges"; // as the importer titles lanes

struct LaneRanges {
    RangeStyle style = RangeStyle::PushPop;
    std::string domain;
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

std::uint32_t RangeTree::nameNumber(RangeStyle style, std::string text) {
    const auto [at, fresh] = m_numbers.try_emplace({style, text}, static_cast<std::uint32_t>(m_names.size()));
    if (fresh)
        m_names.push_back({style, std::move(text)});
    return at->second;
}

std::optional<RangeTree> RangeTree::collect(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    RangeTree tree;
    const Lane* lastLane = nullptr;
    LaneRanges inLane;
    std::unordered_map<StringId, std::uint32_t> laneNames;
    const bool done = forEachRow(input, kindBit(EventKind::Range), job, [&](EventId e, const Lane& lane) {
        if (&lane != lastLane) {
            lastLane = &lane;
            inLane = rangesOfLane(trace, lane);
            laneNames.clear();
        }
        const auto [name, fresh] = laneNames.try_emplace(events.name[e.v], 0u);
        if (fresh)
            name->second = tree.nameNumber(inLane.style, inLane.domain + ":" + std::string(trace.nameOf(e)));
        AnnotatedRange range;
        range.event = e;
        range.begin = events.beginNs[e.v];
        range.end = events.endNs[e.v];
        range.thread = lane.thread;
        range.style = inLane.style;
        range.name = name->second;
        range.id = SourceRef{events.source[e.v]}.rowid();
        tree.m_ranges.push_back(range);
    });
    return done ? std::optional(std::move(tree)) : std::nullopt;
}

std::optional<RangeTree> RangeTree::build(const ReportInput& input, JobControl& job) {
    auto collected = collect(input, job);
    if (!collected)
        return std::nullopt;
    RangeTree& tree = *collected;
    const EventTable& events = input.trace.events();
    const bool rowsAreNumbered = input.trace.facts().format == "nsys-sqlite";
    std::sort(tree.m_ranges.begin(), tree.m_ranges.end(),
              [&events](const AnnotatedRange& a, const AnnotatedRange& b) {
                  if (a.begin != b.begin)
                      return a.begin < b.begin;
                  return a.end != b.end ? a.end > b.end : events.source[a.event.v] < events.source[b.event.v];
              });
    if (!rowsAreNumbered)
        for (std::size_t i = 0; i < tree.m_ranges.size(); ++i)
            tree.m_ranges[i].id = static_cast<std::int64_t>(i) + 1;
    if (!tree.nest(job))
        return std::nullopt;
    return collected;
}

// One stack per thread. Ranges that cross one another stay on it until they are over.
bool RangeTree::nest(JobControl& job) {
    std::unordered_map<ThreadId, std::vector<std::uint32_t>> stacks;
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < m_ranges.size(); ++i) {
        if (!poll.tick())
            return false;
        AnnotatedRange& range = m_ranges[i];
        std::vector<std::uint32_t>& stack = stacks[range.thread];
        while (!stack.empty() && m_ranges[stack.back()].end < range.begin)
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
