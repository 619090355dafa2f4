#pragma once
// Dense 32-bit indexes that cannot be mixed up with one another.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace lacuna {

template <class Tag> struct Id {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t v = kNone;
    constexpr explicit operator bool() const { return v != kNone; }
    friend auto operator<=>(const Id&, const Id&) = default;
};

using EventId = Id<struct EventTag>;   // row of the EventTable; fixed when the trace is finished, never saved
using LaneId = Id<struct LaneTag>;     // index into Trace::lanes()
using StripId = Id<struct StripTag>;   // index into Trace::strips()
using StringId = Id<struct StringTag>; // index into the StringPool
using ProcessId = Id<struct ProcessTag>; // index into Trace::processes()
using ThreadId = Id<struct ThreadTag>;   // index into Trace::threads()
using DeviceId = Id<struct DeviceTag>;   // index into Trace::devices()
using CounterId = Id<struct CounterTag>; // index into Trace::counters()
using GapId = Id<struct GapTag>;         // index into GapAnalysis::gaps()

} // namespace lacuna

template <class Tag> struct std::hash<lacuna::Id<Tag>> {
    std::size_t operator()(lacuna::Id<Tag> id) const noexcept { return id.v; }
};
