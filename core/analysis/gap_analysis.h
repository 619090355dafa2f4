#pragma once
// Every idle gap of every device, its cause and the host call that blocked it: analysis.md section 4.
//
// A device gap is a maximal interval between the device's first start and last end in which no recorded
// operation runs. The launch of the next operation cuts it: before (the launch had not begun), inside (the
// host was in the launch call), after (submitted, not started); all integers, they sum to the gap. Rules E,
// U, C, G, D, S, I, A, B and H give the headline, the parts per cause and the confidence.
//
// run() is O(n log n) over device and host rows and keeps about 150 bytes a gap; pieces, evidence and the
// sentence of one gap are made on demand by explain().

#include "core/analysis/gap_cause.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

namespace gaps {
class GapIndex;
}

// Every threshold of the procedure, in one place (analysis.md section 8: judgement; tests set them).
struct GapThresholds {
    std::int64_t drainEpsilonNs = 1'000;     // S may end this much before g0 (clock error)
    std::int64_t latencyFloorNs = 5'000;     // D3
    double latencyMedianFactor = 4.0;        // D3: times the lower median of its kind
    std::size_t latencyMinSamples = 20;      // D3
    std::int64_t latencyUnknownNs = 10'000;  // D3 when fewer samples are known
    double slowCallFactor = 10.0;            // I1, I5: times the lower median of the call name
    double graphUploadFactor = 2.0;          // I4
    double lockOverlapShare = 0.8;           // I3
    double overheadShare = 0.5;              // I2, A
    std::size_t queueFullDepth = 1'000;      // I5
    std::size_t runMinGaps = 8;              // B
    std::size_t runMaxDepth = 2;             // B
    double runGapFactor = 5.0;               // B: gap < factor x median time between launches
    std::int64_t runMaxIntervalNs = 100'000; // B
    double handOffShare = 0.5;               // H: T idle for at least this share of before
    std::int64_t handOffEndNs = 20'000;      // H: row of T2 ends within this of s
    std::int64_t handOffWakeNs = 100'000;    // H: signalling call ended at most this before s
    int handOffDepth = 3;                    // H
    double callbackShare = 0.5;              // D2: host function active for this share of the part
    double otherStreamShare = 0.5;           // 4.7: device busy for this share of a stream gap
    double pageableShare = 0.5;              // S: pageable copy call over this share of its operation
    double highConfidenceShare = 0.8, lowConfidenceShare = 0.5; // 4.5
};

struct GapOptions {
    GapThresholds thresholds;
    // The oracles leave these out of the leaf timeline.
    bool pythonRows = true, osRows = true, handOff = true;
    bool markerDependencies = true; // rule D1
};

struct GapPart { // share of a gap by cause (rule S and table of 4.6); parts of a gap sum to its length
    GapCause cause = GapCause::DeviceUnexplained;
    std::int64_t ns = 0;
};

struct Gap {
    TimeRange range;
    DeviceId device;
    LaneId stream;    // set for stream gaps, else none
    EventId previous; // an operation that ended at range.begin (smallest file order)
    EventId next;     // operation that starts at range.end (smallest file order)
    // Host calls; role names the one that blocked.
    EventId launch;                                       // of next; none when unknown
    EventId drainedBy;                                    // waiting call that let the queue run dry
    EventId heldBy;                                       // row with the largest time in before
    ThreadId thread;                                      // the launching thread
    ThreadId viaThread;                                   // hand-off: the thread whose work it was
    std::uint32_t firstPart = 0;                          // into GapAnalysis::parts()
    std::int64_t beforeNs = 0, insideNs = 0, afterNs = 0; // sum = length; none where the launch is unknown
    std::int64_t syncPartNs = 0, lostRunAheadNs = 0;
    std::int64_t boundNs = 0; // direct bound on what removing the cause saves (analysis.md section 5)
    std::uint16_t partCount = 0;
    GapCause cause = GapCause::DeviceUnexplained;
    GapConfidence confidence = GapConfidence::Low;
    BlockingRole role = BlockingRole::None;
    bool clockAnomaly = false; // next starts before its launch call
    bool sameLaunch = false;   // an operation that ended at range.begin has the launch call of next (rule G)
    bool launchBound = false;  // member of a run of rule B
    std::uint32_t group = 0;   // into GapAnalysis::groups()
    std::uint32_t rank = 0;    // 1 = worst; all devices together
    DurationNs length() const { return range.length(); }
    std::int64_t unknownNs() const { return launch ? 0 : range.length().v; }
    EventId blockingCall() const; // the one that role names
};
static_assert(sizeof(Gap) == 120); // one in eight rows of a trace may be one

struct GapPiece {
    TimeRange range;
    PieceClass cls = PieceClass::Unknown;
    std::string name; // the file's own name, cuda* without version suffix; empty for uncovered
    EventId event;    // none for uncovered
    ThreadId thread;
};

// A host row with its surroundings on its thread.
struct HostPlace {
    EventId event;
    std::string name; // as in GapPiece
    ThreadId thread;
    EventId operatorEvent;       // innermost operator around it; none
    EventId pythonFrame;         // innermost Python frame around it; none
    std::vector<EventId> ranges; // annotations around it, outer ... inner
};

struct GapNote { // evidence, or what argues against
    std::string code, text;
    std::int64_t ns = 0;
    EventId event;
};

struct GapStory {                 // everything that a click on a gap shows
    std::string verdict;          // one sentence with the confidence word in front, at most 200 characters
    std::vector<GapPiece> pieces; // tile the gap exactly, in time order
    std::vector<GapPart> parts;
    HostPlace blocking, drainedBy, heldBy, launch; // event none where there is none
    std::vector<EventId> previous;                 // all operations that ended at range.begin
    std::vector<GapNote> evidence, against;
    std::vector<std::string> tries; // at most three "Try" lines, with the bound
    std::string confidenceReason;   // "launch correlated, the wait outlived the queue"
};

struct GapGroup { // equal cause and call site
    GapCause cause = GapCause::DeviceUnexplained;
    std::string where; // "cudaStreamSynchronize < aten::_local_scalar_dense < "log_loss"" (single guillemets)
    std::uint32_t count = 0;
    std::int64_t totalNs = 0, boundNs = 0, medianNs = 0;
    TimeNs worstStart;
    std::vector<GapId> members; // by length, ties by start
};

struct DrainingWait {                     // table "time with a draining wait"
    std::string api, operatorName, range; // innermost
    std::uint32_t gaps = 0;
    std::int64_t gapNs = 0, syncPartNs = 0;
};

struct GapTotals { // of one device and window; every table is exact
    std::int64_t windowNs = 0, busyNs = 0, idleNs = 0, edgeStartNs = 0,
                 edgeEndNs = 0; // busy + idle + edges = window
    std::uint32_t gaps = 0;
    std::array<std::int64_t, kPieceClasses> segmentNs{}; // sums to idle
    std::array<std::int64_t, kGapCauses> partNs{};       // sums to idle
    std::array<std::int64_t, kGapCauses> causeNs{};      // whole gaps by headline; sums to idle
    std::array<std::uint32_t, kGapCauses> causeGaps{};   // sums to gaps
    std::vector<DrainingWait> drainingWaits;             // by gap_ns descending
};

struct StreamGaps {
    std::vector<Gap> gaps;        // in time order
    std::vector<GapGroup> groups; // in order of rank; members index `gaps`
};

class GapAnalysis {
public:
    static Result<std::shared_ptr<const GapAnalysis>> run(std::shared_ptr<const Trace> trace,
                                                          const GapOptions& options, JobControl& job);
    ~GapAnalysis();
    GapAnalysis(const GapAnalysis&) = delete;
    GapAnalysis& operator=(const GapAnalysis&) = delete;

    const Trace& trace() const;
    // What the analysis knows of host and device, for analyses that build on it.
    const std::shared_ptr<const gaps::GapIndex>& index() const;
    // Device gaps, by device, then time.
    std::span<const Gap> gaps() const;
    std::span<const Gap> gapsOf(DeviceId device) const;
    GapId firstGapOf(DeviceId device) const;
    const Gap& gap(GapId id) const { return gaps()[id.v]; }
    std::span<const GapPart> parts(const Gap& gap) const;
    std::span<const GapGroup> groups() const; // in order of rank
    std::span<const GapId> byRank() const;    // [0] = rank 1

    // Default window of a device: its first start to its last end.
    TimeRange deviceWindow(DeviceId device) const;
    GapTotals totals(DeviceId device) const;                   // default window
    GapTotals totals(DeviceId device, TimeRange window) const; // gaps cut by the window contribute their part

    GapStory explain(const Gap& gap) const;
    // Of a gap with cause STREAM_DEPENDENCY: the operation of another stream that `next` waited for; else
    // none.
    EventId waitedFor(const Gap& gap) const;

    // Rule E: the parts of the window before the device's first and after its last operation (cause
    // EDGE_START, EDGE_END). They are in no list, group or idle sum; explain() tells what the launching
    // thread did.
    std::vector<Gap> edgeGaps(DeviceId device, TimeRange window) const;

    // Gaps of one stream (section 4.7); headline OTHER_STREAM_RUNNING where a sibling held the device. O(n)
    // over the device's rows; error: cancelled.
    Result<std::vector<Gap>> streamGaps(LaneId stream, JobControl& job) const;
    std::vector<GapPart> partsOfStreamGap(const Gap& gap) const;
    // The same with groups and ranks of the stream's own: Gap::group counts in `groups`.
    Result<StreamGaps> rankedStreamGaps(LaneId stream, JobControl& job) const;
    // Parts of a device or stream gap that lie in the window; they sum to the common length.
    std::vector<GapPart> partsWithin(const Gap& gap, TimeRange window) const;

private:
    GapAnalysis();
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lacuna
