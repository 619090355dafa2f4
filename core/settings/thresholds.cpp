#include "core/settings/thresholds.h"

#include "core/base/text_format.h"
#include "core/settings/number_text.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

using enum ThresholdUnit;
using T = Threshold;

constexpr std::string_view kJudgement = "judgement";

constexpr std::array<ThresholdInfo, kThresholds> kTable{{
    {T::GapShare, "gaps.share", 0.05, Share, "Gaps: idle share of the time looked at", kJudgement},
    {T::LongWaitNs, "long_waits.length", 100e3, Ns, "Long waits: a wait of at least this", kJudgement},
    {T::CopiesPerStep, "copies.per_step", 1, Count, "Copies in the loop: copies per step", "D13"},
    {T::OverlapShare, "streams.overlap", 0.01, Share,
     "Serialised streams: overlap below this share of the smaller stream", "D14"},
    {T::StreamShare, "streams.share", 0.05, Share,
     "Serialised streams: a stream counts with this share of the busy time", kJudgement},
    {T::DominatingShare, "dominating_kernel.share", 0.5, Share,
     "Dominating kernel: share of the time of all kernels", "B19"},
    {T::TinyKernelNs, "tiny_kernels.length", 10e3, Ns, "Many tiny kernels: tiny is shorter than this", "D16"},
    {T::TinyKernelShare, "tiny_kernels.share", 0.5, Share, "Many tiny kernels: share of all kernels",
     kJudgement},
    {T::LimiterShare, "limiter.share", 0.5, Share,
     "Limiter: one that is not compute holds at least this share", kJudgement},
    {T::ComputeShare, "limiter.compute_share", 0.8, Share,
     "Limiter: compute-bound from this share on, since nothing else is left to win", kJudgement},
    {T::LaunchShare, "launch_bound.share", 0.25, Share,
     "Launch-bound: share of the time lost to late launches", kJudgement},
    {T::InputRatio, "input_bound.ratio", 0.2, Share,
     "Input-bound: data time above this share of the iteration", "A10"},
    {T::ClassShare, "kernel_class.share", 0.3, Share,
     "Elementwise, copy or reduce kernels: share of the time of all kernels", kJudgement},
    {T::ConversionsPerStep, "conversions.per_step", 10, Count,
     "Layout and dtype conversions: operators per step, or in all without steps", kJudgement},
    {T::ConversionShare, "conversions.share", 0.05, Share,
     "Layout and dtype conversions: share of the device time", kJudgement},
    {T::WaitCostLowNs, "wait_cost.low", 10e3, Ns, "Usual cost of one synchronisation, at least", "A05"},
    {T::WaitCostHighNs, "wait_cost.high", 50e3, Ns, "Usual cost of one synchronisation, at most", "A05"},
    {T::RangesPerStep, "annotation.ranges_per_step", 1000, Count,
     "Annotation health: more ranges than this per step", "A21"},
    {T::ShortRangeNs, "annotation.short_range", 5e3, Ns,
     "Annotation health: the median range is shorter than this", "A21"},
    {T::WideRangeShare, "annotation.wide_range", 0.95, Share,
     "Annotation health: a range without others in it covers more than this of the trace", "C45"},
    {T::WarmUpFactor, "steps.warm_up_factor", 1.5, Factor,
     "Leading steps of this times the median are warm-up", kJudgement},
    {T::UnusualFactor, "steps.unusual_factor", 3, Factor, "Later steps of this times the median are unusual",
     "C46"},
    {T::DriftShare, "drift.share", 0.1, Share, "Drift: change of a kernel's time from first to last launch",
     "B17"},
    {T::DriftFit, "drift.fit", 0.5, Share, "Drift: share of the variance that a straight line explains",
     kJudgement},
    {T::DriftLaunches, "drift.launches", 20, Count, "Drift: launches of one kernel in one shape", kJudgement},
    {T::MemoryGrowth, "memory.growth", 0.05, Share, "Memory: growth of the level between steps", kJudgement},
    {T::PatternShare, "candidate_steps.share", 0.8, Share,
     "Candidate steps: share of the repeats that are alike", kJudgement},
    {T::ModeShare, "modes.share", 0.1, Share, "Modes of a distribution: share of the values in one",
     kJudgement},
}};

constexpr bool isInOrder() {
    for (std::size_t i = 0; i < kTable.size(); ++i)
        if (static_cast<std::size_t>(kTable[i].id) != i)
            return false;
    return true;
}
static_assert(isInOrder());

Error misused(std::string detail) {
    return {Errc::Unsupported, std::move(detail), {}, {}};
}

std::optional<double> parseValue(ThresholdUnit unit, std::string_view text) {
    if (unit == Ns) {
        const auto time = parseTime(text);
        return time ? std::optional(static_cast<double>(*time)) : std::nullopt;
    }
    if (unit == Share && text.ends_with('%')) {
        const auto percent = parseNumber(trimmed(text.substr(0, text.size() - 1)));
        return percent ? std::optional(*percent / 100) : std::nullopt;
    }
    return parseNumber(text);
}

std::string_view exampleOf(ThresholdUnit unit) {
    switch (unit) {
    case Share:
        return "a share such as 50% or 0.5";
    case Ns:
        return "a time such as 10us";
    case Count:
    case Factor:
        break;
    }
    return "a number";
}

} // namespace

std::span<const ThresholdInfo> thresholdTable() {
    return kTable;
}

std::string_view unitTitle(ThresholdUnit unit) {
    switch (unit) {
    case Share:
        return "share";
    case Ns:
        return "time";
    case Count:
        return "count";
    case Factor:
        break;
    }
    return "factor";
}

Thresholds::Thresholds() {
    for (std::size_t i = 0; i < kThresholds; ++i)
        m_values[i] = kTable[i].standard;
}

bool Thresholds::isDefault(Threshold which) const {
    return (*this)[which] == kTable[static_cast<std::size_t>(which)].standard;
}

Status Thresholds::set(Threshold which, double value) {
    const ThresholdInfo& info = kTable[static_cast<std::size_t>(which)];
    constexpr double kMost = 9e18; // fits a number of ns
    if (!std::isfinite(value) || value < 0 || value > kMost || (info.unit == Share && value > 1))
        return misused(std::string(info.key) + " cannot be " + numberText(value) + "; it is " +
                       std::string(exampleOf(info.unit)));
    m_values[static_cast<std::size_t>(which)] = value;
    return ok();
}

Status Thresholds::set(std::string_view key, std::string_view text) {
    const auto at = std::find_if(kTable.begin(), kTable.end(),
                                 [key](const ThresholdInfo& info) { return info.key == key; });
    if (at == kTable.end())
        return misused("there is no setting '" + std::string(key) + "'");
    const auto value = parseValue(at->unit, trimmed(text));
    if (!value)
        return misused("'" + std::string(text) + "' is no value of " + std::string(key) + "; it is " +
                       std::string(exampleOf(at->unit)));
    return set(at->id, *value);
}

std::string Thresholds::text(Threshold which) const {
    return thresholdText(kTable[static_cast<std::size_t>(which)].unit, (*this)[which]);
}

std::string thresholdText(ThresholdUnit unit, double value) {
    if (unit == Share) // 0.07 * 100 is 7.000000000000001
        return numberText(std::round(value * 1e8) / 1e6) + "%";
    if (unit != Ns)
        return numberText(value);
    const auto ns = static_cast<std::int64_t>(value);
    constexpr std::int64_t kUs = 1'000, kMs = 1'000'000, kSecond = 1'000'000'000;
    if (ns != 0 && ns % kSecond == 0)
        return std::to_string(ns / kSecond) + "s";
    if (ns != 0 && ns % kMs == 0)
        return std::to_string(ns / kMs) + "ms";
    if (ns != 0 && ns % kUs == 0)
        return std::to_string(ns / kUs) + "us";
    return std::to_string(ns);
}

} // namespace lacuna
