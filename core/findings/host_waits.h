#pragma once
// Calls of the window in which a host thread waited for a device, the closing ones apart.

#include "core/findings/context.h"

#include <unordered_map>
#include <vector>

namespace lacuna::findings {

struct HostWait {
    EventId call;
    std::int64_t ns = 0;
    bool isCopy = false;
    std::int64_t drainedNs = 0; // idle time behind it that the wait let happen: sum of sync parts
    GapId drained;              // the longest such gap; none
};

// Sync calls and copies that blocked, begun in the window and not the end of the capture; by begin, thread
// after thread. O(waits + gaps).
std::vector<HostWait> waitsOfWindow(const FindingContext& context);

// Waits of one call site.
struct WaitSite {
    HostSite site; // of the longest
    std::size_t count = 0, drains = 0;
    std::int64_t ns = 0, drainedNs = 0;
    HostWait longest, worstDrain;
    std::vector<EventId> rows; // the calls
};
// By time lost to drained queues, then by time waited.
std::vector<WaitSite> waitsBySite(const FindingContext& context, const std::vector<HostWait>& waits);
std::vector<EventId> callsOf(const std::vector<HostWait>& waits);

} // namespace lacuna::findings
