#include "app/theme_control.h"

#include "widgets/theme/flat_style.h"
#include "widgets/theme/style_sheet.h"
#include "widgets/theme/widget_fonts.h"

#include <QApplication>
#include <QEvent>

namespace lacuna::ui {

ThemeControl::ThemeControl(QObject* parent) : QObject(parent), m_palette(ThemePalette::of(Theme::Light)) {
    FigureFonts::load();
    m_cursorFlashMs = QApplication::cursorFlashTime();
    applyMotion();
    QApplication::setFont(uiFont(Face::Regular, 12.5));
    qApp->installEventFilter(this);
    apply();
}

void ThemeControl::setReducedMotion(bool reduced) {
    m_reducedByChoice = reduced;
    applyMotion();
}

void ThemeControl::setDesktopMotion(bool reduced) {
    m_reducedByDesktop = reduced;
    applyMotion();
}

void ThemeControl::applyMotion() {
    const bool isStill = isMotionReduced();
    if (m_appliedMotion == isStill)
        return;
    const bool isFirst = !m_appliedMotion.has_value();
    m_appliedMotion = isStill;
    QApplication::setStyle(new FlatStyle(isStill)); // owned by the application
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                                      Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        if (isStill)
            QApplication::setEffectEnabled(effect, false);
    QApplication::setCursorFlashTime(isStill ? 0 : m_cursorFlashMs);
    if (!isFirst)
        apply(); // a new style takes palette and sheet anew
}

void ThemeControl::choose(ThemeChoice choice) {
    if (choice == m_choice)
        return; // a sheet costs some 100 ms, even the one that is there
    m_choice = choice;
    apply();
}

void ThemeControl::apply() {
    m_applying = true;
    Theme theme = m_choice == ThemeChoice::Dark           ? Theme::Dark
                  : m_choice == ThemeChoice::HighContrast ? Theme::HighContrast
                                                          : Theme::Light;
    if (m_choice == ThemeChoice::Follow) {
        QApplication::setPalette(QPalette()); // what the desktop says, without our own colours
        theme = ThemePalette::systemTheme(QApplication::palette());
    }
    m_palette = ThemePalette::of(theme);
    QApplication::setPalette(m_palette.widgetPalette());
    qApp->setStyleSheet(styleSheet(m_palette));
    m_applying = false;
    Q_EMIT changed();
}

bool ThemeControl::eventFilter(QObject* watched, QEvent* event) {
    // Qt tells of a new desktop theme by this event; our own changes send it, too.
    if (watched == qApp && event->type() == QEvent::ThemeChange && !m_applying &&
        m_choice == ThemeChoice::Follow)
        QMetaObject::invokeMethod(this, &ThemeControl::apply, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace lacuna::ui
