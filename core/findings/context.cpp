#include "core/findings/context.h"

#include "core/analysis/busy_devices.h"
#include "core/base/text_format.h"
#include "core/trace/api_name.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace lacuna {

namespace {

// The part of the trace that findings are about.
void chooseWindow(FindingContext& context) {
    const auto measured = context.steps.measuredWindow();
    const TimeRange whole = context.trace.window();
    if (!measured) {
        context.window = whole;
        context.windowTitle = "the whole trace";
        return;
    }
    const std::size_t all = context.steps.steps.size(), kept = context.measuredSteps();
    if (context.settings.startUpIsTarget) {
        context.window = {std::min(whole.begin, measured->begin),
                          context.steps.steps[context.steps.warmUps].range.begin};
        context.windowTitle = "the start-up, up to the first measured step";
        return;
    }
    context.window = *measured;
    context.windowTitle = kept == all ? countOf(all, context.steps.meaning)
                                      : countOf(kept, context.steps.meaning) + " of " + std::to_string(all) +
                                            ", without warm-up";
}

bool isOutsideOfWork(const FindingContext& context, HostRow wait) {
    for (const StepTime& step : context.steps.steps)
        if (step.event && step.range.contains(context.tree.range(wait).begin))
            return false;
    HostRow up = context.tree.parent(wait);
    for (std::uint32_t level = 0; up && level < HostTree::kLevelsLookedAt;
         up = context.tree.parent(up), ++level)
        if (context.tree.kind(up) == EventKind::CpuOp || context.tree.kind(up) == EventKind::Range)
            return false;
    return true;
}

// Waits that begin when nothing more is launched in the whole trace, outside of steps, operators and ranges:
// what a program does before it stops the profiler. A .item() at the end of the last step is the program's.
void findClosingWaits(FindingContext& context, RowPoll& poll) {
    const EventTable& events = context.events();
    std::int64_t lastLaunch = INT64_MIN;
    for (const Strip& strip : context.trace.strips()) {
        if (context.trace.lane(strip.lane).kind != LaneKind::CudaApi)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v)
            if (!context.trace.correlations().deviceOps(events.correlation[e.v]).empty())
                lastLaunch = std::max(lastLaunch, events.beginNs[e.v]);
    }
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t)
        for (const gaps::HoldingCall& call : context.rows.calls({t}).holding)
            if (call.begin > lastLaunch && context.rows.cls(call.row) == PieceClass::SyncApi &&
                isOutsideOfWork(context, call.row))
                context.closingWaits.push_back(context.tree.event(call.row));
    std::sort(context.closingWaits.begin(), context.closingWaits.end());
}

} // namespace

bool FindingContext::isClosingWait(EventId event) const {
    return std::binary_search(closingWaits.begin(), closingWaits.end(), event);
}

std::int64_t FindingContext::windowNs() const {
    std::int64_t sum = 0;
    for (const DeviceBusy& device : busy)
        sum = saturatingAdd(sum, windowOf(device).length().v);
    return sum;
}

bool FindingContext::isLeftOut(GapCause cause) const {
    if (cause == GapCause::ProfilerArtifact || classOf(cause) == GapClass::Edge)
        return true;
    return classOf(cause) == GapClass::Startup && !settings.startUpIsTarget;
}

Result<std::unique_ptr<FindingContext>>
makeFindingContext(const Trace& trace, DetailReader* details, const AnalysisSettings& settings,
                   std::vector<DeviceId> devices, std::shared_ptr<const GapAnalysis> gaps, JobControl& job,
                   std::optional<TimeRange> range, std::span<const DeviceBusy> busy) {
    if (gaps == nullptr) {
        // Not owned: the trace outlives the context.
        const std::shared_ptr<const Trace> borrowed(std::shared_ptr<const Trace>(), &trace);
        auto found = GapAnalysis::run(borrowed, {}, job);
        if (!found)
            return found.error();
        gaps = *std::move(found);
    }
    auto steps = stepTimes(trace, devices, settings, job);
    if (!steps)
        return steps.error();
    if (range)
        keepStepsOf(*steps, *range);
    const gaps::GapIndex& index = *gaps->index();
    auto context = std::make_unique<FindingContext>(FindingContext{trace,
                                                                   details,
                                                                   settings,
                                                                   std::move(devices),
                                                                   std::move(gaps),
                                                                   {},
                                                                   busy,
                                                                   index.tree(),
                                                                   index.rows(),
                                                                   *std::move(steps),
                                                                   phaseTimes(trace, job),
                                                                   {},
                                                                   {},
                                                                   {}});
    if (busy.empty()) {
        BusyDevices all(trace);
        context->ownBusy.reserve(context->devices.size());
        for (const DeviceId device : context->devices)
            context->ownBusy.push_back(all.busy(device, job));
        context->busy = context->ownBusy;
    }
    chooseWindow(*context);
    if (range) {
        context->window = intersection(context->window, *range);
        context->windowTitle += " in the marked range";
    }
    RowPoll poll(job);
    findClosingWaits(*context, poll);
    if (job.cancelled())
        return cancelledError();
    return context;
}

// ---- evidence

Evidence rowEvidence(const FindingContext& context, EventId event, std::string text) {
    Evidence evidence;
    evidence.text = std::move(text);
    evidence.event = event;
    evidence.range = context.events().range(event);
    evidence.ns = evidence.range.length().v;
    return evidence;
}

Evidence gapEvidence(const FindingContext& context, GapId gap, std::string text) {
    Evidence evidence;
    evidence.text = std::move(text);
    evidence.gap = gap;
    evidence.range = context.gapAnalysis->gap(gap).range;
    evidence.ns = evidence.range.length().v;
    return evidence;
}

Evidence plainEvidence(std::string text) {
    Evidence evidence;
    evidence.text = std::move(text);
    return evidence;
}

Evidence withRows(const FindingContext& context, Evidence evidence, std::vector<EventId> rows) {
    if (rows.size() > Evidence::kMostRows)
        return withWindow(context, std::move(evidence));
    evidence.rows = std::move(rows);
    return evidence;
}

Evidence withWindow(const FindingContext& context, Evidence evidence) {
    evidence.of = context.window;
    return evidence;
}

WindowGaps gapsOfWindow(const FindingContext& context) {
    WindowGaps result;
    std::size_t all = 0; // no more than these: a list that grows by doubling holds three times its length
    for (const DeviceId device : context.devices)
        all += context.gapAnalysis->gapsOf(device).size();
    result.gaps.reserve(all);
    for (const DeviceId device : context.devices) {
        const auto gaps = context.gapAnalysis->gapsOf(device);
        const std::uint32_t first = context.gapAnalysis->firstGapOf(device).v;
        for (std::size_t i = 0; i < gaps.size(); ++i) {
            const std::int64_t ns = intersection(gaps[i].range, context.window).length().v;
            if (ns == 0)
                continue;
            if (context.isLeftOut(gaps[i].cause)) {
                result.leftOutNs = saturatingAdd(result.leftOutNs, ns);
                continue;
            }
            result.idleNs = saturatingAdd(result.idleNs, ns);
            result.gaps.push_back({{first + static_cast<std::uint32_t>(i)}, ns});
        }
    }
    return result;
}

// ---- sites

std::string HostSite::text() const {
    std::string text = api;
    if (!op.empty())
        text += " < " + op;
    if (!range.empty())
        text += " < \u2039" + range + "\u203a";
    return text;
}

namespace {
// "train.py(12): step"; frames of built-in functions name no line.
bool tellsLine(std::string_view frame) {
    return frame.find(".py(") != std::string_view::npos;
}
} // namespace

HostSite hostSiteOf(const FindingContext& context, EventId hostRow) {
    HostSite site;
    site.api = stripApiVersion(context.trace.nameOf(hostRow));
    const HostRow row = context.tree.find(hostRow);
    if (!row)
        return site;
    const TimeNs end = context.tree.range(row).end;
    HostRow up = context.tree.parent(row);
    for (std::uint32_t level = 0; up && level < HostTree::kLevelsLookedAt;
         up = context.tree.parent(up), ++level) {
        if (context.tree.range(up).end < end)
            continue; // overlaps partially: not around the row
        const std::string_view name = context.trace.nameOf(context.tree.event(up));
        const EventKind kind = context.tree.kind(up);
        if (kind == EventKind::CpuOp && site.op.empty())
            site.op = name;
        else if (kind == EventKind::Range && site.range.empty() && !gaps::isStepMark(name))
            site.range = name;
        else if (kind == EventKind::Python && (site.frame.empty() || !tellsLine(site.frame)))
            site.frame = tellsLine(name) || site.frame.empty() ? std::string(name) : site.frame;
    }
    return site;
}

// ---- words

std::string durationText(std::int64_t ns) {
    return formatDuration({ns});
}

std::string shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? formatPercent(static_cast<double>(part) / static_cast<double>(whole)) : "none";
}

std::string countOf(std::size_t count, std::string_view thing) {
    std::string text = formatCount(count);
    text.append(" ").append(thing);
    if (count == 1)
        return text;
    if (thing.ends_with('y'))
        return text.replace(text.size() - 1, 1, "ies");
    return text + (thing.ends_with("ch") ? "es" : "s");
}

std::string perStepText(const FindingContext& context, std::size_t count) {
    if (context.measuredSteps() == 0)
        return {};
    std::array<char, 48> text{};
    const double each = static_cast<double>(count) / static_cast<double>(context.measuredSteps());
    std::snprintf(text.data(), text.size(), each < 10 ? "%.1f per " : "%.0f per ", each);
    return text.data() + context.steps.meaning;
}

} // namespace lacuna
