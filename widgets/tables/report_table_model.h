#pragma once
// A report for Qt's views: what is shown of which rows in which order. The table itself is immutable and
// shared with jobs that sort and export it.

#include "widgets/tables/column_look.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace lacuna::ui {

class ReportTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // Rows that a view is given at most: it keeps some memory for each. Filters and exports reach all.
    static constexpr std::size_t kMostRows = 1'000'000;

    using QAbstractTableModel::QAbstractTableModel;

    // `rows`: numbers of the table's rows in the order wanted. A null table empties the model.
    void setTable(std::shared_ptr<const ReportTable> table, std::vector<ColumnLook> looks,
                  std::vector<std::uint32_t> rows);
    void setRows(std::vector<std::uint32_t> rows);

    const std::shared_ptr<const ReportTable>& table() const { return m_table; }
    const std::vector<ColumnLook>& looks() const { return m_looks; }
    // All rows that are arranged, also those beyond kMostRows.
    const std::vector<std::uint32_t>& rows() const { return m_rows; }
    // Row of the table behind a row of the view.
    std::uint32_t tableRow(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    // The other way round; -1: not shown. O(rows).
    int rowOf(std::uint32_t tableRow) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const ReportTable> m_table;
    std::vector<ColumnLook> m_looks;
    std::vector<std::uint32_t> m_rows;
};

} // namespace lacuna::ui
