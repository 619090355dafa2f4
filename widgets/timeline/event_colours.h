#pragma once
// Colours of events where they mean something else than the kind. Kept by one renderer for one trace, meaning
// and theme.

#include "core/view/event_look.h"
#include "widgets/theme/group_colours.h"

#include <optional>
#include <vector>

namespace lacuna::ui {

class EventColours {
public:
    void bind(const Trace& trace, ColourBy by, Theme theme);
    void clear() { m_groups.reset(); }
    bool isOn() const { return m_groups.has_value(); }
    // While isOn(); amortised as EventGroups::groupOf().
    QRgb colourOf(EventId event);
    // For legends: the groups that were asked for so far.
    EventGroups* groups() { return m_groups ? &*m_groups : nullptr; }

private:
    std::optional<EventGroups> m_groups;
    const Trace* m_trace = nullptr;
    Theme m_theme = Theme::Light;
    std::vector<QRgb> m_colours; // by group
};

} // namespace lacuna::ui
