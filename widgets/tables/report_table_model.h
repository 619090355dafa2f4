#pragma once
// A report for Qt's views: what is shown of which rows in which order. The table itself is immutable and
// shared with jobs that sort and export it. A row that unfolds (ReportTable::unfolds) has rows of a further
// table below it, of the same columns, once somebody has given it one.

#include "widgets/tables/column_look.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lacuna::ui {

class ReportTableModel : public QAbstractItemModel {
    Q_OBJECT
public:
    // Rows that a view is given at most: it keeps some memory for each. Filters and exports reach all.
    static constexpr std::size_t kMostRows = 1'000'000;

    using QAbstractItemModel::QAbstractItemModel;

    // `rows`: numbers of the table's rows in the order wanted. A null table empties the model.
    void setTable(std::shared_ptr<const ReportTable> table, std::vector<ColumnLook> looks,
                  std::vector<std::uint32_t> rows);
    void setRows(std::vector<std::uint32_t> rows); // what was unfolded is kept, folded

    const std::shared_ptr<const ReportTable>& table() const { return m_parts.front().table; }
    const std::vector<ColumnLook>& looks() const { return m_looks; }
    // All rows that are arranged, also those beyond kMostRows.
    const std::vector<std::uint32_t>& rows() const { return m_parts.front().rows; }
    // Row of the table behind a row of the view.
    std::uint32_t tableRow(int row) const { return rows()[static_cast<std::size_t>(row)]; }
    // The other way round; -1: not shown. O(rows).
    int rowOf(std::uint32_t tableRow) const { return placeIn(m_parts.front(), tableRow); }

    // ---- rows that unfold

    // Where a row stands: in the report itself or in what was unfolded from one of its rows, and so on.
    struct Place {
        std::shared_ptr<const ReportTable> table;
        std::uint32_t row = 0; // of that table
        bool isInside = false; // in what was unfolded
        friend bool operator==(const Place&, const Place&) = default;
    };
    Place placeOf(const QModelIndex& index) const;
    // From the report's own row down to this one.
    std::vector<Place> wayTo(const QModelIndex& index) const;
    // Whether rows may unfold at all; then unfoldWanted() tells of a row that is opened for the first time.
    void setUnfolding(bool unfolds) { m_unfolds = unfolds; }
    bool isUnfolding() const { return m_unfolds; }
    void unfold(const QModelIndex& index, std::shared_ptr<const ReportTable> table,
                std::vector<std::uint32_t> rows);
    // Another order of all that is unfolded; `arrange` gives the rows of a table.
    template <class Arrange> void rearrangeInside(const Arrange& arrange) {
        for (std::size_t part = 1; part < m_parts.size(); ++part)
            m_parts[part].rows = arrange(*m_parts[part].table);
    }
    bool isUnfolded(const QModelIndex& index) const { return partBelow(index) != 0; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void unfoldWanted(const QModelIndex& index);

private:
    // The report, then what was unfolded, in the order of that. An index has the number of its part.
    struct Part {
        std::shared_ptr<const ReportTable> table;
        std::vector<std::uint32_t> rows;
        std::size_t above = 0;                      // part of the row that it is unfolded from
        std::uint32_t rowAbove = 0;                 // of the table of that part
        std::map<std::uint32_t, std::size_t> below; // parts by row of the table
    };
    static int placeIn(const Part& part, std::uint32_t tableRow);
    const Part& partOf(const QModelIndex& index) const { return m_parts[index.internalId()]; }
    std::size_t partBelow(const QModelIndex& index) const; // 0: none
    bool mayUnfold(const QModelIndex& index) const;

    std::vector<ColumnLook> m_looks;
    std::vector<Part> m_parts{1};
    bool m_unfolds = false;
};

} // namespace lacuna::ui
