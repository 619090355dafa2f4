#include "core/import/detail/standard_input.h"

#include "core/base/job_control.h"
#include "core/import/detail/spooled_bytes.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lacuna {

namespace {

constexpr int kWaitMs = 50; // between two looks at the job while nothing comes
constexpr std::size_t kPollBytes = std::size_t{1} << 20;

Error readError(int number) {
    return {Errc::Io,
            "Standard input could not be read: " + std::generic_category().message(number) + ".",
            {},
            "Start the command before the pipe again."};
}

} // namespace

class PipeStream final : public ByteStream {
public:
    explicit PipeStream(int descriptor) : m_descriptor(descriptor) {}
    ~PipeStream() override { ::close(m_descriptor); }
    PipeStream(const PipeStream&) = delete;
    PipeStream& operator=(const PipeStream&) = delete;

    void watch(const JobControl* job) { m_job = job; }

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        for (;;) {
            pollfd file{m_descriptor, POLLIN, 0};
            const int ready = ::poll(&file, 1, kWaitMs);
            if (ready == 0 || m_sincePoll >= kPollBytes) {
                m_sincePoll = 0;
                if (m_job != nullptr && m_job->cancelled())
                    return cancelledError();
            }
            if (ready == 0 || (ready < 0 && errno == EINTR))
                continue;
            const ssize_t got = ::read(m_descriptor, buffer.data(), buffer.size());
            if (got >= 0) {
                m_sincePoll += static_cast<std::size_t>(got);
                return static_cast<std::size_t>(got);
            }
            if (errno != EINTR && errno != EAGAIN)
                return readError(errno);
        }
    }

private:
    int m_descriptor;
    const JobControl* m_job = nullptr;
    std::size_t m_sincePoll = 0; // bytes
};

StandardInput::StandardInput(int descriptor, std::uint64_t spoolLimit) {
    auto pipe = std::make_unique<PipeStream>(descriptor);
    m_pipe = pipe.get();
    m_bytes = std::make_unique<SpooledBytes>(std::move(pipe), SpooledBytes::Reopen(), spoolLimit);
}

StandardInput::~StandardInput() = default;

Result<std::size_t> StandardInput::readAt(std::uint64_t offset, std::span<std::byte> buffer,
                                          const JobControl* job) const {
    const std::scoped_lock lock(m_mutex);
    m_pipe->watch(job);
    auto got = m_bytes->readAt(offset, buffer);
    m_pipe->watch(nullptr);
    return got;
}

Result<std::uint64_t> StandardInput::sizeAtEnd(const JobControl* job) const {
    const std::scoped_lock lock(m_mutex);
    m_pipe->watch(job);
    auto size = m_bytes->sizeAtEnd();
    m_pipe->watch(nullptr);
    return size;
}

std::uint64_t StandardInput::size() const {
    return m_bytes->size();
}

// Standard input exists once in a process and is read once, hence the only state of its kind in core.
Result<std::shared_ptr<const StandardInput>> standardInput() {
    static std::mutex mutex;
    static std::shared_ptr<const StandardInput> input;
    const std::scoped_lock lock(mutex);
    if (input)
        return input;
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0)
        return Error{Errc::Io, "Standard input is closed.", {}, "Pipe a trace into it, or name a file."};
    if (S_ISDIR(status.st_mode))
        return Error{
            Errc::Unsupported, "Standard input is a folder.", {}, "Pipe a trace into it, or name a file."};
    if (::isatty(STDIN_FILENO) == 1)
        return Error{Errc::Unsupported,
                     "Standard input is a terminal.",
                     {},
                     "Pipe a trace into it (cat FILE | lacuna ...), or name a file."};
    const int descriptor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0)
        return readError(errno);
    input = std::make_shared<const StandardInput>(descriptor);
    return input;
}

} // namespace lacuna
