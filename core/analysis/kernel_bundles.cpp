#include "core/analysis/kernel_bundles.h"

#include "core/trace/kernel_name.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace lacuna {

namespace {

std::string bundleKey(const KernelGroups& kernels, std::size_t number, KernelGrouping grouping) {
    const KernelGroup& group = kernels.groups[number];
    switch (grouping) {
    case KernelGrouping::Configuration:
        return std::to_string(number);
    case KernelGrouping::Name:
        return std::string(kernels.nameOf(group));
    case KernelGrouping::Function:
        return kernelFunction(kernels.nameOf(group));
    case KernelGrouping::Family:
        break;
    }
    return std::string(familyName(group.kind.family));
}

void addGroup(KernelBundle& bundle, const KernelGroups& kernels, std::size_t number) {
    const KernelGroup& group = kernels.groups[number];
    const bool isFirst = bundle.groups.empty();
    bundle.groups.push_back(number);
    const auto instances = kernels.instancesOf(group);
    bundle.instances.insert(bundle.instances.end(), instances.begin(), instances.end());
    bundle.count += group.count;
    bundle.totalNs = saturatingAdd(bundle.totalNs, group.totalNs);
    bundle.minNs = isFirst ? group.minNs : std::min(bundle.minNs, group.minNs);
    bundle.maxNs = isFirst ? group.maxNs : std::max(bundle.maxNs, group.maxNs);
    bundle.share += group.share;
    bundle.firstApart += group.isFirstApart ? 1u : 0u;
    bundle.firstApartNs = saturatingAdd(bundle.firstApartNs, group.isFirstApart ? group.firstNs : 0);
}

// For bundles of several groups: order by start, and ranks over all launches that count.
void joinGroups(KernelBundle& bundle, const KernelGroups& kernels) {
    const EventTable& events = kernels.trace->events();
    std::sort(bundle.instances.begin(), bundle.instances.end(), [&](EventId a, EventId b) {
        return events.beginNs[a.v] != events.beginNs[b.v] ? events.beginNs[a.v] < events.beginNs[b.v] : a < b;
    });
    std::vector<std::int64_t> durations;
    durations.reserve(bundle.instances.size());
    for (const std::size_t number : bundle.groups) {
        const KernelGroup& group = kernels.groups[number];
        for (const EventId kernel : kernels.instancesOf(group).subspan(group.isFirstApart ? 1 : 0))
            durations.push_back(events.duration(kernel).v);
    }
    std::sort(durations.begin(), durations.end());
    const auto rank = [&](std::size_t percent) {
        return durations[(durations.size() * percent + 99) / 100 - 1];
    };
    bundle.medianNs = rank(50);
    bundle.p95Ns = rank(95);
}

} // namespace

Result<std::vector<KernelBundle>> bundleKernels(const KernelGroups& kernels, KernelGrouping grouping,
                                                JobControl& job) {
    std::map<std::pair<DeviceId, std::string>, std::size_t> numbers;
    std::vector<KernelBundle> bundles;
    for (std::size_t g = 0; g < kernels.groups.size(); ++g) {
        const auto [at, isNew] =
            numbers.try_emplace({kernels.groups[g].device, bundleKey(kernels, g, grouping)}, bundles.size());
        if (isNew)
            bundles.emplace_back();
        addGroup(bundles[at->second], kernels, g);
    }
    for (KernelBundle& bundle : bundles) {
        job.countEvents(bundle.count);
        if (job.cancelled())
            return cancelledError();
        if (bundle.groups.size() > 1) {
            joinGroups(bundle, kernels);
        } else {
            bundle.medianNs = kernels.groups[bundle.groups.front()].medianNs;
            bundle.p95Ns = kernels.groups[bundle.groups.front()].p95Ns;
        }
    }
    std::stable_sort(bundles.begin(), bundles.end(),
                     [](const KernelBundle& a, const KernelBundle& b) { return a.totalNs > b.totalNs; });
    return bundles;
}

} // namespace lacuna
