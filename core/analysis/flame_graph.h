#pragma once
// What a thread did in a window of time, as a tree of rows inside rows: each in its time (a flame chart), or
// rows of equal name under equal parents together (a flame graph). Three weights of every node:
//
//   host    time of the window in which the node or something inside it ran; the root is the whole window
//   self    of that, what the node ran itself; uncovered time is the root's self
//   device  durations of the device operations that calls inside the node launched (whole, wherever they ran)
//
// Host times tile the window: the self times of all nodes sum to it, to the ns. A row that ends after its
// parent counts for the parent while it runs beyond it, too (HostTree: partial overlap).

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lacuna {

enum class FlameOrder : std::uint8_t { Time, Aggregated };
enum class FlameWeight : std::uint8_t { Host, Self, Device };

struct FlameNode {
    StringId name; // none: the root
    EventKind kind = EventKind::Other;
    std::uint32_t parent = 0; // index; of the root itself
    std::uint32_t depth = 0;  // 0: the root
    EventId longest;          // of its rows, by duration; none: the root
    std::uint64_t rows = 0;
    std::int64_t hostNs = 0, selfNs = 0;
    std::int64_t deviceNs = 0, deviceSelfNs = 0; // deviceSelf: launched by the node's rows themselves
};

struct FlameGraph {
    static constexpr std::size_t kMostNodes = 500'000;

    TimeRange window;
    ThreadId thread;
    // [0] is the root; a parent stands before its children, siblings in the order of their first rows.
    std::vector<FlameNode> nodes;

    // Host: hostNs; Self: hostNs without the root's uncovered time; Device: deviceNs.
    std::int64_t weight(std::uint32_t node, FlameWeight by) const;
};

// Rows with a part in the window; device work of calls that begin in it. O(rows of the window x depth of
// those that began before it + device operations). Errors: Cancelled, TooLarge (more than kMostNodes: a
// shorter window, or aggregated, has fewer).
Result<FlameGraph> makeFlameGraph(const Trace& trace, const HostTree& tree, ThreadId thread, TimeRange window,
                                  FlameOrder order, JobControl& job);

// A box of the drawn graph: [x0, x1) in pixels.
struct FlameBox {
    std::uint32_t node = 0;
    double x0 = 0, x1 = 0;
    std::uint32_t level = 0; // 0: the focus
};

// The focus over the whole width, with all below it in proportion; siblings in the order of time, or widest
// first. Boxes narrower than minPx are left out with all inside them. O(nodes).
std::vector<FlameBox> layOutFlames(const FlameGraph& graph, FlameWeight by, std::uint32_t focus,
                                   double widthPx, double minPx, bool widestFirst);

} // namespace lacuna
