#pragma once
// Entry of the graphical program: makes the QApplication, shows the window and runs its event loop.

#include <string>
#include <vector>

namespace lacuna::ui {

// Where the view goes after the first file is open: a time on the trace's axis, a range, a step or a gap.
// Text as on the command line: "12.5ms", "12ms..15ms", "step:3", "gap:1". The caller has checked the form
// with isGoTo(); a step or gap that the trace does not have leaves the first view and says so in the status
// bar.
struct WindowOptions {
    std::vector<std::string> files; // each in a tab; empty shows the start page; "-": standard input
    std::string member;             // of an archive that holds several traces; empty: the window asks
    std::string goTo;               // empty: the first view
    bool newWindow = false;         // not in the window that runs already
    std::string workspace; // of the first file, or a picture that holds a view; it may find its trace itself
};

// True for the four forms above.
bool isGoTo(const std::string& text);

// Returns the exit code of the process: 0, 3 when no display is available, 130 after a signal (notes are kept
// for the next start). argc and argv as for QApplication.
int runWindow(int& argc, char** argv, const WindowOptions& options);

} // namespace lacuna::ui
