#include "core/import/detail/spool_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders() {
    std::vector<fs::path> found;
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    if (const std::string folder = variable("TMPDIR"); !folder.empty())
        found.emplace_back(folder);
    if (const std::string folder = variable("XDG_CACHE_HOME"); folder.starts_with('/'))
        found.push_back(fs::path(folder) / "lacuna");
    else if (const std::string home = variable("HOME"); !home.empty())
        found.push_back(fs::path(home) / ".cache" / "lacuna");
    found.emplace_back("/var/tmp"); // /tmp is memory on many systems
    found.emplace_back("/tmp");
    return found;
}

int openNameless(const fs::path& folder) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return nameless;
    std::string pattern = (folder / "lacuna-XXXXXX").string(); // for file systems without O_TMPFILE
    const int named = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (named >= 0)
        ::unlink(pattern.c_str());
    return named;
}

} // namespace

SpoolFile::~SpoolFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool SpoolFile::open() {
    for (const fs::path& folder : folders()) {
        m_descriptor = openNameless(folder);
        if (m_descriptor < 0)
            continue;
        struct statvfs disk {};
        if (m_limit == kHalfOfFree && ::fstatvfs(m_descriptor, &disk) == 0)
            m_limit = std::uint64_t{disk.f_bavail} * disk.f_frsize / 2;
        return true;
    }
    return false;
}

bool SpoolFile::append(std::span<const std::byte> bytes) {
    if (m_isFull)
        return false;
    m_isFull = true; // until all is written
    if (m_limit == 0 || (m_descriptor < 0 && !open()) || bytes.size() > m_limit - m_size)
        return false;
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = ::pwrite(m_descriptor, bytes.data() + done, bytes.size() - done,
                                         static_cast<off_t>(m_size + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += static_cast<std::size_t>(written);
    }
    m_size += bytes.size();
    m_isFull = false;
    return true;
}

Result<std::size_t> SpoolFile::readAt(std::uint64_t offset, std::span<std::byte> buffer) const {
    const std::uint64_t left = offset < m_size ? m_size - offset : 0;
    buffer = buffer.first(std::min<std::uint64_t>(buffer.size(), left));
    std::size_t done = 0;
    while (done < buffer.size()) {
        const ssize_t got = ::pread(m_descriptor, buffer.data() + done, buffer.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Error{Errc::Io,
                         "The temporary copy of the unpacked trace could not be read.",
                         {},
                         "Check the disk of the temporary folder (TMPDIR), then open the trace again."};
        done += static_cast<std::size_t>(got);
    }
    return done;
}

} // namespace lacuna
