#pragma once
// The command line without a verb: what --help lists first.

#include "app/run_window.h"

namespace CLI {
class App;
} // namespace CLI

namespace lacuna::ui {

struct ProgramOptions {
    bool version = false;
    WindowOptions window;
};

void declareProgram(CLI::App& app, ProgramOptions& options);

} // namespace lacuna::ui
