#pragma once
// Ruler: 1-2-5 steps with a unit that suits them; on the wall clock 1-2-5-10-15-30 of seconds and minutes.

#include "core/base/text_format.h"
#include "core/view/time_axis.h"
#include "core/view/viewport.h"

#include <string>
#include <vector>

namespace lacuna {

struct Tick {
    TimeNs time;
    double x = 0;
    bool major = false;
    std::string label; // major ticks: "5.5 ms"
};

// Major ticks at least minLabelPx apart, some minor ones between two; round and labelled on the axis. Times
// are those of the trace.
std::vector<Tick> timeTicks(const Viewport& viewport, double minLabelPx = 90.0, const TimeAxis& axis = {});

} // namespace lacuna
