#include "widgets/timeline/lane_picture.h"

#include "core/base/crew.h"

#include <algorithm>
#include <cstring>

namespace lacuna::ui {

namespace {

struct Lines { // [first, end) of the picture
    int first = 0, end = 0;
};

// Lines that the painting of a lane may touch, cut to the picture.
Lines linesOf(const LaneFrame& lane, const PaintContext& context, int height) {
    Lines lines{lane.y + (lane.rateHeight > 0 ? lane.rateTop : lane.stripTop), lane.y + lane.stripTop};
    if (context.scene.trace->lane(lane.lane).kind == LaneKind::Counter)
        lines.end += lane.stripHeight + context.linePx(); // the line on top may reach below a low value
    if (!lane.bars.empty())
        lines.end = std::max(lines.end, lane.stripY(lane.bars.back().strip) +
                                            lane.heightOf(lane.bars.back().strip)); // by strip, downwards
    return {std::clamp(lines.first, 0, height), std::clamp(lines.end, 0, height)};
}

// Tells which lines of the picture the strips of a lane write from edge to edge, all but the first of each.
void markCovered(const LaneFrame& lane, std::vector<char>& covered) {
    const auto height = static_cast<int>(covered.size());
    for (auto bar = lane.bars.begin(); bar != lane.bars.end();) {
        const std::uint16_t strip = bar->strip;
        const int first = std::max(0, lane.stripY(strip));
        const int end = std::min(height, lane.stripY(strip) + lane.heightOf(strip));
        if (first + 1 < end)
            std::fill(covered.begin() + first + 1, covered.begin() + end, char{1});
        bar = std::partition_point(bar, lane.bars.end(), [strip](const Bar& b) { return b.strip <= strip; });
    }
}

class Picture {
public:
    Picture(const Canvas& canvas, const GroundPlan& ground, const LanePainterList& painters,
            const PaintContext& context)
        : m_canvas(canvas), m_ground(ground), m_painters(painters), m_context(context),
          m_lanes(context.frame().lanes) {}

    void paint() {
        if (!cutIntoBands()) { // rounded measures let rows overlap: what comes later is on top
            paintGround({0, m_canvas.height});
            for (const LaneFrame& lane : m_lanes)
                paintLane(lane);
            return;
        }
        m_covered.assign(static_cast<std::size_t>(m_canvas.height), 0);
        for (const LaneFrame& lane : m_lanes)
            if (const LanePainter* painter = painterOf(lane);
                painter != nullptr && painter->copiesStripsDown())
                markCovered(lane, m_covered);
        const auto band = [this](std::size_t i) {
            paintGround(m_bands[i]);
            if (i < m_lanes.size())
                paintLane(m_lanes[i]);
        };
        // Colours by group are found while painting, one after the other.
        if (m_context.scene.crew != nullptr && !m_context.colours.isOn())
            m_context.scene.crew->run(m_bands.size(), band);
        else
            for (std::size_t i = 0; i < m_bands.size(); ++i)
                band(i);
    }

private:
    // A band for each lane, from its first line to that of the next; false when two lanes share a line.
    bool cutIntoBands() {
        int end = 0;
        for (const LaneFrame& lane : m_lanes) {
            const Lines lines = linesOf(lane, m_context, m_canvas.height);
            if (lines.first < end)
                return false;
            end = lines.end;
            if (m_bands.empty())
                m_bands.push_back({0, 0});
            else
                m_bands.push_back({lines.first, 0});
        }
        if (m_bands.empty())
            m_bands.push_back({0, 0});
        for (std::size_t i = 0; i + 1 < m_bands.size(); ++i)
            m_bands[i].end = m_bands[i + 1].first;
        m_bands.back().end = m_canvas.height;
        return true;
    }

    void paintGround(Lines lines) const {
        for (int y = lines.first; y < lines.end; ++y)
            if (m_covered.empty() || m_covered[static_cast<std::size_t>(y)] == 0)
                m_ground.paintLine(m_canvas, y);
    }

    const LanePainter* painterOf(const LaneFrame& lane) const {
        return painterFor(m_painters, m_context.scene.trace->lane(lane.lane).kind);
    }

    void paintLane(const LaneFrame& lane) const {
        if (const LanePainter* painter = painterOf(lane))
            painter->paintBars(m_canvas, lane, m_context);
    }

    const Canvas& m_canvas;
    const GroundPlan& m_ground;
    const LanePainterList& m_painters;
    const PaintContext& m_context;
    const std::vector<LaneFrame>& m_lanes;
    std::vector<Lines> m_bands;  // one a lane, at least one
    std::vector<char> m_covered; // per line; empty: none
};

} // namespace

void GroundPlan::paintLine(const Canvas& canvas, int y) const {
    QRgb* line = canvas.line(y);
    if (const QRgb colour = solid[static_cast<std::size_t>(y)]; colour != 0)
        std::fill_n(line, canvas.width, colour);
    else
        std::memcpy(line, columns.data(), columns.size() * sizeof(QRgb));
}

const LanePainter* painterFor(const LanePainterList& list, LaneKind kind) {
    const auto at = std::ranges::find(list, kind, &LanePainterEntry::kind);
    return at == list.end() ? nullptr : at->painter.get();
}

void paintLanePicture(const Canvas& canvas, const GroundPlan& ground, const LanePainterList& painters,
                      const PaintContext& context) {
    Picture(canvas, ground, painters, context).paint();
}

} // namespace lacuna::ui
