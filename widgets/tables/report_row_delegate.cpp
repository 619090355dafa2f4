#include "widgets/tables/report_row_delegate.h"

#include "widgets/theme/widget_fonts.h"

#include <QFontMetrics>
#include <QPainter>

namespace lacuna::ui {

namespace {
constexpr int kReportCellPadding = 8;
} // namespace

ReportRowDelegate::ReportRowDelegate(QObject* parent)
    : QStyledItemDelegate(parent), m_palette(ThemePalette::of(Theme::Light)),
      m_numbers(uiFont(Face::Regular, 12.5)), m_texts(uiFont(Face::Mono, 12)) {}

int ReportRowDelegate::widthOf(const QString& text, bool isNumber) const {
    return QFontMetrics(isNumber ? m_numbers : m_texts).horizontalAdvance(text) + 2 * kReportCellPadding + 2;
}

QSize ReportRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {60, kRowHeight};
}

void ReportRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    painter->save();
    painter->setLayoutDirection(option.direction);
    if ((option.state & QStyle::State_Selected) != 0)
        painter->fillRect(option.rect, m_palette.color(Ink::SelectedRow));
    const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    const bool isNumber = (alignment & Qt::AlignRight) != 0;
    painter->setFont(isNumber ? m_numbers : m_texts);
    painter->setPen(m_palette.color(Ink::Text));
    const QRect cell = option.rect.adjusted(kReportCellPadding, 0, -kReportCellPadding, 0);
    const QString shown = painter->fontMetrics().elidedText(
        index.data().toString(), isNumber ? Qt::ElideRight : Qt::ElideMiddle, cell.width());
    painter->drawText(cell, static_cast<int>(alignment), shown);
    painter->restore();
}

} // namespace lacuna::ui
