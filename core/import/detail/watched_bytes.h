#pragma once
// The lowest layer: the file, memory or standard input itself. Counts how far reading is, for progress, and
// polls a job, so that work above it that gives no bytes for long (skipping in an archive, waiting for a
// pipe) can be cancelled too.

#include "core/base/job_control.h"
#include "core/import/detail/standard_input.h"
#include "core/import/detail/stored_bytes.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace lacuna {

class WatchedBytes final : public StoredBytes {
public:
    explicit WatchedBytes(std::shared_ptr<const StoredBytes> stored) : m_stored(std::move(stored)) {}
    explicit WatchedBytes(std::shared_ptr<const StandardInput> input)
        : m_stored(input), m_input(std::move(input)) {}

    // Null: nobody will cancel. The job must outlive the reading until watch(nullptr).
    void watch(const JobControl* job) { m_job = job; }
    std::uint64_t done() const { return m_done; } // end of the last bytes read
    void restart() { m_done = 0; }

    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const override {
        const JobControl* const job = m_job;
        if (job != nullptr && m_sincePoll >= kPollBytes) {
            m_sincePoll = 0;
            if (job->cancelled())
                return cancelledError();
        }
        auto got = m_input ? m_input->readAt(offset, buffer, job) : m_stored->readAt(offset, buffer);
        m_sincePoll += got ? *got : 0;
        if (got)
            m_done = std::max<std::uint64_t>(m_done, offset + *got);
        return got;
    }
    std::uint64_t size() const override { return m_stored->size(); }
    Result<std::uint64_t> sizeAtEnd() const override {
        return m_input ? m_input->sizeAtEnd(m_job) : m_stored->sizeAtEnd();
    }
    std::string damage() const override { return m_stored->damage(); }
    bool isCut() const override { return m_stored->isCut(); }
    bool hasChanged() const override { return m_stored->hasChanged(); }

private:
    static constexpr std::uint64_t kPollBytes = std::uint64_t{1} << 20;

    std::shared_ptr<const StoredBytes> m_stored;
    std::shared_ptr<const StandardInput> m_input; // the same, where it is that
    std::atomic<const JobControl*> m_job{nullptr};
    mutable std::atomic<std::uint64_t> m_done{0}, m_sincePoll{0};
};

} // namespace lacuna
