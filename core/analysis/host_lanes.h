#pragma once
// Which lanes hold what a host thread does.

#include "core/analysis/host_tree.h"

namespace lacuna {

// Whether the rows of a lane are in a host tree with these options.
inline bool isHostLane(const Lane& lane, const HostTreeOptions& options) {
    switch (lane.kind) {
    case LaneKind::Python:
        return lane.thread && options.pythonRows;
    case LaneKind::OsRuntime:
        return lane.thread && options.osRows;
    case LaneKind::Steps:
    case LaneKind::Range:
    case LaneKind::CpuThread:
    case LaneKind::CudaApi:
    case LaneKind::Overhead:
        return static_cast<bool>(lane.thread);
    default:
        return false;
    }
}

} // namespace lacuna
