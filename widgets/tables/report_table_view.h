#pragma once
// The one table of the window for reports: columns that sort, hide and show, a filter, copying, export. The
// panel around it says which report is shown and what a row leads to.
//
// Sorting, filtering and export are jobs, so that ten million rows do not hold the window.

#include "core/report/arranged_rows.h"
#include "widgets/session/job_slot.h"
#include "widgets/tables/report_table_model.h"
#include "widgets/theme/theme_palette.h"

#include <QTreeView>

#include <memory>
#include <set>

class QMenu;

namespace lacuna::ui {

// A report that is ready to be shown.
struct ShownReport {
    QString name; // of the report: "cuda_gpu_kern_sum"
    std::shared_ptr<const ReportTable> table;
    std::vector<ColumnLook> looks;
    bool unfolds = false; // its rows, where the table says so
};

// What a person has set; kept by the panel for each report.
struct ReportViewState {
    RowArrangement arrangement;
    std::set<int> hidden; // columns
};

enum class CopyForm { Text, Csv };

class ReportTableView : public QTreeView {
    Q_OBJECT
public:
    explicit ReportTableView(QWidget* parent = nullptr);

    void setThemePalette(const ThemePalette& palette);
    // Takes the place of the one before, in the order, filter and columns of `state`.
    void showReport(ShownReport report, const ReportViewState& state);
    // In place of rows; empty: there are rows.
    void showPlaceholder(const QString& text);
    const ReportViewState& state() const { return m_state; }
    void setFilter(const QString& filter);
    void sortBy(std::optional<std::size_t> column, bool isDescending);

    const ReportTableModel& rows() const { return *m_model; }
    QString reportName() const { return m_report.name; }
    // Row of the table that is current; none: nothing is.
    std::optional<std::uint32_t> currentTableRow() const;
    // Makes it current without telling it as a click.
    void setCurrentTableRow(std::uint32_t row);

    // What unfoldWanted() asked for, in the order of the report. Nothing in it: the row has no more.
    void unfold(const QModelIndex& index, std::shared_ptr<const ReportTable> table);

    // The selected rows, else all that are shown, with exact figures and a head. Of more than kMostCopied
    // rows the first; exports have all.
    QString copied(CopyForm form) const;
    void copy(CopyForm form);
    // CSV or JSON, by the ending of the name, of all rows that pass the filter. exportDone() tells the end.
    void exportTo(const QString& file);
    void chooseExport(bool json);
    // Copy and export, for a button; the menu is the caller's.
    void fillMenu(QMenu& menu);
    bool isArranging() const { return m_arranging.isRunning(); }

    static constexpr std::size_t kMostCopied = 100'000;

Q_SIGNALS:
    void arranged(); // rows or their order changed
    void stateChanged();
    // A person went to a row (click or arrow key); again: clicked, or Enter, when it was current already.
    void rowPointed(std::uint32_t tableRow, bool again);
    // The same of a row in what was unfolded.
    void insidePointed(const QModelIndex& index, bool again);
    void unfoldWanted(const QModelIndex& index);
    void exportDone(const QString& message); // a sentence, also when it failed

protected:
    void paintEvent(QPaintEvent* event) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using Way = std::vector<ReportTableModel::Place>;
    void point(const QModelIndex& index, bool again);
    std::vector<std::uint32_t> arrangedInside(const ReportTable& table) const;
    std::vector<Way> openWays(const QModelIndex& parent) const; // of rows that are unfolded
    QModelIndex indexOf(const Way& way) const;
    void arrange();
    void setRows(std::vector<std::uint32_t> rows);
    void fitColumns();
    void spreadColumns();
    void clickedHeader(int column);
    void showColumnMenu(const QPoint& at);
    std::vector<std::uint32_t> selectedTableRows() const;

    ReportTableModel* m_model;
    ShownReport m_report;
    ReportViewState m_state;
    ThemePalette m_palette;
    QString m_placeholder;
    std::vector<int> m_widths; // wanted, by column
    bool m_syncing = false;
    bool m_isFresh = false; // the press that is under way has made its row current
    JobSlot m_exporting;
    JobSlot m_arranging; // last: their destructors wait
};

} // namespace lacuna::ui
