// Ends are sorted by (group of lanes, time); one cursor per strip then moves over the rows of the group once.
// The row found takes the place of the group's number in the end, so that no second list is needed.

#include "core/trace/flow_binding.h"

#include "core/trace/trace.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

namespace lacuna {

namespace {

constexpr std::size_t kMaxStrips = 1024; // of one group of lanes: bounds hostile input
constexpr std::uint32_t kNoRow = EventId::kNone;

class Poll {
public:
    explicit Poll(JobControl& job) : m_job(job) {}
    // True once the job is cancelled.
    bool stops(std::size_t work) {
        m_work += work;
        if (m_work >= kWorkPerPoll) {
            m_work = 0;
            m_isCancelled = m_isCancelled || m_job.cancelled();
        }
        return m_isCancelled;
    }

private:
    static constexpr std::size_t kWorkPerPoll = 4096;
    JobControl& m_job;
    std::size_t m_work = 0;
    bool m_isCancelled = false;
};

// What stands outside of what when two rows of one thread have the same interval; none: no slices.
int depthOf(LaneKind kind) {
    switch (kind) {
    case LaneKind::Steps:
        return 1;
    case LaneKind::Python:
        return 2;
    case LaneKind::Range:
    case LaneKind::GpuRange:
        return 3;
    case LaneKind::CpuThread:
    case LaneKind::Overhead:
        return 4;
    case LaneKind::OsRuntime:
    case LaneKind::CudaApi:
    case LaneKind::GpuSync:
        return 5;
    case LaneKind::GpuStream:
        return 6;
    case LaneKind::Async:
    case LaneKind::Marks:
    case LaneKind::Counter:
        break;
    }
    return 0;
}

// The rows of one strip in order of time; times asked for only grow.
struct Cursor {
    std::uint32_t first = 0, last = 0;
    std::uint32_t after = 0; // first row that begins later than the time
    int depth = 0;
};

class Group {
public:
    Group(const Trace& trace, std::span<const std::pair<std::uint32_t, LaneId>> lanes) : m_trace(trace) {
        for (const auto& [group, lane] : lanes) {
            const int depth = depthOf(trace.lane(lane).kind);
            if (depth == 0)
                continue;
            for (const Strip& strip : trace.strips(lane))
                if (m_cursors.size() < kMaxStrips)
                    m_cursors.push_back({strip.first.v, strip.last.v, strip.first.v, depth});
        }
    }

    std::size_t size() const { return m_cursors.size(); }

    std::uint32_t rowAt(std::int64_t time, FlowBinding binding) {
        std::uint32_t found = kNoRow;
        int depth = 0;
        for (Cursor& cursor : m_cursors) {
            while (cursor.after < cursor.last && begin(cursor.after) <= time)
                ++cursor.after;
            const std::uint32_t row =
                binding == FlowBinding::Next ? next(cursor, time) : inside(cursor, time);
            if (row == kNoRow)
                continue;
            const bool isBetter = found == kNoRow ||
                                  (binding == FlowBinding::Next ? key(found, depth) > key(row, cursor.depth)
                                                                : key(found, depth) < key(row, cursor.depth));
            if (isBetter) {
                found = row;
                depth = cursor.depth;
            }
        }
        return found;
    }

private:
    std::int64_t begin(std::uint32_t row) const { return m_trace.events().beginNs[row]; }
    std::int64_t end(std::uint32_t row) const { return m_trace.events().endNs[row]; }
    // Grows from outside to inside: a row is inside of what began earlier, or with it and ends later.
    std::tuple<std::int64_t, std::int64_t, int> key(std::uint32_t row, int depth) const {
        return {begin(row), -end(row), depth};
    }
    std::uint32_t inside(const Cursor& cursor, std::int64_t time) const {
        if (cursor.after == cursor.first)
            return kNoRow;
        const std::uint32_t row = cursor.after - 1;
        return time < end(row) || time == begin(row) ? row : kNoRow;
    }
    std::uint32_t next(const Cursor& cursor, std::int64_t time) const {
        const auto& begins = m_trace.events().beginNs;
        const auto at = std::lower_bound(begins.begin() + cursor.first, begins.begin() + cursor.after, time);
        const auto row = static_cast<std::uint32_t>(at - begins.begin());
        return row < cursor.last ? row : kNoRow;
    }

    const Trace& m_trace;
    std::vector<Cursor> m_cursors;
};

// Replaces FlowEnd::lanes by the row; false when cancelled.
bool bindByTime(std::span<FlowEnd> ends, std::vector<std::pair<std::uint32_t, LaneId>>& lanes,
                const Trace& trace, Poll& poll) {
    std::sort(lanes.begin(), lanes.end());
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    std::sort(ends.begin(), ends.end(), [](const FlowEnd& a, const FlowEnd& b) {
        return std::tie(a.lanes, a.at) < std::tie(b.lanes, b.at);
    });
    for (std::size_t first = 0; first < ends.size();) {
        const std::uint32_t number = ends[first].lanes;
        const auto byGroup = [](const auto& entry, std::uint32_t group) { return entry.first < group; };
        const auto from = std::lower_bound(lanes.begin(), lanes.end(), number, byGroup);
        const auto to = std::lower_bound(from, lanes.end(), number + 1, byGroup);
        Group group(trace, {from, to});
        std::size_t last = first;
        while (last < ends.size() && ends[last].lanes == number)
            ++last;
        for (; first < last; ++first) {
            ends[first].lanes = group.rowAt(ends[first].at, ends[first].binding);
            if (poll.stops(1 + group.size()))
                return false;
        }
    }
    return true;
}

// The same for ends that know their row's place in the file; `at` becomes the row's begin.
bool bindBySource(std::span<FlowEnd> ends, const Trace& trace, Poll& poll) {
    if (ends.empty())
        return true;
    const auto sourceOf = [](const FlowEnd& end) { return static_cast<std::uint64_t>(end.at); };
    std::sort(ends.begin(), ends.end(),
              [&](const FlowEnd& a, const FlowEnd& b) { return sourceOf(a) < sourceOf(b); });
    std::vector<std::uint32_t> rows(ends.size(), kNoRow);
    const EventTable& events = trace.events();
    for (std::uint32_t row = 0; row < events.size(); ++row) {
        const auto by = [&](const FlowEnd& end, std::uint64_t source) { return sourceOf(end) < source; };
        for (auto at = std::lower_bound(ends.begin(), ends.end(), events.source[row], by);
             at != ends.end() && sourceOf(*at) == events.source[row]; ++at)
            rows[static_cast<std::size_t>(at - ends.begin())] = row;
        if (poll.stops(1))
            return false;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        ends[i].lanes = rows[i];
        ends[i].at = rows[i] == kNoRow ? INT64_MAX : events.beginNs[rows[i]];
    }
    return true;
}

class Linker {
public:
    Linker(std::span<FlowEnd> flow, Column<FlowLink>& links, std::vector<bool>& isLinked, std::size_t offset)
        : m_flow(flow), m_links(links), m_isLinked(isLinked), m_offset(offset) {}

    // The parts of one flow, by (time, part).
    void link() {
        const auto starts = std::count_if(m_flow.begin(), m_flow.end(),
                                          [](const FlowEnd& e) { return e.part == FlowPart::Start; });
        if (starts == 0)
            return;
        if (starts == 1) { // clocks may be skewed: whatever the times say
            run(0, m_flow.size(), FlowPart::Start);
            run(0, m_flow.size(), FlowPart::Step);
            run(0, m_flow.size(), FlowPart::End);
            return;
        }
        for (std::size_t first = 0; first < m_flow.size();) {
            std::size_t last = first;
            while (last < m_flow.size() && m_flow[last].at == m_flow[first].at)
                ++last;
            const bool endsEarlier = m_isOpen; // an end in the moment of the next start
            if (endsEarlier)
                run(first, last, FlowPart::End);
            run(first, last, FlowPart::Start);
            run(first, last, FlowPart::Step);
            if (!endsEarlier)
                run(first, last, FlowPart::End);
            first = last;
        }
    }

private:
    void run(std::size_t first, std::size_t last, FlowPart part) {
        for (std::size_t i = first; i < last; ++i) {
            if (m_flow[i].part != part || m_flow[i].lanes == kNoRow)
                continue;
            if (part == FlowPart::Start) {
                m_isOpen = true;
                m_from = i;
                continue;
            }
            if (!m_isOpen)
                continue;
            if (m_flow[m_from].lanes != m_flow[i].lanes) {
                m_links.push_back({{m_flow[m_from].lanes}, {m_flow[i].lanes}, m_flow[m_from].name});
                m_isLinked[m_offset + m_from] = m_isLinked[m_offset + i] = true;
            }
            if (part == FlowPart::Step)
                m_from = i;
        }
    }

    std::span<FlowEnd> m_flow;
    Column<FlowLink>& m_links;
    std::vector<bool>& m_isLinked;
    std::size_t m_offset;
    std::size_t m_from = 0;
    bool m_isOpen = false;
};

BoundFlows cancelledFlows() {
    BoundFlows none;
    none.isCancelled = true;
    return none;
}

} // namespace

BoundFlows bindFlows(FlowEnds flows, const Trace& trace, JobControl& job) {
    BoundFlows out;
    std::vector<FlowEnd>& ends = flows.ends;
    if (ends.empty())
        return out;
    Poll poll(job);
    const auto byTime = std::partition(ends.begin(), ends.end(),
                                       [](const FlowEnd& end) { return end.binding != FlowBinding::Row; });
    if (!bindByTime({ends.begin(), byTime}, flows.lanes, trace, poll) ||
        !bindBySource({byTime, ends.end()}, trace, poll))
        return cancelledFlows();

    std::sort(ends.begin(), ends.end(), [](const FlowEnd& a, const FlowEnd& b) {
        return std::tie(a.space, a.id, a.at, a.part, a.lanes) <
               std::tie(b.space, b.id, b.at, b.part, b.lanes);
    });
    std::vector<bool> isLinked(ends.size(), false);
    for (std::size_t first = 0; first < ends.size();) {
        std::size_t last = first;
        while (last < ends.size() && ends[last].space == ends[first].space && ends[last].id == ends[first].id)
            ++last;
        Linker(std::span(ends).subspan(first, last - first), out.links, isLinked, first).link();
        if (poll.stops(last - first))
            return cancelledFlows();
        first = last;
    }
    out.unbound = static_cast<std::uint64_t>(std::count(isLinked.begin(), isLinked.end(), false));
    std::sort(out.links.begin(), out.links.end(), [](const FlowLink& a, const FlowLink& b) {
        return std::tie(a.from, a.to, a.name) < std::tie(b.from, b.to, b.name);
    });
    out.byTarget.resize(out.links.size());
    std::iota(out.byTarget.begin(), out.byTarget.end(), 0u);
    std::stable_sort(out.byTarget.begin(), out.byTarget.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return out.links[a].to < out.links[b].to; });
    return out;
}

} // namespace lacuna
