#pragma once
// Ruler: 1-2-5 steps with a unit that suits them.

#include "core/base/text_format.h"
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

// Major ticks at least minLabelPx apart, four or five minor ones between two.
std::vector<Tick> timeTicks(const Viewport& viewport, double minLabelPx = 90.0);

} // namespace lacuna
