#pragma once
#include <cstddef>

namespace lacuna {
class FileSink;
class Trace;
} // namespace lacuna

namespace lacuna::ui {

// Flushes what was written to standard output. Returns 0, or 5 with a message when it could not be written
// (none for a pipe that its reader closed).
int finishOutput(FileSink& out);
// The same for the results of a verb: 4 with a message where the trace is only partly read.
int finishOutput(FileSink& out, const Trace& trace);

// Columns for tables: those of the terminal, between 80 and 160; 120 when standard output is none.
std::size_t terminalWidth();

} // namespace lacuna::ui
