#pragma once
// The list of annotations: shown or not, number, kind, what it says, where it is. Ticking a box is one step
// of undo.

#include "widgets/session/analysis_session.h"

#include <QAbstractTableModel>

namespace lacuna::ui {

class AnnotationTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Shown, Kind, Says, Lane, Time, Columns };
    explicit AnnotationTableModel(AnalysisSession& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    std::uint32_t idAt(int row) const;
    int rowOf(std::uint32_t id) const; // -1: none

private:
    const Callout& noteAt(int row) const {
        return m_session.annotations().callouts()[static_cast<std::size_t>(row)];
    }
    QString textOf(const Callout& note, int column) const;
    AnalysisSession& m_session;
    int m_rows = 0;
};

QString annotationTitle(AnnotationKind kind); // "Bracket"

} // namespace lacuna::ui
