#include "core/trace/strip_indexes.h"

namespace lacuna {

namespace {

constexpr std::uint32_t kBlock = 16;
constexpr std::uint32_t kPollRows = 4096;

// Each further level: the longest of 16 entries of the one below.
void addLevels(const EventTable& events, std::size_t below, Column<EventId>& longest) {
    std::size_t count = longest.size() - below;
    while (count > 1) {
        for (std::size_t i = 0; i < count; ++i) {
            const EventId candidate = longest[below + i];
            if (i % kBlock == 0)
                longest.push_back(candidate);
            else if (events.duration(candidate) > events.duration(longest.back()))
                longest.back() = candidate;
        }
        below += count;
        count = (count + kBlock - 1) / kBlock;
    }
}

} // namespace

bool buildStripIndexes(const EventTable& events, std::span<const Strip> strips, const StripIndexes& into,
                       JobControl& job) {
    into.busy.reserve(events.size() / kBlock + strips.size());
    into.longest.reserve(events.size() / (kBlock - 1) + 2 * strips.size());
    into.busyFirst.reserve(strips.size());
    into.longestFirst.reserve(strips.size());
    std::uint32_t sincePoll = 0;
    for (const Strip& s : strips) {
        into.busyFirst.push_back(into.busy.size());
        into.longestFirst.push_back(into.longest.size());
        std::int64_t busy = 0;
        for (std::uint32_t row = s.first.v; row < s.last.v; ++row) {
            if ((row - s.first.v) % kBlock == 0) {
                into.busy.push_back(busy);
                into.longest.push_back(EventId{row});
            }
            busy += events.endNs[row] - events.beginNs[row];
            EventId& longest = into.longest.back();
            if (events.duration({row}) > events.duration(longest))
                longest = EventId{row};
            if (++sincePoll == kPollRows) {
                sincePoll = 0;
                if (job.cancelled())
                    return false;
            }
        }
        addLevels(events, into.longestFirst.back(), into.longest);
    }
    into.busy.shrink_to_fit();
    into.longest.shrink_to_fit();
    return true;
}

} // namespace lacuna
