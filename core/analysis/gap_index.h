#pragma once
// What the rules ask of a trace, built once: host tree and row facts, operations and launches per device,
// waits between streams, overhead rows, smallest recorded ids. Build O(n log n), questions O(log n). The
// trace must outlive the index.

#include "core/analysis/active_threads.h"
#include "core/analysis/gap_rows.h"
#include "core/trace/lane_cursor.h"
#include "core/trace/row_poll.h"

#include <functional>
#include <span>

namespace lacuna::gaps {

// Launches of one device by one thread.
struct Submits {
    ThreadId thread;
    std::vector<EventId> calls; // that own operations of the device, by begin
    // Per holding call of the thread: time that earlier calls of its waiting chain held the thread (rule S).
    std::vector<std::int64_t> heldBefore;
    std::int64_t medianIntervalNs = 0; // between launches; 0 when there are fewer than two
};

struct DeviceIndex {
    DeviceId id;
    std::vector<EventId> ops; // by (begin, file order)
    TimeRange span;           // first start to last end
    std::vector<StripId> strips;
    // Of a device with more than kManyStrips strips: ops by (end, file order). Else empty: the strips are
    // searched one by one.
    static constexpr std::size_t kManyStrips = 64;
    std::vector<EventId> byEnd;
    std::vector<Submits> submits;                    // in order of their first correlation group
    std::vector<std::uint32_t> byThread;             // places in submits
    const Submits* submitsOf(ThreadId thread) const; // O(log threads)
};

// A wait of one stream for an event, with what it waited for.
struct StreamWait {
    std::int64_t callBegin = 0;
    DeviceId device;
    std::int64_t stream = 0;
    EventId call, recordCall;
    EventId source; // last operation before the record; none when unknown
    LaneId lane;    // of the waiting stream; none where nothing ran on it
};

// Rows by begin, asked for overlap with a window.
class RowsInTime {
public:
    RowsInTime(const EventTable& events, std::vector<EventId> rows); // in that order already
    template <class Visit> void visit(TimeRange window, Visit&& visit) const;
    bool isEmpty() const { return m_rows.empty(); }

private:
    const EventTable* m_events;
    std::vector<EventId> m_rows;
    std::vector<std::int64_t> m_maxEnd; // running maximum of the ends
};

class GapIndex {
public:
    // threads: 0 stands for as many as the machine has. onDevices is called once devices() are known, while
    // the hosts may still be in work: it may ask for devices and launches, and for nothing of the hosts.
    using DevicesKnown = std::function<void(const GapIndex&)>;
    static Result<std::shared_ptr<const GapIndex>> build(std::shared_ptr<const Trace> trace,
                                                         const GapOptions& options, JobControl& job,
                                                         unsigned threads = 0,
                                                         const DevicesKnown& onDevices = {});

    const Trace& trace() const { return *m_trace; }
    const EventTable& events() const { return m_trace->events(); }
    const GapOptions& options() const { return m_options; }
    const GapThresholds& thresholds() const { return m_options.thresholds; }
    const HostTree& tree() const { return m_tree; }
    const RowFacts& rows() const { return m_rows; }
    const DeviceIndex& device(DeviceId id) const { return m_devices[id.v]; }
    std::span<const DeviceIndex> devices() const { return m_devices; }
    const ActiveThreads& threadsOf(ProcessId process) const;       // with recorded rows
    const ActiveThreads& callbackThreads(ProcessId process) const; // CUDA's own among them
    bool hasStreamWaits() const { return !m_streamWaits.empty(); }

    EventId launchOf(EventId op) const {
        return m_trace->correlations().launchOf(events(), op).value_or(EventId{});
    }
    ThreadId threadOf(EventId hostRow) const { return m_trace->lane(m_trace->laneOf(hostRow)).thread; }
    // The operation's id lies below the smallest id of a recorded call of its process.
    bool wasQueuedBefore(EventId op) const;
    bool hasHostCalls() const { return !m_smallestCall.empty(); }
    bool isFirstOfItsName(EventId kernel) const;
    bool isFirstGraphLaunch(EventId call) const { return call == m_firstGraphLaunch; }
    bool hasOneSubmitter(ThreadId thread) const; // the only thread of its process that launches
    // Call of the nearest later (earlier) operation of op's stream that has one; none.
    EventId laterKnownLaunch(EventId op) const;
    EventId earlierKnownLaunch(EventId op) const;
    // Waits of a stream with a call in (after, before), by call.
    std::span<const StreamWait> streamWaits(DeviceId device, std::int64_t stream, std::int64_t after,
                                            std::int64_t before) const;
    std::span<const StreamWait> streamWaits() const { return m_streamWaits; } // by device, stream, call
    // Wait calls that no marker explains are read by call order (rule D1).
    bool hasMarkerFor(EventId waitCall) const;
    const RowsInTime& overheadRows() const { return *m_overhead; }
    // Operation submitted last to that stream before `time`; none.
    EventId lastSubmitted(LaneId stream, std::int64_t time) const;
    // Operation submitted first to that stream at `time` or later; none.
    EventId nextSubmitted(LaneId stream, std::int64_t time) const;
    // None when the operation's graph is not known.
    struct GraphFacts {
        EventId firstLaunch;
        std::int64_t medianLaunchNs = 0;
    };
    const GraphFacts* graphOf(EventId op) const;
    // Launch calls of the process that left no device work behind, or fewer nodes than the same graph left at
    // other times; by begin.
    std::span<const EventId> suspectLaunches(ProcessId process) const;

private:
    GapIndex() = default;
    std::int64_t callBeginOf(EventId op) const; // INT64_MIN: queued before the capture
    EventId firstSubmittedFrom(const Strip& strip, std::int64_t time) const;
    std::optional<Error> buildHosts(JobControl& job);
    bool buildDevices(JobControl& job);
    void buildThreads();
    bool buildKnown(const DeviceIndex& device, const std::vector<bool>& hasUnknown, RowPoll& poll);
    bool buildSubmits(JobControl& job);
    void buildSubmitters();
    bool buildChains(RowPoll& poll);
    bool buildStreamWaits(RowPoll& poll);
    bool buildGraphs(RowPoll& poll);
    bool buildOverhead(RowPoll& poll);

    std::shared_ptr<const Trace> m_trace;
    GapOptions m_options;
    HostTree m_tree;
    RowFacts m_rows;
    std::vector<DeviceIndex> m_devices;
    std::vector<ActiveThreads> m_threads, m_callbackThreads; // by process
    ActiveThreads m_noThreads;
    struct Submitter {
        ThreadId first;
        bool others = false;
    };
    std::unordered_map<std::uint32_t, Submitter> m_submitters;       // by process
    std::unordered_map<std::uint32_t, std::uint32_t> m_smallestCall; // by correlation domain
    std::vector<EventId> m_firstOfName;                              // by StringId
    EventId m_firstGraphLaunch;
    std::vector<std::vector<EventId>>
        m_known; // by lane, where some are not: operations that have a call, by begin
    std::vector<StreamWait> m_streamWaits; // by device, stream, call
    std::vector<EventId> m_explainedWaits; // wait calls with a source, ascending
    std::unique_ptr<RowsInTime> m_overhead;
    std::unordered_map<std::uint64_t, GraphFacts> m_graphs;
    std::vector<std::vector<EventId>> m_suspects; // by process
};

template <class Visit> void RowsInTime::visit(TimeRange window, Visit&& visit) const {
    // Rows before the first one whose running maximum passes window.begin end too early.
    const auto first = std::upper_bound(m_maxEnd.begin(), m_maxEnd.end(), window.begin.v);
    for (auto i = static_cast<std::size_t>(first - m_maxEnd.begin()); i < m_rows.size(); ++i) {
        const TimeRange range = m_events->range(m_rows[i]);
        if (range.begin >= window.end)
            return;
        const TimeRange common = intersection(range, window);
        if (!common.isEmpty())
            visit(m_rows[i], common);
    }
}

} // namespace lacuna::gaps
