#include "widgets/timeline/search_painter.h"

#include "core/search/search_hits.h"
#include "widgets/timeline/paint_context.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kMarkHeight = 3; // and one more of air above it

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
        for (const Bar& bar : lane.bars) {
            if (!hits->anyAmong(bar.first, bar.count))
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
