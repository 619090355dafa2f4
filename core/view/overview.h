#pragma once
// The minimap: how busy and how idle each device is in every pixel column of the whole trace, exact.

#include "core/analysis/gap_analysis.h"
#include "core/view/pixel_grid.h"

#include <vector>

namespace lacuna {

// Shares of a column's time; busy + idle + edge = 1. Edge: before the device's first and after its last
// operation, which is not idle time.
struct OverviewColumn {
    float busy = 0, idle = 0, edge = 1;
};

struct OverviewPin { // worst gap of one of the first three groups
    int number = 1;  // rank of the group
    GapId gap;
    double x = 0; // middle of the gap
};

struct DeviceOverview {
    DeviceId device;
    TimeRange window; // first start to last end of the device
    std::vector<OverviewColumn> columns;
    std::vector<OverviewPin> pins; // by number
};

struct Overview {
    Viewport viewport;                   // snapped; shows the whole trace
    std::vector<DeviceOverview> devices; // those with device work, in the order of the trace
};

// gaps may be null (the analysis is still running): then busy is known and the pins are missing.
// O(device rows) without gaps, O(gaps + columns) with them.
Overview buildOverview(const Trace& trace, const GapAnalysis* gaps, int widthPx);

} // namespace lacuna
