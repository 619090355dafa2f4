#pragma once
// The immutable trace: rows, lanes, strips, names, correlations. Made only by TraceBuilder::finish(), held as
// shared_ptr<const Trace> by every thread that reads it; no function here writes.
//
// Time zero: for Nsight exports the file's own zero (session start), for Chrome JSON the smallest start of
// the rows with a duration. TraceFacts::baseNs is the Unix time of that zero where the file tells it.

#include "core/base/string_pool.h"
#include "core/trace/correlation_index.h"
#include "core/trace/event_table.h"
#include "core/trace/flow_index.h"
#include "core/trace/hot_args.h"
#include "core/trace/import_report.h"
#include "core/trace/lane.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

struct Process {
    std::string idText;                // canonical text of the file's process id
    std::optional<std::int64_t> osPid; // when it is a number
    std::string name;                  // "python3"; may be empty
    std::int64_t sortIndex = 0;
    std::optional<std::int64_t> mpiRank; // in MPI_COMM_WORLD, where the file tells it
};

// "MPI rank 3"; empty without one.
std::string rankText(const Process& process);

struct Thread {
    ProcessId process;
    std::string idText;
    std::int64_t tid = 0; // 0 when the text is no number
    std::string name;     // "pt_autograd_0"; may be empty
};

struct Device {
    ProcessId process; // the launching process; none where no host row exists
    std::int64_t ordinal = 0;
    std::string name; // "NVIDIA H200"; may be empty
};

struct CounterTrack {
    std::string name, unit;
    ProcessId process;
    DeviceId device;
    Column<std::int64_t> timeNs; // ascending
    Column<double> value;        // holds from its time to the next sample
};

struct TraceFacts {
    std::string path, fileName; // fileName without folders
    std::uint64_t fileSize = 0; // bytes as stored
    std::string format;         // "kineto-json", "chrome-json", "nsys-sqlite"
    std::string writer;         // "PyTorch 2.11", "Nsight Systems 2025.3.2.0"; empty when unknown
    std::optional<std::int64_t> baseNs;
    // What the file says about itself, for the information pane and the provenance line
    // ("cuda_driver_version", "13000"), in the order of the file.
    std::vector<std::pair<std::string, std::string>> metadata;
    bool pythonRecorded = false; // Python frames are in the file
    bool osRuntimeRecorded = false;
    bool syncRowsRecorded = false;
};

class Trace {
public:
    const EventTable& events() const { return m_events; }
    std::span<const Lane> lanes() const { return m_lanes; }
    const Lane& lane(LaneId id) const { return m_lanes[id.v]; }
    std::span<const Strip> strips() const { return m_strips; }
    std::span<const Strip> strips(LaneId lane) const {
        const Lane& l = m_lanes[lane.v];
        return l.depth == 0 ? std::span<const Strip>{} : std::span(m_strips).subspan(l.firstStrip.v, l.depth);
    }
    const Strip& strip(StripId id) const { return m_strips[id.v]; }
    StripId stripOf(EventId event) const; // O(log strips)
    LaneId laneOf(EventId event) const { return m_strips[stripOf(event).v].lane; }

    const StringPool& strings() const { return m_strings; }
    std::string_view nameOf(EventId event) const { return m_strings.view(m_events.name[event.v]); }
    std::span<const Process> processes() const { return m_processes; }
    std::span<const Thread> threads() const { return m_threads; }
    std::span<const Device> devices() const { return m_devices; }
    std::span<const CounterTrack> counters() const { return m_counters; }
    const CorrelationIndex& correlations() const { return m_correlations; }
    const FlowIndex& flows() const { return m_flows; }
    const HotArgs& hotArgs() const { return m_hotArgs; }
    const ImportReport& report() const { return m_report; }
    const TraceFacts& facts() const { return m_facts; }

    // First start to last end of all rows with a duration.
    TimeRange window() const { return m_window; }
    // Where time zero lies in the file's own time: a row of the file at t is here at t - fileZeroNs().
    // Between snapshots of one load zero may move (the first rows of a file need not be its earliest). Not in
    // the cache.
    std::int64_t fileZeroNs() const { return m_fileZeroNs; }

    // Busy time of the strip before row (strip.first + 16 * k), one entry per block of 16 rows.
    std::span<const std::int64_t> busyBlocks(StripId strip) const;
    // Row with the longest duration in every block of 16^level rows (level 1, 2, ...), ties: the first.
    // Empty beyond the last level.
    std::span<const EventId> longestBlocks(StripId strip, unsigned level) const;

    // "python3 483 / pt_autograd_0 509"-like names for people and for JSON ("thread" members).
    std::string threadTitle(ThreadId thread) const;

private:
    friend class TraceBuilder;
    friend class TraceArchive; // core/cache: writes and reads the index cache
    EventTable m_events;
    std::vector<Lane> m_lanes;
    std::vector<Strip> m_strips;
    StringPool m_strings;
    std::vector<Process> m_processes;
    std::vector<Thread> m_threads;
    std::vector<Device> m_devices;
    std::vector<CounterTrack> m_counters;
    CorrelationIndex m_correlations;
    FlowIndex m_flows;
    HotArgs m_hotArgs;
    ImportReport m_report;
    TraceFacts m_facts;
    TimeRange m_window;
    std::int64_t m_fileZeroNs = 0;
    Column<std::int64_t> m_busy;
    std::vector<std::size_t> m_busyFirst; // per strip
    Column<EventId> m_longest;
    std::vector<std::size_t> m_longestFirst; // per strip: its level 1; the levels follow one another
};

} // namespace lacuna
