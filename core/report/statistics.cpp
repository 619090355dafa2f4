#include "core/report/statistics.h"

#include "core/base/time.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

std::int64_t medianTwiceOf(std::span<std::int64_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return saturatingAdd(*middle, *middle);
    return saturatingAdd(*middle, *std::max_element(values.begin(), middle));
}

double deviationOf(std::span<const std::int64_t> values, std::int64_t total) {
    if (values.size() < 2)
        return 0;
    const long double mean = static_cast<long double>(total) / static_cast<long double>(values.size());
    long double squares = 0;
    for (const std::int64_t value : values) {
        const long double off = static_cast<long double>(value) - mean;
        squares += off * off;
    }
    return static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
}

} // namespace

Statistics statisticsOf(std::span<std::int64_t> values) {
    Statistics result;
    result.count = static_cast<std::int64_t>(values.size());
    result.min = result.max = values.front();
    for (const std::int64_t value : values) {
        result.total = saturatingAdd(result.total, value);
        result.min = std::min(result.min, value);
        result.max = std::max(result.max, value);
    }
    result.deviation = deviationOf(values, result.total);
    result.medianTwice = medianTwiceOf(values);
    return result;
}

void addStatisticsColumns(std::vector<ReportColumn>& columns, const std::string& prefix) {
    columns.push_back(decimalColumn(prefix + "Avg (ns)", 1));
    columns.push_back(decimalColumn(prefix + "Med (ns)", 1));
    columns.push_back(nsColumn(prefix + "Min (ns)"));
    columns.push_back(nsColumn(prefix + "Max (ns)"));
    columns.push_back(decimalColumn(prefix + "StdDev (ns)", 1));
}

void addStatistics(ReportTable::Row& row, const Statistics& values) {
    row.ratio(values.total, values.count)
        .ratio(values.medianTwice, 2)
        .ns(values.min)
        .ns(values.max)
        .decimal(values.deviation);
}

void addNoStatistics(ReportTable::Row& row) {
    row.empty().empty().empty().empty().decimal(0);
}

std::vector<GroupedValues::Group> GroupedValues::take(const JobControl& job) {
    RowPoll poll(job);
    const std::uint32_t largest = m_keys.empty() ? 0 : *std::max_element(m_keys.begin(), m_keys.end());
    std::vector<std::size_t> first(std::size_t{largest} + 2, 0);
    for (const std::uint32_t key : m_keys) {
        if (!poll.tick())
            return {};
        ++first[std::size_t{key} + 1];
    }
    for (std::size_t key = 1; key < first.size(); ++key)
        first[key] += first[key - 1];
    Column<std::int64_t> sorted(m_values.size());
    std::vector<std::size_t> next = first;
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        if (!poll.tick())
            return {};
        sorted[next[m_keys[i]]++] = m_values[i];
    }
    m_keys = {};
    m_values = {};
    std::vector<Group> groups;
    for (std::size_t key = 0; key + 1 < first.size(); ++key) {
        if (!poll.tick(static_cast<std::uint32_t>(first[key + 1] - first[key])))
            return {};
        if (first[key] < first[key + 1])
            groups.push_back(
                {static_cast<std::uint32_t>(key),
                 statisticsOf(std::span(sorted).subspan(first[key], first[key + 1] - first[key]))});
    }
    return groups;
}

} // namespace lacuna
