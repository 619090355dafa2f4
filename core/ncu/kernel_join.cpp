#include "core/ncu/kernel_join.h"

#include "core/trace/kernel_name.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace lacuna {

namespace {

struct LaunchKey {
    std::string function;
    Dim3 grid, block;
    friend auto operator<=>(const LaunchKey&, const LaunchKey&) = default;
};

// What the timeline has of one function and configuration.
struct TimelineLaunches {
    std::vector<std::size_t> groups;
    std::vector<std::pair<EventId, std::size_t>> inOrder; // launch, group; by start, filled when needed
    std::size_t taken = 0;                                // by launches of the profiler
};

class Joiner {
public:
    explicit Joiner(const KernelGroups& timeline) : m_timeline(timeline) {
        for (std::size_t g = 0; g < timeline.groups.size(); ++g) {
            const KernelGroup& group = timeline.groups[g];
            const LaunchConfig& config = timeline.configOf(group);
            const std::string function = kernelFunction(timeline.nameOf(group));
            m_byFunction[function].push_back(g);
            m_byLaunch[{function, config.grid, config.block}].groups.push_back(g);
            m_fullNames.push_back(comparableKernelName(timeline.nameOf(group)));
        }
        m_taken.resize(timeline.groups.size());
    }

    NcuJoin join(std::string_view name, const LaunchConfig& config) {
        const std::string function = kernelFunction(name), full = comparableKernelName(name);
        const auto launches = m_byLaunch.find({function, config.grid, config.block});
        if (config.grid.isKnown() && launches != m_byLaunch.end())
            return joinLaunch(launches->second, full);
        const auto named = m_byFunction.find(function);
        if (named == m_byFunction.end())
            return {};
        // Groups are in the order of their totals: the first of the same full name, else the first.
        const auto same = std::find_if(named->second.begin(), named->second.end(),
                                       [&](std::size_t g) { return m_fullNames[g] == full; });
        const std::size_t group = same != named->second.end() ? *same : named->second.front();
        const bool isKnown =
            config.grid.isKnown() && m_timeline.configOf(m_timeline.groups[group]).grid.isKnown();
        return {
            JoinCertainty::Possible, isKnown ? "name; the configurations differ" : "name only", group, {}};
    }

private:
    NcuJoin joinLaunch(TimelineLaunches& launches, const std::string& full) {
        std::vector<std::size_t> same;
        for (const std::size_t g : launches.groups)
            if (m_fullNames[g] == full)
                same.push_back(g);
        if (same.size() == 1)
            return {JoinCertainty::Certain, "name and configuration", same.front(), nextOf(same.front())};
        if (same.empty() && launches.groups.size() == 1)
            return {JoinCertainty::Likely, "function and configuration", launches.groups.front(),
                    nextOf(launches.groups.front())};
        // Several: the n-th launch of the profiler is the n-th of the timeline.
        fillOrder(launches);
        if (launches.taken >= launches.inOrder.size())
            return {JoinCertainty::Possible, "function and configuration", launches.groups.front(), {}};
        const auto [event, group] = launches.inOrder[launches.taken++];
        return {JoinCertainty::Possible, "function, configuration and order", group, event};
    }

    EventId nextOf(std::size_t group) {
        const auto instances = m_timeline.instancesOf(m_timeline.groups[group]);
        return m_taken[group] < instances.size() ? instances[m_taken[group]++] : EventId{};
    }

    void fillOrder(TimelineLaunches& launches) const {
        if (!launches.inOrder.empty())
            return;
        for (const std::size_t g : launches.groups)
            for (const EventId event : m_timeline.instancesOf(m_timeline.groups[g]))
                launches.inOrder.emplace_back(event, g);
        const auto& begin = m_timeline.trace->events().beginNs;
        std::sort(launches.inOrder.begin(), launches.inOrder.end(), [&begin](const auto& a, const auto& b) {
            return std::tuple(begin[a.first.v], a.first) < std::tuple(begin[b.first.v], b.first);
        });
    }

    const KernelGroups& m_timeline;
    std::map<std::string, std::vector<std::size_t>> m_byFunction;
    std::map<LaunchKey, TimelineLaunches> m_byLaunch;
    std::vector<std::string> m_fullNames; // beside the groups
    std::vector<std::size_t> m_taken;     // launches of a group that were joined
};

} // namespace

std::string_view joinCertaintyName(JoinCertainty certainty) {
    switch (certainty) {
    case JoinCertainty::None:
        return "none";
    case JoinCertainty::Possible:
        return "possible";
    case JoinCertainty::Likely:
        return "likely";
    case JoinCertainty::Certain:
        return "certain";
    }
    return "none";
}

std::vector<NcuJoin> joinKernels(const NcuFile& ncu, const KernelGroups& timeline) {
    Joiner joiner(timeline);
    std::vector<NcuJoin> joins;
    joins.reserve(ncu.kernels.size());
    for (const NcuKernel& kernel : ncu.kernels)
        joins.push_back(joiner.join(ncu.nameOf(kernel), kernel.config));
    return joins;
}

} // namespace lacuna
