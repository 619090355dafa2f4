#pragma once
// The spans that are alike: number, begin, length, and how far each is from the median. Not modal; a row goes
// to its span.

#include "core/analysis/alike_spans.h"
#include "core/view/time_axis.h"

#include <QAbstractTableModel>
#include <QDialog>

namespace lacuna::ui {

class AlikeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Begin, Length, Ratio, Columns };
    explicit AlikeModel(AlikeSpans alike, const TimeAxis& axis = {}, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    TimeRange spanAt(int row) const;

private:
    AlikeSpans m_alike;
    TimeAxis m_axis;
    std::vector<std::size_t> m_order; // of the spans
};

class AlikeDialog : public QDialog {
    Q_OBJECT
public:
    explicit AlikeDialog(const AlikeSpans& alike, const TimeAxis& axis = {}, QWidget* parent = nullptr);

Q_SIGNALS:
    void spanChosen(lacuna::TimeRange span);
};

} // namespace lacuna::ui
