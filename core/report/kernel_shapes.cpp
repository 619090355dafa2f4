// kernel_shapes: kernels by device, name and launch configuration. One kernel in two shapes is two rows.

#include "core/import/arg_columns.h"
#include "core/import/launch_configs.h"
#include "core/report/builtin.h"
#include "core/report/dense_keys.h"
#include "core/report/report_rows.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna::reports {

namespace {

using ShapeKey = std::array<std::int64_t, 3>; // device, name, configuration

struct ShapeGroup {
    ShapeKey key;
    Statistics times;
};

std::optional<std::int64_t> signedOf(std::optional<std::uint64_t> bytes) {
    return bytes ? std::optional(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

void addDimensions(ReportTable::Row& row, const Dim3& dim) {
    if (dim.isKnown())
        row.text(dimensionText(dim.x, dim.y, dim.z));
    else
        row.empty();
}

void addConfig(ReportTable::Row& row, const LaunchConfig& config) {
    addDimensions(row, config.grid);
    addDimensions(row, config.block);
    row.integer(config.registersPerThread ? std::optional<std::int64_t>(*config.registersPerThread)
                                          : std::nullopt)
        .integer(signedOf(config.allSharedBytes()))
        .integer(signedOf(config.localBytesPerThread));
}

ReportTable shapeTable() {
    std::vector<ReportColumn> columns = {decimalColumn("Time (%)", 1), nsColumn("Total Time (ns)"),
                                         integerColumn("Instances")};
    addStatisticsColumns(columns);
    for (ReportColumn column :
         {integerColumn("Device"), textColumn("GridXYZ"), textColumn("BlockXYZ"),
          integerColumn("Registers Per Thread"), integerColumn("Shared Memory Per Block (bytes)"),
          integerColumn("Local Memory Per Thread (bytes)"), textColumn("Name")})
        columns.push_back(std::move(column));
    return ReportTable(std::move(columns));
}

// By total descending, then device, name and first launch.
std::vector<ShapeGroup> sortedGroups(const Trace& trace, const DenseKeys<3>& keys, GroupedValues& times) {
    std::vector<ShapeGroup> groups;
    for (GroupedValues::Group& group : times.take())
        groups.push_back({keys.key(group.key), group.values});
    const auto nameOf = [&](const ShapeGroup& group) {
        return trace.strings().view(StringId{static_cast<std::uint32_t>(group.key[1])});
    };
    std::stable_sort(groups.begin(), groups.end(), [&](const ShapeGroup& a, const ShapeGroup& b) {
        if (a.times.total != b.times.total)
            return a.times.total > b.times.total;
        return a.key[0] != b.key[0] ? a.key[0] < b.key[0] : nameOf(a) < nameOf(b);
    });
    return groups;
}

} // namespace

Result<ReportTable> kernelShapes(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const auto configs = readLaunchConfigs(trace, input.details, job);
    if (!configs)
        return configs.error();
    DenseKeys<3> keys;
    GroupedValues times;
    const bool done = forEachRow(input, kindBit(EventKind::Kernel), job, [&](EventId e, const Lane& lane) {
        const std::int64_t ordinal = lane.device ? trace.devices()[lane.device.v].ordinal : -1;
        times.add(keys.of({ordinal, trace.events().name[e.v].v, configs->numberOf(e)}),
                  trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    ReportTable table = shapeTable();
    const std::vector<ShapeGroup> groups = sortedGroups(trace, keys, times);
    std::int64_t all = 0;
    for (const ShapeGroup& group : groups)
        all = saturatingAdd(all, group.times.total);
    for (const ShapeGroup& group : groups) {
        ReportTable::Row row = table.addRow();
        row.decimal(all == 0 ? 0.0
                             : 100.0 * static_cast<double>(group.times.total) / static_cast<double>(all))
            .ns(group.times.total)
            .integer(group.times.count);
        addStatistics(row, group.times);
        row.integer(group.key[0] < 0 ? std::nullopt : std::optional(group.key[0]));
        addConfig(row, configs->configs()[static_cast<std::size_t>(group.key[2])]);
        row.text(trace.strings().view(StringId{static_cast<std::uint32_t>(group.key[1])}));
    }
    if (table.rows() == 0)
        table.addNote("The trace has no kernels.");
    else if (!configs->remark.empty())
        table.addNote(configs->remark);
    return table;
}

} // namespace lacuna::reports
