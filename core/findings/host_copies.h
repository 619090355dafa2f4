#pragma once
// Copies between host and device that begin in the window.

#include "core/findings/context.h"

#include <vector>

namespace lacuna::findings {

struct CopyGroup {
    CopyKind kind = CopyKind::Unknown;
    bool isPageable = false;
    HostSite site;                     // of the calls
    std::size_t count = 0, waited = 0; // waited: the host came back no earlier than the copy was done
    std::int64_t bytes = 0, ns = 0;
    EventId longest;
    std::vector<EventId> rows;
};

struct HostCopies {
    std::vector<CopyGroup> groups; // by time, longest first
    std::size_t count = 0, pageable = 0, waited = 0;
    std::int64_t ns = 0, exposedNs = 0; // exposed: neither compute nor communication ran on the device
    EventId longest;
    std::vector<EventId> rows() const; // of all groups
};

// Copies to and from the host, or of unknown direction. O(rows of the devices).
HostCopies copiesOfWindow(const FindingContext& context, JobControl& job);
std::string_view directionTitle(CopyKind kind); // "host to device"

} // namespace lacuna::findings
