#pragma once
// What convert and trim share: read FILE, write OUT whole or not at all.

#include "app/verbs/input.h"
#include "core/base/time.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

struct TraceOutput {
    Input input;
    std::string output;
    bool replace = false;
};

// FILE, -o OUT and --force.
void declareTraceOutput(CLI::App& options, TraceOutput& to);
// Returns an exit code; 5 when OUT could not be written, and then nothing of it is left.
int writeTrace(const TraceOutput& to, std::optional<TimeRange> cut, JobControl& job);

} // namespace lacuna::ui
