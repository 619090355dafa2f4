// The investigation log in the window: from a gap to a measurement, rejected and kept, undone, in the
// workspace.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/session/trace_log.h"
#include "widgets/tables/log_table_model.h"
#include "widgets/text.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

namespace tst_log_panel {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstLogPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
        QVERIFY(m_fixture->window().commands().run(u"panels.log"_s));
    }
    void cleanup() { m_fixture.reset(); }

    void b01_fromAGapToAMeasurement() {
        const QAbstractItemModelTester tester(table().model());
        const GapId worst = document().gaps->byRank().front();
        m_fixture->view().goTo(worst, Origin::Command);
        QVERIFY(!table().isVisible()); // there is nothing yet, and that is said
        QTest::mouseClick(button("logAdd"), Qt::LeftButton);
        QCOMPARE(log().entries().size(), std::size_t{1});
        QCOMPARE(cell(0, LogTableModel::Observed), text(m_fixture->session().story(worst).verdict));
        QVERIFY(log().entries()[0].range == document().gaps->gap(worst).range);
        QCOMPARE(cell(0, LogTableModel::State), u"Observed"_s);
        // What comes next is open for writing.
        auto* editor = table().viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"the read waits"_s);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(cell(0, LogTableModel::Hypothesis), u"the read waits"_s);
        QCOMPARE(cell(0, LogTableModel::State), u"Hypothesis"_s);
        write(LogTableModel::Changed, u"log every 50th step"_s);
        QCOMPARE(cell(0, LogTableModel::State), u"Changed"_s);
        write(LogTableModel::Measured, u"  "_s); // that is no measurement
        QCOMPARE(cell(0, LogTableModel::State), u"Changed"_s);
        write(LogTableModel::Measured, u"5.94 ms a step"_s);
        QCOMPARE(cell(0, LogTableModel::State), u"Re-measured"_s);
        m_fixture->window().commands().run(u"edit.undo"_s);
        QCOMPARE(cell(0, LogTableModel::State), u"Changed"_s);
    }

    void aTextThatIsBeingWritten_doesNotHoldTheWindow() {
        QTest::mouseClick(button("logAdd"), Qt::LeftButton);
        auto* editor = table().viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"half a"_s);
        m_fixture.reset();
    }

    void c80_rejectedStays() {
        log().add(entry("idle", "the loader"));
        table().selectRow(0);
        QTest::mouseClick(button("logReject"), Qt::LeftButton);
        QCOMPARE(cell(0, LogTableModel::State), u"Rejected"_s);
        QCOMPARE(button("logReject")->text(), u"Keep after all"_s);
        QTest::mouseClick(button("logCopy"), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"| rejected | idle | the loader |"_s));
        table().selectRow(0);
        QTest::mouseClick(button("logReject"), Qt::LeftButton);
        QCOMPARE(cell(0, LogTableModel::State), u"Hypothesis"_s);
        table().selectRow(0);
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Delete);
        QVERIFY(log().entries().empty());
        m_fixture->window().commands().run(u"edit.undo"_s);
        QCOMPARE(log().entries().size(), std::size_t{1});
    }

    void aRowGoesToItsTime() {
        LogEntry one = entry("here", "");
        one.range = TimeRange{{20'000'000}, {20'100'000}};
        log().add(one);
        m_fixture->view().fit({{0}, {1'000'000}}, 0.0);
        Q_EMIT table().clicked(table().model()->index(0, LogTableModel::Observed));
        const TimeRange view = m_fixture->view().viewport().range();
        QVERIFY(view.begin <= one.range->begin && one.range->end <= view.end);
    }

    void theWorkspaceHasIt() {
        log().add(entry("idle", "the loader"));
        const QString file = m_fixture->folder() + u"/notes.lacuna"_s;
        QSignalSpy saved(&m_fixture->window().workspace(), &WorkspaceControl::saved);
        m_fixture->window().workspace().save(file);
        QVERIFY(saved.wait(60'000));
        m_fixture->session().close();
        QVERIFY(log().entries().empty()); // it was of that trace
        QVERIFY(m_fixture->open(file.toStdString()));
        QCOMPARE(log().entries().size(), std::size_t{1});
        QCOMPARE(cell(0, LogTableModel::Hypothesis), u"the loader"_s);
    }

private:
    static LogEntry entry(const char* observed, const char* hypothesis) {
        LogEntry one;
        one.observed = observed;
        one.hypothesis = hypothesis;
        return one;
    }
    const Document& document() { return *m_fixture->session().document(); }
    TraceLog& log() { return TraceLog::of(m_fixture->session()); }
    QTableView& table() { return *m_fixture->window().findChild<QTableView*>(u"logTable"_s); }
    QPushButton* button(const char* name) {
        return m_fixture->window().findChild<QPushButton*>(QString::fromLatin1(name));
    }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    void write(int column, const QString& words) {
        table().model()->setData(table().model()->index(0, column), words);
    }
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstLogPanel, "tst_log_panel")

} // namespace tst_log_panel

#include "tst_log_panel.moc"
