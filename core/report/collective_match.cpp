#include "core/report/collective_match.h"

#include "core/analysis/communication_names.h"
#include "core/trace/row_poll.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <utility>

namespace lacuna {

std::optional<Collectives> collectivesOf(const Trace& trace, const BusyDevices& devices, JobControl& job) {
    const EventTable& events = trace.events();
    CommunicationNames names(trace);
    RowPoll poll(job);
    std::vector<EventId> found;
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d)
        for (const EventId op : devices.ops(DeviceId{d}, job)) {
            if (!poll.tick())
                return std::nullopt;
            if (events.kind[op.v] == EventKind::Kernel && names.has(events.name[op.v]))
                found.push_back(op);
        }
    if (job.cancelled() || !sortRows(found, poll, [&events](EventId a, EventId b) {
            return std::pair(events.beginNs[a.v], a.v) < std::pair(events.beginNs[b.v], b.v);
        }))
        return std::nullopt;
    std::map<StringId, std::vector<EventId>> byName;
    for (const EventId op : found) {
        if (!poll.tick())
            return std::nullopt;
        byName[events.name[op.v]].push_back(op);
    }
    Collectives collectives;
    for (auto& [name, ops] : byName)
        collectives[std::string(trace.strings().view(name))] = std::move(ops);
    return collectives;
}

std::optional<std::size_t> lastToCome(std::span<const std::int64_t> durations) {
    const auto least = std::min_element(durations.begin(), durations.end());
    if (least == durations.end() || std::count(durations.begin(), durations.end(), *least) != 1)
        return std::nullopt;
    return static_cast<std::size_t>(least - durations.begin());
}

} // namespace lacuna
