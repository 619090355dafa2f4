#include "widgets/states/banner.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {
constexpr double kTint = 0.07; // of the gap colour over the ground
} // namespace

Banner::Banner(QWidget* parent)
    : QWidget(parent), m_palette(ThemePalette::of(Theme::Light)), m_message(new QLabel), m_detail(new QLabel),
      m_action(new QPushButton), m_dismiss(new QPushButton(tr("Dismiss"))) {
    setObjectName(u"banner"_s);
    m_message->setObjectName(u"bannerMessage"_s);
    m_detail->setObjectName(u"bannerDetail"_s);
    for (QLabel* label : {m_message, m_detail}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::ClickFocus);
    }
    m_message->setFont(uiFont(Face::SemiBold, 12.5));
    m_detail->setFont(uiFont(Face::Regular, 12));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
    texts->addWidget(m_message);
    texts->addWidget(m_detail);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(44, 9, 12, 9);
    layout->setSpacing(8);
    layout->addLayout(texts, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_dismiss);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionClicked);
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });
    hide();
}

void Banner::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    m_detail->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
    update();
}

void Banner::showMessage(const QString& message, const QString& detail, const QString& action) {
    m_isFact = false;
    put(message, detail, action);
}

void Banner::showFact(const QString& message, const QString& detail, const QString& action) {
    m_isFact = true;
    put(message, detail, action);
}

void Banner::put(const QString& message, const QString& detail, const QString& action) {
    m_message->setText(message);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    setAccessibleName(message);
    update();
    show();
}

void Banner::setDismissText(const QString& text) {
    m_dismiss->setText(text);
}

void Banner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Ink role = m_isFact ? Ink::Selection : Ink::Gap;
    const QColor colour = m_palette.color(role);
    painter.fillRect(rect(), mixed(m_palette.ink(role), m_palette.ink(Ink::Ground), kTint));
    painter.fillRect(QRect(0, 0, 3, height()), colour);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_palette.color(Ink::Border));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.5));
    const QPointF c(24, 20);
    if (m_isFact) { // an i in a circle
        painter.drawEllipse(c, 8, 8);
        painter.drawLine(c + QPointF(0, -0.5), c + QPointF(0, 4.5));
        painter.drawPoint(c + QPointF(0, -3.8));
        return;
    }
    painter.drawPolygon(QPolygonF({c + QPointF(0, -7), c + QPointF(8, 7), c + QPointF(-8, 7)}));
    painter.drawLine(c + QPointF(0, -2), c + QPointF(0, 2));
    painter.drawPoint(c + QPointF(0, 4.6));
}

} // namespace lacuna::ui
