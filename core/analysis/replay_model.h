#pragma once
// What happened, as a program that can be run again with parts left out: analysis.md section 5. The model
// knows what let every device operation start (its launch, the operation before it on its stream, an
// operation of another stream that it waited for) and what let every waiting call return (the operation that
// it waited for). The submitting threads of a process are one sequence in time order, since each may go on
// only because another did.
//
// Two delays, both of the file: a launch into an empty queue pays the launch latency, one that queues pays
// the switch. With nothing removed every operation starts and ends when it was recorded to (replay.h).
//
// Build O(n log n) for n device operations, launches and waits; about 100 bytes each, besides the gap index.

#include "core/analysis/gap_index.h"
#include "core/analysis/steps.h"
#include "core/base/column.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

inline constexpr std::uint32_t kNoReplayItem = UINT32_MAX;

struct ReplayOp { // device operation; by (begin, order in the file), all devices together
    EventId event;
    std::uint32_t before = kNoReplayItem; // operation before it on its stream
    std::uint32_t source = kNoReplayItem; // operation of another stream that its stream waited for
    std::uint32_t call = kNoReplayItem;   // none: not recorded; it stays where it is
    std::int64_t lambdaNs = 0;            // begin of the call to its start, when nothing else held it
    std::int64_t deltaNs = 0;             // end of what it queued behind to its start
    bool isQueued = false;                // the device, not the host, decided when it started
};

struct ReplayCall { // host call that submitted operations
    EventId event;
    ThreadId thread;
    std::uint32_t host = 0;             // sequence: process
    std::uint32_t step = kNoReplayItem; // of ReplayModel::steps(), in which it began
};

struct ReplayWait { // call that held its thread for the device
    EventId event;
    HostRow row;
    ThreadId thread;
    std::uint32_t host = 0;
    std::uint32_t released = kNoReplayItem; // operation whose end let it return; none: nothing was pending
    gaps::Hold hold = gaps::Hold::Waits;
    TimeRange range;
};

struct ReplayPoint { // in time order; what happens at the same time is in the order of What
    enum class What : std::uint8_t { WaitEnd, WaitBegin, Call, Op };
    std::int64_t timeNs = 0;
    std::uint32_t index = 0;
    What what = What::Op;
};

class ReplayModel {
public:
    // Error: Cancelled.
    static Result<std::shared_ptr<const ReplayModel>> build(std::shared_ptr<const Trace> trace,
                                                            JobControl& job);
    // The same on what a gap analysis has already built.
    static Result<std::shared_ptr<const ReplayModel>> build(std::shared_ptr<const gaps::GapIndex> index,
                                                            JobControl& job);

    // Host tree, families of calls and waits between streams, as the gap analysis sees them.
    const gaps::GapIndex& index() const { return *m_index; }
    const Trace& trace() const { return m_index->trace(); }
    std::span<const ReplayOp> ops() const { return m_ops; }
    std::span<const ReplayCall> calls() const { return m_calls; }
    std::span<const ReplayWait> waits() const { return m_waits; } // by thread, then begin
    std::span<const ReplayPoint> points() const { return m_points; }
    const Steps& steps() const { return m_steps; }
    std::size_t hosts() const { return trace().processes().size() + 1; } // the last: threads without process
    // Device operation, or call that submitted some, of an event; none.
    std::uint32_t numberOf(EventId event) const { return m_number[event.v]; }
    bool submits(ThreadId thread) const { return m_submits[thread.v]; }
    std::uint32_t hostOf(ThreadId thread) const;

    // Lower medians: call begin to start of what was launched into an empty queue (none: the smaller of 10 us
    // and the least there is); end of the operation before to start of what had queued in time (none:
    // unknown).
    std::int64_t lambda50Ns() const { return m_lambda50; }
    std::optional<std::int64_t> delta50Ns() const { return m_delta50; }
    // End of what an operation queued behind: of the operation before and its source, the later; none.
    std::optional<std::int64_t> queuedBehind(const ReplayOp& op) const;

private:
    friend struct ReplayModelBuilder;
    ReplayModel() = default;

    std::shared_ptr<const gaps::GapIndex> m_index;
    Column<ReplayOp> m_ops;
    Column<ReplayCall> m_calls;
    std::vector<ReplayWait> m_waits;
    Column<ReplayPoint> m_points;
    Column<std::uint32_t> m_number; // by event
    std::vector<bool> m_submits;    // by thread
    Steps m_steps;
    std::int64_t m_lambda50 = 0;
    std::optional<std::int64_t> m_delta50;
};

} // namespace lacuna
