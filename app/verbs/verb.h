#pragma once
// A verb of the command line: `lacuna NAME ...`. A new verb is one file in this folder and one line in
// builtin.cpp. Results go to standard output, messages and progress to standard error.

#include <memory>
#include <vector>

namespace CLI {
class App;
}

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

// Exit codes, stable: scripts rely on them.
enum ExitCode : int {
    kExitDone = 0,
    kExitFound = 1,      // check: something is missing or wrong
    kExitUsage = 2,      // wrong usage
    kExitUnreadable = 3, // input unreadable or not a trace
    kExitPartly = 4,     // a part of the file could not be reached; results are of the rest
    kExitNotWritten = 5, // output not written
    kExitInterrupted = 130,
};

class Verb {
public:
    virtual ~Verb() = default;
    virtual const char* name() const = 0;
    virtual const char* summary() const = 0; // one line of --help
    // Declares the verb's options; they are bound to members, which hold the values when run() is called.
    virtual void declare(CLI::App& options) = 0;
    // Returns an exit code. The job is cancelled by SIGINT and SIGTERM.
    virtual int run(JobControl& job) = 0;
};

using VerbList = std::vector<std::unique_ptr<Verb>>;

} // namespace lacuna::ui
