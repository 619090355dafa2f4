// limiters: what the time of each device went into, in parts that exclude one another: kernels before
// communication before data movement before nothing. They sum to the window, and their shares to 100.0 %.

#include "core/analysis/device_part.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lacuna::reports {

namespace {

constexpr std::array<std::string_view, 4> kLimiterNames{"kernel execution", "communication", "data movement",
                                                        "idle"};
constexpr std::int64_t kWholeInTenths = 1'000; // 100.0 %

std::array<std::int64_t, 4> partsOf(const DeviceBusy& busy) {
    std::array<std::int64_t, 4> parts{};
    for (unsigned mask = 0; mask < busy.stateNs.size(); ++mask)
        parts[static_cast<std::size_t>(devicePart(mask))] += busy.stateNs[mask];
    return parts;
}

// Tenths of a percent that sum to 100.0 %: what is cut off goes to the parts that lost most.
std::array<std::int64_t, 4> sharesOf(const std::array<std::int64_t, 4>& parts, std::int64_t whole) {
    std::array<std::int64_t, 4> shares{};
    std::array<long double, 4> rests{};
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const long double exact =
            static_cast<long double>(parts[k]) * kWholeInTenths / static_cast<long double>(whole);
        shares[k] = static_cast<std::int64_t>(exact);
        rests[k] = exact - static_cast<long double>(shares[k]);
    }
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rests[a] > rests[b]; });
    std::int64_t left = kWholeInTenths - std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
    for (std::size_t k = 0; left > 0; k = (k + 1) % order.size(), --left)
        ++shares[order[k]];
    return shares;
}

} // namespace

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
        const auto parts = partsOf(busy);
        const auto shares = sharesOf(parts, spanNs);
        for (std::size_t k = 0; k < parts.size(); ++k)
            table.addRow()
                .integer(input.trace.devices()[device.v].ordinal)
                .text(kLimiterNames[k])
                .ns(parts[k])
                .decimal(static_cast<double>(shares[k]) / 10);
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
