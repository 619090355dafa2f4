#pragma once
// What findings ask of a trace, computed once.

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/analysis/gap_index.h"
#include "core/analysis/step_phases.h"
#include "core/analysis/step_times.h"
#include "core/findings/finding.h"
#include "core/settings/analysis_settings.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

class DetailReader;

struct FindingContext {
    const Trace& trace;
    DetailReader* details; // may be null
    AnalysisSettings settings;
    std::vector<DeviceId> devices; // that findings are about
    std::shared_ptr<const GapAnalysis> gapAnalysis;
    std::vector<DeviceBusy> ownBusy;  // empty where they were given
    std::span<const DeviceBusy> busy; // beside devices; whole devices
    const HostTree& tree;             // all host rows, of the gap analysis
    const gaps::RowFacts& rows;       // of the tree
    StepTimes steps;
    PhaseTimes phases;
    // What findings are about: the measured steps; without steps all of the trace; the time before the first
    // measured step when start-up is the target.
    TimeRange window;
    std::string windowTitle;           // "steps 2 to 4 of 4", "the whole trace"
    std::vector<EventId> closingWaits; // waits behind the last launch of the trace: the end of the capture

    double threshold(Threshold which) const { return settings.thresholds[which]; }
    std::int64_t thresholdNs(Threshold which) const { return settings.thresholds.ns(which); }
    const EventTable& events() const { return trace.events(); }
    bool startsInWindow(EventId event) const { return window.contains({events().beginNs[event.v]}); }
    bool isClosingWait(EventId event) const;
    // The window within a device's first start and last end; empty when it did nothing there.
    TimeRange windowOf(const DeviceBusy& device) const { return intersection(window, device.span); }
    std::int64_t windowNs() const; // sum of windowOf() over devices
    std::size_t measuredSteps() const { return steps.measured().size(); }
    // Start-up and profiler artefacts are left out unless start-up is the target.
    bool isLeftOut(GapCause cause) const;
};

// `trace` must outlive the context. gaps: null to have them found. range: findings are about that part of the
// window, and about the steps that overlap it. busy: beside `devices`, where it is known; it must outlive the
// context. Error: Cancelled.
Result<std::unique_ptr<FindingContext>>
makeFindingContext(const Trace& trace, DetailReader* details, const AnalysisSettings& settings,
                   std::vector<DeviceId> devices, std::shared_ptr<const GapAnalysis> gaps, JobControl& job,
                   std::optional<TimeRange> range = {}, std::span<const DeviceBusy> busy = {});

// ---- what findings are made of

Evidence rowEvidence(const FindingContext& context, EventId event, std::string text);
Evidence gapEvidence(const FindingContext& context, GapId gap, std::string text);
Evidence plainEvidence(std::string text);
// The sentence with the rows that its sums are of (of more than Evidence::kMostRows: the window), or with the
// window.
Evidence withRows(const FindingContext& context, Evidence evidence, std::vector<EventId> rows);
Evidence withWindow(const FindingContext& context, Evidence evidence);

// A gap of the window with its part in it.
struct WindowGap {
    GapId id;
    std::int64_t ns = 0; // inside the window
};
// Of all devices of the context, those left out apart.
struct WindowGaps {
    std::vector<WindowGap> gaps;
    std::int64_t idleNs = 0, leftOutNs = 0;
};
WindowGaps gapsOfWindow(const FindingContext& context);

// Where a host row stands: "cudaStreamSynchronize < aten::item < ‹sample›"; step marks are no part of it.
struct HostSite {
    std::string api, op, range; // innermost; empty where there is none
    std::string frame;          // innermost Python frame with a line, else the innermost
    std::string text() const;   // without the frame
};
HostSite hostSiteOf(const FindingContext& context, EventId hostRow);

// ---- words

std::string durationText(std::int64_t ns);
std::string shareOf(std::int64_t part, std::int64_t whole);                // "12.3 %"
std::string countOf(std::size_t count, std::string_view thing);            // "1 gap", "12 gaps"
std::string perStepText(const FindingContext& context, std::size_t count); // "2.0 per step"; "" without steps

} // namespace lacuna
