#pragma once
// Whether a fusion did anything: six figures of a stretch of a trace, and the comparison of two of them
// (features.md C65). Fewer operators, launches or names are no success by themselves (C05): what took less
// time is, so completion stands first.

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

// A plain value without a trace, so that it can outlive the one it was taken from.
struct FusionFacts {
    std::string title;             // "item_sync.json, 12.5 ms to 13.0 ms"
    std::int64_t completionNs = 0; // median step; without two steps: from the first host row to the last
                                   // device operation that was launched
    bool isOfSteps = false;
    std::optional<std::uint64_t> operators; // begun, those inside others too; none: not recorded
    std::optional<std::uint64_t> launches;  // calls that launched device work, a CUDA graph is one; none: no
                                            // calls are recorded
    std::map<std::string, std::int64_t> kernels;       // full name -> device time, ns
    std::optional<std::uint64_t> allocationsAndCopies; // calls of the driver; copies and kernels that copy
    std::optional<double> dramNs; // time at full DRAM bandwidth, from sampled counters; none: not recorded
    // Communication that no compute hid, of all devices; of steps: the mean of those that completionNs is of.
    // None: nothing communicates.
    std::optional<double> exposedCommunicationNs;
    std::optional<double> outsideNs; // a step without a profiler, as the user told; for the caller to set
};

// Of what the host began in the range, with the device work it launched; of all rows without one. O(rows).
// Error: Cancelled.
Result<FusionFacts> fusionFacts(const Trace& trace, const HostTree& tree, std::optional<TimeRange> range,
                                JobControl& job);

enum class FusionVerdict : std::uint8_t { Improved, Same, Worse, NotRecorded };
std::string_view fusionVerdictName(FusionVerdict verdict); // "improved", "same", "worse", "not recorded"

struct FusionRow {
    std::string_view question, meaning; // "completion"; a sentence
    FusionVerdict verdict = FusionVerdict::NotRecorded;
    std::string before, after; // "12", "1.240 ms"; empty: not recorded
};

// Completion, operators, launches, kernel identity, allocations and copies, bytes. A difference of less than
// kFusionNoise in times is "same". Kernels are improved when those that are new take less time than those
// that are gone.
inline constexpr double kFusionNoise = 0.02;
std::array<FusionRow, 6> compareFusion(const FusionFacts& before, const FusionFacts& after);

// Where one of them communicates (features.md E13): less of it exposed is an improvement.
std::optional<FusionRow> exposedCommunicationRow(const FusionFacts& before, const FusionFacts& after);
// What counts in the end and stands in front of all others (B23): the step measured without a profiler. Its
// figures are empty where nobody entered one.
FusionRow outsideRow(const FusionFacts& before, const FusionFacts& after);

} // namespace lacuna
