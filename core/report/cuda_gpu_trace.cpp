// cuda_gpu_trace: every kernel, copy and memset by start. The throughput is exact; the vendor divides whole
// numbers in an order that loses digits.

#include "core/import/arg_columns.h"
#include "core/report/builtin.h"
#include "core/report/copy_names.h"
#include "core/report/report_rows.h"
#include "core/report/vendor_names.h"

#include <array>
#include <utility>

namespace lacuna::reports {

namespace {

enum Arg : std::size_t {
    GridX,
    GridY,
    GridZ,
    BlockX,
    BlockY,
    BlockZ,
    Registers,
    StaticShared,
    DynamicShared,
    Context,
    GreenContext
};
constexpr std::array<std::string_view, 11> kGpuTraceArgs = {"gridX",
                                                            "gridY",
                                                            "gridZ",
                                                            "blockX",
                                                            "blockY",
                                                            "blockZ",
                                                            "registersPerThread",
                                                            "staticSharedMemory",
                                                            "dynamicSharedMemory",
                                                            "contextId",
                                                            "greenContextId"};

class GpuTrace {
public:
    GpuTrace(const ReportInput& input, ArgColumns args)
        : m_trace(input.trace), m_args(std::move(args)), m_table({nsColumn("Start (ns)"),
                                                                  nsColumn("Duration (ns)"),
                                                                  integerColumn("CorrId"),
                                                                  integerColumn("GrdX"),
                                                                  integerColumn("GrdY"),
                                                                  integerColumn("GrdZ"),
                                                                  integerColumn("BlkX"),
                                                                  integerColumn("BlkY"),
                                                                  integerColumn("BlkZ"),
                                                                  integerColumn("Reg/Trd"),
                                                                  decimalColumn("StcSMem (MB)", 3),
                                                                  decimalColumn("DymSMem (MB)", 3),
                                                                  decimalColumn("Bytes (MB)", 3),
                                                                  decimalColumn("Throughput (MB/s)", 3),
                                                                  textColumn("SrcMemKd"),
                                                                  textColumn("DstMemKd"),
                                                                  textColumn("Device"),
                                                                  integerColumn("Ctx"),
                                                                  integerColumn("GreenCtx"),
                                                                  integerColumn("Strm"),
                                                                  textColumn("Name")}),
          m_names(m_trace.strings().size()) {
        for (const Device& device : m_trace.devices()) {
            const std::string number = "(" + std::to_string(device.ordinal) + ")";
            m_devices.push_back(m_table.textId(device.name.empty() ? number : device.name + " " + number));
        }
    }

    void add(std::size_t place, EventId op) {
        const EventTable& events = m_trace.events();
        const Lane& lane = m_trace.lane(m_trace.laneOf(op));
        ReportTable::Row row = m_table.addRow();
        row.about(op)
            .ns(events.beginNs[op.v])
            .ns(events.duration(op).v)
            .integer(correlationIdOf(m_trace, op));
        for (std::size_t arg = GridX; arg <= Registers; ++arg)
            row.integer(m_args.value(place, arg));
        for (const std::size_t arg : {StaticShared, DynamicShared})
            addMegabytes(row, m_args.value(place, arg));
        addCopy(row, op);
        row.text(lane.device ? m_devices[lane.device.v] : m_table.textId({}))
            .integer(m_args.value(place, Context))
            .integer(m_args.valueUnlessZero(place, GreenContext))
            .integer(lane.sourceId)
            .text(nameOf(op));
    }

    ReportTable take() { return std::move(m_table); }

private:
    static void addMegabytes(ReportTable::Row& row, std::optional<std::int64_t> bytes) {
        constexpr std::int64_t kMega = 1'000'000;
        if (bytes)
            row.ratio(*bytes, kMega);
        else
            row.empty();
    }

    void addCopy(ReportTable::Row& row, EventId op) {
        const CopyArgs* copy =
            m_trace.events().kind[op.v] == EventKind::Kernel ? nullptr : m_trace.hotArgs().copies.find(op);
        if (copy == nullptr) {
            row.empty().empty().empty().empty();
            return;
        }
        constexpr std::int64_t kPerMegaAndSecond = 1'000; // B/ns in MB/s
        const auto bytes = toldBytes(copy);
        addMegabytes(row, bytes);
        if (bytes && *bytes < std::numeric_limits<std::int64_t>::max() / kPerMegaAndSecond)
            row.ratio(*bytes * kPerMegaAndSecond, m_trace.events().duration(op).v);
        else
            row.empty();
        const bool isSet = m_trace.events().kind[op.v] == EventKind::Memset;
        addKind(row, isSet ? copy->dst : copy->src);
        addKind(row, isSet ? MemKind::Unknown : copy->dst);
    }

    static void addKind(ReportTable::Row& row, MemKind kind) {
        const std::string_view label = memoryKindLabel(kind);
        if (label.empty())
            row.empty();
        else
            row.text(label);
    }

    StringId nameOf(EventId op) {
        StringId& name = m_names[m_trace.events().name[op.v].v];
        if (!name)
            name = m_trace.events().kind[op.v] == EventKind::Kernel
                       ? m_table.textId(m_trace.nameOf(op))
                       : m_table.textId(memoryOperation(m_trace, op));
        return name;
    }

    const Trace& m_trace;
    ArgColumns m_args;
    ReportTable m_table;
    std::vector<StringId> m_names, m_devices; // by the trace's names and devices
};

} // namespace

Result<ReportTable> cudaGpuTrace(const ReportInput& input, JobControl& job) {
    const auto ops = rowsByStart(input, kGpuKinds, job);
    if (!ops)
        return cancelledError();
    auto args = ArgColumns::read(input.trace, input.details, *ops, kGpuTraceArgs, job);
    if (!args)
        return args.error();
    GpuTrace trace(input, *std::move(args));
    RowPoll poll(job);
    for (std::size_t i = 0; i < ops->size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        trace.add(i, (*ops)[i]);
    }
    ReportTable table = trace.take();
    if (table.rows() == 0)
        table.addNote("The trace has no device work.");
    else if (input.trace.facts().format == "kineto-json")
        table.addNote("PyTorch records the sum of static and dynamic shared memory only; it is in DymSMem.");
    return table;
}

} // namespace lacuna::reports
