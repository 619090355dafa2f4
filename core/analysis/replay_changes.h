#pragma once
// What a user takes away, as a change of the replay model. Calls that only come along with a change go too:
// the copies of a scalar read, the synchronisation behind a copy that no longer needs it.

#include "core/analysis/replay.h"
#include "core/base/interval_set.h"

#include <array>
#include <span>
#include <vector>

namespace lacuna {

class ReplayChanges {
public:
    // O(n log n). Error: Cancelled. The model must outlive this.
    static Result<ReplayChanges> build(const ReplayModel& model, JobControl& job);

    // Changes are of no use when the job was cancelled while they were made.

    // The calls are deleted; what they copied stays on the device.
    ReplayChange withoutWaits(std::span<const std::uint32_t> waits,
                              const JobControl& job = JobControl()) const;
    // Around each wait the outermost operator whose device work is copies only leaves the host whole, and its
    // copies leave the device. Waits without such an operator are deleted alone.
    ReplayChange withoutReads(std::span<const std::uint32_t> waits,
                              const JobControl& job = JobControl()) const;
    // That operator; none. Only copies to the host make it a read.
    EventId readAround(std::uint32_t wait) const;
    // The copies leave the device, their calls and the waits for them the host.
    ReplayChange withoutCopies(std::span<const std::uint32_t> ops,
                               const JobControl& job = JobControl()) const;
    // Copies of pageable memory as if it were pinned: the call of an asynchronous one takes as long as a
    // launch, to the device without the waits behind it; the copy lasts bytes / bandwidth. Bandwidth: the one
    // given, else the best of a pinned copy of that direction in the trace, else as recorded.
    ReplayChange withPinned(std::span<const std::uint32_t> ops, double bytesPerSecond,
                            const JobControl& job = JobControl()) const;
    // Host time of these rows, but for the calls in them that launch or wait: those stay.
    ReplayChange withoutHostTime(std::span<const EventId> rows, const JobControl& job = JobControl()) const;
    // These calls take no time; they neither launch nor wait.
    ReplayChange withoutCalls(std::span<const EventId> calls, const JobControl& job = JobControl()) const;
    ReplayChange withoutLaunchLatency() const;

    // The wait that a call is; kNoReplayItem without a call, and of one that does not hold its thread. O(log
    // n).
    std::uint32_t waitOf(EventId call) const;
    // Best bytes per second of a pinned copy in the trace, 0 where there is none.
    double pinnedBandwidth(CopyKind kind) const;
    bool isPageable(std::uint32_t op) const;
    std::int64_t medianLaunchNs() const { return m_medianLaunchNs; }

private:
    explicit ReplayChanges(const ReplayModel& model) : m_model(&model) {}
    struct Launch { // of one thread, by begin of the call
        std::int64_t beginNs = 0;
        std::uint32_t op = 0;
        std::uint32_t othersBefore = 0; // operations before it that are no copies to the host
    };
    std::span<const Launch> launchesIn(ThreadId thread, TimeRange range) const;
    bool readsOnly(std::span<const Launch> launches) const;
    HostRow operatorAround(HostRow row) const;
    void ignoreWaitsIn(ThreadId thread, TimeRange range, ReplayChange& change) const;
    std::vector<std::uint32_t> waitsBehind(std::uint32_t op) const;
    std::pair<std::uint32_t, std::uint32_t> waitsOf(ThreadId thread) const; // first, last
    ReplayChange nothing() const;
    static void finish(ReplayChange& change, RowPoll& poll);

    const ReplayModel* m_model;
    std::vector<std::vector<Launch>> m_launches; // by thread
    std::vector<IntervalSet> m_needed;           // by host sequence: calls that launch or wait
    std::array<double, 2> m_bandwidth{};         // to the device, to the host
    std::int64_t m_medianLaunchNs = 0;
};

} // namespace lacuna
