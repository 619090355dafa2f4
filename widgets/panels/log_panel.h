#pragma once
// The investigation log as a panel.

class QWidget;

namespace lacuna::ui {

class Panel;
struct PanelContext;
Panel* makeLogPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
