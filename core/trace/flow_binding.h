#pragma once
// Finds the rows that the ends of recorded arrows belong to (chrome_json.md 2.4). An importer hands over ends
// with a time and a thread, in file order; what they bind to is known only when rows are in order.

#include "core/base/column.h"
#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/trace/flow_index.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lacuna {

class Trace;

enum class FlowPart : std::uint8_t { Start, Step, End };
enum class FlowBinding : std::uint8_t {
    Enclosing, // the innermost row of the thread that contains the time; its begin counts as inside
    Next,      // the first row of the thread that begins at the time or after it
    Row,       // the row whose SourceRef is known
};

struct FlowEnd {
    std::int64_t at = 0;     // file time; of FlowBinding::Row the bits of its SourceRef
    std::uint64_t id = 0;    // ends with equal (space, id) are one flow
    std::uint32_t space = 0; // what the file's ids are compared within: category, name, rank
    std::uint32_t lanes = 0; // number of a group of lanes (FlowEnds::lanes)
    StringId name;
    FlowPart part = FlowPart::Start;
    FlowBinding binding = FlowBinding::Enclosing;
};
static_assert(sizeof(FlowEnd) <= 32);

struct FlowEnds {
    std::vector<FlowEnd> ends;
    std::vector<std::pair<std::uint32_t, LaneId>> lanes; // (group, lane), any order
};

struct BoundFlows {
    Column<FlowLink> links;         // ascending by (from, to)
    Column<std::uint32_t> byTarget; // numbers into links by (to, from)
    std::uint64_t unbound = 0;      // ends that are part of no link
    bool isCancelled = false;
};

// A flow with one start: from there through the steps in order of time to every end. With several starts each
// part follows the last start before it. Of a group of lanes the first 1,024 strips are looked at.
// O(n log n) in ends and rows; `ends` must be in the time of the trace.
BoundFlows bindFlows(FlowEnds ends, const Trace& trace, JobControl& job);

} // namespace lacuna
