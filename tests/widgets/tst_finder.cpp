// The field in the menu bar: search with counts, walks, marks and results; commands, times and lanes.

#include "app/finder_control.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/command/palette_list.h"
#include "widgets/search/search_field.h"
#include "widgets/timeline/timeline_view.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

namespace tst_finder {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

class TstFinder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(itemSync()));
        m_field = m_fixture->window().findChild<SearchField*>();
        m_list = m_fixture->window().findChild<PaletteList*>();
    }
    void cleanup() { m_fixture.reset(); }

    void slashAndCtrlFGoThere() {
        for (const QKeySequence& key : {QKeySequence(Qt::Key_Slash), QKeySequence(Qt::CTRL | Qt::Key_F)}) {
            m_fixture->window().timeline().setFocus();
            QTest::keySequence(&m_fixture->window().timeline(), key);
            QVERIFY(m_field->hasFocus());
        }
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(m_fixture->window().timeline().hasFocus());
    }

    void countsWhileTypingThenWalks() {
        search("gemm");
        const Trace& trace = m_fixture->session().document()->trace();
        std::vector<EventId> expected;
        for (std::uint32_t row = 0; row < trace.events().size(); ++row)
            if (QString::fromStdString(std::string(trace.nameOf(EventId{row})))
                    .contains(u"gemm", Qt::CaseInsensitive))
                expected.push_back(EventId{row});
        std::sort(expected.begin(), expected.end(), [&](EventId a, EventId b) {
            return trace.events().beginNs[a.v] < trace.events().beginNs[b.v];
        });
        QVERIFY(expected.size() > 10);
        const QString count = QLocale::c().toString(qulonglong(expected.size()));
        QVERIFY2(m_field->note().startsWith(count), qPrintable(m_field->note()));
        m_fixture->view().showWhole();
        for (std::size_t i = 0; i < 3; ++i) {
            QTest::keyClick(m_field, Qt::Key_Return);
            QCOMPARE(m_fixture->session().selection().event(), expected[i]);
            QVERIFY(m_field->note().startsWith(QString::number(i + 1) + QStringLiteral(" of ")));
        }
        QTest::keyClick(m_field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(m_fixture->session().selection().event(), expected[1]);
        m_fixture->window().commands().run(QStringLiteral("find.previous"));
        m_fixture->window().commands().run(QStringLiteral("find.previous")); // around
        QCOMPARE(m_fixture->session().selection().event(), expected.back());
        m_fixture->window().commands().run(QStringLiteral("find.next"));
        QCOMPARE(m_fixture->session().selection().event(), expected.front());
        // The list: the same, in time.
        const auto* table = m_fixture->window().findChild<QTreeView*>(QStringLiteral("searchTable"));
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), int(expected.size()));
        QCOMPARE(table->currentIndex().row(), 0);
        QTest::keyClick(const_cast<QTreeView*>(table), Qt::Key_Down);
        QCOMPARE(m_fixture->session().selection().event(), expected[1]);
    }

    void hitsAreMarkedInTheLanesAndTheOverview() {
        QTest::qWait(50); // the window takes its size
        const QImage before = m_fixture->window().timeline().grab().toImage();
        search("cudaStreamSynchronize");
        QVERIFY(m_fixture->view().searchHits() != nullptr);
        QCOMPARE(m_fixture->view().scene().search, m_fixture->view().searchHits());
        const QImage with = m_fixture->window().timeline().grab().toImage();
        QVERIFY(before != with);
        search("");
        QVERIFY(m_fixture->view().searchHits() == nullptr);
        QCOMPARE(m_fixture->window().timeline().grab().toImage(), before);
    }

    void aReloadSearchesTheNewRows() {
        search("cat:kernel");
        const std::size_t kernels = m_fixture->window().search().hits()->size();
        QSignalSpy ended(&m_fixture->session(), &AnalysisSession::loadEnded);
        m_fixture->window().commands().run(QStringLiteral("file.reload"));
        QVERIFY(ended.wait(60'000));
        QTRY_VERIFY(m_fixture->window().search().hits() != nullptr);
        QCOMPARE(m_fixture->window().search().hits()->size(), kernels);
        QCOMPARE(m_fixture->window().search().hits()->trace().get(), m_fixture->view().trace());
        m_fixture->session().close();
        QVERIFY(m_fixture->window().search().hits() == nullptr);
    }

    void argumentsAreReadOnEnter() {
        SearchSession& found = m_fixture->window().search();
        search("stream:7 cat:gpu_memcpy");
        QCOMPARE(found.args(), SearchSession::Args::Waiting);
        QTest::keyClick(m_field, Qt::Key_Return);
        QTRY_COMPARE(found.args(), SearchSession::Args::Complete);
        const Trace& trace = m_fixture->session().document()->trace();
        std::size_t copies = 0;
        for (std::uint32_t row = 0; row < trace.events().size(); ++row)
            copies += trace.events().kind[row] == EventKind::Memcpy &&
                      trace.lane(trace.laneOf(EventId{row})).sourceId == 7;
        QVERIFY(copies > 0);
        QCOMPARE(found.hits()->size(), copies);
    }

    void whatIsWrongIsSaid() {
        search("/(/");
        QVERIFY(!m_fixture->window().search().problem().isEmpty());
        QVERIFY(m_fixture->view().searchHits() == nullptr);
        auto* message = m_fixture->window().findChild<QLabel*>(QStringLiteral("searchMessage"));
        QCOMPARE(message->text(), m_fixture->window().search().problem());
        search("nothing is called like this");
        QVERIFY(m_fixture->window().search().problem().isEmpty());
        QCOMPARE(m_field->note(), QStringLiteral("no hits"));
    }

    void switchesOfThePanel() {
        search("GEMM");
        const std::size_t all = m_fixture->window().search().hits()->size();
        m_fixture->window().findChild<QToolButton*>(QStringLiteral("searchCase"))->click();
        QTRY_COMPARE(m_field->note(), QStringLiteral("no hits"));
        m_fixture->window().findChild<QToolButton*>(QStringLiteral("searchCase"))->click();
        m_fixture->window().findChild<QToolButton*>(QStringLiteral("searchRegex"))->click();
        search("g.mm");
        QCOMPARE(m_fixture->window().search().hits()->size(), all);
    }

    void commandsByTheirName() {
        m_fixture->window().commands().run(QStringLiteral("find.commands"));
        QVERIFY(m_field->hasFocus());
        QVERIFY(m_list->isVisible());
        QTest::keyClicks(m_field, QStringLiteral("next gap wo"));
        const PaletteEntry& first = m_list->entries().front();
        QCOMPARE(first.title, QStringLiteral("Next gap, worst first"));
        QCOMPARE(first.detail, QStringLiteral("G"));
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(m_list->isHidden());
        QCOMPARE(m_fixture->session().selection().gap(),
                 m_fixture->session().document()->gaps->byRank().front());
        QVERIFY(m_fixture->window().timeline().hasFocus());
        // It was the last one: it comes first.
        m_fixture->window().commands().run(QStringLiteral("find.commands"));
        QCOMPARE(m_list->entries().front().title, QStringLiteral("Next gap, worst first"));
    }

    void everyEnabledCommandIsInTheList() {
        m_fixture->window().commands().run(QStringLiteral("find.commands"));
        QStringList titles;
        for (const PaletteEntry& entry : m_list->entries())
            titles << entry.title;
        for (const Command& command : m_fixture->window().commands().commands())
            QVERIFY2(titles.contains(CommandRegistry::plainTitle(command)), qPrintable(command.id));
    }

    void timesAndSteps_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("middleNs"); // of the view afterwards
        QTest::newRow("seconds") << QStringLiteral(":0.012") << qint64(12'000'000);
        QTest::newRow("unit") << QStringLiteral(":12ms") << qint64(12'000'000);
        QTest::newRow("range") << QStringLiteral(":11ms..13ms") << qint64(12'000'000);
    }
    void timesAndSteps() {
        QFETCH(QString, typed);
        QFETCH(qint64, middleNs);
        m_field->setFocus();
        m_field->setText(typed);
        QTest::keyClick(m_field, Qt::Key_Return);
        const TimeRange view = m_fixture->view().viewport().range();
        const std::int64_t middle = view.begin.v + view.length().v / 2;
        QVERIFY2(std::abs(middle - middleNs) < view.length().v / 100, qPrintable(QString::number(middle)));
    }

    void aStepByNumber() {
        m_field->setFocus();
        m_field->setText(QStringLiteral(":step 2"));
        QTest::keyClick(m_field, Qt::Key_Return);
        const Document& document = *m_fixture->session().document();
        const TimeRange step = document.trace().events().range(document.steps.events[1]);
        const TimeRange view = m_fixture->view().viewport().range();
        QVERIFY(view.begin <= step.begin && step.end <= view.end);
        QVERIFY(view.length().v < 2 * step.length().v);
        m_field->setFocus();
        m_field->setText(QStringLiteral(":yesterday"));
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(m_list->current() < 0);
    }

    void lanesByTheirName() {
        m_fixture->window().resize(1500, 620);
        m_field->setFocus();
        m_field->setText(QStringLiteral("@stream"));
        QVERIFY(!m_list->entries().empty());
        QVERIFY(m_list->entries().front().title.startsWith(QStringLiteral("stream 7")));
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(std::holds_alternative<LaneId>(m_fixture->session().selection().current()));
    }

    void escapeLeavesTheListThenTheSearch() {
        search("gemm");
        m_fixture->window().commands().run(QStringLiteral("find.commands"));
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(m_list->isHidden());
        QCOMPARE(m_field->text(), QStringLiteral("gemm"));
        m_field->setFocus();
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(m_field->text().isEmpty());
        QVERIFY(m_fixture->view().searchHits() == nullptr);
    }

    void narrowWindowsHaveRoomForMenusAndField() {
        m_fixture->window().resize(960, 640);
        QTest::qWait(20);
        const QRect field(m_field->mapTo(&m_fixture->window(), QPoint(0, 0)), m_field->size());
        QVERIFY(m_fixture->window().rect().contains(field));
        QVERIFY(field.width() >= 180);
    }

private:
    void search(const char* typed) {
        m_field->setFocus();
        m_field->setText(QString::fromUtf8(typed));
        QTRY_VERIFY(!m_fixture->window().search().isRunning());
    }

    std::unique_ptr<WindowFixture> m_fixture;
    SearchField* m_field = nullptr;
    PaletteList* m_list = nullptr;
};

LACUNA_TEST(TstFinder, "tst_finder")

} // namespace tst_finder

#include "tst_finder.moc"
