#include "core/output/output_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

constexpr int kAttempts = 100; // names of temporary files that may be taken

Error notWritten(const std::string& reason, const std::string& remedy) {
    return {Errc::Io, reason, {}, remedy};
}

std::string remedyOf(int number) {
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return "Make the folder first, or name another one.";
    case EACCES:
    case EPERM:
    case EROFS:
        return "Name a folder in which you may write.";
    case ENOSPC:
    case EDQUOT:
        return "Free some space, or name a folder on another disk.";
    case EFBIG: // a limit of the shell, or a file system that takes no larger ones
        return "Raise the limit of file sizes (ulimit -f), or name a folder on another disk.";
    default:
        return "Name another file.";
    }
}

// Where a symbolic link leads: the link stays, the file behind it is replaced.
fs::path behindLinks(const fs::path& file) {
    std::error_code none;
    return fs::is_symlink(file, none) ? fs::weakly_canonical(file, none) : file;
}

} // namespace

FileCalls FileCalls::system() {
    return {[](int file, const void* bytes, std::size_t size) -> std::ptrdiff_t {
                return ::write(file, bytes, size);
            },
            [](int file) { return ::fsync(file); },
            [](const char* from, const char* to) { return ::rename(from, to); }};
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const fs::path& named, const Options& options) {
    const fs::path file = behindLinks(named);
    struct stat there {
    }, source{};
    const bool isThere = ::stat(file.c_str(), &there) == 0;
    if (isThere) {
        const bool isSource = ::stat(options.source.c_str(), &source) == 0 && source.st_dev == there.st_dev &&
                              source.st_ino == there.st_ino;
        if (isSource)
            return notWritten("This is the trace itself; a source is never changed.", "Name another file.");
        if (!S_ISREG(there.st_mode))
            return notWritten(S_ISDIR(there.st_mode) ? "This is a folder." : "This is no regular file.",
                              "Name a file.");
        if (!options.replace)
            return notWritten("The file exists.", "Name another file, or replace it with --force.");
    }
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const fs::path temporary = folder / ("." + file.filename().string() + "." +
                                             std::to_string(::getpid()) + "-" + std::to_string(attempt));
        const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            if (isThere) // who may read it stays as it was; where that cannot be, as for a new file
                (void)::fchmod(descriptor, there.st_mode & 07777);
            return std::unique_ptr<OutputFile>(new OutputFile(file, temporary, descriptor, options));
        }
        if (errno != EEXIST)
            break;
    }
    const int number = errno;
    return notWritten("The file could not be written: " + std::generic_category().message(number) + ".",
                      remedyOf(number));
}

OutputFile::OutputFile(fs::path file, fs::path temporary, int descriptor, const Options& options)
    : m_calls(options.calls), m_file(std::move(file)), m_temporary(std::move(temporary)),
      m_descriptor(descriptor), m_replace(options.replace) {
    if (options.compress)
        m_gzip = std::make_unique<GzipStream>();
}

OutputFile::~OutputFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void OutputFile::put(std::string_view bytes) {
    while (!bytes.empty() && m_errno == 0) {
        const std::ptrdiff_t done = m_calls.write(m_descriptor, bytes.data(), bytes.size());
        if (done >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(done));
        else if (errno != EINTR)
            m_errno = errno;
    }
}

void OutputFile::write(std::string_view text) {
    if (m_errno != 0)
        return;
    if (!m_gzip)
        return put(text);
    m_packed.clear();
    m_gzip->add(text, m_packed);
    put(m_packed);
}

Error OutputFile::error(std::string_view what, int number) const {
    return notWritten(std::string(what) + ": " + std::generic_category().message(number) + ".",
                      remedyOf(number));
}

Status OutputFile::commit() {
    if (m_gzip && m_errno == 0) {
        m_packed.clear();
        m_gzip->finish(m_packed);
        put(m_packed);
    }
    if (m_errno == 0 && m_calls.sync(m_descriptor) != 0 && errno != EINVAL)
        m_errno = errno;
    if (::close(std::exchange(m_descriptor, -1)) != 0 && m_errno == 0)
        m_errno = errno;
    if (m_errno != 0)
        return error("The file could not be written", m_errno);
    // link() refuses a name that was taken meanwhile; file systems without links must do with rename().
    if (!m_replace && ::link(m_temporary.c_str(), m_file.c_str()) == 0) {
        syncFolder();
        return ok(); // the destructor removes the temporary name
    }
    if (!m_replace && errno == EEXIST)
        return notWritten("The file exists.", "Name another file, or replace it with --force.");
    if (m_calls.rename(m_temporary.c_str(), m_file.c_str()) != 0)
        return error("The file could not be given its name", errno);
    m_temporary.clear();
    syncFolder();
    return ok();
}

// The name too is on the disk then. Where a folder cannot be synced the file is complete all the same.
void OutputFile::syncFolder() const {
    const fs::path folder = m_file.has_parent_path() ? m_file.parent_path() : fs::path(".");
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)m_calls.sync(descriptor);
    ::close(descriptor);
}

} // namespace lacuna
