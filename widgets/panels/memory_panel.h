#pragma once
// Memory in use, and what was in use at the peak, as a panel.

class QWidget;

namespace lacuna::ui {

class Panel;
struct PanelContext;
Panel* makeMemoryPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
