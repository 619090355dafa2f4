#include "core/import/detail/stored_bytes.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lacuna {

namespace {

Error ioError(const std::string& what, int number) {
    const std::string reason = std::generic_category().message(number);
    Error error{Errc::Io, what + ": " + reason + ".", {}, "Check the path and the disk, then open it again."};
    if (number == ENOENT)
        error.remedy = "Check the spelling of the path.";
    if (number == ELOOP)
        error.remedy = "The links lead in a circle: open the file that they should lead to.";
    if (number == EACCES || number == EPERM)
        error.remedy = "Give yourself permission to read it (chmod u+r), then open it again.";
    return error;
}

class StoredFile final : public StoredBytes {
public:
    explicit StoredFile(int descriptor) : m_descriptor(descriptor) { ::fstat(descriptor, &m_opened); }
    ~StoredFile() override { ::close(m_descriptor); }
    StoredFile(const StoredFile&) = delete;
    StoredFile& operator=(const StoredFile&) = delete;

    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const override {
        std::size_t done = 0;
        while (done < buffer.size()) {
            const ssize_t got = ::pread(m_descriptor, buffer.data() + done, buffer.size() - done,
                                        static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0) {
                Error error = ioError("The file could not be read", errno);
                error.place = "byte " + std::to_string(offset + done);
                return error;
            }
            if (got == 0) {
                m_isShort = m_isShort || offset + done < size();
                break;
            }
            done += static_cast<std::size_t>(got);
        }
        return done;
    }
    std::uint64_t size() const override { return static_cast<std::uint64_t>(m_opened.st_size); }
    std::string damage() const override {
        return m_isShort ? "the file became shorter while it was read" : std::string();
    }
    bool isCut() const override { return m_isShort; }
    bool hasChanged() const override {
        struct stat now {};
        return ::fstat(m_descriptor, &now) == 0 &&
               (now.st_size != m_opened.st_size || now.st_mtim.tv_sec != m_opened.st_mtim.tv_sec ||
                now.st_mtim.tv_nsec != m_opened.st_mtim.tv_nsec);
    }

private:
    int m_descriptor;
    struct stat m_opened {};
    mutable std::atomic<bool> m_isShort{false};
};

class StoredMemory final : public StoredBytes {
public:
    explicit StoredMemory(std::string text) : m_text(std::move(text)) {}
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const override {
        if (offset >= m_text.size())
            return std::size_t{0};
        const auto at = static_cast<std::size_t>(offset);
        const std::size_t count = std::min(buffer.size(), m_text.size() - at);
        if (count != 0)
            std::memcpy(buffer.data(), m_text.data() + at, count);
        return count;
    }
    std::uint64_t size() const override { return m_text.size(); }

private:
    std::string m_text;
};

} // namespace

Result<std::unique_ptr<StoredBytes>> openStoredFile(const std::filesystem::path& file) {
    struct stat status {};
    // Looked at before it is opened: opening a device may do something. O_NONBLOCK is for a pipe that takes
    // the file's place in between; it changes nothing for files.
    if (::stat(file.c_str(), &status) != 0)
        return ioError("The file could not be opened", errno);
    if (S_ISDIR(status.st_mode))
        return Error{
            Errc::Unsupported, "This is a folder, not a trace file.", {}, "Open one trace file in it."};
    if (S_ISFIFO(status.st_mode))
        return Error{Errc::Unsupported,
                     "This is a pipe, not a regular file.",
                     {},
                     "Read it as standard input: lacuna summary - < PIPE"};
    if (!S_ISREG(status.st_mode))
        return Error{Errc::Unsupported,
                     S_ISSOCK(status.st_mode) ? "This is a socket, not a regular file."
                                              : "This is a device, not a regular file.",
                     {},
                     "Save the trace to a file, then open that."};
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return ioError("The file could not be opened", errno);
    return std::unique_ptr<StoredBytes>(std::make_unique<StoredFile>(descriptor));
}

std::unique_ptr<StoredBytes> storedMemory(std::string text) {
    return std::make_unique<StoredMemory>(std::move(text));
}

} // namespace lacuna
