#pragma once
// Rule I: why the launch call itself took the largest part of a gap (analysis.md section 4.4).

#include "core/analysis/gap_index.h"

namespace lacuna::gaps {

struct LaunchSide {
    GapCause cause = GapCause::LaunchLatency;
    EventId row; // overhead row, or the other thread's call
};

LaunchSide explainLaunch(const GapIndex& index, const Gap& gap);

} // namespace lacuna::gaps
