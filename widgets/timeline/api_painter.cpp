// CUDA API calls, and over them the launches per ms of the thread (features.md D06): strong where they are
// dense, with a line at the limit where it can be told from the ground.

#include "core/analysis/launch_density.h"
#include "widgets/timeline/builtin_painters.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

class ApiPainter final : public LanePainter {
public:
    void paintBars(const Canvas& canvas, const LaneFrame& lane, const PaintContext& context) const override;
    bool copiesStripsDown() const override { return true; }
    void drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                  double overlapPx) const override;
    void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const override {
        m_calls->paintLabels(painter, lane, context);
    }

private:
    std::unique_ptr<const LanePainter> m_calls = makeSlicePainter();
};

// Calls fill(QRect, QRgb) for every part of the strip, device pixels, not cut to the picture: columns with
// the most of their ms, between them the ms that holds on. Both ends of a pixel may be of different ms.
template <class Fill> void forRateFills(const LaneFrame& lane, const PaintContext& context, Fill fill) {
    const int bottom = lane.y + lane.rateTop + lane.rateHeight, width = context.frame().viewport.widthPx;
    const QRgb dense = context.palette.ink(Ink::Api), ground = context.palette.ink(Ink::Ground);
    const auto column = [&](int x, int end, double value) {
        if (value <= 0 || x >= end)
            return;
        const int height =
            std::max(1, static_cast<int>(std::lround(value / lane.counterMax * lane.rateHeight)));
        fill(QRect(x, bottom - height, end - x, height),
             value > kDenseLaunches ? dense : mixed(dense, ground, kThinRate));
    };
    for (std::size_t i = 0; i < lane.counter.size(); ++i) {
        const CounterPoint& point = lane.counter[i];
        column(point.x, point.x + 1, point.max);
        column(point.x + 1, i + 1 < lane.counter.size() ? lane.counter[i + 1].x : width, point.last);
    }
    const int limit = static_cast<int>(std::lround(kDenseLaunches / lane.counterMax * lane.rateHeight));
    if (limit > context.linePx())
        fill(QRect(0, bottom - limit, width, context.linePx()),
             mixed(context.palette.ink(Ink::TextSecondary), ground, 0.45));
}

void ApiPainter::paintBars(const Canvas& canvas, const LaneFrame& lane, const PaintContext& context) const {
    m_calls->paintBars(canvas, lane, context);
    if (lane.rateHeight > 0)
        forRateFills(lane, context, [&canvas](const QRect& rect, QRgb colour) { canvas.fill(rect, colour); });
}

void ApiPainter::drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                          double overlapPx) const {
    m_calls->drawBars(painter, lane, context, overlapPx);
    if (lane.rateHeight == 0)
        return;
    const QRect view(0, 0, context.frame().viewport.widthPx, context.frame().heightPx);
    forRateFills(lane, context, [&](const QRect& rect, QRgb colour) {
        if (const QRect cut = rect & view; !cut.isEmpty())
            painter.fillRect(logical(cut, context.scale()), QColor::fromRgb(colour));
    });
}

} // namespace

std::unique_ptr<const LanePainter> makeApiPainter() {
    return std::make_unique<ApiPainter>();
}

} // namespace lacuna::ui
