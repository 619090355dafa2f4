#pragma once
// Every threshold of the findings and of the steps, in one table: key, default, unit, what it decides and
// where it comes from. A settings file, `--set`, and the window change values here and nowhere else.
//
// The thresholds of gap attribution are GapThresholds (core/analysis/gap_analysis.h).

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lacuna {

enum class Threshold : std::uint8_t {
    GapShare,
    LongWaitNs,
    CopiesPerStep,
    OverlapShare,
    StreamShare,
    DominatingShare,
    TinyKernelNs,
    TinyKernelShare,
    LimiterShare,
    ComputeShare,
    LaunchShare,
    InputRatio,
    ClassShare,
    ConversionsPerStep,
    ConversionShare,
    WaitCostLowNs,
    WaitCostHighNs,
    RangesPerStep,
    ShortRangeNs,
    WideRangeShare,
    WarmUpFactor,
    UnusualFactor,
    DriftShare,
    DriftFit,
    DriftLaunches,
    MemoryGrowth,
    PatternShare,
    ModeShare,
};
inline constexpr std::size_t kThresholds = static_cast<std::size_t>(Threshold::ModeShare) + 1;

enum class ThresholdUnit : std::uint8_t { Share, Ns, Count, Factor };

struct ThresholdInfo {
    Threshold id;
    std::string_view key; // stable: "dominating_kernel.share"
    double standard;      // the default
    ThresholdUnit unit;
    std::string_view meaning; // one line, for people
    std::string_view source;  // of the default: an item of the requirements, or "judgement"
};
std::span<const ThresholdInfo> thresholdTable(); // in the order of Threshold
std::string_view unitTitle(ThresholdUnit unit);  // "share", "time", "count", "factor"

class Thresholds {
public:
    Thresholds();
    double operator[](Threshold which) const { return m_values[static_cast<std::size_t>(which)]; }
    std::int64_t ns(Threshold which) const { return static_cast<std::int64_t>((*this)[which]); }
    bool isDefault(Threshold which) const;
    // Error: Unsupported for values below 0 and for shares above 1.
    Status set(Threshold which, double value);
    // "50%" or "0.5" for shares, "10us" or a number of ns for times, else a number. Error: Unsupported, with
    // a detail for people, when there is no such key or the text is no such value.
    Status set(std::string_view key, std::string_view text);
    // As set() takes it: "50%", "10us", "3".
    std::string text(Threshold which) const;
    friend bool operator==(const Thresholds&, const Thresholds&) = default;

private:
    std::array<double, kThresholds> m_values{};
};

// A value as Thresholds::text() writes it.
std::string thresholdText(ThresholdUnit unit, double value);

} // namespace lacuna
