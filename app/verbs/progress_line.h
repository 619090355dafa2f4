#pragma once
// One line on standard error that tells how far a job is; nothing at all when standard error is no terminal.

#include <atomic>
#include <string>
#include <thread>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

class ProgressLine {
public:
    ProgressLine(std::string fileName, const JobControl& job);
    ~ProgressLine(); // wipes the line
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    void run(const JobControl& job) const;

    std::string m_fileName;
    std::atomic<bool> m_stop{false};
    std::thread m_thread; // not started without a terminal
};

// "Reading decode.json.gz: 412 MiB of 1.9 GiB, 3 100 000 events"
std::string progressText(const std::string& fileName, const JobControl& job);

} // namespace lacuna::ui
