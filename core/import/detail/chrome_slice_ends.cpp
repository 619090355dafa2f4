#include "core/import/detail/chrome_slice_ends.h"

#include "core/import/detail/chrome_device_names.h"
#include "core/import/detail/json_event_parse.h"
#include "core/import/detail/json_text.h"

#include <algorithm>
#include <span>

namespace lacuna::chrome {

namespace {

constexpr std::size_t kScannedAtOnce = std::size_t{128} << 10;
constexpr std::size_t kMostRemembered = std::size_t{1} << 18; // pairs: about 10 MiB

} // namespace

void SliceEnds::startAt(std::uint64_t begin) {
    m_from = m_to = begin;
    m_isOver = false;
    m_open.clear();
    m_ends.clear();
}

void SliceEnds::take(const json::Event& event, std::uint64_t offset) {
    const bool isBegin = event.ph.text == "B";
    if ((!isBegin && event.ph.text != "E") || !json::microsAsNs(event.ts.text))
        return;
    const std::string_view pid = event.pid.text;
    std::vector<std::uint64_t>& open = m_open[threadKeyOf(pid, event.tid ? event.tid.text : pid)];
    if (isBegin) {
        open.push_back(offset);
    } else if (!open.empty()) {
        m_ends.emplace(open.back(), offset);
        open.pop_back();
    }
}

// Passes elements up to `limit`, or to the end of the slice at `begin`. False where the text ends, or cannot
// be read on.
bool SliceEnds::scan(std::uint64_t limit, std::uint64_t begin) {
    std::size_t size = kScannedAtOnce;
    while (m_to < limit && !m_ends.contains(begin)) {
        m_text.resize(size + json::kPadding);
        const auto got = m_bytes.readAt(m_to, std::as_writable_bytes(std::span(m_text.data(), size)));
        if (!got || *got == 0)
            return false;
        std::fill_n(m_text.begin() + static_cast<std::ptrdiff_t>(*got), json::kPadding, '\0');
        const char* const end = m_text.data() + *got;
        const char* at = m_text.data();
        const char* passed = at; // behind the last whole element
        for (;;) {
            while (at < end && (static_cast<unsigned char>(*at) <= ' ' || *at == ','))
                ++at;
            if (at == end || *at != '{')
                break;
            json::Scanner scanner(end);
            json::Event event;
            const char* const after = json::parseEvent(scanner, at, event);
            if (after == nullptr)
                break;
            take(event, m_to + static_cast<std::uint64_t>(at - m_text.data()));
            at = passed = after;
        }
        if (at < end && *at != '{') // the end of the array, or damage
            return false;
        if (passed == m_text.data() && (*got < size || size > kMostBehind))
            return false; // an element that is cut, or too large
        size = passed == m_text.data() ? 2 * size : kScannedAtOnce;
        m_to += static_cast<std::uint64_t>(passed - m_text.data());
    }
    return true;
}

SliceEnds::Answer SliceEnds::endOf(std::uint64_t begin) {
    if (begin < m_from || begin >= m_to || m_ends.size() > kMostRemembered)
        startAt(begin);
    const std::uint64_t limit = begin + kMostBehind;
    if (!m_isOver)
        m_isOver = !scan(limit, begin);
    if (const auto end = m_ends.find(begin); end != m_ends.end())
        return {Found::Yes, end->second};
    return {m_isOver ? Found::No : Found::TooFar, 0};
}

} // namespace lacuna::chrome
