#pragma once
// Answers of the independent reference about the gaps of one device (oracles of gap_attribution and
// M*.gapref.out.json) against ours. The reference leaves Python frames, OS rows and hand-off out and knows no
// subtypes: its classes and headlines are rebuilt from our cuts and pieces.

#include "core/analysis/gap_analysis.h"
#include "tests/support/oracles.h"

namespace lacuna::test {

// With what the reference leaves out left out. None when the run fails.
std::shared_ptr<const GapAnalysis> analyseAsReference(std::shared_ptr<const Trace> trace);

// `hiddenDrainNs`: time of gaps drained by a wait that the reference does not see, since it looks at the last
// waiting call only (analysis.md 4.4, rule S); headlines are then compared by the sum of SYNC_DRAIN alone.
void compareGapReference(const GapAnalysis& analysis, DeviceId device, const nlohmann::json& expected,
                         std::int64_t hiddenDrainNs, Differences& differences);

} // namespace lacuna::test
