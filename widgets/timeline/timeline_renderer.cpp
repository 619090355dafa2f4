#include "widgets/timeline/timeline_renderer.h"

#include "widgets/timeline/annotation_painter.h"
#include "widgets/timeline/arrow_painter.h"
#include "widgets/timeline/builtin_painters.h"
#include "widgets/timeline/callout_painter.h"
#include "widgets/timeline/gap_painter.h"
#include "widgets/timeline/head_painter.h"
#include "widgets/timeline/lane_picture.h"
#include "widgets/timeline/large_picture.h"
#include "widgets/timeline/measure_painter.h"
#include "widgets/timeline/path_painter.h"
#include "widgets/timeline/ruler_painter.h"
#include "widgets/timeline/search_painter.h"
#include "widgets/timeline/tag_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lacuna::ui {

namespace {

// Where the background goes: fill() takes device pixels of the frame and cuts to it. Columns reach from top
// to bottom, rows from edge to edge.
struct BackgroundTarget {
    std::function<void(const QRect&, QRgb)> fill;
    int width = 0, height = 0;
};

// Group heads are a quiet band; rows end in a line, a strong one before the next group.
void paintRows(const BackgroundTarget& target, const PaintContext& context, RendererStyle::Rows style) {
    const ThemePalette& palette = context.palette;
    const double scale = context.scale();
    const int scroll = context.frame().scrollPx, line = context.linePx();
    const QRgb band =
        mixed(palette.ink(Ink::Text), palette.ink(Ink::Ground), palette.isDark() ? 0.05 : 0.025);
    const auto rows = context.scene.layout->rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int top = static_cast<int>(std::lround(rows[i].y * scale)) - scroll;
        const int bottom = static_cast<int>(std::lround((rows[i].y + rows[i].height) * scale)) - scroll;
        if (bottom <= 0 || top >= target.height)
            continue;
        if (rows[i].kind == RowKind::GroupHead && style == RendererStyle::Rows::Window)
            target.fill(QRect(0, top, target.width, bottom - top), band);
        const bool strong = style == RendererStyle::Rows::Window &&
                            (i + 1 == rows.size() || rows[i + 1].kind != RowKind::Lane);
        if (style == RendererStyle::Rows::Window || i + 1 < rows.size())
            target.fill(QRect(0, bottom - line, target.width, line),
                        palette.ink(strong ? Ink::Border : Ink::InnerLine));
    }
}

// Ground, selected time and grid: all that is the same on every line.
void paintColumns(const BackgroundTarget& target, const PaintContext& context) {
    const ThemePalette& palette = context.palette;
    target.fill(QRect(0, 0, target.width, target.height), palette.ink(Ink::Ground));
    const auto [x0, x1] = context.selectedPixels();
    const auto column = [&target](int x, int width, QRgb colour) {
        target.fill(QRect(x, 0, width, target.height), colour);
    };
    if (x0 < x1)
        column(x0, x1 - x0, context.tintedGround());
    for (const double x : gridLines(context.frame(), context.scene.axis))
        column(static_cast<int>(std::lround(x * context.scale())), context.linePx(),
               palette.ink(Ink::InnerLine));
    if (x0 < x1) { // edges of the selected time
        const Ink role = context.scene.emphasis.timeIsGap ? Ink::Gap : Ink::Selection;
        const QRgb edge = mixed(palette.ink(role), palette.ink(Ink::Ground), 0.3);
        const Viewport& view = context.frame().viewport;
        if (context.scene.emphasis.time->begin >= view.begin)
            column(x0, context.linePx(), edge);
        if (context.scene.emphasis.time->end <= view.range().end)
            column(x1 - context.linePx(), context.linePx(), edge);
    }
}

GroundPlan groundOf(const PaintContext& context, int width, int height, RendererStyle::Rows style) {
    GroundPlan plan;
    plan.columns.resize(static_cast<std::size_t>(width));
    plan.solid.resize(static_cast<std::size_t>(height));
    Canvas line;
    line.pixels = plan.columns.data();
    line.stride = line.width = width;
    line.height = 1;
    paintColumns({[&line](const QRect& rect, QRgb colour) { line.fill(rect, colour); }, width, height},
                 context);
    paintRows({[&plan, height](const QRect& rect, QRgb colour) {
                   for (int y = std::max(0, rect.top()); y <= std::min(height - 1, rect.bottom()); ++y)
                       plan.solid[static_cast<std::size_t>(y)] = colour;
               },
               width, height},
              context, style);
    return plan;
}

// 2 px in the selection colour with 1 px of air around the target.
void outline(QPainter& painter, const QRect& target, const PaintContext& context) {
    if (target.isEmpty())
        return;
    const QRectF view(-8, -8, context.frame().viewport.widthPx / context.scale() + 16,
                      context.frame().heightPx / context.scale() + 16);
    const QRectF rect = logical(target, context.scale()).intersected(view);
    if (rect.isEmpty())
        return;
    strokeInside(painter, rect.adjusted(-3, -3, 3, 3), 2, context.palette.ink(Ink::Selection));
}

void paintOutlines(QPainter& painter, const PaintContext& context) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const TimeRange view = context.frame().viewport.range();
    for (const EventId event : context.scene.emphasis.outlined) { // all events behind a table's row, perhaps
        const TimeRange range = context.scene.trace->events().range(event);
        if (range.end >= view.begin && range.begin <= view.end)
            outline(painter, context.rectOf(event), context);
    }
    if (context.scene.emphasis.gap)
        for (const QRect& rect : context.rectsOf(context.scene.emphasis.gap))
            outline(painter, rect, context);
}

} // namespace

TimelineRenderer::TimelineRenderer(const ThemePalette& palette, const FigureFonts& fonts,
                                   const RendererStyle& style)
    : m_palette(palette), m_fonts(fonts), m_style(style), m_painters(builtinPainters()),
      m_labels(fonts.style(Face::Medium, style.labelPx)),
      m_dimLabels(fonts.style(Face::Regular, style.labelPx)), m_stamps(m_labels.style()),
      m_dimStamps(m_dimLabels.style()) {}

PaintContext TimelineRenderer::contextFor(const TimelineScene& scene) const {
    if (m_roles.bind(*scene.trace)) {
        m_labels.clear();
        m_dimLabels.clear();
        m_colours.clear();
    }
    m_labels.setLook(scene.look);
    m_dimLabels.setLook(scene.look);
    m_colours.bind(*scene.trace, scene.look == nullptr ? ColourBy::Kind : scene.look->colourBy,
                   m_palette.theme());
    return {scene, m_palette, m_fonts, m_labels, m_dimLabels, m_roles, m_colours, m_stamps, m_dimStamps};
}

QImage TimelineRenderer::paintLanes(const TimelineScene& scene) const {
    const QSize size(std::max(1, scene.frame->viewport.widthPx), std::max(1, scene.frame->heightPx));
    // Memory that was never touched costs more than all that is painted: the last picture's is used again
    // once nobody holds it.
    if (m_picture.size() != size || !m_picture.isDetached())
        m_picture = largePicture(size);
    paintLanes(scene, m_picture);
    return m_picture;
}

void TimelineRenderer::paintLanes(const TimelineScene& scene, QImage& into) const {
    into.setDevicePixelRatio(scene.frame->scale);
    PaintContext context = contextFor(scene);
    const Canvas canvas(into);
    context.canvas = &canvas;
    paintLanePicture(canvas, groundOf(context, canvas.width, canvas.height, m_style.rows), m_painters,
                     context);
    QPainter painter(&into);
    paintMarks(painter, context);
}

void TimelineRenderer::drawLanes(QPainter& painter, const TimelineScene& scene, double overlapPx) const {
    const Frame& frame = *scene.frame;
    const PaintContext context = contextFor(scene);
    const QRect view(0, 0, frame.viewport.widthPx, frame.heightPx);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const BackgroundTarget target{[&](const QRect& rect, QRgb colour) {
                                      if (const QRect cut = rect & view; !cut.isEmpty())
                                          painter.fillRect(logical(cut, frame.scale),
                                                           QColor::fromRgb(colour));
                                  },
                                  view.width(), view.height()};
    paintColumns(target, context);
    paintRows(target, context, m_style.rows);
    for (const LaneFrame& lane : frame.lanes)
        if (const LanePainter* lanePainter = painterFor(m_painters, scene.trace->lane(lane.lane).kind))
            lanePainter->drawBars(painter, lane, context, overlapPx);
    paintMarks(painter, context);
}

// All that is painted over the bars.
void TimelineRenderer::paintMarks(QPainter& painter, const PaintContext& context) const {
    const TimelineScene& scene = context.scene;
    paintGapMarks(painter, context);
    paintHighlights(painter, context);
    paintPath(painter, context);
    paintArrows(painter, context);
    for (const LaneFrame& lane : scene.frame->lanes)
        if (const LanePainter* lanePainter = painterFor(m_painters, scene.trace->lane(lane.lane).kind))
            lanePainter->paintLabels(painter, lane, context);
    paintSearchHits(painter, context);
    paintTags(painter, context);
    paintGapLabels(painter, context);
    if (m_style.outlines)
        paintOutlines(painter, context);
    paintMeasurement(painter, context);
    paintArrowChips(painter, context);
    paintAnnotations(painter, context);
    if (!scene.calloutsApart)
        paintCallouts(painter, context);
}

void TimelineRenderer::paintCalloutsOver(QPainter& painter, const TimelineScene& scene) const {
    paintCallouts(painter, contextFor(scene));
}

void TimelineRenderer::paintHover(QPainter& painter, const TimelineScene& scene,
                                  const HoverMarks& marks) const {
    const PaintContext context = contextFor(scene);
    const double scale = scene.frame->scale, height = scene.frame->heightPx / scale;
    const QRgb selection = m_palette.ink(Ink::Selection);
    if (marks.band) {
        const double x0 = scene.frame->viewport.xOf(marks.band->begin) / scale;
        const double x1 = scene.frame->viewport.xOf(marks.band->end) / scale;
        QColor fill = QColor::fromRgb(selection);
        fill.setAlphaF(0.12f);
        painter.fillRect(QRectF(x0, 0, x1 - x0, height), fill);
        crispFill(painter, QRectF(x0, 0, 1, height), selection);
        crispFill(painter, QRectF(x1 - 1, 0, 1, height), selection);
    }
    if (marks.cursorX >= 0)
        crispFill(painter, QRectF(marks.cursorX, 0, 1, height), m_palette.ink(Ink::Border));
    paintThinArrows(painter, context, marks.arrows);
    if (const QRect rect = context.rectOf(marks.event); !rect.isEmpty())
        strokeInside(painter, logical(rect, scale).adjusted(-1, -1, 1, 1), 1, m_palette.ink(Ink::Text));
    if (marks.gap)
        for (const QRect& rect : context.rectsOf(marks.gap))
            strokeInside(painter, logical(rect, scale).adjusted(-1, -1, 1, 1), 1, m_palette.ink(Ink::Gap));
}

void TimelineRenderer::paintHeads(QPainter& painter, const TimelineScene& scene, double width) const {
    paintHeadColumn(painter, contextFor(scene), width);
}

void TimelineRenderer::paintRuler(QPainter& painter, const TimelineScene& scene, const QRectF& rect) const {
    paintRulerStrip(painter, contextFor(scene), rect);
}

std::vector<CalloutPlace> TimelineRenderer::placeCallouts(const TimelineScene& scene) const {
    std::vector<CalloutPlace> places = annotationPlaces(scene, m_fonts);
    for (const CalloutPlace& place : calloutPlaces(scene, m_fonts)) // on top
        places.push_back(place);
    return places;
}

QRectF TimelineRenderer::foldTriangle(const TimelineRow& row, double scrollPx) {
    if (!row.foldable)
        return {};
    constexpr double kX = 6, kSize = 18;
    const double middle = row.kind == RowKind::GroupHead || row.height <= 30
                              ? (row.height - 1) / 2.0
                              : row.stripTop + std::max(row.stripHeight, 17) / 2.0;
    return {kX, row.y - scrollPx + middle - kSize / 2, kSize, kSize};
}

} // namespace lacuna::ui
