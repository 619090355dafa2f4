// The page that a trace opens with: all findings as cards, whose evidence opens in the timeline.

#include "core/findings/builtin.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/panels/finding_cards.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLayout>

#include <algorithm>

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
    void cards_areFilledWhenOpened();
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
    for (QAbstractButton* head : page.page->findChildren<QAbstractButton*>())
        head->setChecked(true); // what is folded has no text yet
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

// All cards at once would hold up the window; a card that is opened later reads, and is reached by the
// keyboard, as if it had been there from the start.
void TstFindingsPage::cards_areFilledWhenOpened() {
    AnalysisSession session;
    FindingsJob job(session);
    QVERIFY(openAndWait(session, fixture("captured/nsys/stall.sqlite")));
    QVERIFY(waitForFindings(job));
    Page page(session, *job.found());
    const auto heads = page.page->findChildren<QAbstractButton*>();
    const auto hasText = [&page](const std::string& words) {
        const auto labels = page.page->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->text() == QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
        });
    };
    for (int i = 0; i < heads.size(); ++i)
        QCOMPARE(hasText(job.found()->findings[static_cast<std::size_t>(i)].suggests), heads[i]->isChecked());
    for (int i = 0; i < heads.size(); ++i) {
        const bool wasOpen = heads[i]->isChecked();
        heads[i]->setChecked(true);
        const auto count = page.page->findChildren<QLabel*>().size();
        QVERIFY(hasText(job.found()->findings[static_cast<std::size_t>(i)].suggests));
        heads[i]->setChecked(false);
        heads[i]->setChecked(true);
        QCOMPARE(page.page->findChildren<QLabel*>().size(), count); // filled once
        QCOMPARE(wasOpen, i < 2);
    }
    // From top to bottom: what the keyboard comes to next never stands above what it came from.
    page.page->resize(352, page.page->heightForWidth(352));
    page.page->layout()->activate();
    int top = -1;
    int links = 0;
    for (QWidget* next = heads.at(0); next != nullptr; next = next->nextInFocusChain()) {
        if (next == heads.at(0) && top >= 0)
            break;
        if ((next->focusPolicy() & Qt::TabFocus) == 0)
            continue;
        const int at = next->mapTo(page.page.get(), QPoint(0, 0)).y();
        QVERIFY2(at > top, qPrintable(next->accessibleName()));
        top = at;
        links += qobject_cast<QLabel*>(next) != nullptr ? 1 : 0;
    }
    QVERIFY(links > 10);
}

LACUNA_TEST(TstFindingsPage, "tst_findings_page")
#include "tst_findings_page.moc"
