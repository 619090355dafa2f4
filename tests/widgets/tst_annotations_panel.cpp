// Annotations made by command and listed: shown, hidden, gone to, removed, undone; and the whole way by mouse
// with one button.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/export/export_dialog.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/annotation_table_model.h"
#include "widgets/text.h"
#include "widgets/timeline/callouts.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>
#include <QTreeView>

namespace tst_annotations_panel {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstAnnotationsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void everyKind_isMadeAtTheSelectionAndListed() {
        const Gap& gap = document().gaps->gap(document().gaps->byRank().front());
        m_fixture->view().goTo(gap.previous, Origin::Command);
        run("annotate.pin");
        run("annotate.highlight");
        run("annotate.redact");
        run("annotate.arrow");
        QCOMPARE(notes().size(), std::size_t{3}); // the arrow waits for its head
        m_fixture->view().goTo(gap.next, Origin::Command);
        run("annotate.arrow");
        QCOMPARE(notes().size(), std::size_t{4});
        const Callout arrow = notes().back();
        QCOMPARE(arrow.kind, AnnotationKind::Arrow);
        QCOMPARE(arrow.time, gap.range.begin); // from the end of the one
        QCOMPARE(arrow.toTime, gap.range.end); // to the begin of the other
        QCOMPARE(table().model()->rowCount(), 4);
        const QAbstractItemModelTester tester(table().model());
        QCOMPARE(cell(0, AnnotationTableModel::Kind), u"Pin 1"_s);
        QCOMPARE(cell(1, AnnotationTableModel::Kind), u"Highlight"_s);
        QCOMPARE(cell(0, AnnotationTableModel::Lane), u"stream 7"_s);
        for (int i = 0; i < 4; ++i)
            run("edit.undo");
        QCOMPARE(table().model()->rowCount(), 0);
        run("edit.redo");
        QCOMPARE(cell(0, AnnotationTableModel::Kind), u"Pin 1"_s);
    }

    void tickHides_clickGoes_deleteRemoves() {
        const GapId worst = document().gaps->byRank().front();
        m_fixture->view().goTo(worst, Origin::Command);
        run("annotate.pin");
        m_fixture->view().fit({{0}, {1'000'000}}, 0.0);
        m_fixture->view().setSelectedCallout(0);
        m_fixture->session().selection().clear(Origin::Command);
        auto* model = table().model();
        QVERIFY(
            model->setData(model->index(0, AnnotationTableModel::Shown), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!notes()[0].isShown);
        QVERIFY(m_fixture->session().undoStack().canUndo());
        run("edit.undo");
        QVERIFY(notes()[0].isShown);
        Q_EMIT table().clicked(model->index(0, AnnotationTableModel::Says));
        const TimeRange view = m_fixture->view().viewport().range();
        QVERIFY(view.begin <= notes()[0].time && notes()[0].time < view.end);
        QCOMPARE(m_fixture->view().selectedCallout(), notes()[0].id);
        QCOMPARE(m_fixture->session().selection().gap(), worst); // what it is about comes with it
        table().selectRow(0);
        QTest::keyClick(&table(), Qt::Key_Space);
        QVERIFY(!notes()[0].isShown);
        QTest::keyClick(&table(), Qt::Key_Delete);
        QVERIFY(notes().empty());
        run("edit.undo");
        QCOMPARE(notes().size(), std::size_t{1});
    }

    void noteOfAnEvent_bringsItsEventBack() {
        const EventId event = document().gaps->gap(document().gaps->byRank().front()).next;
        m_fixture->view().goTo(event, Origin::Command);
        run("annotate.pin");
        m_fixture->session().selection().clear(Origin::Command);
        Q_EMIT table().clicked(table().model()->index(0, AnnotationTableModel::Says));
        QCOMPARE(m_fixture->session().selection().event(), event);
    }

    void colour_isChosenInTheEditor() {
        m_fixture->view().goTo(document().gaps->byRank().front(), Origin::Command);
        run("annotate.add");
        auto* editor = m_fixture->window().findChild<CalloutEditor*>();
        QVERIFY(editor != nullptr);
        auto* colour = editor->findChild<QComboBox*>(u"calloutColour"_s);
        QCOMPARE(colour->currentText(), u"Note"_s);
        colour->setCurrentIndex(colour->findText(u"GPU idle"_s));
        click(editor->findChild<QPushButton*>(u"calloutSave"_s), {5, 5});
        QCOMPARE(notes()[0].colour, NoteColour::Gap);
        run("edit.undo");
        QVERIFY(notes().empty());
    }

    void verdictCallout_isLiveUntilItIsWritten() {
        m_fixture->view().goTo(document().gaps->byRank().front(), Origin::Command);
        run("annotate.addVerdict");
        QVERIFY(notes()[0].isLive);
        QVERIFY(text(notes()[0].title).contains(u"2.395 ms"_s));
    }

    // One button: the worst gap in the table, its verdict from the menu, the figure from the menu.
    void oneButton_fromGapToFigure() {
        MainWindow& window = m_fixture->window();
        auto* gaps = window.findChild<QTreeView*>(u"gapsTable"_s);
        click(gaps->viewport(), gaps->visualRect(gaps->model()->index(0, 2)).center());
        QTRY_VERIFY(m_fixture->session().selection().gap());
        QCOMPARE(m_fixture->session().selection().gap(), document().gaps->byRank().front());
        choose(u"&Annotate"_s, u"annotate.addVerdict"_s);
        QCOMPARE(notes().size(), std::size_t{1});
        choose(u"&File"_s, u"file.export"_s);
        auto* dialog = window.findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isReady(), 20'000);
        auto* save = dialog->findChild<QPushButton*>(u"exportSave"_s);
        QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), 20'000);
        const QString picture = m_fixture->folder() + u"/figure.png"_s;
        QTimer::singleShot(0, this, [picture] { // the dialog of the name runs its own loop
            auto* name = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (name == nullptr)
                return;
            name->findChild<QLineEdit*>()->setText(picture);
            QTest::mouseClick(name->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                              Qt::LeftButton);
        });
        click(save, save->rect().center());
        QTRY_VERIFY(QFile::exists(picture));
        const auto held = workspaceInPicture(picture);
        QVERIFY(held);
        const auto workspace = Workspace::parse(*held);
        QVERIFY(workspace);
        QCOMPARE(workspace->callouts.size(), std::size_t{1});
        QVERIFY(workspace->callouts[0].isLive);
        QVERIFY(m_fixture->session().undoStack().isClean());
    }

private:
    const Document& document() { return *m_fixture->session().document(); }
    std::span<const Callout> notes() { return m_fixture->session().annotations().callouts(); }
    QTableView& table() { return *m_fixture->window().findChild<QTableView*>(u"annotationsTable"_s); }
    QString cell(int row, int column) {
        return table().model()->index(row, column).data(Qt::DisplayRole).toString();
    }
    void run(const char* command) {
        m_fixture->window().commands().refresh();
        QVERIFY2(m_fixture->window().commands().run(QLatin1String(command)), command);
    }
    static void click(QWidget* widget, QPoint at) { QTest::mouseClick(widget, Qt::LeftButton, {}, at); }
    void choose(const QString& menu, const QString& command) {
        QMenuBar* bar = m_fixture->window().menuBar();
        for (QAction* top : bar->actions())
            if (top->text() == menu) {
                click(bar, bar->actionGeometry(top).center());
                QTRY_VERIFY(top->menu()->isVisible());
                click(top->menu(),
                      top->menu()->actionGeometry(m_fixture->window().commands().action(command)).center());
                return;
            }
        QFAIL("no such menu");
    }

    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstAnnotationsPanel, "tst_annotations_panel")

} // namespace tst_annotations_panel

#include "tst_annotations_panel.moc"
