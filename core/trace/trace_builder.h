#pragma once
// The only way to make a Trace. Importers add rows in file order and in the file's own time; the caller owns
// the builder, so that a cancelled or damaged load keeps what is there. finish() shifts times to time zero,
// sorts every lane, stacks rows into strips, joins correlations and builds the indexes: O(n log n), linear
// where lanes are already in order, on several threads with the same result as on one. Not thread-safe.
//
// Snapshots: where a receiver is set, importers offer what is there between rows. At sizes that treble, from
// 20,000 to 2 million rows, a copy is finished on a thread of its own while the load goes on; together they
// cost at most one and a half times the largest. The copy shares the rows (12 bytes a row are copied), its
// trace takes about 45 bytes a row; none is made of more than a third of a large file, where the whole is
// near.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/flow_binding.h"
#include "core/trace/raw_rows.h"
#include "core/trace/row_choice.h"
#include "core/trace/trace.h"

#include <functional>
#include <memory>
#include <string_view>

namespace lacuna {

struct LaneKey {
    LaneKind kind = LaneKind::CpuThread;
    ProcessId process;
    ThreadId thread;
    DeviceId device;
    std::int64_t sourceId = 0;
    std::string_view title; // part of the key only for Async, Marks, Counter, Range and GpuStream lanes
    friend bool operator==(const LaneKey&, const LaneKey&) = default;
};

struct RawEvent {
    LaneId lane;
    std::int64_t beginNs = 0, endNs = 0; // file time; end >= begin
    StringId name;
    EventKind kind = EventKind::Other;
    std::uint64_t correlation = 0; // (domain << 32) | id; 0 = none
    SourceRef source;
};

class SnapshotMaker;

enum class TimeZero : std::uint8_t { FileZero, FirstDuration };

class TraceBuilder {
public:
    TraceBuilder();
    ~TraceBuilder();
    TraceBuilder(TraceBuilder&&) noexcept;
    TraceBuilder& operator=(TraceBuilder&&) noexcept;

    StringPool& strings() { return m_trace.m_strings; }
    TraceFacts& facts() { return m_trace.m_facts; }
    ImportReport& report() { return m_trace.m_report; }
    // facts().baseNs as the importer sets it is the Unix time of the file's own zero; finish() adds the
    // shift.
    void setTimeZero(TimeZero rule) { m_timeZero = rule; }

    // Find or create. A process id is its canonical text ("483"); numeric strings and numbers are the same.
    ProcessId process(std::string_view idText);
    ThreadId thread(ProcessId process, std::string_view idText);
    // owner none: found at the end from the host calls that launched the device's work.
    DeviceId device(ProcessId owner, std::int64_t ordinal);
    LaneId lane(const LaneKey& key);
    void setLaneTitle(LaneId lane, std::string_view title);
    CounterId counter(std::string_view name, ProcessId process, DeviceId device, std::string_view unit);
    void addSample(CounterId counter, std::int64_t timeNs, double value);

    Process& process(ProcessId id) { return m_trace.m_processes[id.v]; }
    Thread& thread(ThreadId id) { return m_trace.m_threads[id.v]; }
    Device& device(DeviceId id) { return m_trace.m_devices[id.v]; }
    std::size_t processCount() const { return m_trace.m_processes.size(); }
    std::size_t threadCount() const { return m_trace.m_threads.size(); }
    std::size_t deviceCount() const { return m_trace.m_devices.size(); }

    // Importers add the rows that it takes and drop all others as kRowsNotChosen; null: all are taken. It
    // outlives the builder.
    void setChoice(RowChoice* choice) { m_choice = choice; }
    bool takes(EventKind kind, std::int64_t beginNs, std::int64_t endNs) {
        return m_choice == nullptr || m_choice->takes(kind, beginNs, endNs);
    }
    RowChoice* choice() const { return m_choice; }
    // Returns the number of the row for the set functions below; it is no EventId. Does not touch the report:
    // the importer calls report().keep(), since one row of the file may make no, one or several events.
    std::uint32_t add(const RawEvent& event);
    std::size_t size() const { return m_rows.size(); }
    // Members `event` of the argument structs are filled here.
    void setCopy(std::uint32_t row, CopyArgs args);
    void setSync(std::uint32_t row, SyncArgs args);
    void setGraph(std::uint32_t row, GraphArgs args);
    // Arrows that the file records: ends in file time, once, after the last row.
    void setFlows(FlowEnds flows) { m_flows = std::move(flows); }
    // Corrections while rows arrive (E closes B; a range without end is closed at the end of the file).
    void setEnd(std::uint32_t row, std::int64_t endNs) { m_rows.end[row] = endNs; }
    void setName(std::uint32_t row, StringId name) { m_rows.name[row] = name; }
    // For importers that learn only at the end which process an id belongs to; ends the snapshots, which
    // share the ids.
    void setCorrelation(std::uint32_t row, std::uint64_t correlation);
    std::uint64_t correlationOf(std::uint32_t row) const { return m_rows.correlation[row]; }
    StringId nameOf(std::uint32_t row) const { return m_rows.name[row]; }
    LaneId laneOf(std::uint32_t row) const { return {m_rows.lane[row]}; }
    EventKind kindOf(std::uint32_t row) const { return m_rows.kind[row]; }
    std::int64_t beginOf(std::uint32_t row) const { return m_rows.begin[row]; }
    std::int64_t endOf(std::uint32_t row) const { return m_rows.end[row]; }
    // Greatest begin or end added so far; INT64_MIN while there is none.
    std::int64_t lastTimeNs() const { return m_lastTime; }

    // Who receives snapshots, on another thread, one at a time, never after finish() has begun. `job` is that
    // of the load and tells how far it is.
    void setSnapshotReceiver(std::function<void(std::shared_ptr<const Trace>)> receiver,
                             const JobControl& job);
    // Cheap, for every row. An importer that gives names at the end gives them before it offers.
    bool isSnapshotDue() const { return size() >= m_nextSnapshot; }
    void offerSnapshot();
    bool isSnapshotInWork() const;

    // threads: 0 = as many as the machine has.
    Result<std::shared_ptr<const Trace>> finish(JobControl& job, unsigned threads = 0) &&;

private:
    struct Maps;
    TraceBuilder snapshot() const;
    std::int64_t findZero();
    bool moveRows(const Column<std::uint32_t>& order, std::int64_t zero, Column<std::uint64_t>& keys,
                  JobControl& job, unsigned threads); // false: cancelled
    void moveAllArgs(const Column<std::uint32_t>& order);
    bool buildIndexes(const Column<std::uint64_t>& keys, JobControl& job, unsigned threads);
    bool bindRecordedFlows(std::int64_t zero, JobControl& job);
    void findDeviceOwners();
    void finishCounters(std::int64_t zero);

    Trace m_trace;
    TimeZero m_timeZero = TimeZero::FileZero;
    RawRows m_rows;
    FlowEnds m_flows;
    std::int64_t m_lastTime = INT64_MIN;
    std::unique_ptr<Maps> m_maps; // null in a snapshot
    std::size_t m_nextSnapshot = SIZE_MAX;
    RowChoice* m_choice = nullptr;
    const JobControl* m_loadJob = nullptr;
    std::unique_ptr<SnapshotMaker> m_snapshots;
};

} // namespace lacuna
