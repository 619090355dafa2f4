#include "core/import/detail/json_window.h"

#include <algorithm>
#include <cstring>

namespace lacuna::json {

Window::Window(ByteSource& source, JobControl& job, std::size_t size)
    : m_source(source), m_job(job), m_buffer(std::make_unique_for_overwrite<char[]>(size + kPadding)),
      m_usual(size), m_capacity(size) {
    std::memset(m_buffer.get(), 0, kPadding);
}

bool Window::readPiece() {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    char* const to = m_buffer.get() + m_size;
    const std::size_t room = std::min(kPiece, m_capacity - m_size);
    const auto got = m_source.read(std::as_writable_bytes(std::span(to, room)));
    const std::uint64_t stored = m_source.storedDone();
    m_job.advance(stored - m_storedDone);
    m_storedDone = stored;
    if (!got) {
        m_error = got.error();
        return false;
    }
    if (m_job.cancelled()) {
        m_error = {Errc::Cancelled, "Stopped.", {}, {}};
        return false;
    }
    m_size += *got;
    m_atEnd = *got == 0;
    return true;
}

void Window::resize(std::size_t capacity, const char* keep, std::size_t kept) {
    auto buffer = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
    std::memcpy(buffer.get(), keep, kept);
    m_buffer = std::move(buffer);
    m_capacity = capacity;
}

Window::Fill Window::fill(const char*& keep, std::size_t limit) {
    if (m_atEnd)
        return Fill::AtEnd;
    const auto passed = static_cast<std::size_t>(keep - begin());
    const std::size_t kept = m_size - passed;
    if (kept == m_capacity) {
        if (m_capacity >= limit)
            return Fill::AtLimit;
        resize(std::min(limit, m_capacity * 2), keep, kept);
    } else if (m_capacity > m_usual && kept <= m_usual / 2) {
        resize(m_usual, keep, kept);
    } else if (passed != 0) {
        std::memmove(m_buffer.get(), keep, kept);
    }
    m_base += passed;
    m_size = kept;
    keep = begin();
    bool isRead = true;
    while (isRead && !m_atEnd && m_size < m_capacity)
        isRead = readPiece();
    std::memset(m_buffer.get() + m_size, 0, kPadding);
    return isRead ? Fill::Ok : Fill::Failed;
}

} // namespace lacuna::json
