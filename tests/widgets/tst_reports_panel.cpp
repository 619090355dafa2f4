// The reports in the window: chosen from a list, of the whole trace or of a range, and opened in the
// timeline.

#include "core/output/report_output.h"
#include "core/report/builtin.h"
#include "core/report/report_options.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/instance_walk.h"
#include "widgets/tables/report_table_view.h"

#include <QLineEdit>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <random>
#include <set>

namespace tst_reports_panel {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

namespace {

class ReportsFixture : public WindowFixture {
public:
    bool openReports(const std::filesystem::path& file) {
        if (!open(file))
            return false;
        showTab(QStringLiteral("Reports"));
        return table().isVisible();
    }
    ReportTableView& table() { return *window().findChild<ReportTableView*>(QStringLiteral("reportTable")); }
    QTreeWidget& names() { return *window().findChild<QTreeWidget*>(QStringLiteral("reportNames")); }
    // Chooses it and waits for its rows.
    bool show(const QString& name) {
        const auto found = names().findItems(name, Qt::MatchExactly);
        if (found.isEmpty())
            return false;
        names().setCurrentItem(found.front());
        return QTest::qWaitFor([&] { return table().reportName() == name && !table().isArranging(); },
                               30'000);
    }
    int column(const QString& title) {
        for (int c = 0; c < table().rows().columnCount(); ++c)
            if (table().rows().headerData(c, Qt::Horizontal).toString().startsWith(title))
                return c;
        return -1;
    }
    // As a click on the first cell.
    void click(int row) { clickIn(table(), row, {}); }
    static void clickIn(ReportTableView& view, int row, Qt::KeyboardModifiers modifiers) {
        const QModelIndex index = view.rows().index(row, 0);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers, view.visualRect(index).center());
    }
    // What Ctrl+click on a row selects. A row of one event goes to it.
    std::vector<EventId> eventsOf(ReportTableView& view, int row) {
        session().selection().clear(Origin::Command);
        clickIn(view, row, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] { return session().selection().event().operator bool(); }, 30'000))
            return {};
        return session().selection().events();
    }
    // A table and the panel that it stands in.
    ReportTableView* openTable(const QString& panel, const QString& report) {
        showTab(panel);
        if (panel == u"Reports")
            return show(report) ? &table() : nullptr;
        auto* view = window().findChild<ReportTableView*>(QStringLiteral("kernelTable"));
        return QTest::qWaitFor([&] { return view->rows().rowCount() > 0; }, 30'000) ? view : nullptr;
    }
};

enum class Formula { Count, Sum, Union };

std::int64_t evaluate(Formula formula, const Trace& trace, const std::vector<EventId>& events) {
    std::vector<TimeRange> ranges;
    std::int64_t sum = 0;
    for (const EventId event : events) {
        ranges.push_back(trace.events().range(event));
        sum += ranges.back().length().v;
    }
    switch (formula) {
    case Formula::Count:
        return static_cast<std::int64_t>(events.size());
    case Formula::Sum:
        return sum;
    case Formula::Union:
        break;
    }
    std::ranges::sort(ranges, {}, [](const TimeRange& range) { return range.begin; });
    std::int64_t covered = 0;
    TimeNs end{INT64_MIN};
    for (const TimeRange& range : ranges)
        if (range.end > end) {
            covered += (range.end - std::max(end, range.begin)).v;
            end = range.end;
        }
    return covered;
}

struct ShownFigure {
    QString panel, report, column;
    Formula formula;
};

// Columns whose figures the events alone give, of fourteen tables in two panels.
std::vector<ShownFigure> shownFigures() {
    std::vector<ShownFigure> all;
    const auto add = [&](const char* report, const char* count, const char* sum, const char* covered = "") {
        const QString panel = *report == '\0' ? QStringLiteral("Kernels") : QStringLiteral("Reports");
        const QString name = QString::fromLatin1(report);
        all.push_back({panel, name, QString::fromLatin1(count), Formula::Count});
        if (*sum != '\0')
            all.push_back({panel, name, QString::fromLatin1(sum), Formula::Sum});
        if (*covered != '\0')
            all.push_back({panel, name, QString::fromLatin1(covered), Formula::Union});
    };
    add("", "Count", "Total (ns)");
    add("cuda_gpu_kern_sum", "Instances", "Total Time (ns)");
    add("cuda_api_sum", "Num Calls", "Total Time (ns)");
    add("event_sum", "Count", "Total Time (ns)", "Union (ns)");
    add("copies", "Count", "Sum (ns)", "Union (ns)");
    add("nvtx_sum", "Instances", "Total Time (ns)");
    add("kernel_shapes", "Instances", "Total Time (ns)");
    add("kernel_exposure", "Count", "Total (ns)");
    add("gpu_kernel_breakdown_names", "Count", "Sum (ns)");
    add("user_annotation_breakdown", "Count", "Sum (ns)");
    add("nvtx_kern_sum", "Kern Inst", "Total Time (ns)");
    add("launch", "Launched", "");
    add("key_averages", "# of Calls", "");
    add("memory_bw_summary", "Operations", "", "Union (ns)");
    return all;
}

} // namespace

class TstReportsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }

    // One implementation: what the window exports is what `lacuna stats` prints.
    void everyReportHasTheRowsOfTheCommandLine() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        const Document& document = *fixture.session().document();
        for (const ReportSpec& report : builtinReports()) {
            const QString name = QString::fromStdString(std::string(report.name));
            QVERIFY2(fixture.show(name), qPrintable(name));
            JobControl job;
            ReportQuery query;
            query.name = report.name;
            query.limit = SIZE_MAX;
            const auto expected = runReport(document.trace(), document.loaded.details.get(), query, job);
            QVERIFY2(expected, qPrintable(name));
            StringSink csv;
            writeReportCsv(*expected, csv, job);
            QCOMPARE(fixture.table().copied(CopyForm::Csv), QString::fromStdString(csv.text()));
        }
    }

    void aRangeRestrictsThem() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        QVERIFY(fixture.show(QStringLiteral("cuda_gpu_trace")));
        auto* chip = fixture.window().findChild<QToolButton*>(QStringLiteral("reportsRange"));
        QVERIFY(!chip->isVisible());
        const int all = fixture.table().rows().rowCount();
        const TimeRange window = fixture.session().document()->trace().window();
        const TimeRange third{window.begin, window.begin + DurationNs{window.length().v / 3}};
        fixture.session().selection().set(third, Origin::Timeline);
        QVERIFY(QTest::qWaitFor([&] { return fixture.table().rows().rowCount() < all; }, 30'000));
        QVERIFY(fixture.table().rows().rowCount() > 0);
        QVERIFY(chip->isVisible());
        QVERIFY(chip->text().startsWith(QStringLiteral("Range ")));
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!fixture.session().selection().range());
        QVERIFY(QTest::qWaitFor([&] { return fixture.table().rows().rowCount() == all; }, 30'000));
        QVERIFY(!chip->isVisible());
    }

    void aRowOpensItsEvent() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        QVERIFY(fixture.show(QStringLiteral("cuda_gpu_trace")));
        fixture.click(3);
        const EventId event = fixture.session().selection().event();
        QVERIFY(event);
        const Trace& trace = fixture.session().document()->trace();
        QCOMPARE(trace.events().beginNs[event.v], fixture.table().rows().table()->number(3, 0));
        QVERIFY(fixture.view().viewport().range().contains(TimeNs{trace.events().beginNs[event.v]}));
    }

    void aSumWalksThroughItsEvents() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        QVERIFY(fixture.show(QStringLiteral("cuda_gpu_kern_sum")));
        const ReportTable& table = *fixture.table().rows().table();
        const std::int64_t count = table.number(0, *table.findColumn("Instances"));
        QVERIFY(count > 2);
        fixture.click(0);
        // Other panels have one too; of these only the shown panel's can be visible.
        const auto walks = fixture.window().findChildren<InstanceWalk*>();
        const auto shown = std::ranges::find_if(walks, [](const auto* each) { return each->isVisible(); });
        QVERIFY(shown != walks.end());
        const InstanceWalk* walk = *shown;
        QCOMPARE(static_cast<std::int64_t>(walk->instances().size()), count);
        std::int64_t sum = 0;
        std::set<std::uint32_t> seen;
        for (std::int64_t i = 0; i < count; ++i) {
            const EventId event = fixture.session().selection().event();
            sum += fixture.session().document()->trace().events().duration(event).v;
            seen.insert(event.v);
            QVERIFY(fixture.window().commands().run(QStringLiteral("instances.next")));
        }
        QCOMPARE(static_cast<std::int64_t>(seen.size()), count);
        QCOMPARE(sum, table.number(0, *table.findColumn("Total Time")));
        const EventId here = fixture.session().selection().event();
        fixture.click(0); // once more: on to the next
        QVERIFY(fixture.session().selection().event() != here);
    }

    // 28 figures of the window, of a row each, worked out again from the events that this row selects.
    void a02_figuresFromTheSelectedEvents() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        const Trace& trace = fixture.session().document()->trace();
        std::mt19937 random(2026);
        std::vector<ShownFigure> figures = shownFigures();
        std::ranges::shuffle(figures, random);
        QVERIFY(figures.size() >= 20);
        std::set<QString> tables;
        for (const ShownFigure& figure : figures) {
            ReportTableView* view = fixture.openTable(figure.panel, figure.report);
            QVERIFY2(view != nullptr, qPrintable(figure.report));
            const ReportTable& table = *view->rows().table();
            const auto column = table.findColumn(figure.column.toStdString());
            QVERIFY2(column, qPrintable(figure.column));
            const int row = static_cast<int>(random() % static_cast<unsigned>(view->rows().rowCount()));
            const std::vector<EventId> events = fixture.eventsOf(*view, row);
            const QString where = QStringLiteral("%1 %2, row %3").arg(figure.report, figure.column).arg(row);
            QVERIFY2(!events.empty(), qPrintable(where));
            const std::int64_t is = table.number(view->rows().tableRow(row), *column);
            QVERIFY2(evaluate(figure.formula, trace, events) == is, qPrintable(where));
            tables.insert(figure.panel + figure.report);
        }
        QCOMPARE(tables.size(), std::size_t{14});
    }

    // What stands in an operator, opened as a person does, down to its kernels; the same as `--inside`.
    void c18_aRowUnfoldsToWhatStandsInIt() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        QVERIFY(fixture.show(QStringLiteral("key_averages")));
        ReportTableView& view = fixture.table();
        const ReportTableModel& model = view.rows();
        const Document& document = *fixture.session().document();
        const Trace& trace = document.trace();
        const auto child = [&](const QModelIndex& parent, const char* name) {
            for (int row = 0; row < model.rowCount(parent); ++row)
                if (const QModelIndex at = model.index(row, 0, parent);
                    at.data().toString() == QString::fromLatin1(name))
                    return at;
            return QModelIndex();
        };
        const auto unfold = [&](const QModelIndex& index) {
            view.setCurrentIndex(index);
            QTest::keyClick(&view, Qt::Key_Right);
            return QTest::qWaitFor([&] { return model.rowCount(index) > 0; }, 30'000);
        };
        const auto number = [&](const QModelIndex& index, const char* column) {
            const auto place = model.placeOf(index);
            return place.table->number(place.row, *place.table->findColumn(column));
        };
        const QModelIndex linear = child({}, "aten::linear");
        QVERIFY(linear.isValid() && model.hasChildren(linear));
        QVERIFY(unfold(linear));
        const QPersistentModelIndex addmm = child(linear, "aten::addmm");
        QVERIFY(addmm.isValid());
        QCOMPARE(number(linear, "Self CUDA"), 0);
        QCOMPARE(number(addmm, "CUDA total"), number(linear, "CUDA total"));
        QVERIFY(unfold(addmm));

        // As the command line has it.
        ReportQuery query;
        query.name = "key_averages";
        QVERIFY(setOption(query, ReportOption::Inside, "aten::linear > aten::addmm"));
        JobControl job;
        const auto expected = runReport(trace, document.loaded.details.get(), query, job);
        QVERIFY(expected);
        QCOMPARE(static_cast<std::size_t>(model.rowCount(addmm)), expected->rows());
        for (std::size_t row = 0; row < expected->rows(); ++row)
            for (std::size_t column = 0; column < expected->columns().size(); ++column) {
                const auto place = model.placeOf(model.index(static_cast<int>(row), 0, addmm));
                QCOMPARE(place.table->cellText(place.row, column), expected->cellText(row, column));
            }

        // A row in it selects its own events: kernels that such an addmm launched, and their sum.
        QModelIndex kernel;
        for (int row = 0; row < model.rowCount(addmm); ++row)
            if (const QModelIndex at = model.index(row, 0, addmm); number(at, "CPU total") == 0)
                kernel = at;
        QVERIFY(kernel.isValid());
        fixture.session().selection().clear(Origin::Command);
        view.scrollTo(kernel);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                          view.visualRect(kernel).center());
        QVERIFY(QTest::qWaitFor([&] { return bool(fixture.session().selection().event()); }, 30'000));
        const std::vector<EventId> events = fixture.session().selection().events();
        QCOMPARE(static_cast<std::int64_t>(events.size()), number(kernel, "# of Calls"));
        QCOMPARE(evaluate(Formula::Sum, trace, events), number(kernel, "Self CUDA"));
        for (const EventId event :
             events) { // by plain loops: its launch stands in an addmm that stands in a linear
            const auto launch = trace.correlations().launchOf(trace.events(), event);
            QVERIFY(launch);
            std::set<std::string> around;
            for (std::uint32_t e = 0; e < trace.events().size(); ++e)
                if (trace.events().kind[e] == EventKind::CpuOp &&
                    trace.events().beginNs[e] <= trace.events().beginNs[launch->v] &&
                    trace.events().endNs[e] >= trace.events().endNs[launch->v])
                    around.insert(std::string(trace.nameOf(EventId{e})));
            QVERIFY(around.contains("aten::addmm") && around.contains("aten::linear"));
        }

        // Another order keeps it open, and orders what is inside.
        view.sortBy(4, true); // CPU total
        QVERIFY(QTest::qWaitFor([&] { return !view.isArranging(); }, 30'000));
        const QModelIndex again = child({}, "aten::linear");
        QVERIFY(view.isExpanded(again));
        QVERIFY(view.isExpanded(child(again, "aten::addmm")));
        for (int row = 1; row < model.rowCount(again); ++row)
            QVERIFY(number(model.index(row - 1, 0, again), "CPU total") >=
                    number(model.index(row, 0, again), "CPU total"));
        // Other reports are flat.
        QVERIFY(fixture.show(QStringLiteral("cuda_api_sum")));
        QVERIFY(!model.hasChildren(model.index(0, 0)));
    }

    void b08_columnsTellWhatTheyMean() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        for (const char* report : {"key_averages", "ops"}) {
            QVERIFY(fixture.show(QString::fromLatin1(report)));
            const ReportTableModel& model = fixture.table().rows();
            const auto tip = [&](int column) {
                return model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            };
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY2(!tip(column).isEmpty(), report);
            const bool isOps = std::string_view(report) == "ops";
            QVERIFY(tip(fixture.column(isOps ? QStringLiteral("self host") : QStringLiteral("Self CPU,")))
                        .contains(QStringLiteral("without the rows that stand directly in them")));
            const QString device =
                tip(fixture.column(isOps ? QStringLiteral("device") : QStringLiteral("CUDA total")));
            QVERIFY(device.contains(QStringLiteral("all")) && device.contains(QStringLiteral("launched")));
            // C23: no sum of both.
            QVERIFY(tip(fixture.column(isOps ? QStringLiteral("self device") : QStringLiteral("Self CUDA,")))
                        .contains(QStringLiteral("never add the two")));
        }
    }

    void orderAndFilterAreKeptByReport() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        auto* filter = fixture.window().findChild<QLineEdit*>(QStringLiteral("reportsFilter"));
        QVERIFY(fixture.show(QStringLiteral("cuda_api_sum")));
        fixture.table().sortBy(2, false);
        filter->setText(QStringLiteral("launch"));
        const int left = fixture.table().rows().rowCount();
        QVERIFY(left > 0);
        QVERIFY(fixture.show(QStringLiteral("ops")));
        QVERIFY(filter->text().isEmpty());
        QVERIFY(!fixture.table().state().arrangement.column);
        QVERIFY(fixture.show(QStringLiteral("cuda_api_sum")));
        QCOMPARE(filter->text(), QStringLiteral("launch"));
        QCOMPARE(fixture.table().rows().rowCount(), left);
        QCOMPARE(fixture.table().state().arrangement.column, std::optional<std::size_t>(2));
    }

    void theListIsSearchedByNameAndSummary() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        auto* field = fixture.window().findChild<QLineEdit*>(QStringLiteral("reportSearch"));
        field->setText(QStringLiteral("HTA idle")); // of its summary
        QStringList left;
        for (int i = 0; i < fixture.names().topLevelItemCount(); ++i)
            if (!fixture.names().topLevelItem(i)->isHidden())
                left << fixture.names().topLevelItem(i)->text(0);
        QVERIFY(left.contains(QStringLiteral("idle_time_breakdown")));
        QVERIFY(!left.contains(QStringLiteral("ops")));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return fixture.table().reportName() == left.front(); }, 30'000));
    }

    void aReportWithoutRowsSaysWhy() {
        ReportsFixture fixture;
        QVERIFY(fixture.openReports(itemSync()));
        QVERIFY(fixture.show(QStringLiteral("osrt_sum")));
        QCOMPARE(fixture.table().rows().rowCount(), 0);
        QVERIFY(fixture.table().accessibleDescription().contains(QStringLiteral("OS runtime")));
        fixture.session().close();
        QCOMPARE(fixture.table().rows().columnCount(), 0);
    }
};

LACUNA_TEST(TstReportsPanel, "tst_reports_panel")

} // namespace tst_reports_panel

#include "tst_reports_panel.moc"
