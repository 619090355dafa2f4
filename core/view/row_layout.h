#pragma once
// Which rows the timeline shows, in which order and where (logical pixels from the top of the content).
// Order: steps, ranges, threads (launching thread first: Python, operators, CUDA API, OS runtime), GPU
// streams by busy time, counters (ux.md section 4). Measures are those of the mock-ups.

#include "core/analysis/device_busy.h"
#include "core/trace/trace.h"
#include "core/view/lane_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class RowKind : std::uint8_t {
    GroupHead, // thread or GPU: a head with fold triangle, no events
    Lane,
    Note, // what is not shown: "15 GPUs without events hidden"
};

struct TimelineRow {
    RowKind kind = RowKind::Lane;
    LaneId lane;     // Lane rows
    ThreadId thread; // thread heads and host lanes
    DeviceId device; // GPU heads and device lanes
    std::string key; // stable: "thread/483/483", "gpu/0", "lane/gpu_stream/0/7"; folds are remembered by it
    std::string title, subtitle,
        detail;                     // "python3 483", "launching thread", right-aligned detail ("69.1 % busy")
    std::string secondLine;         // under the title: "default stream"
    std::int32_t y = 0, height = 0; // logical px
    std::int32_t stripTop = 0;      // y of the first visible strip, relative to the row
    std::int32_t stripPitch = 0, stripHeight = 0;
    std::int32_t subPitch = 0, subHeight = 0; // of the second and further visible strips (smaller on streams)
    std::uint32_t firstStrip = 0,
                  stripCount = 0; // visible strips of the lane (deep Python stacks fold outer, inner ones)
    double counterMin = 0, counterMax = 0; // counters: of the whole track
    // CUDA API lanes with a dense ms: launches per ms (launch_density.h), drawn over the first strip.
    std::shared_ptr<const CounterTrack> launchRate;
    std::int32_t rateTop = 0, rateHeight = 0; // where, relative to the row; 0, 0 without
    std::uint32_t hiddenOuter = 0, hiddenInner = 0;
    bool foldable = false, folded = false;
    bool foldsByDefault = false; // deep stacks and sync markers
    bool pinned = false;         // on top
    int indent = 0;              // 1: lane of a group
    std::string recordedTitle;   // where the user gave another name; else empty

    // Of the n-th visible strip, relative to the row.
    std::int32_t stripY(std::uint32_t n) const {
        return n == 0 ? stripTop : stripTop + stripPitch + static_cast<std::int32_t>(n - 1) * subPitch;
    }
    std::int32_t heightOf(std::uint32_t n) const { return n == 0 ? stripHeight : subHeight; }
};

// What the heads say and what orders the rows: one pass over the trace, O(events). Pass it to every build()
// of the same trace, or each makes its own.
struct LayoutFacts {
    std::vector<std::uint64_t> launches;  // per thread: host calls with device work
    std::vector<std::uint32_t> kinds;     // per lane: bit per EventKind
    std::vector<std::uint8_t> work;       // per lane of device work: bits kCompute, kCommunication
    std::vector<std::int64_t> laneBusy;   // per lane: sum over its strips, ns
    std::vector<std::int64_t> deviceBusy; // per device: union over its streams, ns
    std::vector<TimeRange> deviceWindow;  // per device: first start to last end of its streams
    std::vector<std::pair<double, double>> counterRange;         // per counter: smallest and largest value
    std::vector<std::shared_ptr<const CounterTrack>> launchRate; // per lane; null: no dense ms

    static LayoutFacts of(const Trace& trace);
};

struct LayoutOptions {
    std::set<std::string> folded;   // keys of folded groups and lanes
    std::set<std::string> unfolded; // keys of lanes shown in full that fold by default
    std::uint32_t maxStrips = 6;    // visible depth of a lane that is not unfolded; stacks of threads
                                    // that launched nothing beside one that did: at most 2
    std::optional<TimeRange> focus; // deep Python stacks: the strips that matter here stay visible
    bool pinSteps = true; // steps and the launching thread's ranges on top, else first in the thread's group
    const LayoutFacts* facts = nullptr;
    // Figures: host lanes and ranges on the GPU without an event in this time are left out.
    std::optional<TimeRange> onlyIn;
    std::set<std::string> without; // keys of lanes left out, by figures that are too low for all
    bool notes = true;             // rows that count what is not shown
    LanePlan plan;

    // What a click on the fold triangle of a row does.
    void toggle(const TimelineRow& row);
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
    // Height of the rows that are pinned on top, with the lanes of pinned groups; they come first.
    std::int32_t pinnedHeight() const;
    // As the rows stand on the screen after scrolling by `scrollPx` with the pinned ones staying on top:
    // those keep their y, the others move up under them. rowAt() of the result takes a y of the screen.
    RowLayout scrolledUnderPinned(std::int32_t scrollPx) const;
    // The pinned rows alone, as an extract of that result.
    RowLayout pinnedOnly() const;
    // Of a result of the former: what the pinned rows cover, and whether a row is one of them. Else 0, false.
    std::int32_t coveredPx() const { return m_coveredPx; }
    bool staysOnTop(std::size_t row) const { return row < m_stayingRows; }
    // The same rows, all vertical measures times the factor (> 0): figures fill their height.
    RowLayout stretched(double factor) const;

private:
    void arrange(const LanePlan& plan);
    std::size_t pinnedRows() const;

    std::vector<TimelineRow> m_rows;
    std::vector<std::uint32_t> m_rowOfLane, m_groupOfLane; // index + 1, 0 = none
    std::int32_t m_height = 0;
    std::size_t m_stayingRows = 0; // the first ones, after scrolledUnderPinned()
    std::int32_t m_coveredPx = 0;
};

// TimelineRow::key of a lane, and back: the lane whether it shows or not, none when the trace has no such
// lane.
std::string laneKey(const Trace& trace, LaneId lane);
LaneId laneOfKey(const Trace& trace, std::string_view key); // O(lanes)

} // namespace lacuna
