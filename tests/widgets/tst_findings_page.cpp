// The page that a trace opens with: all findings as cards, whose evidence opens in the timeline.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/panels/finding_cards.h"
#include "widgets/panels/limiter_bar.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLayout>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tst_findings_page {

using namespace lacuna;
using namespace lacuna::test;
using namespace lacuna::ui;

namespace {

// What cards asked to open.
struct Opened {
    std::vector<Selection> selected;
    std::vector<TimeRange> shown, marked;
    std::vector<std::vector<EventId>> chosen;
};

struct Page {
    ThemePalette palette = ThemePalette::of(Theme::Dark);
    Opened opened;
    std::unique_ptr<InspectorPage> page = std::make_unique<InspectorPage>(palette);

    Page(AnalysisSession& session, const FoundFindings& found) {
        const PageContext context{session,
                                  palette,
                                  [this](const Selection& what) { opened.selected.push_back(what); },
                                  [this](TimeRange range) { opened.shown.push_back(range); },
                                  [this](const std::vector<EventId>& rows) { opened.chosen.push_back(rows); },
                                  [this](TimeRange range, GapId) { opened.marked.push_back(range); },
                                  &found};
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
    void e16_limitersSumToTheWindow_data();
    void e16_limitersSumToTheWindow();
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
                if (one.leads())
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
        for (int link = 0; link < 3; ++link) // more than there are: those do nothing
            Q_EMIT label->linkActivated(QStringLiteral("#%1").arg(link));
        if (one.gap)
            QCOMPARE(std::get<GapId>(page.opened.selected.at(0)), one.gap);
        else if (one.event)
            QCOMPARE(std::get<EventId>(page.opened.selected.at(0)), one.event);
        else if (one.opens())
            QCOMPARE(page.opened.shown.at(0), one.range);
        if (one.rows.size() > 1)
            QCOMPARE(page.opened.chosen.at(0), one.rows);
        if (!one.of.isEmpty())
            QCOMPARE(page.opened.marked.at(0), one.of);
    }
    QCOMPARE(links, expected.size());
    QVERIFY(links > 10);
}

void TstFindingsPage::e16_limitersSumToTheWindow_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("nsys") << QStringLiteral("captured/nsys/stall.sqlite");
    QTest::newRow("kineto") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
}

// Bar and rows by plain loops over the device's rows: kernels before communication before copies before
// nothing, of the time from the first to the last operation; the shares as shown add up to 100.0 %.
void TstFindingsPage::e16_limitersSumToTheWindow() {
    QFETCH(QString, file);
    AnalysisSession session;
    QVERIFY(openAndWait(session, fixture(file.toStdString())));
    const Trace& trace = session.document()->trace();
    std::vector<std::int64_t> edges;
    std::vector<std::uint32_t> work;
    for (std::uint32_t e = 0; e < trace.events().size(); ++e)
        if (isDeviceOp(trace.events().kind[e])) {
            work.push_back(e);
            edges.push_back(trace.events().beginNs[e]);
            edges.push_back(trace.events().endNs[e]);
        }
    std::sort(edges.begin(), edges.end());
    std::int64_t kernels = 0, copies = 0, idle = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) {
        bool hasKernel = false, hasCopy = false;
        for (const std::uint32_t e : work)
            if (trace.events().beginNs[e] <= edges[i - 1] && trace.events().endNs[e] >= edges[i] &&
                edges[i] > edges[i - 1])
                (trace.events().kind[e] == EventKind::Memcpy || trace.events().kind[e] == EventKind::Memset
                     ? hasCopy
                     : hasKernel) = true;
        (hasKernel ? kernels : hasCopy ? copies : idle) += edges[i] - edges[i - 1];
    }
    const ThemePalette palette = ThemePalette::of(Theme::Dark);
    std::vector<TimeRange> marked;
    PageContext context{session, palette, {},
                        {},      {},      [&](TimeRange range, GapId) { marked.push_back(range); }};
    const std::unique_ptr<QWidget> page(makeFindingsPage(context));
    page->resize(352, 800);
    auto* bar = page->findChild<LimiterBar*>();
    QVERIFY(bar != nullptr);
    bar->resize(1'000, 20); // a pixel is a tenth of a percent
    const auto width = [&](DevicePart part) { return bar->edgesOf(part).second - bar->edgesOf(part).first; };
    int tenths = 0;
    for (const auto& [part, name, ns] :
         {std::tuple(DevicePart::Kernels, "kernel execution", kernels),
          std::tuple(DevicePart::Communication, "communication", std::int64_t{0}),
          std::tuple(DevicePart::Copies, "data movement", copies),
          std::tuple(DevicePart::Idle, "idle", idle)}) {
        const double exact =
            1'000.0 * static_cast<double>(ns) / static_cast<double>(edges.back() - edges.front());
        QVERIFY2(std::abs(width(part) - exact) < 1, name);
        tenths += width(part);
        InspectorRow* row = nullptr;
        for (InspectorRow* one : page->findChildren<InspectorRow*>())
            if (one->accessibleName().startsWith(QString::fromLatin1(name)))
                row = one;
        QCOMPARE(row != nullptr, ns > 0);
        if (row == nullptr)
            continue;
        QCOMPARE(row->accessibleName(),
                 QStringLiteral("%1, %2, %3.%4 %")
                     .arg(QString::fromLatin1(name), QString::fromStdString(formatDuration({ns})))
                     .arg(width(part) / 10)
                     .arg(width(part) % 10));
        row->click();
        QCOMPARE(marked.back(), (TimeRange{{edges.front()}, {edges.back()}}));
    }
    QCOMPARE(tenths, 1'000);
    QCOMPARE(bar->edgesOf(DevicePart::Kernels).first, 0);
    QCOMPARE(bar->edgesOf(DevicePart::Idle).second, 1'000);
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
    page.page->show(); // so that all cards are laid out at this width
    QCoreApplication::processEvents();
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

} // namespace tst_findings_page

#include "tst_findings_page.moc"
