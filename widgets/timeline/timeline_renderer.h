#pragma once
// The one way from a Frame to pixels, used by the live window and by exported figures. Holds fonts, palette
// and the label cache; everything else comes with the scene. Sizes are logical pixels unless a name says
// device.

#include "widgets/timeline/lane_painter.h"

#include <QImage>
#include <QRectF>

class QPainter;

namespace lacuna::ui {

struct Measures { // of the mock-ups
    static constexpr int kRulerHeight = 26;
    static constexpr int kHeadWidth = 216;
    static constexpr int kFigureHeadWidth = 176;
    static constexpr int kFigureMargin = 40;
    static constexpr int kMinimapActivity = 22, kMinimapIdle = 22, kMinimapBlock = 56;
};

// Live marks over the base image: cheap, repainted when the pointer moves.
struct HoverMarks {
    EventId event;                 // outlined thinly; none
    GapId gap;                     // none
    double cursorX = -1;           // logical x in the lanes; < 0: none
    std::optional<TimeRange> band; // range being dragged
    std::vector<Arrow> arrows;     // of that event, thin
};

// Where a callout stands, in logical pixels of the lanes area.
struct CalloutPlace {
    std::uint32_t id = 0;
    QPointF anchor;
    QRectF box;
    bool inFoldedGroup = false;
    int edge = 0; // -1, +1: the anchor is left or right of the view and the box is a chip on that edge
};

struct RendererStyle {
    enum class Rows : std::uint8_t { Window, Figure }; // figures have no bands and no strong lines
    Rows rows = Rows::Window;
    double labelPx = 11.5;
    bool outlines = true; // of the selection
};

class TimelineRenderer {
public:
    TimelineRenderer(const ThemePalette& palette, const FigureFonts& fonts, const RendererStyle& style = {});

    const ThemePalette& palette() const { return m_palette; }
    const FigureFonts& fonts() const { return m_fonts; }
    void setPalette(const ThemePalette& palette) { m_palette = palette; }

    // The lanes, without heads: frame.viewport.widthPx x frame.heightPx device pixels, ratio frame.scale.
    // Grid, tint, bars, gap marks, arrows, labels, outlines, callouts.
    QImage paintLanes(const TimelineScene& scene) const;
    // The same into an image of that size and of Format_ARGB32_Premultiplied, whatever it holds; it may be a
    // part of a larger one.
    void paintLanes(const TimelineScene& scene, QImage& into) const;
    // The same as geometry for vector formats, painter at the top left of the lanes in logical pixels;
    // `overlapPx` as LanePainter::drawBars() says.
    void drawLanes(QPainter& painter, const TimelineScene& scene, double overlapPx) const;
    // The boxes that paintLanes() leaves out where the scene says so; painter at the top left of the lanes.
    void paintCalloutsOver(QPainter& painter, const TimelineScene& scene) const;
    // Over that image, painter at its top left in logical pixels.
    void paintHover(QPainter& painter, const TimelineScene& scene, const HoverMarks& marks) const;
    // Heads beside the lanes: frame.heightPx / frame.scale high, origin at the top left of the area.
    void paintHeads(QPainter& painter, const TimelineScene& scene, double width) const;
    // Ruler over the lanes; rect.left() is the left edge of the lanes. Selected time is a band with start,
    // duration and end.
    void paintRuler(QPainter& painter, const TimelineScene& scene, const QRectF& rect) const;

    std::vector<CalloutPlace> placeCallouts(const TimelineScene& scene) const;
    // Fold triangle of a row's head (row-relative to the heads area), for hit tests; empty when not foldable.
    static QRectF foldTriangle(const TimelineRow& row, double scrollPx);

    // For the painters that figures call by themselves.
    PaintContext contextFor(const TimelineScene& scene) const;

private:
    void paintMarks(QPainter& painter, const PaintContext& context) const;

    ThemePalette m_palette;
    FigureFonts m_fonts;
    RendererStyle m_style;
    LanePainterList m_painters;
    // The renderer belongs to one thread.
    mutable LabelCache m_labels, m_dimLabels;
    mutable LabelStamps m_stamps, m_dimStamps;
    mutable RoleCache m_roles;
    mutable EventColours m_colours;
    mutable QImage m_picture; // the last one, for its memory
};

// Small pictures that panels, legends and the minimap share; all in logical pixels.
// Gap swatch: lane background, hatch (spacing 5 when the rect is below 24 px high, else 6), frame.
void paintGapSwatch(QPainter& painter, const QRectF& rect, GapClass cls, const ThemePalette& palette);
// Kind swatch: filled square; waiting calls with their lines.
void paintKindSwatch(QPainter& painter, const QRectF& rect, Ink role, const ThemePalette& palette);
// Filled circle of the gap colour with a bold number.
void paintPin(QPainter& painter, QPointF centre, double radius, int number, const ThemePalette& palette,
              const FigureFonts& fonts, Ink role = Ink::Gap);
// Letter of a gap class in a small frame.
void paintLetterBox(QPainter& painter, const QRectF& rect, GapClass cls, const ThemePalette& palette,
                    const FigureFonts& fonts);

} // namespace lacuna::ui
