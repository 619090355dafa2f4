// nvtx_gpu_proj_trace: every range with its projection on the device.

#include "core/report/builtin.h"
#include "core/report/launched_kernels.h"
#include "core/report/range_projection.h"
#include "core/trace/sort_rows.h"

#include <utility>

namespace lacuna::reports {

Result<ReportTable> nvtxGpuProjTrace(const ReportInput& input, JobControl& job) {
    auto projection = projectRanges(input, job);
    if (!projection)
        return projection.error();
    const RangeTree& tree = projection->tree;
    ReportTable table({textColumn("Name"), nsColumn("Projected Start (ns)"),
                       nsColumn("Projected Duration (ns)"), nsColumn("Orig Start (ns)"),
                       nsColumn("Orig Duration (ns)"), textColumn("Style"), integerColumn("PID"),
                       integerColumn("TID"), integerColumn("NumGPUOps"), integerColumn("Lvl"),
                       integerColumn("NumChild"), integerColumn("RangeId"), integerColumn("ParentId"),
                       textColumn("RangeStack")});
    RowPoll poll(job);
    if (!sortRows(projection->ranges, poll,
                  [](const ProjectedRange& a, const ProjectedRange& b) { return a.begin < b.begin; }))
        return cancelledError();
    for (const ProjectedRange& projected : projection->ranges) {
        if (!poll.tick())
            return cancelledError();
        const AnnotatedRange& range = tree.ranges()[projected.range];
        const HostIds ids = hostIdsOf(input.trace, range.thread);
        ReportTable::Row row = table.addRow();
        row.about(range.event)
            .text(tree.nameOf(range))
            .ns(projected.begin)
            .ns(projected.end - projected.begin);
        row.ns(range.begin).ns(range.end - range.begin).text(rangeStyleName(range.style));
        row.integer(ids.pid).integer(ids.tid).integer(projected.calls).integer(range.level);
        row.integer(projected.children).integer(range.id);
        if (range.parent == AnnotatedRange::kNoParent)
            row.empty();
        else
            row.integer(tree.ranges()[range.parent].id);
        row.text(tree.stackOf(range));
    }
    if (std::string note = unlaunchedNote(projection->unlaunched); !note.empty())
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
