#include "app/verbs/progress_line.h"

#include "core/base/job_control.h"
#include "core/base/text_format.h"

#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace lacuna::ui {

namespace {
// A short job shows no line at all; then about ten lines a second.
constexpr auto kFirstAfter = std::chrono::milliseconds(300);
constexpr auto kTick = std::chrono::milliseconds(20);
constexpr int kTicksPerLine = 5;
} // namespace

std::string progressText(const std::string& fileName, const JobControl& job) {
    switch (job.phase()) {
    case JobControl::Phase::Reading:
        return "Reading " + fileName + ": " + formatBytes(job.bytesDone()) +
               (job.bytesTotal() != 0 ? " of " + formatBytes(job.bytesTotal()) : std::string()) + ", " +
               formatCount(job.events()) + " events";
    case JobControl::Phase::Indexing:
        return "Indexing " + formatCount(job.events()) + " events";
    case JobControl::Phase::Analysing:
    case JobControl::Phase::Done:
        break;
    }
    return "Analysing " + fileName;
}

ProgressLine::ProgressLine(std::string fileName, const JobControl& job) : m_fileName(std::move(fileName)) {
    if (isatty(STDERR_FILENO) == 1)
        m_thread = std::thread([this, &job] { run(job); });
}

ProgressLine::~ProgressLine() {
    m_stop = true;
    if (m_thread.joinable())
        m_thread.join();
}

void ProgressLine::run(const JobControl& job) const {
    const auto start = std::chrono::steady_clock::now();
    bool shown = false;
    for (int tick = 0; !m_stop; ++tick) {
        if (tick % kTicksPerLine == 0 && std::chrono::steady_clock::now() - start > kFirstAfter) {
            std::fprintf(stderr, "\r%s\033[K", progressText(m_fileName, job).c_str());
            std::fflush(stderr);
            shown = true;
        }
        std::this_thread::sleep_for(kTick);
    }
    if (shown)
        std::fputs("\r\033[K", stderr);
}

} // namespace lacuna::ui
