#include "app/command_line.h"

#include "app/program_options.h"
#include "app/run_window.h"
#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/interrupt_watch.h"
#include "app/verbs/output.h"
#include "core/base/job_control.h"
#include "core/ncu/occupancy.h"
#include "core/output/library_versions.h"
#include "core/output/text_sink.h"

#include <QtGlobal>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr std::size_t kOptionColumn = 26; // so that every line of --help fits into 80 columns

std::string versionText() {
    std::string text = "lacuna " LACUNA_VERSION "\nQt ";
    text.append(qVersion()).append("\n");
    for (const auto& [library, version] : libraryVersions())
        text.append(library).append(" ").append(version).append("\n");
    return text + "occupancy: " + occupancySource() + "\n";
}

std::string verbsText(const VerbList& verbs) {
    std::string text = "Verbs (no display needed; `lacuna VERB --help` lists the options):\n";
    for (const auto& verb : verbs) {
        std::string line = std::string("  ") + verb->name();
        line.resize(std::max(line.size() + 1, kOptionColumn), ' ');
        text.append(line).append(verb->summary()).append("\n");
    }
    return text + "\nExit codes: 0 done, 1 check found something, 2 wrong usage, 3 input\n"
                  "unreadable or not a trace, 4 partly read, 5 output not written,\n"
                  "130 interrupted.";
}

// Levenshtein distance; words of a command line are short.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

int unknownWord(const char* word, const VerbList& verbs) {
    const auto nearest = std::min_element(verbs.begin(), verbs.end(), [word](const auto& a, const auto& b) {
        return editDistance(word, a->name()) < editDistance(word, b->name());
    });
    std::fprintf(stderr,
                 "lacuna: '%s' is neither a verb nor an existing file; did you mean '%s'?\n"
                 "  `lacuna --help` lists the verbs.\n",
                 word, (*nearest)->name());
    return kExitUsage;
}

int printText(const std::string& text) {
    FileSink out(stdout);
    out.write(text);
    return finishOutput(out);
}

// Prints help to standard output, usage errors to standard error. `name` is that of the program or verb.
int finishParse(const CLI::App& app, const CLI::ParseError& error, const std::string& name) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return printText(app.help());
    }
    std::fprintf(stderr, "%s: %s\n  `%s --help` lists the options.\n", name.c_str(), error.what(),
                 name.c_str());
    return kExitUsage;
}

int runVerb(Verb& verb, int argc, char** argv) {
    const std::string name = std::string("lacuna ") + verb.name();
    CLI::App app(verb.summary(), name);
    app.get_formatter()->column_width(kOptionColumn);
    verb.declare(app);
    try {
        app.parse(argc - 1, argv + 1); // argv[1] takes the place of the program's name
    } catch (const CLI::ParseError& error) {
        return finishParse(app, error, name);
    }
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is "output not written", not a silent death
    JobControl job;
    const InterruptWatch watch(job);
    const int code = verb.run(job);
    storeInput(job);
    return code;
}

int showWindow(const VerbList& verbs, int argc, char** argv) {
    CLI::App app("Lacuna shows where a GPU is idle in a CUDA trace, and why.", "lacuna");
    app.get_formatter()->column_width(kOptionColumn);
    app.footer(verbsText(verbs));
    ProgramOptions options;
    declareProgram(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finishParse(app, error, "lacuna");
    }
    if (options.version) {
        return printText(versionText());
    }
    return runWindow(argc, argv, options.window);
}

} // namespace

int runCommandLine(int argc, char** argv) {
    const VerbList verbs = builtinVerbs();
    const char* const first = argc > 1 ? argv[1] : "";
    for (const auto& verb : verbs)
        if (std::strcmp(verb->name(), first) == 0)
            return runVerb(*verb, argc, argv);
    std::error_code error;
    if (first[0] != '\0' && first[0] != '-' && !std::filesystem::exists(first, error))
        return unknownWord(first, verbs);
    return showWindow(verbs, argc, argv);
}

} // namespace lacuna::ui
