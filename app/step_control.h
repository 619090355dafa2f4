#pragma once
// The strip of schedule and steps above the lanes, the commands about steps and settings, and the dialog of
// all thresholds.

#include "widgets/panels/steps_panel.h"
#include "widgets/steps/step_strip.h"

#include <QObject>

#include <functional>

class QMainWindow;
class QVBoxLayout;

namespace lacuna::ui {

class ThemeControl;

class StepControl : public QObject {
    Q_OBJECT
public:
    // Puts the strip in front of what `lanes` holds. All of it outlives this.
    StepControl(QMainWindow& window, StepsPanel& panel, const PanelContext& context, ThemeControl& theme,
                QVBoxLayout& lanes, std::function<void()> showPanel);
    StepStrip& strip() { return *m_strip; }

private:
    void addCommands();
    void showTags();
    void showSettings();

    QMainWindow& m_window;
    StepsPanel& m_panel;
    PanelContext m_context;
    ThemeControl& m_theme;
    std::function<void()> m_showPanel;
    StepStrip* m_strip;
};

} // namespace lacuna::ui
