#pragma once
// SIGINT and SIGTERM cancel a job. Make one before the first thread of the verb starts: the signals are
// blocked in all of them and read by one thread of this class, so no code runs in a signal handler.

#include <csignal>
#include <thread>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

class InterruptWatch {
public:
    explicit InterruptWatch(JobControl& job);
    ~InterruptWatch(); // unblocks the signals again
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

private:
    void watch(JobControl& job) const;

    sigset_t m_previous{};
    int m_signals = -1, m_stop = -1;
    std::thread m_thread;
};

} // namespace lacuna::ui
