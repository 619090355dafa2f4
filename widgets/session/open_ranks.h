#pragma once
// The ranks of one run that are open: the trace of a session and those of the other tabs.

#include "widgets/session/open_traces.h"

#include <cstdint>
#include <vector>

namespace lacuna::ui {

struct OpenRank {
    std::int64_t rank = 0;
    OpenTrace open;
};

// The session's own first, each rank once; those of runs of another size are none of them. Empty where
// nothing tells which rank the session's trace is of.
std::vector<OpenRank> openRanks(AnalysisSession& session);

} // namespace lacuna::ui
