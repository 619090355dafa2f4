// The investigation log: what was observed, thought, changed and measured again. A row goes to the time that
// it is about; what turned out wrong is rejected and stays.

#include "widgets/panels/log_panel.h"

#include "widgets/panels/panel.h"
#include "widgets/session/trace_log.h"
#include "widgets/tables/log_table_model.h"
#include "widgets/tables/plain_table.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>

namespace lacuna::ui {

namespace {

constexpr int kLogRowHeight = 24, kStateWidth = 96, kWrittenWidth = 160;

class LogPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::LogPanel)
public:
    LogPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_log(TraceLog::of(context.session)),
          m_model(new LogTableModel(context.session, this)), m_table(new QTableView), m_empty(new QLabel),
          m_tools(new QWidget(this)) {
        setAccessibleName(title());
        m_empty->setObjectName(u"logEmpty"_s);
        m_empty->setText(tr("Nothing is in the log. Add takes what is selected, a gap with its verdict; then "
                            "write what it may come from, what you changed, and what you measured."));
        m_empty->setTextFormat(Qt::PlainText);
        m_empty->setWordWrap(true);
        m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_empty->setContentsMargins(10, 8, 10, 8);
        m_empty->setFont(uiFont(Face::Regular, 12.5));
        makeTable();
        makeTools();
        m_pages = new QStackedLayout(this);
        m_pages->setContentsMargins(0, 0, 0, 0);
        m_pages->addWidget(m_empty);
        m_pages->addWidget(m_table);
        connect(&m_log, &TraceLog::changed, this, [this] { showState(); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { showState(); });
        connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
                [this] { showState(); });
        showState();
    }

    QString title() const override { return tr("Log"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override {
        (m_log.entries().empty() ? static_cast<QWidget*>(m_add) : m_table)->setFocus(Qt::TabFocusReason);
    }
    void setThemePalette(const ThemePalette& palette) override {
        m_table->setStyleSheet(u"QTableView { selection-background-color: %1; selection-color: %2 }"_s.arg(
            palette.color(Ink::SelectedRow).name(), palette.color(Ink::Text).name()));
        m_empty->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
        QPalette ground = m_empty->palette();
        ground.setColor(QPalette::Window, palette.color(Ink::Ground));
        m_empty->setPalette(ground);
        m_empty->setAutoFillBackground(true);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete &&
            current() >= 0) {
            m_log.remove(static_cast<std::size_t>(current()));
            return true;
        }
        return Panel::eventFilter(watched, event);
    }

private:
    void makeTable() {
        m_table->setObjectName(u"logTable"_s);
        m_table->setAccessibleName(tr("Investigation log"));
        m_table->setModel(m_model);
        setUpPlainTable(*m_table, kLogRowHeight);
        m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                                 QAbstractItemView::AnyKeyPressed);
        QHeaderView* header = m_table->horizontalHeader();
        for (const int column : {LogTableModel::Observed, LogTableModel::Hypothesis, LogTableModel::Changed,
                                 LogTableModel::Measured})
            header->setSectionResizeMode(column, QHeaderView::Stretch);
        header->resizeSection(LogTableModel::State, kStateWidth);
        header->resizeSection(LogTableModel::Written, kWrittenWidth);
        m_table->installEventFilter(this);
        connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { goTo(index.row()); });
        connect(m_table, &QTableView::activated, this,
                [this](const QModelIndex& index) { goTo(index.row()); });
    }

    void makeTools() {
        auto* layout = new QHBoxLayout(m_tools);
        layout->setContentsMargins(0, 0, 8, 0);
        layout->setSpacing(6);
        const auto add = [&](const QString& id, const QString& title, auto run) {
            auto* button = new QPushButton(title);
            button->setObjectName(id);
            button->setFlat(true);
            layout->addWidget(button);
            connect(button, &QPushButton::clicked, this, run);
            return button;
        };
        m_add = add(u"logAdd"_s, tr("Add"), [this] { addEntry(); });
        m_reject = add(u"logReject"_s, tr("Reject"), [this] { rejectOrKeep(); });
        m_copy = add(u"logCopy"_s, tr("Copy"),
                     [this] { QGuiApplication::clipboard()->setText(text(logMarkdown(m_log.entries()))); });
        m_copy->setToolTip(tr("All entries as a table in Markdown, rejected ones too"));
    }

    int current() const {
        const int row = m_table->currentIndex().row();
        return row < static_cast<int>(m_log.entries().size()) ? row : -1;
    }

    // What can be written next is open for writing.
    void addEntry() {
        LogEntry entry = m_log.fromSelection();
        const int column = entry.observed.empty() ? LogTableModel::Observed : LogTableModel::Hypothesis;
        m_log.add(std::move(entry));
        const QModelIndex index = m_model->index(m_model->rowCount() - 1, column);
        m_table->setCurrentIndex(index);
        m_table->setFocus(Qt::OtherFocusReason);
        m_table->edit(index);
    }

    void rejectOrKeep() {
        const int row = current();
        if (row < 0)
            return;
        LogEntry entry = m_log.entries()[static_cast<std::size_t>(row)];
        entry.isRejected = !entry.isRejected;
        m_log.replace(static_cast<std::size_t>(row), entry, entry.isRejected ? tr("Reject") : tr("Keep"));
    }

    void goTo(int row) {
        if (row < 0 || static_cast<std::size_t>(row) >= m_log.entries().size() ||
            m_context.session.document() == nullptr)
            return;
        if (const auto range = m_log.entries()[static_cast<std::size_t>(row)].range)
            m_context.view.reveal(*range, {});
    }

    void showState() {
        const int row = current();
        const bool isRejected = row >= 0 && m_log.entries()[static_cast<std::size_t>(row)].isRejected;
        m_pages->setCurrentWidget(m_log.entries().empty() ? static_cast<QWidget*>(m_empty) : m_table);
        m_add->setEnabled(m_context.session.document() != nullptr);
        m_reject->setVisible(row >= 0);
        m_reject->setText(isRejected ? tr("Keep after all") : tr("Reject"));
        m_copy->setVisible(!m_log.entries().empty());
    }

    PanelContext m_context;
    TraceLog& m_log;
    LogTableModel* m_model;
    QTableView* m_table;
    QLabel* m_empty;
    QWidget* m_tools;
    QStackedLayout* m_pages = nullptr;
    QPushButton *m_add = nullptr, *m_reject = nullptr, *m_copy = nullptr;
};

} // namespace

Panel* makeLogPanel(const PanelContext& context, QWidget* parent) {
    return new LogPanel(context, parent);
}

} // namespace lacuna::ui
