#include "core/import/detail/spooled_bytes.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kSpooledHead = std::size_t{64} << 10;
constexpr std::size_t kPiece = std::size_t{256} << 10;

Error notKept() {
    return {Errc::Io,
            "This part of standard input was not kept: the temporary folder is full.",
            {},
            "Free some space or set TMPDIR to a larger disk, then read the trace again."};
}

} // namespace

SpooledBytes::SpooledBytes(StreamPtr stream, Reopen reopen, std::uint64_t spoolLimit)
    : m_stream(std::move(stream)), m_reopen(std::move(reopen)), m_spool(spoolLimit) {}

Result<std::uint64_t> SpooledBytes::sizeAtEnd() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<std::byte> piece(kPiece);
    while (!m_atEnd)
        if (const auto got = readOn(piece); !got)
            return got.error();
    return m_passed;
}

std::string SpooledBytes::damage() const {
    const std::scoped_lock lock(m_mutex);
    return m_stream->damage();
}

bool SpooledBytes::isCut() const {
    const std::scoped_lock lock(m_mutex);
    return m_stream->isCut();
}

Result<std::size_t> SpooledBytes::readAt(std::uint64_t offset, std::span<std::byte> buffer) const {
    const std::scoped_lock lock(m_mutex);
    std::size_t done = 0;
    while (done < buffer.size()) {
        auto got = readSome(offset + done, buffer.subspan(done));
        if (!got)
            return got;
        if (*got == 0)
            break;
        done += *got;
    }
    return done;
}

Result<std::size_t> SpooledBytes::readSome(std::uint64_t at, std::span<std::byte> buffer) const {
    if (at < m_head.size()) {
        const std::size_t count = std::min(buffer.size(), m_head.size() - static_cast<std::size_t>(at));
        std::copy_n(m_head.begin() + static_cast<std::ptrdiff_t>(at), count, buffer.begin());
        return count;
    }
    if (at < m_spool.size())
        return m_spool.readAt(at, buffer);
    if (at < m_passed)
        return readAgain(at, buffer.first(std::min<std::uint64_t>(buffer.size(), m_passed - at)));
    std::vector<std::byte> skipped;
    while (m_passed < at) {
        skipped.resize(kPiece);
        auto got = readOn(std::span(skipped).first(std::min<std::uint64_t>(skipped.size(), at - m_passed)));
        if (!got || *got == 0)
            return got;
    }
    return readOn(buffer);
}

Result<std::size_t> SpooledBytes::readOn(std::span<std::byte> buffer) const {
    if (m_atEnd)
        return std::size_t{0};
    auto got = m_stream->read(buffer);
    if (!got)
        return got;
    const auto bytes = buffer.first(*got);
    const std::size_t toHead = std::min(bytes.size(), kSpooledHead - m_head.size());
    m_head.insert(m_head.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(toHead));
    if (m_spool.size() == m_passed)
        m_spool.append(bytes);
    m_passed += *got;
    m_atEnd = *got == 0;
    if (m_atEnd)
        m_size = m_passed;
    return got;
}

// Keeps its place, so that reading on costs nothing extra.
Result<std::size_t> SpooledBytes::readAgain(std::uint64_t at, std::span<std::byte> buffer) const {
    if (!m_reopen)
        return notKept();
    if (!m_again || m_againPassed > at) {
        auto again = m_reopen();
        if (!again)
            return again.error();
        m_again = std::move(*again);
        m_againPassed = 0;
    }
    std::vector<std::byte> skipped(kPiece);
    while (m_againPassed < at) {
        auto got = m_again->read(
            std::span(skipped).first(std::min<std::uint64_t>(skipped.size(), at - m_againPassed)));
        if (!got || *got == 0)
            return got;
        m_againPassed += *got;
    }
    auto got = m_again->read(buffer);
    m_againPassed += got ? *got : 0;
    return got;
}

} // namespace lacuna
