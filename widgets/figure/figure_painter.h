#pragma once
// A view as a figure: title, ruler, lanes with heads, callouts, legend of what is in view, provenance. Equal
// input gives equal pixels on every machine, platform plug-in, screen scale and font configuration. Files of
// it are made by figure_formats.h.

#include "core/analysis/gap_analysis.h"
#include "core/analysis/step_caption.h"
#include "core/base/result.h"
#include "core/document/annotations.h"
#include "core/view/event_look.h"
#include "core/view/row_layout.h"
#include "core/view/time_axis.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <functional>
#include <map>
#include <string>

namespace lacuna::ui {

struct FigureInput {
    const Trace* trace = nullptr;
    const GapAnalysis* gaps = nullptr; // null: no gap marks
    TimeRange range;                   // shown from edge to edge
    LayoutOptions layout;              // folds and plan as in the window
    EventLook look;                    // colours and names as in the window
    TimeAxis axis;                     // what its times count from
    std::int32_t scrollPx = 0;         // first visible content row, logical pixels
    GapId gap;                         // tinted gap; none
    const AnnotationSet* annotations = nullptr;
    QString title, subtitle; // empty: made from the trace
    StepCaption steps;       // what was said of steps; an empty text: nothing
    // What a person said of them, by the keys of core/settings, for the embedded view.
    std::map<std::string, std::string, std::less<>> stepSettings;
    QString sha256;         // lower-case hex of the file; empty: left out
    QSize size{1920, 1080}; // logical pixels, the whole picture; height 0: as high as the content needs
    double scale = 1.0;     // 0.5 to 8
    Theme theme = Theme::Light;
    // Names of ranges, marks and Python frames, given names, the file's name and authors are not told; the
    // view, which holds such names, is not embedded then.
    bool hideUserNames = false;
    bool showTitle = true, showAxis = true, showLegend = true, showCallouts = true, showProvenance = true;
    // Of the file, not of the picture: title and alt text; the view, so that the file opens again.
    bool altText = true, embedView = true;
    bool holdsView() const { return embedView && !hideUserNames; }
};

// Largest side in device pixels.
inline constexpr int kMaxFigureSide = 16'384;

// Checks size, scale and range; the message is for people.
Status checkFigure(const FigureInput& input);
// Needs a QGuiApplication and a checked input.
QImage paintFigure(const FigureInput& input, const FigureFonts& fonts);

// Title and subtitle that an empty FigureInput gets: "host work keeps GPU 0 idle for 2.491 ms".
QString defaultFigureTitle(const FigureInput& input);
QString defaultFigureSubtitle(const FigureInput& input);

} // namespace lacuna::ui
