// Loads a trace once, without analysis, and prints what it holds: the smallest program around the loader, for
// instruction counts and for memory. With a second argument: the number of threads it may use.

#include "core/base/job_control.h"
#include "core/import/load_trace.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: %s FILE [THREADS]\n", argv[0]);
        return 2;
    }
    lacuna::LoadOptions options;
    if (argc == 3)
        options.threads = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    lacuna::JobControl job;
    const auto loaded = lacuna::loadTrace(argv[1], lacuna::builtinImporters(), job, options);
    if (!loaded) {
        std::fprintf(stderr, "%s\n", loaded.error().detail.c_str());
        return 3;
    }
    const lacuna::Trace& trace = *loaded->trace;
    std::printf("%llu rows, %zu events, %zu lanes, %zu strips, %zu names\n",
                static_cast<unsigned long long>(trace.report().rowsRead()), trace.events().size(),
                trace.lanes().size(), trace.strips().size(), trace.strings().size());
    return 0;
}
