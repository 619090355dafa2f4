// The ranks of a run that are open, each in a tab of the window: how busy, who waited, who came last. A row
// that is chosen again goes to its tab.

#include "widgets/panels/ranks_panel.h"

#include "core/report/rank_table.h"
#include "widgets/panels/table_panel.h"
#include "widgets/session/open_ranks.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

class RanksPanel final : public TablePanel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::RanksPanel)
public:
    RanksPanel(const PanelContext& context, QWidget* parent)
        : TablePanel(context, u"ranks"_s, u"ranks"_s, parent) {
        setAccessibleName(title());
        m_table->setAccessibleName(tr("Ranks"));
        m_tools->dropRange();
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(m_table, 1);
        layout->addWidget(m_notes);
        connect(m_table, &ReportTableView::rowPointed, this,
                [this](std::uint32_t row, bool again) { open(row, again); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { compute(); });
        connect(&OpenTraces::of(context.session), &OpenTraces::changed, this, [this] { compute(); });
        compute();
    }
    ~RanksPanel() override { m_job.cancel(); }

    QString title() const override { return tr("Ranks"); }

protected:
    void bringUpToDate() override { compute(); }

private:
    void compute() {
        m_job.cancel();
        setStale(!isVisible());
        m_ranks = isStale() ? std::vector<OpenRank>() : openRanks(m_context.session);
        if (m_ranks.empty()) {
            showTable({}, m_context.session.document() == nullptr
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
                report ? showTable(*std::move(report)) : showTable({}, text(report.error().detail));
            });
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

    std::vector<OpenRank> m_ranks; // that the table is of
    JobSlot m_job;                 // last: its destructor waits
};

} // namespace

Panel* makeRanksPanel(const PanelContext& context, QWidget* parent) {
    return new RanksPanel(context, parent);
}

} // namespace lacuna::ui
