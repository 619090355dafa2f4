#pragma once
// What times count from, as commands (View menu, palette) and as the menu of the corner beside the ruler. A
// base that the trace cannot give is greyed and says why.

#include "widgets/timeline/timeline_view.h"

#include <QObject>

namespace lacuna::ui {

class CommandRegistry;

class TimeBaseControl : public QObject {
    Q_OBJECT
public:
    // Belongs to the view.
    TimeBaseControl(TimelineView& view, CommandRegistry& registry);
    static QString commandOf(TimeBase base); // "view.timeSinceStart", ...

private:
    void showReasons();
    void showMenu(QPoint global);

    TimelineView& m_view;
    TimelineViewModel& m_model;
    CommandRegistry& m_registry;
};

} // namespace lacuna::ui
