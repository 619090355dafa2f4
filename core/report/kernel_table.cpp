// kernels: kernels by name and launch configuration, how equal their launches are, who launched them
// and how much of their time nothing else ran.

#include "core/report/kernel_table.h"

#include "core/analysis/device_overlap.h"
#include "core/analysis/duration_pattern.h"
#include "core/analysis/kernel_badges.h"
#include "core/analysis/kernel_callers.h"
#include "core/analysis/launch_delays.h"
#include "core/base/text_format.h"
#include "core/trace/row_poll.h"
#include "core/view/short_name.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kNamedCallers = 3;

std::string sidesText(const Dim3& sides) {
    return sides.isKnown()
               ? std::to_string(sides.x) + " x " + std::to_string(sides.y) + " x " + std::to_string(sides.z)
               : std::string();
}

// "aten::addmm 24, aten::mm 8, 2 more"; a name alone where it is the only one.
std::string callersText(const Trace& trace, const NameCounts& names) {
    if (names.size() == 1)
        return std::string(trace.strings().view(names.front().first));
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamedCallers); ++i)
        text.append(i == 0 ? "" : ", ")
            .append(trace.strings().view(names[i].first))
            .append(" ")
            .append(std::to_string(names[i].second));
    if (names.size() > kNamedCallers)
        text += ", " + std::to_string(names.size() - kNamedCallers) + " more";
    return text;
}

// "174.9 us x 27, 180.1 us x 5"; empty for one mode.
std::string modesText(const DurationPattern& pattern) {
    std::string text;
    if (pattern.isMultimodal())
        for (const DurationMode& mode : pattern.modes)
            text += (text.empty() ? "" : ", ") + formatDuration({mode.medianNs}) + " \u00d7 " +
                    std::to_string(mode.count);
    return text;
}

std::vector<ReportColumn> kernelColumns() {
    return {textColumn("Kernel"),
            textColumn("Family"),
            textColumn("Grid"),
            textColumn("Block"),
            integerColumn("Count"),
            nsColumn("Total (ns)"),
            decimalColumn("Share (%)", 1),
            nsColumn("Median (ns)"),
            nsColumn("P95 (ns)"),
            nsColumn("Min (ns)"),
            nsColumn("Max (ns)"),
            nsColumn("First Launch (ns)"),
            decimalColumn("Drift (%)", 1),
            textColumn("Modes"),
            nsColumn("Exposed (ns)"),
            nsColumn("Overlapped (ns)"),
            nsColumn("Launch Latency (ns)"),
            nsColumn("Queued (ns)"),
            textColumn("Operators"),
            textColumn("Ranges"),
            integerColumn("Registers"),
            integerColumn("Shared (B)"),
            decimalColumn("Occupancy as reported (%)", 1),
            textColumn("Badges"),
            integerColumn("Device"),
            textColumn("Name")};
}

class KernelTableMaker {
public:
    KernelTableMaker(const KernelGroups& kernels, const HostTree& tree, const DeviceOverlap& overlap)
        : m_kernels(kernels), m_trace(*kernels.trace), m_callers(m_trace, tree), m_overlap(overlap),
          m_table(kernelColumns()) {}

    Status add(const KernelBundle& bundle, JobControl& job) {
        const auto callers = m_callers.of(bundle.instances, job);
        if (!callers)
            return callers.error();
        const KernelGroup& group = m_kernels.groups[bundle.groups.front()];
        const bool isOne = bundle.groups.size() == 1;
        const DurationPattern pattern = patternOf(bundle, job);
        const LaunchDelays delays = launchDelays(m_trace, bundle.instances, job);
        const auto overlap = overlappedNs(bundle, job);
        if (!overlap || job.cancelled())
            return cancelledError();
        const std::int64_t overlapped = *overlap;
        ReportTable::Row row = m_table.addRow();
        row.about(longestOf(bundle)).text(labelOf(bundle)).text(familyName(group.kind.family));
        addShape(row, bundle);
        row.integer(static_cast<std::int64_t>(bundle.count)).ns(bundle.totalNs).decimal(100.0 * bundle.share);
        row.ns(bundle.medianNs).ns(bundle.p95Ns).ns(bundle.minNs).ns(bundle.maxNs);
        bundle.firstApart == 0 ? row.empty() : row.ns(bundle.firstApartNs);
        pattern.drift ? row.decimal(100.0 * *pattern.drift) : row.empty();
        row.text(modesText(pattern)).ns(bundle.totalNs - overlapped).ns(overlapped);
        addDelays(row, delays);
        row.text(callersText(m_trace, callers->operators)).text(callersText(m_trace, callers->ranges));
        addResources(row, isOne ? m_kernels.configOf(group) : LaunchConfig{});
        row.text(badgesText(bundle, *callers)).integer(m_trace.devices()[group.device.v].ordinal);
        row.text(sameName(bundle) ? m_kernels.nameOf(group) : std::string_view());
        return ok();
    }

    ReportTable take() { return std::move(m_table); }

private:
    bool sameName(const KernelBundle& bundle) const {
        const StringId name = m_kernels.groups[bundle.groups.front()].name;
        return std::all_of(bundle.groups.begin(), bundle.groups.end(),
                           [&](std::size_t g) { return m_kernels.groups[g].name == name; });
    }

    std::string labelOf(const KernelBundle& bundle) const {
        const KernelGroup& group = m_kernels.groups[bundle.groups.front()];
        std::string label = shortNames(m_kernels.nameOf(group), EventKind::Kernel).front();
        if (!sameName(bundle))
            label += " and " + std::to_string(bundle.groups.size() - 1) + " more";
        return label;
    }

    EventId longestOf(const KernelBundle& bundle) const {
        return *std::max_element(bundle.instances.begin(), bundle.instances.end(), [&](EventId a, EventId b) {
            return m_trace.events().duration(a) < m_trace.events().duration(b);
        });
    }

    // Without the first launch where it stands apart: it is told by itself.
    DurationPattern patternOf(const KernelBundle& bundle, const JobControl& job) const {
        std::set<EventId> apart;
        for (const std::size_t g : bundle.groups)
            if (m_kernels.groups[g].isFirstApart)
                apart.insert(m_kernels.instancesOf(m_kernels.groups[g]).front());
        std::vector<std::int64_t> durations;
        durations.reserve(bundle.instances.size());
        for (const EventId kernel : bundle.instances)
            if (!apart.contains(kernel))
                durations.push_back(m_trace.events().duration(kernel).v);
        return durationPattern(durations, job);
    }

    // None: cancelled.
    std::optional<std::int64_t> overlappedNs(const KernelBundle& bundle, const JobControl& job) const {
        RowPoll poll(job);
        std::int64_t ns = 0;
        for (const EventId kernel : bundle.instances) {
            if (!poll.tick())
                return std::nullopt;
            ns = saturatingAdd(ns, m_overlap.overlapped(kernel).v);
        }
        return ns;
    }

    static void addDelays(ReportTable::Row& row, const LaunchDelays& delays) {
        if (delays.known == 0)
            row.empty().empty();
        else
            row.ns(delays.latencyNs).ns(delays.queuedNs);
    }

    void addShape(ReportTable::Row& row, const KernelBundle& bundle) const {
        if (bundle.groups.size() == 1) {
            const LaunchConfig& config = m_kernels.configOf(m_kernels.groups[bundle.groups.front()]);
            row.text(sidesText(config.grid)).text(sidesText(config.block));
        } else {
            row.text(std::to_string(bundle.groups.size()) + " configurations").text("");
        }
    }

    static void addResources(ReportTable::Row& row, const LaunchConfig& config) {
        const auto shared = config.allSharedBytes();
        row.integer(config.registersPerThread ? std::optional<std::int64_t>(*config.registersPerThread)
                                              : std::nullopt);
        row.integer(shared ? std::optional(static_cast<std::int64_t>(*shared)) : std::nullopt);
        config.reportedOccupancyPct ? row.decimal(*config.reportedOccupancyPct) : row.empty();
    }

    // Each badge once; those of graphs over all launches together.
    std::string badgesText(const KernelBundle& bundle, const KernelCallers& callers) const {
        std::set<std::string> badges;
        for (const auto& [name, count] : callers.attention)
            badges.insert(attentionBadge(m_trace.strings().view(name)));
        for (const std::size_t g : bundle.groups)
            for (std::string& badge :
                 kernelBadges(m_kernels.groups[g].kind, m_kernels.nameOf(m_kernels.groups[g]), {}))
                badges.insert(std::move(badge));
        for (std::string& badge : kernelBadges({}, {}, graphUseOf(m_trace, bundle.instances)))
            badges.insert(std::move(badge));
        badges.erase(std::string());
        std::string text;
        for (const std::string& badge : badges)
            text.append(text.empty() ? "" : ", ").append(badge);
        return text;
    }

    const KernelGroups& m_kernels;
    const Trace& m_trace;
    CallerSums m_callers;
    const DeviceOverlap& m_overlap;
    ReportTable m_table;
};

} // namespace

Result<ReportTable> kernelTable(const KernelGroups& kernels, const std::vector<KernelBundle>& bundles,
                                JobControl& job) {
    const auto tree = HostTree::build(*kernels.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    const auto overlap = DeviceOverlap::of(*kernels.trace, job);
    if (!overlap)
        return overlap.error();
    KernelTableMaker maker(kernels, *tree, *overlap);
    for (const KernelBundle& bundle : bundles)
        if (const Status added = maker.add(bundle, job); !added)
            return added.error();
    ReportTable table = maker.take();
    if (!kernels.configs.remark.empty())
        table.addNote(kernels.configs.remark);
    table.addNote(
        table.rows() == 0
            ? "The trace has no kernels."
            : "Exposed: nothing else ran on the device. Latency and queue are medians. A first launch of ten "
              "times the median or more is "
              "told apart and left out of median, p95, drift and modes. Occupancy is the estimate of the "
              "trace's writer: 0 may be a limit of the capture.");
    return table;
}

namespace reports {

Result<ReportTable> kernelTotals(const ReportInput& input, JobControl& job) {
    // Not owned: all of it ends with this function.
    std::shared_ptr<const Trace> trace(std::shared_ptr<const Trace>(), &input.trace);
    auto configs = readLaunchConfigs(input.trace, input.details, job);
    if (!configs)
        return configs.error();
    auto kernels = groupKernels(std::move(trace), *std::move(configs), job, input.options.range);
    if (!kernels)
        return kernels.error();
    auto bundles = bundleKernels(*kernels, KernelGrouping::Configuration, job);
    if (!bundles)
        return bundles.error();
    if (input.options.device)
        std::erase_if(*bundles, [&](const KernelBundle& bundle) {
            const DeviceId device = kernels->groups[bundle.groups.front()].device;
            return input.trace.devices()[device.v].ordinal != *input.options.device;
        });
    return kernelTable(*kernels, *bundles, job);
}

} // namespace reports

} // namespace lacuna
