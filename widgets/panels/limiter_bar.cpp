#include "widgets/panels/limiter_bar.h"

#include "core/base/text_format.h"
#include "widgets/plain_tip.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <array>

namespace lacuna::ui {

namespace {

constexpr int kLimiterBarHeight = 20;
constexpr int kRoomBeside = 8; // px that a share needs beside its text to stand in the bar
constexpr std::int64_t kTenthsOfWhole = 1'000;

QString partText(const DeviceParts& parts, DevicePart part) {
    const auto k = static_cast<std::size_t>(part);
    return u"%1 %2, %3"_s.arg(term(devicePartName(part)), shareText(parts.tenths[k]),
                              text(formatDuration({parts.ns[k]})));
}

} // namespace

Ink inkOfPart(DevicePart part) {
    constexpr std::array<Ink, kDeviceParts> kInks{Ink::Kernel, Ink::Communication, Ink::Memcpy, Ink::Border};
    return kInks[static_cast<std::size_t>(part)];
}

QString shareText(std::int64_t tenths) {
    return u"%1.%2 %"_s.arg(tenths / 10).arg(tenths % 10);
}

LimiterBar::LimiterBar(const DeviceParts& parts, const ThemePalette& palette, QWidget* parent)
    : QWidget(parent), m_parts(parts), m_palette(palette) {
    setFixedHeight(kLimiterBarHeight);
    setLayoutDirection(Qt::LeftToRight);
    QStringList spoken;
    for (std::size_t k = 0; k < kDeviceParts; ++k)
        spoken << partText(parts, static_cast<DevicePart>(k));
    setAccessibleName(spoken.join(u"; "_s));
}

QSize LimiterBar::sizeHint() const {
    return {200, kLimiterBarHeight};
}

std::pair<int, int> LimiterBar::edgesOf(DevicePart part) const {
    std::int64_t before = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(part); ++k)
        before += m_parts.tenths[k];
    const std::int64_t after = before + m_parts.tenths[static_cast<std::size_t>(part)];
    const auto x = [this](std::int64_t tenths) {
        return static_cast<int>((tenths * width() + kTenthsOfWhole / 2) / kTenthsOfWhole);
    };
    return {x(before), x(after)};
}

void LimiterBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(uiFont(Face::Medium, 11.5));
    for (std::size_t k = 0; k < kDeviceParts; ++k) {
        const auto part = static_cast<DevicePart>(k);
        const auto [left, right] = edgesOf(part);
        const QRect area(left, 0, right - left, height());
        if (area.isEmpty())
            continue;
        const Ink ink = inkOfPart(part);
        const bool isIdle = part == DevicePart::Idle;
        painter.fillRect(area, m_palette.color(ink));
        const QString share = shareText(m_parts.tenths[k]);
        if (painter.fontMetrics().horizontalAdvance(share) + kRoomBeside > area.width())
            continue;
        painter.setPen(isIdle ? m_palette.color(Ink::Text) : QColor::fromRgb(m_palette.labelOn(ink)));
        painter.drawText(area, Qt::AlignCenter, share);
    }
    painter.setPen(m_palette.color(Ink::Border));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool LimiterBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t k = 0; k < kDeviceParts; ++k) {
        const auto part = static_cast<DevicePart>(k);
        if (const auto [left, right] = edgesOf(part); help->pos().x() >= left && help->pos().x() < right)
            QToolTip::showText(help->globalPos(), plainTip(partText(m_parts, part)), this);
    }
    return true;
}

} // namespace lacuna::ui
