#include "app/step_control.h"

#include "app/theme_control.h"
#include "widgets/command/command_registry.h"
#include "widgets/panels/panel.h"
#include "widgets/settings/settings_dialog.h"
#include "widgets/text.h"

#include <QMainWindow>
#include <QVBoxLayout>

namespace lacuna::ui {

StepControl::StepControl(QMainWindow& window, StepsPanel& panel, const PanelContext& context,
                         ThemeControl& theme, QVBoxLayout& lanes, std::function<void()> showPanel)
    : QObject(&window), m_window(window), m_panel(panel), m_context(context), m_theme(theme),
      m_showPanel(std::move(showPanel)), m_strip(new StepStrip(panel.study(), theme.palette())) {
    lanes.insertWidget(0, m_strip);
    connect(&theme, &ThemeControl::changed, m_strip, [this] { m_strip->setThemePalette(m_theme.palette()); });
    connect(m_strip, &StepStrip::panelRequested, this, [this] {
        m_showPanel();
        m_panel.takeFocus();
    });
    connect(&panel.study(), &StepStudy::changed, this, [this] {
        m_context.commands.refresh();
        showTags();
    });
    connect(&panel.study().settings(), &SessionSettings::changed, this,
            [this] { m_context.commands.refresh(); });
    addCommands();
}

void StepControl::addCommands() {
    CommandRegistry& commands = m_context.commands;
    const auto open = [this] { return m_context.session.document() != nullptr; };
    const QString group = tr("Steps");
    const auto flip = [&](const QString& id, const QString& title, std::function<void()> run,
                          std::function<bool()> on) {
        commands.add({id, group, title, {}, std::move(run), open, nullptr, false, std::move(on)});
    };
    flip(
        u"view.stepStrip"_s, tr("Schedule and steps above the &lanes"),
        [this] {
            m_strip->setOn(!m_strip->isOn());
            showTags();
        },
        [this] { return m_strip->isOn(); });
    SessionSettings& settings = m_panel.study().settings();
    flip(
        u"steps.includeWarmUp"_s, tr("Statistics with the &warm-up"),
        [&settings] {
            const bool include = !settings.values()->includeWarmUp;
            settings.setOfTrace("warm_up", include ? "include" : "exclude",
                                include ? tr("Include the warm-up") : tr("Leave the warm-up out"));
        },
        [&settings] { return settings.values()->includeWarmUp; });
    flip(
        u"steps.startUpIsTarget"_s, tr("Start-up is my &target"),
        [&settings] {
            const bool isTarget = !settings.values()->startUpIsTarget;
            settings.setOfTrace("start_up", isTarget ? "target" : "leave-out",
                                isTarget ? tr("Start-up is the target") : tr("Start-up is left out"));
        },
        [&settings] { return settings.values()->startUpIsTarget; });
    commands.add({u"steps.panel"_s,
                  group,
                  tr("Steps: t&able, statistics, throughput"),
                  tabKeys(u"steps"),
                  [this] {
                      m_showPanel();
                      m_panel.takeFocus();
                  },
                  open,
                  nullptr,
                  false,
                  {}});
    commands.add({u"steps.enter"_s,
                  group,
                  tr("Enter samples, FLOP, &schedule..."),
                  {},
                  [this] {
                      m_showPanel();
                      m_panel.focusInputs();
                  },
                  open,
                  nullptr,
                  false,
                  {}});
    commands.add({u"steps.log"_s,
                  group,
                  tr("Compare with a timing &log..."),
                  {},
                  [this] {
                      m_showPanel();
                      m_panel.askForLog();
                  },
                  open,
                  nullptr,
                  false,
                  {}});
    commands.add({u"edit.settings"_s,
                  tr("File and edit"),
                  tr("&Thresholds and settings..."),
                  {},
                  [this] { showSettings(); },
                  {},
                  nullptr,
                  false,
                  {}});
}

// The longest row of each class of the start-up is tagged in its lane.
void StepControl::showTags() {
    const StepFacts* facts = m_panel.study().facts();
    std::vector<RowTag> tags;
    if (facts != nullptr && facts->startUp && m_strip->isOn())
        for (std::size_t c = 0; c < findings::kStartUpClasses; ++c)
            if (facts->startUpUses[c].rows > 0)
                tags.push_back({facts->startUpUses[c].longest,
                                text(findings::startUpTitle(static_cast<findings::StartUpClass>(c)))});
    const bool any = !tags.empty();
    m_panel.study().view().setStartUp(any ? facts->startUp : std::nullopt, std::move(tags));
}

void StepControl::showSettings() {
    auto* dialog = new SettingsDialog(m_panel.study().settings(), m_theme.palette(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace lacuna::ui
