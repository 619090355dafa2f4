#pragma once
// Fusion with flat controls in the colours of the palette: no gradients, no shadows, radius 3, marks that are
// seen in every theme, nothing to press that is lower than 24 px. And, where still, nothing that moves by
// itself: no fading or sliding of controls, no endless bars.

#include <QProxyStyle>

namespace lacuna::ui {

class FlatStyle final : public QProxyStyle {
    Q_OBJECT
public:
    explicit FlatStyle(bool isStill) : QProxyStyle(QStringLiteral("Fusion")), m_isStill(isStill) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

private:
    bool m_isStill;
};

} // namespace lacuna::ui
