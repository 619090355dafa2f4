#pragma once
// One background job at a time, the latest wins: starting cancels the previous job and drops its result. The
// job runs on a private pool and talks only through its JobControl; the result comes back on the thread of
// the slot. The destructor asks the running job to stop and waits for it, so nothing outlives the window.

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>

namespace lacuna::ui {

class JobSlot : public QObject {
    Q_OBJECT
public:
    // What can wait until the window has shown a new document does.
    static constexpr int kAfterPaintMs = 100;

    explicit JobSlot(QObject* parent = nullptr);
    ~JobSlot() override;

    // done runs on this object's thread, never after cancel() or a later start().
    template <class T>
    void start(std::function<Result<T>(JobControl&)> work, std::function<void(Result<T>)> done) {
        const auto job = begin();
        const auto generation = m_generation;
        m_pool.start([this, job, generation, work = std::move(work), done = std::move(done)]() mutable {
            letTheWindowGoFirst();
            auto result = std::make_shared<Result<T>>(work(*job));
            QMetaObject::invokeMethod(
                this,
                [this, generation, result, done = std::move(done)] {
                    if (generation != m_generation)
                        return;
                    end();
                    done(std::move(*result));
                },
                Qt::QueuedConnection);
        });
    }
    // Lets go of something large on a thread of the pool, soon: unmapping gigabytes takes longer than a
    // frame.
    void release(std::shared_ptr<const void> object);
    // Asks the job to stop and forgets it; its result will not be delivered. A no-op when idle.
    void cancel();
    bool isRunning() const { return m_job != nullptr; }
    // Progress of the running job; null when idle.
    const JobControl* job() const { return m_job.get(); }

Q_SIGNALS:
    void progress(); // every 100 ms while a job runs

private:
    // Jobs keep every core busy for seconds. What the window does meanwhile is short and must come first;
    // threads that a job starts are like the one that starts them. Of other programs jobs take a third, not a
    // half.
    static void letTheWindowGoFirst();
    std::shared_ptr<JobControl> begin();
    void end();

    QThreadPool m_pool;
    QTimer m_timer;
    std::shared_ptr<JobControl> m_job;
    std::uint64_t m_generation = 0;
};

} // namespace lacuna::ui
