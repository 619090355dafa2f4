#pragma once
// What the table of gaps lists: groups with their members, the gaps below the threshold and what a filter
// hides. A million gaps take longer than a frame, so their rows are made off the UI thread.

#include "core/analysis/gap_analysis.h"
#include "core/base/job_control.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

struct GapRows {
    static constexpr std::int64_t kDefaultThresholdNs = 1'000;

    struct Sum { // of gaps, or of their parts in the range
        std::int64_t ns = 0, medianNs = 0;
        std::vector<GapId> gaps;
        void add(GapId gap, std::int64_t gapNs) {
            ns += gapNs;
            gaps.push_back(gap);
        }
    };
    struct Row { // one listed group
        std::uint32_t group = 0;
        Sum sum;
        std::int64_t boundNs = 0;
    };

    // Groups that the filter does not want are hidden: their gaps are in `filtered`. In a range, gaps are cut
    // to it, as `lacuna gaps --range` does: lengths, threshold and bounds are of the parts. O(gaps). Error:
    // cancelled.
    static Result<std::shared_ptr<const GapRows>> of(const GapAnalysis& analysis, std::int64_t thresholdNs,
                                                     const std::function<bool(const GapGroup&)>& wants,
                                                     const std::optional<TimeRange>& range, JobControl& job);

    // The gap's part in the range; all of it without one.
    TimeRange partOf(const Gap& gap) const { return range ? intersection(gap.range, *range) : gap.range; }

    // What a table of a range says of every row. Nearest rank: the p95 is a value that occurs.
    struct Statistics {
        std::int64_t sumNs = 0, unionNs = 0, meanNs = 0, medianNs = 0, p95Ns = 0, minNs = 0, maxNs = 0;
        std::int64_t deviationNs = 0; // of the sample (n - 1); 0 for one gap
    };
    Statistics statisticsOf(const GapAnalysis& analysis, const std::vector<GapId>& gaps) const;

    std::optional<TimeRange> range;
    std::int64_t thresholdNs = kDefaultThresholdNs;
    std::vector<Row> rows;             // by group
    Sum micro, filtered, listed, idle; // idle: without median; listed: the sum alone
};

} // namespace lacuna::ui
