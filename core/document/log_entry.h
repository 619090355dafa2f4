#pragma once
// The investigation log: what was observed in a trace, what it is thought to come from, what was changed and
// what was measured then. Entries that turned out wrong are rejected and stay.

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class LogState : std::uint8_t { Observed, Hypothesis, Changed, Remeasured, Rejected };
std::string_view logStateName(LogState state); // "re-measured"

struct LogEntry {
    std::string observed, hypothesis, changed;
    std::string measured; // after the change: a figure that somebody has typed; nothing else re-measures
    bool isRejected = false;
    std::string author, written;    // as in Callout
    std::optional<TimeRange> range; // what it is about
    std::string known; // as it stood in the workspace, for members that this version does not know
    // The furthest that is told.
    LogState state() const;
    friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

// A table in Markdown with all entries, rejected ones too, in their order.
std::string logMarkdown(const std::vector<LogEntry>& entries);

} // namespace lacuna
