#pragma once
// Keys, titles and details of rows: what the lane heads say (ux.md section 4, mock).

#include "core/view/row_layout.h"

#include <string>

namespace lacuna {

class RowNames {
public:
    RowNames(const Trace& trace, const LayoutFacts& facts);

    TimelineRow threadHead(ThreadId thread, bool launching) const;
    TimelineRow deviceHead(DeviceId device) const;
    // Title, subtitle, second line and detail; row.indent is set.
    void nameLane(LaneId id, TimelineRow& row) const;

private:
    void nameStream(LaneId id, TimelineRow& row) const;
    void nameCounter(const Lane& lane, TimelineRow& row) const;
    void nameOther(const Lane& lane, TimelineRow& row) const;
    bool severalProcesses() const { return m_severalProcesses; }
    bool hasKind(LaneId lane, EventKind kind) const;
    std::string busyText(DeviceId device, std::int64_t busyNs) const;
    void addRank(TimelineRow& head, ProcessId process) const;
    std::string processTitle(ProcessId process) const;

    const Trace& m_trace;
    const LayoutFacts& m_facts;
    bool m_severalProcesses = false;                   // that drive a device, or at all when there is none
    std::vector<std::uint32_t> m_streams, m_gpuRanges; // lanes per device
};

} // namespace lacuna
