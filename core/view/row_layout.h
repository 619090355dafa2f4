#pragma once
// Which rows the timeline shows, in which order and where (logical pixels from the top of the content).
// Order: steps, ranges, threads (launching thread first: Python, operators, CUDA API, OS runtime), GPU
// streams by busy time, counters (ux.md section 4). Measures are those of the mock-ups.

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

enum class RowKind : std::uint8_t {
    GroupHead, // thread or GPU: a head with fold triangle, no events
    Lane,
    Note, // "14 idle threads hidden"
};

struct TimelineRow {
    RowKind kind = RowKind::Lane;
    LaneId lane;     // Lane rows
    std::string key; // stable: "thread/483/483", "gpu/0", "lane/gpu_stream/0/7"; folds are remembered by it
    std::string title, subtitle,
        detail;                     // "python3 483", "launching thread", right-aligned detail ("69.1 % busy")
    std::int32_t y = 0, height = 0; // logical px
    std::int32_t stripTop = 0;      // y of the first visible strip, relative to the row
    std::int32_t stripPitch = 0, stripHeight = 0;
    std::uint32_t firstStrip = 0,
                  stripCount = 0; // visible strips of the lane (deep Python stacks fold outer, inner ones)
    std::uint32_t hiddenOuter = 0, hiddenInner = 0;
    bool foldable = false, folded = false;
    int indent = 0;
};

struct LayoutOptions {
    std::set<std::string> folded;   // keys of folded groups and lanes
    std::set<std::string> unfolded; // keys of lanes shown in full that fold by default
    std::uint32_t maxStrips = 6;    // visible depth of a lane that is not unfolded
    std::optional<TimeRange> focus; // deep Python stacks: the strips that matter here stay visible
    bool pinSteps = true;
};

class RowLayout {
public:
    RowLayout() = default;
    static RowLayout build(const Trace& trace, const LayoutOptions& options);
    std::span<const TimelineRow> rows() const { return m_rows; }
    std::int32_t height() const { return m_height; }
    // Index of the row at a content y; none above, below or between.
    std::optional<std::size_t> rowAt(std::int32_t y) const;
    std::optional<std::size_t> rowOf(LaneId lane) const;
    // The row that shows a lane, or the head of the folded group that hides it.
    std::optional<std::size_t> visibleRowOf(LaneId lane) const;

private:
    std::vector<TimelineRow> m_rows;
    std::vector<std::uint32_t> m_rowOfLane, m_groupOfLane; // index + 1, 0 = none
    std::int32_t m_height = 0;
};

} // namespace lacuna
