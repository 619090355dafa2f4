// ops: host and device time per operator. Titles are the keys that scripts read (contract.md).

#include "core/analysis/op_attribution.h"
#include "core/report/builtin.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace lacuna::reports {

namespace {

ReportColumn meant(ReportColumn column, std::string_view meaning) {
    column.meaning = meaning;
    return column;
}

void addDeviceShare(ReportTable& table, std::string_view name, const DeviceShare& share) {
    if (share.ops != 0)
        table.addRow().text(name).integer(0).ns(0).ns(0).ns(share.ns).ns(share.ns).integer(
            static_cast<std::int64_t>(share.kernels));
}

} // namespace

Result<ReportTable> ops(const ReportInput& input, JobControl& job) {
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    auto attribution = attributeOperators(input.trace, *tree, job, input.options.range);
    if (!attribution)
        return attribution.error();
    const auto nameOf = [&](const OperatorTime& time) { return input.trace.strings().view(time.name); };
    std::sort(attribution->rows.begin(), attribution->rows.end(),
              [&](const OperatorTime& a, const OperatorTime& b) {
                  return a.hostSelfNs != b.hostSelfNs ? a.hostSelfNs > b.hostSelfNs : nameOf(a) < nameOf(b);
              });
    ReportTable table(
        {meant(textColumn("name"), "Operators by name."), meant(integerColumn("calls"), "Rows of that name."),
         meant(
             nsColumn("self_host_ns"),
             "Time on the host in these operators themselves: without the rows that stand directly in them."),
         meant(nsColumn("host_ns"), "Time on the host from begin to end, with all that stands in them."),
         meant(
             nsColumn("self_device_ns"),
             "Time on the device of what they launched themselves. It runs beside the host's: never add the "
             "two."),
         meant(
             nsColumn("device_ns"),
             "Time on the device of what they and all that stands in them launched; recursion counts once."),
         meant(integerColumn("kernels"), "Kernels that they launched themselves.")});
    for (const OperatorTime& time : attribution->rows)
        table.addRow()
            .about(time.name, kindBit(EventKind::CpuOp))
            .text(nameOf(time))
            .integer(static_cast<std::int64_t>(time.calls))
            .ns(time.hostSelfNs)
            .ns(time.hostTotalNs)
            .ns(time.deviceSelfNs)
            .ns(time.deviceTotalNs)
            .integer(static_cast<std::int64_t>(time.kernels));
    if (attribution->rows.empty())
        table.addNote("The trace has no operators.");
    addDeviceShare(table, "(no operator)", attribution->outside);
    addDeviceShare(table, "(no recorded launch)", attribution->unlaunched);
    return table;
}

} // namespace lacuna::reports
