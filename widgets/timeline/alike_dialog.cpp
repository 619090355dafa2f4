#include "widgets/timeline/alike_dialog.h"

#include "core/analysis/sample_statistics.h"
#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {
constexpr int kRowHeight = 24;
constexpr QSize kDialogSize(460, 420);
} // namespace

AlikeModel::AlikeModel(AlikeSpans alike, const TimeAxis& axis, QObject* parent)
    : QAbstractTableModel(parent), m_alike(std::move(alike)), m_axis(axis), m_order(m_alike.spans.size()) {
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
}

int AlikeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int AlikeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

TimeRange AlikeModel::spanAt(int row) const {
    return m_alike.spans[m_order[static_cast<std::size_t>(row)]];
}

QVariant AlikeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const std::size_t span = m_order[static_cast<std::size_t>(index.row())];
    const TimeRange range = m_alike.spans[span];
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return index.column() == Begin ? text(exactTimeText(range.begin, m_axis))
                                       : text(formatExact(range.length()));
    if (role == Qt::FontRole && span == m_alike.marked)
        return uiFont(Face::SemiBold, 12.5);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Number:
        return text(formatCount(span + 1));
    case Begin:
        return text(timeInUnit(range.begin, m_axis, TimeUnit::Ms, 3));
    case Length:
        return text(formatIn(range.length(), TimeUnit::Ms, 3));
    default:
        return m_alike.medianNs <= 0 ? QString()
                                     : text(formatPercent(static_cast<double>(range.length().v) /
                                                          static_cast<double>(m_alike.medianNs)));
    }
}

QVariant AlikeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return role == Qt::TextAlignmentRole ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    switch (section) {
    case Number:
        return tr("#");
    case Begin:
        return m_axis.isWall() ? tr("begin") : tr("begin, ms");
    case Length:
        return tr("length, ms");
    default:
        return tr("of the median");
    }
}

void AlikeModel::sort(int column, Qt::SortOrder order) {
    Q_EMIT layoutAboutToBeChanged();
    std::iota(m_order.begin(), m_order.end(), std::size_t{0}); // by begin
    if (column == Length || column == Ratio)
        std::ranges::stable_sort(m_order, {}, [this](std::size_t i) { return m_alike.spans[i].length(); });
    if (order == Qt::DescendingOrder)
        std::ranges::reverse(m_order);
    Q_EMIT layoutChanged();
}

AlikeDialog::AlikeDialog(const AlikeSpans& alike, const TimeAxis& axis, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Alike"));
    resize(kDialogSize);
    auto* model = new AlikeModel(alike, axis, this);
    auto* table = new QTableView;
    table->setObjectName(u"alikeTable"_s);
    table->setAccessibleName(tr("Spans that are alike"));
    table->setModel(model);
    table->setSortingEnabled(true);
    table->sortByColumn(AlikeModel::Begin, Qt::AscendingOrder);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFont(uiFont(Face::Regular, 12.5));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->setShowGrid(false);
    std::vector<std::int64_t> lengths;
    for (const TimeRange& span : alike.spans)
        lengths.push_back(span.length().v);
    const SampleStatistics figures = sampleStatistics(std::move(lengths));
    const auto time = [](double ns) { return text(formatDuration({std::llround(ns)})); };
    auto* about = new QLabel(
        tr("%1 span(s), by %2. Mean %3, median %4, 95th percentile %5, standard deviation %6, %7 to %8.",
           nullptr, pluralOf(alike.spans.size()))
            .arg(text(formatCount(alike.spans.size())), text(elideMiddle(alike.by, 60)), time(figures.mean),
                 text(formatDuration({alike.medianNs})), text(formatDuration({alike.p95Ns})),
                 time(figures.deviation), text(formatDuration({alike.minNs})),
                 text(formatDuration({alike.maxNs}))));
    about->setTextFormat(Qt::PlainText);
    about->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(table, 1);
    const auto choose = [this, model](const QModelIndex& index) {
        if (index.isValid())
            Q_EMIT spanChosen(model->spanAt(index.row()));
    };
    connect(table, &QTableView::clicked, this, choose);
    connect(table, &QTableView::activated, this, choose);
    table->setFocus();
}

} // namespace lacuna::ui
