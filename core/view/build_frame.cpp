#include "core/view/build_frame.h"

#include "core/base/crew.h"
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

// Which rows are in view is found first; then every lane fills its own part of the frame, and every device
// its gaps; at last the gaps are shown in the rows.
class Assembler {
public:
    Assembler(const Trace& trace, const RowLayout& layout, const FrameOptions& options, const PixelGrid& grid,
              Frame& frame)
        : m_trace(trace), m_layout(layout), m_options(options), m_grid(grid), m_frame(frame) {}

    void run() {
        placeLanes();
        const auto piece = [this](std::size_t i) {
            if (i < m_devices.size())
                findGaps(m_devices[i]);
            else
                fillLane(i - m_devices.size());
        };
        const std::size_t pieces = m_devices.size() + m_metrics.size();
        if (m_options.crew != nullptr)
            m_options.crew->run(pieces, piece);
        else
            for (std::size_t i = 0; i < pieces; ++i)
                piece(i);
        placeGaps();
    }

private:
    struct DeviceGaps {
        DeviceId device;
        std::vector<GapMark> marks;
    };

    void placeLanes() {
        const auto rows = m_layout.rows();
        for (std::uint32_t k = 0; k < rows.size(); ++k) {
            if (rows[k].kind != RowKind::Lane)
                continue;
            const StripMetrics m(rows[k], m_options.scale, m_options.scrollPx);
            if (m.y + m.height <= 0)
                continue;
            if (m.y >= m_options.heightPx)
                break;
            placeLane(k, m);
        }
        m_frame.lanes.resize(m_metrics.size());
    }

    void placeLane(std::uint32_t row, const StripMetrics& m) {
        if (m_frame.lanes.size() == m_metrics.size())
            m_frame.lanes.emplace_back();
        LaneFrame& lane = m_frame.lanes[m_metrics.size()];
        m_metrics.push_back(m);
        lane.row = row;
        lane.lane = m_layout.rows()[row].lane;
        lane.y = m.y;
        lane.height = m.height;
        lane.rateTop = m.rateTop;
        lane.rateHeight = m.rateHeight;
        lane.stripTop = m.top;
        lane.stripPitch = m.pitch;
        lane.stripHeight = m.stripHeight;
        lane.subPitch = m.subPitch;
        lane.subHeight = m.subHeight;
        lane.bars.clear();
        lane.parts.clear();
        lane.counter.clear();
        lane.counterMin = lane.counterMax = 0;
        const DeviceId device = gapDeviceOf(lane);
        if (device && std::ranges::find(m_devices, device, &DeviceGaps::device) == m_devices.end())
            m_devices.push_back({device, {}});
    }

    // The device whose gaps a lane shows; none.
    DeviceId gapDeviceOf(const LaneFrame& lane) const {
        const Lane& source = m_trace.lane(lane.lane);
        return source.kind == LaneKind::GpuStream && m_options.gaps != nullptr ? source.device : DeviceId{};
    }

    void fillLane(std::size_t n) {
        LaneFrame& lane = m_frame.lanes[n];
        const StripMetrics& m = m_metrics[n];
        const TimelineRow& row = m_layout.rows()[lane.row];
        const Lane& source = m_trace.lane(row.lane);
        const CounterTrack* const track =
            source.kind == LaneKind::Counter ? &m_trace.counters()[source.counter.v] : row.launchRate.get();
        if (track != nullptr) {
            lane.counterMin = row.counterMin;
            lane.counterMax = row.counterMax;
            appendCounter(*track, m_grid, lane.counter);
        }
        for (std::uint32_t k = 0; k < row.stripCount; ++k)
            if (m.stripY(k) < m_options.heightPx && m.stripY(k) + m.heightOf(k) > 0)
                appendStripBars(m_trace, {source.firstStrip.v + row.firstStrip + k}, m_grid,
                                static_cast<std::uint16_t>(k), lane);
    }

    void findGaps(DeviceGaps& of) const {
        of.marks =
            gapColumns(m_options.gaps->gapsOf(of.device), m_options.gaps->firstGapOf(of.device), m_grid);
    }

    // Every stream row of a device shows its gaps; the first visible one carries the labels.
    void placeGaps() {
        m_frame.gaps.clear();
        DeviceId before;
        for (std::size_t n = 0; n < m_metrics.size(); ++n) {
            const DeviceId device = gapDeviceOf(m_frame.lanes[n]);
            if (!device)
                continue;
            const bool isFirst = device != before;
            before = device;
            for (GapMark mark : std::ranges::find(m_devices, device, &DeviceGaps::device)->marks) {
                mark.y = m_metrics[n].stripY(0);
                mark.height = m_metrics[n].bottom() - mark.y;
                mark.labelled = isFirst;
                m_frame.gaps.push_back(mark);
            }
        }
    }

    const Trace& m_trace;
    const RowLayout& m_layout;
    const FrameOptions& m_options;
    const PixelGrid& m_grid;
    Frame& m_frame;
    std::vector<StripMetrics> m_metrics; // of m_frame.lanes
    std::vector<DeviceGaps> m_devices;   // with a stream in view
};

} // namespace

void buildFrame(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                const FrameOptions& options, Frame& into) {
    into.viewport = snapped(devicePx);
    into.scale = options.scale;
    into.heightPx = options.heightPx;
    into.scrollPx = options.scrollPx;
    const PixelGrid grid(into.viewport);
    Assembler(trace, layout, options, grid, into).run();
    rebuildArrows(trace, layout, options, into);
}

Frame buildFrame(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                 const FrameOptions& options) {
    Frame frame;
    buildFrame(trace, layout, devicePx, options, frame);
    return frame;
}

void rebuildArrows(const Trace& trace, const RowLayout& layout, const FrameOptions& options, Frame& frame) {
    frame.arrows =
        buildArrows(trace, layout, frame.viewport, options.selection,
                    {options.heightPx, options.scrollPx, options.scale, options.gaps, options.arrows});
}

} // namespace lacuna
