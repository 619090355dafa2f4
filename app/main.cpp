#include "app/command_line.h"

int main(int argc, char** argv) {
    return lacuna::ui::runCommandLine(argc, argv);
}
