#include "core/import/nsys/report_export.h"

#include "core/import/nsys/child_process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace lacuna::nsys {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShownOutput = 600; // of what nsys wrote, in a message
constexpr std::uint64_t kGrowth = 4;      // an export is several times as large as its report

bool isProgram(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value == nullptr ? std::string() : std::string(value);
}

// Numbers in names compare as numbers: 2025.10 is newer than 2025.9.
bool isOlder(const fs::path& a, const fs::path& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

std::vector<fs::path> subfolders(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().filename().string().starts_with(prefix))
            found.push_back(at->path());
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return isOlder(b, a); });
    return found;
}

std::optional<fs::path> inInstallFolders() {
    std::vector<fs::path> roots = subfolders("/opt/nvidia", "nsight-systems");
    for (const fs::path& other : subfolders("/usr/lib", "nsight-systems"))
        roots.push_back(other);
    for (const fs::path& other : subfolders("/usr/local", "cuda"))
        roots.push_back(other);
    for (const fs::path& root : roots) {
        std::vector<fs::path> folders = subfolders(root, ""); // one per version
        folders.insert(folders.begin(), root);
        for (const fs::path& folder : folders)
            for (const char* place : {"bin/nsys", "nsys", "target-linux-x64/nsys"})
                if (isProgram(folder / place))
                    return folder / place;
    }
    return std::nullopt;
}

std::uint64_t mix(std::uint64_t hash, std::string_view bytes) {
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash;
}

std::string hex(std::uint64_t value) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
    return digits.data();
}

std::uintmax_t sizeOf(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

bool isDatabase(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string magic(15, '\0');
    return in.read(magic.data(), 15) && magic == "SQLite format 3";
}

// The last lines of what nsys wrote, on one line.
std::string lastWords(const std::string& output) {
    std::string line;
    for (const char c : output)
        line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
               line.end());
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line.size() > kShownOutput ? "... " + line.substr(line.size() - kShownOutput) : line;
}

// A file that goes when nobody kept it.
class Partial {
public:
    explicit Partial(fs::path file) : m_file(std::move(file)) {}
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;
    ~Partial() {
        std::error_code ignored;
        for (const char* suffix : {"", "-journal", "-wal"})
            fs::remove(m_file.string() + suffix, ignored);
    }
    const fs::path& file() const { return m_file; }

private:
    fs::path m_file;
};

struct Exporter {
    const fs::path& report;
    const fs::path& program;
    std::uint64_t storedSize = 0;
    JobControl& job;
    std::uint64_t advanced = 0;

    // Runs nsys, whose last argument but one names what it writes.
    Status run(const std::vector<std::string>& arguments, const fs::path& output) {
        auto end = runChild(arguments, [&] {
            progress(sizeOf(output));
            return !job.cancelled();
        });
        if (!end)
            return end.error();
        if (end->wasStopped)
            return cancelledError();
        if (end->exitCode == 0 && sizeOf(output) > 0)
            return ok();
        const std::string words = lastWords(end->lastOutput);
        return Error{Errc::Unsupported,
                     "nsys could not export this report (exit code " + std::to_string(end->exitCode) +
                         (words.empty() ? std::string(").") : "): " + words),
                     {},
                     "Export it with the nsys version that recorded it, or a newer one (older ones cannot "
                     "read it): " +
                         program.string() + " --version tells which this is."};
    }

    // Nobody knows how large the export gets: the share comes ever closer to the half of the work.
    void progress(std::uintmax_t written) {
        const double expected = static_cast<double>(kGrowth) * static_cast<double>(storedSize) + 1.0;
        const double share = static_cast<double>(written) / (static_cast<double>(written) + expected);
        const auto done = static_cast<std::uint64_t>(share * static_cast<double>(storedSize) / 2);
        job.advance(done - std::min(done, advanced));
        advanced = std::max(advanced, done);
    }
};

struct KeptExport {
    fs::path path;
    std::uintmax_t bytes = 0;
    fs::file_time_type lastUse;
};

// Ours by their names: "<16 hex>-<16 hex>.sqlite" and, of processes that may have been killed, "partial-...".
// Nothing else in the folder is touched.
bool isExportName(std::string_view name) {
    constexpr std::size_t kDigits = 16, kLength = 2 * kDigits + 1;
    return name.size() == kLength + std::string_view(".sqlite").size() && name.ends_with(".sqlite") &&
           name[kDigits] == '-' &&
           name.substr(0, kLength).find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

void removeLeastUsed(const fs::path& folder, const fs::path& keep, std::uint64_t limit) {
    constexpr std::chrono::hours kUnfinished{24}; // after that nobody is writing it any more
    std::vector<KeptExport> exports;
    std::uintmax_t all = 0;
    std::error_code error, ignored;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const bool isOurs = isExportName(name) || name.starts_with("partial-");
        if (!isOurs || !at->is_regular_file(ignored) || at->is_symlink(ignored))
            continue;
        const KeptExport file{at->path(), sizeOf(at->path()), fs::last_write_time(at->path(), ignored)};
        if (isExportName(name)) {
            exports.push_back(file);
            all += file.bytes;
        } else if (fs::file_time_type::clock::now() - file.lastUse > kUnfinished) {
            fs::remove(file.path, ignored);
        }
    }
    std::sort(exports.begin(), exports.end(),
              [](const KeptExport& a, const KeptExport& b) { return a.lastUse < b.lastUse; });
    for (const KeptExport& file : exports) {
        if (all <= limit)
            return;
        if (file.path == keep)
            continue;
        fs::remove(file.path, ignored);
        all -= file.bytes;
    }
}

} // namespace

std::optional<fs::path> findNsys(const fs::path& asked) {
    const fs::path wanted = asked.empty() ? fs::path(variable("LACUNA_NSYS")) : asked;
    if (!wanted.empty())
        return isProgram(wanted) ? std::optional(wanted) : std::nullopt;
    const std::string path = variable("PATH");
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const fs::path folder = path.substr(at, end - at);
        if (folder.is_absolute() && isProgram(folder / "nsys")) // never from the folder we are in
            return folder / "nsys";
        at = end + 1;
    }
    return inInstallFolders();
}

fs::path exportFolder(const fs::path& cacheFolder) {
    if (!cacheFolder.empty())
        return cacheFolder / "nsys";
    if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute())
        return cache / "lacuna" / "nsys";
    return fs::path(variable("HOME")) / ".cache" / "lacuna" / "nsys";
}

// The name holds the place of the report and its state: exports of earlier states are found and removed.
Result<fs::path> exportPath(const fs::path& report, const fs::path& folder) {
    std::error_code error;
    const fs::path place = fs::canonical(report, error);
    struct stat state {};
    if (error || ::stat(place.c_str(), &state) != 0)
        return Error{Errc::Io, "The file cannot be opened.", report.filename().string(),
                     "Check that the file exists and can be read."};
    constexpr std::uint64_t kSeed = 0xcbf29ce484222325ull;
    const std::string identity = std::to_string(state.st_size) + "/" + std::to_string(state.st_mtim.tv_sec) +
                                 "." + std::to_string(state.st_mtim.tv_nsec) + "/" +
                                 std::to_string(state.st_dev) + "/" + std::to_string(state.st_ino);
    return folder / (hex(mix(kSeed, place.string())) + "-" + hex(mix(kSeed, identity)) + ".sqlite");
}

bool isRawCapture(std::string_view fileName) {
    std::string name(fileName);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.ends_with(".qdstrm");
}

Result<fs::path> exportReport(const fs::path& report, const fs::path& program, const fs::path& folder,
                              std::uint64_t storedSize, JobControl& job, std::uint64_t limit) {
    auto target = exportPath(report, folder);
    if (!target)
        return target;
    std::error_code error;
    if (isDatabase(*target)) {
        fs::last_write_time(*target, fs::file_time_type::clock::now(), error); // used now
        return target;
    }
    fs::create_directories(folder, error);
    if (error || ::access(folder.c_str(), W_OK) != 0)
        return Error{Errc::Io, "The exported report cannot be written into the cache folder.",
                     folder.string(), "Set XDG_CACHE_HOME to a folder that can be written."};
    static std::atomic<unsigned> number{0};
    const std::string own = "partial-" + std::to_string(::getpid()) + "-" + std::to_string(number++);
    const Partial partial(folder / (own + ".sqlite"));
    const Partial imported(folder / (own + ".nsys-rep"));
    const fs::path source = fs::canonical(report, error);
    Exporter exporter{report, program, storedSize, job};
    const bool isRaw = isRawCapture(report.filename().string());
    if (isRaw)
        if (const Status done =
                exporter.run({program.string(), "import", "-o", imported.file().string(), source.string()},
                             imported.file());
            !done)
            return done.error();
    if (const Status done =
            exporter.run({program.string(), "export", "--type", "sqlite", "--force-overwrite", "true", "-o",
                          partial.file().string(), isRaw ? imported.file().string() : source.string()},
                         partial.file());
        !done)
        return done.error();
    if (!isDatabase(partial.file()))
        return Error{Errc::Unsupported,
                     "nsys export wrote something that is no SQLite database.",
                     {},
                     "Check with: " + program.string() + " export --type sqlite"};
    const std::string place = target->filename().string().substr(0, 17); // earlier states of this report
    for (const fs::path& old : subfolders(folder, place))
        fs::remove(old, error);
    fs::rename(partial.file(), *target, error);
    if (error)
        return Error{Errc::Io,
                     "The exported report cannot be kept in the cache folder: " + error.message() + ".",
                     folder.string(), "Free some space there."};
    removeLeastUsed(folder, *target, limit);
    return target;
}

} // namespace lacuna::nsys
