#include "core/analysis/kernel_groups.h"

#include "core/trace/kernel_name.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lacuna {

namespace {

constexpr std::uint32_t kKernelsPerPoll = 4096;

struct KernelLaunch {
    std::int64_t beginNs;
    EventId event;
    std::uint32_t group;
    bool isSelected;
};

// Collects launches; groups get numbers in the order in which they are met.
class KernelCollector {
public:
    KernelCollector(const Trace& trace, const LaunchConfigs& configs, std::optional<TimeRange> range)
        : m_trace(trace), m_configs(configs), m_range(range) {}

    bool collect(JobControl& job) { // false: cancelled
        const EventTable& events = m_trace.events();
        for (const Strip& strip : m_trace.strips()) {
            const Lane& lane = m_trace.lane(strip.lane);
            if (lane.kind != LaneKind::GpuStream)
                continue;
            for (EventId e = strip.first; e < strip.last; ++e.v) {
                if (e.v % kKernelsPerPoll == 0) {
                    job.countEvents(kKernelsPerPoll);
                    if (job.cancelled())
                        return false;
                }
                if (events.kind[e.v] == EventKind::Kernel)
                    add(e, lane.device);
            }
        }
        RowPoll poll(job);
        return sortRows(launches, poll, [](const KernelLaunch& a, const KernelLaunch& b) {
            return a.beginNs != b.beginNs ? a.beginNs < b.beginNs : a.event < b.event;
        });
    }

    std::vector<KernelGroup> groups;
    std::vector<KernelLaunch> launches; // by start

private:
    void add(EventId event, DeviceId device) {
        const TimeRange time = m_trace.events().range(event);
        const bool isSelected = !m_range || (time.begin < m_range->end &&
                                             (m_range->begin < time.end || m_range->begin <= time.begin));
        const std::uint32_t group = groupOf(event, device);
        groups[group].count += isSelected ? 1u : 0u;
        launches.push_back({time.begin.v, event, group, isSelected});
    }

    std::uint32_t groupOf(EventId event, DeviceId device) {
        const StringId name = m_trace.events().name[event.v];
        const std::uint32_t config = m_configs.numberOf(event);
        const auto [at, isNew] =
            m_numbers.try_emplace({device, name, config}, static_cast<std::uint32_t>(groups.size()));
        if (isNew) {
            KernelGroup& group = groups.emplace_back();
            group.name = name;
            group.device = device;
            group.config = config;
        }
        return at->second;
    }

    const Trace& m_trace;
    const LaunchConfigs& m_configs;
    std::optional<TimeRange> m_range;
    std::map<std::tuple<DeviceId, StringId, std::uint32_t>, std::uint32_t> m_numbers;
};

// Classes by name, and how many launches of the same function came before the first of each group. False:
// cancelled.
bool tellNames(const Trace& trace, KernelCollector& found, const JobControl& job) {
    struct Named {
        KernelClass kind;
        std::size_t function = 0;
    };
    std::unordered_map<StringId, Named> names;
    std::unordered_map<std::string, std::size_t> functions;
    for (KernelGroup& group : found.groups) {
        const auto [at, isNew] = names.try_emplace(group.name);
        if (isNew) {
            const std::string_view name = trace.strings().view(group.name);
            at->second = {classifyKernel(name),
                          functions.try_emplace(kernelFunction(name), functions.size()).first->second};
        }
        group.kind = at->second.kind;
    }
    std::vector<std::uint64_t> launched(functions.size());
    std::vector<bool> seen(found.groups.size());
    RowPoll poll(job);
    for (const KernelLaunch& launch : found.launches) {
        if (!poll.tick())
            return false;
        KernelGroup& group = found.groups[launch.group];
        const std::size_t function = names.find(group.name)->second.function;
        if (launch.isSelected && !seen[launch.group]) {
            group.launchesBefore = launched[function];
            seen[launch.group] = true;
        }
        ++launched[function];
    }
    return true;
}

// `durations` by start; reordered. False: cancelled.
bool summariseGroup(KernelGroup& group, std::vector<std::int64_t>& durations, const JobControl& job) {
    group.firstNs = durations.front();
    for (const std::int64_t ns : durations)
        group.totalNs = saturatingAdd(group.totalNs, ns);
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    group.minNs = *least;
    group.maxNs = *most;
    durations.erase(durations.begin());
    RowPoll poll(job);
    if (!sortRows(durations, poll, std::less<>()))
        return false;
    const auto rank = [&](std::size_t percent) {
        return durations[(durations.size() * percent + 99) / 100 - 1];
    };
    group.isFirstApart =
        durations.size() >= 2 && rank(50) > 0 && group.firstNs / kFirstLaunchFactor >= rank(50);
    if (!group.isFirstApart)
        durations.insert(std::upper_bound(durations.begin(), durations.end(), group.firstNs), group.firstNs);
    group.medianNs = rank(50);
    group.p95Ns = rank(95);
    return true;
}

} // namespace

Result<KernelGroups> groupKernels(std::shared_ptr<const Trace> trace, LaunchConfigs configs, JobControl& job,
                                  std::optional<TimeRange> range) {
    KernelCollector found(*trace, configs, range);
    if (!found.collect(job))
        return cancelledError();
    if (!tellNames(*trace, found, job))
        return cancelledError();

    KernelGroups out;
    std::vector<std::size_t> next(found.groups.size());
    std::size_t first = 0;
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
        next[g] = found.groups[g].firstInstance = first;
        first += found.groups[g].count;
    }
    out.instances.resize(first);
    RowPoll poll(job);
    for (const KernelLaunch& launch : found.launches) {
        if (!poll.tick())
            return cancelledError();
        if (launch.isSelected)
            out.instances[next[launch.group]++] = launch.event;
    }
    std::erase_if(found.groups, [](const KernelGroup& group) { return group.count == 0; });

    std::map<DeviceId, std::int64_t> ofDevice;
    std::vector<std::int64_t> durations;
    for (KernelGroup& group : found.groups) {
        durations.clear();
        for (std::size_t i = 0; i < group.count && poll.tick(); ++i)
            durations.push_back(trace->events().duration(out.instances[group.firstInstance + i]).v);
        if (!poll.tick(0) || !summariseGroup(group, durations, job))
            return cancelledError();
        std::int64_t& all = ofDevice[group.device];
        all = saturatingAdd(all, group.totalNs);
    }
    for (KernelGroup& group : found.groups)
        if (const std::int64_t all = ofDevice[group.device]; all > 0)
            group.share = static_cast<double>(group.totalNs) / static_cast<double>(all);
    const StringPool& strings = trace->strings();
    std::sort(found.groups.begin(), found.groups.end(), [&](const KernelGroup& a, const KernelGroup& b) {
        if (a.totalNs != b.totalNs)
            return a.totalNs > b.totalNs;
        return std::tuple(a.device, strings.view(a.name), a.config) <
               std::tuple(b.device, strings.view(b.name), b.config);
    });
    out.groups = std::move(found.groups);
    out.trace = std::move(trace);
    out.configs = std::move(configs);
    return out;
}

} // namespace lacuna
