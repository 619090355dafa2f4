#pragma once
// Version, what Lacuna is built on, and the licences that come with it.

#include <QDialog>

namespace lacuna::ui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

} // namespace lacuna::ui
