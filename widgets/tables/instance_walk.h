#pragma once
// Walks the events behind a row of a table, by time or from the longest: "3 of 350", back and forward. Keys
// (J, Shift+J) act on the walk that is visible.

#include "core/trace/trace.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QToolButton;

namespace lacuna::ui {

class CommandRegistry;

class InstanceWalk : public QWidget {
    Q_OBJECT
public:
    // Adds the commands on first use; the window of `panel` is looked through for the walk that is visible.
    InstanceWalk(CommandRegistry& commands, QWidget* panel);

    // By start. An empty list hides the walk.
    void setInstances(std::shared_ptr<const Trace> trace, std::vector<EventId> byTime);
    const std::vector<EventId>& instances() const { return m_order; } // in the order of the walk
    void setByDuration(bool byDuration);
    bool isByDuration() const { return m_isByDuration; }
    // From `here` where it is one of the instances; else by time the first that starts after it, or the first
    // of all. None when there are none. At the ends it goes round.
    EventId next(EventId here, int direction) const;
    // The event that is selected now, for the count.
    void showPlace(EventId here);
    void step(int direction) { Q_EMIT wanted(direction); }

Q_SIGNALS:
    void wanted(int direction);

private:
    void sort();

    std::shared_ptr<const Trace> m_trace;
    std::vector<EventId> m_byTime, m_order;
    bool m_isByDuration = false;
    EventId m_here;
    QLabel* m_place;
    QToolButton* m_sorting;
};

} // namespace lacuna::ui
