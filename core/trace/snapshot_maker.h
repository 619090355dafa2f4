#pragma once
// Finishes snapshots of a builder on a thread of its own, one at a time, and hands them to the receiver
// there. The destructor stops the one in work and waits for it (within one poll).

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace lacuna {

class Trace;

class SnapshotMaker {
public:
    using Receiver = std::function<void(std::shared_ptr<const Trace>)>;
    using Finish = std::function<Result<std::shared_ptr<const Trace>>(JobControl&)>;

    explicit SnapshotMaker(Receiver receiver) : m_receiver(std::move(receiver)) {}
    ~SnapshotMaker() { m_job.requestCancel(); }
    SnapshotMaker(const SnapshotMaker&) = delete;
    SnapshotMaker& operator=(const SnapshotMaker&) = delete;

    bool isBusy() const { return m_busy; }
    // Only while not busy.
    void start(Finish finish);

private:
    Receiver m_receiver;
    JobControl m_job; // not that of the load, whose polls are counted by the bytes it reads
    std::atomic<bool> m_busy = false;
    std::jthread m_thread; // last: joined first
};

} // namespace lacuna
