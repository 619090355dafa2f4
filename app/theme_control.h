#pragma once
// Light, dark or what the desktop says: sets palette, style sheet and font of the application; and whether
// anything in it moves by itself.

#include "app/window_state.h"
#include "widgets/theme/theme_palette.h"

#include <QObject>

#include <optional>

namespace lacuna::ui {

class ThemeControl : public QObject {
    Q_OBJECT
public:
    explicit ThemeControl(QObject* parent = nullptr); // needs the QApplication
    void choose(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    const ThemePalette& palette() const { return m_palette; }

    // Reduced: menus and controls appear without fading or sliding, the text cursor does not blink. The
    // desktop's wish holds whatever is chosen here.
    void setReducedMotion(bool reduced);
    bool isMotionChosen() const { return m_reducedByChoice; }
    bool isMotionReduced() const { return m_reducedByChoice || m_reducedByDesktop; }
    void setDesktopMotion(bool reduced);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    void applyMotion();
    ThemeChoice m_choice = ThemeChoice::Follow;
    ThemePalette m_palette;
    bool m_applying = false, m_reducedByChoice = false, m_reducedByDesktop = false;
    std::optional<bool> m_appliedMotion;
    int m_cursorFlashMs = 0; // of the desktop
};

} // namespace lacuna::ui
