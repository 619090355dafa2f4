#include "widgets/tables/gap_rows.h"

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

std::int64_t medianNs(const std::vector<GapId>& gaps, const GapAnalysis& analysis) {
    if (gaps.empty())
        return 0;
    std::vector<std::int64_t> lengths;
    lengths.reserve(gaps.size());
    for (const GapId gap : gaps)
        lengths.push_back(analysis.gap(gap).length().v);
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

} // namespace

GapRows GapRows::of(const GapAnalysis& analysis, std::int64_t thresholdNs,
                    const std::function<bool(const GapGroup&)>& wants) {
    GapRows result;
    const auto groups = analysis.groups();
    result.idle.gaps.reserve(analysis.gaps().size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        const GapGroup& group = groups[g];
        const bool isShown = wants(group);
        Row row{g, {}, 0};
        for (const GapId id : group.members) {
            const Gap& gap = analysis.gap(id);
            const std::int64_t ns = gap.length().v;
            result.idle.add(id, ns);
            Sum& into = ns < thresholdNs ? result.micro : isShown ? row.sum : result.filtered;
            into.add(id, ns);
            if (&into == &row.sum)
                row.boundNs += gap.boundNs;
        }
        if (row.sum.gaps.empty())
            continue;
        row.sum.medianNs = medianNs(row.sum.gaps, analysis);
        result.listed.ns += row.sum.ns;
        result.rows.push_back(std::move(row));
    }
    for (Sum* sum : {&result.micro, &result.filtered})
        sum->medianNs = medianNs(sum->gaps, analysis);
    return result;
}

} // namespace lacuna::ui
