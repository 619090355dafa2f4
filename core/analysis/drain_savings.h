#pragma once
// What the call sites of the table "time with a draining wait" cost: the replay with all their waits removed
// (analysis.md 4.4, rule S, and section 5). Of a scalar read (aten::item and its like) the whole read goes,
// as that is what a user deletes; of everything else the waiting calls.
//
// The replay is a model; its limits are those of replay.h. A site is one cause, so that its figure is at most
// the time of its gaps and of the copies that go with it.

#include "core/analysis/gap_analysis.h"
#include "core/analysis/replay_changes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lacuna {

struct DrainSaving {
    std::optional<std::int64_t> ns; // none: not computed
    std::string_view unknown;       // then why; a literal
};

// One replay for each site: the sites with most gap time first.
struct DrainSavingLimits {
    std::size_t sites = 256;            // of one device
    std::uint64_t points = 64ULL << 20; // of all replays of one device together; the first is always made
};

class DrainSavings {
public:
    // Keeps the analysis. O(n log n) in the rows of the trace. Error: Cancelled.
    static Result<DrainSavings> build(std::shared_ptr<const GapAnalysis> gaps, JobControl& job);

    // Beside the rows of GapTotals::drainingWaits of that device and window. With a window only the waits go
    // that begin in it or drained one of its gaps; none: all of the site. What is saved is how much earlier
    // the last operation of the device ends. Error: Cancelled.
    Result<std::vector<DrainSaving>> of(DeviceId device, const std::optional<TimeRange>& window,
                                        std::span<const DrainingWait> table, const DrainSavingLimits& limits,
                                        JobControl& job) const;

private:
    struct Site {
        std::uint32_t number = 0; // of the call site
        std::uint32_t gaps = 0;
        std::int64_t gapNs = 0;
        std::vector<EventId> drained; // waits that drained these gaps, ascending
    };
    explicit DrainSavings(std::shared_ptr<const GapAnalysis> gaps) : m_gaps(std::move(gaps)) {}
    std::vector<Site> sitesOf(DeviceId device, TimeRange window, JobControl& job) const;
    ReplayChange changeOf(const Site& site, const std::optional<TimeRange>& window,
                          const JobControl& job) const;
    Result<DrainSaving> replayed(DeviceId device, const Site& site, const std::optional<TimeRange>& window,
                                 JobControl& job) const;

    std::shared_ptr<const GapAnalysis> m_gaps;
    std::shared_ptr<const ReplayModel> m_model;
    std::optional<ReplayChanges> m_changes;
    std::vector<std::uint32_t> m_siteOfWait; // by wait
};

} // namespace lacuna
