#include "widgets/tables/report_table_model.h"

#include "widgets/text.h"

#include <algorithm>

namespace lacuna::ui {

namespace {

// Plain text as a tip that breaks long names, and is no markup whatever it looks like.
QString tipOf(const QString& plain) {
    return plain.isEmpty() ? QString()
                           : u"<p style=\"white-space: pre-wrap\">%1</p>"_s.arg(plain.toHtmlEscaped());
}

} // namespace

void ReportTableModel::setTable(std::shared_ptr<const ReportTable> table, std::vector<ColumnLook> looks,
                                std::vector<std::uint32_t> rows) {
    beginResetModel();
    m_table = std::move(table);
    m_looks = std::move(looks);
    m_rows = std::move(rows);
    endResetModel();
}

void ReportTableModel::setRows(std::vector<std::uint32_t> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int ReportTableModel::rowOf(std::uint32_t tableRow) const {
    const auto end = m_rows.begin() + rowCount();
    const auto at = std::find(m_rows.begin(), end, tableRow);
    return at == end ? -1 : static_cast<int>(at - m_rows.begin());
}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_rows.size(), kMostRows));
}

int ReportTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_looks.size());
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_table == nullptr)
        return {};
    const auto column = static_cast<std::size_t>(index.column());
    const std::uint32_t row = tableRow(index.row());
    const bool isUnknown = m_looks[column].isNumber && m_table->isEmpty(row, column);
    switch (role) {
    case Qt::DisplayRole:
        return isUnknown ? u"\u2014"_s : shownCell(*m_table, m_looks[column], row, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((m_looks[column].isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tipOf(isUnknown ? tr("not known") : exactCell(*m_table, row, column));
    case Qt::AccessibleTextRole: // a cell alone would not say what it is
        return u"%1: %2"_s.arg(m_looks[column].title,
                               isUnknown ? tr("not known")
                                         : shownCell(*m_table, m_looks[column], row, column));
    default:
        return {};
    }
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ColumnLook& look = m_looks[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return look.title;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((look.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

} // namespace lacuna::ui
