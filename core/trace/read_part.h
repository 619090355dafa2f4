#pragma once
// A load that was stopped before the end of its file (core/import/reading_stop.h): how far it came.

#include "core/base/time.h"
#include "core/trace/trace.h"

#include <optional>
#include <string_view>

namespace lacuna {

inline constexpr std::string_view kReadingStopped = "reading_stopped"; // code of the issue

// From the trace's start to the start of the row that was read last; none: the file was read to its end. Rows
// that are not read may begin earlier where a file does not have its rows in order. O(rows).
std::optional<DurationNs> readUntil(const Trace& trace);

} // namespace lacuna
