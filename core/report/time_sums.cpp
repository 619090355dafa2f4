#include "core/report/time_sums.h"

#include "core/base/time.h"

#include <algorithm>
#include <utility>

namespace lacuna {

ReportTable timeSumTable(std::string count, const std::vector<std::string>& labels,
                         std::vector<TimeSum> sums) {
    std::vector<ReportColumn> columns = {decimalColumn("Time (%)", 1), nsColumn("Total Time (ns)"),
                                         integerColumn(std::move(count))};
    addStatisticsColumns(columns);
    for (const std::string& label : labels)
        columns.push_back(textColumn(label));
    ReportTable table(std::move(columns));

    std::sort(sums.begin(), sums.end(), [](const TimeSum& a, const TimeSum& b) {
        return a.times.total != b.times.total ? a.times.total > b.times.total : a.labels < b.labels;
    });
    std::int64_t all = 0;
    for (const TimeSum& sum : sums)
        all = saturatingAdd(all, sum.times.total);
    for (const TimeSum& sum : sums) {
        ReportTable::Row row = table.addRow();
        row.decimal(all == 0 ? 0.0 : 100.0 * static_cast<double>(sum.times.total) / static_cast<double>(all));
        row.ns(sum.times.total).integer(sum.times.count);
        addStatistics(row, sum.times);
        for (const std::string& label : sum.labels)
            row.text(label);
        if (sum.kinds != 0)
            row.about(sum.name, sum.kinds);
    }
    return table;
}

ReportTable nameTimeTable(std::string count, const Trace& trace, KindMask kinds, GroupedValues times,
                          std::string_view (*labelOf)(std::string_view name)) {
    std::vector<TimeSum> sums;
    for (const GroupedValues::Group& group : times.take())
        sums.push_back({group.values,
                        {std::string(labelOf(trace.strings().view(StringId{group.key})))},
                        StringId{group.key},
                        kinds});
    return timeSumTable(std::move(count), {"Name"}, std::move(sums));
}

std::string_view fullName(std::string_view name) {
    return name;
}

} // namespace lacuna
