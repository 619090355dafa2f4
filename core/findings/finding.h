#pragma once
// A finding: something in a trace that people look for, with what it rests on, what speaks against it and how
// to test it. It suggests; it is no verdict. Unknown is an answer too, and so is "looked, nothing there".

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class FindingState : std::uint8_t {
    Found,
    Clear,   // looked at, below the threshold
    Unknown, // the trace does not tell
    Note,    // nothing to decide: what was left out, what the figures mean
};
std::string_view stateName(FindingState state); // "found", "clear", "unknown", "note"

// A sentence, and what to open in the timeline: a row, a gap, a time range, or nothing. A sentence with sums
// has what they are of beside it, so that every figure can be worked out again.
struct Evidence {
    static constexpr std::size_t kMostRows = 10'000; // of one sentence: it is kept while the window lives

    std::string text;
    EventId event;
    GapId gap;
    TimeRange range;           // of the row or gap; empty when nothing opens
    std::int64_t ns = 0;       // the figure that the sentence is about; 0: none
    std::vector<EventId> rows; // all that sums and counts are of; empty: none, or too many
    TimeRange of;              // the time that idle times, shares and sums of too many rows are of
    bool opens() const { return !range.isEmpty() || static_cast<bool>(event); }
    bool leads() const { return opens() || !rows.empty() || !of.isEmpty(); }
};

struct Finding {
    std::string_view code, title; // of its FindingSpec
    bool isLookFor = false;
    FindingState state = FindingState::Clear;
    std::string suggests; // one or two sentences
    std::vector<Evidence> supports, against;
    std::vector<std::string> tests; // "Test it by"
    std::int64_t costNs = 0;        // time that it is about; upper bound of what can be won, never added up
};

} // namespace lacuna
