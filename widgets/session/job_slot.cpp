#include "widgets/session/job_slot.h"

#include <QThread>

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

namespace lacuna::ui {

namespace {
constexpr int kProgressMs = 100;
}

JobSlot::JobSlot(QObject* parent) : QObject(parent) {
    // A cancelled job may still be on its way to its next poll while the new one starts.
    m_pool.setMaxThreadCount(std::max(2, QThread::idealThreadCount() - 1));
    m_timer.setInterval(kProgressMs);
    connect(&m_timer, &QTimer::timeout, this, &JobSlot::progress);
}

JobSlot::~JobSlot() {
    cancel();
    m_pool.waitForDone();
}

std::shared_ptr<JobControl> JobSlot::begin() {
    cancel();
    m_job = std::make_shared<JobControl>();
    m_timer.start();
    return m_job;
}

void JobSlot::end() {
    m_timer.stop();
    m_job.reset();
}

void JobSlot::letTheWindowGoFirst() {
    constexpr int kStepsBack = 5; // of nice
    static const int own = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
    ::setpriority(PRIO_PROCESS, 0, own + kStepsBack); // on Linux: of this thread alone
}

void JobSlot::release(std::shared_ptr<const void> object) {
    if (object == nullptr)
        return;
    // Not while the window paints what took its place: pages are neither given out nor back at the same time.
    QTimer::singleShot(kAfterPaintMs, this, [this, object = std::move(object)]() mutable {
        m_pool.start([object = std::move(object)]() mutable {
            letTheWindowGoFirst();
            object.reset();
        });
    });
}

void JobSlot::cancel() {
    if (m_job == nullptr)
        return;
    m_job->requestCancel();
    ++m_generation;
    end();
}

} // namespace lacuna::ui
