// cuda_gpu_kern_gb_sum: kernels by name, grid and block.

#include "core/import/arg_columns.h"
#include "core/report/builtin.h"
#include "core/report/dense_keys.h"
#include "core/report/report_rows.h"
#include "core/report/time_sums.h"

#include <array>
#include <utility>

namespace lacuna::reports {

Result<ReportTable> cudaGpuKernGbSum(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    std::vector<EventId> kernels;
    if (!forEachRow(input, kindBit(EventKind::Kernel), job,
                    [&](EventId e, const Lane&) { kernels.push_back(e); }))
        return cancelledError();
    constexpr std::array<std::string_view, 6> kColumns = {"gridX",  "gridY",  "gridZ",
                                                          "blockX", "blockY", "blockZ"};
    const auto shapes = ArgColumns::read(input.trace, input.details, kernels, kColumns, job);
    if (!shapes)
        return shapes.error();
    DenseKeys<7> groups; // name, grid, block
    GroupedValues times;
    RowPoll poll(job);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        std::array<std::int64_t, 7> key{trace.events().name[kernels[i].v].v};
        for (std::size_t c = 0; c < kColumns.size(); ++c)
            key[c + 1] = shapes->valueOr(i, c, 0);
        times.add(groups.of(key), trace.events().duration(kernels[i]).v);
    }
    std::vector<TimeSum> sums;
    for (const GroupedValues::Group& group : times.take(job)) {
        const auto& key = groups.key(group.key);
        sums.push_back({group.values,
                        {dimensionText(key[1], key[2], key[3]), dimensionText(key[4], key[5], key[6]),
                         std::string(trace.strings().view(StringId{static_cast<std::uint32_t>(key[0])}))}});
    }
    ReportTable table = timeSumTable("Instances", {"GridXYZ", "BlockXYZ", "Name"}, std::move(sums));
    if (table.rows() == 0)
        table.addNote("The trace has no kernels.");
    return table;
}

} // namespace lacuna::reports
