#include "app/verbs/write_trace.h"

#include "app/verbs/input.h"
#include "app/verbs/interrupt_watch.h"
#include "app/verbs/options.h"
#include "app/verbs/progress_line.h"
#include "app/verbs/verb.h"
#include "core/output/chrome_writer.h"
#include "core/output/output_file.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

namespace lacuna::ui {

namespace {

constexpr std::string_view kPacked = ".json.gz", kPlain = ".json";

int reportOutputError(const std::string& output, const Error& error) {
    printError(output, error);
    return kExitNotWritten;
}

} // namespace

void declareTraceOutput(CLI::App& options, TraceOutput& to) {
    declareInput(options, to.input);
    declareCache(options);
    options.add_option("-o", to.output, "Chrome trace to write: .json or .json.gz")
        ->type_name("OUT")
        ->required()
        ->check(CLI::Validator(
            [](const std::string& text) {
                return text.ends_with(kPacked) || text.ends_with(kPlain)
                           ? std::string()
                           : "'" + text + "' ends neither in .json nor in .json.gz";
            },
            ""));
    options.add_flag("--force", to.replace, "Replace OUT when it exists");
}

int writeTrace(const TraceOutput& to, std::optional<TimeRange> cut, JobControl& job) {
    OutputFile::Options how;
    how.source = to.input.file;
    how.replace = to.replace;
    how.compress = to.output.ends_with(kPacked);
    // First of all: a file that cannot be written is told before a large trace was read.
    if (std::error_code missing; std::filesystem::exists(to.input.file, missing))
        if (const auto tried = OutputFile::create(to.output, how); !tried)
            return reportOutputError(to.output, tried.error());
    const auto loaded = loadInput(to.input, job);
    if (!loaded)
        return reportInputError(to.input, loaded.error());
    auto sha256 = hashInput(to.input, job);
    if (!sha256)
        return reportInputError(to.input, sha256.error());
    auto out = OutputFile::create(to.output, how);
    if (!out)
        return reportOutputError(to.output, out.error());
    const UnfinishedOutput unfinished(to.output);

    const ProgressLine progress(std::filesystem::path(to.output).filename().string(), job);
    const auto written = writeChrome(*loaded, {*std::move(sha256), cut, to.input.member}, **out, job);
    if (!written)
        return reportInputError(to.input, written.error());
    if (const Status committed = (*out)->commit(); !committed)
        return reportOutputError(to.output, committed.error());
    if (cut && written->rows == 0)
        std::fprintf(stderr, "lacuna: %s: no row touches the range; %s holds names only\n",
                     to.input.file.c_str(), to.output.c_str());
    if (written->withoutDetails > 0)
        std::fprintf(stderr, "lacuna: %s: the details of %llu rows could not be read again\n",
                     to.input.file.c_str(), static_cast<unsigned long long>(written->withoutDetails));
    return exitCodeOf(*loaded->trace);
}

} // namespace lacuna::ui
