#pragma once
// Where the JSON reader gets its text: a byte source whose every read is counted as progress and followed by
// a look at the job. May be shared by threads that read in turn.

#include "core/base/job_control.h"
#include "core/import/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

namespace lacuna::json {

class TextSource {
public:
    virtual ~TextSource() = default;
    // The next bytes of the text, 0 at the end. Errors: Io, Cancelled.
    virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

class PolledSource final : public TextSource {
public:
    PolledSource(ByteSource& source, JobControl& job) : m_source(source), m_job(job) {}

    // At most 1 MiB. One caller at a time.
    Result<std::size_t> read(std::span<char> buffer) override;
    void countEvents(std::uint64_t events) { m_job.countEvents(events); }
    // Looks at the job; true once it was cancelled. From any thread: after the poll that answered "cancelled"
    // there are no more.
    bool poll();

private:
    ByteSource& m_source;
    JobControl& m_job;
    std::uint64_t m_storedDone = 0;
    std::mutex m_mutex;
    bool m_isCancelled = false;
};

} // namespace lacuna::json
