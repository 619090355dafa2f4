#pragma once
// Keys of lanes as patterns, so that what a person arranged in one trace holds in the next of the same
// project: numbers of processes, threads and streams are stars ("lane/cuda_api/python* *"), and where several
// rows have one pattern they are counted in their usual order, launching thread and busiest stream first
// ("lane/gpu_stream/0/*#2").

#include "core/view/row_layout.h"

#include <map>
#include <string>

namespace lacuna {

class LanePatterns {
public:
    // facts as in LayoutOptions; null: made here. O(events) without, else O(lanes).
    static LanePatterns of(const Trace& trace, const LayoutFacts* facts);

    // Empty when the trace has no such row.
    std::string patternOf(const std::string& key) const;
    std::string keyOf(const std::string& pattern) const;
    // Every key of a plan, those that are not known left out; the filter goes.
    LanePlan toPatterns(const LanePlan& keys) const;
    LanePlan toKeys(const LanePlan& patterns) const;

private:
    std::map<std::string, std::string> m_patternOf, m_keyOf;
};

// Runs of digits as one star.
std::string withoutNumbers(std::string_view text);

} // namespace lacuna
