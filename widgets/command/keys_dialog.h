#pragma once
// All keys and mouse gestures: what they are, and other keys for any command. A key that another command has
// already is shown with its owner before it is taken.

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lacuna::ui {

class CommandRegistry;

class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(CommandRegistry& commands, QWidget* parent = nullptr);

private:
    void fill();
    void addGestures();
    void filter(const QString& typed);
    void showCurrent();
    void showConflict();
    void assign(bool besideOthers);
    QString currentId() const;

    CommandRegistry& m_commands;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QLabel *m_what, *m_conflict;
    QKeySequenceEdit* m_key;
    QPushButton *m_set, *m_add, *m_clear, *m_reset;
};

} // namespace lacuna::ui
