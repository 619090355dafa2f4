#include "core/analysis/step_selection.h"

#include "core/analysis/gap_names.h"

#include <algorithm>
#include <map>

namespace lacuna {

std::vector<EventId> rangesNamed(const Trace& trace, std::string_view name) {
    const EventTable& events = trace.events();
    std::vector<signed char> matches(trace.strings().size(), -1); // by StringId; -1: not asked
    std::map<ThreadId, std::vector<EventId>> byThread;
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (lane.kind != LaneKind::Range && lane.kind != LaneKind::Steps)
            continue;
        for (EventId e = strip.first; e < strip.last; ++e.v) {
            signed char& match = matches[events.name[e.v].v];
            if (match < 0)
                match = trace.nameOf(e) == name || gaps::withoutNumbers(trace.nameOf(e)) == name ? 1 : 0;
            if (match != 0 && events.kind[e.v] == EventKind::Range)
                byThread[lane.thread].push_back(e);
        }
    }
    std::vector<EventId> best;
    for (auto& [thread, rows] : byThread) {
        std::sort(rows.begin(), rows.end(), [&](EventId a, EventId b) {
            return events.beginNs[a.v] != events.beginNs[b.v] ? events.beginNs[a.v] < events.beginNs[b.v]
                                                              : events.endNs[a.v] > events.endNs[b.v];
        });
        std::int64_t end = INT64_MIN; // of the last one kept: those inside it are left out
        std::erase_if(rows, [&](EventId row) {
            const bool isInside = events.endNs[row.v] <= end;
            end = std::max(end, events.endNs[row.v]);
            return isInside;
        });
        if (rows.size() > best.size())
            best = std::move(rows);
    }
    return best;
}

namespace {

void takeRows(const Trace& trace, const std::vector<EventId>& rows, StepSelection& selection) {
    selection.steps.reserve(rows.size());
    for (const EventId row : rows)
        selection.steps.push_back({trace.events().range(row), row});
}

std::optional<Error> takePattern(const Trace& trace, const AnalysisSettings& settings, JobControl& job,
                                 StepSelection& selection) {
    const auto candidates = findCandidateSteps(trace, settings.thresholds, job);
    if (!candidates)
        return candidates.error();
    const ConfirmedPattern& wanted = *settings.pattern;
    if (wanted.number > candidates->size()) {
        selection.remark = "There is no repeated pattern number " + std::to_string(wanted.number) + ".";
        return {};
    }
    const CandidateSteps& pattern = (*candidates)[wanted.number - 1];
    selection.source = "pattern";
    selection.meaning = wanted.meaning;
    selection.anchor = pattern.anchor;
    selection.steps.reserve(pattern.ranges.size());
    for (const TimeRange& range : pattern.ranges)
        selection.steps.push_back({range, {}});
    return {};
}

} // namespace

Result<StepSelection> selectSteps(const Trace& trace, const AnalysisSettings& settings, JobControl& job) {
    StepSelection selection;
    selection.meaning = "step";
    if (!settings.stepRange.empty()) {
        takeRows(trace, rangesNamed(trace, settings.stepRange), selection);
        if (!selection.steps.empty())
            selection.source = "range";
        else
            selection.remark = "There are no ranges named '" + settings.stepRange + "'.";
    } else if (settings.pattern) {
        if (auto error = takePattern(trace, settings, job, selection))
            return *std::move(error);
    }
    if (selection.steps.empty()) {
        const Steps found = findSteps(trace, job);
        if (job.cancelled())
            return cancelledError();
        selection.source = found.source;
        selection.meaning = "step";
        takeRows(trace, found.events, selection);
    }
    return selection;
}

} // namespace lacuna
