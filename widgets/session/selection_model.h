#pragma once
// What is selected: one thing (event, gap or lane) and, beside it, a time range. Events can be added to an
// event (Ctrl+click): the last one added is the thing. One writer API, one signal; setting what is already
// set does nothing, which breaks feedback loops between views.

#include "core/view/selection.h"

#include <QObject>

#include <optional>
#include <vector>

namespace lacuna::ui {

// Who changed the selection: views do not scroll themselves to what was clicked in them.
enum class Origin { Timeline, Table, Inspector, Overview, Command, Session };

class SelectionModel : public QObject {
    Q_OBJECT
public:
    explicit SelectionModel(QObject* parent = nullptr) : QObject(parent) {}

    const Selection& current() const { return m_current; } // never a TimeRange
    const std::optional<TimeRange>& range() const { return m_range; }

    // A TimeRange sets the range and drops the thing; anything else leaves the range alone.
    void set(const Selection& next, Origin origin);
    void clearRange(Origin origin);
    void markBeside(TimeRange range, Origin origin); // the thing stays
    // Adds an event, or takes one that is chosen away. Nothing chosen or no event: selects it.
    void toggle(EventId event, Origin origin);
    // These events are the thing, the last one current; the range alone.
    void setEvents(const std::vector<EventId>& events, Origin origin);
    // Drops the thing; where there is none, the range. False when there was nothing to drop.
    bool dropOne(Origin origin);
    void clear(Origin origin);
    // Thing and range at once: what was selected, in the terms of another document.
    void replace(const Selection& current, const std::optional<TimeRange>& range, Origin origin);

    EventId event() const; // none unless an event is selected; of several the last one chosen
    const std::vector<EventId>& events() const { return m_events; } // in the order of their choice
    GapId gap() const;                                              // none unless a gap is selected

Q_SIGNALS:
    void changed(lacuna::ui::Origin origin);

private:
    void put(const Selection& current);

    Selection m_current;
    std::vector<EventId> m_events; // the current event last; empty unless it is one
    std::optional<TimeRange> m_range;
};

} // namespace lacuna::ui
