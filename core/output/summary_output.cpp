#include "core/output/summary_output.h"

#include "core/analysis/busy_devices.h"

#include <utility>

namespace lacuna {

Result<Summary> summarise(const LoadedTrace& loaded, std::string sha256, JobControl& job) {
    Summary summary{loaded.trace, std::move(sha256), {}, {}, {}};
    BusyDevices devices(*summary.trace);
    for (std::uint32_t d = 0; d < summary.trace->devices().size(); ++d) {
        DeviceBusy busy = devices.busy(DeviceId{d}, job);
        if (job.cancelled())
            return cancelledError();
        if (busy.ops > 0)
            summary.devices.push_back(std::move(busy));
    }
    summary.steps = findSteps(*summary.trace, job);
    auto completeness = checkCompleteness(*summary.trace, loaded.details.get(), job);
    if (!completeness)
        return completeness.error();
    summary.completeness = std::move(*completeness);
    return summary;
}

std::string deviceTitle(const Trace& trace, DeviceId device) {
    const Device& d = trace.devices()[device.v];
    std::string title = "GPU " + std::to_string(d.ordinal);
    if (!d.name.empty())
        title.append(", ").append(d.name);
    if (!d.process)
        return title;
    const Process& process = trace.processes()[d.process.v];
    title.append(", process ").append(process.idText);
    if (process.mpiRank)
        title.append(", ").append(rankText(process));
    return title;
}

std::optional<std::int64_t> processOf(const Trace& trace, DeviceId device) {
    const ProcessId process = trace.devices()[device.v].process;
    return process ? trace.processes()[process.v].osPid : std::nullopt;
}

} // namespace lacuna
