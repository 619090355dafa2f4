#pragma once
// What every verb does with its FILE: load it with a progress line, tell on standard error what went wrong,
// and map that to an exit code.

#include "core/base/result.h"
#include "core/import/load_trace.h"

#include <string>
#include <string_view>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

// "lacuna: FILE: what was found (place)" and a line with the remedy, on standard error.
void printError(std::string_view file, const Error& error);
// Prints the error (nothing when the job was interrupted) and returns the exit code for it.
int reportInputError(std::string_view file, const Error& error);
// Exit code of a verb that printed its results: 4 with a message where the trace is only partly read, else 0.
int exitCodeOf(const Trace& trace);

// From the index cache where it has the file.
Result<LoadedTrace> loadInput(const std::string& file, JobControl& job);
// To be called once the verb has printed its result: keeps an input that is worth it for the next time.
void storeInput(JobControl& job);
// SHA-256 of the bytes as stored, for verbs that print it.
Result<std::string> hashInput(const std::string& file, JobControl& job);

} // namespace lacuna::ui
