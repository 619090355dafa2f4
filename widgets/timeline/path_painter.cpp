#include "widgets/timeline/path_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kPathWidth = 3, kPathEdge = 1; // logical px: the line, and the clear ground beside it

// Of the thread's first row in view, for time between its rows; negative: none.
int footOfThread(const PaintContext& context, ThreadId thread) {
    int foot = -1;
    for (const LaneFrame& lane : context.frame().lanes)
        if (context.scene.trace->lane(lane.lane).thread == thread && lane.stripHeight > 0)
            foot = std::max(foot, lane.stripY(0) + lane.heightOf(0));
    return foot;
}

int footOf(const PaintContext& context, const PathPiece& piece) {
    const QRect rect = context.rectOf(piece.event);
    if (!rect.isEmpty())
        return rect.y() + rect.height();
    return piece.thread ? footOfThread(context, piece.thread) : -1;
}

} // namespace

std::vector<PathStretch> pathStretches(const PaintContext& context) {
    std::vector<PathStretch> stretches;
    const CriticalPath* path = context.scene.path;
    if (path == nullptr)
        return stretches;
    const Viewport& view = context.frame().viewport;
    const TimeRange shown = view.range();
    const auto endsBefore = [](const PathPiece& piece, TimeNs t) { return piece.range.end <= t; };
    auto piece = std::lower_bound(path->pieces.begin(), path->pieces.end(), shown.begin, endsBefore);
    while (piece != path->pieces.end() && piece->range.begin < shown.end) {
        const int x0 = static_cast<int>(std::floor(view.xOf(std::max(piece->range.begin, shown.begin))));
        const int x1 = static_cast<int>(std::ceil(view.xOf(std::min(piece->range.end, shown.end))));
        if (const int y = footOf(context, *piece); y >= 0)
            stretches.push_back({x0, std::max(x1, x0 + 1), y,
                                 piece->thread ? LaneId{} : context.scene.trace->laneOf(piece->event),
                                 piece->thread});
        // Of the pieces that end inside the pixel at x1 only the last is looked at.
        const auto next = std::next(piece);
        const auto beyond = std::lower_bound(next, path->pieces.end(), view.timeAt(x1), endsBefore);
        piece = beyond - next > 1 ? std::prev(beyond) : next;
    }
    return stretches;
}

void paintPath(QPainter& painter, const PaintContext& context) {
    const std::vector<PathStretch> stretches = pathStretches(context);
    const double scale = context.scale();
    const QRgb ink = context.palette.ink(Ink::Selection), ground = context.palette.ink(Ink::Ground);
    painter.setRenderHint(QPainter::Antialiasing, false);
    // The ground first, so that the line stands out from the bars everywhere.
    for (const bool isLine : {false, true}) {
        const double edge = isLine ? 0 : kPathEdge, width = kPathWidth + 2 * edge;
        const PathStretch* before = nullptr;
        for (const PathStretch& stretch : stretches) {
            const double x0 = stretch.x0 / scale, x1 = stretch.x1 / scale, y = stretch.y / scale - kPathWidth;
            crispFill(painter, QRectF(x0 - edge, y - edge, x1 - x0 + 2 * edge, width), isLine ? ink : ground);
            if (before != nullptr && (before->stream != stretch.stream || before->thread != stretch.thread)) {
                const double other = before->y / scale - kPathWidth;
                const double top = std::min(y, other), bottom = std::max(y, other) + kPathWidth;
                crispFill(painter,
                          QRectF(x0 - kPathWidth / 2 - edge, top - edge, width, bottom - top + 2 * edge),
                          isLine ? ink : ground);
            }
            before = &stretch;
        }
    }
}

} // namespace lacuna::ui
