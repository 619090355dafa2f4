#include "app/verbs/interrupt_watch.h"

#include "app/verbs/verb.h"
#include "core/base/job_control.h"

#include <array>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace lacuna::ui {

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
    bool asked = false;
    std::array<pollfd, 2> files{pollfd{m_signals, POLLIN, 0}, pollfd{m_stop, POLLIN, 0}};
    while (poll(files.data(), files.size(), -1) >= 0) {
        if (files[1].revents != 0)
            return;
        signalfd_siginfo info{};
        if (read(m_signals, &info, sizeof(info)) != sizeof(info))
            return;
        if (asked) // the second Ctrl+C does not wait for the job's next poll
            _exit(kExitInterrupted);
        asked = true;
        job.requestCancel();
    }
}

} // namespace lacuna::ui
