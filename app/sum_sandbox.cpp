#include "app/sum_sandbox.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr int kLeft = 16, kHead = 92, kRight = 32, kTop = 24, kRow = 30, kBar = 22, kFoot = 30;
constexpr int kRows = 3; // two streams, and what is busy

QString milliseconds(int halves) {
    return halves % 2 == 0 ? u"%1 ms"_s.arg(halves / 2) : u"%1.5 ms"_s.arg(halves / 2);
}

} // namespace

SumSandbox::SumSandbox(QWidget* parent) : QWidget(parent) {
    setObjectName(u"sumSandbox"_s);
    setLayoutDirection(Qt::LeftToRight); // time runs to the right
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFixedHeight(kTop + kRows * kRow + kFoot);
    setAccessibleName(tr("Two operations to move"));
    tell();
}

QSize SumSandbox::sizeHint() const {
    return {560, kTop + kRows * kRow + kFoot};
}

SumSandbox::Figures SumSandbox::figures() const {
    const int first = std::min(m_begins[0], m_begins[1]), second = std::max(m_begins[0], m_begins[1]);
    const int busy = std::min(second - first, kLength) + kLength;
    return {2 * kLength, busy, kWindow - busy};
}

QString SumSandbox::figuresText() const {
    const Figures now = figures();
    return tr("Sum %1   Busy (union) %2   Idle %3 of %4")
        .arg(milliseconds(now.sum), milliseconds(now.busy), milliseconds(now.idle), milliseconds(kWindow));
}

void SumSandbox::moveBar(std::size_t bar, int begin) {
    m_begins[bar] = std::clamp(begin, 0, kWindow - kLength);
    tell();
    update();
}

void SumSandbox::tell() {
    setAccessibleDescription(figuresText());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

double SumSandbox::xOf(int time) const {
    return kHead + static_cast<double>(width() - kHead - kRight) * time / kWindow;
}

QRect SumSandbox::barRect(std::size_t bar) const {
    const double left = xOf(m_begins[bar]), right = xOf(m_begins[bar] + kLength);
    return QRectF(left, kTop + kRow * static_cast<int>(bar) + (kRow - kBar) / 2.0, right - left, kBar)
        .toRect();
}

void SumSandbox::paintBar(QPainter& painter, const QRect& area, Ink ink, const QString& label) const {
    const ThemePalette theme = themeOf();
    painter.fillRect(area, theme.color(ink));
    painter.setPen(QColor::fromRgb(theme.labelOn(ink)));
    painter.drawText(area, Qt::AlignCenter, label);
}

void SumSandbox::paintEvent(QPaintEvent*) {
    const ThemePalette theme = themeOf();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Ink::Ground));
    painter.setFont(uiFont(Face::Regular, 12));
    for (int time = 0; time <= kWindow; time += 4) {
        const int x = static_cast<int>(std::lround(xOf(time)));
        painter.fillRect(QRect(x, kTop, 1, kRows * kRow), theme.color(Ink::InnerLine));
        painter.setPen(theme.color(Ink::TextSecondary));
        painter.drawText(QRect(x - 30, 0, 60, kTop), Qt::AlignCenter,
                         time == kWindow ? milliseconds(time) : QString::number(time / 2));
    }
    const std::array<QString, kRows> heads{tr("stream 7"), tr("stream 13"), tr("busy")};
    painter.setPen(theme.color(Ink::Text));
    for (int row = 0; row < kRows; ++row)
        painter.drawText(QRect(kLeft, kTop + row * kRow, kHead - kLeft, kRow),
                         Qt::AlignLeft | Qt::AlignVCenter, heads[static_cast<std::size_t>(row)]);
    for (std::size_t bar = 0; bar < m_begins.size(); ++bar) {
        paintBar(painter, barRect(bar), Ink::Kernel, milliseconds(kLength));
        if (bar == m_current && hasFocus()) {
            painter.setPen(QPen(theme.color(Ink::Selection), 2));
            painter.drawRect(barRect(bar).adjusted(-1, -1, 0, 0));
        }
    }
    // Busy: one piece where they touch or overlap, else two.
    const int first = std::min(m_begins[0], m_begins[1]), second = std::max(m_begins[0], m_begins[1]);
    const auto busyBar = [&](int from, int to) {
        const QRectF area(xOf(from), kTop + 2 * kRow + (kRow - kBar) / 2.0, xOf(to) - xOf(from), kBar);
        paintBar(painter, area.toRect(), Ink::Range, milliseconds(to - from));
    };
    if (second <= first + kLength) {
        busyBar(first, second + kLength);
    } else {
        busyBar(first, first + kLength);
        busyBar(second, second + kLength);
    }
    painter.setFont(uiFont(Face::SemiBold, 13));
    painter.setPen(theme.color(Ink::Text));
    painter.drawText(QRect(kLeft, kTop + kRows * kRow, width() - 2 * kLeft, kFoot),
                     Qt::AlignLeft | Qt::AlignVCenter, figuresText());
}

void SumSandbox::mousePressEvent(QMouseEvent* event) {
    for (std::size_t bar = 0; bar < m_begins.size(); ++bar)
        if (barRect(bar).contains(event->position().toPoint())) {
            m_current = bar;
            m_isHeld = true;
            m_grip = event->position().x() - barRect(bar).left();
            update();
        }
}

void SumSandbox::mouseMoveEvent(QMouseEvent* event) {
    bool isOver = m_isHeld;
    for (std::size_t bar = 0; bar < m_begins.size(); ++bar)
        isOver = isOver || barRect(bar).contains(event->position().toPoint());
    setCursor(m_isHeld ? Qt::ClosedHandCursor : isOver ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (!m_isHeld)
        return;
    const double perUnit = xOf(1) - xOf(0);
    moveBar(m_current, static_cast<int>(std::lround((event->position().x() - m_grip - kHead) / perUnit)));
}

void SumSandbox::mouseReleaseEvent(QMouseEvent*) {
    m_isHeld = false;
    setCursor(Qt::OpenHandCursor);
}

void SumSandbox::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_current = event->key() == Qt::Key_Up ? 0 : 1;
        update();
        return;
    case Qt::Key_Left:
        return moveBar(m_current, m_begins[m_current] - 1);
    case Qt::Key_Right:
        return moveBar(m_current, m_begins[m_current] + 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace lacuna::ui
