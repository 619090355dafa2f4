#pragma once
// The investigation log as a table whose texts are edited in place; each edit is one step of undo.

#include "widgets/session/trace_log.h"

#include <QAbstractTableModel>

namespace lacuna::ui {

class LogTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, Observed, Hypothesis, Changed, Measured, Written, Columns };
    explicit LogTableModel(AnalysisSession& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    void entriesChanged();
    const LogEntry& entryAt(int row) const { return m_log.entries()[static_cast<std::size_t>(row)]; }

    TraceLog& m_log;
    int m_rows = 0;
};

} // namespace lacuna::ui
