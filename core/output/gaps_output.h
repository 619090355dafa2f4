#pragma once
// What `lacuna gaps` prints. The query selects devices, a window and the gaps to list; sums always cover all
// gaps of the window. A gap that the window cuts contributes its part: cuts, parts and pieces are intersected
// with the window, the headline is that of the whole gap.

#include "core/analysis/drain_savings.h"
#include "core/analysis/gap_analysis.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/output/text_sink.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

struct GapQuery {
    std::optional<std::int64_t> device, stream; // the file's own numbers; none: all devices, device gaps
    std::optional<TimeRange> range;             // none: each device's first start to last end
    std::int64_t minNs = 1'000;                 // shorter gaps are summed, not listed
    std::optional<std::size_t> top;             // list only the best ranks of each device
};

struct GapCuts {
    std::int64_t beforeNs = 0, insideNs = 0, afterNs = 0, unknownNs = 0; // sum = length of the listed part
};

struct ListedGap {
    const Gap* gap = nullptr; // whole; lives as long as the report
    TimeRange range;          // its part in the window
    std::uint32_t rank = 0;
    bool isCut() const { return range != gap->range; }
};

struct GroupRow { // a group of gaps with equal cause and call site, restricted to the device and window
    GapCause cause = GapCause::DeviceUnexplained;
    std::string where;
    std::uint32_t count = 0;
    std::int64_t totalNs = 0, boundNs = 0;
    ListedGap worst; // its longest member
};

struct DeviceGaps {
    DeviceId device;
    TimeRange window;
    GapTotals totals;             // of the device, with or without --stream
    std::vector<GroupRow> groups; // in order of rank
    std::vector<ListedGap> list;  // in order of time
    std::uint32_t shorter = 0;    // gaps of the window below minNs, and their time
    std::int64_t shorterNs = 0;
    std::vector<DrainSaving> savings; // beside totals.drainingWaits; empty: nobody asked
};

struct GapsReport {
    std::shared_ptr<const GapAnalysis> analysis;
    std::string sha256; // of the file's bytes as stored
    GapQuery query;
    std::vector<DeviceGaps> devices;
    std::vector<std::unique_ptr<const StreamGaps>> streamGaps; // what the lists point to with --stream
};

// Errors: Cancelled; Unsupported when the file has no such device or stream (the detail names those it has).
Result<GapsReport> reportGaps(std::shared_ptr<const GapAnalysis> analysis, std::string sha256,
                              const GapQuery& query, JobControl& job);

// Replays what the call sites of the draining waits cost: some replays of the whole trace (drain_savings.h).
// Error: Cancelled.
Status addReplaySavings(GapsReport& report, JobControl& job);

GapCuts cutsOf(const ListedGap& listed);
// The story of the whole gap with its pieces cut to the listed part.
GapStory storyOf(const GapsReport& report, const ListedGap& listed);
// What of the sync part lies in the listed part: rule S books it under a cause of its own.
std::int64_t syncPartOf(const Gap& gap, const GapStory& story);

// A cancelled job ends the list early; the caller must not pass the output on as complete.
void writeGapsJson(const GapsReport& report, TextSink& sink, JobControl& job);
void writeGapsCsv(const GapsReport& report, TextSink& sink, JobControl& job);
void writeGapsTable(const GapsReport& report, TextSink& sink, std::size_t width, JobControl& job);

} // namespace lacuna
