#pragma once
// What must be equal in a trace and in its conversion or cut: rows with times, kind, name, lane and launch;
// counters; flows. Neither side's order of lanes, processes and groups matters.

#include "core/base/time.h"
#include "core/trace/trace.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace lacuna::test {

// Empty: equal; else the first difference. With a cut: the rows of `original` that touch it.
QString roundTripDifference(const Trace& original, const Trace& again, std::optional<TimeRange> cut);
// Writes the file as Chrome JSON, opens that again and compares. `text`, when given, receives what was
// written.
QString roundTripOf(const std::filesystem::path& file, std::optional<TimeRange> cut,
                    std::string* text = nullptr);
// A range in the middle of the rows of the file, a tenth of its window.
std::optional<TimeRange> middleOf(const std::filesystem::path& file);
// The rules for arrows that were written for a trace without flows of its own: every start has its end, both
// within a row of their thread. Empty: they hold; `arrows` counts them.
QString brokenArrow(const std::string& text, int& arrows);

} // namespace lacuna::test
