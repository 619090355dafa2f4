#include "core/view/build_frame.h"

#include "core/view/arrows.h"
#include "core/view/gap_marks.h"
#include "core/view/strip_bars.h"
#include "core/view/strip_metrics.h"

#include <algorithm>

namespace lacuna {

namespace {

// Columns that hold a sample, and column 0 with the value that holds at the left edge. O(samples in view).
void appendCounter(const CounterTrack& track, const PixelGrid& grid, std::vector<CounterPoint>& points) {
    if (grid.width() == 0)
        return;
    const TimeRange view = grid.range();
    const auto begin = track.timeNs.begin();
    auto at = static_cast<std::size_t>(std::ranges::upper_bound(track.timeNs, view.begin.v) - begin);
    if (at > 0) {
        const double value = track.value[at - 1];
        points.push_back({0, value, value, value});
    }
    for (; at < track.timeNs.size() && track.timeNs[at] < view.end.v; ++at) {
        const int x = grid.columnOf(track.timeNs[at]);
        const double value = track.value[at];
        if (points.empty() || points.back().x != x) {
            const double before = points.empty() ? value : points.back().last;
            points.push_back({x, std::min(before, value), std::max(before, value), value});
            continue;
        }
        CounterPoint& point = points.back();
        point.min = std::min(point.min, value);
        point.max = std::max(point.max, value);
        point.last = value;
    }
}

class Assembler {
public:
    Assembler(const Trace& trace, const RowLayout& layout, const FrameOptions& options, const PixelGrid& grid,
              Frame& frame)
        : m_trace(trace), m_layout(layout), m_options(options), m_grid(grid), m_frame(frame) {}

    void run() {
        const auto rows = m_layout.rows();
        for (std::uint32_t k = 0; k < rows.size(); ++k) {
            if (rows[k].kind != RowKind::Lane)
                continue;
            const StripMetrics m(rows[k], m_options.scale, m_options.scrollPx);
            if (m.y + m.height <= 0)
                continue;
            if (m.y >= m_options.heightPx)
                break;
            addLane(k, rows[k], m);
        }
    }

private:
    void addLane(std::uint32_t index, const TimelineRow& row, const StripMetrics& m) {
        LaneFrame lane;
        lane.row = index;
        lane.lane = row.lane;
        lane.y = m.y;
        lane.height = m.height;
        lane.stripTop = m.top;
        lane.stripPitch = m.pitch;
        lane.stripHeight = m.stripHeight;
        lane.subPitch = m.subPitch;
        lane.subHeight = m.subHeight;
        const Lane& source = m_trace.lane(row.lane);
        if (source.kind == LaneKind::Counter) {
            lane.counterMin = row.counterMin;
            lane.counterMax = row.counterMax;
            appendCounter(m_trace.counters()[source.counter.v], m_grid, lane.counter);
        }
        for (std::uint32_t n = 0; n < row.stripCount; ++n)
            if (m.stripY(n) < m_options.heightPx && m.stripY(n) + m.heightOf(n) > 0)
                appendStripBars(m_trace, {source.firstStrip.v + row.firstStrip + n}, m_grid,
                                static_cast<std::uint16_t>(n), lane);
        if (source.kind == LaneKind::GpuStream && source.device && m_options.gaps != nullptr)
            addGaps(source.device, m);
        m_frame.lanes.push_back(std::move(lane));
    }

    // Every stream row of the device shows its gaps; the first visible one carries the labels.
    void addGaps(DeviceId device, const StripMetrics& m) {
        const bool first = device != m_gapDevice;
        if (first) {
            m_gapDevice = device;
            m_marks = gapColumns(m_options.gaps->gapsOf(device), m_options.gaps->firstGapOf(device), m_grid);
        }
        for (GapMark mark : m_marks) {
            mark.y = m.stripY(0);
            mark.height = m.bottom() - mark.y;
            mark.labelled = first;
            m_frame.gaps.push_back(mark);
        }
    }

    const Trace& m_trace;
    const RowLayout& m_layout;
    const FrameOptions& m_options;
    const PixelGrid& m_grid;
    Frame& m_frame;
    DeviceId m_gapDevice;
    std::vector<GapMark> m_marks; // of m_gapDevice
};

} // namespace

Frame buildFrame(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                 const FrameOptions& options) {
    Frame frame;
    frame.viewport = snapped(devicePx);
    frame.scale = options.scale;
    frame.heightPx = options.heightPx;
    frame.scrollPx = options.scrollPx;
    const PixelGrid grid(frame.viewport);
    Assembler(trace, layout, options, grid, frame).run();
    frame.arrows = buildArrows(trace, layout, frame.viewport, options.selection,
                               {options.heightPx, options.scrollPx, options.scale, options.gaps});
    return frame;
}

} // namespace lacuna
