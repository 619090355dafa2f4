#include "widgets/timeline/event_colours.h"

namespace lacuna::ui {

void EventColours::bind(const Trace& trace, ColourBy by, Theme theme) {
    if (theme != m_theme)
        m_colours.clear();
    m_theme = theme;
    if (by == ColourBy::Kind) {
        m_groups.reset();
        return;
    }
    if (m_groups && m_trace == &trace && m_groups->by() == by)
        return;
    m_trace = &trace;
    m_groups.emplace(trace, by);
    m_colours.clear();
}

QRgb EventColours::colourOf(EventId event) {
    const std::uint32_t number = m_groups->groupOf(event);
    while (m_colours.size() <= number)
        m_colours.push_back(
            groupColour(m_groups->group(static_cast<std::uint32_t>(m_colours.size())), m_theme));
    return m_colours[number];
}

} // namespace lacuna::ui
