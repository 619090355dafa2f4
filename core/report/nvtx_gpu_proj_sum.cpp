// nvtx_gpu_proj_sum: projections of ranges on the device, by name and style.

#include "core/base/time.h"
#include "core/report/builtin.h"
#include "core/report/launched_kernels.h"
#include "core/report/range_projection.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <utility>

namespace lacuna::reports {

namespace {

struct ProjectedName {
    Statistics times;
    std::int64_t rangeNs = 0, calls = 0, levels = 0, children = 0;
};

std::vector<ReportColumn> projectionColumns() {
    std::vector<ReportColumn> columns = {textColumn("Range"), textColumn("Style"),
                                         nsColumn("Total Proj Time (ns)"), nsColumn("Total Range Time (ns)"),
                                         integerColumn("Range Instances")};
    addStatisticsColumns(columns, "Proj ");
    columns.push_back(integerColumn("Total GPU Ops"));
    columns.push_back(decimalColumn("Avg GPU Ops", 1));
    columns.push_back(decimalColumn("Avg Range Lvl", 1));
    columns.push_back(decimalColumn("Avg Num Child", 1));
    return columns;
}

} // namespace

Result<ReportTable> nvtxGpuProjSum(const ReportInput& input, JobControl& job) {
    const auto projection = projectRanges(input, job);
    if (!projection)
        return projection.error();
    const RangeTree& tree = projection->tree;
    std::vector<ProjectedName> sums(tree.names().size());
    GroupedValues times;
    RowPoll poll(job);
    for (const ProjectedRange& projected : projection->ranges) {
        if (!poll.tick())
            return cancelledError();
        const AnnotatedRange& range = tree.ranges()[projected.range];
        ProjectedName& sum = sums[range.name];
        sum.rangeNs = saturatingAdd(sum.rangeNs, range.end - range.begin);
        sum.calls += projected.calls;
        sum.levels += range.level;
        sum.children += projected.children;
        times.add(range.name, projected.end - projected.begin);
    }
    auto groups = times.take(job);
    if (job.cancelled())
        return cancelledError();
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupedValues::Group& a, const GroupedValues::Group& b) {
                         return a.values.total > b.values.total;
                     });
    ReportTable table(projectionColumns());
    for (const GroupedValues::Group& group : groups) {
        const ProjectedName& sum = sums[group.key];
        const std::int64_t count = group.values.count;
        ReportTable::Row row = table.addRow();
        row.text(tree.names()[group.key].text).text(rangeStyleName(tree.names()[group.key].style));
        row.ns(group.values.total).ns(sum.rangeNs).integer(count);
        addStatistics(row, group.values);
        row.integer(sum.calls).ratio(sum.calls, count).ratio(sum.levels, count).ratio(sum.children, count);
    }
    if (std::string note = unlaunchedNote(projection->unlaunched); !note.empty())
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
