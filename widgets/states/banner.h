#pragma once
// One message above the timeline: what happened, where and what to do. Never modal.

#include "widgets/theme/theme_palette.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace lacuna::ui {

class Banner : public QWidget {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr); // hidden until it has a message
    void setThemePalette(const ThemePalette& palette);
    // Plain text both. action empty: only Dismiss.
    void showMessage(const QString& message, const QString& detail, const QString& action);
    // Something to know rather than something wrong: in calm colours. action as above.
    void showFact(const QString& message, const QString& detail, const QString& action = {});
    void setDismissText(const QString& text); // "Dismiss" unless another one is set

Q_SIGNALS:
    void actionClicked();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void put(const QString& message, const QString& detail, const QString& action);

    ThemePalette m_palette;
    bool m_isFact = false;
    QLabel *m_message, *m_detail;
    QPushButton *m_action, *m_dismiss;
};

} // namespace lacuna::ui
