#pragma once
// Ends the reading of a file early, so that what is read so far becomes the trace. Any thread may ask; the
// reader that heeds it says so first, others read to the end.

#include <atomic>
#include <cstdint>

namespace lacuna {

class ReadingStop {
public:
    void offer() noexcept { m_isOffered = true; }
    bool isOffered() const noexcept { return m_isOffered; }
    // Now, or by itself once that many bytes as stored are read.
    void ask() noexcept { m_after = 0; }
    void askAfter(std::uint64_t bytes) noexcept { m_after = bytes; }
    bool isAsked(std::uint64_t bytesDone) const noexcept { return bytesDone >= m_after; }

private:
    std::atomic<bool> m_isOffered{false};
    std::atomic<std::uint64_t> m_after{UINT64_MAX};
};

} // namespace lacuna
