#include "core/base/crew.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lacuna {

class Crew::Helpers {
public:
    // One run: lives on the caller's stack.
    struct Job {
        void (*piece)(const void*, std::size_t) = nullptr;
        const void* work = nullptr;
        std::size_t count = 0;
        std::atomic<std::size_t> next{0};
        std::mutex failureLock;
        std::exception_ptr failure;

        void takePieces() {
            try {
                for (std::size_t i = next++; i < count; i = next++)
                    piece(work, i);
            } catch (...) {
                const std::lock_guard lock(failureLock);
                if (!failure)
                    failure = std::current_exception();
                next = count;
            }
        }
    };

    explicit Helpers(unsigned count) {
        try {
            for (unsigned k = 0; k < count; ++k)
                m_threads.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            // No more threads to be had: those that run do the work.
        }
    }
    ~Helpers() {
        {
            const std::lock_guard lock(m_lock);
            m_isEnding = true;
        }
        m_called.notify_all();
        for (std::thread& thread : m_threads)
            thread.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    void run(Job& job) {
        {
            const std::lock_guard lock(m_lock);
            m_job = &job;
            ++m_number;
        }
        m_called.notify_all();
        job.takePieces();
        std::unique_lock lock(m_lock);
        m_job = nullptr; // who wakes up now comes too late
        m_left.wait(lock, [this] { return m_working == 0; });
    }

private:
    void serve() {
        std::unique_lock lock(m_lock);
        for (std::size_t seen = 0;;) {
            m_called.wait(lock, [&] { return m_isEnding || (m_job != nullptr && m_number != seen); });
            if (m_isEnding)
                return;
            seen = m_number;
            Job& job = *m_job;
            ++m_working;
            lock.unlock();
            job.takePieces();
            lock.lock();
            if (--m_working == 0)
                m_left.notify_one();
        }
    }

    std::mutex m_lock;
    std::condition_variable m_called, m_left;
    Job* m_job = nullptr;
    std::size_t m_number = 0, m_working = 0;
    bool m_isEnding = false;
    std::vector<std::thread> m_threads;
};

Crew::Crew(unsigned threads)
    : m_threads(threads != 0 ? threads : std::clamp(std::thread::hardware_concurrency(), 1u, kMost)) {}

Crew::~Crew() = default;

void Crew::runPieces(std::size_t count, Piece piece, const void* work) {
    if (m_threads <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            piece(work, i);
        return;
    }
    if (m_helpers == nullptr)
        m_helpers = std::make_unique<Helpers>(m_threads - 1);
    Helpers::Job job;
    job.piece = piece;
    job.work = work;
    job.count = count;
    m_helpers->run(job);
    if (job.failure)
        std::rethrow_exception(job.failure);
}

} // namespace lacuna
