#include "widgets/command/command_registry.h"

#include <QWidget>

#include <utility>

namespace lacuna::ui {

CommandRegistry::CommandRegistry(QWidget* window) : QObject(window), m_window(window) {}

QAction* CommandRegistry::add(Command command) {
    auto* action = new QAction(command.title, this);
    action->setObjectName(command.id);
    action->setShortcuts(command.keys);
    action->setAutoRepeat(command.repeats);
    action->setCheckable(static_cast<bool>(command.checked));
    action->setShortcutContext(command.scope == nullptr ? Qt::WindowShortcut
                                                        : Qt::WidgetWithChildrenShortcut);
    (command.scope == nullptr ? m_window : command.scope)->addAction(action);
    connect(action, &QAction::triggered, this, [this, run = command.run] {
        run();
        refresh(); // a switch shows what is, not what was clicked
    });
    m_commands.push_back(std::move(command));
    m_actions.push_back(action);
    return action;
}

QAction* CommandRegistry::action(const QString& id) const {
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        if (m_commands[i].id == id)
            return m_actions[i];
    return nullptr;
}

bool CommandRegistry::run(const QString& id) {
    QAction* found = action(id);
    if (found == nullptr || !found->isEnabled())
        return false;
    found->trigger();
    return true;
}

void CommandRegistry::refresh() {
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        if (m_commands[i].available)
            m_actions[i]->setEnabled(m_commands[i].available());
        if (m_commands[i].checked)
            m_actions[i]->setChecked(m_commands[i].checked());
    }
}

} // namespace lacuna::ui
