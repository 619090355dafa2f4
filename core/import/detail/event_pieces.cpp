#include "core/import/detail/event_pieces.h"

#include "core/import/detail/json_event_parse.h"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace lacuna::json {

namespace {

constexpr unsigned kMostThreads = 8; // the rows are made by one thread, which cannot feed more
constexpr std::size_t kMostEvents = 8192;
constexpr std::size_t kUsualEvent = 240; // bytes, few are shorter on average

} // namespace

EventPieces::EventPieces(PolledSource& source, unsigned threads, PieceSizes sizes)
    : m_source(source), m_threads(std::clamp(threads, 1u, kMostThreads)), m_sizes(sizes),
      m_nextSize(sizes.first), m_pieces(std::size_t{2} * m_threads + 2) {}

EventPieces::~EventPieces() {
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_changed.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

bool EventPieces::mayFill() const {
    return !m_isEnded && !m_isFilling && !m_isStopping && m_filled - m_current < m_pieces.size();
}

// mayFill() must be true. Unlocks while it works.
void EventPieces::fillNext(Lock& lock) {
    Piece& next = piece(m_filled);
    next.state = State::Filling;
    m_isFilling = true;
    lock.unlock();
    auto error = fill(next);
    lock.lock();
    m_isFilling = false;
    m_isEnded = error || next.size == 0;
    m_error = std::move(error);
    next.state = m_isEnded ? State::Free : State::Filled;
    if (!m_isEnded)
        ++m_filled;
    m_changed.notify_all();
}

// Pieces that nobody walks yet, in order; not the one whose text the reader reads itself.
EventPieces::Piece* EventPieces::nextToWalk(std::size_t* stock) {
    const std::uint64_t first = m_current + (m_within != 0 || m_eventsTaken ? 1 : 0);
    Piece* next = nullptr;
    *stock = 0;
    for (std::uint64_t i = first; i < m_filled; ++i)
        if (Piece& one = piece(i); one.state == State::Filled) {
            next = next == nullptr ? &one : next;
            ++*stock;
        }
    return next;
}

// Fills or walks what is next; false when there is nothing to do. Unlocks while it works. Filling is one
// after the other: a piece in stock lets the other threads go on meanwhile.
bool EventPieces::help(Lock& lock) {
    constexpr std::size_t kStock = 2;
    std::size_t stock = 0;
    Piece* const next = nextToWalk(&stock);
    if (mayFill() && stock < kStock) {
        fillNext(lock);
        return true;
    }
    if (next != nullptr)
        walkOne(lock, *next);
    return next != nullptr;
}

// Unlocks while it works.
void EventPieces::walkOne(Lock& lock, Piece& piece) {
    piece.state = State::Walking;
    lock.unlock();
    walk(piece);
    lock.lock();
    piece.state = State::Walked;
    m_changed.notify_all();
}

// The rest of the piece before, then new text up to a guessed end of an element.
std::optional<Error> EventPieces::fill(Piece& piece) {
    const std::size_t wanted = m_rest.size() + m_nextSize;
    if (piece.capacity < wanted) {
        piece.capacity = wanted + wanted / 8; // the rest of a piece is a little longer now and then
        piece.text = std::make_unique_for_overwrite<char[]>(piece.capacity + kPadding);
        piece.events.reserve(std::min(kMostEvents, wanted / kUsualEvent));
    }
    char* const begin = piece.text.get();
    std::copy(m_rest.begin(), m_rest.end(), begin);
    piece.size = m_rest.size();
    piece.offset = m_filledTo;
    bool isEnd = false;
    while (!isEnd && piece.size < wanted) {
        const auto got = m_source.read({begin + piece.size, wanted - piece.size});
        if (!got)
            return got.error();
        piece.size += *got;
        isEnd = *got == 0;
    }
    m_nextSize = std::min(m_sizes.usual, m_nextSize * 2);
    const char* const end = begin + piece.size;
    const char* const cut = isEnd ? end : lastBoundary(begin, end);
    m_rest.assign(cut, end);
    piece.size = static_cast<std::size_t>(cut - begin);
    m_filledTo += piece.size;
    std::memset(begin + piece.size, 0, kPadding);
    return std::nullopt;
}

void EventPieces::walk(Piece& piece) {
    const char* const begin = piece.text.get();
    const char* const end = begin + piece.size;
    const char* p = begin;
    std::size_t count = 0;
    for (;; ++count) {
        while (p < end && (static_cast<unsigned char>(*p) <= ' ' || *p == ','))
            ++p;
        if (p == end || *p != '{' || count == kMostEvents)
            break;
        if (count == piece.events.size())
            piece.events.emplace_back();
        Event& event = piece.events[count];
        Scanner scanner(end);
        const char* const after = parseEvent(scanner, p, event);
        if (after == nullptr)
            break;
        event.offset = piece.offset + static_cast<std::uint64_t>(p - begin);
        p = after;
    }
    piece.count = count;
    piece.walked = static_cast<std::size_t>(p - begin);
}

void EventPieces::work() {
    Lock lock(m_mutex);
    while (!m_isStopping)
        if (!help(lock)) {
            if (m_isEnded)
                return;
            m_changed.wait(lock);
        }
}

// A machine without room for more threads reads with those that it has.
void EventPieces::startThreads() {
    try {
        while (m_workers.size() + 1 < m_threads)
            m_workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        m_threads = static_cast<unsigned>(m_workers.size()) + 1;
    }
}

// The reader has left its piece.
void EventPieces::release() {
    piece(m_current).state = State::Free;
    ++m_current;
    m_within = 0;
    m_eventsTaken = false;
    m_changed.notify_all();
}

Result<std::size_t> EventPieces::read(std::span<char> buffer) {
    Lock lock(m_mutex);
    for (;;) {
        Piece& at = piece(m_current);
        const bool isThere = m_current < m_filled;
        if (isThere && m_within < at.size)
            break;
        if (isThere && at.state != State::Walking)
            release();
        else if (!isThere && mayFill())
            fillNext(lock);
        else if (!isThere && m_isEnded && !m_isFilling)
            return m_error ? Result<std::size_t>(*m_error) : Result<std::size_t>(std::size_t{0});
        else
            m_changed.wait(lock);
    }
    const Piece& at = piece(m_current);
    const std::size_t count = std::min(buffer.size(), at.size - m_within);
    std::memcpy(buffer.data(), at.text.get() + m_within, count);
    m_within += count;
    return count;
}

std::optional<std::span<const Event>> EventPieces::eventsAt(std::uint64_t offset) {
    Lock lock(m_mutex);
    for (;;) {
        Piece& at = piece(m_current);
        const bool isThere = m_current < m_filled;
        if (isThere && m_within == at.size && at.state != State::Walking) {
            release();
            continue;
        }
        if (isThere && (m_within != 0 || m_eventsTaken || at.offset != offset))
            return std::nullopt;
        if (isThere && at.state == State::Walked)
            break;
        if (m_workers.size() + 1 < m_threads && !m_isFilling && m_filledTo >= m_sizes.alone)
            startThreads();
        if (isThere && at.state == State::Filled)
            walkOne(lock, at);
        else if (!isThere && m_isEnded && !m_isFilling)
            return std::nullopt;
        else if (!help(lock))
            m_changed.wait(lock);
    }
    m_eventsTaken = true;
    return std::span(piece(m_current).events).first(piece(m_current).count);
}

std::uint64_t EventPieces::passEvents() {
    const Lock lock(m_mutex);
    const Piece& at = piece(m_current);
    m_within = at.walked;
    return at.offset + at.walked;
}

} // namespace lacuna::json
