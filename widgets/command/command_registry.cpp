#include "widgets/command/command_registry.h"

#include "widgets/text.h"

#include <QStringList>
#include <QWidget>

#include <algorithm>
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
    m_keys.push_back(command.keys);
    m_commands.push_back(std::move(command));
    m_actions.push_back(action);
    return action;
}

std::size_t CommandRegistry::indexOf(const QString& id) const {
    std::size_t i = 0;
    while (i < m_commands.size() && m_commands[i].id != id)
        ++i;
    return i;
}

QAction* CommandRegistry::action(const QString& id) const {
    const std::size_t i = indexOf(id);
    return i < m_actions.size() ? m_actions[i] : nullptr;
}

QString CommandRegistry::plainTitle(const Command& command) {
    return QString(command.title).remove(u'&').remove(u"..."_s);
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

// --- keys

const QList<QKeySequence>& CommandRegistry::keys(const QString& id) const {
    static const QList<QKeySequence> kNone;
    const std::size_t i = indexOf(id);
    return i < m_keys.size() ? m_keys[i] : kNone;
}

QString CommandRegistry::keyText(const QString& id) const {
    QStringList all;
    for (const QKeySequence& key : keys(id))
        all << key.toString(QKeySequence::NativeText);
    return all.join(u",  "_s);
}

QString CommandRegistry::holderOf(const QKeySequence& key, const QString& otherThan) const {
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        if (m_commands[i].id != otherThan && m_keys[i].contains(key))
            return m_commands[i].id;
    return {};
}

void CommandRegistry::put(std::size_t command, const QList<QKeySequence>& keys) {
    m_keys[command] = keys;
    m_actions[command]->setShortcuts(keys);
}

void CommandRegistry::take(const QKeySequence& key, std::size_t except) {
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        if (i != except && m_keys[i].contains(key)) {
            QList<QKeySequence> left = m_keys[i];
            left.removeAll(key);
            put(i, left);
        }
}

void CommandRegistry::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    const std::size_t command = indexOf(id);
    if (command == m_commands.size() || m_keys[command] == keys)
        return;
    for (const QKeySequence& key : keys)
        take(key, command);
    put(command, keys);
    Q_EMIT keysChanged();
}

void CommandRegistry::resetKeys(const QString& id) {
    if (const std::size_t command = indexOf(id); command < m_commands.size())
        setKeys(id, QList<QKeySequence>(m_commands[command].keys));
}

void CommandRegistry::resetAllKeys() {
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        put(i, m_commands[i].keys);
    Q_EMIT keysChanged();
}

CommandRegistry::KeyChanges CommandRegistry::keyChanges() const {
    KeyChanges changes;
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        if (m_keys[i] != m_commands[i].keys)
            changes[m_commands[i].id] = QKeySequence::listToString(m_keys[i], QKeySequence::PortableText);
    return changes;
}

void CommandRegistry::applyKeyChanges(const KeyChanges& changes) {
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        put(i, m_commands[i].keys);
    // All that change let go of their keys first, so that two may have swapped theirs.
    for (auto change = changes.cbegin(); change != changes.cend(); ++change)
        if (const std::size_t command = indexOf(change.key()); command < m_commands.size())
            put(command, {});
    for (auto change = changes.cbegin(); change != changes.cend(); ++change) {
        const std::size_t command = indexOf(change.key());
        if (command == m_commands.size())
            continue;
        QList<QKeySequence> keys;
        for (const QKeySequence& key :
             QKeySequence::listFromString(change.value(), QKeySequence::PortableText))
            if (!key.isEmpty() && holderOf(key, change.key()).isEmpty() && !keys.contains(key))
                keys << key;
        put(command, keys);
    }
    Q_EMIT keysChanged();
}

} // namespace lacuna::ui
