#include "widgets/panels/slow_peer.h"

#include "core/base/text_format.h"
#include "core/report/late_rank.h"
#include "core/view/short_name.h"
#include "widgets/session/job_slot.h"
#include "widgets/session/open_ranks.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QLabel>

#include <optional>

namespace lacuna::ui {

namespace {

using Late = std::optional<LateRank>;

class SlowPeer final : public QObject {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::SlowPeer)
public:
    SlowPeer(QLabel& verdict, QString html, AnalysisSession& session, EventId collective)
        : QObject(&verdict), m_verdict(verdict), m_html(std::move(html)), m_session(session),
          m_collective(collective) {
        connect(&OpenTraces::of(session), &OpenTraces::changed, this, [this] { look(); });
        connect(&verdict, &QLabel::linkActivated, this, [this](const QString& where) {
            if (where == kLink && m_late)
                OpenTraces::of(m_session).show(OpenTrace(m_ranks[m_late->rank + 1].open));
        });
        look();
    }

private:
    static constexpr QLatin1String kLink{"peer"};

    void look() {
        m_job.cancel();
        m_late.reset();
        m_verdict.setText(m_html);
        m_ranks = openRanks(m_session);
        if (m_ranks.size() < 2)
            return;
        m_job.start<Late>(
            [ranks = m_ranks, collective = m_collective](JobControl& job) -> Result<Late> {
                std::vector<const Trace*> others;
                for (std::size_t i = 1; i < ranks.size(); ++i)
                    others.push_back(ranks[i].open.trace.get());
                return lateRank(*ranks.front().open.trace, collective, others, job);
            },
            [this](const Result<Late>& late) {
                if (late && *late)
                    tell(**late);
            });
    }

    void tell(const LateRank& late) {
        m_late = late;
        const Trace& own = *m_ranks.front().open.trace;
        const auto forms = shortNames(own.nameOf(m_collective), EventKind::Kernel);
        const QString name = forms.empty() ? text(own.nameOf(m_collective)) : text(forms.front());
        //: %1: a duration, %2: "rank 3" as a link, %3: the name of a collective
        const QString sentence =
            tr("Before it, this rank waited %1 for %2, the last of the open ranks to come to %3.")
                .arg(u"<b>"_s + text(formatDuration({late.waitedNs})) + u"</b>"_s,
                     u"<a href=\"%1\">%2</a>"_s.arg(kLink, tr("rank %1").arg(m_ranks[late.rank + 1].rank)),
                     name.toHtmlEscaped());
        m_verdict.setText(m_html + u"<div style=\"line-height:17.5px\">"_s + sentence + u"</div>"_s);
    }

    QLabel& m_verdict;
    QString m_html;
    AnalysisSession& m_session;
    EventId m_collective;
    std::vector<OpenRank> m_ranks; // this one first
    Late m_late;
    JobSlot m_job; // last: its destructor waits
};

} // namespace

void tellSlowPeer(QLabel& verdict, const QString& html, AnalysisSession& session, EventId collective) {
    new SlowPeer(verdict, html, session, collective); // the label owns it
}

} // namespace lacuna::ui
