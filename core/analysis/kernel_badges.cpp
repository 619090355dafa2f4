#include "core/analysis/kernel_badges.h"

#include "core/base/ascii.h"

#include <algorithm>

namespace lacuna {

GraphUse graphUseOf(const Trace& trace, std::span<const EventId> instances) {
    GraphUse use;
    std::vector<EventId> calls;
    for (const EventId kernel : instances) {
        const auto call = trace.correlations().launchOf(trace.events(), kernel);
        if (!call || trace.nameOf(*call).find("GraphLaunch") == std::string_view::npos)
            continue;
        ++use.kernels;
        calls.push_back(*call);
    }
    std::sort(calls.begin(), calls.end());
    use.replays = static_cast<std::uint64_t>(std::unique(calls.begin(), calls.end()) - calls.begin());
    return use;
}

std::string_view fusedPart(std::string_view name) {
    constexpr std::string_view kFused = "_fused_";
    const std::size_t at = name.find(kFused);
    if (!name.starts_with("triton_") || at == std::string_view::npos)
        return {};
    std::string_view part = name.substr(at + kFused.size());
    while (!part.empty() && isDigit(part.back()))
        part.remove_suffix(1);
    while (!part.empty() && part.back() == '_')
        part.remove_suffix(1);
    return part;
}

std::string attentionBadge(std::string_view operatorName) {
    const auto has = [&](std::string_view word) { return operatorName.find(word) != std::string_view::npos; };
    if (!has("_scaled_dot_product_"))
        return {};
    const AttentionBackend backend = has("flash")       ? AttentionBackend::Flash
                                     : has("efficient") ? AttentionBackend::MemoryEfficient
                                     : has("cudnn")     ? AttentionBackend::Cudnn
                                                        : AttentionBackend::Other;
    if (backend == AttentionBackend::Other)
        return has("_math") ? "math attention" : std::string();
    return std::string(attentionBackendName(backend)) + " attention";
}

std::vector<std::string> kernelBadges(const KernelClass& kind, std::string_view name,
                                      const GraphUse& graphs) {
    std::vector<std::string> badges;
    if (kind.attention != AttentionBackend::None && kind.attention != AttentionBackend::Other)
        badges.push_back(std::string(attentionBackendName(kind.attention)) + " attention");
    if (kind.origin == KernelOrigin::Triton)
        badges.emplace_back("compiled");
    if (const std::string_view fused = fusedPart(name); !fused.empty())
        badges.push_back("fused: " + std::string(fused));
    if (graphs.replays > 0) {
        const std::uint64_t each = graphs.kernels / graphs.replays;
        std::string badge = "CUDA graph: ";
        if (graphs.kernels == each * graphs.replays)
            badge += std::to_string(each) + " in each of " + std::to_string(graphs.replays) + " replays";
        else
            badge += std::to_string(graphs.kernels) + " in " + std::to_string(graphs.replays) + " replays";
        badges.push_back(std::move(badge));
    }
    return badges;
}

} // namespace lacuna
