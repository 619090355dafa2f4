#pragma once
// What every verb does with its FILE: load it with a progress line, tell on standard error what went wrong,
// and map that to an exit code. FILE may be "-", standard input.

#include "core/base/result.h"
#include "core/import/load_trace.h"
#include "core/import/read_as.h"

#include <string>
#include <string_view>
#include <utility>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

// FILE and --member, as given, and how to read it.
struct Input {
    Input() = default;
    Input(std::string path) : file(std::move(path)) {} // a verb that takes no member

    std::string file;
    std::string member; // of an archive; empty: its only trace
    ReadAs readAs{};    // as a workspace has it
};

// "lacuna: FILE: what was found (place)" and a line with the remedy, on standard error.
void printError(std::string_view file, const Error& error);
// Prints the error (nothing when the job was interrupted) and returns the exit code for it.
int reportInputError(const Input& input, const Error& error);
// Exit code of a verb that printed its results: 4 with a message where the trace is only partly read, else 0.
int exitCodeOf(const Trace& trace);

// From the index cache where it has the file.
Result<LoadedTrace> loadInput(const Input& input, JobControl& job);
// With importers of one's own; never from the cache.
Result<LoadedTrace> loadInput(const Input& input, const ImporterList& importers, JobControl& job);
// To be called once the verb has printed its result: keeps an input that is worth it for the next time.
void storeInput(JobControl& job);
// SHA-256 of the bytes as stored, for verbs that print it.
Result<std::string> hashInput(const Input& input, JobControl& job);

} // namespace lacuna::ui
