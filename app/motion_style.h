#pragma once
// Fusion without what moves by itself: no fading or sliding of controls, no endless bars.

#include <QProxyStyle>

namespace lacuna::ui {

class MotionStyle final : public QProxyStyle {
    Q_OBJECT
public:
    explicit MotionStyle(bool isStill) : QProxyStyle(QStringLiteral("Fusion")), m_isStill(isStill) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override {
        if (m_isStill && (hint == SH_Widget_Animate || hint == SH_Widget_Animation_Duration))
            return 0;
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }

private:
    bool m_isStill;
};

} // namespace lacuna::ui
