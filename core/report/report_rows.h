#pragma once
// The rows that a report is about.

#include "core/report/kind_mask.h"
#include "core/report/report.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace lacuna {

// Rows without length count when they start in the range.
constexpr bool overlaps(TimeRange range, std::int64_t begin, std::int64_t end) {
    return begin < range.end.v && (end > range.begin.v || (begin == end && begin >= range.begin.v));
}

// The kinds of rows [first, last), as a mask. Rows of a strip are of one kind as a rule, and then this is one
// pass over bytes without a branch.
inline KindMask kindsOf(const EventKind* first, const EventKind* last) {
    unsigned differs = 0;
    for (const EventKind* kind = first; kind != last; ++kind)
        differs |= static_cast<unsigned>(*kind) ^ static_cast<unsigned>(*first);
    if (differs == 0)
        return kindBit(*first);
    KindMask kinds = 0;
    for (const EventKind* kind = first; kind != last; ++kind)
        kinds |= kindBit(*kind);
    return kinds;
}

// Calls visit(EventId, const Lane&) for every row of the kinds that the options select, lane after lane, each
// strip in order of time. The device selects among rows of device lanes only. False when the job was
// cancelled.
template <class Visit>
bool forEachRow(const ReportInput& input, KindMask kinds, JobControl& job, const Visit& visit) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    RowPoll poll(job);
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (input.options.device && lane.device &&
            trace.devices()[lane.device.v].ordinal != *input.options.device)
            continue;
        for (std::uint32_t first = strip.first.v; first < strip.last.v;) {
            const std::uint32_t rows = std::min(RowPoll::kRows, strip.last.v - first);
            const std::uint32_t last = first + rows;
            if (!poll.tick(rows))
                return false;
            const EventKind* const kind = &events.kind[first];
            for (std::uint32_t e = (kindsOf(kind, kind + rows) & kinds) == 0 ? last : first; e < last; ++e) {
                if ((kinds & kindBit(events.kind[e])) == 0)
                    continue;
                if (input.options.range &&
                    !overlaps(*input.options.range, events.beginNs[e], events.endNs[e]))
                    continue;
                visit(EventId{e}, lane);
            }
            first = last;
        }
    }
    return true;
}

// How many rows forEachRow() visits; fewer when the job was cancelled. A pass over bytes as a rule.
inline std::size_t countRows(const ReportInput& input, KindMask kinds, JobControl& job) {
    std::size_t count = 0;
    forEachRow(input, kinds, job, [&count](EventId, const Lane&) { ++count; });
    return count;
}

// The rows of forEachRow() by start, equal ones in the order of the file. None when the job was cancelled.
// O(n log lanes).
std::optional<std::vector<EventId>> rowsByStart(const ReportInput& input, KindMask kinds, JobControl& job);

struct HostIds {
    std::optional<std::int64_t> pid, tid; // none: not told, or no number
};
HostIds hostIdsOf(const Trace& trace, ThreadId thread);
std::optional<std::int64_t> launchingProcessOf(const Trace& trace,
                                               DeviceId device); // number of the launching process
std::int64_t ordinalOf(const Trace& trace, DeviceId device);
std::optional<std::int64_t> correlationIdOf(const Trace& trace, EventId event);

} // namespace lacuna
