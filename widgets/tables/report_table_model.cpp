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
    m_parts.assign(1, {});
    m_parts.front().table = std::move(table);
    m_looks = std::move(looks);
    m_parts.front().rows = std::move(rows);
    endResetModel();
}

void ReportTableModel::setRows(std::vector<std::uint32_t> rows) {
    beginResetModel();
    m_parts.front().rows = std::move(rows);
    endResetModel();
}

int ReportTableModel::placeIn(const Part& part, std::uint32_t tableRow) {
    const auto end = part.rows.begin() + static_cast<std::ptrdiff_t>(std::min(part.rows.size(), kMostRows));
    const auto at = std::find(part.rows.begin(), end, tableRow);
    return at == end ? -1 : static_cast<int>(at - part.rows.begin());
}

// ---- rows that unfold

ReportTableModel::Place ReportTableModel::placeOf(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    const Part& part = partOf(index);
    return {part.table, part.rows[static_cast<std::size_t>(index.row())], index.internalId() != 0};
}

std::vector<ReportTableModel::Place> ReportTableModel::wayTo(const QModelIndex& index) const {
    std::vector<Place> way;
    for (QModelIndex at = index; at.isValid(); at = at.parent())
        way.insert(way.begin(), placeOf(at));
    return way;
}

std::size_t ReportTableModel::partBelow(const QModelIndex& index) const {
    if (!index.isValid())
        return 0;
    const Part& part = partOf(index);
    const auto at = part.below.find(part.rows[static_cast<std::size_t>(index.row())]);
    return at == part.below.end() ? 0 : at->second;
}

bool ReportTableModel::mayUnfold(const QModelIndex& index) const {
    if (!m_unfolds || !index.isValid() || index.column() != 0)
        return false;
    const Place place = placeOf(index);
    return place.table->unfolds(place.row);
}

void ReportTableModel::unfold(const QModelIndex& index, std::shared_ptr<const ReportTable> table,
                              std::vector<std::uint32_t> rows) {
    const QModelIndex first = index.siblingAtColumn(0);
    if (!mayUnfold(first) || isUnfolded(first) || rows.empty())
        return;
    const std::size_t part = index.internalId(), added = m_parts.size();
    const std::uint32_t row = placeOf(index).row;
    beginInsertRows(first, 0, static_cast<int>(std::min(rows.size(), kMostRows)) - 1);
    m_parts[part].below[row] = added;
    m_parts.push_back({std::move(table), std::move(rows), part, row, {}});
    endInsertRows();
}

bool ReportTableModel::hasChildren(const QModelIndex& parent) const {
    return parent.isValid() ? mayUnfold(parent) : rowCount() > 0;
}

bool ReportTableModel::canFetchMore(const QModelIndex& parent) const {
    return mayUnfold(parent) && !isUnfolded(parent);
}

void ReportTableModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent))
        Q_EMIT unfoldWanted(parent);
}

QModelIndex ReportTableModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, static_cast<quintptr>(partBelow(parent)));
}

QModelIndex ReportTableModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0)
        return {};
    const Part& part = partOf(index);
    const int row = placeIn(m_parts[part.above], part.rowAbove);
    return row < 0 ? QModelIndex() : createIndex(row, 0, static_cast<quintptr>(part.above));
}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() && (parent.column() != 0 || !isUnfolded(parent)))
        return 0;
    return static_cast<int>(std::min(m_parts[partBelow(parent)].rows.size(), kMostRows));
}

int ReportTableModel::columnCount(const QModelIndex&) const {
    return static_cast<int>(m_looks.size());
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || table() == nullptr)
        return {};
    const auto column = static_cast<std::size_t>(index.column());
    const Part& part = partOf(index);
    const ReportTable& table = *part.table;
    const std::uint32_t row = part.rows[static_cast<std::size_t>(index.row())];
    const bool isUnknown = m_looks[column].isNumber && table.isEmpty(row, column);
    switch (role) {
    case Qt::DisplayRole:
        return isUnknown ? u"\u2014"_s : shownCell(table, m_looks[column], row, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((m_looks[column].isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tipOf(isUnknown ? tr("not known") : exactCell(table, row, column));
    case Qt::AccessibleTextRole: // a cell alone would not say what it is
        return u"%1: %2"_s.arg(m_looks[column].title,
                               isUnknown ? tr("not known") : shownCell(table, m_looks[column], row, column));
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
    if (role == Qt::ToolTipRole)
        return tipOf(text(table()->columns()[static_cast<std::size_t>(section)].meaning));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((look.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

} // namespace lacuna::ui
