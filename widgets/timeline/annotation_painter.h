#pragma once
// Annotations besides callouts: brackets over a range, arrows between two places, numbered pins, highlights,
// and in the window the frame of a redaction. All of it is geometry inside the view, since vector formats
// know no clipping.

#include "widgets/timeline/timeline_renderer.h"

#include <set>

namespace lacuna::ui {

// Where they can be clicked; in the order of the list. `edge` is 0: what is out of view is not among them.
std::vector<CalloutPlace> annotationPlaces(const TimelineScene& scene, const FigureFonts& fonts);
// Highlights, under the labels.
void paintHighlights(QPainter& painter, const PaintContext& context);
// The others, over everything but callouts.
void paintAnnotations(QPainter& painter, const PaintContext& context);

// Names that redactions hide: of the events of their lane that touch their range. Shown annotations or not: a
// name that was hidden once stays so in exports.
inline constexpr const char* kRedactedText = "\u2588\u2588\u2588\u2588";
std::set<StringId> redactedNames(const Trace& trace, const AnnotationSet& annotations);
// A text of an export with those names, and the short forms that labels and sentences use, blocked out.
QString redacted(QString text, const Trace& trace, const std::set<StringId>& names);
// Notes whose titles and texts are so; the same ids.
AnnotationSet redactedNotes(const AnnotationSet& notes, const Trace& trace, const std::set<StringId>& names);

} // namespace lacuna::ui
