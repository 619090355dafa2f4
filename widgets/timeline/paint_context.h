#pragma once
// What a lane painter may read while it paints, and the few primitives that all painters share.

#include "core/analysis/critical_path.h"
#include "core/analysis/gap_analysis.h"
#include "core/document/annotations.h"
#include "core/view/event_look.h"
#include "core/view/frame.h"
#include "core/view/row_layout.h"
#include "core/view/time_axis.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/emphasis.h"
#include "widgets/timeline/event_colours.h"
#include "widgets/timeline/label_cache.h"
#include "widgets/timeline/label_stamps.h"
#include "widgets/timeline/measurement.h"
#include "widgets/timeline/role_cache.h"

#include <QImage>
#include <QRect>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lacuna {
class Crew;
class SearchHits;
} // namespace lacuna

namespace lacuna::ui {

// A word at an event, in a box of its own.
struct RowTag {
    EventId event;
    QString text;
    friend bool operator==(const RowTag&, const RowTag&) = default;
};

// All that is drawn in one frame of the timeline. Borrowed pointers, valid during the call only.
struct TimelineScene {
    const Trace* trace = nullptr;
    const RowLayout* layout = nullptr;
    const Frame* frame = nullptr;
    const GapAnalysis* gaps = nullptr; // null: not computed yet
    Emphasis emphasis;
    std::vector<GapPin> pins;
    std::optional<Measurement> measured;        // between two selected events; none: not shown
    const AnnotationSet* annotations = nullptr; // null: none shown
    std::uint32_t selectedCallout = 0;          // id; 0 = none
    const EventLook* look = nullptr;            // null: colours by kind, short names
    TimeAxis axis;                              // what times count from
    std::string currentRow;                     // key of the row that lane commands act on; empty: none
    const CriticalPath* path = nullptr;         // null: not shown
    const SearchHits* search = nullptr;         // null: nothing is looked for
    const std::vector<RowTag>* tags = nullptr;  // null: none
    Crew* crew = nullptr;                       // paints lanes side by side; null: one after the other
    bool calloutsApart = false;                 // painted by paintCalloutsOver(), over the pinned rows
};

inline constexpr double kDimShare = 0.45;      // what does not belong to the selected gap
inline constexpr double kDimLabelShare = 0.82; // its labels: text colour over the dimmed fill
inline constexpr double kMinCoverage = 0.25;   // any touched pixel shows

struct PaintContext {
    const TimelineScene& scene;
    const ThemePalette& palette;
    const FigureFonts& fonts;
    LabelCache& labels;    // full-strength labels
    LabelCache& dimLabels; // labels on dimmed bars
    RoleCache& roles;
    EventColours& colours;
    LabelStamps &stamps, &dimStamps; // of labels and dimLabels
    // The pixels below the painter, where it paints into an image without clip; null: vector formats.
    const Canvas* canvas = nullptr;

    const Frame& frame() const { return *scene.frame; }
    double scale() const { return scene.frame->scale; }
    int linePx() const; // a line of one logical pixel in device pixels
    // As inkOf(), with the call that drained the selected gap's queue as a waiting one.
    Ink roleOf(EventId event) const {
        return event == scene.emphasis.drainedBy ? Ink::Wait : roles.roleOf(*scene.trace, event);
    }
    // Fill of an event at full coverage: its role's or its group's colour, dimmed when it does not belong to
    // the selection.
    QRgb fillOf(EventId event) const;
    // Text on an undimmed fill.
    QRgb labelOn(EventId event) const;
    // A label at full strength or dimmed, over what is expected to be all `fill`.
    void drawLabel(QPainter& painter, bool isDim, QPointF baseline, const FittedLabel& label, QRgb ink,
                   QRgb fill) const;
    // Device pixels [first, second) of the selected time, cut to the view; empty when none.
    std::pair<int, int> selectedPixels() const;
    QRgb tintedGround() const;
    // Where an event of the view stands, device pixels; null when its lane or strip is not visible. The
    // rectangle may reach outside the view.
    QRect rectOf(EventId event) const;
    // Visible part of a gap mark's stream rows that show this gap.
    std::vector<QRect> rectsOf(GapId gap) const;
};

// Device rectangle to the painter's logical one.
inline QRectF logical(const QRect& device, double scale) {
    return {device.x() / scale, device.y() / scale, device.width() / scale, device.height() / scale};
}

// Fill on whole device pixels, at least one wide and high: a line of one pixel keeps its strength at any
// scale.
void crispFill(QPainter& painter, const QRectF& rect, QRgb colour);
// Frame of the given thickness inside rect, as four fills without antialiasing.
void strokeInside(QPainter& painter, const QRectF& rect, double thickness, QRgb colour);

} // namespace lacuna::ui
