// cuda_gpu_mem_size_sum: bytes of copies and memsets by what they are.

#include "core/report/builtin.h"
#include "core/report/copy_names.h"
#include "core/report/operation_sums.h"

#include <algorithm>

namespace lacuna::reports {

Result<ReportTable> cudaGpuMemSizeSum(const ReportInput& input, JobControl& job) {
    constexpr std::int64_t kMega = 1'000'000;
    OperationGroups groups(input.trace);
    GroupedValues bytes;
    const auto& copies = input.trace.hotArgs().copies.rows();
    auto next = copies.begin(); // both are in the order of the rows
    std::int64_t untold = 0;
    const bool done = forEachRow(input, kMemoryKinds, job, [&](EventId e, const Lane&) {
        while (next != copies.end() && next->event < e)
            ++next;
        if (const auto told = toldBytes(next != copies.end() && next->event == e ? &*next : nullptr))
            bytes.add(groups.of(e), *told);
        else
            ++untold;
    });
    if (!done)
        return cancelledError();
    auto sums = bytes.take();
    std::sort(sums.begin(), sums.end(), [&](const GroupedValues::Group& a, const GroupedValues::Group& b) {
        return a.values.total != b.values.total ? a.values.total > b.values.total
                                                : groups.label(a.key) < groups.label(b.key);
    });
    ReportTable table({decimalColumn("Total (MB)", 3), integerColumn("Count"), decimalColumn("Avg (MB)", 3),
                       decimalColumn("Med (MB)", 3), decimalColumn("Min (MB)", 3),
                       decimalColumn("Max (MB)", 3), decimalColumn("StdDev (MB)", 3),
                       textColumn("Operation")});
    for (const GroupedValues::Group& sum : sums)
        table.addRow()
            .ratio(sum.values.total, kMega)
            .integer(sum.values.count)
            .ratio(sum.values.total, sum.values.count * kMega)
            .ratio(sum.values.medianTwice, 2 * kMega)
            .ratio(sum.values.min, kMega)
            .ratio(sum.values.max, kMega)
            .decimal(sum.values.deviation / static_cast<double>(kMega))
            .text(groups.label(sum.key));
    if (untold != 0)
        table.addNote(std::to_string(untold) + (untold == 1 ? " copy or set does" : " copies or sets do") +
                      " not tell how many bytes, and are left out.");
    else if (table.rows() == 0)
        table.addNote("The trace has no copies or memsets.");
    return table;
}

} // namespace lacuna::reports
