#include "app/verbs/output.h"

#include "app/verbs/input.h"
#include "app/verbs/verb.h"
#include "core/output/text_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lacuna::ui {

int finishOutput(FileSink& out) {
    const int error = out.finish();
    if (error == 0)
        return kExitDone;
    if (error != EPIPE)
        std::fprintf(stderr, "lacuna: standard output could not be written: %s\n", std::strerror(error));
    return kExitNotWritten;
}

int finishOutput(FileSink& out, const Trace& trace) {
    const int written = finishOutput(out);
    return written == kExitDone ? exitCodeOf(trace) : written;
}

std::size_t terminalWidth() {
    winsize size{};
    if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 120;
    return std::clamp<std::size_t>(size.ws_col, 80, 160);
}

} // namespace lacuna::ui
