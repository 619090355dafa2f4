// gpu_time_util: parts of a device's span, thirty of equal length, in which it is busy for less than half of
// the time; neighbours are merged. The vendor adds up the times of all streams, so that work side by side
// counts more than once and a part may be busy for more than 100 %. Corrected: the union.

#include "core/report/builtin.h"
#include "core/report/device_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::int64_t kParts = 30;
constexpr double kLowUse = 50.0; // %

struct UsedPart {
    std::int64_t begin = 0, end = 0, busyNs = 0;
    std::size_t device = 0;
    double percent() const { return 100.0 * static_cast<double>(busyNs) / static_cast<double>(end - begin); }
    // As shown: rows are in its order.
    double shown() const { return std::floor(percent() * 10.0 + 0.5) / 10.0; }
};

std::vector<UsedPart> partsOf(const Trace& trace, const DeviceWorkRows& work, bool united) {
    const std::int64_t span = work.lastEnd - work.firstStart;
    const std::int64_t length = span / kParts + (span % kParts != 0 ? 1 : 0);
    std::vector<UsedPart> parts;
    for (std::int64_t begin = work.firstStart; begin < work.lastEnd; begin += length)
        parts.push_back({begin, std::min(begin + length, work.lastEnd), 0, 0});
    std::int64_t coveredUntil = work.firstStart;
    for (const EventId op : work.ops) {
        std::int64_t begin = trace.events().beginNs[op.v];
        const std::int64_t end = trace.events().endNs[op.v];
        if (united)
            begin = std::max(begin, coveredUntil);
        coveredUntil = std::max(coveredUntil, end);
        while (begin < end) {
            UsedPart& part = parts[static_cast<std::size_t>((begin - work.firstStart) / length)];
            const std::int64_t until = std::min(end, part.end);
            part.busyNs += until - begin;
            begin = until;
        }
    }
    return parts;
}

} // namespace

Result<ReportTable> gpuTimeUtil(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const auto devices = workByDevice(input, kGpuKinds, job);
    if (!devices)
        return devices.error();
    std::vector<UsedPart> low;
    for (std::size_t d = 0; d < devices->size(); ++d) {
        bool isNeighbour = false;
        for (UsedPart part : partsOf(trace, (*devices)[d], input.options.corrected)) {
            const bool isLow = part.percent() < kLowUse;
            part.device = d;
            if (isLow && isNeighbour) {
                low.back().end = part.end;
                low.back().busyNs += part.busyNs;
            } else if (isLow) {
                low.push_back(part);
            }
            isNeighbour = isLow;
        }
        if (job.cancelled())
            return cancelledError();
    }
    std::stable_sort(low.begin(), low.end(), [](const UsedPart& a, const UsedPart& b) {
        return a.shown() != b.shown() ? a.shown() < b.shown() : a.end - a.begin < b.end - b.begin;
    });
    std::vector<EventId> first;
    first.reserve(devices->size());
    for (const DeviceWorkRows& work : *devices)
        first.push_back(work.ops.front());
    const auto contexts = contextsOf(input, first, job);
    if (!contexts)
        return contexts.error();
    ReportTable table({integerColumn("Row#"), decimalColumn("In-Use (%)", 1), nsColumn("Duration (ns)"),
                       nsColumn("Start (ns)"), integerColumn("PID"), integerColumn("Device ID"),
                       integerColumn("Context ID")});
    for (std::size_t i = 0; i < low.size(); ++i) {
        const DeviceId device = (*devices)[low[i].device].device;
        table.addRow()
            .integer(static_cast<std::int64_t>(i) + 1)
            .decimal(low[i].percent())
            .ns(low[i].end - low[i].begin)
            .ns(low[i].begin)
            .integer(launchingProcessOf(trace, device))
            .integer(ordinalOf(trace, device))
            .integer((*contexts)[low[i].device]);
    }
    if (table.rows() == 0)
        table.addNote("No part of a device's span is busy for less than half of the time.");
    return table;
}

} // namespace lacuna::reports
