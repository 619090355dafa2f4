#pragma once
// From the words of the command line to a verb or to the window. Verbs run before any QApplication exists, so
// they need no display (render and bench make an offscreen one by themselves).

namespace lacuna::ui {

// Runs what the command line asks for; returns the exit code of the process (app/verbs/verb.h).
int runCommandLine(int argc, char** argv);

} // namespace lacuna::ui
