#include "app/command_line.h"

#include <csignal>

int main(int argc, char** argv) {
    // Over a limit of file size (ulimit -f) a write fails, as on a full disk; it does not end the program.
    std::signal(SIGXFSZ, SIG_IGN);
    return lacuna::ui::runCommandLine(argc, argv);
}
