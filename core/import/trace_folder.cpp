#include "core/import/trace_folder.h"

#include "core/base/ascii.h"
#include "core/base/natural_order.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <tuple>

namespace lacuna {

namespace {

using Words = std::vector<std::string_view>;

bool isNumber(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), isDigit);
}

std::optional<std::int64_t> numberOf(std::string_view word) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (!isNumber(word) || error != std::errc() || end != word.data() + word.size())
        return std::nullopt;
    return number;
}

bool removeEnding(std::string_view& name, std::string_view ending) {
    if (name.size() <= ending.size() || !name.ends_with(ending))
        return false;
    name.remove_suffix(ending.size());
    return true;
}

// "Jul_15_10_52_41"
bool isDate(std::string_view part) {
    constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    return part.size() > 4 && part[3] == '_' && isDigit(part[4]) &&
           std::find(kMonths.begin(), kMonths.end(), part.substr(0, 3)) != kMonths.end();
}

// Takes "1694128201545" and dates off the end; the number is the time of writing.
std::int64_t takeStamp(std::string_view& stem) {
    std::int64_t stamp = 0;
    for (std::size_t dot = stem.rfind('.'); dot != std::string_view::npos && dot != 0;
         dot = stem.rfind('.')) {
        const std::string_view part = stem.substr(dot + 1);
        if (!isNumber(part) && !isDate(part))
            break;
        stamp = stamp == 0 ? numberOf(part).value_or(0) : stamp;
        stem = stem.substr(0, dot);
    }
    return stamp;
}

Words wordsOf(std::string_view stem) {
    Words words;
    for (std::size_t at = 0; at <= stem.size();) {
        const std::size_t end = std::min(stem.find_first_of("-_", at), stem.size());
        words.push_back(stem.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

// "step", "12" or "step12"; "trace-12" and "cycle3" alike. Takes them out of the words.
std::optional<std::int64_t> takeStep(Words& words) {
    for (const std::string_view word : {"step", "cycle", "iteration", "iter", "trace"})
        for (auto at = words.begin(); at != words.end(); ++at) {
            if (!at->starts_with(word))
                continue;
            const bool isGlued = at->size() > word.size();
            const auto number = isGlued || at + 1 == words.end() ? at : at + 1;
            if (const auto step = numberOf(isGlued ? at->substr(word.size()) : *number)) {
                words.erase(at, number + 1);
                return step;
            }
        }
    return std::nullopt;
}

// What is left of the name, without words that every trace has.
std::string workerOf(const Words& words) {
    std::string worker;
    for (const std::string_view word : words)
        if (!word.empty() && word != "trace" && word != "profile")
            worker.append(worker.empty() ? "" : "_").append(word);
    return worker;
}

void arrange(TraceFolder& folder, std::vector<FolderTrace> traces) {
    std::sort(traces.begin(), traces.end(), [](const FolderTrace& a, const FolderTrace& b) {
        if (a.name.worker != b.name.worker)
            return isNaturallyBefore(a.name.worker, b.name.worker);
        return std::tuple(a.name.step.value_or(INT64_MAX), a.name.stamp, a.relative) <
               std::tuple(b.name.step.value_or(INT64_MAX), b.name.stamp, b.relative);
    });
    for (FolderTrace& trace : traces) {
        if (folder.workers.empty() || folder.workers.back().name != trace.name.worker)
            folder.workers.push_back({trace.name.worker, {}});
        folder.workers.back().traces.push_back(std::move(trace));
    }
}

Error unreadableFolder(const std::filesystem::path& folder, const std::error_code& error) {
    return {Errc::Io, "The folder cannot be listed: " + error.message() + ".", folder.string(), {}};
}

} // namespace

std::optional<TraceFileName> parseTraceFileName(std::string_view relative) {
    const std::size_t slash = relative.rfind('/');
    const std::string_view above = slash == std::string_view::npos ? "" : relative.substr(0, slash);
    std::string_view stem = slash == std::string_view::npos ? relative : relative.substr(slash + 1);
    for (const std::string_view packed : {".gz", ".zst", ".xz"})
        if (removeEnding(stem, packed))
            break;
    if (!removeEnding(stem, ".pt.trace.json") && !removeEnding(stem, ".json") &&
        !removeEnding(stem, ".sqlite"))
        return std::nullopt;
    TraceFileName name;
    name.stamp = takeStamp(stem);
    Words words = wordsOf(stem);
    name.step = takeStep(words);
    name.worker = above;
    if (const std::string worker = workerOf(words); !worker.empty())
        name.worker.append(name.worker.empty() ? "" : "/").append(worker);
    return name;
}

std::size_t TraceFolder::traces() const {
    std::size_t count = 0;
    for (const FolderWorker& worker : workers)
        count += worker.traces.size();
    return count;
}

Result<TraceFolder> listTraceFolder(const std::filesystem::path& folder, JobControl& job) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    if (error)
        return unreadableFolder(folder, error);
    TraceFolder found;
    std::vector<FolderTrace> traces;
    for (std::size_t files = 0; at != fs::recursive_directory_iterator(); at.increment(error)) {
        if (error)
            return unreadableFolder(folder, error);
        if (job.cancelled())
            return cancelledError();
        if (at->is_directory(error)) {
            if (at.depth() > 0)
                at.disable_recursion_pending();
            continue;
        }
        if (++files > kMostFolderFiles)
            break;
        FolderTrace trace;
        trace.path = at->path();
        trace.relative = at->path().lexically_relative(folder).generic_string();
        auto name = parseTraceFileName(trace.relative);
        if (!name || !at->is_regular_file(error)) {
            ++found.otherFiles;
            continue;
        }
        trace.name = *std::move(name);
        if (const std::uintmax_t size = at->file_size(error); !error)
            trace.size = size;
        error.clear();
        traces.push_back(std::move(trace));
    }
    arrange(found, std::move(traces));
    return found;
}

} // namespace lacuna
