#include "core/import/detail/json_events.h"

#include "core/import/detail/event_pieces.h"
#include "core/import/detail/json_event_parse.h"

#include <algorithm>
#include <utility>

namespace lacuna::json {

EventReader::EventReader(ByteSource& source, EventSink& sink, JobControl& job, Limits limits,
                         unsigned threads, PieceSizes sizes)
    : m_source(source, job),
      m_pieces(threads > 1 ? std::make_unique<EventPieces>(m_source, threads, sizes) : nullptr),
      m_window(m_pieces ? static_cast<TextSource&>(*m_pieces) : m_source, limits.window,
               m_pieces ? Window::Reading::Little : Window::Reading::Full),
      m_sink(sink), m_limits(limits), m_at(m_window.begin()) {}

EventReader::~EventReader() = default;

// Reads on, keeping everything from m_at. False when nothing came: at the end, at the limit, at an error.
bool EventReader::more(std::size_t limit) {
    const auto fill = m_window.fill(m_at, limit);
    if (fill == Window::Fill::Failed) {
        m_failed = true;
        m_error = m_window.error();
    }
    return fill == Window::Fill::Ok;
}

// After each element, with the byte where it begins.
void EventReader::pollSometimes(std::uint64_t element) {
    constexpr std::uint64_t kEventsPerPoll = 2048;
    if (++m_unpolled < kEventsPerPoll)
        return;
    m_source.countEvents(std::exchange(m_unpolled, 0));
    if (m_source.poll()) {
        m_failed = true;
        m_error = cancelledError();
    } else if (m_stops && m_stops(m_result.elements)) {
        m_failed = m_result.isStopped = true; // the way out is that of a failure
        m_stoppedAt = element;
    }
}

void EventReader::skipByteOrderMark() {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    while (m_window.end() - m_at < static_cast<std::ptrdiff_t>(kMark.size()) && more(m_limits.window)) {
    }
    if (std::string_view(m_at, static_cast<std::size_t>(m_window.end() - m_at)).starts_with(kMark))
        m_at += kMark.size();
}

// White space and commas (any number of them); between elements of an event array also those elements that
// were found ahead of time. False at the end of the text.
bool EventReader::skipSeparators(Place place) {
    for (;;) {
        while (m_at < m_window.end() && (static_cast<unsigned char>(*m_at) <= ' ' || *m_at == ','))
            ++m_at;
        if (m_at < m_window.end())
            return true;
        if (place == Place::EventArray && takeEvents())
            continue;
        if (m_failed)
            return false;
        if (!more(m_limits.window)) {
            m_ended = true;
            return false;
        }
    }
}

// m_at between two elements, at the end of the window. True when elements that begin here were taken.
bool EventReader::takeEvents() {
    const auto events = m_pieces ? m_pieces->eventsAt(m_window.offsetOf(m_at)) : std::nullopt;
    if (!events)
        return false;
    for (const Event& event : *events) {
        ++m_result.elements;
        m_sink.event(event);
        pollSometimes(event.offset);
        if (m_failed)
            return false;
    }
    m_window.restart(m_pieces->passEvents());
    m_at = m_window.begin();
    return true;
}

Result<ReadResult> EventReader::run() {
    skipByteOrderMark();
    bool isFirst = true;
    while (!isDone() && skipSeparators()) {
        if (*m_at != '{' && *m_at != '[') {
            if (!isFirst)
                ignoreRest();
            break;
        }
        m_result.isJson = true;
        readDocument();
        isFirst = false;
    }
    m_result.textBytes = m_window.offsetOf(m_window.end());
    m_pieces.reset();
    m_source.countEvents(m_unpolled);
    if (m_result.isStopped)
        m_sink.trouble(Trouble::Stopped, m_stoppedAt);
    else if (m_failed)
        return m_error;
    return m_result;
}

// Read all the same: the source tells of damage only where it is reached.
void EventReader::ignoreRest() {
    m_sink.trouble(Trouble::DataAfterRoot, m_window.offsetOf(m_at));
    do
        m_at = m_window.end();
    while (more(m_limits.window));
}

void EventReader::readDocument() {
    if (*m_at == '[') {
        ++m_at;
        m_result.hasEventArray = true;
        readArray(true);
    } else if (rootKind() == Root::Event) {
        m_result.hasEventArray = true;
        readElement();
    } else {
        readRootObject();
    }
}

// An object at the root with a phase is an event (JSON lines), unless traceEvents comes first.
EventReader::Root EventReader::rootKind() {
    for (;;) {
        Scanner scanner(m_window.end());
        const char* p = m_at + 1;
        while (p != nullptr) {
            p = scanner.space(p);
            if (*p == ',') {
                ++p;
                continue;
            }
            if (*p != '"') {
                if (p >= m_window.end())
                    scanner.more();
                break;
            }
            std::string_view key;
            p = scanner.key(p + 1, key);
            if (p == nullptr || key == "traceEvents")
                break;
            if (key == "ph")
                return Root::Event;
            Value value;
            p = scanner.value(p, value);
        }
        if (scanner.stop() != Scanner::Stop::More || !more(m_limits.window))
            return Root::Object;
    }
}

void EventReader::readRootObject() {
    ++m_at;
    while (!isDone() && readRootMember()) {
    }
    if (m_ended && !m_failed)
        cutAt(m_window.offsetOf(m_window.end()));
}

// One member of the root object. False after the closing brace.
bool EventReader::readRootMember() {
    if (!skipSeparators())
        return true;
    const std::uint64_t offset = m_window.offsetOf(m_at);
    if (*m_at == '"') {
        readKeyAndValue(offset);
    } else if (*m_at == '}') {
        ++m_at;
        return false;
    } else if (*m_at == ']') { // one too many
        ++m_at;
        m_sink.trouble(Trouble::DamagedValue, offset);
    } else {
        recoverRootValue(offset);
    }
    return true;
}

// m_at at the opening quote of a key, which stands at `offset`.
void EventReader::readKeyAndValue(std::uint64_t offset) {
    for (;;) {
        Scanner scanner(m_window.end());
        std::string_view key;
        const char* const start = scanner.key(m_at + 1, key);
        const bool isEvents = start != nullptr && key == "traceEvents";
        if (isEvents && *start == '[') {
            m_at = start + 1;
            m_result.hasEventArray = true;
            return readArray(false);
        }
        Value value;
        const char* after = start == nullptr ? nullptr : scanner.value(start, value);
        if (after != nullptr) {
            after = scanner.space(after);
            if (after >= m_window.end() || (*after != ',' && *after != '}'))
                after = scanner.unexpected(after);
        }
        if (after != nullptr) {
            if (isEvents)
                m_sink.trouble(Trouble::NoArray, offset);
            m_sink.rootValue(key, value);
            m_at = after;
            return;
        }
        if (scanner.stop() == Scanner::Stop::Bad) {
            ++m_at;
            return recoverRootValue(offset);
        }
        if (more(m_limits.metadata))
            continue;
        if (m_failed)
            return;
        if (m_window.atEnd()) {
            m_ended = true;
            return;
        }
        m_sink.trouble(Trouble::OversizedValue, offset);
        m_at = start == nullptr ? m_at : start;
        return skipHugeValue();
    }
}

// Fault 4 of chrome_json.md section 8: a broken value of the root object. Goes on at the next key that stands
// at the start of a line, or at traceEvents.
void EventReader::recoverRootValue(std::uint64_t offset) {
    m_sink.trouble(Trouble::DamagedValue, offset);
    constexpr std::size_t kLookAhead = 256; // a key and its colon
    constexpr std::string_view kEvents = "\"traceEvents\"";
    for (;;) {
        const std::string_view text(m_at, static_cast<std::size_t>(m_window.end() - m_at));
        for (std::size_t quote = text.find('"'); quote != std::string_view::npos;
             quote = text.find('"', quote + 1)) {
            const std::size_t before = text.find_last_not_of(" \t", quote == 0 ? 0 : quote - 1);
            const bool startsLine = quote != 0 && before != std::string_view::npos && text[before] == '\n';
            if (!startsLine && !text.substr(quote).starts_with(kEvents))
                continue;
            Scanner scanner(m_window.end());
            std::string_view key;
            const char* const value = scanner.key(text.data() + quote + 1, key);
            if (value != nullptr && key.size() <= kLookAhead) {
                m_at = text.data() + quote;
                return;
            }
        }
        m_at = std::max(m_at, m_window.end() - std::min<std::ptrdiff_t>(kLookAhead, m_window.end() - m_at));
        if (!more(m_limits.window)) {
            m_ended = true;
            return;
        }
    }
}

void EventReader::readArray(bool isRoot) {
    while (!m_failed) {
        if (!skipSeparators(Place::EventArray))
            return; // the format allows an array at the root to stay open; readRootObject() reports its own
        if (*m_at == ']') {
            ++m_at;
            return;
        }
        if (*m_at == '{')
            readElement();
        else if (*m_at == '}' && !isRoot)
            return; // the bracket is missing
        else
            skipOtherElement();
    }
}

// The text ends inside the value that starts at this byte. Told once.
void EventReader::cutAt(std::uint64_t offset) {
    if (!m_cutIsTold)
        m_sink.trouble(Trouble::Truncated, offset);
    m_cutIsTold = true;
    m_ended = true;
}

void EventReader::deliver(const char* after) {
    m_event.offset = m_window.offsetOf(m_at);
    m_event.text = {m_at, static_cast<std::size_t>(after - m_at)};
    ++m_result.elements;
    m_sink.event(m_event);
    m_at = after;
    pollSometimes(m_event.offset);
}

void EventReader::readElement() {
    for (;;) {
        Scanner scanner(m_window.end());
        const char* const after = parseEvent(scanner, m_at, m_event);
        if (after != nullptr)
            return deliver(after);
        if (scanner.stop() == Scanner::Stop::Bad)
            return recoverElement();
        if (more(m_limits.event))
            continue;
        if (m_failed)
            return;
        if (m_window.atEnd())
            return recoverElement(); // cut, or a quote too few
        const std::uint64_t offset = m_window.offsetOf(m_at);
        m_sink.trouble(Trouble::OversizedEvent, offset);
        ++m_result.elements;
        skipHugeValue();
        return pollSometimes(offset);
    }
}

// m_at at the '{' of an element that cannot be read as it stands.
void EventReader::recoverElement() {
    const char* boundary = findBoundary(m_at + 1, m_window.end(), m_window.atEnd());
    while (boundary == nullptr && more(m_limits.event))
        boundary = findBoundary(m_at + 1, m_window.end(), m_window.atEnd());
    if (m_failed)
        return;
    const std::uint64_t offset = m_window.offsetOf(m_at);
    if (boundary == nullptr && m_window.atEnd()) {
        m_at = m_window.end();
        return cutAt(offset);
    }
    if (boundary == nullptr)
        return skipToBoundary(offset);
    const std::string_view broken(m_at, static_cast<std::size_t>(boundary - m_at));
    if (salvageEvent(broken, m_event))
        return deliver(boundary);
    ++m_result.elements;
    m_sink.trouble(Trouble::UnreadableEvent, offset);
    m_at = boundary;
    pollSometimes(offset);
}

// A broken element larger than the limit: goes on looking for its end without keeping what was passed.
void EventReader::skipToBoundary(std::uint64_t offset) {
    ++m_result.elements;
    m_sink.trouble(Trouble::UnreadableEvent, offset);
    for (;;) {
        constexpr std::ptrdiff_t kOverlap = 256; // a boundary is shorter
        m_at = std::max(m_at, m_window.end() - std::min<std::ptrdiff_t>(kOverlap, m_window.end() - m_at));
        if (!more(m_limits.window)) {
            if (!m_failed)
                cutAt(offset);
            return;
        }
        if (const char* const boundary = findBoundary(m_at, m_window.end(), m_window.atEnd())) {
            m_at = boundary;
            return;
        }
    }
}

// A number, a string, a list, or garbage where an object should stand.
void EventReader::skipOtherElement() {
    const std::uint64_t offset = m_window.offsetOf(m_at);
    for (;;) {
        Scanner scanner(m_window.end());
        Value value;
        const char* after = scanner.value(m_at, value);
        if (after == nullptr && scanner.stop() == Scanner::Stop::More) {
            if (more(m_limits.event))
                continue;
            if (m_failed)
                return;
            after = m_window.end();
            if (m_window.atEnd()) {
                m_at = after;
                return cutAt(offset);
            }
        }
        m_at = after == nullptr ? scanner.badAt() : after;
        break;
    }
    if (m_window.offsetOf(m_at) == offset)
        ++m_at;
    ++m_result.elements;
    m_sink.trouble(Trouble::NotAnObject, offset);
    pollSometimes(offset);
}

// m_at at the first byte of a value larger than the window may grow: walks to its end without keeping it.
void EventReader::skipHugeValue() {
    unsigned depth = 0;
    bool isInString = false, isEscaped = false;
    for (;;) {
        for (; m_at < m_window.end(); ++m_at) {
            const char c = *m_at;
            const bool isEscapedNow = std::exchange(isEscaped, false);
            if (isInString) {
                isEscaped = c == '\\' && !isEscapedNow;
                isInString = c != '"' || isEscapedNow;
            } else if (c == '"') {
                isInString = true;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                return; // of a bare word
            } else if (c == '}' || c == ']') {
                --depth;
            } else {
                continue;
            }
            const bool isClosed = !isInString && depth == 0 && (c == '"' || c == '}' || c == ']');
            if (isClosed) {
                ++m_at;
                return;
            }
        }
        if (!more(m_limits.window)) {
            m_ended = true;
            return;
        }
    }
}

} // namespace lacuna::json
