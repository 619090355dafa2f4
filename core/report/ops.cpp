// ops: host and device time per operator. Titles are the keys that scripts read (contract.md).

#include "core/analysis/op_attribution.h"
#include "core/report/builtin.h"

#include <algorithm>
#include <string>

namespace lacuna::reports {

namespace {

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
    ReportTable table({textColumn("name"), integerColumn("calls"), nsColumn("self_host_ns"),
                       nsColumn("host_ns"), nsColumn("self_device_ns"), nsColumn("device_ns"),
                       integerColumn("kernels")});
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
