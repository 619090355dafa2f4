// What the findings leave out, so that nobody takes it for looked at: start-up, profiler, the end of the
// capture; and what the capture window covers.

#include "core/analysis/capture_window.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/start_up_classes.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

void addStartUp(const FindingContext& context, JobControl& job, Finding& finding) {
    const TimeRange whole = context.trace.window();
    const auto measured = context.steps.measuredWindow();
    const TimeRange region{whole.begin, measured ? std::max(whole.begin, measured->begin) : whole.begin};
    if (region.isEmpty())
        return;
    Evidence evidence = plainEvidence("Start-up: " + durationText(region.length().v) +
                                      " before the first measured " + context.steps.meaning + ".");
    evidence.range = region;
    evidence.ns = region.length().v;
    finding.supports.push_back(std::move(evidence));
    const auto uses = startUpUses(context.trace, region, job);
    std::string unseen;
    for (std::size_t c = 0; c < kStartUpClasses; ++c) {
        const std::string title(startUpTitle(static_cast<StartUpClass>(c)));
        if (uses[c].rows == 0)
            unseen += (unseen.empty() ? "" : ", ") + title;
        else
            finding.supports.push_back(rowEvidence(context, uses[c].longest,
                                                   "Start-up, " + title + ": " +
                                                       countOf(uses[c].rows, "row") + ", " +
                                                       durationText(uses[c].ns) + "."));
    }
    if (!unseen.empty())
        finding.supports.push_back(plainEvidence("Start-up, no row tells of: " + unseen + "."));
}

void addProfiler(const FindingContext& context, Finding& finding) {
    std::int64_t ns = 0;
    GapId longest;
    for (const DeviceId device : context.devices) {
        const auto gaps = context.gapAnalysis->gapsOf(device);
        for (std::uint32_t g = 0; g < gaps.size(); ++g) {
            if (gaps[g].cause != GapCause::ProfilerArtifact)
                continue;
            const GapId id{context.gapAnalysis->firstGapOf(device).v + g};
            ns = saturatingAdd(ns, gaps[g].length().v);
            if (!longest || gaps[g].length() > context.gapAnalysis->gap(longest).length())
                longest = id;
        }
    }
    if (longest)
        finding.supports.push_back(
            gapEvidence(context, longest, "Profiler artefact: " + durationText(ns) + " of gaps."));
    for (const EventId wait : context.closingWaits)
        finding.supports.push_back(rowEvidence(context, wait,
                                               "End of capture: " + std::string(context.trace.nameOf(wait)) +
                                                   " behind the last launch, " +
                                                   durationText(context.events().duration(wait).v) + "."));
}

} // namespace

Finding leftOut(const FindingContext& context, JobControl& job) {
    Finding finding;
    finding.state = FindingState::Note;
    finding.suggests = context.settings.startUpIsTarget
                           ? "The findings are about the start-up, as set; the steady state is left out."
                           : "The findings are about " + context.windowTitle +
                                 ". Start-up, profiler work and the end of the "
                                 "capture are left out.";
    finding.supports.push_back(plainEvidence(captureWindowText(captureWindow(context.trace))));
    if (!context.steps.steps.empty())
        finding.supports.push_back(
            plainEvidence("The window holds " +
                          countOf(context.steps.steps.size(), "whole " + context.steps.meaning) + "; " +
                          (context.steps.warmUps == 0
                               ? std::string("none is warm-up")
                               : std::to_string(context.steps.warmUps) + " of them warm-up, " +
                                     (context.steps.warmUpsIncluded ? "included as set" : "left out")) +
                          "."));
    addStartUp(context, job, finding);
    addProfiler(context, finding);
    if (!context.settings.startUpIsTarget)
        finding.tests.emplace_back("To look at the start-up itself, set start_up = target.");
    finding.against.push_back(
        plainEvidence("Leaving warm-up out makes a measurement steady; it makes no program faster."));
    return finding;
}

} // namespace lacuna::findings
