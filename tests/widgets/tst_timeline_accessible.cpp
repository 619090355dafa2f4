// The timeline as assistive technology sees it: asked through the interfaces of Qt, in the process.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_accessible.h"

#include <QAccessible>

#include <set>

namespace tst_timeline_accessible {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstTimelineAccessible : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
        m_fixture->view().showWhole();
    }
    void cleanup() { m_fixture.reset(); }

    void timeline_isATableOfLanes() {
        QAccessibleInterface* timeline = interface();
        QVERIFY(timeline != nullptr);
        QCOMPARE(timeline->role(), QAccessible::Table);
        QCOMPARE(timeline->text(QAccessible::Name), u"Timeline"_s);
        auto* table = timeline->tableInterface();
        QVERIFY(table != nullptr);
        QCOMPARE(table->rowCount(), static_cast<int>(m_fixture->view().frame().lanes.size()));
        std::set<QString> titles;
        for (int row = 0; row < table->rowCount(); ++row)
            titles.insert(table->rowDescription(row));
        QVERIFY(titles.contains(u"stream 7, compute, copies"_s));
        QVERIFY(titles.contains(u"CUDA API"_s));
        QCOMPARE(timeline->childCount(), table->rowCount() * table->columnCount());
    }

    void cells_areBounded() {
        auto* table = interface()->tableInterface();
        QCOMPARE(table->columnCount(), static_cast<int>(kMaxCells)); // the whole trace has more in one lane
        std::size_t most = 0;
        for (const LaneFrame& lane : m_fixture->view().frame().lanes)
            most = std::max(most, lane.bars.size());
        QVERIFY(most > kMaxCells);
    }

    void cellsOfALane_areInTimeOrderAndNamed() {
        const GapId worst = document().gaps->byRank().front();
        m_fixture->view().goTo(document().gaps->gap(worst).next, Origin::Command);
        m_fixture->view().fit(document().gaps->gap(worst).range, 0.5);
        auto* timeline = accessible();
        const auto [row, column] = timeline->selectedPlace();
        QVERIFY(row >= 0);
        int left = -1;
        for (int c = 0; c < static_cast<int>(timeline->cellsOf(row).size()); ++c) {
            QAccessibleInterface* cell = timeline->cellAt(row, c);
            QVERIFY(cell != nullptr && cell->isValid());
            QCOMPARE(cell->role(), QAccessible::Cell);
            QVERIFY(!cell->text(QAccessible::Name).isEmpty());
            QVERIFY(cell->rect().left() >= left);
            left = cell->rect().left();
            QCOMPARE(timeline->indexOfChild(cell), row * timeline->columnCount() + c);
            QCOMPARE(timeline->child(timeline->indexOfChild(cell)), cell);
        }
        QAccessibleInterface* kernel = timeline->focusChild();
        QCOMPARE(kernel, timeline->cellAt(row, column));
        const QString name = kernel->text(QAccessible::Name);
        for (const char* part : {"compute kernel", "starts", "stream 7", "launched by cudaLaunchKernel"})
            QVERIFY2(name.contains(QLatin1String(part)), qPrintable(name));
        QVERIFY(kernel->state().selected);
        QVERIFY(kernel->tableCellInterface()->isSelected());
        QCOMPARE(kernel->tableCellInterface()->rowIndex(), row);
        // What is under a point is what is drawn there.
        const QPoint middle = kernel->rect().center();
        QCOMPARE(timeline->childAt(middle.x(), middle.y()), kernel);
        QVERIFY(timeline->cellAt(row, 100'000) == nullptr);
        QVERIFY(timeline->cellAt(-1, 0) == nullptr);
    }

    void gaps_areCellsWithTheVerdict() {
        const GapId worst = document().gaps->byRank().front();
        m_fixture->view().goTo(worst, Origin::Command);
        QAccessibleInterface* cell = accessible()->focusChild();
        QVERIFY(cell != nullptr);
        QVERIFY(cell->text(QAccessible::Name).startsWith(u"GPU idle, "_s));
        QCOMPARE(cell->text(QAccessible::Description), text(m_fixture->session().story(worst).verdict));
    }

    void pressing_selects() {
        const GapId worst = document().gaps->byRank().front();
        m_fixture->view().fit(document().gaps->gap(worst).range, 0.5);
        auto* table = accessible();
        for (int row = 0; row < table->rowCount(); ++row)
            for (int c = 0; c < static_cast<int>(table->cellsOf(row).size()); ++c)
                if (table->cellsOf(row)[static_cast<std::size_t>(c)].gap == worst) {
                    auto* actions = table->cellAt(row, c)->actionInterface();
                    QVERIFY(actions->actionNames().contains(QAccessibleActionInterface::pressAction()));
                    actions->doAction(QAccessibleActionInterface::pressAction());
                    QCOMPARE(m_fixture->session().selection().gap(), worst);
                    return;
                }
        QFAIL("the gap is no cell");
    }

    // A cell that somebody still holds when the view has moved on says so.
    void staleCell_isInvalid() {
        auto* table = accessible();
        QAccessibleInterface* cell = table->cellAt(0, 0);
        const QAccessible::Id id = QAccessible::uniqueId(cell);
        m_fixture->view().zoomAt(4.0, 100);
        QVERIFY(table->cellAt(0, 0) != nullptr);
        QVERIFY(QAccessible::accessibleInterface(id) == nullptr);
        m_fixture->session().close();
        QCOMPARE(table->rowCount(), 0);
        QCOMPARE(table->childCount(), 0);
    }

    void selectedCell_isAmongTheBounded() {
        // The last operation of the trace is beyond the first two hundred of its lane.
        const Trace& trace = document().trace();
        const Gap& gap = document().gaps->gap(document().gaps->byRank().front());
        const Strip strip = trace.strip(trace.stripOf(gap.next));
        const EventId last{strip.last.v - 1};
        m_fixture->session().selection().set(last, Origin::Command);
        auto* table = accessible();
        QVERIFY(table->selectedPlace().first >= 0);
        QCOMPARE(table->selectedCellCount(), 1);
        for (int row = 0; row < table->rowCount(); ++row)
            QVERIFY(table->cellsOf(row).size() <= kMaxCells);
    }

private:
    const Document& document() { return *m_fixture->session().document(); }
    QAccessibleInterface* interface() {
        return QAccessible::queryAccessibleInterface(&m_fixture->window().timeline());
    }
    TimelineAccessible* accessible() { return dynamic_cast<TimelineAccessible*>(interface()); }
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstTimelineAccessible, "tst_timeline_accessible")

} // namespace tst_timeline_accessible

#include "tst_timeline_accessible.moc"
