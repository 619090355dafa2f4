#pragma once
// Allocator levels from the counters of a trace.

#include "core/findings/context.h"

#include <vector>

namespace lacuna::findings {

struct MemoryLevel {
    CounterId counter;
    std::string name;
    std::vector<double> atStepEnds; // of the measured steps
    double first = 0, last = 0;     // of them
    double growth() const { return first > 0 ? last / first - 1 : 0; }
};

// GPU memory tracks whose name holds `word` ("reserved", "allocated"). O(samples).
std::vector<MemoryLevel> memoryLevels(const FindingContext& context, std::string_view word);

} // namespace lacuna::findings
