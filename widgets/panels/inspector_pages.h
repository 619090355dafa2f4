#pragma once
// The pages of the inspector, one for each thing that can be selected. A page is built from immutable results
// and thrown away with the selection; nothing in it updates itself.

#include "core/view/time_axis.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/session/analysis_session.h"

#include <functional>

namespace lacuna::ui {

struct FoundFindings; // widgets/session/findings_job.h
class RangeWork;      // widgets/session/range_work.h

struct PageContext {
    AnalysisSession& session;
    const ThemePalette& palette;
    // Selects something and brings it into view.
    std::function<void(const Selection&)> go;
    // Brings a time into view without selecting.
    std::function<void(TimeRange)> show;
    // Selects several rows: their page sums them up.
    std::function<void(const std::vector<EventId>&)> choose;
    // Marks a time, so that all figures and tables are of it, and goes to a gap in it (none: to the time).
    std::function<void(TimeRange, GapId)> mark;
    const FoundFindings* findings = nullptr; // null while they are looked for
    RangeWork* work = nullptr;               // of marked ranges
    TimeAxis axis = {};                      // what times count from
};

QWidget* makeGapPage(const PageContext& context, GapId gap);
QWidget* makeEventPage(const PageContext& context, EventId event);
// More than one, in the order of their choice.
QWidget* makeEventsPage(const PageContext& context, const std::vector<EventId>& events);
QWidget* makeRangePage(const PageContext& context, TimeRange range);
// Nothing selected: what keeps the GPU idle, worst first.
QWidget* makeFindingsPage(const PageContext& context);

} // namespace lacuna::ui
