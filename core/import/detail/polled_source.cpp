#include "core/import/detail/polled_source.h"

#include <algorithm>

namespace lacuna::json {

Result<std::size_t> PolledSource::read(std::span<char> buffer) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    auto got = m_source.read(std::as_writable_bytes(buffer.first(std::min(kPiece, buffer.size()))));
    const std::uint64_t stored = m_source.storedDone();
    m_job.advance(stored - m_storedDone);
    m_storedDone = stored;
    if (got && poll())
        return cancelledError();
    return got;
}

bool PolledSource::poll() {
    const std::lock_guard lock(m_mutex);
    m_isCancelled = m_isCancelled || m_job.cancelled();
    return m_isCancelled;
}

} // namespace lacuna::json
