#include "core/import/launch_configs.h"

#include "core/import/arg_columns.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

namespace lacuna {

namespace {

enum ConfigColumn : std::size_t {
    GridX,
    GridY,
    GridZ,
    BlockX,
    BlockY,
    BlockZ,
    Registers,
    StaticShared,
    DynamicShared,
    AllShared,
    Local,
    OccupancyEstimate
};
constexpr std::array<std::string_view, 12> kConfigColumns{"gridX",
                                                          "gridY",
                                                          "gridZ",
                                                          "blockX",
                                                          "blockY",
                                                          "blockZ",
                                                          "registersPerThread",
                                                          "staticSharedMemory",
                                                          "dynamicSharedMemory",
                                                          "sharedMemory",
                                                          "localMemoryPerThread",
                                                          "estimatedOccupancy"};

template <class T> std::optional<T> within(std::optional<std::int64_t> value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (!value || *value < 0 || static_cast<std::uint64_t>(*value) > kMost)
        return std::nullopt;
    return static_cast<T>(*value);
}

// valueOf(column): what the row has there.
template <class ValueOf> LaunchConfig configOf(const ValueOf& valueOf) {
    const auto side = [&](ConfigColumn column) { return within<std::uint32_t>(valueOf(column)).value_or(0); };
    LaunchConfig config;
    config.grid = {side(GridX), side(GridY), side(GridZ)};
    config.block = {side(BlockX), side(BlockY), side(BlockZ)};
    config.registersPerThread = within<std::uint32_t>(valueOf(Registers));
    config.sharedBytes = within<std::uint64_t>(valueOf(AllShared));
    if (!config.sharedBytes) { // else the other two are unknown
        config.staticSharedBytes = within<std::uint64_t>(valueOf(StaticShared));
        config.dynamicSharedBytes = within<std::uint64_t>(valueOf(DynamicShared));
    }
    config.localBytesPerThread = within<std::uint64_t>(valueOf(Local));
    constexpr double kPartsOfPercent = 1e4;
    if (const auto parts = valueOf(OccupancyEstimate))
        config.reportedOccupancyPct = static_cast<double>(*parts) / kPartsOfPercent;
    return config;
}

Result<std::vector<EventId>> kernelsOf(const Trace& trace, RowPoll& poll) {
    std::vector<EventId> kernels;
    const EventTable& events = trace.events();
    for (const Strip& strip : trace.strips()) {
        if (trace.lane(strip.lane).kind != LaneKind::GpuStream)
            continue;
        for (EventId e = strip.first; e < strip.last; ++e.v) {
            if (!poll.tick())
                return cancelledError();
            if (events.kind[e.v] == EventKind::Kernel)
                kernels.push_back(e);
        }
    }
    return kernels; // by event
}

} // namespace

std::uint32_t LaunchConfigs::numberOf(EventId kernel) const {
    const auto at = std::lower_bound(m_kernels.begin(), m_kernels.end(), kernel,
                                     [](const auto& entry, EventId e) { return entry.first < e; });
    return at != m_kernels.end() && at->first == kernel ? at->second : kUnknown;
}

LaunchConfig launchConfigOf(const EventDetails& details) {
    return configOf([&](ConfigColumn column) { return argOf(details, kConfigColumns[column]); });
}

class LaunchConfigReader {
public:
    static Result<LaunchConfigs> read(const std::vector<EventId>& kernels, const ArgColumns& columns,
                                      RowPoll& poll) {
        LaunchConfigs configs;
        std::map<LaunchConfig, std::uint32_t> numbers{{LaunchConfig{}, LaunchConfigs::kUnknown}};
        configs.m_kernels.reserve(kernels.size());
        for (std::size_t k = 0; k < kernels.size(); ++k) {
            if (!poll.tick())
                return cancelledError();
            const LaunchConfig config =
                configOf([&](ConfigColumn column) { return columns.value(k, column); });
            const auto [at, isNew] =
                numbers.try_emplace(config, static_cast<std::uint32_t>(configs.m_configs.size()));
            if (isNew)
                configs.m_configs.push_back(config);
            configs.m_kernels.emplace_back(kernels[k], at->second);
        }
        return configs;
    }
};

Result<LaunchConfigs> readLaunchConfigs(const Trace& trace, DetailReader* details, JobControl& job) {
    RowPoll poll(job);
    const auto kernels = kernelsOf(trace, poll);
    if (!kernels)
        return kernels.error();
    if (kernels->empty())
        return LaunchConfigs{};
    const auto columns = details == nullptr ? Error{Errc::Io, "the file cannot be read again", {}, {}}
                                            : ArgColumns::read(trace, details, *kernels, kConfigColumns, job);
    if (columns)
        return LaunchConfigReader::read(*kernels, *columns, poll);
    if (columns.error().code == Errc::Cancelled)
        return columns.error();
    LaunchConfigs unknown;
    unknown.remark = "Launch configurations are not known: " + columns.error().detail;
    return unknown;
}

} // namespace lacuna
