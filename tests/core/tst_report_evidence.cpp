// What stands behind the rows of reports: figures are computed again from the events that a row leads to.
// And the order and selection in which somebody looks at them.

#include "core/base/interval_set.h"
#include "core/import/load_trace.h"
#include "core/output/report_output.h"
#include "core/report/arranged_rows.h"
#include "core/report/builtin.h"
#include "core/report/report_evidence.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tst_report_evidence {

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
    void a02_figuresFromTheirEvents_data();
    void a02_figuresFromTheirEvents();
    void a02_everyReportOpensItsRows();
    void ownEvidence_cancelledAtAnyPoll();
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
    const ReportTable table = tst_report_evidence::report(loaded, report.toStdString());
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

namespace {

constexpr const char* kItemSync = "captured/torch/item_sync.pt.trace.json.gz";
constexpr const char* kStall = "captured/nsys/stall.sqlite";
constexpr const char* kOverlaps = "micro/M15.json";

// A figure, worked out again from the rows of the trace alone.
std::int64_t evaluate(const QString& formula, const Trace& trace, const std::vector<EventId>& events) {
    std::vector<TimeRange> ranges;
    std::int64_t sum = 0, bytes = 0;
    for (const EventId e : events) {
        ranges.push_back(trace.events().range(e));
        sum += ranges.back().length().v;
        if (const CopyArgs* copy = trace.hotArgs().copies.find(e))
            bytes += copy->bytes;
    }
    if (formula == u"count")
        return static_cast<std::int64_t>(events.size());
    if (formula == u"sum")
        return sum;
    if (formula == u"bytes")
        return bytes;
    if (formula == u"kB") // as a decimal of MB with three digits
        return (bytes + 500) / 1'000;
    TimeNs first = ranges.front().begin, last = ranges.front().end;
    for (const TimeRange& range : ranges) {
        first = std::min(first, range.begin);
        last = std::max(last, range.end);
    }
    if (formula == u"span")
        return (last - first).v;
    const std::int64_t busy = IntervalSet::fromUnsorted(std::move(ranges)).measure().v;
    return formula == u"union" ? busy : (last - first).v - busy; // "idle"
}

std::vector<EventId> behind(const LoadedTrace& loaded, const std::string& name, const ReportTable& table,
                            std::size_t row) {
    JobControl job;
    auto found = eventsBehind(name, {*loaded.trace, loaded.details.get(), {}}, table, row, job);
    return found ? *std::move(found) : std::vector<EventId>();
}

} // namespace

// Column, formula, and of which rows (a text that one of the cells must have; empty: all).
void TstReportEvidence::a02_figuresFromTheirEvents_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("report");
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("only");
    const auto row = [](const char* file, const char* report, const char* column, const char* formula,
                        const char* only = "") {
        QTest::addRow("%s %s %s %s", report, column, only, file)
            << QString::fromUtf8(file) << QString::fromUtf8(report) << QString::fromUtf8(column)
            << QString::fromUtf8(formula) << QString::fromUtf8(only);
    };
    for (const char* file : {kStall, kItemSync}) {
        row(file, "copies", "Count", "count");
        row(file, "copies", "Sum", "sum");
        row(file, "copies", "Union", "union");
        row(file, "copies", "Bytes", "bytes");
        row(file, "cuda_gpu_kern_gb_sum", "Instances", "count");
        row(file, "cuda_gpu_kern_gb_sum", "Total Time", "sum");
        row(file, "cuda_gpu_mem_size_sum", "Count", "count");
        row(file, "cuda_gpu_mem_size_sum", "Total (MB)", "kB");
        row(file, "cuda_kern_exec_sum", "Count", "count");
        row(file, "cuda_kernel_launch_stats", "GPU Duration", "sum");
        row(file, "event_sum", "Count", "count");
        row(file, "event_sum", "Total Time", "sum");
        row(file, "event_sum", "Union", "union");
        row(file, "gpu_kernel_breakdown_names", "Count", "count");
        row(file, "gpu_kernel_breakdown_names", "Sum", "sum");
        row(file, "idle_time_breakdown", "Gaps", "count");
        row(file, "key_averages", "# of Calls", "count");
        row(file, "kernel_exposure", "Count", "count");
        row(file, "kernel_exposure", "Total", "sum");
        row(file, "kernel_shapes", "Instances", "count");
        row(file, "kernel_shapes", "Total Time", "sum");
        row(file, "launch", "Launched", "count");
        row(file, "limiters", "Time", "union", "kernel execution");
        row(file, "limiters", "Time", "idle", "idle");
        row(file, "memory_bw_summary", "Operations", "count");
        row(file, "memory_bw_summary", "Bytes", "bytes");
        row(file, "memory_bw_summary", "Union", "union");
        row(file, "nvtx_gpu_proj_sum", "Range Instances", "count");
        row(file, "nvtx_gpu_proj_sum", "Total Range Time", "sum");
        row(file, "nvtx_kern_sum", "Kern Inst", "count");
        row(file, "nvtx_kern_sum", "Total Time", "sum");
        row(file, "nvtx_pushpop_sum", "Instances", "count");
        row(file, "nvtx_pushpop_sum", "Total Time", "sum");
        row(file, "nvtx_sum", "Instances", "count");
        row(file, "nvtx_sum", "Total Time", "sum");
        row(file, "streams", "Count", "count");
        row(file, "streams", "Sum", "sum");
        row(file, "streams", "Busy", "union");
        row(file, "api", "Count", "count");
        row(file, "api", "Total", "sum");
        row(file, "overlap", "Sum", "sum", "work");
        row(file, "overlap", "Union", "union", "work");
        row(file, "step_histogram", "Count", "count");
        row(file, "step_stats", "Mean", "mean", "Duration");
        row(file, "temporal_breakdown", "Kernel Time", "span");
        row(file, "temporal_breakdown", "Idle Time", "idle");
        row(file, "threads", "Rows", "count");
        row(file, "threads", "Busy (ns)", "union");
        row(file, "user_annotation_breakdown", "Count", "count");
        row(file, "user_annotation_breakdown", "Sum", "sum");
        row(file, "whatif", "Times", "count", "remove_wait");
        row(file, "whatif", "Times", "count", "remove_copy");
        row(file, "whatif", "Times", "count", "remove_host_time");
    }
    row(kStall, "nvtx_startend_sum", "Instances", "count");
    row(kItemSync, "gpu_user_annotation_breakdown", "Count", "count");
    row(kItemSync, "gpu_user_annotation_breakdown", "Sum", "sum");
    row(kItemSync, "phases", "Count", "count", "forward");
    row(kItemSync, "profiler_steps", "Step", "step");
    row(kOverlaps, "collectives", "Count", "count");
    row(kOverlaps, "comm_comp_overlap", "Communication", "union");
}

// Twenty figures of a column at most, spread over the table.
void TstReportEvidence::a02_figuresFromTheirEvents() {
    QFETCH(QString, file);
    QFETCH(QString, report);
    QFETCH(QString, column);
    QFETCH(QString, formula);
    QFETCH(QString, only);
    const LoadedTrace loaded = open(qPrintable(file));
    QVERIFY(loaded.trace != nullptr);
    const ReportTable table = tst_report_evidence::report(loaded, report.toStdString());
    const auto figure = table.findColumn(column.toStdString());
    QVERIFY(figure);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        bool isAsked = only.isEmpty();
        for (std::size_t c = 0; c < table.columns().size() && !isAsked; ++c)
            isAsked = table.columns()[c].type == ReportColumn::Type::Text &&
                      table.text(row, c) == only.toStdString();
        if (isAsked && !table.isEmpty(row, *figure))
            rows.push_back(row);
    }
    QVERIFY(!rows.empty());
    std::shuffle(rows.begin(), rows.end(), std::mt19937(20));
    if (rows.size() > 20)
        rows.resize(20);
    for (const std::size_t row : rows) {
        const std::vector<EventId> events = behind(loaded, report.toStdString(), table, row);
        if (table.number(row, *figure) == 0 && events.empty())
            continue; // a bin without a step
        QVERIFY2(!events.empty(), qPrintable(QString::number(row)));
        QVERIFY(std::is_sorted(events.begin(), events.end(), [&](EventId a, EventId b) {
            return loaded.trace->events().beginNs[a.v] < loaded.trace->events().beginNs[b.v];
        }));
        if (formula == u"step") {
            QCOMPARE(std::string(loaded.trace->nameOf(events.front())),
                     "ProfilerStep#" + std::to_string(table.number(row, *figure)));
        } else if (formula == u"mean") { // of decimals with one digit
            const auto count = static_cast<double>(events.size());
            QCOMPARE(table.number(row, *figure),
                     std::llround(
                         10.0 * static_cast<double>(evaluate(QStringLiteral("sum"), *loaded.trace, events)) /
                         count));
        } else {
            QCOMPARE(evaluate(formula, *loaded.trace, events), table.number(row, *figure));
        }
    }
}

// Figures without evidence are those of no trace (settings), of prose, or empty by what they say.
void TstReportEvidence::a02_everyReportOpensItsRows() {
    for (const char* file : {kItemSync, kStall}) {
        const LoadedTrace loaded = open(file);
        QVERIFY(loaded.trace != nullptr);
        for (const ReportSpec& spec : builtinReports()) {
            const std::string name(spec.name);
            // An export without operators has the row "(no operator)" alone.
            if (name == "settings" || spec.isProse || name.ends_with("_time_series") ||
                (name == "ops" && file == kStall))
                continue;
            const ReportTable table = tst_report_evidence::report(loaded, name);
            std::size_t opened = 0;
            for (std::size_t row = 0; row < std::min<std::size_t>(table.rows(), 40); ++row)
                opened += evidenceOf(table, row).time || !behind(loaded, name, table, row).empty() ? 1U : 0U;
            // Not: a phase that no row covers, launch latency (of all launches), time between recorded rows.
            QVERIFY2(table.rows() == 0 || opened > 0, name.c_str());
        }
    }
}

void TstReportEvidence::ownEvidence_cancelledAtAnyPoll() {
    const LoadedTrace loaded = open(kStall);
    for (const ReportSpec& spec : builtinReports()) {
        const std::string name(spec.name);
        const ReportTable table = tst_report_evidence::report(loaded, name);
        if (!hasOwnEvidence(name) || table.rows() == 0)
            continue;
        const ReportInput input{*loaded.trace, loaded.details.get(), {}};
        JobControl counting;
        QVERIFY2(eventsBehind(name, input, table, 0, counting), name.c_str());
        for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
            JobControl job;
            job.cancelAtPoll(poll);
            const auto found = eventsBehind(name, input, table, 0, job);
            QVERIFY2(!found && found.error().code == Errc::Cancelled,
                     (name + " " + std::to_string(poll)).c_str());
        }
    }
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
    ReportTable table = tst_report_evidence::report(loaded, report.toStdString());
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

} // namespace tst_report_evidence

#include "tst_report_evidence.moc"
