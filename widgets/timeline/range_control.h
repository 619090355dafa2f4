#pragma once
// Ranges of time by command: from the selection, measured between two events, kept as a mark; spans that do
// the same; bookmarks. What a command found is told by said(), in one line.

#include "core/analysis/alike_spans.h"
#include "widgets/session/job_slot.h"
#include "widgets/timeline/measurement.h"
#include "widgets/timeline/timeline_view.h"

#include <QObject>

namespace lacuna::ui {

class CommandRegistry;

class RangeControl : public QObject {
    Q_OBJECT
public:
    // Belongs to the view.
    RangeControl(TimelineView& view, CommandRegistry& registry);

    const AlikeSpans& alike() const { return m_alike; }
    // The span after or before the marked range; false when there is none.
    bool goToAlike(int direction);

Q_SIGNALS:
    void said(const QString& what);
    void alikeFound();

private:
    void registerRanges();
    void registerBookmarks();
    void markSelection();
    void keepAsMark();
    void measure();
    void show(const Measurement& m);
    void findAlikeSpans();
    void showAlike();

    TimelineView& m_view;
    TimelineViewModel& m_model;
    CommandRegistry& m_registry;
    std::optional<Measurement> m_shown; // told last
    EventId m_from;                     // of a measurement that waits for its other end
    AlikeSpans m_alike;
    JobSlot m_job; // last: its destructor waits
};

} // namespace lacuna::ui
