#include "app/verbs/interrupt_watch.h"

#include "app/verbs/verb.h"
#include "core/base/job_control.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {

// What an interrupt removes; verbs write few files.
struct Outputs {
    std::mutex lock;
    std::vector<std::filesystem::path> files;
};
Outputs& unfinishedOutputs() {
    static Outputs outputs;
    return outputs;
}

// The temporary files of this process beside the file, as core/output/output_file.cpp names them.
void removeTemporaries(const std::filesystem::path& named) {
    std::error_code error;
    const bool isLink = std::filesystem::is_symlink(named, error);
    const std::filesystem::path file = isLink ? std::filesystem::weakly_canonical(named, error) : named;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const std::string start = "." + file.filename().string() + "." + std::to_string(getpid()) + "-";
    const std::filesystem::directory_iterator end;
    for (std::filesystem::directory_iterator at(folder, error); at != end; at.increment(error))
        if (at->path().filename().string().starts_with(start))
            unlink(at->path().c_str());
}

// Nothing is given back in order: the kernel does it faster.
[[noreturn]] void endNow() {
    // Held to the end, so that no file is begun meanwhile.
    const std::lock_guard hold(unfinishedOutputs().lock);
    for (const std::filesystem::path& file : unfinishedOutputs().files)
        removeTemporaries(file);
    if (isatty(STDERR_FILENO) == 1) { // the line of progress
        constexpr std::string_view kClear = "\r\033[K";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kClear.data(), kClear.size());
    }
    _exit(kExitInterrupted);
}

} // namespace

UnfinishedOutput::UnfinishedOutput(std::filesystem::path file) : m_file(std::move(file)) {
    const std::lock_guard hold(unfinishedOutputs().lock);
    unfinishedOutputs().files.push_back(m_file);
}

UnfinishedOutput::~UnfinishedOutput() {
    const std::lock_guard hold(unfinishedOutputs().lock);
    std::erase(unfinishedOutputs().files, m_file);
}

InterruptWatch::InterruptWatch(JobControl& job) {
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupts, &m_previous);
    m_signals = signalfd(-1, &interrupts, SFD_CLOEXEC);
    m_stop = eventfd(0, EFD_CLOEXEC);
    m_thread = std::thread([this, &job] { watch(job); });
}

InterruptWatch::~InterruptWatch() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_stop, &one, sizeof(one));
    m_thread.join();
    close(m_signals);
    close(m_stop);
    pthread_sigmask(SIG_SETMASK, &m_previous, nullptr);
}

void InterruptWatch::watch(JobControl& job) const {
    int waitMs = -1; // until the first signal
    std::array<pollfd, 2> files{pollfd{m_signals, POLLIN, 0}, pollfd{m_stop, POLLIN, 0}};
    for (;;) {
        const int ready = poll(files.data(), files.size(), waitMs);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0 || (ready > 0 && files[1].revents != 0))
            return;
        if (waitMs >= 0) // too late, or a second signal
            endNow();
        signalfd_siginfo info{};
        if (read(m_signals, &info, sizeof(info)) != sizeof(info))
            return;
        waitMs = kGraceMs;
        job.requestCancel();
    }
}

} // namespace lacuna::ui
