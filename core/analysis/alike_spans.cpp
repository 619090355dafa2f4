#include "core/analysis/alike_spans.h"

#include "core/analysis/device_busy.h"
#include "core/trace/strip_query.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kAlikePoll = 4'096;

// Rows that begin in the range.
std::vector<EventId> beginningIn(const Trace& trace, StripId strip, TimeRange range) {
    std::vector<EventId> rows;
    const auto [first, last] = eventsTouching(trace, strip, range);
    for (EventId e = first; e.v < last.v; ++e.v)
        if (trace.events().range(e).begin >= range.begin)
            rows.push_back(e);
    return rows;
}

// Strips of the stream with most busy time in the range. Empty: no device works in it.
std::vector<StripId> busiestStream(const Trace& trace, TimeRange range) {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::pair<std::int64_t, std::vector<StripId>>> streams;
    for (std::uint32_t s = 0; s < trace.strips().size(); ++s) {
        const Lane& lane = trace.lane(trace.strip({s}).lane);
        if (lane.kind != LaneKind::GpuStream)
            continue;
        auto& [busy, strips] = streams[{lane.device.v, lane.sourceId}];
        busy += busyWithin(trace, {s}, range).v;
        strips.push_back({s});
    }
    const std::pair<std::int64_t, std::vector<StripId>>* best = nullptr;
    for (const auto& [key, stream] : streams) {
        const bool any = std::ranges::any_of(
            stream.second, [&](StripId strip) { return !beginningIn(trace, strip, range).empty(); });
        if (any && (best == nullptr || stream.first > best->first))
            best = &stream;
    }
    return best == nullptr ? std::vector<StripId>() : best->second;
}

void sortByBegin(const Trace& trace, std::vector<EventId>& rows) {
    std::ranges::stable_sort(rows, {}, [&](EventId e) { return trace.events().beginNs[e.v]; });
}

// Where `pattern` occurs in `text` without overlap (Knuth, Morris and Pratt, 1977).
std::vector<std::size_t> occurrences(const std::vector<std::uint32_t>& text,
                                     const std::vector<std::uint32_t>& pattern, JobControl& job) {
    std::vector<std::size_t> border(pattern.size() + 1, 0);
    for (std::size_t i = 1, k = 0; i < pattern.size(); ++i) {
        while (k > 0 && pattern[i] != pattern[k])
            k = border[k];
        k += pattern[i] == pattern[k] ? 1u : 0u;
        border[i + 1] = k;
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0, k = 0; i < text.size(); ++i) {
        if (i % kAlikePoll == 0 && job.cancelled())
            break;
        while (k > 0 && text[i] != pattern[k])
            k = border[k];
        k += text[i] == pattern[k] ? 1u : 0u;
        if (k == pattern.size()) {
            found.push_back(i + 1 - k);
            k = 0;
        }
    }
    return found;
}

// The same operations in the same order: occurrences on either side of the marked ones, so that those are
// among them whatever comes before.
std::vector<TimeRange> alikeOnStream(const Trace& trace, const std::vector<EventId>& ops, std::size_t first,
                                     std::size_t count, TimeRange range, JobControl& job) {
    std::vector<std::uint32_t> names;
    names.reserve(ops.size());
    for (const EventId op : ops)
        names.push_back(trace.events().name[op.v].v);
    const auto from = names.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::uint32_t> pattern(from, from + static_cast<std::ptrdiff_t>(count));
    std::vector<std::size_t> starts;
    // Before it, backwards: text and pattern are turned round.
    const std::vector<std::uint32_t> before(std::make_reverse_iterator(from), names.rend());
    const std::vector<std::uint32_t> turned(pattern.rbegin(), pattern.rend());
    for (const std::size_t at : occurrences(before, turned, job))
        starts.push_back(first - at - count);
    std::ranges::reverse(starts);
    for (const std::size_t at : occurrences({from, names.end()}, pattern, job))
        starts.push_back(first + at);
    const EventTable& events = trace.events();
    const DurationNs lead = events.range(ops[first]).begin - range.begin;
    const DurationNs tail = range.end - events.range(ops[first + count - 1]).begin;
    std::vector<TimeRange> spans;
    spans.reserve(starts.size());
    for (const std::size_t start : starts) {
        const TimeNs begin = events.range(ops[start]).begin - lead;
        const TimeNs end = events.range(ops[start + count - 1]).begin + tail;
        spans.push_back({begin, end});
    }
    return spans;
}

// The longest host event that begins in the range and ends in it.
EventId longestHostEvent(const Trace& trace, TimeRange range) {
    EventId longest;
    for (std::uint32_t s = 0; s < trace.strips().size(); ++s) {
        if (!trace.lane(trace.strip({s}).lane).thread)
            continue;
        for (const EventId e : beginningIn(trace, {s}, range)) {
            const bool inside = trace.events().range(e).end <= range.end;
            if (inside && (!longest || trace.events().duration(e) > trace.events().duration(longest)))
                longest = e;
        }
    }
    return longest;
}

std::vector<TimeRange> alikeByName(const Trace& trace, EventId event, TimeRange range, JobControl& job) {
    const EventTable& events = trace.events();
    const DurationNs lead = events.range(event).begin - range.begin;
    const DurationNs tail = range.end - events.range(event).end;
    const LaneId lane = trace.laneOf(event);
    std::vector<TimeRange> spans;
    for (std::uint32_t k = 0; k < trace.lane(lane).depth; ++k) {
        const Strip strip = trace.strip({trace.lane(lane).firstStrip.v + k});
        for (std::uint32_t e = strip.first.v; e < strip.last.v; ++e) {
            if (e % kAlikePoll == 0 && job.cancelled())
                return spans;
            if (events.name[e] == events.name[event.v] && events.kind[e] == events.kind[event.v])
                spans.push_back({events.range({e}).begin - lead, events.range({e}).end + tail});
        }
    }
    std::ranges::sort(spans, {}, &TimeRange::begin);
    return spans;
}

void fillStatistics(AlikeSpans& alike, TimeRange range) {
    std::vector<std::int64_t> lengths;
    lengths.reserve(alike.spans.size());
    for (const TimeRange& span : alike.spans)
        lengths.push_back(span.length().v);
    std::ranges::sort(lengths);
    constexpr std::size_t kWhole = 100, kRank = 95;
    alike.minNs = lengths.front();
    alike.maxNs = lengths.back();
    alike.medianNs = lengths[(lengths.size() - 1) / 2];
    alike.p95Ns = lengths[(lengths.size() * kRank + kWhole - 1) / kWhole - 1];
    alike.marked = static_cast<std::size_t>(std::ranges::find(alike.spans, range) - alike.spans.begin());
}

} // namespace

Result<AlikeSpans> findAlike(const Trace& trace, TimeRange range, JobControl& job) {
    AlikeSpans alike;
    if (const std::vector<StripId> strips = busiestStream(trace, range); !strips.empty()) {
        std::vector<EventId> ops;
        for (const StripId strip : strips)
            for (std::uint32_t e = trace.strip(strip).first.v; e < trace.strip(strip).last.v; ++e)
                ops.push_back({e});
        sortByBegin(trace, ops);
        const auto beginOf = [&](EventId e) { return trace.events().range(e).begin; };
        const auto from = std::ranges::lower_bound(ops, range.begin, {}, beginOf);
        const auto to = std::ranges::lower_bound(ops, range.end, {}, beginOf);
        const auto first = static_cast<std::size_t>(from - ops.begin());
        const auto count = static_cast<std::size_t>(to - from);
        alike.spans = alikeOnStream(trace, ops, first, count, range, job);
        const Lane& lane = trace.lane(trace.strip(strips.front()).lane);
        alike.by = std::to_string(count) + (count == 1 ? " operation" : " operations") + " on stream " +
                   std::to_string(lane.sourceId);
    } else if (const EventId event = longestHostEvent(trace, range)) {
        alike.spans = alikeByName(trace, event, range, job);
        alike.by = trace.nameOf(event);
    }
    if (job.cancelled())
        return cancelledError();
    if (!alike.spans.empty())
        fillStatistics(alike, range);
    return alike;
}

} // namespace lacuna
