#include "widgets/timeline/search_painter.h"

#include "core/search/search_hits.h"
#include "widgets/timeline/paint_context.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace lacuna::ui {

namespace {

constexpr double kMarkHeight = 3; // and one more of air above it

// Asks of the bars of a strip, left to right, whether they hold a hit: each from where the last one ended, in
// steps that grow, so that 40,000 bars do not mean as many searches through all hits.
class HitWalk {
public:
    explicit HitWalk(std::span<const EventId> rows) : m_rows(rows) {}
    bool holds(const Bar& bar) {
        if (bar.strip != m_strip || bar.first < m_from)
            m_at = 0;
        m_strip = bar.strip;
        m_from = bar.first;
        std::size_t high = m_at, step = m_at == 0 ? m_rows.size() : 1;
        while (high < m_rows.size() && m_rows[high] < bar.first) {
            m_at = high + 1;
            high = step < m_rows.size() - high ? high + step : m_rows.size();
            step *= step < m_rows.size() ? std::size_t{2} : std::size_t{1};
        }
        const auto part = m_rows.subspan(m_at, std::max(high, m_at) - m_at);
        m_at += static_cast<std::size_t>(std::ranges::lower_bound(part, bar.first) - part.begin());
        return m_at < m_rows.size() && m_rows[m_at].v - bar.first.v < bar.count;
    }

private:
    std::span<const EventId> m_rows;
    std::size_t m_at = 0;
    std::uint16_t m_strip = 0;
    EventId m_from{0};
};

void paintMark(QPainter& painter, const QRect& bar, const PaintContext& context) {
    const double scale = context.scale();
    const auto height = static_cast<int>(std::lround(kMarkHeight * scale));
    const int air = context.linePx();
    QRect mark(bar.left(), bar.bottom() + 1 - std::min(height, bar.height()), bar.width(),
               std::min(height, bar.height()));
    painter.fillRect(logical(mark.adjusted(0, -air, 0, 0), scale), context.palette.color(Ink::Ground));
    painter.fillRect(logical(mark, scale), context.palette.color(Ink::Selection));
}

} // namespace

void paintSearchHits(QPainter& painter, const PaintContext& context) {
    const SearchHits* hits = context.scene.search;
    if (hits == nullptr || hits->isEmpty() || hits->trace().get() != context.scene.trace)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const LaneFrame& lane : context.frame().lanes) {
        QRect run; // bars that touch make one mark
        HitWalk walk(hits->rows());
        for (const Bar& bar : lane.bars) {
            if (!walk.holds(bar))
                continue;
            const QRect rect(bar.x0, lane.stripY(bar.strip), bar.x1 - bar.x0, lane.heightOf(bar.strip));
            if (bar.count > 1 && !run.isEmpty() && run.top() == rect.top() &&
                run.right() + 1 == rect.left()) {
                run.setRight(rect.right());
                continue;
            }
            if (!run.isEmpty())
                paintMark(painter, run, context);
            run = rect;
        }
        if (!run.isEmpty())
            paintMark(painter, run, context);
    }
}

} // namespace lacuna::ui
