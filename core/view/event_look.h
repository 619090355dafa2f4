#pragma once
// How events look beyond their kind: what their colour means, whole or short names, names that the user gave.
// And the groups that a colour stands for: events of one group have one colour.

#include "core/trace/trace.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class ColourBy : std::uint8_t { Kind, Name, Family, Stream, Range, Duration };
inline constexpr std::size_t kColourings = 6;
std::string_view colourByName(ColourBy by); // "kind", "name", …; as in workspaces
std::optional<ColourBy> colourByOf(std::string_view name);

struct EventLook {
    ColourBy colourBy = ColourBy::Kind;
    bool fullNames = false;                                // labels begin with the name as recorded
    std::map<std::string, std::string, std::less<>> names; // recorded name -> the user's
    friend bool operator==(const EventLook&, const EventLook&) = default;
};

// A group of events with one colour. `code` is the same for the same group in every trace and run: a hash of
// what it is called.
struct EventGroup {
    std::string title; // "flash_fwd_kernel", "gemm", "stream 7", "forward", "1 to 10 µs"
    std::uint64_t code = 0;
    int step = -1; // durations: 0 shortest; else -1
};

inline constexpr int kDurationSteps = 6; // below 1 µs, 10 µs, 100 µs, 1 ms, 10 ms, and above

// Answers for one trace; remembers what it found by name and lane. Not thread-safe.
class EventGroups {
public:
    EventGroups(const Trace& trace, ColourBy by) : m_trace(&trace), m_by(by) {}
    // Number of the event's group, dense from 0 in the order of asking; Kind has none: 0. O(1) for names,
    // families, lanes, durations; for ranges O(depth * log n): the innermost range of the thread that holds
    // the event, of a device operation the one that holds its launch.
    std::uint32_t groupOf(EventId event);
    const EventGroup& group(std::uint32_t number) const { return m_groups[number]; }
    ColourBy by() const { return m_by; }

private:
    std::uint32_t numberOf(std::string title, int step = -1);
    std::string familyTitle(EventId event) const;
    std::string laneTitle(EventId event) const;
    std::uint32_t byName(EventId event);
    EventId rangeOf(EventId event);

    const Trace* m_trace;
    ColourBy m_by;
    std::vector<EventGroup> m_groups;
    std::map<std::string, std::uint32_t, std::less<>> m_numberOf;
    std::map<std::uint64_t, std::uint32_t> m_known; // by name and kind, or by lane
    std::vector<std::vector<LaneId>> m_rangesOf;    // by thread; made when first asked
};

} // namespace lacuna
