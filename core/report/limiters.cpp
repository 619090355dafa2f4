// limiters: what the time of each device went into, in parts that exclude one another: kernels before
// communication before data movement before nothing. They sum to the window, and their shares to 100.0 %.

#include "core/analysis/device_part.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"

namespace lacuna::reports {

Result<ReportTable> limiters(const ReportInput& input, JobControl& job) {
    ReportTable table({integerColumn("Device"), textColumn("Limiter"), nsColumn("Time (ns)"),
                       decimalColumn("Share of Window (%)", 1)});
    for (const DeviceId device : selectedDevices(input)) {
        DeviceBusy busy = deviceBusy(input.trace, device, job);
        if (job.cancelled())
            return cancelledError();
        if (const auto& range = input.options.range; range && busy.ops != 0) {
            if (range->end <= busy.span.begin || range->begin >= busy.span.end)
                continue;
            busy = busyWithin(busy, *range, job);
            if (job.cancelled())
                return cancelledError();
        }
        const std::int64_t spanNs = busy.span.length().v;
        if (busy.ops == 0 || spanNs == 0)
            continue;
        const DeviceParts parts = devicePartsOf(busy);
        for (std::size_t k = 0; k < kDeviceParts; ++k)
            table.addRow()
                .integer(input.trace.devices()[device.v].ordinal)
                .text(devicePartName(static_cast<DevicePart>(k)))
                .ns(parts.ns[k])
                .decimal(static_cast<double>(parts.tenths[k]) / 10);
    }
    table.addNote(
        table.rows() == 0
            ? "The trace has no device work."
            : "Communication and data movement: what no kernel hid. Kernel execution means that "
              "some work was resident, not how well it used the device. What the idle part waited for "
              "is in the finding limiter.");
    return table;
}

} // namespace lacuna::reports
