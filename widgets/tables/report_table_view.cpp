#include "widgets/tables/report_table_view.h"

#include "core/output/output_file.h"
#include "core/output/report_output.h"
#include "widgets/tables/report_row_delegate.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

using RowNumbers = std::vector<std::uint32_t>;

constexpr int kSampledRows = 200; // that tell how wide a column is
constexpr int kLeastWidth = 64, kMostText = 460, kMostNumber = 220;
constexpr int kIndentation = 20;            // px a level, where rows unfold
constexpr std::size_t kInlineRows = 20'000; // arranged at once, without a job
constexpr std::size_t kCopiedWidth = 100'000;

// In the last level of the branch.
void paintTriangle(QPainter& painter, const QRect& branch, bool isOpen, const QColor& colour) {
    const bool isMirrored = painter.layoutDirection() == Qt::RightToLeft;
    const double x =
        isMirrored ? branch.left() + kIndentation / 2.0 : branch.right() + 1 - kIndentation / 2.0;
    const QPointF c(x, branch.center().y() + 0.5);
    const double ahead = isMirrored ? -1 : 1;
    QPolygonF triangle;
    if (isOpen)
        triangle << c + QPointF(-4, -2) << c + QPointF(4, -2) << c + QPointF(0, 3);
    else
        triangle << c + QPointF(-2 * ahead, -4) << c + QPointF(-2 * ahead, 4) << c + QPointF(3 * ahead, 0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(triangle);
    painter.restore();
}

Result<bool> writeRows(const ShownReport& report, const RowNumbers& rows, const QString& file, bool json,
                       JobControl& job) {
    OutputFile::Options options;
    options.replace = true; // the file dialog has asked
    auto out = OutputFile::create(file.toStdString(), options);
    if (!out)
        return out.error();
    if (json)
        writeReportJson(report.name.toStdString(), *report.table, **out, job, rows);
    else
        writeReportCsv(*report.table, **out, job, rows);
    if (job.cancelled())
        return Error{Errc::Cancelled, "Stopped.", {}, {}};
    if (const Status done = (*out)->commit(); !done)
        return done.error();
    return true;
}

} // namespace

ReportTableView::ReportTableView(QWidget* parent)
    : QTreeView(parent), m_model(new ReportTableModel(this)), m_palette(ThemePalette::of(Theme::Light)) {
    setModel(m_model);
    setItemDelegate(new ReportRowDelegate(this));
    setUniformRowHeights(true);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setIndentation(0);
    setAllColumnsShowFocus(false); // drawRow() has a mark of its own
    setSelectionMode(ExtendedSelection);
    setFrameShape(QFrame::NoFrame);
    setFont(uiFont(Face::Regular, 12.5));
    setHorizontalScrollMode(ScrollPerPixel);
    QHeaderView* head = header();
    head->setFixedHeight(24);
    head->setSectionsClickable(true);
    head->setSectionsMovable(false);
    head->setStretchLastSection(false);
    head->setMinimumSectionSize(40);
    head->setFont(uiFont(Face::Regular, 12));
    head->setTextElideMode(Qt::ElideRight);
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(head, &QHeaderView::sectionClicked, this, &ReportTableView::clickedHeader);
    connect(head, &QHeaderView::customContextMenuRequested, this, &ReportTableView::showColumnMenu);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        m_isFresh = QApplication::mouseButtons() != Qt::NoButton;
        if (!m_syncing && now.isValid())
            point(now, false);
    });
    connect(this, &QTreeView::pressed, this, [this](const QModelIndex& now) {
        const bool isFirst = std::exchange(m_isFresh, false);
        if (!isFirst && QApplication::keyboardModifiers() == Qt::NoModifier)
            point(now, true);
    });
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& now) {
        if (QApplication::mouseButtons() == Qt::NoButton)
            point(now, true);
    });
    connect(m_model, &ReportTableModel::unfoldWanted, this, &ReportTableView::unfoldWanted);
}

void ReportTableView::point(const QModelIndex& index, bool again) {
    if (m_model->placeOf(index).isInside)
        Q_EMIT insidePointed(index, again);
    else
        Q_EMIT rowPointed(m_model->tableRow(index.row()), again);
}

void ReportTableView::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    static_cast<ReportRowDelegate*>(itemDelegate())->setThemePalette(palette);
    viewport()->update();
}

// ---- what is shown

void ReportTableView::showReport(ShownReport report, const ReportViewState& state) {
    m_report = std::move(report);
    m_state = state;
    const std::size_t columns = m_report.table == nullptr ? 0 : m_report.table->columns().size();
    if (m_state.arrangement.column && *m_state.arrangement.column >= columns)
        m_state.arrangement.column.reset();
    m_arranging.cancel();
    m_widths.clear(); // of other columns
    m_syncing = true;
    m_model->setUnfolding(m_report.unfolds);
    setRootIsDecorated(m_report.unfolds);
    setItemsExpandable(m_report.unfolds);
    setIndentation(m_report.unfolds ? kIndentation : 0);
    m_model->setTable(m_report.table, m_report.looks, {});
    m_syncing = false;
    for (int c = 0; c < m_model->columnCount(); ++c)
        setColumnHidden(c, m_state.hidden.contains(c));
    arrange();
}

void ReportTableView::showPlaceholder(const QString& text) {
    if (m_placeholder == text)
        return;
    m_placeholder = text;
    setAccessibleDescription(text);
    viewport()->update();
}

void ReportTableView::setFilter(const QString& filter) {
    std::string wanted = filter.trimmed().toStdString();
    if (wanted == m_state.arrangement.filter)
        return;
    m_state.arrangement.filter = std::move(wanted);
    Q_EMIT stateChanged();
    arrange();
}

void ReportTableView::sortBy(std::optional<std::size_t> column, bool isDescending) {
    m_state.arrangement.column = column;
    m_state.arrangement.isDescending = isDescending;
    Q_EMIT stateChanged();
    arrange();
}

// Numbers from the largest first, texts from A; then the other way round; then the order of the report.
void ReportTableView::clickedHeader(int column) {
    const auto wanted = static_cast<std::size_t>(column);
    const bool first = m_model->looks()[wanted].isNumber;
    if (m_state.arrangement.column != wanted)
        sortBy(wanted, first);
    else if (m_state.arrangement.isDescending == first)
        sortBy(wanted, !first);
    else
        sortBy(std::nullopt, false);
}

void ReportTableView::arrange() {
    const RowArrangement& wanted = m_state.arrangement;
    header()->setSortIndicatorShown(wanted.column.has_value());
    if (wanted.column)
        header()->setSortIndicator(static_cast<int>(*wanted.column),
                                   wanted.isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_arranging.cancel();
    if (m_report.table == nullptr)
        return setRows({});
    if (m_report.table->rows() <= kInlineRows) {
        JobControl job;
        return setRows(*arrangeRows(*m_report.table, wanted, job));
    }
    m_arranging.start<RowNumbers>(
        [table = m_report.table, wanted](JobControl& job) -> Result<RowNumbers> {
            auto rows = arrangeRows(*table, wanted, job);
            if (!rows)
                return Error{Errc::Cancelled, "Stopped.", {}, {}};
            return *std::move(rows);
        },
        [this](Result<RowNumbers> rows) {
            if (rows)
                setRows(*std::move(rows));
        });
}

void ReportTableView::setRows(RowNumbers rows) {
    const auto current = currentTableRow();
    const std::vector<Way> open = openWays({});
    m_syncing = true;
    m_model->rearrangeInside([this](const ReportTable& table) { return arrangedInside(table); });
    m_model->setRows(std::move(rows));
    fitColumns();
    for (const Way& way : open) // outer ones first
        if (const QModelIndex index = indexOf(way); index.isValid())
            expand(index);
    m_syncing = false;
    if (current)
        setCurrentTableRow(*current);
    Q_EMIT arranged();
}

// ---- rows that unfold

// In the order of the report; a filter is for the report's own rows.
RowNumbers ReportTableView::arrangedInside(const ReportTable& table) const {
    RowArrangement wanted = m_state.arrangement;
    wanted.filter.clear();
    JobControl job;
    return *arrangeRows(table, wanted, job);
}

void ReportTableView::unfold(const QModelIndex& index, std::shared_ptr<const ReportTable> table) {
    RowNumbers rows = arrangedInside(*table);
    m_model->unfold(index, std::move(table), std::move(rows));
}

std::vector<ReportTableView::Way> ReportTableView::openWays(const QModelIndex& parent) const {
    std::vector<Way> ways;
    for (int row = 0; m_model->isUnfolding() && row < m_model->rowCount(parent); ++row) {
        const QModelIndex index = m_model->index(row, 0, parent);
        if (!isExpanded(index) || !m_model->isUnfolded(index))
            continue;
        ways.push_back(m_model->wayTo(index));
        const std::vector<Way> inner = openWays(index);
        ways.insert(ways.end(), inner.begin(), inner.end());
    }
    return ways;
}

QModelIndex ReportTableView::indexOf(const Way& way) const {
    QModelIndex at;
    for (const ReportTableModel::Place& place : way) {
        QModelIndex next;
        for (int row = 0; row < m_model->rowCount(at) && !next.isValid(); ++row)
            if (const QModelIndex one = m_model->index(row, 0, at); m_model->placeOf(one) == place)
                next = one;
        if (!next.isValid())
            return {};
        at = next;
    }
    return at;
}

std::optional<std::uint32_t> ReportTableView::currentTableRow() const {
    const QModelIndex now = currentIndex();
    return now.isValid() && !m_model->placeOf(now).isInside ? std::optional(m_model->tableRow(now.row()))
                                                            : std::nullopt;
}

void ReportTableView::setCurrentTableRow(std::uint32_t row) {
    const int shown = m_model->rowOf(row);
    m_syncing = true;
    setCurrentIndex(shown < 0 ? QModelIndex() : m_model->index(shown, 0));
    m_syncing = false;
}

// ---- columns

void ReportTableView::fitColumns() {
    const auto* cells = static_cast<const ReportRowDelegate*>(itemDelegate());
    const QFontMetrics heads(header()->font());
    m_widths.assign(static_cast<std::size_t>(m_model->columnCount()), 0);
    for (int c = 0; c < m_model->columnCount(); ++c) {
        const ColumnLook& look = m_model->looks()[static_cast<std::size_t>(c)];
        int width = heads.horizontalAdvance(look.title) + 40; // room for the sign of the order
        for (int row = 0; row < std::min(kSampledRows, m_model->rowCount()); ++row)
            width = std::max(width, cells->widthOf(m_model->index(row, c).data().toString(), look.isNumber));
        width += c == 0 ? 3 * indentation() : 0; // room for what is unfolded
        m_widths[static_cast<std::size_t>(c)] =
            std::clamp(width, kLeastWidth, look.isNumber ? kMostNumber : kMostText);
    }
    spreadColumns();
}

// What is left of the width goes to the widest text.
void ReportTableView::spreadColumns() {
    int used = 0, widest = -1;
    for (int c = 0; c < static_cast<int>(m_widths.size()); ++c) {
        if (isColumnHidden(c))
            continue;
        const int width = m_widths[static_cast<std::size_t>(c)];
        used += width;
        if (!m_model->looks()[static_cast<std::size_t>(c)].isNumber &&
            (widest < 0 || width > m_widths[static_cast<std::size_t>(widest)]))
            widest = c;
    }
    for (int c = 0; c < static_cast<int>(m_widths.size()); ++c)
        header()->resizeSection(c, m_widths[static_cast<std::size_t>(c)] +
                                       (c == widest ? std::max(0, viewport()->width() - used) : 0));
}

void ReportTableView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        spreadColumns();
}

void ReportTableView::showColumnMenu(const QPoint& at) {
    QMenu menu(this);
    const int shown = m_model->columnCount() - static_cast<int>(m_state.hidden.size());
    for (int c = 0; c < m_model->columnCount(); ++c) {
        QString title = m_model->looks()[static_cast<std::size_t>(c)].title;
        QAction* action = menu.addAction(title.replace(u'&', u"&&"_s));
        action->setCheckable(true);
        action->setChecked(!m_state.hidden.contains(c));
        action->setEnabled(shown > 1 || m_state.hidden.contains(c)); // one stays
        connect(action, &QAction::toggled, this, [this, c](bool on) {
            if (on)
                m_state.hidden.erase(c);
            else
                m_state.hidden.insert(c);
            setColumnHidden(c, !on);
            spreadColumns();
            Q_EMIT stateChanged();
        });
    }
    menu.exec(header()->mapToGlobal(at));
}

// ---- copy and export

RowNumbers ReportTableView::selectedTableRows() const {
    RowNumbers rows;
    std::vector<int> shown;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        if (!m_model->placeOf(index).isInside)
            shown.push_back(index.row());
    std::sort(shown.begin(), shown.end());
    rows.reserve(shown.size());
    for (const int row : shown)
        rows.push_back(m_model->tableRow(row));
    return rows;
}

QString ReportTableView::copied(CopyForm form) const {
    if (m_report.table == nullptr)
        return {};
    RowNumbers rows = selectedTableRows();
    if (rows.size() <= 1) // the current row alone is where one is, not what one wants
        rows = m_model->rows();
    rows.resize(std::min(rows.size(), kMostCopied));
    StringSink sink;
    JobControl job;
    if (form == CopyForm::Csv)
        writeReportCsv(*m_report.table, sink, job, rows);
    else
        writeReportTable(*m_report.table, sink, kCopiedWidth, job, rows);
    return text(sink.text());
}

void ReportTableView::copy(CopyForm form) {
    QApplication::clipboard()->setText(copied(form));
}

void ReportTableView::exportTo(const QString& file) {
    if (m_report.table == nullptr)
        return;
    const bool json = file.endsWith(u".json"_s, Qt::CaseInsensitive);
    m_exporting.start<bool>([report = m_report, rows = m_model->rows(), file,
                             json](JobControl& job) { return writeRows(report, rows, file, json, job); },
                            [this, file](const Result<bool>& done) {
                                Q_EMIT exportDone(
                                    done ? tr("%1 is written.").arg(QFileInfo(file).fileName())
                                         : tr("%1 could not be written: %2")
                                               .arg(QFileInfo(file).fileName(), text(done.error().detail)));
                            });
}

void ReportTableView::chooseExport(bool json) {
    const QString ending = json ? u".json"_s : u".csv"_s;
    QString file = QFileDialog::getSaveFileName(this, tr("Export table"), m_report.name + ending,
                                                json ? tr("JSON (*.json)") : tr("CSV (*.csv)"));
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += ending;
    exportTo(file);
}

void ReportTableView::fillMenu(QMenu& menu) {
    const bool any = m_report.table != nullptr;
    const auto add = [&](const QString& title, std::function<void()> run) {
        QAction* action = menu.addAction(title);
        action->setEnabled(any);
        connect(action, &QAction::triggered, this, std::move(run));
    };
    add(tr("&Copy as text"), [this] { copy(CopyForm::Text); });
    add(tr("Copy as CS&V"), [this] { copy(CopyForm::Csv); });
    menu.addSeparator();
    add(tr("Export &CSV..."), [this] { chooseExport(false); });
    add(tr("Export &JSON..."), [this] { chooseExport(true); });
}

void ReportTableView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    fillMenu(menu);
    menu.exec(event->globalPos());
}

void ReportTableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy(CopyForm::Text);
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

// ---- painting

void ReportTableView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (m_placeholder.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setLayoutDirection(layoutDirection());
    painter.setPen(m_palette.color(Ink::TextSecondary));
    painter.drawText(viewport()->rect().adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_placeholder);
}

// The triangle of a row that unfolds, behind the ground of a selected row.
void ReportTableView::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
    if (!m_model->isUnfolding())
        return;
    if (selectionModel()->isRowSelected(index.row(), index.parent()))
        painter->fillRect(rect, m_palette.color(Ink::SelectedRow));
    if (m_model->hasChildren(index))
        paintTriangle(*painter, rect, isExpanded(index), m_palette.color(Ink::TextSecondary));
}

// The bar of a selected row, over whatever column is first in view; a frame where the keys are elsewhere.
void ReportTableView::drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    QTreeView::drawRow(painter, option, index);
    if (selectionModel()->isRowSelected(index.row(), index.parent())) {
        painter->fillRect(QRect(0, option.rect.top(), 3, option.rect.height()),
                          m_palette.color(Ink::Selection));
    } else if (hasFocus() && index.siblingAtColumn(0) == currentIndex().siblingAtColumn(0)) {
        painter->setPen(m_palette.color(Ink::Selection));
        painter->drawRect(QRect(0, option.rect.top(), viewport()->width() - 1, option.rect.height() - 1));
    }
}

} // namespace lacuna::ui
