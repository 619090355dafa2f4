// Reports as tables, of the whole trace or of the selected range: all of them beside their list, or a few
// that a list in the tab bar offers.

#include "core/base/text_format.h"
#include "core/report/report_evidence.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/report_tabs.h"
#include "widgets/panels/table_panel.h"
#include "widgets/session/session_settings.h"
#include "widgets/session/settle.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/report_list.h"
#include "widgets/tables/report_option_bar.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPersistentModelIndex>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <deque>
#include <map>
#include <set>

namespace lacuna::ui {

namespace {

constexpr qint64 kQuietMs = 300; // a job that is shorter shows no progress

class ReportsPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::ReportsPanel)
public:
    ReportsPanel(const ReportTab& tab, const QString& id, const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_palette(ThemePalette::of(Theme::Light)), m_tab(tab), m_id(id),
          m_table(new ReportTableView), m_job(this) {
        setAccessibleName(title());
        m_tools = new TableTools(context.view, context.commands, *m_table, id, this);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(hasAll() ? makeListed() : makeTable());
        if (!hasAll())
            makeChoice();
        m_soon.setSingleShot(true);
        m_soon.setInterval(kSettleMs);
        connect(&m_soon, &QTimer::timeout, this, [this] { compute(); });
        connect(&m_job, &JobSlot::progress, this, [this] { showProgress(); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { showDocument(); });
        connect(&context.session.selection(), &SelectionModel::changed, this, [this] { showSelection(); });
        connect(&SessionSettings::of(context.session), &SessionSettings::changed, this,
                [this] { compute(); });
        connectTable();
        choose(hasAll() ? u"cuda_gpu_kern_sum"_s : text(m_tab.reports.front()));
    }
    ~ReportsPanel() override {
        m_unfolding.cancel();
        m_job.cancel();
    }

    QString title() const override { return QCoreApplication::translate("ReportTabs", m_tab.title); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override {
        (m_table->rows().rowCount() > 0 || !hasAll() ? static_cast<QWidget*>(m_table) : m_list->field())
            ->setFocus(Qt::TabFocusReason);
    }
    void setThemePalette(const ThemePalette& palette) override {
        m_palette = palette;
        m_table->setThemePalette(palette);
        if (hasAll())
            m_list->setThemePalette(palette);
        const QString secondary = u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name());
        m_notes->setStyleSheet(secondary);
        m_count->setStyleSheet(secondary);
    }
    QVariantMap kept() const override {
        QVariantMap kept = Panel::kept();
        kept[u"report"_s] = m_name;
        kept[u"tables"_s] = QVariant::fromValue(m_states);
        kept[u"options"_s] = QVariant::fromValue(m_options->allChosen());
        return kept;
    }
    void restore(const QVariantMap& kept) override {
        if (kept.isEmpty())
            return;
        m_states = kept.value(u"tables"_s).value<std::map<QString, ReportViewState>>();
        m_options->restore(kept.value(u"options"_s).value<ReportOptionBar::AllChosen>());
        m_name.clear();
        choose(kept.value(u"report"_s).toString());
        Panel::restore(kept);
    }

protected:
    void bringUpToDate() override {
        showOptions();
        compute();
    }

private:
    bool hasAll() const { return m_tab.reports.empty(); }
    QString part(QStringView name) const { return (hasAll() ? u"report"_s : m_id) + name.toString(); }

    QWidget* makeListed() {
        m_list = new ReportList;
        connect(m_list, &ReportList::chosen, this, [this](const QString& name) { showReport(name); });
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->setHandleWidth(1);
        splitter->setChildrenCollapsible(false);
        splitter->addWidget(m_list);
        splitter->addWidget(makeTable());
        splitter->setSizes({250, 1200});
        splitter->setStretchFactor(1, 1);
        return splitter;
    }

    void makeChoice() {
        m_choice = new QComboBox;
        m_choice->setObjectName(part(u"Choice"));
        m_choice->setAccessibleName(tr("Report"));
        for (const std::string_view name : m_tab.reports)
            m_choice->addItem(text(findReport(name)->summary), text(name));
        connect(m_choice, &QComboBox::currentIndexChanged, this, [this](int index) {
            if (index >= 0)
                showReport(m_choice->itemData(index).toString());
        });
        m_title->hide(); // the list says it
        m_head->insertWidget(0, m_choice);
    }

    QWidget* makeTable() {
        auto* right = new QWidget;
        auto* layout = new QVBoxLayout(right);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        auto* head = m_head = new QHBoxLayout;
        head->setContentsMargins(10, 2, 10, 2);
        head->setSpacing(12);
        m_title = new QLabel;
        m_title->setFont(uiFont(Face::SemiBold, 12.5));
        m_count = new QLabel;
        m_count->setFont(uiFont(Face::Regular, 12));
        m_options = new ReportOptionBar;
        m_cancel = new QPushButton(tr("Cancel"));
        m_cancel->setObjectName(part(u"Cancel"));
        m_cancel->setFlat(true);
        m_cancel->hide();
        head->addWidget(m_title);
        head->addWidget(m_count);
        head->addWidget(m_cancel);
        head->addStretch(1);
        head->addWidget(m_options);
        m_notes = makeTableNotes(part(u"Notes"));
        layout->addLayout(head);
        layout->addWidget(m_table, 1);
        layout->addWidget(m_notes);
        connect(m_cancel, &QPushButton::clicked, this, [this] { cancel(); });
        connect(m_options, &ReportOptionBar::changed, this, [this] { compute(); });
        connect(m_options, &ReportOptionBar::refused, this, [this](const QString& why) {
            m_notes->setText(why);
            m_notes->show();
        });
        return right;
    }

    void connectTable() {
        m_table->setObjectName(part(u"Table"));
        m_table->setAccessibleName(tr("Rows of the report"));
        connect(m_table, &ReportTableView::arranged, this, [this] { showCount(); });
        connect(m_table, &ReportTableView::stateChanged, this,
                [this] { m_states[m_table->reportName()] = m_table->state(); });
        connect(m_table, &ReportTableView::rowPointed, this,
                [this](std::uint32_t row, bool again) { open(row, again); });
        connect(m_table, &ReportTableView::insidePointed, this,
                [this](const QModelIndex& index, bool again) { openInside(index, again); });
        connect(m_table, &ReportTableView::unfoldWanted, this, [this](const QModelIndex& index) {
            m_unfolded.emplace_back(index);
            unfoldNext();
        });
        connect(m_table, &ReportTableView::exportDone, this, [this](const QString& message) {
            m_notes->setText(message);
            m_notes->show();
        });
    }

    // ---- which report of what

    const ReportSpec* spec() const { return findReport(m_name.toStdString()); }

    // As a person does it, but again what is shown too.
    void choose(const QString& name) {
        if (hasAll()) {
            m_list->forget();
            m_list->choose(name);
            return;
        }
        const int index = m_choice->findData(name); // none after Cancel
        const QSignalBlocker quiet(m_choice);
        m_choice->setCurrentIndex(index);
        if (index >= 0)
            showReport(name);
    }

    void showReport(const QString& name) {
        m_name = name;
        m_title->setText(text(spec()->summary));
        showOptions();
        const auto known = m_states.find(name);
        m_tools->showFilter(known == m_states.end() ? QString() : text(known->second.arrangement.filter));
        compute();
    }

    void showOptions() {
        std::set<std::int64_t> ordinals;
        if (const Document* document = m_context.session.document(); document != nullptr)
            for (const Device& device : document->trace().devices())
                ordinals.insert(device.ordinal);
        if (spec() != nullptr)
            m_options->showFor(*spec(), {ordinals.begin(), ordinals.end()});
    }

    ReportQuery query() const {
        ReportQuery query;
        query.name = m_name.toStdString();
        query.options.range = m_context.session.selection().range();
        query.options.settings = SessionSettings::of(m_context.session).values();
        m_options->apply(query);
        return query;
    }

    void showDocument() {
        const Document* document = m_context.session.document();
        m_details =
            document == nullptr ? nullptr : std::make_shared<JobDetails>(document->path, document->member);
        if (isVisible())
            showOptions(); // later, by bringUpToDate(): there are six such panels, and it makes widgets
        compute();
    }

    void showSelection() {
        const auto& range = m_context.session.selection().range();
        if (range != m_shownRange)
            m_soon.start();
    }

    // ---- computing

    void compute() {
        m_soon.stop();
        m_finding.cancel();
        m_unfolding.cancel();
        m_unfolded.clear();
        m_job.cancel();
        setStale(!isVisible());
        const Document* document = m_context.session.document();
        m_shownRange = m_context.session.selection().range();
        if (document == nullptr || isStale())
            return clear(document == nullptr ? tr("No trace is open.") : QString());
        if (spec() == nullptr)
            return clear(tr("Choose a report."));
        m_query = query();
        m_started.start();
        m_job.start<ShownReport>([trace = document->loaded.trace, details = m_details, query = m_query](
                                     JobControl& job) { return computeReport(*trace, *details, query, job); },
                                 [this](Result<ShownReport> report) { show(std::move(report)); });
    }

    void clear(const QString& why) {
        m_table->showReport({}, {});
        m_table->showPlaceholder(why);
        m_tools->clear();
        m_notes->hide();
        m_count->clear();
        m_cancel->hide();
    }

    void showProgress() {
        if (m_started.elapsed() < kQuietMs)
            return;
        m_count->setText(
            tr("computing, %1 s").arg(static_cast<double>(m_started.elapsed()) / 1000, 0, 'f', 1));
        m_cancel->show();
    }

    void cancel() {
        m_job.cancel();
        clear(tr("Stopped. Choose the report again to compute it."));
        m_name.clear();
        if (hasAll())
            m_list->forget();
        else
            m_choice->setCurrentIndex(-1);
    }

    void show(Result<ShownReport> report) {
        m_cancel->hide();
        m_tools->clear();
        if (!report)
            return clear(text(report.error().detail));
        const QString notes = notesOf(*report->table);
        m_options->setColumns(*report->table);
        const bool isEmpty = report->table->rows() == 0;
        m_table->showPlaceholder(isEmpty ? notes : QString());
        m_notes->setText(notes);
        m_notes->setVisible(!isEmpty && !notes.isEmpty());
        ReportViewState state = m_states[report->name];
        state.arrangement.filter = m_tools->filter().toStdString();
        report->unfolds = m_query.name == "key_averages" && m_query.options.groupBy == AverageGroup::Name;
        m_table->showReport(*std::move(report), state);
    }

    // ---- rows that unfold: what stands directly in them, by the report's own option "inside"

    std::vector<AverageParent> insideOf(const QModelIndex& index) const {
        std::vector<AverageParent> inside = m_query.options.inside;
        const Document* document = m_context.session.document();
        for (const ReportTableModel::Place& place : m_table->rows().wayTo(index)) {
            const EventId first = evidenceOf(*place.table, place.row).event;
            inside.push_back({std::string(place.table->text(place.row, 0)),
                              document->trace().events().kind[first.v] == EventKind::Range});
        }
        return inside;
    }

    // One after the other: a row that waits is asked for again by nobody.
    void unfoldNext() {
        const Document* document = m_context.session.document();
        while (!m_unfolded.empty() && !m_unfolded.front().isValid())
            m_unfolded.pop_front();
        if (m_unfolded.empty() || m_unfolding.isRunning() || document == nullptr)
            return;
        ReportQuery query = m_query;
        query.options.inside = insideOf(m_unfolded.front());
        query.limit.reset();
        m_unfolding.start<ShownReport>(
            [trace = document->loaded.trace, details = m_details, query](JobControl& job) {
                return computeReport(*trace, *details, query, job);
            },
            [this](Result<ShownReport> found) {
                const QPersistentModelIndex index = m_unfolded.front();
                m_unfolded.pop_front();
                if (found && index.isValid())
                    m_table->unfold(index, found->table);
                unfoldNext();
            });
    }

    void showCount() {
        const ReportTable* table = m_table->rows().table().get();
        if (table == nullptr)
            return;
        const std::size_t all = table->rows(), shown = m_table->rows().rows().size();
        QString count = shown == all ? tr("%1 row(s)", nullptr, pluralOf(all)).arg(text(formatCount(all)))
                                     : tr("%1 of %2 row(s)", nullptr, pluralOf(all))
                                           .arg(text(formatCount(shown)), text(formatCount(all)));
        if (shown > ReportTableModel::kMostRows)
            count += tr(", the first %1 shown; filter, or export all")
                         .arg(text(formatCount(ReportTableModel::kMostRows)));
        m_count->setText(count);
        if (all > 0)
            m_table->showPlaceholder(shown == 0 ? tr("No row has this text.") : QString());
    }

    // ---- evidence

    void open(std::uint32_t row, bool again) {
        const Document* document = m_context.session.document();
        if (document == nullptr || m_table->rows().table() == nullptr)
            return;
        const ReportEvidence evidence = evidenceOf(*m_table->rows().table(), row);
        if (hasOwnEvidence(m_query.name, evidence))
            return find({m_table->rows().table(), row, m_query}, row, again, *document);
        JobControl job; // one pass over a column
        const auto instances = instancesOf({document->trace(), nullptr, m_query.options}, evidence, job);
        m_tools->open(row, again, evidence, *instances);
    }

    // A row in what was unfolded: of the same report with the way to it.
    void openInside(const QModelIndex& index, bool again) {
        const Document* document = m_context.session.document();
        if (document == nullptr)
            return;
        const ReportTableModel::Place place = m_table->rows().placeOf(index);
        ReportQuery query = m_query;
        query.options.inside = insideOf(index.parent());
        // A number that no row of the report has, and hardly one in another row.
        const auto key = static_cast<std::uint32_t>(qHash(index.internalId(), place.row)) | 0x8000'0000U;
        find({place.table, place.row, query}, key, again, *document);
    }

    struct Asked {
        std::shared_ptr<const ReportTable> table;
        std::uint32_t row = 0;
        ReportQuery query;
    };
    // By the report's own rule, which takes as long as the report.
    void find(Asked asked, std::uint32_t key, bool again, const Document& document) {
        m_finding.start<std::vector<EventId>>(
            [trace = document.loaded.trace, details = m_details, asked = std::move(asked)](JobControl& job) {
                return details->with([&](DetailReader* reader) {
                    return eventsBehind(asked.query.name, {*trace, reader, asked.query.options}, *asked.table,
                                        asked.row, job);
                });
            },
            [this, key, again](Result<std::vector<EventId>> found) {
                if (found && !found->empty())
                    m_tools->open(key, again, {}, *std::move(found));
            });
    }

    PanelContext m_context;
    ThemePalette m_palette;
    ReportTab m_tab;
    QString m_id, m_name;
    ReportQuery m_query; // of the rows that are shown, or being computed
    std::optional<TimeRange> m_shownRange;
    std::map<QString, ReportViewState> m_states; // by report; kept while the window lives
    std::shared_ptr<JobDetails> m_details;
    QTimer m_soon;
    QElapsedTimer m_started;

    ReportList* m_list = nullptr;  // of all reports
    QComboBox* m_choice = nullptr; // of a few
    ReportTableView* m_table;
    QHBoxLayout* m_head = nullptr;
    TableTools* m_tools = nullptr;
    QLabel *m_title = nullptr, *m_count = nullptr, *m_notes = nullptr;
    ReportOptionBar* m_options = nullptr;
    QPushButton* m_cancel = nullptr;
    std::deque<QPersistentModelIndex> m_unfolded; // that wait for their rows
    JobSlot m_finding, m_unfolding, m_job;        // last: their destructors wait
};

} // namespace

Panel* makeReportTab(const ReportTab& tab, const char* id, const PanelContext& context, QWidget* parent) {
    return new ReportsPanel(tab, QString::fromLatin1(id), context, parent);
}

} // namespace lacuna::ui
