#include "widgets/session/selection_model.h"

namespace lacuna::ui {

void SelectionModel::set(const Selection& next, Origin origin) {
    if (const auto* range = std::get_if<TimeRange>(&next)) {
        if (m_range == *range && std::holds_alternative<std::monostate>(m_current))
            return;
        m_range = *range;
        m_current = {};
    } else {
        if (next == m_current)
            return;
        m_current = next;
    }
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
        m_current = {};
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
    m_current = {};
    m_range.reset();
    Q_EMIT changed(origin);
}

void SelectionModel::replace(const Selection& current, const std::optional<TimeRange>& range, Origin origin) {
    if (current == m_current && range == m_range)
        return;
    m_current = current;
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
