#pragma once
// Numbers for people: "1.240 ms", "3.1 GiB", "12 345 678" (thin spaces). English, independent of the locale;
// widgets and figures use the same functions, so a number reads the same everywhere.

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

enum class TimeUnit : std::uint8_t { Ns, Us, Ms, S };

// Automatic unit with four significant digits: "412 ns", "1.240 ms", "-3.500 us" uses the micro sign.
std::string formatDuration(DurationNs d);
// Fixed unit and decimals, thousands grouped by thin spaces: formatIn({2490986}, TimeUnit::Us, 3) = "2
// 490.986".
std::string formatIn(DurationNs d, TimeUnit unit, int decimals);
std::string_view unitName(TimeUnit unit);
// Largest unit in which |d| is at least 1.
TimeUnit unitFor(DurationNs d);
// All digits, thin spaces, unit ns: "2 490 986 ns".
std::string formatExact(DurationNs d);
std::string formatBytes(std::uint64_t bytes); // binary: "16.0 MiB"
std::string formatCount(std::uint64_t count); // thin spaces: "1 284 553"
std::string formatPercent(double share);      // 0.691 -> "69.1 %"
// Bytes per ns are GB/s: "55.2 GB/s"; empty when the duration is zero.
std::string formatRate(std::uint64_t bytes, DurationNs d);

// "1.2ms", "350us", "17" (ns), "2s", "-3ms"; also the micro sign. None when it is not a time or overflows.
std::optional<std::int64_t> parseTime(std::string_view text);
// "A..B" with the above on both sides and A < B.
std::optional<TimeRange> parseRange(std::string_view text);

// Shortens in the middle to at most maxChars code points: "void at::nat…kernel".
std::string elideMiddle(std::string_view text, std::size_t maxChars);

} // namespace lacuna
