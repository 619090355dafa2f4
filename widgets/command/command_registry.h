#pragma once
// Every action of the program with a stable id, its keys and what it does. Menus, shortcuts and the list of
// keys are views of it, so nothing is reachable by mouse alone. Owners register their commands; the registry
// owns the QActions.

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

namespace lacuna::ui {

struct Command {
    QString id;    // "timeline.zoomIn"
    QString group; // heading in the list of keys: "Move", "Gaps"
    QString title; // as in menus, with its mnemonic
    QList<QKeySequence> keys;
    std::function<void()> run;
    std::function<bool()> available; // none: always
    QWidget* scope = nullptr;        // keys work while it or a child has the focus; null: in the whole window
    bool repeats = false;            // holding the key repeats
    std::function<bool()> checked;   // makes it a switch
};

class CommandRegistry : public QObject {
    Q_OBJECT
public:
    // Shortcuts belong to this window; it outlives the registry's use.
    explicit CommandRegistry(QWidget* window);

    QAction* add(Command command);
    QAction* action(const QString& id) const; // null when unknown
    // Runs it as a menu would; false when it is unknown or not available.
    bool run(const QString& id);
    // Asks every command whether it is available and on. Cheap; call it when document or selection change.
    void refresh();
    const std::vector<Command>& commands() const { return m_commands; }

private:
    QWidget* m_window;
    std::vector<Command> m_commands;
    std::vector<QAction*> m_actions; // beside m_commands
};

} // namespace lacuna::ui
