#pragma once
// Rows of a trace as a table: name, category, lane, start, length. Sorted in time to begin with.

#include "core/trace/trace.h"
#include "core/view/time_axis.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace lacuna::ui {

// "GPU 0, stream 7", "python3 483", the name of a process: where a lane belongs.
QString laneTitle(const Trace& trace, LaneId lane);

class HitTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Category, Lane, Start, Length, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::shared_ptr<const Trace> trace, std::vector<EventId> rows);
    void setAxis(const TimeAxis& axis); // what the starts count from
    const Trace* trace() const { return m_trace.get(); }
    EventId eventAt(int row) const;
    int rowOf(EventId event) const; // -1: not listed. O(rows)

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    std::shared_ptr<const Trace> m_trace;
    std::vector<EventId> m_rows;
    TimeAxis m_axis;
};

} // namespace lacuna::ui
