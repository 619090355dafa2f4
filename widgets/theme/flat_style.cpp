#include "widgets/theme/flat_style.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr int kTarget = 24; // px, the least height of what is pressed
constexpr double kRadius = 3;

bool isOn(const QStyleOption& option, QStyle::StateFlag flag) {
    return option.state.testFlag(flag);
}

QPalette::ColorGroup groupOf(const QStyleOption& option) {
    return isOn(option, QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled;
}

// Border, or the colour of the focus.
QColor edgeOf(const QStyleOption& option) {
    return option.palette.color(isOn(option, QStyle::State_HasFocus) ? QPalette::Highlight : QPalette::Mid);
}

void paintField(QPainter& painter, const QStyleOption& option, const QColor& fill) {
    painter.setPen(edgeOf(option));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

// A chevron in the middle of `rect`.
void paintChevron(QPainter& painter, const QStyleOption& option, const QRect& rect, bool isUp) {
    const QPointF middle = QRectF(rect).center();
    const double w = 3.5, h = isUp ? -1.75 : 1.75;
    painter.setPen(QPen(option.palette.color(groupOf(option), QPalette::ButtonText), 1.4, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(
        QPolygonF({middle + QPointF(-w, -h), middle + QPointF(0, h), middle + QPointF(w, -h)}));
}

// Round for a choice of one, square for a switch. The edge has the colour of secondary text: it has to be
// seen.
void paintMark(QPainter& painter, const QStyleOption& option, bool isRound) {
    const double side = std::min(option.rect.width(), option.rect.height()) - 1.0;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option.rect).center());
    const bool isSet = isOn(option, QStyle::State_On) || isOn(option, QStyle::State_NoChange);
    const QPalette::ColorGroup group = groupOf(option);
    const QColor mark = isOn(option, QStyle::State_Enabled) ? option.palette.color(QPalette::Highlight)
                                                            : option.palette.color(group, QPalette::Text);
    const bool isLit = isSet || isOn(option, QStyle::State_HasFocus) || isOn(option, QStyle::State_MouseOver);
    painter.setPen(isLit
                       ? mark
                       : option.palette.color(isOn(option, QStyle::State_Enabled) ? QPalette::PlaceholderText
                                                                                  : QPalette::Mid));
    painter.setBrush(isSet && !isRound ? mark : option.palette.color(QPalette::Base));
    if (isRound)
        painter.drawEllipse(box);
    else
        painter.drawRoundedRect(box, kRadius - 1, kRadius - 1);
    if (!isSet)
        return;
    if (isRound) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark);
        painter.drawEllipse(box.center(), side * 0.26, side * 0.26);
        return;
    }
    painter.setPen(QPen(option.palette.color(QPalette::HighlightedText), 1.6, Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (isOn(option, QStyle::State_NoChange))
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
    else
        painter.drawPolyline(QPolygonF({at(0.24, 0.52), at(0.43, 0.71), at(0.77, 0.31)}));
}

} // namespace

int FlatStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* returned) const {
    if (m_isStill && (hint == SH_Widget_Animate || hint == SH_Widget_Animation_Duration))
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

QSize FlatStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const {
    const QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_ComboBox:
    case CT_SpinBox:
    case CT_CheckBox:
    case CT_RadioButton:
        return wanted.expandedTo({kTarget, kTarget});
    default:
        return wanted;
    }
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintMark(*painter, *option, element == PE_IndicatorRadioButton);
    painter->restore();
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const {
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const bool isCombo = control == CC_ComboBox && combo != nullptr && !combo->editable;
    if (!isCombo && (control != CC_SpinBox || spin == nullptr)) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintField(*painter, *option, option->palette.color(isCombo ? QPalette::Button : QPalette::Base));
    if (isCombo) {
        paintChevron(*painter, *option,
                     proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget), false);
    } else if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
        for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
            const bool isUp = part == SC_SpinBoxUp;
            QStyleOption step = *option;
            if (!spin->stepEnabled.testFlag(isUp ? QAbstractSpinBox::StepUpEnabled
                                                 : QAbstractSpinBox::StepDownEnabled))
                step.state.setFlag(State_Enabled, false);
            paintChevron(*painter, step, proxy()->subControlRect(CC_SpinBox, option, part, widget), isUp);
        }
    }
    painter->restore();
}

} // namespace lacuna::ui
