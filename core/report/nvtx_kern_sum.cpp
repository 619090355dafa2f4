// nvtx_kern_sum: kernels by the ranges that enclose their launch; a kernel counts in every such range, so
// that sums over ranges count it several times, by design. Where ranges of one name nest it counts once for
// the name.

#include "core/report/builtin.h"
#include "core/report/dense_keys.h"
#include "core/report/enclosing_ranges.h"
#include "core/report/statistics.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::int64_t kOutsideRanges = -1;

class KernelsByRange {
public:
    KernelsByRange(const ReportInput& input, const RangeTree& tree, const std::vector<bool>& isUsed)
        : m_trace(input.trace), m_tree(tree), m_enclosing(tree, isUsed) {}

    void add(const LaunchedOp& launched) {
        const EventTable& events = m_trace.events();
        const std::int64_t kernel = events.name[launched.op.v].v, thread = launched.thread.v;
        const std::int64_t time = events.duration(launched.op).v;
        m_seen.clear();
        for (const std::uint32_t range : m_enclosing.of(launched.thread, events.beginNs[launched.call.v],
                                                        events.endNs[launched.call.v])) {
            const std::uint32_t group = m_groups.of({m_tree.ranges()[range].name, thread, kernel});
            m_instances.emplace_back(group, range);
            if (std::find(m_seen.begin(), m_seen.end(), group) != m_seen.end())
                continue;
            m_seen.push_back(group);
            m_times.add(group, time);
        }
        if (m_seen.empty())
            m_times.add(m_groups.of({kOutsideRanges, thread, kernel}), time);
    }

    std::optional<ReportTable> table(const JobControl& job) { // none: cancelled
        RowPoll poll(job);
        if (!sortRows(m_instances, poll, std::less<>()))
            return std::nullopt;
        std::vector<std::int64_t> ranges(m_groups.size(), 0);
        const Instance* last = nullptr; // equal ones count once
        for (const Instance& instance : m_instances) {
            if (!poll.tick())
                return std::nullopt;
            ranges[instance.first] += last == nullptr || *last != instance ? 1 : 0;
            last = &instance;
        }
        std::vector<Line> lines;
        for (const GroupedValues::Group& group : m_times.take(job)) {
            if (!poll.tick())
                return std::nullopt;
            lines.push_back(lineOf(group, ranges[group.key]));
        }
        const bool isSorted = sortRows(lines, poll, [](const Line& a, const Line& b) {
            return std::tie(a.range, a.ids.pid, a.ids.tid, b.values.total) <
                   std::tie(b.range, b.ids.pid, b.ids.tid, a.values.total);
        });
        return isSorted && !job.cancelled() ? fill(lines, poll) : std::nullopt;
    }

private:
    using Instance = std::pair<std::uint32_t, std::uint32_t>; // group, range
    struct Line {
        std::string range;
        RangeStyle style = RangeStyle::None;
        HostIds ids;
        std::int64_t ranges = 0;
        Statistics values;
        StringId kernel;
    };

    Line lineOf(const GroupedValues::Group& group, std::int64_t ranges) const {
        const auto& [name, thread, kernel] = m_groups.key(group.key);
        Line line;
        if (name != kOutsideRanges) {
            line.range = m_tree.names()[static_cast<std::size_t>(name)].text;
            line.style = m_tree.names()[static_cast<std::size_t>(name)].style;
        }
        line.ids = hostIdsOf(m_trace, ThreadId{static_cast<std::uint32_t>(thread)});
        line.ranges = ranges;
        line.values = group.values;
        line.kernel = StringId{static_cast<std::uint32_t>(kernel)};
        return line;
    }

    std::optional<ReportTable> fill(const std::vector<Line>& lines, RowPoll& poll) const {
        std::vector<ReportColumn> columns = {textColumn("NVTX Range"),   textColumn("Style"),
                                             integerColumn("PID"),       integerColumn("TID"),
                                             integerColumn("NVTX Inst"), integerColumn("Kern Inst"),
                                             nsColumn("Total Time (ns)")};
        addStatisticsColumns(columns);
        columns.push_back(textColumn("Kernel Name"));
        ReportTable table(std::move(columns));
        for (const Line& line : lines) {
            if (!poll.tick())
                return std::nullopt;
            ReportTable::Row row = table.addRow();
            row.text(line.range).text(rangeStyleName(line.style)).integer(line.ids.pid);
            row.integer(line.ids.tid).integer(line.ranges).integer(line.values.count).ns(line.values.total);
            addStatistics(row, line.values);
            row.text(m_trace.strings().view(line.kernel));
        }
        return table;
    }

    const Trace& m_trace;
    const RangeTree& m_tree;
    EnclosingRanges m_enclosing;
    DenseKeys<3> m_groups; // name of the range, thread, kernel
    GroupedValues m_times;
    Column<Instance> m_instances;
    std::vector<std::uint32_t> m_seen; // groups of one kernel
};

} // namespace

Result<ReportTable> nvtxKernSum(const ReportInput& input, JobControl& job) {
    // The range of the options selects kernels; the ranges around them may lie anywhere.
    ReportInput everyRange = input;
    everyRange.options.range.reset();
    const auto tree = RangeTree::build(everyRange, job);
    if (!tree)
        return cancelledError();
    const auto isUsed = rangesOfOneThread(input, *tree, job);
    if (!isUsed)
        return isUsed.error();
    const auto launched = launchedOps(input, kindBit(EventKind::Kernel), job);
    if (!launched)
        return cancelledError();
    KernelsByRange kernels(input, *tree, *isUsed);
    RowPoll poll(job);
    for (const LaunchedOp& op : launched->ops) {
        if (!poll.tick())
            return cancelledError();
        kernels.add(op);
    }
    auto table = kernels.table(job);
    if (!table)
        return cancelledError();
    if (std::string note = unlaunchedNote(launched->unlaunched); !note.empty())
        table->addNote(std::move(note));
    return *std::move(table);
}

} // namespace lacuna::reports
