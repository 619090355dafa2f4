// The ranks of a run that are open, each in a tab of the window: how busy, who waited, who came last. A row
// that is chosen again goes to its tab.

#include "widgets/panels/ranks_panel.h"

#include "core/document/world.h"
#include "core/report/rank_table.h"
#include "widgets/panels/panel.h"
#include "widgets/session/open_traces.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCoreApplication>
#include <QLabel>
#include <QShowEvent>
#include <QVBoxLayout>

#include <set>

namespace lacuna::ui {

namespace {

struct OpenRank {
    std::int64_t rank = 0;
    OpenTrace open;
};

// This trace and those of the other tabs that tell another rank; of runs of another size none.
std::vector<OpenRank> ranksOf(AnalysisSession& session) {
    const Document* document = session.document();
    if (document == nullptr)
        return {};
    std::vector<OpenTrace> all{
        {document->path, document->member, displayName(document->path), document->loaded.trace}};
    for (const OpenTrace& other : OpenTraces::of(session).others())
        all.push_back(other);
    const auto world = worldOf(document->trace().facts());
    std::vector<OpenRank> ranks;
    std::set<std::int64_t> known;
    for (OpenTrace& one : all) {
        const auto rank = rankOf(one.trace->facts());
        const auto theirs = worldOf(one.trace->facts());
        const bool isOfOther = world && theirs && world->size != theirs->size;
        if (rank && !isOfOther && known.insert(*rank).second)
            ranks.push_back({*rank, std::move(one)});
        else if (ranks.empty())
            return {}; // of which rank this trace is nobody tells
    }
    return ranks;
}

class RanksPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::RanksPanel)
public:
    RanksPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_table(new ReportTableView),
          m_tools(new TableTools(context.view, context.commands, *m_table, u"ranks"_s, this)),
          m_notes(new QLabel) {
        setAccessibleName(title());
        m_table->setObjectName(u"ranksTable"_s);
        m_table->setAccessibleName(tr("Ranks"));
        m_notes->setObjectName(u"ranksNotes"_s);
        m_notes->setFont(uiFont(Face::Regular, 12));
        m_notes->setTextFormat(Qt::PlainText);
        m_notes->setWordWrap(true);
        m_notes->setContentsMargins(10, 3, 10, 4);
        m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(m_table, 1);
        layout->addWidget(m_notes);
        connect(m_table, &ReportTableView::stateChanged, this, [this] { m_state = m_table->state(); });
        connect(m_table, &ReportTableView::exportDone, m_notes, &QLabel::setText);
        connect(m_table, &ReportTableView::rowPointed, this,
                [this](std::uint32_t row, bool again) { open(row, again); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { compute(); });
        connect(&OpenTraces::of(context.session), &OpenTraces::changed, this, [this] { compute(); });
        compute();
    }
    ~RanksPanel() override { m_job.cancel(); }

    QString title() const override { return tr("Ranks"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override { m_table->setFocus(Qt::TabFocusReason); }
    void setThemePalette(const ThemePalette& palette) override {
        m_table->setThemePalette(palette);
        m_notes->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
    }
    QVariantMap kept() const override {
        QVariantMap kept = Panel::kept();
        kept[u"table"_s] = QVariant::fromValue(m_state);
        return kept;
    }
    void restore(const QVariantMap& kept) override {
        if (kept.isEmpty())
            return;
        Panel::restore(kept);
        m_state = kept.value(u"table"_s).value<ReportViewState>();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Panel::showEvent(event);
        if (m_isStale)
            compute();
    }

private:
    void compute() {
        m_job.cancel();
        m_isStale = !isVisible();
        m_ranks = m_isStale ? std::vector<OpenRank>() : ranksOf(m_context.session);
        if (m_ranks.empty()) {
            show({}, m_context.session.document() == nullptr
                         ? tr("No trace is open.")
                         : tr("Neither this trace nor its name tells its rank."));
            return;
        }
        m_job.start<ShownReport>(
            [ranks = m_ranks](JobControl& job) -> Result<ShownReport> {
                std::vector<RankInput> inputs;
                for (const OpenRank& one : ranks)
                    inputs.push_back({one.rank, one.open.title.toStdString(), one.open.trace.get()});
                auto table = rankTable(inputs, job);
                return table ? shownReport(u"ranks"_s, *std::move(table), job)
                             : Result<ShownReport>(table.error());
            },
            [this](Result<ShownReport> report) {
                report ? show(*std::move(report), {}) : show({}, text(report.error().detail));
            });
    }

    void show(ShownReport report, const QString& why) {
        m_tools->clear();
        QStringList notes;
        if (report.table != nullptr)
            for (const std::string& note : report.table->notes())
                notes << text(note);
        m_table->showPlaceholder(why);
        m_notes->setText(notes.join(u' '));
        m_notes->setVisible(!notes.isEmpty());
        ReportViewState state = m_state;
        state.arrangement.filter = m_tools->filter().toStdString();
        m_table->showReport(std::move(report), state);
    }

    void open(std::uint32_t row, bool again) {
        const ReportTable* table = m_table->rows().table().get();
        if (!again || table == nullptr)
            return;
        const std::int64_t rank = table->number(row, *table->findColumn("Rank"));
        for (const OpenRank& one : m_ranks)
            if (one.rank == rank && one.open.trace != m_context.session.document()->loaded.trace)
                return OpenTraces::of(m_context.session).show(OpenTrace(one.open)); // it may go meanwhile
    }

    PanelContext m_context;
    ReportViewState m_state;
    std::vector<OpenRank> m_ranks; // that the table is of
    bool m_isStale = true;         // nothing is computed while the panel is hidden
    ReportTableView* m_table;
    TableTools* m_tools;
    QLabel* m_notes;
    JobSlot m_job; // last: its destructor waits
};

} // namespace

Panel* makeRanksPanel(const PanelContext& context, QWidget* parent) {
    return new RanksPanel(context, parent);
}

} // namespace lacuna::ui
