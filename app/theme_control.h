#pragma once
// Light, dark or what the desktop says: sets palette, style sheet and font of the application.

#include "app/window_state.h"
#include "widgets/theme/theme_palette.h"

#include <QObject>

namespace lacuna::ui {

class ThemeControl : public QObject {
    Q_OBJECT
public:
    explicit ThemeControl(QObject* parent = nullptr); // needs the QApplication
    void choose(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    const ThemePalette& palette() const { return m_palette; }

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    ThemeChoice m_choice = ThemeChoice::Follow;
    ThemePalette m_palette;
    bool m_applying = false;
};

} // namespace lacuna::ui
