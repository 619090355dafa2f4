#pragma once
// Class and cause of every host row as a piece of a gap (analysis.md sections 4.1 and 4.6), and per thread
// the calls that the rules look for. Whether a copy call blocked is decided by behaviour: it returned at or
// after the end of its own operation; asynchronous copies of pinned or device memory are excepted.

#include "core/analysis/gap_analysis.h"
#include "core/analysis/gap_names.h"
#include "core/analysis/host_tree.h"

#include <array>
#include <unordered_map>
#include <utility>

namespace lacuna::gaps {

// A call that held its thread for the device.
enum class Hold : std::uint8_t {
    Waits,   // sync API, or copy that blocked
    Copy,    // copy of pageable memory that lasted over a good part of its operation
    MayWait, // frees memory: waits in effect when an operation ended as it returned
};

struct HoldingCall {
    std::int64_t begin = 0, end = 0;
    HostRow row;
    Hold hold = Hold::Waits;
};

struct ThreadCalls { // outermost API calls of a thread, by begin
    std::vector<HoldingCall> holding;
    std::vector<HostRow> streamWaits, eventRecords;
    std::vector<HostRow> lockers; // allocation, module and sync calls: they hold locks of the driver
};

// How long the calls of a name take: lower medians.
class CallMedians {
public:
    // Of the calls that a host tree with these options holds. Of no use once the job is cancelled.
    static CallMedians of(const Trace& trace, const HostTreeOptions& options, JobControl& job);
    std::int64_t of(StringId callName) const; // 0 when there is none

private:
    std::unordered_map<std::uint32_t, std::int64_t> m_medians; // by name
};

class RowFacts {
public:
    static Result<RowFacts> build(const Trace& trace, const HostTree& tree, const GapThresholds& thresholds,
                                  NameFacts& names, JobControl& job);

    // The row that a piece shows: OS rows inside an API call are details of that call.
    HostRow shown(HostTree const& tree, HostRow leaf) const {
        for (std::uint32_t level = 0;
             leaf && (m_class[leaf.v] & kDetail) != 0 && level < HostTree::kLevelsLookedAt; ++level)
            leaf = tree.parent(leaf);
        return leaf;
    }
    PieceClass cls(HostRow row) const {
        return row ? static_cast<PieceClass>(m_class[row.v] >> kBits) : PieceClass::Uncovered;
    }
    // Cause of the row's own time, runs of rule B left aside.
    GapCause cause(HostRow row) const {
        return row ? kHostCauses[static_cast<unsigned>(m_cause[row.v / 2]) >> (row.v % 2 * 4) & 15u]
                   : GapCause::HostUnrecorded;
    }
    bool isStep(HostRow row) const { return row && (m_class[row.v] & kStepMark) != 0; }

    const ThreadCalls& calls(ThreadId thread) const { return m_calls[thread.v]; }
    // Lower median of the durations of the calls with that name; 0 when there is none.
    std::int64_t medianDuration(StringId callName) const;
    void setMedians(CallMedians medians) { m_medians = std::move(medians); }
    // Launch calls of a process that left no device work behind, by begin.
    const std::vector<EventId>& barrenLaunches(ProcessId process) const;

private:
    static constexpr std::uint8_t kDetail = 1, kStepMark = 2, kUnderCompile = 4, kUnderApi = 8;
    static constexpr unsigned kBits = 4; // of these
    static_assert(kPieceClasses <= 16);
    struct Builder;
    // The causes that a host row's own time can have.
    static constexpr std::array kHostCauses{
        GapCause::HostWork,   GapCause::HostBlockedOther, GapCause::Allocation,
        GapCause::ModuleLoad, GapCause::Compile,          GapCause::OsWait,
        GapCause::Gc,         GapCause::ProfilerArtifact, GapCause::DataLoading};
    static_assert(kHostCauses.size() <= 16);
    Column<std::uint8_t> m_class; // with the bits above
    Column<std::uint8_t> m_cause; // places in kHostCauses, two rows a byte
    std::vector<ThreadCalls> m_calls;
    CallMedians m_medians;
    std::unordered_map<std::uint32_t, std::vector<EventId>> m_barren;
    std::vector<EventId> m_none;
};

} // namespace lacuna::gaps
