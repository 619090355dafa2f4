#pragma once
// One streaming pass over a Chrome trace: object form with traceEvents anywhere, array form, one document or
// event per line. Every element of an event array goes to the sink as a small struct of texts; what stands
// broken in the middle is stepped over and counted. Tolerant as chrome_json.md 1.3 and 10.5 say.

#include "core/base/result.h"
#include "core/import/detail/json_scan.h"
#include "core/import/detail/json_window.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace lacuna::json {

class EventPieces;

// One element. Views are valid during the call that delivers it; kPadding bytes are readable after each.
struct Event {
    std::uint64_t offset = 0; // of its '{' in the unpacked text
    Value ph, name, cat, ts, dur, pid, tid, id, id2, scope, s, args;
    Value bindId, entries;       // flow version 2; xprof's counter samples
    bool bindsEnclosing = false; // bp "e"
    bool flowIn = false, flowOut = false;
    Value lane;              // of Lacuna's own writer only
    std::string_view text;   // all of it, '{' to '}'; only where one thread reads
    bool isEmpty = true;     // {}
    bool isSalvaged = false; // read around damage: its fields are what could be found
};

enum class Trouble : std::uint8_t {
    UnreadableEvent, // an element is lost
    OversizedEvent,  // an element is lost: larger than the limit
    NotAnObject,     // an element is no object
    DamagedValue,    // a value of the root object could not be read
    OversizedValue,  // a value of the root object is larger than the limit
    NoArray,         // traceEvents is no array
    Truncated,       // the text ends early, at this byte
    DataAfterRoot,   // what follows the root value is no further document
    Stopped,         // setStop() ended it; the last element that was read begins at this byte
};

class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void event(const Event& event) = 0;
    virtual void rootValue(std::string_view key, const Value& value) = 0;
    virtual void trouble(Trouble what, std::uint64_t offset) = 0;
};

struct ReadResult {
    bool isJson = false;         // the text begins with { or [
    bool hasEventArray = false;  // traceEvents, an array at the root, or events at the root
    std::uint64_t elements = 0;  // delivered or lost
    std::uint64_t textBytes = 0; // read, to the end of the text
    bool isStopped = false;      // by setStop(); elements and textBytes are those before
};

// How the text is cut for several threads (event_pieces.h). Small at first, so that the first events come
// soon.
struct PieceSizes {
    std::size_t first = std::size_t{64} << 10; // doubles from piece to piece
    std::size_t usual = std::size_t{512} << 10;
    std::size_t alone = std::size_t{1} << 20; // one thread reads so much before the others start
};

class EventReader {
public:
    // With more than one thread, elements are found by all of them ahead of time; what the sink is told, and
    // in what order, is the same, and it is told by the thread that calls run().
    EventReader(ByteSource& source, EventSink& sink, JobControl& job, Limits limits = {},
                unsigned threads = 1, PieceSizes sizes = {});
    ~EventReader();
    EventReader(const EventReader&) = delete;
    EventReader& operator=(const EventReader&) = delete;
    // Asked every 2,048 elements, between two of them, with the number of elements so far; true ends the text
    // there.
    void setStop(std::function<bool(std::uint64_t elements)> stops) { m_stops = std::move(stops); }
    // Errors: Io, Cancelled. Everything else goes to the sink. All threads are gone when it returns.
    Result<ReadResult> run();

private:
    enum class Root : std::uint8_t { Object, Event };
    bool more(std::size_t limit);
    enum class Place : std::uint8_t { Anywhere, EventArray };
    bool skipSeparators(Place place = Place::Anywhere);
    bool takeEvents();
    void skipByteOrderMark();
    void ignoreRest();
    void readDocument();
    Root rootKind();
    void readRootObject();
    bool readRootMember();
    void readKeyAndValue(std::uint64_t offset);
    void readArray(bool isRoot);
    void readElement();
    void cutAt(std::uint64_t offset);
    void deliver(const char* after);
    void skipOtherElement();
    void skipHugeValue();
    void recoverElement();
    void skipToBoundary(std::uint64_t offset);
    void recoverRootValue(std::uint64_t offset);
    void pollSometimes(std::uint64_t element);
    bool isDone() const { return m_failed || m_ended; }

    PolledSource m_source;
    std::unique_ptr<EventPieces> m_pieces; // null with one thread
    Window m_window;
    EventSink& m_sink;
    Limits m_limits;
    std::function<bool(std::uint64_t)> m_stops;
    const char* m_at;
    Event m_event;
    ReadResult m_result;
    std::uint64_t m_unpolled = 0, m_stoppedAt = 0;
    bool m_cutIsTold = false;
    bool m_failed = false; // m_error says why, or it is stopped
    bool m_ended = false;  // nothing more can be read
    Error m_error;
};

} // namespace lacuna::json
