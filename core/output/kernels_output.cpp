#include "core/output/kernels_output.h"

#include "core/ncu/ncu_command.h"

#include <utility>

namespace lacuna {

KernelsReport reportKernels(std::optional<KernelGroups> timeline, std::shared_ptr<const NcuFile> ncu) {
    KernelsReport report;
    report.timeline = std::move(timeline);
    report.ncu = std::move(ncu);
    std::vector<NcuJoin> joins;
    if (report.ncu != nullptr) {
        report.diagnoses.reserve(report.ncu->kernels.size());
        for (const NcuKernel& kernel : report.ncu->kernels)
            report.diagnoses.push_back(diagnose(*report.ncu, kernel));
        joins.resize(report.ncu->kernels.size());
        if (report.timeline)
            joins = joinKernels(*report.ncu, *report.timeline);
    }
    const std::size_t groups = report.timeline ? report.timeline->groups.size() : 0;
    std::vector<std::vector<std::size_t>> launchesOf(groups);
    for (std::size_t k = 0; k < joins.size(); ++k)
        if (joins[k].group)
            launchesOf[*joins[k].group].push_back(k);
    for (std::size_t g = 0; g < groups; ++g) {
        if (launchesOf[g].empty())
            report.rows.push_back({g, std::nullopt, {}});
        for (const std::size_t k : launchesOf[g])
            report.rows.push_back({g, k, joins[k]});
    }
    for (std::size_t k = 0; k < joins.size(); ++k)
        if (!joins[k].group)
            report.rows.push_back({std::nullopt, k, joins[k]});
    return report;
}

std::string_view rowName(const KernelsReport& report, const KernelRow& row) {
    return row.group ? report.timeline->nameOf(report.timeline->groups[*row.group])
                     : report.ncu->nameOf(report.ncu->kernels[*row.launch]);
}

const LaunchConfig& rowConfig(const KernelsReport& report, const KernelRow& row) {
    return row.launch ? report.ncu->kernels[*row.launch].config
                      : report.timeline->configOf(report.timeline->groups[*row.group]);
}

std::string rowCommand(const KernelsReport& report, const KernelRow& row) {
    if (row.launch)
        return {};
    return ncuCommand(rowName(report, row), NcuCollection::Full,
                      report.timeline->groups[*row.group].launchesBefore);
}

std::optional<Occupancy> rowOccupancy(const KernelsReport& report, const KernelRow& row) {
    if (!row.group)
        return std::nullopt;
    const KernelGroup& group = report.timeline->groups[*row.group];
    const LaunchConfig& config = report.timeline->configOf(group);
    const auto gpu = knownGpu(report.timeline->trace->devices()[group.device.v].name);
    const std::uint64_t threads = config.block.count();
    if (!gpu || !config.block.isKnown() || threads > static_cast<std::uint64_t>(gpu->maxThreadsPerBlock) ||
        !config.registersPerThread || *config.registersPerThread > 255 || !config.allSharedBytes())
        return std::nullopt;
    // Only the sum of static and dynamic shared memory limits anything.
    return theoreticalOccupancy(*gpu,
                                {static_cast<int>(threads), static_cast<int>(*config.registersPerThread), 0,
                                 *config.allSharedBytes()});
}

std::vector<std::string> remarksOf(const KernelsReport& report) {
    std::vector<std::string> remarks;
    if (report.timeline && !report.timeline->configs.remark.empty())
        remarks.push_back(report.timeline->configs.remark);
    if (report.ncu == nullptr)
        return remarks;
    if (std::string missing = missingNumbers(*report.ncu); !missing.empty())
        remarks.push_back(std::move(missing));
    for (const Issue& issue : report.ncu->report.issues())
        if (issue.severity != Severity::Info)
            remarks.push_back(issue.message);
    return remarks;
}

} // namespace lacuna
