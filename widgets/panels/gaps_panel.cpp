// The table of idle gaps: groups and members, worst first.

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/panels/panel.h"
#include "widgets/session/settle.h"
#include "widgets/tables/gap_table_delegate.h"
#include "widgets/tables/gap_table_model.h"
#include "widgets/tables/range_chip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSlider>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {

// Steps of the threshold slider, 0 to 1 ms (ux.md section 5).
constexpr std::array<std::int64_t, 13> kThresholds{0,      100,    200,    500,     1'000,   2'000,    5'000,
                                                   10'000, 20'000, 50'000, 100'000, 500'000, 1'000'000};

class GapTree final : public QTreeView {
public:
    using QTreeView::QTreeView;
    void setThemePalette(const ThemePalette& palette) {
        m_palette = palette;
        viewport()->update();
    }
    // In place of rows, while there are none.
    void setPlaceholder(const QString& text) {
        m_placeholder = text;
        setAccessibleDescription(text);
        viewport()->update();
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        QTreeView::paintEvent(event);
        if (m_placeholder.isEmpty())
            return;
        QPainter painter(viewport());
        painter.setLayoutDirection(layoutDirection());
        painter.setPen(m_palette.color(Ink::TextSecondary));
        painter.drawText(viewport()->rect(), Qt::AlignCenter, m_placeholder);
    }
    // The strip gives way before the texts do.
    void resizeEvent(QResizeEvent* event) override {
        QTreeView::resizeEvent(event);
        header()->resizeSection(GapTableModel::Strip, std::clamp(width() / 5, 120, 390));
        header()->resizeSection(GapTableModel::Cause, width() < 1100 ? 110 : 130);
    }
    // Fold triangle, and the bar of the selected row.
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override {
        if (selectionModel()->isRowSelected(index.row(), index.parent())) {
            painter->fillRect(rect, m_palette.color(Ink::SelectedRow));
            painter->fillRect(QRect(0, rect.top(), 3, rect.height()), m_palette.color(Ink::Selection));
        }
        if (model()->rowCount(index) == 0)
            return;
        const QPointF c(rect.left() + 14, rect.center().y() + 0.5);
        QPolygonF triangle;
        if (isExpanded(index))
            triangle << c + QPointF(-4, -2) << c + QPointF(4, -2) << c + QPointF(0, 3);
        else
            triangle << c + QPointF(-2, -4) << c + QPointF(-2, 4) << c + QPointF(3, 0);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_palette.color(Ink::TextSecondary));
        painter->drawPolygon(triangle);
        painter->restore();
    }

private:
    ThemePalette m_palette = ThemePalette::of(Theme::Light);
    QString m_placeholder;
};

class GapsPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::GapsPanel)
public:
    GapsPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_model(new GapTableModel(this)),
          m_delegate(new GapTableDelegate(*m_model, FigureFonts::load(), this)), m_tree(new GapTree) {
        setAccessibleName(title());
        setUpTree();
        makeTools();
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_tree);
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { showDocument(); });
        connect(&context.session, &AnalysisSession::previewChanged, this,
                [this] { m_tree->setPlaceholder(tr("Loading...")); });
        connect(&context.session.selection(), &SelectionModel::changed, this, [this] {
            showSelection();
            if (m_context.session.selection().range() != m_model->range())
                m_soon.start();
        });
        connect(&context.view, &TimelineViewModel::axisChanged, this, [this] {
            m_model->setAxis(m_context.view.axis());
            m_tree->viewport()->update();
        });
        m_model->setAxis(context.view.axis());
        m_soon.setSingleShot(true);
        m_soon.setInterval(kSettleMs);
        connect(&m_soon, &QTimer::timeout, this, [this] { showRange(); });
        showDocument();
    }

    QString title() const override { return tr("Gaps"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override { m_tree->setFocus(Qt::TabFocusReason); }
    void setThemePalette(const ThemePalette& palette) override {
        m_delegate->setThemePalette(palette);
        m_tree->setThemePalette(palette);
    }
    QVariantMap kept() const override {
        QVariantMap kept = Panel::kept();
        kept[u"sortColumn"_s] = m_sortColumn;
        kept[u"sortOrder"_s] = m_sortOrder;
        QVariantList open;
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (m_tree->isExpanded(m_model->index(row, 0)))
                open << row;
        kept[u"open"_s] = open;
        return kept;
    }
    void restore(const QVariantMap& kept) override {
        if (kept.isEmpty())
            return;
        order(kept.value(u"sortColumn"_s).toInt(), kept.value(u"sortOrder"_s).value<Qt::SortOrder>());
        Panel::restore(kept); // the rows that remain, then those that are open
        for (const QVariant& row : kept.value(u"open"_s).toList())
            m_tree->expand(m_model->index(row.toInt(), 0));
    }

private:
    void setUpTree() {
        m_tree->setObjectName(u"gapsTable"_s);
        m_tree->setAccessibleName(tr("Idle gaps, worst first"));
        m_tree->setModel(m_model);
        // A reset of the model drops the current row; the selection of the session stays what it was. After
        // the view's own connections, so that it has the new rows.
        connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_syncing = true; });
        connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
            m_syncing = false;
            showSelection();
        });
        m_tree->setItemDelegate(m_delegate);
        m_tree->setUniformRowHeights(true);
        m_tree->setRootIsDecorated(true);
        m_tree->setIndentation(26);
        m_tree->setExpandsOnDoubleClick(false);
        m_tree->setAllColumnsShowFocus(true);
        m_tree->setFrameShape(QFrame::NoFrame);
        m_tree->setFont(uiFont(Face::Regular, 12.5));
        m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        QHeaderView* header = m_tree->header();
        header->setFixedHeight(24);
        header->setSectionsClickable(true);
        header->setSortIndicatorShown(false);
        header->setStretchLastSection(false);
        header->setMinimumSectionSize(40);
        header->setFont(uiFont(Face::Regular, 12));
        static constexpr std::array<int, GapTableModel::ColumnCount> kWidths{56, 130, 400, 76, 140,
                                                                             96, 170, 96,  390};
        for (int c = 0; c < GapTableModel::ColumnCount; ++c)
            header->resizeSection(c, kWidths[static_cast<std::size_t>(c)]);
        header->setSectionResizeMode(GapTableModel::Where, QHeaderView::Stretch);
        connect(header, &QHeaderView::sectionClicked, this, [this](int column) { sortBy(column); });
        connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& now) { goTo(now); });
        connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) { goTo(index); });
        connect(m_tree, &QTreeView::doubleClicked, this, [this] {
            if (const auto range = m_context.view.selectedTime())
                m_context.view.fit(*range, 1.0 / 3.0);
        });
        connect(m_tree, &QTreeView::activated, this,
                [this] { m_context.commands.run(u"view.focusInspector"_s); });
    }

    void makeTools() {
        m_tools = new QWidget(this);
        auto* layout = new QHBoxLayout(m_tools);
        layout->setContentsMargins(0, 0, 12, 0);
        layout->setSpacing(10);
        auto* slider = new QSlider(Qt::Horizontal);
        slider->setRange(0, static_cast<int>(kThresholds.size()) - 1);
        slider->setObjectName(u"gapsThreshold"_s);
        slider->setPageStep(1);
        slider->setFixedWidth(92);
        slider->setAccessibleName(tr("Shortest gap that is listed"));
        auto* label = new QLabel;
        label->setFont(uiFont(Face::Regular, 12));
        // As wide as its longest text, or the field beside it would move.
        label->setMinimumWidth(label->fontMetrics().horizontalAdvance(tr("gaps ≥ %1").arg(u"500 µs"_s)));
        auto* filter = new QLineEdit;
        filter->setObjectName(u"gapsFilter"_s);
        filter->setPlaceholderText(tr("filter"));
        filter->setAccessibleName(tr("Filter of the gaps table"));
        filter->setClearButtonEnabled(true);
        filter->setFixedWidth(230);
        auto* chip = new RangeChip(m_context.view, m_tools);
        chip->setObjectName(u"gapsRange"_s);
        layout->addWidget(chip);
        layout->addWidget(slider);
        layout->addWidget(label);
        layout->addWidget(filter);
        const auto show = [this, label](int step) {
            const std::int64_t ns = kThresholds[static_cast<std::size_t>(step)];
            m_model->setThreshold(ns);
            label->setText(ns == 0 ? tr("all gaps") : tr("gaps ≥ %1").arg(m_model->thresholdText()));
        };
        connect(slider, &QSlider::valueChanged, this, show);
        const auto at = std::find(kThresholds.begin(), kThresholds.end(), GapTableModel::kDefaultThresholdNs);
        slider->setValue(static_cast<int>(at - kThresholds.begin()));
        connect(filter, &QLineEdit::textChanged, this,
                [this](const QString& now) { m_model->setFilter(now.trimmed()); });
        connect(filter, &QLineEdit::returnPressed, this, [this] { takeFocus(); });
    }

    void showRange() { m_model->setRange(m_context.session.selection().range()); }

    void showDocument() {
        const Document* document = m_context.session.document();
        m_soon.stop();
        m_tree->setPlaceholder({});
        if (document == nullptr || m_model->range() != m_context.session.selection().range())
            m_model->setAnalysis(nullptr); // nothing is made of the old one for another range
        showRange();
        if (document != nullptr)
            m_model->setAnalysis(document->gaps, document->gapRows);
    }

    void sortBy(int column) {
        const bool number = column == GapTableModel::Number || column == GapTableModel::Cause ||
                            column == GapTableModel::Where || column == GapTableModel::Strip;
        if (number)
            column = GapTableModel::Number; // back to worst first
        const bool again = column == m_sortColumn && !number;
        order(column, number ? Qt::AscendingOrder
                      : again
                          ? (m_sortOrder == Qt::DescendingOrder ? Qt::AscendingOrder : Qt::DescendingOrder)
                          : Qt::DescendingOrder);
    }

    void order(int column, Qt::SortOrder order) {
        m_sortColumn = column;
        m_sortOrder = order;
        m_model->sort(column, order);
        m_tree->header()->setSortIndicatorShown(column != GapTableModel::Number);
        m_tree->header()->setSortIndicator(column, order);
    }

    void goTo(const QModelIndex& index) {
        if (m_syncing)
            return;
        const GapId gap = m_model->gapAt(index);
        if (!gap && index.isValid())
            return showWindow();
        if (!gap || m_context.session.selection().gap() == gap)
            return;
        m_syncing = true; // the row stays as clicked: a group shows its worst member
        m_context.view.goTo(gap, Origin::Table);
        m_syncing = false;
    }

    // The totals are of the range, else of all the time between the first and the last operation.
    void showWindow() {
        const GapAnalysis* gaps = m_model->analysis();
        std::optional<TimeRange> window = m_model->range();
        if (gaps != nullptr && !window)
            for (std::uint32_t d = 0; d < gaps->trace().devices().size(); ++d)
                if (const TimeRange one = gaps->deviceWindow(DeviceId{d}); !one.isEmpty())
                    window =
                        window ? TimeRange{std::min(window->begin, one.begin), std::max(window->end, one.end)}
                               : one;
        if (window)
            m_context.view.fit(*window, 0);
    }

    void showSelection() {
        if (m_syncing)
            return;
        const GapId gap = m_context.session.selection().gap();
        m_syncing = true;
        const QModelIndex now = m_tree->currentIndex();
        if (!gap) {
            m_tree->clearSelection();
            m_tree->setCurrentIndex({});
        } else if (m_model->gapAt(now) != gap ||
                   !m_tree->selectionModel()->isRowSelected(now.row(), now.parent())) {
            QModelIndex index = m_model->indexOf(gap);
            if (index.isValid() && index.row() == 0 && !m_tree->isExpanded(index.parent()))
                index = index.parent();
            m_tree->setCurrentIndex(index);
            if (index.isValid())
                m_tree->scrollTo(index);
        }
        m_syncing = false;
    }

    PanelContext m_context;
    GapTableModel* m_model;
    GapTableDelegate* m_delegate;
    GapTree* m_tree;
    QWidget* m_tools = nullptr;
    QTimer m_soon; // a range that is being dragged settles first
    bool m_syncing = false;
    int m_sortColumn = GapTableModel::Number;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace

Panel* makeGapsPanel(const PanelContext& context, QWidget* parent) {
    return new GapsPanel(context, parent);
}

} // namespace lacuna::ui
