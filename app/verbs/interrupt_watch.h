#pragma once
// SIGINT and SIGTERM cancel a job. Make one before the first thread of the verb starts: the signals are
// blocked in all of them and read by one thread of this class, so no code runs in a signal handler.
//
// A job ends at its next poll. Where that takes longer than kGraceMs (a disk that syncs, gigabytes that are
// given back), or at a second signal, the process ends without it: exit code 130, and files that are being
// written are removed.

#include <csignal>
#include <filesystem>
#include <thread>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

class InterruptWatch {
public:
    explicit InterruptWatch(JobControl& job);
    ~InterruptWatch(); // unblocks the signals again
    static constexpr int kGraceMs = 100;
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

private:
    void watch(JobControl& job) const;

    sigset_t m_previous{};
    int m_signals = -1, m_stop = -1;
    std::thread m_thread;
};

// An OutputFile whose unfinished part an interrupt must not leave behind, for as long as this lives.
class UnfinishedOutput {
public:
    explicit UnfinishedOutput(std::filesystem::path file);
    ~UnfinishedOutput();
    UnfinishedOutput(const UnfinishedOutput&) = delete;
    UnfinishedOutput& operator=(const UnfinishedOutput&) = delete;

private:
    std::filesystem::path m_file;
};

} // namespace lacuna::ui
