#include "core/report/enclosing_ranges.h"

#include "core/import/arg_columns.h"

#include <algorithm>
#include <array>

namespace lacuna {

EnclosingRanges::EnclosingRanges(const RangeTree& tree, const std::vector<bool>& isUsed) : m_tree(tree) {
    for (std::uint32_t i = 0; i < tree.ranges().size(); ++i)
        if (isUsed[i])
            m_threads[tree.ranges()[i].thread].ranges.push_back(i);
}

std::span<const std::uint32_t> EnclosingRanges::of(ThreadId thread, std::int64_t begin, std::int64_t end) {
    m_found.clear();
    const auto at = m_threads.find(thread);
    if (at == m_threads.end())
        return {};
    PerThread& own = at->second;
    const auto ranges = m_tree.ranges();
    while (own.next < own.ranges.size() && ranges[own.ranges[own.next]].begin <= begin)
        own.open.push_back(own.ranges[own.next++]);
    std::erase_if(own.open, [&](std::uint32_t range) { return ranges[range].end < begin; });
    for (const std::uint32_t range : own.open)
        if (ranges[range].end >= end)
            m_found.push_back(range);
    return m_found;
}

Result<std::vector<bool>> rangesOfOneThread(const ReportInput& input, const RangeTree& tree,
                                            JobControl& job) {
    std::vector<bool> isUsed(tree.ranges().size(), true);
    std::vector<EventId> asked;
    std::vector<std::size_t> places;
    RowPoll poll(job);
    for (std::size_t i = 0; i < tree.ranges().size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        if (tree.ranges()[i].style == RangeStyle::StartEnd) {
            asked.push_back(tree.ranges()[i].event);
            places.push_back(i);
        }
    }
    constexpr std::array<std::string_view, 1> kColumns = {"endGlobalTid"};
    const auto ends = ArgColumns::read(input.trace, input.details, asked, kColumns, job);
    if (!ends)
        return ends.error();
    for (std::size_t i = 0; i < places.size(); ++i)
        isUsed[places[i]] = !ends->value(i, 0);
    return isUsed;
}

} // namespace lacuna
