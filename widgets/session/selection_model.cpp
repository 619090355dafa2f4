#include "widgets/session/selection_model.h"

namespace lacuna::ui {

// One thing alone.
void SelectionModel::put(const Selection& current) {
    m_current = current;
    m_events.clear();
    if (const auto* event = std::get_if<EventId>(&current))
        m_events.push_back(*event);
}

void SelectionModel::set(const Selection& next, Origin origin) {
    if (const auto* range = std::get_if<TimeRange>(&next)) {
        if (m_range == *range && std::holds_alternative<std::monostate>(m_current))
            return;
        m_range = *range;
        put({});
    } else {
        if (next == m_current && m_events.size() < 2)
            return;
        put(next);
    }
    Q_EMIT changed(origin);
}

void SelectionModel::setEvents(const std::vector<EventId>& events, Origin origin) {
    if (events == m_events)
        return;
    m_events = events;
    m_current = events.empty() ? Selection{} : Selection{events.back()};
    Q_EMIT changed(origin);
}

void SelectionModel::toggle(EventId event, Origin origin) {
    std::vector<EventId> events = m_events;
    if (std::erase(events, event) == 0)
        events.push_back(event);
    setEvents(events, origin);
}

void SelectionModel::markBeside(TimeRange range, Origin origin) {
    if (m_range == range)
        return;
    m_range = range;
    Q_EMIT changed(origin);
}

void SelectionModel::clearRange(Origin origin) {
    if (!m_range)
        return;
    m_range.reset();
    Q_EMIT changed(origin);
}

bool SelectionModel::dropOne(Origin origin) {
    if (!std::holds_alternative<std::monostate>(m_current)) {
        put({});
        Q_EMIT changed(origin);
        return true;
    }
    if (!m_range)
        return false;
    clearRange(origin);
    return true;
}

void SelectionModel::clear(Origin origin) {
    if (std::holds_alternative<std::monostate>(m_current) && !m_range)
        return;
    put({});
    m_range.reset();
    Q_EMIT changed(origin);
}

void SelectionModel::replace(const Selection& current, const std::optional<TimeRange>& range, Origin origin) {
    if (current == m_current && range == m_range && m_events.size() < 2)
        return;
    put(current);
    m_range = range;
    Q_EMIT changed(origin);
}

EventId SelectionModel::event() const {
    const auto* event = std::get_if<EventId>(&m_current);
    return event != nullptr ? *event : EventId{};
}

GapId SelectionModel::gap() const {
    const auto* gap = std::get_if<GapId>(&m_current);
    return gap != nullptr ? *gap : GapId{};
}

} // namespace lacuna::ui
