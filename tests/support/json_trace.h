#pragma once
// Loading of Chrome traces from text, and a canonical dump to compare two loads of the same events.

#include "core/import/load_trace.h"

#include <string>
#include <string_view>

namespace lacuna::test {

// The text with ' replaced by ": JSON that can be read inside C++.
std::string q(std::string_view text);

Result<LoadedTrace> loadText(std::string text, std::size_t chunk = 0,
                             std::string_view fileName = "trace.json");
// The same, for text that must load; a null trace (and a failure) otherwise.
std::shared_ptr<const Trace> jsonTrace(const std::string& text, std::size_t chunk = 0);

// {"traceEvents": [EVENTS]} and, in front of it, members of the root object.
std::string objectForm(std::string_view events, std::string_view members = {});

std::string gzipped(std::string_view text);

// Lanes with their rows (begin, end, kind, name, correlation id), counters, names, facts, counts and issues;
// no byte offsets.
std::string dumpTrace(const Trace& trace);

} // namespace lacuna::test
