#include "core/import/detail/json_window.h"

#include <algorithm>
#include <cstring>

namespace lacuna::json {

Window::Window(TextSource& source, std::size_t size, Reading reading)
    : m_source(source), m_reading(reading), m_buffer(std::make_unique_for_overwrite<char[]>(size + kPadding)),
      m_usual(size), m_capacity(size) {
    std::memset(m_buffer.get(), 0, kPadding);
}

bool Window::readMore() {
    const auto got = m_source.read({m_buffer.get() + m_size, m_capacity - m_size});
    if (!got) {
        m_error = got.error();
        return false;
    }
    m_size += *got;
    m_atEnd = *got == 0;
    return true;
}

void Window::restart(std::uint64_t offset) {
    m_base = offset;
    m_size = 0;
    std::memset(m_buffer.get(), 0, kPadding);
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
    const std::size_t wanted =
        m_reading == Reading::Full ? m_capacity : std::min(m_capacity, std::max<std::size_t>(1, 2 * kept));
    bool isRead = true;
    while (isRead && !m_atEnd && m_size < wanted)
        isRead = readMore();
    std::memset(m_buffer.get() + m_size, 0, kPadding);
    return isRead ? Fill::Ok : Fill::Failed;
}

} // namespace lacuna::json
