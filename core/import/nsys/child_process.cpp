#include "core/import/nsys/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: POSIX

namespace lacuna::nsys {

namespace {

constexpr int kPollMs = 25;
constexpr std::size_t kKeptOutput = std::size_t{4} << 10;

class Pipe {
public:
    Pipe() {
        if (::pipe2(m_ends.data(), O_CLOEXEC) != 0)
            m_ends = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        closeEnd(0);
        closeEnd(1);
    }
    bool isOpen() const { return m_ends[0] >= 0; }
    int end(std::size_t which) const { return m_ends[which]; }
    void closeEnd(std::size_t which) {
        if (m_ends[which] >= 0)
            ::close(m_ends[which]);
        m_ends[which] = -1;
    }

private:
    std::array<int, 2> m_ends{-1, -1};
};

int spawn(const std::vector<std::string>& arguments, int output, pid_t& child) {
    std::vector<std::string> own(arguments);
    std::vector<char*> list;
    list.reserve(own.size() + 1);
    for (std::string& argument : own)
        list.push_back(argument.data());
    list.push_back(nullptr);
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = ::posix_spawn(&child, list[0], &files, &attributes, list.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// Waits a moment for output and takes what is there. A grandchild may keep the pipe open for ever, so its end
// says nothing about the child.
void readOutput(Pipe& pipe, std::string& kept) {
    pollfd waiting{pipe.end(0), POLLIN, 0};
    if (::poll(&waiting, 1, kPollMs) <= 0 || waiting.fd < 0)
        return;
    std::array<char, 4096> bytes{};
    const ssize_t got = ::read(pipe.end(0), bytes.data(), bytes.size());
    if (got > 0)
        kept.append(bytes.data(), static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
        pipe.closeEnd(0);
    if (kept.size() > kKeptOutput)
        kept.erase(0, kept.size() - kKeptOutput);
}

} // namespace

Result<ChildEnd> runChild(const std::vector<std::string>& arguments, const std::function<bool()>& keepGoing) {
    Pipe pipe;
    pid_t child = 0;
    const int error = pipe.isOpen() ? spawn(arguments, pipe.end(1), child) : errno;
    if (error != 0)
        return Error{Errc::Io, std::string("The program cannot be started: ") + std::strerror(error) + ".",
                     arguments[0], "Check that it is installed and may be run."};
    pipe.closeEnd(1);
    ChildEnd end;
    int status = 0;
    while (true) {
        const pid_t gone = ::waitpid(child, &status, WNOHANG);
        if (gone == child || (gone < 0 && errno != EINTR))
            break;
        if (!keepGoing()) {
            end.wasStopped = true;
            ::kill(-child, SIGKILL);
            while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            break;
        }
        readOutput(pipe, end.lastOutput);
    }
    for (pollfd left{pipe.end(0), POLLIN, 0}; pipe.end(0) >= 0 && ::poll(&left, 1, 0) > 0;)
        readOutput(pipe, end.lastOutput);
    ::kill(-child, SIGKILL); // helpers that it left behind
    end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return end;
}

} // namespace lacuna::nsys
