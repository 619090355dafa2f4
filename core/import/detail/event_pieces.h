#pragma once
// The text of a trace in pieces, walked ahead of the reader by several threads. Pieces are read in turn (so
// that compressed text is unpacked by whichever thread has its turn) and end where an element of the event
// array seems to end; each is walked from its first byte as if it stood between two elements of the array.
// That is a guess. The reader confirms it: it takes the events of a piece only when it stands between two
// elements exactly where the piece begins, and up to where the walk met anything but a complete element; else
// it reads the text of the piece itself. So the guesses decide how fast a file is read, never what is read.
//
// Memory: two pieces a thread and two more, each of 512 KiB of text and its events (304 bytes each, at most
// 8192): for a typical trace 6 MiB on two threads and 19 MiB on eight, more of which do not help; at most
// 54 MiB, for events of 64 bytes.

#include "core/import/detail/json_events.h"
#include "core/import/detail/polled_source.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace lacuna::json {

class EventPieces final : public TextSource {
public:
    // `threads` counts the caller's own. Further ones start only once `sizes.alone` bytes were read.
    EventPieces(PolledSource& source, unsigned threads, PieceSizes sizes);
    ~EventPieces() override; // joins
    EventPieces(const EventPieces&) = delete;
    EventPieces& operator=(const EventPieces&) = delete;

    // The following is for one thread, the reader's.

    // Text from where the reader stands, never beyond the end of a piece.
    Result<std::size_t> read(std::span<char> buffer) override;
    // The events of the piece that begins at `offset`, where the reader stands between two elements. None
    // when none begins there, at the end of the text, and after an error (read() tells it). Valid until
    // passEvents().
    std::optional<std::span<const Event>> eventsAt(std::uint64_t offset);
    // Moves the reader past the events that eventsAt() gave; where it stands now.
    std::uint64_t passEvents();

private:
    enum class State : std::uint8_t { Free, Filling, Filled, Walking, Walked };
    struct Piece {
        std::unique_ptr<char[]> text;
        std::size_t capacity = 0, size = 0;
        std::uint64_t offset = 0;
        std::vector<Event> events; // the first `count`; the others are for reuse
        std::size_t count = 0;
        std::size_t walked = 0; // bytes that they cover
        State state = State::Free;
    };
    using Lock = std::unique_lock<std::mutex>;

    Piece& piece(std::uint64_t number) { return m_pieces[number % m_pieces.size()]; }
    bool mayFill() const;
    void fillNext(Lock& lock);
    Piece* nextToWalk(std::size_t* stock);
    bool help(Lock& lock);
    void walkOne(Lock& lock, Piece& piece);
    std::optional<Error> fill(Piece& piece);
    static void walk(Piece& piece); // without the lock
    void work();
    void startThreads();
    void release();

    PolledSource& m_source;
    unsigned m_threads;
    PieceSizes m_sizes;

    // Of the thread that fills; only one does at a time.
    std::vector<char> m_rest; // of the last piece, after the guessed end of an element
    std::uint64_t m_filledTo = 0;
    std::size_t m_nextSize;

    std::mutex m_mutex; // guards everything below, and the states of pieces
    std::condition_variable m_changed;
    std::vector<Piece> m_pieces;
    std::uint64_t m_current = 0; // number of the piece in which the reader stands
    std::uint64_t m_filled = 0;  // number of the next piece to fill
    bool m_isFilling = false;
    bool m_isEnded = false; // nothing more to fill: the end, or m_error
    bool m_isStopping = false;
    std::optional<Error> m_error;

    std::size_t m_within = 0;   // where the reader stands in its piece
    bool m_eventsTaken = false; // of this piece; changed by the reader alone, as m_within and m_current are
    std::vector<std::thread> m_workers;
};

} // namespace lacuna::json
