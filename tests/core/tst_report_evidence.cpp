// What stands behind the rows of reports: figures are computed again from the events that a row leads to.
// And the order and selection in which somebody looks at them.

#include "core/import/load_trace.h"
#include "core/output/report_output.h"
#include "core/report/arranged_rows.h"
#include "core/report/builtin.h"
#include "core/report/report_evidence.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <numeric>
#include <random>

using namespace lacuna;

namespace {

LoadedTrace open(const char* fixture) {
    JobControl job;
    auto loaded = loadTrace(test::fixture(fixture), builtinImporters(), job);
    return loaded ? *loaded : LoadedTrace{};
}

ReportTable report(const LoadedTrace& loaded, const std::string& name, const ReportOptions& options = {}) {
    JobControl job;
    ReportQuery query;
    query.name = name;
    query.options = options;
    auto table = runReport(*loaded.trace, loaded.details.get(), query, job);
    return table ? *std::move(table) : ReportTable({textColumn("failed")});
}

std::vector<EventId> instances(const LoadedTrace& loaded, const ReportTable& table, std::size_t row,
                               const ReportOptions& options = {}) {
    JobControl job;
    return *instancesOf({*loaded.trace, nullptr, options}, evidenceOf(table, row), job);
}

std::int64_t cell(const ReportTable& table, std::size_t row, const char* column) {
    return table.number(row, *table.findColumn(column));
}

std::vector<std::uint32_t> arranged(const ReportTable& table, std::optional<std::size_t> column, bool down,
                                    const std::string& filter = {}) {
    JobControl job;
    return *arrangeRows(table, {column, down, filter}, job);
}

using Rows = std::vector<std::uint32_t>;

ReportTable people() {
    ReportTable table({textColumn("Name"), nsColumn("Total (ns)"), integerColumn("Calls")});
    table.addRow().text("aten::mm").ns(700).integer(12);
    table.addRow().text("Memcpy HtoD").ns(-5).empty();
    table.addRow().text("aten::addmm").ns(700).integer(3);
    table.addRow().text("cudaLaunchKernel").empty().integer(1270);
    return table;
}

} // namespace

class TstReportEvidence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sumsByNameAreThoseOfTheirEvents_data();
    void sumsByNameAreThoseOfTheirEvents();
    void sumsOfARangeAreThoseOfItsEvents();
    void rowsOfTracesLeadToTheirEvent_data();
    void rowsOfTracesLeadToTheirEvent();
    void startAndDurationAreATime();
    void rowsMayTellNothing();
    void sorted_emptyLastEitherWay_tiesAsTheyWere();
    void sorted_likeAStableSort();
    void filter_wordsInTextsDigitsInNumbers();
    void cancelled_atAnyPoll();
    void written_inTheOrderThatIsAsked();
};

// 20 rows at most of each, by the events alone.
void TstReportEvidence::sumsByNameAreThoseOfTheirEvents_data() {
    QTest::addColumn<QString>("report");
    QTest::addColumn<QString>("total");
    QTest::addColumn<QString>("count");
    QTest::newRow("kernels") << "cuda_gpu_kern_sum"
                             << "Total Time (ns)"
                             << "Instances";
    QTest::newRow("calls") << "cuda_api_sum"
                           << "Total Time (ns)"
                           << "Num Calls";
    QTest::newRow("operators") << "ops"
                               << "host_ns"
                               << "calls";
    QTest::newRow("device work") << "cuda_gpu_sum"
                                 << "Total Time (ns)"
                                 << "Instances";
}
void TstReportEvidence::sumsByNameAreThoseOfTheirEvents() {
    QFETCH(QString, report);
    QFETCH(QString, total);
    QFETCH(QString, count);
    const LoadedTrace loaded = open("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(loaded.trace != nullptr);
    const ReportTable table = ::report(loaded, report.toStdString());
    std::size_t checked = 0;
    for (std::size_t row = 0; row < table.rows() && checked < 20; ++row) {
        if (evidenceOf(table, row).isEmpty())
            continue;
        std::int64_t sum = 0;
        const auto events = instances(loaded, table, row);
        for (const EventId e : events)
            sum += loaded.trace->events().duration(e).v;
        QCOMPARE(static_cast<std::int64_t>(events.size()), cell(table, row, qPrintable(count)));
        QCOMPARE(sum, cell(table, row, qPrintable(total)));
        ++checked;
    }
    QVERIFY(checked >= 3);
}

void TstReportEvidence::sumsOfARangeAreThoseOfItsEvents() {
    const LoadedTrace loaded = open("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(loaded.trace != nullptr);
    ReportOptions options;
    const TimeRange window = loaded.trace->window();
    options.range = TimeRange{window.begin, window.begin + DurationNs{window.length().v / 3}};
    const ReportTable table = report(loaded, "cuda_gpu_kern_sum", options);
    const ReportTable whole = report(loaded, "cuda_gpu_kern_sum");
    QVERIFY(table.rows() > 0);
    QVERIFY(cell(table, 0, "Instances") < cell(whole, 0, "Instances"));
    QCOMPARE(static_cast<std::int64_t>(instances(loaded, table, 0, options).size()),
             cell(table, 0, "Instances"));
}

void TstReportEvidence::rowsOfTracesLeadToTheirEvent_data() {
    QTest::addColumn<QString>("report");
    QTest::addColumn<QString>("start");
    QTest::newRow("device work") << "cuda_gpu_trace"
                                 << "Start (ns)";
    QTest::newRow("calls") << "cuda_api_trace"
                           << "Start (ns)";
    QTest::newRow("launches") << "cuda_kern_exec_trace"
                              << "Kernel Start (ns)";
    QTest::newRow("ranges") << "nvtx_pushpop_trace"
                            << "Start (ns)";
    QTest::newRow("steps") << "steps"
                           << "Start (ns)";
    QTest::newRow("waits") << "cuda_api_sync"
                           << "Start (ns)";
}
void TstReportEvidence::rowsOfTracesLeadToTheirEvent() {
    QFETCH(QString, report);
    QFETCH(QString, start);
    const LoadedTrace loaded = open("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(loaded.trace != nullptr);
    ReportTable table = ::report(loaded, report.toStdString());
    QVERIFY(table.rows() > 0);
    table.sortBy(0); // evidence goes with its row
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const EventId event = evidenceOf(table, row).event;
        QVERIFY(event);
        QCOMPARE(loaded.trace->events().beginNs[event.v], cell(table, row, qPrintable(start)));
    }
}

void TstReportEvidence::startAndDurationAreATime() {
    ReportTable table({nsColumn("Start (ns)"), nsColumn("Duration (ns)")});
    table.addRow().ns(100).ns(20);
    table.addRow().empty().ns(20);
    QVERIFY(evidenceOf(table, 0).time == (TimeRange{{100}, {120}}));
    QVERIFY(evidenceOf(table, 1).isEmpty());
    ReportTable ends({nsColumn("Start (ns)"), nsColumn("End (ns)")});
    ends.addRow().ns(100).ns(150);
    QVERIFY(evidenceOf(ends, 0).time == (TimeRange{{100}, {150}}));
}

void TstReportEvidence::rowsMayTellNothing() {
    ReportTable table({textColumn("Name")});
    table.addRow().text("a");
    table.addRow().about(EventId{7}).text("b");
    table.addRow().text("c");
    table.addRow().text("d").about(StringId{3}, kindBit(EventKind::Kernel));
    QVERIFY(evidenceOf(table, 0).isEmpty());
    QCOMPARE(evidenceOf(table, 1).event, EventId{7});
    QVERIFY(evidenceOf(table, 2).isEmpty());
    QCOMPARE(evidenceOf(table, 3).name, StringId{3});
    QCOMPARE(evidenceOf(table, 3).kinds, kindBit(EventKind::Kernel));
    QVERIFY(!evidenceOf(table, 3).event);
}

void TstReportEvidence::sorted_emptyLastEitherWay_tiesAsTheyWere() {
    const ReportTable table = people();
    QCOMPARE(arranged(table, {}, false), (Rows{0, 1, 2, 3}));
    QCOMPARE(arranged(table, 1, true), (Rows{0, 2, 1, 3}));
    QCOMPARE(arranged(table, 1, false), (Rows{1, 0, 2, 3}));
    QCOMPARE(arranged(table, 2, true), (Rows{3, 0, 2, 1}));
    QCOMPARE(arranged(table, 0, false), (Rows{1, 2, 0, 3}));
    QCOMPARE(arranged(table, 0, true), (Rows{3, 0, 2, 1}));
}

// More rows than one block of the sort has, many of them equal.
void TstReportEvidence::sorted_likeAStableSort() {
    std::mt19937 random(5);
    ReportTable table({integerColumn("Value")});
    std::vector<std::int64_t> values;
    for (int i = 0; i < 150'000; ++i) {
        values.push_back(static_cast<std::int64_t>(random() % 1'000));
        table.addRow().integer(values.back());
    }
    Rows expected(values.size());
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    QVERIFY(arranged(table, 0, true) == expected);
}

void TstReportEvidence::filter_wordsInTextsDigitsInNumbers() {
    const ReportTable table = people();
    QCOMPARE(arranged(table, {}, false, "ATEN mm"), (Rows{0, 2}));
    QCOMPARE(arranged(table, {}, false, "  addmm "), (Rows{2}));
    QCOMPARE(arranged(table, {}, false, "127"), (Rows{3}));
    QCOMPARE(arranged(table, {}, false, "12"), (Rows{0, 3}));
    QCOMPARE(arranged(table, {}, false, "aten 12"), (Rows{0}));
    QCOMPARE(arranged(table, {}, false, "nothing"), Rows{});
    QCOMPARE(arranged(table, 2, true, "aten"), (Rows{0, 2}));
}

void TstReportEvidence::cancelled_atAnyPoll() {
    ReportTable table({textColumn("Name")});
    for (int i = 0; i < 100'000; ++i)
        table.addRow().text("name " + std::to_string(i % 777));
    const RowArrangement wanted{0, true, "name"};
    JobControl counting;
    QVERIFY(arrangeRows(table, wanted, counting).has_value());
    QVERIFY(counting.polls() > 10);
    for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
        JobControl job;
        job.cancelAtPoll(poll);
        QVERIFY2(!arrangeRows(table, wanted, job), qPrintable(QString::number(poll)));
    }
}

void TstReportEvidence::written_inTheOrderThatIsAsked() {
    const ReportTable table = people();
    const Rows rows{2, 0};
    JobControl job;
    StringSink csv, json, plain;
    writeReportCsv(table, csv, job, rows);
    QCOMPARE(csv.text(), "Name,Total (ns),Calls\naten::addmm,700,3\naten::mm,700,12\n");
    writeReportTable(table, plain, 80, job, rows);
    QCOMPARE(plain.text(), "Name         Total (ns)  Calls\naten::addmm         700      3\n"
                           "aten::mm            700     12\n");
    writeReportJson("r", table, json, job, rows);
    const auto parsed = nlohmann::json::parse(json.text());
    QCOMPARE(parsed["rows"].size(), std::size_t{2});
    QCOMPARE(parsed["rows"][0]["Name"].get<std::string>(), "aten::addmm");
}

LACUNA_TEST(TstReportEvidence, "tst_report_evidence")
#include "tst_report_evidence.moc"
