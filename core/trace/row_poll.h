#pragma once
// Polls a job once per 4,096 rows; one object per thread.

#include "core/base/job_control.h"

#include <cstdint>

namespace lacuna {

class RowPoll {
public:
    static constexpr std::uint32_t kRows = 4096;

    explicit RowPoll(const JobControl& job) : m_job(job) {}
    // False once the job is cancelled.
    bool tick(std::uint32_t rows = 1) {
        m_rows += rows;
        if (m_rows >= kRows) {
            m_rows = 0;
            m_cancelled = m_cancelled || m_job.cancelled();
        }
        return !m_cancelled;
    }

private:
    const JobControl& m_job;
    std::uint32_t m_rows = 0;
    bool m_cancelled = false;
};

} // namespace lacuna
