#include "widgets/tables/gap_rows.h"

#include "core/analysis/sample_statistics.h"
#include "core/base/interval_set.h"
#include "core/base/lower_median.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr std::size_t kPercent = 95, kPercentOf = 100;

std::vector<std::int64_t> lengthsOf(const GapRows& rows, const GapAnalysis& analysis,
                                    const std::vector<GapId>& gaps) {
    std::vector<std::int64_t> lengths;
    lengths.reserve(gaps.size());
    for (const GapId gap : gaps)
        lengths.push_back(rows.partOf(analysis.gap(gap)).length().v);
    return lengths;
}

std::int64_t medianOf(const GapRows& rows, const GapAnalysis& analysis, const std::vector<GapId>& gaps) {
    std::vector<std::int64_t> lengths = lengthsOf(rows, analysis, gaps);
    return lowerMedian(lengths);
}

} // namespace

Result<std::shared_ptr<const GapRows>> GapRows::of(const GapAnalysis& analysis, std::int64_t thresholdNs,
                                                   const std::function<bool(const GapGroup&)>& wants,
                                                   const std::optional<TimeRange>& range, JobControl& job) {
    const auto made = std::make_shared<GapRows>();
    GapRows& result = *made;
    result.range = range;
    result.thresholdNs = thresholdNs;
    RowPoll poll(job);
    const auto groups = analysis.groups();
    if (!range)
        result.idle.gaps.reserve(analysis.gaps().size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        const GapGroup& group = groups[g];
        const bool isShown = wants(group);
        Row row{g, {}, 0};
        for (const GapId id : group.members) {
            if (!poll.tick())
                return cancelledError();
            const Gap& gap = analysis.gap(id);
            const TimeRange part = result.partOf(gap);
            if (part.isEmpty())
                continue;
            const std::int64_t ns = part.length().v;
            result.idle.add(id, ns);
            Sum& into = ns < thresholdNs ? result.micro : isShown ? row.sum : result.filtered;
            into.add(id, ns);
            if (&into == &row.sum)
                row.boundNs += std::min(gap.boundNs, ns);
        }
        if (row.sum.gaps.empty())
            continue;
        row.sum.medianNs = medianOf(result, analysis, row.sum.gaps);
        result.listed.ns += row.sum.ns;
        result.rows.push_back(std::move(row));
    }
    for (Sum* sum : {&result.micro, &result.filtered})
        sum->medianNs = medianOf(result, analysis, sum->gaps);
    return std::shared_ptr<const GapRows>(made);
}

GapRows::Statistics GapRows::statisticsOf(const GapAnalysis& analysis, const std::vector<GapId>& gaps) const {
    Statistics statistics;
    if (gaps.empty())
        return statistics;
    std::vector<std::int64_t> lengths = lengthsOf(*this, analysis, gaps);
    std::sort(lengths.begin(), lengths.end());
    for (const std::int64_t length : lengths)
        statistics.sumNs += length;
    const std::size_t n = lengths.size();
    const SampleStatistics figures = sampleStatistics(lengths);
    statistics.meanNs = std::llround(figures.mean);
    statistics.deviationNs = std::llround(figures.deviation);
    statistics.medianNs = lengths[(n - 1) / 2];
    statistics.p95Ns = lengths[(n * kPercent + kPercentOf - 1) / kPercentOf - 1];
    statistics.minNs = lengths.front();
    statistics.maxNs = lengths.back();
    std::vector<TimeRange> parts; // of several devices they may overlap
    parts.reserve(n);
    for (const GapId gap : gaps)
        parts.push_back(partOf(analysis.gap(gap)));
    statistics.unionNs = IntervalSet::fromUnsorted(std::move(parts)).measure().v;
    return statistics;
}

} // namespace lacuna::ui
