#include "core/analysis/busy_devices.h"
#include "core/analysis/communication_names.h"
#include "core/analysis/launch_density.h"
#include "core/view/row_layout.h"

#include <algorithm>

namespace lacuna {

namespace {

std::uint8_t workOfStrip(const Trace& trace, const Strip& strip, CommunicationNames& names) {
    const EventTable& e = trace.events();
    std::uint8_t work = 0;
    for (std::uint32_t row = strip.first.v; row < strip.last.v; ++row) {
        if (e.kind[row] == EventKind::Kernel)
            work |= names.has(e.name[row]) ? kCommunication : kCompute;
        else if (e.kind[row] == EventKind::GraphLaunch)
            work |= kCompute;
        if ((work & kCommunication) != 0 && (work & kCompute) != 0)
            break;
    }
    return work;
}

} // namespace

LayoutFacts LayoutFacts::of(const Trace& trace) {
    LayoutFacts facts;
    facts.launches.assign(trace.threads().size(), 0);
    facts.kinds.assign(trace.lanes().size(), 0);
    facts.work.assign(trace.lanes().size(), 0);
    facts.laneBusy.assign(trace.lanes().size(), 0);
    const EventTable& e = trace.events();
    const CorrelationIndex& correlations = trace.correlations();
    CommunicationNames names(trace);
    for (const Strip& s : trace.strips()) {
        const Lane& lane = trace.lane(s.lane);
        std::uint32_t kinds = 0;
        std::int64_t busy = 0;
        for (std::uint32_t row = s.first.v; row < s.last.v; ++row) {
            kinds |= 1u << static_cast<unsigned>(e.kind[row]);
            busy = saturatingAdd(busy, e.endNs[row] - e.beginNs[row]);
        }
        facts.kinds[s.lane.v] |= kinds;
        facts.laneBusy[s.lane.v] = saturatingAdd(facts.laneBusy[s.lane.v], busy);
        if (lane.kind == LaneKind::GpuStream)
            facts.work[s.lane.v] |= workOfStrip(trace, s, names);
        if (lane.kind != LaneKind::CudaApi || !lane.thread)
            continue;
        for (std::uint32_t row = s.first.v; row < s.last.v; ++row)
            facts.launches[lane.thread.v] +=
                e.correlation[row] != 0 && !correlations.deviceOps(e.correlation[row]).empty();
    }
    const BusyDevices devices(trace);
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d) {
        const BusyDevices::Extent extent = devices.extent({d});
        facts.deviceBusy.push_back(extent.busyNs);
        facts.deviceWindow.push_back(extent.span);
    }
    for (const CounterTrack& track : trace.counters()) {
        const auto [low, high] = std::ranges::minmax_element(track.value);
        facts.counterRange.emplace_back(low == track.value.end() ? 0.0 : *low,
                                        high == track.value.end() ? 0.0 : *high);
    }
    facts.launchRate.resize(trace.lanes().size());
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k)
        if (trace.lane({k}).kind == LaneKind::CudaApi)
            if (const auto cells = launchCells(trace, {k}); std::ranges::any_of(cells, &LaunchCell::isDense))
                facts.launchRate[k] = std::make_shared<const CounterTrack>(lacuna::launchRate(cells));
    return facts;
}

} // namespace lacuna
