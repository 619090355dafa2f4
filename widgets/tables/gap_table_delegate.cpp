#include "widgets/tables/gap_table_delegate.h"

#include "widgets/tables/gap_table_model.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr int kCellPadding = 8;
constexpr double kPinRadius = 8;
constexpr int kShareText = 64, kShareBar = 60; // px of the share column
constexpr double kMemberShare = 0.5;           // strength of a member's bar

GapTableModel::RowKind kindOf(const QModelIndex& index) {
    return static_cast<GapTableModel::RowKind>(index.data(GapTableModel::KindRole).toInt());
}
bool isGroup(const QModelIndex& index) {
    return kindOf(index) == GapTableModel::RowKind::Group;
}
bool isMember(const QModelIndex& index) {
    return kindOf(index) == GapTableModel::RowKind::Member;
}

// None are marked while the cells are being made.
std::vector<bool> pixelsOfCells(const GapStrips::Cells* cells, int width) {
    std::vector<bool> marked(static_cast<std::size_t>(width), false);
    for (std::size_t c = 0; cells != nullptr && c < GapStrips::kCells; ++c)
        if (cells->test(c))
            marked[c * marked.size() / GapStrips::kCells] = true;
    return marked;
}

} // namespace

GapTableDelegate::GapTableDelegate(const GapTableModel& model, const FigureFonts& fonts, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model), m_palette(ThemePalette::of(Theme::Light)), m_fonts(fonts) {
}

QSize GapTableDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {60, kRowHeight};
}

void GapTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    painter->save();
    painter->setLayoutDirection(option.direction);
    const QRect cell = option.rect;
    if ((option.state & QStyle::State_Selected) != 0)
        painter->fillRect(cell, m_palette.color(Ink::SelectedRow));
    if (kindOf(index) == GapTableModel::RowKind::Totals)
        painter->fillRect(QRect(cell.left(), cell.top(), cell.width(), 1), m_palette.color(Ink::Border));
    painter->setClipRect(cell);
    switch (index.column()) {
    case GapTableModel::Number:
        paintNumber(*painter, cell, index);
        break;
    case GapTableModel::Cause:
        paintCause(*painter, cell, index);
        break;
    case GapTableModel::Where:
        paintWhere(*painter, cell, index);
        break;
    case GapTableModel::Share:
        paintShare(*painter, cell, index);
        break;
    case GapTableModel::Strip:
        paintStrip(*painter, cell, index);
        break;
    default:
        paintText(*painter, cell, index);
    }
    painter->restore();
}

void GapTableDelegate::paintNumber(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    if (!isGroup(index))
        return;
    const QPointF centre(cell.left() + 10, cell.center().y() + 0.5);
    if (const int pin = index.data(GapTableModel::PinRole).toInt(); pin > 0) {
        paintPin(painter, centre, kPinRadius, pin, m_palette, m_fonts);
        return;
    }
    painter.setFont(uiFont(Face::Regular, 12.5));
    painter.setPen(m_palette.color(Ink::Text));
    painter.drawText(QRectF(cell.left() - 4, cell.top(), 28, cell.height()), Qt::AlignCenter,
                     index.data().toString());
}

void GapTableDelegate::paintCause(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    if (!isGroup(index))
        return;
    const auto cls = static_cast<GapClass>(index.data(GapTableModel::ClassRole).toInt());
    const QRectF swatch(cell.left() + kCellPadding, cell.center().y() - 6, 20, 13);
    paintGapSwatch(painter, swatch, cls, m_palette);
    painter.setFont(uiFont(Face::SemiBold, 12.5));
    painter.setPen(m_palette.color(Ink::Gap));
    painter.drawText(QRectF(swatch.right() + 8, cell.top(), 12, cell.height()), Qt::AlignCenter,
                     QString(QLatin1Char(classLetter(cls))));
    painter.setFont(uiFont(Face::Regular, 12.5));
    painter.setPen(m_palette.color(Ink::Text));
    painter.drawText(
        QRectF(swatch.right() + 24, cell.top(), cell.right() - swatch.right() - 24, cell.height()),
        Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
}

// Names of calls and operators in the monospaced face, quoted ranges and our own words in the other.
void GapTableDelegate::paintWhere(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    const bool group = isGroup(index);
    painter.setPen(m_palette.color(group ? Ink::Text : Ink::TextSecondary));
    const QString whole = index.data().toString();
    const QFont plain = uiFont(Face::Regular, 12.5);
    int x = cell.left() + kCellPadding + (isMember(index) ? 18 : 0);
    if (!group) {
        painter.setFont(uiFont(Face::Regular, 12));
        const int width = cell.right() - x - 4;
        painter.drawText(QRect(x, cell.top(), width, cell.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(whole, Qt::ElideRight, width));
        return;
    }
    bool quoted = false;
    qsizetype from = 0;
    for (qsizetype i = 0; i <= whole.size() && x < cell.right(); ++i) {
        const bool end = i == whole.size();
        const QChar c = end ? QChar() : whole[i];
        const bool opens = c == u'“' || (c == u'"' && !quoted), closes = c == u'”' || (c == u'"' && quoted);
        if (!end && !opens && !closes)
            continue;
        const qsizetype to = closes ? i + 1 : i;
        const QString part = whole.mid(from, to - from);
        painter.setFont(quoted ? plain : uiFont(Face::Mono, 12));
        const int width = cell.right() - x - 4;
        const QString shown = painter.fontMetrics().elidedText(part, Qt::ElideRight, width);
        painter.drawText(QRect(x, cell.top(), width, cell.height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
        x += painter.fontMetrics().horizontalAdvance(shown);
        if (shown != part)
            return;
        from = to;
        quoted = opens;
    }
}

void GapTableDelegate::paintShare(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    const bool strong = isGroup(index);
    painter.setFont(uiFont(Face::Regular, 12.5));
    painter.setPen(m_palette.color(
        strong || kindOf(index) == GapTableModel::RowKind::Totals ? Ink::Text : Ink::TextSecondary));
    painter.drawText(QRect(cell.left(), cell.top(), kShareText, cell.height()),
                     Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    if (kindOf(index) == GapTableModel::RowKind::Totals)
        return;
    const double share = index.data(GapTableModel::ShareRole).toDouble();
    const QRgb gap = m_palette.ink(Ink::Gap);
    const bool full = strong || kindOf(index) != GapTableModel::RowKind::Member;
    const double height = strong ? 8 : 4;
    painter.fillRect(QRectF(cell.left() + kShareText + 10, cell.center().y() - height / 2 + 0.5,
                            std::max(1.0, std::round(share * kShareBar)), height),
                     full ? gap : mixed(gap, m_palette.ink(Ink::Ground), kMemberShare));
}

std::vector<bool> GapTableDelegate::pixelsOfGaps(const QModelIndex& index, int width,
                                                 TimeRange window) const {
    std::vector<bool> marked(static_cast<std::size_t>(width), false);
    const double perPx = static_cast<double>(window.length().v) / width;
    for (const GapId id : m_model.gapsOf(index)) {
        const TimeRange range = m_model.analysis()->gap(id).range;
        const auto first = static_cast<int>(static_cast<double>((range.begin - window.begin).v) / perPx);
        const auto last =
            static_cast<int>(std::ceil(static_cast<double>((range.end - window.begin).v) / perPx));
        for (int x = std::max(0, first); x < std::min(width, std::max(last, first + 1)); ++x)
            marked[static_cast<std::size_t>(x)] = true;
    }
    return marked;
}

void GapTableDelegate::paintStrip(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    if (kindOf(index) == GapTableModel::RowKind::Totals) {
        paintText(painter, cell, index);
        return;
    }
    const TimeRange window = m_model.analysis()->trace().window();
    const int width = cell.width() - 2 * kCellPadding;
    if (width <= 0 || window.isEmpty())
        return;
    const std::vector<bool> marked = m_model.hasFewGaps(index) ? pixelsOfGaps(index, width, window)
                                                               : pixelsOfCells(m_model.cellsOf(index), width);
    const int left = cell.left() + kCellPadding, middle = cell.center().y();
    painter.fillRect(left, middle, width, 1, m_palette.color(Ink::Border));
    const bool micro = kindOf(index) == GapTableModel::RowKind::Micro;
    const QColor colour = m_palette.color(micro ? Ink::TextSecondary : Ink::Gap);
    for (int x = 0; x < width; ++x)
        if (marked[static_cast<std::size_t>(x)])
            painter.fillRect(left + x, middle - 4, 1, 9, colour);
}

void GapTableDelegate::paintText(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    const GapTableModel::RowKind kind = kindOf(index);
    const bool total = index.column() == GapTableModel::Total &&
                       (kind == GapTableModel::RowKind::Group || kind == GapTableModel::RowKind::Totals);
    painter.setFont(
        uiFont(total ? Face::SemiBold : Face::Regular, index.column() == GapTableModel::Strip ? 12 : 12.5));
    painter.setPen(
        m_palette.color(kind == GapTableModel::RowKind::Group || total ? Ink::Text : Ink::TextSecondary));
    const auto alignment = index.data(Qt::TextAlignmentRole).toInt();
    const QRect inner = cell.adjusted(kCellPadding, 0, -kCellPadding, 0);
    painter.drawText(
        inner, alignment,
        painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
}

} // namespace lacuna::ui
