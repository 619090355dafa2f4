#pragma once
// All keys and mouse gestures, from the registry and the fixed gestures of the timeline.

#include <QDialog>

namespace lacuna::ui {

class CommandRegistry;

class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(const CommandRegistry& commands, QWidget* parent = nullptr);
};

} // namespace lacuna::ui
