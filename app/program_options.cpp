#include "app/program_options.h"

#include "app/verbs/options.h"

#include <CLI/CLI.hpp>

namespace lacuna::ui {

void declareProgram(CLI::App& app, ProgramOptions& options) {
    app.add_flag("--version", options.version, "Print version, libraries and features");
    app.add_option("FILE", options.window.files, "Trace to open in the window; - reads standard input")
        ->type_name("");
    declareMember(app, options.window.member);
    app.add_option("--goto", options.window.goTo, "First view: 12.5ms, 12ms..15ms, step:3, gap:1")
        ->type_name("PLACE")
        ->check([](const std::string& text) {
            return isGoTo(text) ? std::string() : "'" + text + "' is no time, range, step:N or gap:N";
        });
    app.add_option("--workspace", options.window.workspace, "View and callouts of a .lacuna file or picture")
        ->type_name("FILE");
    app.add_flag("--new-window", options.window.newWindow, "Do not use the window that is open already");
}

} // namespace lacuna::ui
