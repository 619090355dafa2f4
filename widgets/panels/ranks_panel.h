#pragma once
// The ranks of one run that are open in tabs, as a panel.

class QWidget;

namespace lacuna::ui {

class Panel;
struct PanelContext;
Panel* makeRanksPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
