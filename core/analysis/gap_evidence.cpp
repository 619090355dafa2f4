// What speaks for a gap's cause and what speaks against it, each with a row and a number (analysis.md 4.5).

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_story.h"
#include "core/analysis/gap_stream.h"
#include "core/base/text_format.h"
#include "core/trace/api_name.h"
#include "core/trace/writer.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

class Notes {
public:
    Notes(const StoryContext& context, std::vector<GapNote>& notes) : c(context), m_notes(notes) {}
    void add(std::string_view code, std::string text, std::int64_t ns = 0, EventId event = {}) {
        m_notes.push_back({std::string(code), std::move(text), ns, event});
    }
    std::string name(EventId event) const {
        return std::string(stripApiVersion(c.index.trace().nameOf(event)));
    }
    static std::string time(std::int64_t ns) { return formatDuration({ns}); }

    void launch();
    void drain();
    void runAheadReset();
    void deviceSide();
    void host();
    void allocatorRetry();
    void otherDevice();

    const StoryContext& c;

private:
    std::vector<GapNote>& m_notes;
};

// "3.2 times the usual 4.100 us".
std::string timesMedian(std::int64_t ns, std::int64_t median) {
    if (median <= 0)
        return {};
    const std::int64_t tenths = 10 * ns / median;
    return ", " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " times the usual " +
           formatDuration({median});
}

void Notes::launch() {
    const Gap& gap = c.gap;
    const EventTable& events = c.index.events();
    if (!gap.launch) {
        add("launch_not_recorded", "No host call with the correlation id of the next operation is recorded");
        const EventId earlier = c.index.earlierKnownLaunch(gap.next);
        if (earlier && events.beginNs[earlier.v] >= gap.range.begin.v)
            add("host_late_at_least", "An earlier operation of the stream was launched after the GPU ran dry",
                events.beginNs[earlier.v] - gap.range.begin.v, earlier);
        return;
    }
    add("linked", "The next operation is linked to its launch by correlation", 0, gap.launch);
    const std::int64_t l0 = events.beginNs[gap.launch.v], late = l0 - gap.range.begin.v;
    if (gap.clockAnomaly)
        add("clock_anomaly", "The operation starts before its launch call: clocks disagree",
            l0 - gap.range.end.v, gap.launch);
    else if (late > 0)
        add("launched_late", "The launch began " + time(late) + " after the GPU ran dry", late, gap.launch);
    else
        add("launched_ahead", "The launch began " + time(-late) + " before the GPU ran dry", -late,
            gap.launch);
    if (gap.insideNs > 0) {
        const std::int64_t took = events.duration(gap.launch).v;
        add("launch_took",
            name(gap.launch) + " took " + time(took) +
                timesMedian(took, c.index.rows().medianDuration(events.name[gap.launch.v])),
            took, gap.launch);
    }
    if (gap.cause == GapCause::ModuleLoad && c.index.isFirstOfItsName(gap.next))
        add("first_use", "First use of this kernel in the trace", 0, gap.next);
}

std::string_view waitSubtype(const StoryContext& c) {
    const Trace& trace = c.index.trace();
    const std::string_view api = trace.nameOf(c.gap.drainedBy);
    if (c.story.drainedBy.operatorEvent && isScalarRead(trace.nameOf(c.story.drainedBy.operatorEvent)))
        return "scalar read";
    switch (apiFamily(api)) {
    case ApiFamily::Copy: {
        for (const EventId op :
             trace.correlations().deviceOps(c.index.events().correlation[c.gap.drainedBy.v]))
            if (const CopyArgs* copy = trace.hotArgs().copies.find(op))
                return copy->kind == CopyKind::HtoD ? "pageable copy to device" : "blocking copy to host";
        return "blocking copy";
    }
    case ApiFamily::Allocation:
        return "allocator";
    default:
        break;
    }
    if (api.find("Stream") != std::string_view::npos)
        return "stream sync";
    return api.find("Event") != std::string_view::npos ? "event sync" : "device sync";
}

void Notes::drain() {
    const Gap& gap = c.gap;
    if (!gap.drainedBy)
        return;
    const EventTable& events = c.index.events();
    const std::int64_t end = events.endNs[gap.drainedBy.v], over = end - gap.range.begin.v;
    add("wait_subtype", std::string(waitSubtype(c)), 0, gap.drainedBy);
    if (over >= 0)
        add("wait_covered",
            name(gap.drainedBy) + " was still waiting when the GPU ran dry and returned " + time(over) +
                " later",
            over, gap.drainedBy);
    else
        add("wait_nearly_covered",
            name(gap.drainedBy) + " returned " + time(-over) +
                " before the GPU ran dry (clock error assumed)",
            over, gap.drainedBy);
    add("first_after_wait", "The next launch is the first after that wait", 0, gap.launch);
    add("lost_run_ahead", "Waiting calls before the gap held the thread for " + time(gap.lostRunAheadNs),
        gap.lostRunAheadNs, gap.drainedBy);
    if (gap.cause != GapCause::SyncDrain)
        add("sync_part", "Removing the wait saves at most " + time(gap.syncPartNs) + " here", gap.syncPartNs,
            gap.drainedBy);
    if (gap.previous && isCommunicationName(c.index.trace().nameOf(gap.previous)))
        add("waited_for_collective", "The last operation before the gap is a collective", 0, gap.previous);
    if (apiFamily(c.index.trace().nameOf(gap.drainedBy)) == ApiFamily::Allocation)
        add("device_sync_in_effect", name(gap.drainedBy) + " waited for the device in effect", 0,
            gap.drainedBy);
}

// The last waiting call before the launch, also where it did not drain the queue: why there was no lead.
void Notes::runAheadReset() {
    const Gap& gap = c.gap;
    if (!gap.launch || !gap.thread || gap.drainedBy)
        return;
    const EventTable& events = c.index.events();
    const std::int64_t l0 = events.beginNs[gap.launch.v];
    const std::vector<HoldingCall>& holding = c.index.rows().calls(gap.thread).holding;
    auto at = std::upper_bound(holding.begin(), holding.end(), l0,
                               [](std::int64_t t, const HoldingCall& call) { return t < call.end; });
    while (at != holding.begin() && std::prev(at)->hold != Hold::Waits)
        --at;
    const Submits* submits = c.index.device(gap.device).submitsOf(gap.thread);
    if (at == holding.begin() || submits == nullptr)
        return;
    const HoldingCall& wait = *std::prev(at);
    const auto begins = [&](EventId call, std::int64_t t) { return events.beginNs[call.v] < t; };
    const auto first = std::lower_bound(submits->calls.begin(), submits->calls.end(), wait.end, begins);
    const auto last = std::lower_bound(first, submits->calls.end(), l0, begins);
    const EventId call = c.index.tree().event(wait.row);
    add("run_ahead_reset",
        "The thread last waited in " + name(call) + ", " + time(l0 - wait.end) + " before this launch; " +
            formatCount(static_cast<std::uint64_t>(last - first)) + " launches since",
        l0 - wait.end, call);
}

void Notes::deviceSide() {
    const DeviceSide& device = c.judgement.device;
    if (!c.judgement.deviceAsked)
        return;
    if (device.source)
        add("event_wait_source",
            std::string(device.isGuess ? "By the order of calls, the stream" : "The stream") +
                " waited for " + name(device.source),
            std::max<std::int64_t>(0, c.index.events().endNs[device.source.v] - c.gap.range.begin.v),
            device.source);
    if (device.waitCall)
        add("event_wait_call", name(device.waitCall) + " made the stream wait", 0, device.waitCall);
    if (device.recordCall)
        add("event_record_call", name(device.recordCall) + " recorded what it waited for", 0,
            device.recordCall);
    if (device.cause == GapCause::LaunchLatency)
        add("switch_cost",
            "Up to " + time(c.latency.switchLimitNs(c.index, c.gap)) +
                " between queued operations is usual here",
            c.latency.switchLimitNs(c.index, c.gap));
    if (device.row && device.cause == GapCause::PossiblyUnrecordedWork)
        add("missing_rows", name(device.row) + " left no or fewer device rows than it launched", 0,
            device.row);
    if (device.row && device.cause == GapCause::HostCallback)
        add("host_callback", name(device.row) + " ran on a thread of CUDA's own",
            c.index.events().duration(device.row).v, device.row);
    if (device.cause == GapCause::DeviceUnexplained)
        add("candidates",
            "Other work on the GPU, untraced copies, a peer, page faults, clock changes or dropped records");
}

void Notes::host() {
    const Gap& gap = c.gap;
    if (gap.viaThread)
        add("hand_off", c.index.trace().threadTitle(gap.viaThread) + " worked for the launching thread");
    if (gap.launchBound && c.run != nullptr)
        add("run_length",
            formatCount(c.run->gaps) + " gaps in a row, a launch every " + time(c.run->medianIntervalNs) +
                ", operations of " + time(c.run->medianOpNs),
            c.run->medianIntervalNs);
    if (!c.judgement.row)
        return;
    if (gap.cause == GapCause::DriverLock)
        add("other_thread_call", name(c.judgement.row) + " on another thread overlapped the launch call",
            c.index.events().duration(c.judgement.row).v, c.judgement.row);
    else if (gap.cause == GapCause::ModuleLoad || gap.cause == GapCause::ProfilerArtifact)
        add("overhead_row", name(c.judgement.row) + " lies in this gap",
            c.index.events().duration(c.judgement.row).v, c.judgement.row);
}

// cudaFree and then cudaMalloc in one operator: a caching allocator ran out, gave back what it held and asked
// again (rule A).
void Notes::allocatorRetry() {
    const HostTree& tree = c.index.tree();
    HostRow freedIn;
    for (const Piece& piece : c.judgement.pieces) {
        if (piece.cls != PieceClass::Allocation || !piece.row)
            continue;
        HostRow op = tree.parent(piece.row);
        for (std::uint32_t level = 0; op && tree.kind(op) != EventKind::CpuOp; ++level)
            op = level < HostTree::kLevelsLookedAt ? tree.parent(op) : HostRow{};
        const std::string api = name(tree.event(piece.row));
        if (api.starts_with("cudaFree"))
            freedIn = op;
        else if (op && op == freedIn && api.starts_with("cudaMalloc")) {
            add("allocator_retry",
                "Memory was freed and allocated again in " + name(tree.event(op)) +
                    ": a caching allocator ran out and tried again",
                c.index.events().duration(tree.event(op)).v, tree.event(op));
            return;
        }
    }
}

// Several devices in a process: the thread may have served another one during the gap.
void Notes::otherDevice() {
    const Trace& trace = c.index.trace();
    std::int64_t ns = 0;
    EventId launch;
    DeviceId served;
    for (const Piece& piece : c.judgement.pieces) {
        if (piece.cls != PieceClass::Launch || !piece.row)
            continue;
        const EventId call = c.index.tree().event(piece.row);
        const auto ops = trace.correlations().deviceOps(trace.events().correlation[call.v]);
        const DeviceId device = ops.empty() ? DeviceId{} : trace.lane(trace.laneOf(ops.front())).device;
        if (!device || device == c.gap.device)
            continue;
        ns += piece.range.length().v;
        if (!launch) {
            launch = call;
            served = device;
        }
    }
    if (launch)
        add("launch_on_other_device",
            "The thread launched work on GPU " + std::to_string(trace.devices()[served.v].ordinal) + " for " +
                time(ns) + " of this gap",
            ns, launch);
}

// CPU time of one thread in the gap: work, no waits and no mere ranges.
std::int64_t cpuNs(const GapIndex& index, ThreadId thread, TimeRange window) {
    Pieces pieces;
    PieceMaker(index).own(thread, window, pieces);
    std::int64_t ns = 0;
    for (const Piece& piece : pieces)
        switch (piece.cls) {
        case PieceClass::SyncApi:
        case PieceClass::BlockingCopy:
        case PieceClass::OsWait:
        case PieceClass::Range:
        case PieceClass::Uncovered:
            break;
        default:
            ns += piece.range.length().v;
        }
    return ns;
}

void addOtherThreads(Notes& notes) {
    const StoryContext& c = notes.c;
    const ProcessId process = c.index.trace().devices()[c.gap.device.v].process;
    ThreadId busiest;
    std::int64_t most = 0;
    c.index.threadsOf(process).visitActive(c.gap.range, [&](ThreadId thread) {
        if (thread == c.gap.thread || thread == c.gap.viaThread)
            return true;
        const std::int64_t ns = cpuNs(c.index, thread, c.gap.range);
        if (ns > most) {
            most = ns;
            busiest = thread;
        }
        return true;
    });
    if (busiest)
        notes.add("other_thread",
                  c.index.trace().threadTitle(busiest) + " used the CPU for " +
                      formatPercent(static_cast<double>(most) / static_cast<double>(c.gap.length().v)) +
                      " of this gap",
                  most);
}

} // namespace

void addEvidence(const StoryContext& context, std::vector<GapNote>& evidence) {
    Notes notes(context, evidence);
    notes.launch();
    notes.drain();
    notes.runAheadReset();
    notes.deviceSide();
    notes.host();
    notes.allocatorRetry();
    notes.otherDevice();
    if (context.gap.cause == GapCause::OtherStreamRunning)
        for (const EventId op : runningMeanwhile(context.index, context.gap)) {
            notes.add("running_meanwhile", notes.name(op) + " ran on another stream",
                      intersection(context.index.events().range(op), context.gap.range).length().v, op);
            if (evidence.size() >= 8)
                break;
        }
}

void addCounterEvidence(const StoryContext& context, std::vector<GapNote>& against) {
    Notes notes(context, against);
    const Gap& gap = context.gap;
    const TraceFacts& facts = context.index.trace().facts();
    const OtherProcess other = otherProcessIn(context.index, gap.device, gap.range);
    if (other.ns > 0)
        notes.add("other_process",
                  "The GPU was running process " + context.index.trace().processes()[other.process.v].idText +
                      " for " + Notes::time(other.ns) + " of this gap",
                  other.ns);
    addOtherThreads(notes);
    if (gap.launch && gap.beforeNs > 0) {
        if (!facts.pythonRecorded && !isOfNsight(facts))
            notes.add("python_not_recorded", "Python frames were not recorded (with_stack was off)");
        if (!facts.osRuntimeRecorded)
            notes.add("os_not_recorded", "System calls and waits in the OS were not recorded");
    }
    if (!facts.syncRowsRecorded &&
        (context.judgement.device.isGuess || gap.cause == GapCause::DeviceUnexplained))
        notes.add("sync_not_recorded",
                  "Synchronisation rows were not recorded: event waits are read from the order of calls");
    if (context.judgement.parts[static_cast<std::size_t>(GapCause::HostUnrecorded)] > 0)
        notes.add("uncovered", "Nothing is recorded of the thread for a part of this gap",
                  context.judgement.parts[static_cast<std::size_t>(GapCause::HostUnrecorded)]);
}

std::string confidenceReasonOf(const StoryContext& context) {
    const Gap& gap = context.gap;
    std::string reason = gap.launch ? "launch correlated" : "launch not recorded";
    const auto add = [&](std::string_view text) { reason.append(", ").append(text); };
    if (gap.clockAnomaly)
        add("but the clocks of host and GPU disagree");
    if (gap.drainedBy)
        add(context.index.events().endNs[gap.drainedBy.v] >= gap.range.begin.v
                ? "the wait outlived the queue"
                : "the wait ended just before the queue");
    if (gap.viaThread)
        add("hand-off by timing");
    if (gap.launchBound)
        add("statistics over a run of launches");
    if (context.judgement.device.isGuess)
        add("event wait read from the order of calls");
    if (context.judgement.cap == GapConfidence::Medium && context.judgement.moduleOverlap)
        add("the loading row names no thread");
    const std::int64_t unexplained =
        context.partNs(GapCause::HostUnrecorded) + context.partNs(GapCause::DeviceUnexplained);
    if (2 * unexplained > gap.length().v)
        add("more than half of the gap is not explained");
    else if (gap.confidence == GapConfidence::Medium && !context.judgement.device.isGuess && !gap.drainedBy &&
             !gap.viaThread && !gap.launchBound && gap.launch)
        add("the named cause covers a part of the gap only");
    return reason;
}

} // namespace lacuna::gaps
