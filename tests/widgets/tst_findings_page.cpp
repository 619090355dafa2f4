// The page that a trace opens with: all findings as cards, whose evidence opens in the timeline.

#include "core/findings/builtin.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/panels/finding_cards.h"

#include <QAbstractButton>
#include <QLabel>

using namespace lacuna;
using namespace lacuna::test;
using namespace lacuna::ui;

namespace {

// What cards asked to open.
struct Opened {
    std::vector<Selection> selected;
    std::vector<TimeRange> shown;
};

struct Page {
    ThemePalette palette = ThemePalette::of(Theme::Dark);
    Opened opened;
    std::unique_ptr<InspectorPage> page = std::make_unique<InspectorPage>(palette);

    Page(AnalysisSession& session, const FoundFindings& found) {
        const PageContext context{session, palette,
                                  [this](const Selection& what) { opened.selected.push_back(what); },
                                  [this](TimeRange range) { opened.shown.push_back(range); }, &found};
        addFindingCards(*page, context, found);
    }
};

bool waitForFindings(FindingsJob& job) {
    QSignalSpy changed(&job, &FindingsJob::changed);
    return job.found().has_value() || changed.wait(60'000);
}

} // namespace

class TstFindingsPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d17_allCardsInTheirOrder();
    void evidence_opensWhatItNames();
    void cards_openAndFold();
};

void TstFindingsPage::d17_allCardsInTheirOrder() {
    AnalysisSession session;
    FindingsJob job(session);
    QVERIFY(!job.found());
    QVERIFY(openAndWait(session, fixture("captured/nsys/stall.sqlite")));
    QVERIFY(waitForFindings(job));
    const FoundFindings& found = *job.found();
    QCOMPARE(found.findings.size(), builtinFindings().size());
    Page page(session, found);
    const auto heads = page.page->findChildren<QAbstractButton*>();
    QCOMPARE(static_cast<std::size_t>(heads.size()), found.findings.size());
    for (int i = 0; i < heads.size(); ++i) {
        const Finding& finding = found.findings[static_cast<std::size_t>(i)];
        QVERIFY(heads[i]->accessibleName().startsWith(
            QString::fromUtf8(finding.title.data(), static_cast<qsizetype>(finding.title.size()))));
    }
    session.close();
    QVERIFY(!job.found()); // of no document
}

void TstFindingsPage::evidence_opensWhatItNames() {
    AnalysisSession session;
    FindingsJob job(session);
    QVERIFY(openAndWait(session, fixture("captured/nsys/stall.sqlite")));
    QVERIFY(waitForFindings(job));
    Page page(session, *job.found());
    std::vector<Evidence> expected;
    for (const Finding& finding : job.found()->findings)
        for (const auto* evidence : {&finding.supports, &finding.against})
            for (const Evidence& one : *evidence)
                if (one.opens())
                    expected.push_back(one);
    std::size_t links = 0;
    for (QLabel* label : page.page->findChildren<QLabel*>()) {
        if (label->textFormat() != Qt::RichText)
            continue;
        QVERIFY(links < expected.size());
        const Evidence& one = expected[links++];
        page.opened = {};
        Q_EMIT label->linkActivated(QStringLiteral("#"));
        if (one.gap)
            QCOMPARE(std::get<GapId>(page.opened.selected.at(0)), one.gap);
        else if (one.event)
            QCOMPARE(std::get<EventId>(page.opened.selected.at(0)), one.event);
        else
            QCOMPARE(page.opened.shown.at(0), one.range);
    }
    QCOMPARE(links, expected.size());
    QVERIFY(links > 10);
}

void TstFindingsPage::cards_openAndFold() {
    AnalysisSession session;
    FindingsJob job(session);
    QVERIFY(openAndWait(session, fixture("captured/nsys/stall.sqlite")));
    QVERIFY(waitForFindings(job));
    Page page(session, *job.found());
    const auto heads = page.page->findChildren<QAbstractButton*>();
    QVERIFY(heads.at(0)->isChecked()); // gaps: found, so open
    int open = 0;
    for (const QAbstractButton* head : heads)
        open += head->isChecked() ? 1 : 0;
    QCOMPARE(open, 2);
    const auto visible = [&page] {
        int count = 0;
        for (const QLabel* label : page.page->findChildren<QLabel*>())
            count += label->isVisibleTo(page.page.get()) ? 1 : 0;
        return count;
    };
    const int before = visible();
    heads.at(0)->click();
    QVERIFY(visible() < before);
    heads.at(0)->click();
    QCOMPARE(visible(), before);
}

LACUNA_TEST(TstFindingsPage, "tst_findings_page")
#include "tst_findings_page.moc"
