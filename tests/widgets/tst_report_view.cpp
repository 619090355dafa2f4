// Reports in the table of the window: units, order, filter, copies, exports, the walk through events.

#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"
#include "widgets/command/command_registry.h"
#include "widgets/tables/instance_walk.h"
#include "widgets/tables/report_job.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace tst_report_view {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

ReportTable people() {
    ReportTable table({textColumn("Name"), nsColumn("Total Time (ns)"), nsColumn("self_host_ns"),
                       integerColumn("Calls"), decimalColumn("Time (%)", 1)});
    table.addRow().text("aten::mm").ns(12'345'678).ns(0).integer(1'284'553).decimal(98.76);
    table.addRow().text("a, \"b\"").ns(17).ns(999).integer(-3).decimal(-0.04);
    table.addRow().text("c").empty().ns(1).empty().empty();
    return table;
}

ShownReport shown(ReportTable table, const QString& name = QStringLiteral("people")) {
    JobControl job;
    return *shownReport(name, std::move(table), job);
}

ReportViewState state(std::size_t column, bool isDescending, const char* filter = "") {
    ReportViewState made;
    made.arrangement.column = column;
    made.arrangement.isDescending = isDescending;
    made.arrangement.filter = filter;
    return made;
}

QStringList texts(const ReportTableModel& model, int row) {
    QStringList cells;
    for (int c = 0; c < model.columnCount(); ++c)
        cells << model.index(row, c).data().toString();
    return cells;
}

QStringList names(const ReportTableView& view) {
    QStringList cells;
    for (int r = 0; r < view.rows().rowCount(); ++r)
        cells << view.rows().index(r, 0).data().toString();
    return cells;
}

} // namespace

class TstReportView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneUnitAColumn_neverZeroForWhatIsNot() {
        const ShownReport report = shown(people());
        ReportTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(report.table, report.looks, {0, 1, 2});
        QStringList titles;
        for (int c = 0; c < model.columnCount(); ++c)
            titles << model.headerData(c, Qt::Horizontal).toString();
        QCOMPARE(titles, (QStringList{QStringLiteral("Name"), QStringLiteral("Total Time, ms"),
                                      QStringLiteral("self host, ns"), QStringLiteral("Calls"),
                                      QStringLiteral("Time (%)")}));
        QCOMPARE(texts(model, 0),
                 (QStringList{QStringLiteral("aten::mm"), QStringLiteral("12.346"), QStringLiteral("0"),
                              QStringLiteral("1\u2009284\u2009553"), QStringLiteral("98.8")}));
        QCOMPARE(texts(model, 1)[1], QStringLiteral("< 0.001"));
        QCOMPARE(texts(model, 1)[3], QStringLiteral("-3"));
        QCOMPARE(texts(model, 2),
                 (QStringList{QStringLiteral("c"), QStringLiteral("—"), QStringLiteral("1"),
                              QStringLiteral("—"), QStringLiteral("—")})); // not known, and no 0 (A02, A11)
        QCOMPARE(model.index(0, 1).data(Qt::TextAlignmentRole).toInt(),
                 static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
        QVERIFY(model.index(0, 1)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("12\u2009345\u2009678 ns")));
        model.setRows({2});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.rowOf(2), 0);
        QCOMPARE(model.rowOf(0), -1);
        model.setTable(nullptr, {}, {});
        QCOMPARE(model.columnCount(), 0);
    }

    void averagesHaveAUnitToo() {
        ReportTable table({decimalColumn("Avg (ns)", 1)});
        table.addRow().decimal(168'630.6);
        table.addRow().decimal(0.2);
        const ShownReport report = shown(std::move(table));
        QCOMPARE(report.looks[0].title, QStringLiteral("Avg, µs"));
        QCOMPARE(shownCell(*report.table, report.looks[0], 0, 0), QStringLiteral("168.631"));
        QCOMPARE(shownCell(*report.table, report.looks[0], 1, 0), QStringLiteral("< 0.001"));
        QCOMPARE(exactCell(*report.table, 0, 0), QStringLiteral("168\u2009630.6 ns"));
    }

    void headerClicksSort() {
        ReportTableView view;
        view.showReport(shown(people()), ReportViewState());
        const auto click = [&](int column) { Q_EMIT view.header()->sectionClicked(column); };
        const QStringList plain{QStringLiteral("aten::mm"), QStringLiteral("a, \"b\""), QStringLiteral("c")};
        QCOMPARE(names(view), plain);
        click(0); // texts from A
        QCOMPARE(names(view), (QStringList{plain[1], plain[0], plain[2]}));
        click(3); // numbers from the largest
        QCOMPARE(names(view), plain);
        QVERIFY(view.state().arrangement.isDescending);
        click(3);
        QCOMPARE(names(view), (QStringList{plain[1], plain[0], plain[2]})); // the empty one stays last
        click(3);                                                           // the report's own order
        QCOMPARE(names(view), plain);
        QVERIFY(!view.state().arrangement.column);
    }

    void filterKeepsTheCurrentRow() {
        ReportTableView view;
        view.showReport(shown(people()), ReportViewState());
        view.setCurrentTableRow(2);
        QSignalSpy pointed(&view, &ReportTableView::rowPointed);
        view.setFilter(QStringLiteral("C"));
        QCOMPARE(names(view), QStringList{QStringLiteral("c")});
        QCOMPARE(view.currentTableRow(), std::optional<std::uint32_t>(2));
        QCOMPARE(pointed.size(), 0); // nobody went anywhere
        view.setFilter({});
        QCOMPARE(view.rows().rowCount(), 3);
    }

    void stateComesBack() {
        ReportTableView view;
        ReportViewState kept = state(1, false, "a");
        kept.hidden = {2};
        view.showReport(shown(people()), kept);
        QCOMPARE(names(view), (QStringList{QStringLiteral("a, \"b\""), QStringLiteral("aten::mm")}));
        QVERIFY(view.isColumnHidden(2));
        view.showReport(shown(ReportTable({textColumn("One")})), state(7, true));
        QVERIFY(!view.state().arrangement.column); // a column that this one lacks
        QVERIFY(!view.isColumnHidden(0));
    }

    void copiesHaveExactFigures() {
        ReportTableView view;
        view.showReport(shown(people()), state(3, true, "a"));
        const QString csv = view.copied(CopyForm::Csv);
        QCOMPARE(csv, QStringLiteral("Name,Total Time (ns),self_host_ns,Calls,Time (%)\n"
                                     "aten::mm,12345678,0,1284553,98.8\n"
                                     "\"a, \"\"b\"\"\",17,999,-3,0.0\n"));
        view.setFilter({});
        view.selectAll();
        view.selectionModel()->select(view.rows().index(0, 0),
                                      QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
        QCOMPARE(view.copied(CopyForm::Csv).count(u'\n'), 3); // head and two rows
        view.copy(CopyForm::Text);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Name ")));
    }

    void exportsAllRowsThatPass() {
        QTemporaryDir folder;
        ReportTableView view;
        view.showReport(shown(people()), state(0, false, "a"));
        QSignalSpy done(&view, &ReportTableView::exportDone);
        for (const char* name : {"t.csv", "t.json"}) {
            view.exportTo(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(done.wait());
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            QVERIFY(bytes.indexOf("12345678") > bytes.indexOf("999"));
            QVERIFY(!bytes.contains("\"c\"") && !bytes.contains("\nc,"));
        }
        view.exportTo(folder.filePath(QStringLiteral("no/such/folder.csv")));
        QVERIFY(done.wait());
        QVERIFY(done.last().front().toString().contains(QStringLiteral("could not be written")));
    }

    void largeTablesAreArrangedInAJob() {
        ReportTable table({integerColumn("Value")});
        for (int i = 0; i < 50'000; ++i)
            table.addRow().integer(i);
        ReportTableView view;
        view.showReport(shown(people()), ReportViewState()); // more columns
        QSignalSpy arranged(&view, &ReportTableView::arranged);
        view.showReport(shown(std::move(table)), state(0, true));
        QVERIFY(view.isArranging());
        view.resize(view.width() + 50, view.height()); // meanwhile
        QCoreApplication::processEvents();
        QVERIFY(arranged.wait());
        QCOMPARE(view.rows().index(0, 0).data().toString(), QStringLiteral("49\u2009999"));
    }

    void walkGoesByTimeAndByDuration() {
        const auto kernel = [](int ts, int dur) {
            return test::q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':") + std::to_string(ts) +
                   test::q(",'dur':") + std::to_string(dur) + test::q(",'args':{'device':0,'stream':7}}");
        };
        const auto trace = test::jsonTrace(
            test::objectForm(kernel(0, 5) + "," + kernel(10, 9) + "," + kernel(20, 1) + "," + kernel(30, 9)));
        QVERIFY(trace != nullptr);
        QWidget window;
        CommandRegistry commands(&window);
        InstanceWalk walk(commands, &window);
        const auto e = [](std::uint32_t row) { return EventId{row}; };
        walk.setInstances(trace, {e(0), e(1), e(3)});
        QCOMPARE(walk.next({}, 1), e(0));
        QCOMPARE(walk.next(e(2), 1), e(3)); // the next in time of another event
        QCOMPARE(walk.next(e(2), -1), e(1));
        QCOMPARE(walk.next(e(3), 1), e(0)); // round
        QCOMPARE(walk.next(e(0), -1), e(3));
        walk.setByDuration(true);
        QCOMPARE(walk.instances(), (std::vector<EventId>{e(1), e(3), e(0)}));
        QCOMPARE(walk.next(e(2), 1), e(1)); // the longest
        QCOMPARE(walk.next(e(1), 1), e(3));
        walk.setInstances(nullptr, {});
        QVERIFY(!walk.next(e(1), 1));
        QVERIFY(commands.action(QStringLiteral("instances.next")) != nullptr);
    }
};

LACUNA_TEST(TstReportView, "tst_report_view")

} // namespace tst_report_view

#include "tst_report_view.moc"
