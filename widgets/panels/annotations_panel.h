#pragma once
// The list of annotations as a panel.

class QWidget;

namespace lacuna::ui {

class Panel;
struct PanelContext;
Panel* makeAnnotationsPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
