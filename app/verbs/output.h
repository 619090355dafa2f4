#pragma once
#include <cstddef>

namespace lacuna {
class FileSink;
class Trace;
} // namespace lacuna

namespace lacuna::ui {

// Flushes what a verb wrote to standard output. Returns the exit code of the verb: 5 with a message when it
// could not be written (none for a pipe that its reader closed), 4 with a message for a partly read trace, 0.
int finishOutput(FileSink& out, const Trace& trace);

// Columns for tables: those of the terminal, between 80 and 160; 120 when standard output is none.
std::size_t terminalWidth();

} // namespace lacuna::ui
