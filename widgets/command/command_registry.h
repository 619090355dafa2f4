#pragma once
// Every action of the program with a stable id, its keys and what it does. Menus, shortcuts and the list of
// keys are views of it, so nothing is reachable by mouse alone. Owners register their commands; the registry
// owns the QActions.

#include <QAction>
#include <QKeySequence>
#include <QMap>
#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

namespace lacuna::ui {

struct Command {
    QString id;               // "timeline.zoomIn"
    QString group;            // heading in the list of keys: "Move", "Gaps"
    QString title;            // as in menus, with its mnemonic
    QList<QKeySequence> keys; // unless a person chose others: CommandRegistry::keys()
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
    // Without mnemonic and dots: "Zoom in".
    static QString plainTitle(const Command& command);

    // --- keys: those of the command, or those that a person chose
    const QList<QKeySequence>& keys(const QString& id) const; // none for an unknown id
    QString keyText(const QString& id) const;                 // "W,  +"; empty when it has none
    // The other command that has this key already; empty: none.
    QString holderOf(const QKeySequence& key, const QString& otherThan = {}) const;
    // Its keys from now on. A key that another command has is taken from it: one key never does two things.
    void setKeys(const QString& id, const QList<QKeySequence>& keys);
    void resetKeys(const QString& id); // back to its own, taken from whoever has them
    void resetAllKeys();
    // Differences from the commands' own keys, for the settings: id -> keys as portable text, "; " between.
    using KeyChanges = QMap<QString, QString>;
    KeyChanges keyChanges() const;
    // Of the settings; ids and keys that are not known are ignored, and of a key given twice the first holds.
    void applyKeyChanges(const KeyChanges& changes);

Q_SIGNALS:
    void keysChanged();

private:
    std::size_t indexOf(const QString& id) const; // m_commands.size(): unknown
    void take(const QKeySequence& key, std::size_t except);
    void put(std::size_t command, const QList<QKeySequence>& keys);

    QWidget* m_window;
    std::vector<Command> m_commands;
    std::vector<QAction*> m_actions;         // beside m_commands
    std::vector<QList<QKeySequence>> m_keys; // beside m_commands
};

} // namespace lacuna::ui
