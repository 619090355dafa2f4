#include "core/ncu/ncu_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna {

namespace {

bool sameMetricValue(const NcuMetric& a, const NcuMetric& b) {
    return a.text == b.text && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

void sortMetrics(NcuFile& file, NcuKernel& kernel) {
    auto& metrics = kernel.metrics;
    std::stable_sort(metrics.begin(), metrics.end(),
                     [](const NcuMetric& a, const NcuMetric& b) { return a.name < b.name; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        if (kept > 0 && metrics[kept - 1].name == metrics[i].name) {
            if (!sameMetricValue(metrics[kept - 1], metrics[i]))
                file.report.note("repeated_metric",
                                 "A metric of a kernel occurs with different values; the first is used.", {},
                                 Severity::Warning);
            continue;
        }
        metrics[kept++] = metrics[i];
    }
    metrics.resize(kept);
    metrics.shrink_to_fit();
}

template <class T>
std::optional<T> wholeMetric(const NcuFile& file, const NcuKernel& kernel, std::string_view name) {
    const auto value = file.value(kernel, name);
    if (!value || !(*value >= 0) || *value > 9.0e15 ||
        *value > static_cast<double>(std::numeric_limits<T>::max()))
        return std::nullopt;
    return static_cast<T>(std::llround(*value));
}

Dim3 dimMetric(const NcuFile& file, const NcuKernel& kernel, std::string_view stem, std::string_view flat) {
    const auto part = [&](const char* axis) {
        return wholeMetric<std::uint32_t>(file, kernel, std::string(stem) + axis);
    };
    if (const auto x = part("x"), y = part("y"), z = part("z"); x && y && z)
        return {*x, *y, *z};
    if (const auto all = wholeMetric<std::uint32_t>(file, kernel, flat))
        return {*all, 1, 1};
    return {};
}

void fillConfig(const NcuFile& file, NcuKernel& kernel) {
    LaunchConfig& config = kernel.config;
    if (!config.grid.isKnown())
        config.grid = dimMetric(file, kernel, "launch__grid_dim_", "launch__grid_size");
    if (!config.block.isKnown())
        config.block = dimMetric(file, kernel, "launch__block_dim_", "launch__block_size");
    config.registersPerThread = wholeMetric<std::uint32_t>(file, kernel, "launch__registers_per_thread");
    config.staticSharedBytes =
        wholeMetric<std::uint64_t>(file, kernel, "launch__shared_mem_per_block_static");
    config.dynamicSharedBytes =
        wholeMetric<std::uint64_t>(file, kernel, "launch__shared_mem_per_block_dynamic");
    if (!kernel.device)
        kernel.device = wholeMetric<std::int64_t>(file, kernel, "launch__device_id");
}

} // namespace

std::string_view ncuFormatName(NcuFormat format) {
    switch (format) {
    case NcuFormat::RawCsv:
        return "ncu-raw-csv";
    case NcuFormat::DetailsCsv:
        return "ncu-details-csv";
    case NcuFormat::SummaryCsv:
        return "ncu-summary-csv";
    case NcuFormat::Report:
        return "ncu-rep";
    }
    return "ncu-rep";
}

const NcuMetric* NcuFile::find(const NcuKernel& kernel, std::string_view metric) const {
    const auto id = strings.find(metric);
    if (!id)
        return nullptr;
    const auto at = std::lower_bound(kernel.metrics.begin(), kernel.metrics.end(), *id,
                                     [](const NcuMetric& m, StringId name) { return m.name < name; });
    return at != kernel.metrics.end() && at->name == *id ? &*at : nullptr;
}

std::optional<double> NcuFile::value(const NcuKernel& kernel, std::string_view metric) const {
    const NcuMetric* const found = find(kernel, metric);
    if (found == nullptr || found->text || !std::isfinite(found->value))
        return std::nullopt;
    return found->value;
}

std::optional<double> NcuFile::firstValue(const NcuKernel& kernel,
                                          std::span<const std::string_view> metrics) const {
    for (const std::string_view name : metrics)
        if (const auto found = value(kernel, name))
            return found;
    return std::nullopt;
}

void finishNcuFile(NcuFile& file) {
    double passes = 1;
    for (NcuKernel& kernel : file.kernels) {
        sortMetrics(file, kernel);
        fillConfig(file, kernel);
        passes = std::max(passes, file.value(kernel, "profiler__replayer_passes").value_or(1));
    }
    if (passes > 1 && passes < 1e6)
        file.report.note("several_passes",
                         "Kernels were replayed in up to " + std::to_string(std::llround(passes)) +
                             " passes; metrics of different passes need not fit one another exactly.",
                         {});
}

} // namespace lacuna
