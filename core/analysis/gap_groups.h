#pragma once
// Call sites, groups and the order "worst first" (analysis.md section 4.6).

#include "core/analysis/gap_index.h"

#include <unordered_map>

namespace lacuna::gaps {

// Where a gap was held: blocking call's API, innermost operator and range around it. Step marks and numbers
// in range names are no part of it.
struct CallSite {
    StringId api, op, range; // of SiteTable's pool
    StringId shownRange;     // as in the file while all rows of the site agree, else `range`
    friend bool operator==(const CallSite& a, const CallSite& b) {
        return a.api == b.api && a.op == b.op && a.range == b.range;
    }
};

class SiteTable {
public:
    explicit SiteTable(const GapIndex& index);
    // Dense number of the site of a host row; 0 for none.
    std::uint32_t siteOf(HostRow row);
    const CallSite& site(std::uint32_t number) const { return m_sites[number]; }
    std::string_view text(StringId id) const { return m_pool.view(id); }
    // "cudaStreamSynchronize < aten::item < \u2039log_loss\u203a"; where no host row held the gap, what did.
    std::string describe(std::uint32_t number, GapCause cause) const;

private:
    struct Hash {
        std::size_t operator()(const CallSite& s) const {
            return (std::size_t{s.api.v} * 0x9e3779b1u) ^ (std::size_t{s.op.v} << 21) ^
                   (std::size_t{s.range.v} << 42);
        }
    };
    StringId apiName(StringId name);
    StringId rangeName(StringId name);
    StringId shownName(StringId name);
    struct Above { // innermost range that is no step mark above a row
        HostRow range;
        std::int64_t endNs = 0; // of the range
    };
    Above rangeAbove(HostRow row);

    const GapIndex& m_index;
    StringPool m_pool;
    std::vector<StringId> m_api, m_range, m_shown;    // by the trace's StringId
    std::unordered_map<std::uint32_t, Above> m_above; // by row
    std::vector<CallSite> m_sites;
    std::unordered_map<CallSite, std::uint32_t, Hash> m_numbers;
};

// Groups in order of rank; fills Gap::group and Gap::rank. `sites` has one number per gap, afterwards one per
// group. byRank[0] is rank 1. Of no use when the job was cancelled.
std::vector<GapGroup> makeGroups(std::span<Gap> gaps, std::vector<std::uint32_t>& sites,
                                 const SiteTable& table, std::vector<GapId>& byRank, const JobControl& job,
                                 unsigned threads = 1);

} // namespace lacuna::gaps
