#pragma once
// The sums that PyTorch's profiler prints as key_averages(): one row per name, and per side (host, device)
// and per range or no range, so that the host range "forward" and its projection on the device are two rows.
//
// PyTorch's meaning, which differs from op_attribution.h in what has a row (ranges, CUDA calls, overheads and
// device work too) and in two rules of nesting:
//   a row that ends after its would-be parent is no child of it (op_attribution clips it),
//   an only child of the same name as its parent is merged into it (aten::to in aten::to counts once).
// Device time of a host row: the device operations whose launching call has it as nearest operator, and those
// of its children. Source: torch/autograd/profiler_util.py (EventList._build_tree, FunctionEvent).
// Python frames and OS calls are left out, as PyTorch leaves them out.

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

// What a row is grouped by beside its name: a label per row, 0 for none.
struct AverageLabels {
    std::vector<std::uint32_t> ofHostRow; // beside the rows of the tree
    std::function<std::uint32_t(EventId)> ofDeviceRow;
};

// A "[memory]" mark: a change of allocated bytes.
struct MemoryChange {
    std::int64_t timeNs = 0, bytes = 0;
    bool isOnDevice = false;
};

inline constexpr std::size_t kMostInside = 32; // of KeyAverageOptions::inside

// A step of the way from a row of the table to what stands in it: rows of a name, "ProfilerStep*" for steps.
struct AverageParent {
    std::string name;
    std::optional<bool> isRange; // none: ranges and others alike
};

struct KeyAverage {
    StringId name;               // of its first row; isStep: rows "ProfilerStep#N" together
    EventId first;               // first row in PyTorch's order: start, then the longer one
    bool isDevice = false;       // device work or its projected ranges
    bool isRange = false;        // record_function, NVTX
    bool isStep = false;         // PyTorch prints "ProfilerStep*"
    bool hasInside = false;      // host rows stand in it, or device work was launched by it
    std::uint32_t label = 0;     // of AverageLabels
    std::uint64_t calls = 0;     // rows
    std::int64_t selfHostNs = 0; // duration without the children
    std::int64_t hostNs = 0;     // sum of durations; recursion counts twice, as in PyTorch
    std::int64_t selfDeviceNs = 0, deviceNs = 0;
    // Bytes that the marks inside the row add up to, whatever their thread (as PyTorch counts).
    std::int64_t selfHostBytes = 0, hostBytes = 0, selfDeviceBytes = 0, deviceBytes = 0;
};

struct KeyAverages {
    std::vector<KeyAverage> rows; // in the order of their first rows
    std::int64_t selfHostNs = 0;  // PyTorch's "Self CPU time total"
    std::int64_t deviceNs = 0;    // PyTorch's "Self CUDA time total": device rows that are no ranges
};

struct KeyAverageOptions {
    // Only rows that overlap it (nesting stays that of the whole trace).
    std::optional<TimeRange> window;
    const AverageLabels* labels = nullptr;  // none: by name alone
    std::span<const MemoryChange> memory{}; // by time
    // Only what stands directly in rows of the last name that stand directly in rows of the one before, and
    // so on, at most kMostInside; device work stands in the operator whose self time it is. Then CPU total of
    // the last name is its self time and that of its host rows, and its CUDA total the sum of all its rows'.
    std::span<const AverageParent> inside{};
    // Told of every row that is counted, with a number for what it is counted in.
    std::function<void(EventId, std::size_t)> visit;
};

// The tree must be without Python frames and OS calls. O(n log n). Error: Cancelled.
Result<KeyAverages> keyAverages(const Trace& trace, const HostTree& tree, const KeyAverageOptions& options,
                                JobControl& job);

} // namespace lacuna
