// nvtx_pushpop_trace: every push/pop range with its place in the tree of its thread.

#include "core/report/builtin.h"
#include "core/report/range_tree.h"

namespace lacuna::reports {

Result<ReportTable> nvtxPushpopTrace(const ReportInput& input, JobControl& job) {
    const auto tree = RangeTree::build(input, job);
    if (!tree)
        return cancelledError();
    ReportTable table({nsColumn("Start (ns)"), nsColumn("End (ns)"), nsColumn("Duration (ns)"),
                       nsColumn("DurChild (ns)"), nsColumn("DurNonChild (ns)"), textColumn("Name"),
                       integerColumn("PID"), integerColumn("TID"), integerColumn("Lvl"),
                       integerColumn("NumChild"), integerColumn("RangeId"), integerColumn("ParentId"),
                       textColumn("RangeStack"), textColumn("NameTree")});
    RowPoll poll(job);
    for (const AnnotatedRange& range : tree->ranges()) {
        if (!poll.tick())
            return cancelledError();
        if (range.style != RangeStyle::PushPop)
            continue;
        const HostIds ids = hostIdsOf(input.trace, range.thread);
        const std::int64_t length = range.end - range.begin;
        const std::string& name = tree->nameOf(range);
        ReportTable::Row row = table.addRow();
        row.about(range.event)
            .ns(range.begin)
            .ns(range.end)
            .ns(length)
            .ns(range.childrenNs)
            .ns(length - range.childrenNs);
        row.text(name).integer(ids.pid).integer(ids.tid).integer(range.level).integer(range.children);
        row.integer(range.id);
        if (range.parent == AnnotatedRange::kNoParent)
            row.empty();
        else
            row.integer(tree->ranges()[range.parent].id);
        row.text(tree->stackOf(range)).text(std::string(2 * std::size_t{range.level}, '-') + name);
    }
    if (table.rows() == 0)
        table.addNote("The trace has no push/pop ranges.");
    return table;
}

} // namespace lacuna::reports
