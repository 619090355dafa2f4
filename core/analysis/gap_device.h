#pragma once
// Rule D: why the GPU did not start work that was submitted in time (analysis.md section 4.4). Also what an
// ordinary launch costs, learnt from the file itself.

#include "core/analysis/gap_index.h"

#include <unordered_map>

namespace lacuna::gaps {

class LatencyTable {
public:
    LatencyTable() = default;
    // Of no use when the job was cancelled.
    LatencyTable(const GapIndex& index, std::span<const Gap> gaps, const JobControl& job = JobControl());

    // Longest gap of a queued operation that still counts as back-to-back cost.
    std::int64_t switchLimitNs(const GapIndex& index, const Gap& gap) const;
    // Lower median of launch begin to operation start into an idle device, by name of the call; 0 if unknown.
    std::int64_t uncontendedNs(StringId callName) const;

private:
    static std::uint64_t keyOf(const GapIndex& index, const Gap& gap);
    struct Switch { // gaps between operations that were queued in time
        std::size_t samples = 0;
        std::int64_t medianNs = 0; // the lower one
    };
    std::unordered_map<std::uint64_t, Switch> m_switch;
    std::unordered_map<std::uint32_t, std::int64_t> m_uncontended;
};

struct DeviceSide {
    GapCause cause = GapCause::DeviceUnexplained;
    bool isGuess = false; // by call order, not by a marker
    EventId source;       // STREAM_DEPENDENCY: the operation waited for
    EventId waitCall, recordCall;
    EventId row; // HOST_CALLBACK: what ran; POSSIBLY_UNRECORDED_WORK: the launch
};

// Rule D on [from, gap end), a part of the gap in which the next operation was already submitted.
DeviceSide explainDevice(const GapIndex& index, const LatencyTable& latency, const Gap& gap, TimeNs from);

} // namespace lacuna::gaps
