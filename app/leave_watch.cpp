#include "app/leave_watch.h"

#include <QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace lacuna::ui {

namespace {

std::atomic<int> writeEnd{-1}; // a handler reaches nothing else
static_assert(std::atomic<int>::is_always_lock_free);

void onSignal(int number) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const auto written = write(writeEnd.load(), &byte, 1);
    errno = before;
}

} // namespace

LeaveWatch::LeaveWatch(QObject* parent) : QObject(parent) {
    if (pipe2(m_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // the signals end the program, as they would without this
    writeEnd = m_pipe[1];
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        unsigned char byte = 0;
        while (read(m_pipe[0], &byte, 1) == 1)
            Q_EMIT asked(byte);
    });
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action = {};
        action.sa_handler = onSignal;
        action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        sigaction(kSignals[i], nullptr, &m_before[i]);
        if (m_before[i].sa_handler != SIG_IGN)
            sigaction(kSignals[i], &action, nullptr);
    }
}

LeaveWatch::~LeaveWatch() {
    if (m_pipe[0] < 0)
        return;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &m_before[i], nullptr);
    writeEnd = -1;
    close(m_pipe[0]);
    close(m_pipe[1]);
}

} // namespace lacuna::ui
