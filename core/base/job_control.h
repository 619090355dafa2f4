#pragma once
// Progress and cancellation of one job. The worker writes and polls it, the user interface reads it at its
// own pace: no signals from threads. Contract: a worker polls cancelled() at least once per 4,096 events and
// once per MiB read; both distances are recorded so that tests can check them without a clock.

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace lacuna {

class JobControl {
public:
    enum class Phase : std::uint8_t { Reading, Indexing, Analysing, Done };

    void setTotal(std::uint64_t bytes) noexcept { m_total = bytes; }
    void setPhase(Phase phase) noexcept { m_phase = phase; }
    void advance(std::uint64_t bytes) noexcept {
        m_done += bytes;
        m_bytesSincePoll += bytes;
    }
    // events() holds those that were read; the analyses count theirs for the distance of polls only.
    void countEvents(std::uint64_t events) noexcept {
        if (m_phase == Phase::Reading)
            m_events += events;
        m_eventsSincePoll += events;
    }

    // Asks the job to stop; it ends with Errc::Cancelled at its next poll.
    void requestCancel() noexcept { m_cancel = true; }
    // For tests: the n-th poll from now on answers "cancelled".
    void cancelAtPoll(std::uint64_t n) noexcept { m_cancelAtPoll = m_polls + n; }

    bool cancelled() const noexcept {
        const std::uint64_t poll = ++m_polls;
        raise(m_maxBytesBetweenPolls, m_bytesSincePoll.exchange(0));
        raise(m_maxEventsBetweenPolls, m_eventsSincePoll.exchange(0));
        return m_cancel || poll >= m_cancelAtPoll;
    }

    std::uint64_t bytesDone() const noexcept { return m_done; }
    std::uint64_t bytesTotal() const noexcept { return m_total; }
    std::uint64_t events() const noexcept { return m_events; }
    Phase phase() const noexcept { return m_phase; }
    double fraction() const noexcept {
        const std::uint64_t total = m_total;
        return total == 0 ? 0.0 : std::min(1.0, static_cast<double>(m_done) / static_cast<double>(total));
    }

    std::uint64_t polls() const noexcept { return m_polls; }
    std::uint64_t maxBytesBetweenPolls() const noexcept { return m_maxBytesBetweenPolls; }
    std::uint64_t maxEventsBetweenPolls() const noexcept { return m_maxEventsBetweenPolls; }

private:
    // Several threads of a job may poll at once.
    static void raise(std::atomic<std::uint64_t>& maximum, std::uint64_t value) noexcept {
        std::uint64_t now = maximum;
        while (now < value && !maximum.compare_exchange_weak(now, value)) {
        }
    }

    std::atomic<std::uint64_t> m_done{0}, m_total{0}, m_events{0};
    std::atomic<bool> m_cancel{false};
    std::atomic<Phase> m_phase{Phase::Reading};
    mutable std::atomic<std::uint64_t> m_polls{0}, m_bytesSincePoll{0}, m_eventsSincePoll{0};
    mutable std::atomic<std::uint64_t> m_maxBytesBetweenPolls{0}, m_maxEventsBetweenPolls{0};
    std::atomic<std::uint64_t> m_cancelAtPoll{UINT64_MAX};
};

} // namespace lacuna
