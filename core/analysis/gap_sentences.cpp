// One sentence and the advice per cause, as data. Placeholders in braces are filled from the gap; names are
// shortened in the middle until the sentence has at most 200 characters (ux.md section 6).

#include "core/analysis/gap_story.h"
#include "core/base/text_format.h"
#include "core/trace/api_name.h"

#include <algorithm>
#include <array>

namespace lacuna::gaps {

namespace {

struct CauseText {
    GapCause cause;
    std::string_view sentence;
    std::array<std::string_view, 3> tries;
};

constexpr std::array<CauseText, kGapCauses> kTexts{{
    {GapCause::SyncDrain,
     "GPU {gpu} ran out of work. {thread} waited in {drain}{site} and needed {needed} afterwards to launch "
     "the next "
     "{next}.",
     {"Remove {drain}{site}, or call it after the next work is queued: at most {bound} here.", "{waitadvice}",
      "Launch ahead: let the host run at least one step in front of the GPU."}},
    {GapCause::LaunchBound,
     "launching is slower than running. {launches} launches of work of {opmedian} were made every "
     "{interval}.",
     {"Capture the sequence in a CUDA graph, or compile it (torch.compile): at most {bound} here.",
      "Fuse small operations, so that fewer and longer kernels are launched.", ""}},
    {GapCause::SlowLaunchCall,
     "{thread} spent {inside} inside {launch}{launchsite}; such a call usually takes {callmedian}.",
     {"Look for what took the CPU away: other processes, a debugger, a full queue. At most {bound} here.", "",
      ""}},
    {GapCause::GraphLaunch,
     "{thread} spent {inside} inside {launch} before the first node of the graph could start.",
     {"Launch the graph before the GPU runs out of work: at most {bound} here.", "", ""}},
    {GapCause::GraphUpload,
     "{thread} spent {inside} inside {launch}: a graph is uploaded at its first launch, or was set up again.",
     {"Upload the graph ahead with cudaGraphUpload: at most {bound} here.", "", ""}},
    {GapCause::LaunchLatency,
     "GPU {gpu} waited {length} for the next {next}: the ordinary price of a launch.",
     {"Queue the next work earlier, or capture it in a CUDA graph: at most {bound} here.", "", ""}},
    {GapCause::DriverLock,
     "{thread} was held {inside} inside {launch} while another thread was in {other}.",
     {"Move {other} out of the time in which work is launched: at most {bound} here.", "", ""}},
    {GapCause::PageableCopy,
     "{thread} spent {inside} inside {launch}, copying {bytes} from pageable memory.",
     {"Pin the host memory (pin_memory=True) and copy asynchronously: at most {bound} here.",
      "Copy on a stream of its own, ahead of its use.", ""}},
    {GapCause::HostWork,
     "{thread} spent {work}.",
     {"Move this work off the launching thread: at most {bound}.", "", ""}},
    {GapCause::HostUnrecorded,
     "{thread} has no record for {part} of this gap. Candidates: Python without operators, I/O, another "
     "process.",
     {"Record Python stacks (with_stack=True) or OS calls to see what the host did.", "", ""}},
    {GapCause::HostBlockedOther,
     "{thread} waited {part} in {held} although the GPU had nothing to run.",
     {"Remove or move this wait: at most {bound} here.", "", ""}},
    {GapCause::OsWait,
     "{thread} waited {part} in {held}{heldsite}, a call to the operating system.",
     {"Wait for this while the GPU has work queued: at most {bound} here.", "", ""}},
    {GapCause::Gc,
     "{thread} spent {part} in garbage collection.",
     {"Collect between steps (gc.disable, gc.collect at a chosen time): at most {bound} here.", "", ""}},
    {GapCause::DataLoading,
     "{thread} waited {part} for input in {held}{copyfollows}.",
     {"Load ahead: more workers, prefetch_factor, pinned memory. At most {bound} here.", "", ""}},
    {GapCause::Allocation,
     "{held}{heldsite} took {part} in this gap.",
     {"Allocate once and reuse (memory pool, caching allocator): at most {bound} here.", "", ""}},
    {GapCause::StreamDependency,
     "the next {next} was launched {ahead} earlier and waited for {source}.",
     {"Record the event earlier, or wait later: at most {bound} here.", "", ""}},
    {GapCause::InsideOneLaunch,
     "both ends of this gap come from one {launch}; nothing on the host held it.",
     {"Fewer or merged nodes in the graph make fewer such gaps.", "", ""}},
    {GapCause::HostCallback,
     "the next {next} was launched {ahead} earlier and waited for the host function {other}.",
     {"Keep host functions on streams short: at most {bound} here.", "", ""}},
    {GapCause::OtherStreamRunning,
     "this stream had to wait while {busy} ran; the GPU was not idle.",
     {"", "", ""}},
    {GapCause::ModuleLoad,
     "Start-up or profiler work; left out of the findings. GPU code was loaded in {modulewhere}.",
     {"Warm up before measuring, or set CUDA_MODULE_LOADING=EAGER.", "", ""}},
    {GapCause::Compile,
     "Start-up or profiler work; left out of the findings. {thread} compiled for {part}.",
     {"Warm up before measuring; cache compiled code.", "", ""}},
    {GapCause::ProfilerArtifact,
     "Start-up or profiler work; left out of the findings. The profiler took {profiler}.",
     {"", "", ""}},
    {GapCause::EdgeStart, "before the first operation of GPU {gpu}; not counted as idle.", {"", "", ""}},
    {GapCause::EdgeEnd, "after the last operation of GPU {gpu}; not counted as idle.", {"", "", ""}},
    {GapCause::LaunchNotRecorded, "{nolaunch}", {"Record CPU activity together with the GPU.", "", ""}},
    {GapCause::QueuedBeforeCapture,
     "the next {next} was submitted before the capture began, so the host did not hold it.",
     {"Start the capture between steps, or ignore its first operations.", "", ""}},
    {GapCause::PossiblyUnrecordedWork,
     "the GPU may have been busy: {other} left fewer operations in this trace than it launched.",
     {"Record again with graph nodes or a larger buffer, and compare.", "", ""}},
    {GapCause::DeviceUnexplained,
     "the next {next} was launched {ahead} earlier; nothing recorded explains why it did not start.",
     {"Record synchronisation rows (CUPTI sync activity, --cuda-event-trace) to see event waits.", "", ""}},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kTexts.size(); ++i)
        if (static_cast<std::size_t>(kTexts[i].cause) != i)
            return false;
    return true;
}
static_assert(inOrder(), "one sentence per cause, in the order of GapCause");

constexpr std::size_t kMaxChars = 200;

std::size_t codePoints(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

// Fills placeholders; every name has at most `names` characters.
class Filler {
public:
    Filler(const StoryContext& context, std::size_t names) : m_c(context), m_names(names) {}
    std::string fill(std::string_view pattern) const;

private:
    std::string value(std::string_view key) const;
    std::string name(std::string_view text) const { return elideMiddle(text, m_names); }
    std::string nameOf(EventId event) const {
        return event ? name(stripApiVersion(m_c.index.trace().nameOf(event))) : std::string("unknown work");
    }
    std::string site(const HostPlace& place) const;
    std::string work() const;
    std::string held() const;
    static std::string time(std::int64_t ns) { return formatDuration({ns}); }
    // "Thread pt_autograd_0 509"; titles of nameless threads begin with the word already.
    std::string threadTitle(ThreadId thread, std::string_view word) const {
        const std::string title = m_c.index.trace().threadTitle(thread);
        return std::string(word) + " " + name(title.starts_with("thread ") ? title.substr(7) : title);
    }
    // The thread that did what the sentence says.
    ThreadId actor() const {
        const GapClass cls = classOf(m_c.gap.cause);
        const bool ofHolder = cls != GapClass::Sync && cls != GapClass::Launch && m_c.gap.heldBy;
        return ofHolder ? m_c.story.heldBy.thread : m_c.gap.thread;
    }

    const StoryContext& m_c;
    std::size_t m_names;
};

// " inside “log_loss”", else " in aten::item".
std::string Filler::site(const HostPlace& place) const {
    const HostTree& tree = m_c.index.tree();
    EventId inner;
    for (const EventId range : place.ranges)
        if (!m_c.index.rows().isStep(tree.find(range)))
            inner = range;
    if (inner)
        return " inside \u201c" + nameOf(inner) + "\u201d";
    return place.operatorEvent ? " in " + nameOf(place.operatorEvent) : std::string();
}

std::string Filler::held() const {
    return m_c.gap.heldBy ? nameOf(m_c.gap.heldBy) : std::string("code between operators");
}

// "2.084 ms in sleep inside “log_loss” after cudaStreamSynchronize had drained the queue". The time is that
// of the named row in the gap; where no row covers half of `before`, the host's part of the gap.
std::string Filler::work() const {
    std::int64_t heldNs = 0, apiNs = 0;
    for (const Piece& piece : m_c.judgement.pieces) {
        if (piece.row && m_c.index.tree().event(piece.row) == m_c.gap.heldBy)
            heldNs += piece.range.length().v;
        if (piece.cls <= PieceClass::Api)
            apiNs += piece.range.length().v;
    }
    std::string text;
    if (m_c.gap.heldBy && 2 * heldNs >= m_c.gap.beforeNs)
        text = time(heldNs) + " in " + held() + site(m_c.story.heldBy);
    else
        text = time(m_c.partNs(m_c.gap.cause)) +
               (m_c.gap.heldBy ? " on the host, longest in " + held() : std::string(" between operators"));
    if (m_c.gap.drainedBy)
        return text + " after " + nameOf(m_c.gap.drainedBy) + " had drained the queue";
    return text + (apiNs == 0 ? " and made no CUDA call" : " before it launched the next operation");
}

std::string Filler::value(std::string_view key) const {
    const Gap& gap = m_c.gap;
    const Trace& trace = m_c.index.trace();
    const EventTable& events = m_c.index.events();
    const auto launchMedian = [&] { return m_c.index.rows().medianDuration(events.name[gap.launch.v]); };
    if (key == "gpu")
        return std::to_string(trace.devices()[gap.device.v].ordinal);
    if (key == "thread")
        return actor() ? threadTitle(actor(), "Thread") : std::string("The host");
    if (key == "via")
        return threadTitle(gap.viaThread, "thread");
    if (key == "length")
        return time(gap.length().v);
    if (key == "bound") // of the headline's own cause; a drained gap is bounded by its sync part
        return time(gap.drainedBy && gap.cause != GapCause::SyncDrain ? m_c.partNs(gap.cause) : gap.boundNs);
    if (key == "syncpart")
        return time(gap.syncPartNs);
    if (key == "part")
        return time(m_c.partNs(gap.cause));
    if (key == "inside")
        return time(gap.insideNs);
    if (key == "drain")
        return nameOf(gap.drainedBy);
    if (key == "site")
        return site(m_c.story.drainedBy);
    if (key == "needed")
        return time(std::max<std::int64_t>(0, events.endNs[gap.launch.v] - events.endNs[gap.drainedBy.v]));
    if (key == "waitadvice") {
        if (m_c.story.drainedBy.operatorEvent &&
            isScalarRead(trace.nameOf(m_c.story.drainedBy.operatorEvent)))
            return "Keep the value on the GPU, or read it some steps later.";
        if (apiFamily(trace.nameOf(gap.drainedBy)) == ApiFamily::Copy)
            return "Pin the host memory and copy asynchronously (non_blocking=True).";
        return "Wait for an event of older work instead of for everything.";
    }
    if (key == "next") {
        const EventKind kind = events.kind[gap.next.v];
        return kind == EventKind::Kernel        ? "kernel"
               : kind == EventKind::GraphLaunch ? "graph"
                                                : "copy or set";
    }
    if (key == "launch")
        return nameOf(gap.launch);
    if (key == "launchsite")
        return site(m_c.story.launch);
    if (key == "callmedian")
        return time(launchMedian());
    if (key == "launches")
        return m_c.run != nullptr ? formatCount(m_c.run->launches) : std::string("Many");
    if (key == "opmedian")
        return m_c.run != nullptr ? time(m_c.run->medianOpNs) : std::string("short duration");
    if (key == "interval")
        return m_c.run != nullptr ? time(m_c.run->medianIntervalNs) : std::string("few microseconds");
    if (key == "work")
        return work();
    if (key == "held")
        return held();
    if (key == "heldsite")
        return site(m_c.story.heldBy);
    if (key == "copyfollows") {
        const CopyArgs* copy = trace.hotArgs().copies.find(gap.next);
        if (copy == nullptr || copy->kind != CopyKind::HtoD)
            return {};
        if (copy->bytes <= 0) // not told
            return "; a host-to-device copy follows";
        return "; a " + formatBytes(static_cast<std::uint64_t>(copy->bytes)) + " host-to-device copy follows";
    }
    if (key == "bytes") {
        const CopyArgs* copy = trace.hotArgs().copies.find(gap.next);
        return copy == nullptr || copy->bytes <= 0 ? "data"
                                                   : formatBytes(static_cast<std::uint64_t>(copy->bytes));
    }
    if (key == "ahead")
        return time(gap.launch ? std::max<std::int64_t>(0, gap.range.end.v - events.beginNs[gap.launch.v])
                               : 0);
    if (key == "source") {
        const EventId source = m_c.judgement.device.source;
        return source ? nameOf(source) + " on stream " +
                            std::to_string(trace.lane(trace.laneOf(source)).sourceId)
                      : std::string("another stream");
    }
    if (key == "other")
        return nameOf(m_c.judgement.row ? m_c.judgement.row : m_c.judgement.device.row);
    if (key == "busy")
        return m_c.judgement.row ? nameOf(m_c.judgement.row) : std::string("another stream");
    if (key == "modulewhere")
        return m_c.judgement.row             ? nameOf(m_c.judgement.row)
               : gap.insideNs > gap.beforeNs ? nameOf(gap.launch)
                                             : held();
    if (key == "profiler")
        return gap.insideNs > gap.beforeNs ? time(gap.insideNs) : time(m_c.partNs(gap.cause));
    if (key == "nolaunch")
        return m_c.index.hasHostCalls() ? "the launch of the next operation is not recorded, so the cause of "
                                          "this gap cannot be determined."
                                        : "No host events were recorded, so the cause of this gap cannot be "
                                          "determined. Record CPU activity "
                                          "to see it.";
    return {};
}

std::string Filler::fill(std::string_view pattern) const {
    std::string text;
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        text.append(pattern.substr(0, open));
        if (open == std::string_view::npos)
            break;
        const std::size_t close = pattern.find('}', open);
        text.append(value(pattern.substr(open + 1, close - open - 1)));
        pattern.remove_prefix(close + 1);
    }
    return text;
}

const CauseText& textOf(const StoryContext& context) {
    return kTexts[static_cast<std::size_t>(context.gap.cause)];
}

} // namespace

std::string verdictOf(const StoryContext& context) {
    const Gap& gap = context.gap;
    const OtherProcess other = otherProcessIn(context.index, gap.device, gap.range);
    std::string text;
    for (const std::size_t names : {64u, 48u, 40u, 32u, 24u, 16u, 10u}) {
        const Filler filler(context, names);
        text = std::string(confidenceWord(gap.confidence)) + ": " + filler.fill(textOf(context).sentence);
        if (gap.viaThread && text.ends_with('.')) {
            text.pop_back();
            text += filler.fill(", waiting for {via}.");
        }
        if (codePoints(text) <= kMaxChars)
            break;
    }
    if (2 * other.ns >= gap.length().v && other.ns > 0) {
        const std::string note = " Process " + context.index.trace().processes()[other.process.v].idText +
                                 " used the GPU for " + formatDuration({other.ns}) + " of it.";
        if (codePoints(text) + codePoints(note) <= kMaxChars)
            text += note;
    }
    return codePoints(text) <= kMaxChars ? text : elideMiddle(text, kMaxChars);
}

std::vector<std::string> triesFor(const StoryContext& context) {
    std::vector<std::string> tries;
    const Filler filler(context, 48);
    for (const std::string_view pattern : textOf(context).tries)
        if (!pattern.empty())
            tries.push_back(filler.fill(pattern));
    if (context.gap.drainedBy && context.gap.cause != GapCause::SyncDrain && context.gap.syncPartNs > 0 &&
        tries.size() < 3)
        tries.insert(tries.begin(), filler.fill("Do without this wait, or wait later: at most {syncpart}."));
    return tries;
}

} // namespace lacuna::gaps
