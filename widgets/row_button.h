#pragma once
// A row that acts like a button: one look of pointer and focus, and Enter clicks (a plain button takes Space
// only).

#include "widgets/theme/theme_palette.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QPainter>

namespace lacuna::ui {

class RowButton : public QAbstractButton {
protected:
    explicit RowButton(const ThemePalette& palette, QWidget* parent = nullptr)
        : QAbstractButton(parent), m_palette(palette) {}

    // A row without an action is shown at rest and takes no key.
    void setActs(bool acts) { m_acts = acts; }
    void paintPointed(QPainter& painter, const QRect& area) const {
        if (m_acts && isEnabled() && (underMouse() || hasFocus()))
            painter.fillRect(area, m_palette.color(Ink::RowAlt));
    }
    void paintFocus(QPainter& painter) const {
        if (!m_acts || !hasFocus())
            return;
        painter.setPen(m_palette.color(Ink::Selection));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (m_acts && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
            click();
        else
            QAbstractButton::keyPressEvent(event);
    }

    ThemePalette m_palette;

private:
    bool m_acts = true;
};

} // namespace lacuna::ui
