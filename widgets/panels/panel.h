#pragma once
// A panel beside or below the timeline. Adding one is a file with a Panel and a line in builtin.cpp: its
// place, tab and command follow. A tab of reports is the line alone.

#include "widgets/panels/report_tabs.h"
#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QKeySequence>
#include <QList>
#include <QVariantMap>
#include <QWidget>

#include <span>

namespace lacuna::ui {

class CommandRegistry;
class SearchSession;

// All of it outlives the panels.
struct PanelContext {
    AnalysisSession& session;
    TimelineViewModel& view;
    CommandRegistry& commands;
    SearchSession& search;
};

class Panel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual QString title() const = 0;
    virtual void setThemePalette(const ThemePalette& palette) = 0;
    // Widgets for the right end of the tab bar while the panel is shown there; may be null. Owned by the
    // panel.
    virtual QWidget* tabTools() { return nullptr; }
    // Takes the keyboard: the first thing in it that a key can act on.
    virtual void takeFocus() { setFocus(); }
    // What a person has set in it, for the panel that takes its place when the widgets are made anew (another
    // text size), and how it gets it back. These are for everything that has an object name: fields, choices,
    // sliders, the tools among them. Overrides add to it what only they know.
    virtual QVariantMap kept() const;
    virtual void restore(const QVariantMap& kept);

protected:
    // Nothing is computed for a panel that is hidden: it is stale then, and brought up to date when it is
    // shown.
    void setStale(bool isStale) { m_isStale = isStale; }
    bool isStale() const { return m_isStale; }
    virtual void bringUpToDate() {}
    void showEvent(QShowEvent* event) override;

private:
    bool m_isStale = false;
};

enum class PanelHome : std::uint8_t { Side, Bottom };

struct PanelEntry {
    const char* id; // stable; object name of the panel
    PanelHome home;
    Panel* (*make)(const PanelContext& context, QWidget* parent); // null: `reports`
    ReportTab reports = {};
    // Below the timeline, of those that have no tab until they are opened: they stand in the list behind the
    // tabs.
    bool isExtra = false;

    Panel* makePanel(const PanelContext& context, QWidget* parent) const;
};
std::span<const PanelEntry> builtinPanels(); // builtin.cpp
// Alt and the place among the tabs below, 0 the tenth, which brings the panel forward; empty beside the
// timeline and for further tabs.
QList<QKeySequence> tabKeys(QStringView id);

Panel* makeInspectorPanel(const PanelContext& context, QWidget* parent);
Panel* makeFlamePanel(const PanelContext& context, QWidget* parent);
Panel* makeGapsPanel(const PanelContext& context, QWidget* parent);
Panel* makeKernelsPanel(const PanelContext& context, QWidget* parent);
Panel* makeSearchPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
