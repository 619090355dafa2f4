#pragma once
// A figure laid out: what stands where, and the frame of its lanes. Made once, then painted onto pixels or
// drawn onto a vector device; both show the same frame.

#include "core/document/annotations.h"
#include "core/view/frame.h"
#include "widgets/figure/figure_hidden.h"
#include "widgets/figure/figure_legend.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QRectF>

#include <vector>

namespace lacuna::ui {

// Everything that the placing of the parts needs; logical pixels.
struct FigurePlan {
    QSize size;
    QRectF axis, lanes, legend, notes;
    double rule = 0; // y of the line over the provenance, 0: none
    double line = 0; // y of the line under the lanes
    RowLayout layout;
    int leftOut = 0; // lanes
};

class FigureComposition {
public:
    // The input outlives the composition; needs a QGuiApplication and a checked input.
    FigureComposition(const FigureInput& input, const FigureFonts& fonts);
    FigureComposition(const FigureComposition&) = delete;
    FigureComposition& operator=(const FigureComposition&) = delete;

    QSize size() const { return m_plan.size; } // logical pixels
    const FigurePlan& plan() const { return m_plan; }
    const Frame& frame() const { return m_frame; }

    // The painter is in logical pixels on an image of the input's scale; lanes are an image of their own.
    void paint(QPainter& painter) const;
    // Onto a vector device, ground included. `overlapPx` (device pixels of the frame) as LanePainter says.
    void draw(QPainter& painter, double overlapPx) const;

private:
    void compose(double legendHeight, double notesHeight);
    void paintAround(QPainter& painter) const;

    const FigureInput& m_input;
    const FigureFonts& m_fonts;
    ThemePalette m_palette;
    TimelineRenderer m_renderer;
    HiddenNames m_hidden;
    EventLook m_look;              // with those blocked out
    AnnotationSet m_notes;         // the same of what they say
    std::vector<Callout> m_listed; // of them, those told under the picture
    FigurePlan m_plan;
    Frame m_frame;
    TimelineScene m_scene;
    Legend m_legend;
};

} // namespace lacuna::ui
