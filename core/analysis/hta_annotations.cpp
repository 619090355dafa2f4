#include "core/analysis/hta.h"
#include "core/analysis/hta_clock.h"
#include "core/trace/sort_rows.h"

#include <utility>

namespace lacuna {

std::vector<std::int64_t> htaProfilerSteps(const Trace& trace, const HtaOptions& options, JobControl& job) {
    RowPoll poll(job);
    std::vector<std::int64_t> numbers = htaSteps(trace, HtaClock(trace, options, poll), poll).numbers;
    if (options.dropLastStep && numbers.size() > 1)
        numbers.pop_back();
    return numbers;
}

Result<std::vector<HtaRow>> htaAnnotations(const Trace& trace, bool onDevice, const HtaOptions& options,
                                           JobControl& job) {
    RowPoll poll(job);
    const HtaClock clock(trace, options, poll);
    const HtaSteps steps = htaSteps(trace, clock, poll);
    const bool dropsLast = options.dropLastStep && steps.several();
    const EventKind kind = onDevice ? EventKind::GpuRange : EventKind::Range;
    const EventTable& events = trace.events();
    std::vector<HtaRow> rows;
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (options.device && lane.device && trace.devices()[lane.device.v].ordinal != *options.device)
            continue;
        for (EventId e = strip.first; e < strip.last; ++e.v) {
            if (!poll.tick())
                return cancelledError();
            const TimeRange range = events.range(e);
            if (events.kind[e.v] != kind || !isInHtaRange(options, range))
                continue;
            HtaRow row;
            row.event = e;
            row.beginNs = clock.begin(range);
            row.endNs = clock.end(range);
            row.stream = lane.sourceId;
            if (!dropsLast || row.beginNs < steps.lastBeginNs)
                rows.push_back(row);
        }
    }
    if (!sortRows(rows, poll, [&](const HtaRow& a, const HtaRow& b) {
            return std::pair(a.beginNs, events.source[a.event.v]) <
                   std::pair(b.beginNs, events.source[b.event.v]);
        }))
        return cancelledError();
    return rows;
}

} // namespace lacuna
