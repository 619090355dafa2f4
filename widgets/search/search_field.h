#pragma once
// The field at the top of the window: a search, or, by its first character, a command, a time or a lane. It
// knows nothing of what these do; it passes on what is typed and the keys that a list below it needs.

#include "widgets/theme/theme_palette.h"

#include <QLineEdit>

namespace lacuna::ui {

class SearchField : public QLineEdit {
    Q_OBJECT
public:
    explicit SearchField(const ThemePalette& palette, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    // Stands at the right end: the shortcut while the field is empty, else the state of the search.
    void setNote(const QString& note, bool isProblem = false);
    const QString& note() const { return m_note; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void entered(bool backwards);
    void moved(int rows); // up and down in the list
    void left();          // Escape

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    ThemePalette m_palette;
    QString m_note;
    bool m_isProblem = false;
};

} // namespace lacuna::ui
