// Several files in one window, and a second start that hands its files over.

#include "app/document_tabs.h"
#include "app/main_window.h"
#include "app/open_work.h"
#include "core/base/text_format.h"
#include "tests/support/archives.h"
#include "tests/support/event_text.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/kernels_panel.h"
#include "widgets/states/member_dialog.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QThread>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <fstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tst_document_tabs {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

QString copied(const QTemporaryDir& folder, const QString& name) {
    const QString path = folder.filePath(name);
    const auto fixture = test::itemSync();
    return QFile::exists(path) || QFile::copy(QString::fromStdString(fixture.string()), path) ? path
                                                                                              : QString();
}

bool isOpen(DocumentTabs& tabs, int index) {
    return index < tabs.count() && tabs.page(index)->session().document() != nullptr;
}

} // namespace

class TstDocumentTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_theme = std::make_unique<ThemeControl>();
        m_theme->choose(ThemeChoice::Light);
        m_folder = std::make_unique<QTemporaryDir>();
        m_tabs = std::make_unique<DocumentTabs>(WindowState::inFolder(m_folder->path()), *m_theme);
        m_tabs->resize(1400, 900);
        m_tabs->QWidget::show();
        (void)QTest::qWaitForWindowActive(m_tabs.get());
    }
    void cleanup() {
        m_tabs.reset();
        m_theme.reset();
    }

    void oneFile_needsNoBar() {
        QCOMPARE(m_tabs->count(), 1);
        m_tabs->open(copied(*m_folder, u"a.json.gz"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0), 60'000);
        QCOMPARE(m_tabs->count(), 1);
        QVERIFY(!bar().isVisible());
        QVERIFY(m_tabs->windowTitle().contains(u"a.json.gz"_s));
    }

    // All ranks of an archive at once, each in a tab that tells which it is.
    void archive_opensSeveralTraces() {
        const QString file = m_folder->filePath(u"ranks.zip"_s);
        const std::string trace = test::readFile(test::fixture("micro/M1.json"));
        std::ofstream(file.toStdString(), std::ios::binary) << test::zipOf(
            {{"job/rank0.json", trace, {}}, {"job/rank1.json", trace, {}}, {"job/rank2.json", trace, {}}});
        m_tabs->open(file);
        MemberDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (dialog = m_tabs->findChild<MemberDialog*>()) != nullptr && dialog->isVisible(), 60'000);
        auto* list = dialog->findChild<QTreeWidget*>();
        QTest::keyClick(list, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0) && isOpen(*m_tabs, 1), 60'000);
        QCOMPARE(m_tabs->count(), 2);
        QCOMPARE(m_tabs->page(0)->session().document()->member, u"job/rank0.json"_s);
        QCOMPARE(m_tabs->page(1)->session().document()->member, u"job/rank1.json"_s);
        QCOMPARE(bar().tabText(0), u"rank0.json (ranks.zip)"_s);
        QCOMPARE(bar().tabText(1), u"rank1.json (ranks.zip)"_s);
        QVERIFY(m_tabs->windowTitle().contains(u"rank1.json (ranks.zip)"_s));
    }

    // Three ranks of a run, two of them open: the banner counts, the panel tells who came last.
    void c52_c53_ranksInTabs() {
        const auto rank = [&](int number, double dur) {
            const QString path = m_folder->filePath(u"rank%1.json"_s.arg(number));
            std::ofstream(path.toStdString())
                << test::objectForm(test::q(test::rowText("kernel", "ncclDevKernel_AllReduce", 10, dur,
                                                          "{'device':0,'stream':7}", 7)),
                                    test::q("'distributedInfo': {'backend': 'nccl', 'rank': " +
                                            std::to_string(number) + ", 'world_size': 3},"));
            return path;
        };
        const auto banner = [&](int page) {
            const auto* shown = m_tabs->page(page)->findChild<QWidget*>(u"banner"_s);
            return shown->isHidden() ? QString() : shown->findChild<QLabel*>(u"bannerMessage"_s)->text();
        };
        m_tabs->open(rank(0, 30));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0), 60'000);
        QCOMPARE(banner(0), u"Rank 0 of 3 is open. 2 ranks are not."_s);
        m_tabs->open(rank(2, 10));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 1), 60'000);
        QCOMPARE(banner(1), u"Ranks 0, 2 of 3 are open. 1 rank is not."_s);
        QCOMPARE(banner(0), banner(1));
        QVERIFY(m_tabs->page(1)->commands().run(u"panels.ranks"_s));
        auto* table = m_tabs->page(1)->findChild<ReportTableView*>(u"ranksTable"_s);
        QVERIFY(m_tabs->page(1)->findChild<QWidget*>(u"ranksRange"_s) == nullptr); // no range restricts it
        QTRY_COMPARE_WITH_TIMEOUT(table->rows().rowCount(), 2, 60'000);
        const ReportTable& rows = *table->rows().table();
        QCOMPARE(rows.number(0, *rows.findColumn("Rank")), 2); // came last, so the other waited
        QCOMPARE(rows.number(1, *rows.findColumn("Wait (ns)")), 20'000);
        Q_EMIT table->rowPointed(1, true);
        QCOMPARE(m_tabs->current(), m_tabs->page(0));
        m_tabs->open(rank(1, 20));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 2), 60'000);
        for (int page = 0; page < 3; ++page)
            QCOMPARE(banner(page), QString());
        QVERIFY(m_tabs->closeTab(2));
        m_tabs->show(1);
        QTRY_COMPARE_WITH_TIMEOUT(table->rows().rowCount(), 2, 60'000);
    }

    // A gap behind a collective: the sentence names the rank that was waited for, and leads to its tab.
    void slowPeer_isNamedByTheGap() {
        const auto rank = [&](int number, double dur) {
            const QString path = m_folder->filePath(u"peer%1.json"_s.arg(number));
            const double end = 100 + dur;
            const auto row = [](const char* category, const char* name, double ts, double length,
                                const char* args, int tid) {
                return test::rowText(category, name, ts, length, args, tid) + ",";
            };
            std::ofstream(path.toStdString()) << test::objectForm(
                test::q(
                    row("cuda_runtime", "cudaLaunchKernel", 10, 5, "{'correlation':1}", 1) +
                    row("kernel", "ncclDevKernel_AllReduce", 100, dur,
                        "{'device':0,'stream':7,'correlation':1}", 7) +
                    row("cuda_runtime", "cudaDeviceSynchronize", 20, end + 5 - 20, "{'correlation':2}", 1) +
                    row("cuda_runtime", "cudaLaunchKernel", end + 200, 5, "{'correlation':3}", 1) +
                    test::rowText("kernel", "gemm", end + 210, 50, "{'device':0,'stream':7,'correlation':3}",
                                  7)),
                test::q("'distributedInfo': {'backend': 'nccl', 'rank': " + std::to_string(number) +
                        ", 'world_size': 2},"));
            return path;
        };
        m_tabs->open(rank(0, 300));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0), 60'000);
        MainWindow& first = *m_tabs->page(0);
        first.view().goTo(first.session().document()->gaps->byRank().front(), Origin::Command);
        const auto verdict = [&](int page) {
            const auto* label = m_tabs->page(page)->findChild<QLabel*>(u"verdict"_s);
            return label == nullptr ? QString()
                                    : QTextDocumentFragment::fromHtml(label->text()).toPlainText();
        };
        QTRY_VERIFY(verdict(0).contains(u"cudaDeviceSynchronize"_s));
        QVERIFY2(!verdict(0).contains(u"rank"_s), qPrintable(verdict(0))); // nothing to compare with
        m_tabs->open(rank(1, 40));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 1), 60'000);
        const QString peer =
            u"Before it, this rank waited %1 for rank 1, the last of the open ranks to come to "
            "ncclDevKernel_AllReduce."_s;
        QTRY_VERIFY2(verdict(0).endsWith(peer.arg(text(formatDuration({260'000})))), qPrintable(verdict(0)));
        TimelineViewModel& second = m_tabs->page(1)->view();
        second.goTo(m_tabs->page(1)->session().document()->gaps->byRank().front(), Origin::Command);
        QTRY_VERIFY(verdict(1).contains(u"cudaDeviceSynchronize"_s));
        m_tabs->show(0);
        Q_EMIT first.findChild<QLabel*>(u"verdict"_s)->linkActivated(u"peer"_s);
        QCOMPARE(m_tabs->current(), m_tabs->page(1));
        QVERIFY2(!verdict(1).contains(u"rank"_s), qPrintable(verdict(1))); // it came last itself
        QVERIFY(m_tabs->closeTab(1));
        QTRY_VERIFY2(!verdict(0).contains(u"rank"_s), qPrintable(verdict(0)));
    }

    void everyFile_hasItsOwnState() {
        openTwo();
        QVERIFY(bar().isVisible());
        QCOMPARE(bar().tabText(0), u"a.json.gz"_s);
        QCOMPARE(m_tabs->current(), m_tabs->page(1));
        QVERIFY(m_tabs->windowTitle().contains(u"b.json.gz"_s));
        TimelineViewModel &first = m_tabs->page(0)->view(), &second = m_tabs->page(1)->view();
        const Viewport before = first.viewport();
        second.fit({{5'000'000}, {6'000'000}}, 0.0);
        m_tabs->page(1)->session().selection().set(TimeRange{{5'100'000}, {5'200'000}}, Origin::Command);
        QCOMPARE(first.viewport(), before);
        QVERIFY(!m_tabs->page(0)->session().selection().range());
        const Viewport moved = second.viewport();
        m_tabs->page(1)->commands().run(u"window.previousTab"_s);
        QCOMPARE(m_tabs->current(), m_tabs->page(0));
        m_tabs->page(0)->commands().run(u"window.nextTab"_s);
        QCOMPARE(second.viewport(), moved);
        QVERIFY(m_tabs->page(1)->session().selection().range().has_value());
    }

    void keysReachTheTabInFront() {
        openTwo();
        m_tabs->show(0);
        const Viewport other = m_tabs->page(1)->view().viewport();
        QTest::keyClick(&m_tabs->page(0)->timeline(), Qt::Key_G);
        QVERIFY(m_tabs->page(0)->session().selection().gap());
        QVERIFY(!m_tabs->page(1)->session().selection().gap());
        QCOMPARE(m_tabs->page(1)->view().viewport(), other);
        QTest::keyClick(&m_tabs->page(0)->timeline(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(m_tabs->current(), m_tabs->page(1));
    }

    void fileThatIsOpen_isShown() {
        openTwo();
        m_tabs->page(1)->open(m_folder->filePath(u"a.json.gz"_s)); // as its dialog would
        QCOMPARE(m_tabs->count(), 2);
        QCOMPARE(m_tabs->current(), m_tabs->page(0));
    }

    void severalDroppedFiles_openInTabs() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(copied(*m_folder, u"a.json.gz"_s)),
                      QUrl::fromLocalFile(copied(*m_folder, u"b.json.gz"_s)),
                      QUrl(u"https://example.org/c.json"_s)});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_tabs->current(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_tabs->current(), &drop);
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0) && isOpen(*m_tabs, 1), 60'000);
        QCOMPARE(m_tabs->count(), 2);
        QCOMPARE(bar().tabText(0), u"a.json.gz"_s);
        QCOMPARE(bar().tabText(1), u"b.json.gz"_s);
    }

    void closedTab_goesAndTheLastIsEmptied() {
        openTwo();
        QVERIFY(m_tabs->page(1)->commands().run(u"file.close"_s));
        QTRY_COMPARE(m_tabs->count(), 1);
        QVERIFY(!bar().isVisible());
        QVERIFY(m_tabs->windowTitle().contains(u"a.json.gz"_s));
        QVERIFY(m_tabs->current()->commands().run(u"file.close"_s));
        QCoreApplication::processEvents();
        QCOMPARE(m_tabs->count(), 1);
        QVERIFY(m_tabs->current()->session().document() == nullptr);
    }

    // Another text size makes the window anew: what was open is there as it was, undo included.
    void textSize_keepsEverything() {
        openTwo();
        MainWindow& second = *m_tabs->page(1);
        const GapId worst = second.session().document()->gaps->byRank().front();
        second.view().goTo(worst, Origin::Command);
        QTest::keyClick(&second.timeline(), Qt::Key_N, Qt::ShiftModifier);
        second.view().fit({{5'000'000}, {9'000'000}}, 0.0);
        const Document* document = second.session().document();
        const TimeRange range = second.view().viewport().range();
        const int steps = second.session().undoStack().count();
        QVERIFY(steps > 0);
        QSignalSpy changed(m_tabs.get(), &DocumentTabs::textSizeChanged);
        second.commands().refresh();
        QVERIFY(second.commands().run(u"view.textLarger"_s));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(WindowState::inFolder(m_folder->path()).layout().textPercent, 110);
        DocumentTabs::Work work = m_tabs->takeWork();
        QCOMPARE(work.pages.size(), std::size_t{2});
        m_tabs.reset();
        m_tabs = std::make_unique<DocumentTabs>(WindowState::inFolder(m_folder->path()), *m_theme,
                                                std::move(work));
        m_tabs->QWidget::show();
        QCOMPARE(m_tabs->count(), 2);
        QVERIFY(m_tabs->current() == m_tabs->page(1));
        MainWindow& again = *m_tabs->page(1);
        QVERIFY(again.session().document() == document); // not read again
        QVERIFY(again.session().selection().gap() == worst);
        QCOMPARE(again.view().viewport().range().begin, range.begin);
        QCOMPARE(again.session().annotations().callouts().size(), std::size_t{1});
        QCOMPARE(again.session().undoStack().count(), steps);
        QVERIFY(again.view().canGoBack());
        again.session().undoStack().undo();
        QVERIFY(again.session().annotations().isEmpty());
        // The widgets are of the same document: tables have their rows, the title its name.
        QVERIFY(again.findChild<QTreeView*>(u"gapsTable"_s)->model()->rowCount() > 1);
        QVERIFY(m_tabs->windowTitle().contains(u"b.json.gz"_s));
        QTest::keyClick(&again.timeline(), Qt::Key_G, Qt::ShiftModifier);
    }

    // What was set in the panels is there again too: which is shown, report, order, filters.
    void textSize_keepsThePanels() {
        openTwo();
        const auto remake = [this] {
            DocumentTabs::Work work = m_tabs->takeWork();
            m_tabs.reset();
            m_tabs = std::make_unique<DocumentTabs>(WindowState::inFolder(m_folder->path()), *m_theme,
                                                    std::move(work));
            m_tabs->QWidget::show();
        };
        {
            MainWindow& window = *m_tabs->page(1);
            const auto tab = [&window](const QString& title) {
                auto* bar = window.findChild<QWidget*>(u"bottomArea"_s)->findChild<QTabBar*>();
                for (int i = 0; i < bar->count(); ++i)
                    if (bar->tabText(i) == title)
                        bar->setCurrentIndex(i);
            };
            window.findChild<QSlider*>(u"gapsThreshold"_s)->setValue(6); // 5 us
            window.findChild<QLineEdit*>(u"gapsFilter"_s)->setText(u"sync"_s);
            Q_EMIT window.findChild<QTreeView*>(u"gapsTable"_s)->header()->sectionClicked(3); // count
            tab(u"Kernels"_s);
            auto* grouping = window.findChild<QComboBox*>(u"kernelGrouping"_s);
            grouping->setCurrentIndex(2);
            Q_EMIT grouping->activated(2);
            window.search().setTyped(u"aten.*mm"_s);
            window.search().setOptions({true, true});
            QVERIFY(window.commands().run(u"view.criticalPath"_s));
            tab(u"Reports"_s);
            auto* names = window.panel(u"reports"_s)->findChild<QTreeWidget*>();
            names->setCurrentItem(names->findItems(u"cuda_api_trace"_s, Qt::MatchExactly).front());
            auto* table = window.findChild<ReportTableView*>(u"reportTable"_s);
            QTRY_VERIFY_WITH_TIMEOUT(table->rows().rowCount() > 100, 20'000);
            table->sortBy(1, true);
            window.findChild<QLineEdit*>(u"reportsFilter"_s)->setText(u"Launch"_s);
            QTRY_COMPARE(table->state().arrangement.filter, std::string("Launch"));
            QTRY_VERIFY(table->verticalScrollBar()->maximum() > 40);
            table->verticalScrollBar()->setValue(40);
        }
        remake();
        MainWindow& again = *m_tabs->page(1);
        QCOMPARE(again.panel(u"reports"_s)->isVisible(), true);
        auto* table = again.findChild<ReportTableView*>(u"reportTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->rows().rowCount() > 100, 20'000);
        QCOMPARE(table->reportName(), u"cuda_api_trace"_s);
        QCOMPARE(table->state().arrangement.column, std::optional<std::size_t>(1));
        QVERIFY(table->state().arrangement.isDescending);
        QCOMPARE(table->state().arrangement.filter, std::string("Launch"));
        QTRY_COMPARE(table->verticalScrollBar()->value(), 40);
        QCOMPARE(again.findChild<QLineEdit*>(u"reportsFilter"_s)->text(), u"Launch"_s);
        QCOMPARE(again.findChild<QSlider*>(u"gapsThreshold"_s)->value(), 6);
        QCOMPARE(again.findChild<QLineEdit*>(u"gapsFilter"_s)->text(), u"sync"_s);
        const QHeaderView* gaps = again.findChild<QTreeView*>(u"gapsTable"_s)->header();
        QVERIFY(gaps->isSortIndicatorShown());
        QCOMPARE(gaps->sortIndicatorSection(), 3);
        QCOMPARE(again.findChild<QComboBox*>(u"kernelGrouping"_s)->currentIndex(), 2);
        QCOMPARE(static_cast<KernelsPanel*>(again.panel(u"kernels"_s))->study().grouping(),
                 KernelGrouping::Function);
        QVERIFY(again.findChild<QToolButton*>(u"searchRegex"_s)->isChecked());
        QVERIFY(again.findChild<QToolButton*>(u"searchCase"_s)->isChecked());
        QCOMPARE(again.findChild<QLineEdit*>(u"searchField"_s)->text(), u"aten.*mm"_s);
        QVERIFY(again.commands().action(u"view.criticalPath"_s)->isChecked());
        // The other tab was not touched.
        QVERIFY(m_tabs->page(0)->findChild<QLineEdit*>(u"gapsFilter"_s)->text().isEmpty());
    }

    // A workspace of a trace that is open goes to its tab; of another one to a tab of its own.
    void workspace_goesToTheTabOfItsTrace() {
        openTwo();
        const QString file = m_folder->filePath(u"a.lacuna"_s);
        {
            MainWindow& first = *m_tabs->page(0);
            QSignalSpy saved(&first.workspace(), &WorkspaceControl::saved);
            first.view().fit({{5'000'000}, {9'000'000}}, 0.0);
            first.workspace().save(file);
            QVERIFY(saved.wait(20'000));
            first.view().showWhole();
        }
        m_tabs->show(1);
        QSignalSpy ended(&m_tabs->page(0)->session(), &AnalysisSession::loadEnded);
        m_tabs->current()->open(file); // as a drop does
        QVERIFY(!ended.isEmpty() || ended.wait(60'000));
        QCOMPARE(m_tabs->count(), 2);
        QVERIFY(m_tabs->current() == m_tabs->page(0));
        QTRY_VERIFY(m_tabs->page(0)->view().viewport().range().length().v < 5'000'000);
        QVERIFY(m_tabs->page(1)->session().document()->path.endsWith(u"b.json.gz"_s));
        // Its trace is not open any more: a tab of its own.
        QVERIFY(m_tabs->closeTab(0));
        QCOMPARE(m_tabs->count(), 1);
        m_tabs->current()->open(file);
        QTRY_COMPARE_WITH_TIMEOUT(m_tabs->count(), 2, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 1), 60'000);
        QVERIFY(m_tabs->page(1)->session().document()->path.endsWith(u"a.json.gz"_s));
        QVERIFY(m_tabs->page(0)->session().document()->path.endsWith(u"b.json.gz"_s));
    }

    void quit_asksForEveryTab() {
        openTwo();
        bool asked = false;
        m_tabs->page(0)->setLossQuestion([&asked] {
            asked = true;
            return false;
        });
        Callout note;
        note.laneKey = "lane/gpu_stream/0/7";
        note.title = "x";
        m_tabs->page(0)->session().annotations().apply(AnnotationEdit::add(note));
        m_tabs->page(0)->session().undoStack().push(new QUndoCommand);
        QVERIFY(!m_tabs->close());
        QVERIFY(asked);
        QVERIFY(m_tabs->isVisible());
        QCOMPARE(m_tabs->current(), m_tabs->page(0)); // the one that is asked about is in front
    }

    void message_readsBack_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<bool>("good");
        QTest::newRow("good") << messageOf({{u"/a b\n.json"_s, u"/ä"_s}, u"/w.lacuna"_s, u"gap:1"_s, u"m"_s})
                              << true;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("no json") << QByteArray("GET / HTTP/1.1\n") << false;
        QTest::newRow("other") << QByteArray(R"({"format":"x","version":1,"files":["/a"]})") << false;
        QTest::newRow("newer") << QByteArray(R"({"format":"lacuna-open","version":2,"files":["/a"]})")
                               << false;
    }
    void message_readsBack() {
        QFETCH(QByteArray, message);
        QFETCH(bool, good);
        Handover handover;
        QCOMPARE(readMessage(message, handover), good);
        if (good)
            QCOMPARE(handover, (Handover{{u"/a b\n.json"_s, u"/ä"_s}, u"/w.lacuna"_s, u"gap:1"_s, u"m"_s}));
        QVERIFY(!message.chopped(message.isEmpty() ? 0 : 1).contains('\n') || !good);
        // A relative path would mean something else in the other process.
        QVERIFY(readMessage(R"({"format":"lacuna-open","version":1,"files":["a.json"]})", handover));
        QVERIFY(handover.files.isEmpty());
    }

    void secondStart_handsItsFilesOver() {
        const QString socket = m_folder->filePath(u"s"_s);
        SingleInstance first(socket);
        QVERIFY(!first.handOver({{u"/a"_s}, {}, {}, {}}, 100)); // nobody is there
        QVERIFY(first.listen());
        connect(&first, &SingleInstance::received, m_tabs.get(), &DocumentTabs::take);
        const QString a = copied(*m_folder, u"a.json.gz"_s), b = copied(*m_folder, u"b.json.gz"_s);
        bool given = false;
        std::unique_ptr<QThread> second(QThread::create([&] {
            const SingleInstance other(socket);
            given = other.handOver({{a, b}, {}, {}, {}});
        }));
        second->start();
        QTRY_VERIFY_WITH_TIMEOUT(second->isFinished(), 20'000);
        QVERIFY(given);
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0) && isOpen(*m_tabs, 1), 60'000);
        // Two that listen: the later one does not take the place of the first.
        SingleInstance third(socket);
        QVERIFY(!third.listen());
        // Nobody but the user may use it.
        QCOMPARE(QFile::permissions(socket) &
                     (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
                 QFile::Permissions());
    }

    void leftOverSocket_isTakenOver() {
        const QString socket = m_folder->filePath(u"s"_s);
        QFile stale(socket); // what a crash leaves behind answers nobody
        QVERIFY(stale.open(QIODevice::WriteOnly));
        stale.close();
        SingleInstance first(socket);
        QVERIFY(!first.handOver({{u"/a"_s}, {}, {}, {}}, 100));
        QVERIFY(first.listen());
    }

    void noise_isTurnedAway() {
        const QString socket = m_folder->filePath(u"s"_s);
        SingleInstance first(socket);
        QVERIFY(first.listen());
        QSignalSpy received(&first, &SingleInstance::received);
        const int client = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray path = socket.toUtf8();
        QVERIFY(static_cast<std::size_t>(path.size()) < sizeof address.sun_path);
        std::copy(path.begin(), path.end(), std::begin(address.sun_path));
        QCOMPARE(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        QCOMPARE(::write(client, "hello\n", 6), ssize_t{6});
        char answer = 0;
        QTRY_COMPARE(::recv(client, &answer, 1, MSG_DONTWAIT), ssize_t{0}); // it hung up
        ::close(client);
        QVERIFY(received.isEmpty());
    }

private:
    QTabBar& bar() { return *m_tabs->findChild<QTabBar*>(u"documentTabBar"_s); }
    void openTwo() {
        m_tabs->open(copied(*m_folder, u"a.json.gz"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 0), 60'000);
        m_tabs->open(copied(*m_folder, u"b.json.gz"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(*m_tabs, 1), 60'000);
        QCOMPARE(m_tabs->count(), 2);
    }

    std::unique_ptr<ThemeControl> m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DocumentTabs> m_tabs;
};

LACUNA_TEST(TstDocumentTabs, "tst_document_tabs")

} // namespace tst_document_tabs

#include "tst_document_tabs.moc"
