#pragma once
// The model run again with parts left out (analysis.md section 5). One pass over the recorded order: the host
// sequence of a process carries a shift d, the time by which it now runs earlier; an operation starts when
// its launch or what it queued behind lets it, a waiting call returns when its operation has ended.
//
//   operation:  start = max(l0 - d + lambda, end of what it queued behind + delta); duration unchanged
//   wait S:     end = max(begin - d, end of its operation + rho), d = max(0, recorded end - end)
//
// Limits, to be printed with every answer: replayLimits().

#include "core/analysis/replay_model.h"
#include "core/base/column.h"

#include <array>
#include <string_view>
#include <unordered_map>

namespace lacuna {

struct ReplayChange {
    enum class Wait : std::uint8_t {
        Stays,
        Goes,    // the call is deleted: it takes no time
        Ignored, // what becomes of its time is told by hostTime
    };
    struct Op {
        bool isGone = false;                    // leaves the device
        bool isPinned = false;                  // starts like any launch: lambda50, delta50
        std::optional<std::int64_t> durationNs; // none: as recorded
    };
    std::vector<Wait> waits;                   // by wait; empty: all stay
    std::unordered_map<std::uint32_t, Op> ops; // by operation
    // Host time that goes, by host sequence: sorted and disjoint. The host runs earlier from its end on.
    std::vector<std::vector<TimeRange>> hostTime;
    bool launchLatency = false; // no launch takes longer than the median to reach an empty queue

    // Both at once. What goes in either goes; a copy that is pinned in either is pinned. Of no use when the
    // job was cancelled.
    void join(const ReplayChange& other, const JobControl& job = JobControl());
};

struct ReplayResult {
    std::int64_t recordedEndNs = 0, replayedEndNs = 0; // last end of the operations that remain
    std::int64_t savedNs() const { return recordedEndNs - replayedEndNs; }
    // From the first operation of the second step to that of the last one, by the number of steps between;
    // none with fewer than three steps that launched something.
    struct StepPeriod {
        std::int64_t recordedNs = 0, predictedNs = 0;
    };
    std::optional<StepPeriod> stepPeriod;
    Column<std::int64_t> startNs, endNs; // by operation; those that left end where their stream was free
};

// O(n) over the model's points. Error: Cancelled.
Result<ReplayResult> replay(const ReplayModel& model, const ReplayChange& change, JobControl& job);

// What the model leaves out, one sentence each.
std::span<const std::string_view> replayLimits();

} // namespace lacuna
