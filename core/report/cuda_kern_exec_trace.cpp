// cuda_kern_exec_trace: every kernel with its launching call and the time it waited in the queue.

#include "core/import/arg_columns.h"
#include "core/report/builtin.h"
#include "core/report/dense_keys.h"
#include "core/report/launched_kernels.h"
#include "core/report/vendor_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna::reports {

namespace {

// Texts of grids and blocks, each made once.
class DimensionTexts {
public:
    explicit DimensionTexts(ReportTable& table) : m_table(table) {}
    StringId of(const std::array<std::int64_t, 3>& xyz) {
        const std::uint32_t number = m_numbers.of(xyz);
        if (number == m_texts.size())
            m_texts.push_back(m_table.textId(dimensionText(xyz[0], xyz[1], xyz[2])));
        return m_texts[number];
    }

private:
    ReportTable& m_table;
    DenseKeys<3> m_numbers;
    std::vector<StringId> m_texts; // by number
};

void addExecution(ReportTable& table, const Trace& trace, const LaunchedOp& launched, StringId api,
                  const std::array<StringId, 3>& texts) {
    const TimeRange call = trace.events().range(launched.call), kernel = trace.events().range(launched.op);
    const HostIds ids = hostIdsOf(trace, launched.thread);
    ReportTable::Row row = table.addRow();
    row.about(launched.op).ns(call.begin.v).ns(call.length().v);
    if (kernel.begin >= call.end) // else it began during the call
        row.ns(call.end.v).ns((kernel.begin - call.end).v);
    else
        row.empty().empty();
    row.ns(kernel.begin.v)
        .ns(kernel.length().v)
        .ns((std::max(call.end, kernel.end) - call.begin).v)
        .integer(ids.pid)
        .integer(ids.tid)
        .integer(ordinalOf(trace, trace.lane(trace.laneOf(launched.op)).device))
        .text(api)
        .text(texts[0])
        .text(texts[1])
        .text(texts[2]);
}

} // namespace

Result<ReportTable> cudaKernExecTrace(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    ReportTable table({nsColumn("API Start (ns)"), nsColumn("API Dur (ns)"), nsColumn("Queue Start (ns)"),
                       nsColumn("Queue Dur (ns)"), nsColumn("Kernel Start (ns)"), nsColumn("Kernel Dur (ns)"),
                       nsColumn("Total Dur (ns)"), integerColumn("PID"), integerColumn("TID"),
                       integerColumn("DevId"), textColumn("API Function"), textColumn("GridXYZ"),
                       textColumn("BlockXYZ"), textColumn("Kernel Name")});
    const auto launched = launchedOps(input, kindBit(EventKind::Kernel), job);
    if (!launched)
        return cancelledError();
    std::vector<EventId> kernels;
    kernels.reserve(launched->ops.size());
    for (const LaunchedOp& op : launched->ops)
        kernels.push_back(op.op);
    constexpr std::array<std::string_view, 6> kColumns = {"gridX",  "gridY",  "gridZ",
                                                          "blockX", "blockY", "blockZ"};
    const auto shapes = ArgColumns::read(input.trace, input.details, kernels, kColumns, job);
    if (!shapes)
        return shapes.error();
    DimensionTexts shapeTexts(table);
    std::vector<StringId> names(trace.strings().size()), apis(trace.strings().size());
    RowPoll poll(job);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        const LaunchedOp& op = launched->ops[i];
        StringId& api = apis[trace.events().name[op.call.v].v];
        if (!api)
            api = table.textId(vendorApiName(trace.nameOf(op.call)));
        StringId& name = names[trace.events().name[op.op.v].v];
        if (!name)
            name = table.textId(trace.nameOf(op.op));
        std::array<std::int64_t, 6> shape{};
        for (std::size_t c = 0; c < shape.size(); ++c)
            shape[c] = shapes->valueOr(i, c, 0);
        addExecution(table, trace, op, api,
                     {shapeTexts.of({shape[0], shape[1], shape[2]}),
                      shapeTexts.of({shape[3], shape[4], shape[5]}), name});
    }
    if (std::string note = unlaunchedNote(launched->unlaunched); !note.empty())
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
