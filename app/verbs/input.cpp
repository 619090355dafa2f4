#include "app/verbs/input.h"

#include "app/verbs/progress_line.h"
#include "app/verbs/verb.h"
#include "core/base/job_control.h"
#include "core/cache/cached_load_as.h"
#include "core/cache/index_cache.h"
#include "core/import/byte_source.h"

#include <algorithm>
#include <cstdio>

namespace lacuna::ui {

namespace {

// What the verb has loaded and the cache has not, until the verb has printed its result.
CachedLoad& unstoredInput() {
    static CachedLoad loaded;
    return loaded;
}

} // namespace

void printError(std::string_view file, const Error& error) {
    const std::string name = shownName(file);
    std::string text = "lacuna: ";
    text.append(isStandardInput(file) ? name : std::string(file)).append(": ").append(error.detail);
    // The loader's places begin with the file's name, which is there already.
    std::string_view place = error.place;
    if (place.starts_with(name))
        place.remove_prefix(
            std::min(place.size(), place.starts_with(name + ", ") ? name.size() + 2 : name.size()));
    if (!place.empty())
        text.append(" (").append(place).append(")");
    text += '\n';
    if (!error.remedy.empty())
        text.append("  ").append(error.remedy).append("\n");
    std::fputs(text.c_str(), stderr);
}

int reportInputError(const Input& input, const Error& error) {
    if (error.code == Errc::Cancelled)
        return kExitInterrupted;
    printError(input.file, error);
    return kExitUnreadable;
}

int exitCodeOf(const Trace& trace) {
    const ImportReport& report = trace.report();
    if (!report.isPartial())
        return kExitDone;
    std::string reasons;
    for (const Issue& issue : report.issues())
        if (issue.severity == Severity::Error)
            reasons.append("  ").append(issue.message).append("\n");
    std::fprintf(stderr, "lacuna: %s: only a part of the file could be read; results are of that part\n%s",
                 trace.facts().fileName.c_str(), reasons.c_str());
    return kExitPartly;
}

Result<LoadedTrace> loadInput(const Input& input, JobControl& job) {
    const ProgressLine progress(shownName(input.file), job);
    LoadOptions options;
    options.member = input.member;
    options.cacheFolder = defaultCacheFolder();
    auto loaded = loadCachedAs(input.file, input.readAs, job, options);
    if (!loaded)
        return loaded.error();
    if (loaded->toStore != nullptr)
        unstoredInput() = *loaded;
    return LoadedTrace(*std::move(loaded));
}

void storeInput(JobControl& job) {
    storeIndex(unstoredInput(), job);
    unstoredInput() = {};
}

Result<LoadedTrace> loadInput(const Input& input, const ImporterList& importers, JobControl& job) {
    const ProgressLine progress(shownName(input.file), job);
    LoadOptions options;
    options.member = input.member;
    return loadTrace(input.file, importers, job, options);
}

Result<std::string> hashInput(const Input& input, JobControl& job) {
    return sha256OfFile(input.file, job);
}

} // namespace lacuna::ui
