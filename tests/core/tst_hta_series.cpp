// Rows hta.* of the oracles about queues, copies, steps, annotations and counters: what Holistic Trace
// Analysis itself printed, or what its tests assert. And both forms on hand-made rows.

#include "core/analysis/distribution.h"
#include "core/analysis/hta_series.h"
#include "core/analysis/kernel_sequences.h"
#include "core/analysis/quicksort_order.h"
#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/oracles.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace tst_hta_series {

using namespace lacuna;
using namespace lacuna::test;
using nlohmann::json;

namespace {

const std::map<std::string, std::string>& knownSeriesDifferences() {
    // analysis.md 2.1, "shrinking events to whole us": times that differ become equal, and that tool's sort
    // leaves equal ones in an order of its own (numpy's, by processor); sums of doubles then leave other
    // rests above 0. Each of these files comes out where nothing is rounded, and between the two extreme
    // orders here.
    static const std::map<std::string, std::string> known{
        {"044cbf4a/hta.memory_bw_summary", "1,286 points above 0 instead of 1,284"},
        {"7240d338/hta.memory_bw_summary", "5,457 points above 0 instead of 5,461"},
        {"8b2a9cd3/hta.queue_length_summary", "deviation 235.87389 instead of 235.87429"}};
    return known;
}

json htaRowsOfOracles() {
    json rows = json::array();
    const json all = json::parse(readFile(*shared("reference/oracles.json")));
    for (const json& row : all.at("rows"))
        if (row.at("analysis").get<std::string>().starts_with("hta.") &&
            oracleFiles().contains(row.at("sha256")))
            rows.push_back(row);
    return rows;
}

std::optional<json> oracleOf(const std::string& analysis) {
    for (const json& row : htaRowsOfOracles())
        if (row.at("analysis") == analysis)
            return row;
    return std::nullopt;
}

Result<LoadedTrace> loadOracle(const json& row) {
    JobControl job;
    return loadTrace(oracleFiles().at(row.at("sha256")), builtinImporters(), job);
}

HtaOptions optionsOfRow(const json& row) {
    HtaOptions options = HtaOptions::hta();
    options.wholeUs = !row.at("parameters").at("HTA_DISABLE_NS_ROUNDING").get<bool>();
    options.dropLastStep = !row.at("parameters").at("include_last_profiler_step").get<bool>();
    // Equal doubles are left in the order of numpy's sort, which is that of the times in these files.
    options.doubles = false;
    return options;
}

void compareNumber(const std::string& name, double is, const json& expected, Differences& differences) {
    const double should = expected.is_number() ? expected.get<double>() : std::nan("");
    if (std::isnan(is) && std::isnan(should))
        return;
    if (!(std::abs(is - should) <= 1e-6 * std::max(1.0, std::abs(should))))
        differences.add(QStringLiteral("%1: %2 instead of %3")
                            .arg(QString::fromStdString(name))
                            .arg(is, 0, 'g', 12)
                            .arg(should, 0, 'g', 12));
}

void compareDistribution(const std::string& name, const std::string& prefix, const Distribution& is,
                         const json& expected, Differences& differences) {
    const std::vector<std::pair<std::string, double>> values{{"count", static_cast<double>(is.count)},
                                                             {"mean", is.mean},
                                                             {"std", is.deviation},
                                                             {"min", is.min},
                                                             {"25%", is.lowerQuartile},
                                                             {"50%", is.median},
                                                             {"75%", is.upperQuartile},
                                                             {"max", is.max}};
    for (const auto& [key, value] : values)
        compareNumber(name + " " + key, value, expected.at(prefix + key), differences);
}

void compareQueues(const Trace& trace, const HtaOptions& options, const json& expected,
                   Differences& differences) {
    JobControl job;
    const auto queues = *htaQueues(trace, *htaRows(trace, options, job), options, job);
    differences.compare(QStringLiteral("streams"), static_cast<std::int64_t>(queues.size()), expected.size());
    for (const json& row : expected) {
        const auto at = std::find_if(queues.begin(), queues.end(), [&](const HtaQueue& queue) {
            return queue.stream == row.at("stream").get<std::int64_t>();
        });
        if (at == queues.end())
            return differences.add(QStringLiteral("a stream is missing"));
        compareDistribution("stream " + row.at("stream").dump(), "queue_length_",
                            distributionOf({at->length.begin(), at->length.end()}), row, differences);
    }
}

void compareBandwidths(const LoadedTrace& loaded, const HtaOptions& options, const json& expected,
                       Differences& differences) {
    JobControl job;
    const auto rows = *htaRows(*loaded.trace, options, job);
    const auto recorded = *htaRecordedBandwidths(*loaded.trace, loaded.details.get(), rows, job);
    const auto bandwidths = *htaBandwidths(*loaded.trace, rows, recorded, options, job);
    for (const json& row : expected) {
        const auto at =
            std::find_if(bandwidths.begin(), bandwidths.end(), [&](const HtaBandwidth& bandwidth) {
                return bandwidth.operation == row.at("name").get<std::string>();
            });
        if (at == bandwidths.end())
            return differences.add(QStringLiteral("an operation is missing"));
        std::vector<double> values;
        for (const double value : at->gbPerSecond)
            if (value > 0)
                values.push_back(value);
        compareDistribution(at->operation, "memory_bw_gbps_", distributionOf(std::move(values)), row,
                            differences);
    }
}

struct TimedChange {
    std::int64_t timeNs;
    double by;
};

// Values along the changes, those of equal times in one of the two extreme orders: in any other order every
// value lies between those two of its place.
std::vector<double> inExtremeOrder(std::vector<TimedChange> changes, bool risesFirst, bool onlyAbove0) {
    std::stable_sort(changes.begin(), changes.end(), [&](const TimedChange& a, const TimedChange& b) {
        return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : a.by != b.by && (a.by > b.by) == risesFirst;
    });
    std::vector<double> values;
    double sum = 0;
    for (const TimedChange& change : changes) {
        sum += change.by;
        if (!onlyAbove0 || sum > 0)
            values.push_back(sum);
    }
    return values;
}

void checkBetween(double a, double b, double printed) {
    const double half = 1e-6 * std::max(1.0, std::abs(printed)); // as compareNumber()
    QVERIFY2(
        std::min(a, b) - half <= printed && printed <= std::max(a, b) + half,
        qPrintable(
            QStringLiteral("%1, %2: %3").arg(a, 0, 'g', 12).arg(b, 0, 'g', 12).arg(printed, 0, 'g', 12)));
}

// Bounds of the sample deviation of values that lie between `low` and `high`, place by place:
// (sum of squares - square of the sum / n) / (n - 1), each part at its extreme. No queue is shorter than 0.
std::pair<double, double> deviationBounds(const std::vector<double>& low, const std::vector<double>& high) {
    const auto variance = [n = static_cast<long double>(low.size())](const std::vector<double>& squared,
                                                                     const std::vector<double>& summed) {
        long double squares = 0, sum = 0;
        for (const double value : squared)
            squares += static_cast<long double>(value) * static_cast<long double>(value);
        for (const double value : summed)
            sum += static_cast<long double>(value);
        return (squares - sum * sum / n) / (n - 1);
    };
    return {static_cast<double>(std::sqrt(variance(low, high))),
            static_cast<double>(std::sqrt(variance(high, low)))};
}

// Every figure that was printed is one that some order of the equal times can give.
void checkQueue(const std::vector<double>& low, const std::vector<double>& high, const json& printed) {
    const auto figure = [&](const char* name) {
        return printed.at(std::string("queue_length_") + name).get<double>();
    };
    QCOMPARE(static_cast<double>(low.size()), figure("count"));
    QVERIFY(*std::min_element(low.begin(), low.end()) >= 0);
    const Distribution least = distributionOf(low), most = distributionOf(high);
    checkBetween(least.mean, most.mean, figure("mean"));
    checkBetween(least.min, most.min, figure("min"));
    checkBetween(least.lowerQuartile, most.lowerQuartile, figure("25%"));
    checkBetween(least.median, most.median, figure("50%"));
    checkBetween(least.upperQuartile, most.upperQuartile, figure("75%"));
    checkBetween(least.max, most.max, figure("max"));
    const auto [from, to] = deviationBounds(low, high);
    checkBetween(from, to, figure("std"));
    QVERIFY2(to - from < 0.01 * to, "bounds so wide say nothing");
}

// What that tool printed lies between the orders of equal times that are furthest apart.
void checkExtremes(const LoadedTrace& loaded, const json& row) {
    JobControl job;
    const HtaOptions options = optionsOfRow(row);
    const auto rows = *htaRows(*loaded.trace, options, job);
    const auto recorded = *htaRecordedBandwidths(*loaded.trace, loaded.details.get(), rows, job);
    const bool isQueue = row.at("analysis") == "hta.queue_length_summary";
    for (const json& printed : row.at("expected")) {
        std::vector<TimedChange> changes;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const HtaRow& one = rows[i];
            if (isQueue) {
                const bool isQueued = one.call && one.cls != HtaClass::Sync &&
                                      one.stream == printed.at("stream").get<std::int64_t>() &&
                                      loaded.trace->nameOf(one.call).find("Graph") == std::string_view::npos;
                if (isQueued) {
                    changes.push_back({one.callBeginNs, 1});
                    changes.push_back({one.beginNs, -1});
                }
            } else if (one.cls == HtaClass::Memory && recorded[i] &&
                       htaOperationName(*loaded.trace, one.event) == printed.at("name").get<std::string>()) {
                changes.push_back({one.beginNs, *recorded[i]});
                changes.push_back(
                    {std::max(one.endNs, one.beginNs + 1'000 * (one.endNs == one.beginNs)), -*recorded[i]});
            }
        }
        const std::vector<double> rise = inExtremeOrder(changes, true, !isQueue);
        const std::vector<double> fall = inExtremeOrder(changes, false, !isQueue);
        if (isQueue)
            checkQueue(fall, rise, printed);
        else
            checkBetween(static_cast<double>(rise.size()), static_cast<double>(fall.size()),
                         printed.at("memory_bw_gbps_count").get<double>());
    }
}

// json has no toString() for QCOMPARE.
bool isSame(const json& is, const json& should) {
    if (is != should)
        qWarning("%s instead of %s", is.dump().c_str(), should.dump().c_str());
    return is == should;
}

ReportOptions asHta() {
    ReportOptions options;
    options.definition = ReportDefinition::Hta;
    return options;
}

} // namespace

class TstHtaSeries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRow_isCompared();
    void printed_data();
    void printed();
    void counters();
    void cuptiCounters();
    void userAnnotations();
    void tritonOperators();
    void namesOfOneStep();
    void queue_bothDefinitions();
    void bandwidth_bothDefinitions();
    void sequences();
    void distribution();
    void orderOfEqualTimes();
};

// 142 rows have their file here. Three are of the critical path, which has a test of its own.
void TstHtaSeries::everyRow_isCompared() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const std::set<std::string> here{
        "hta.queue_length_summary",     "hta.memory_bw_summary", "hta.profiler_steps", "hta.counters",
        "hta.counters_without_gpu",     "hta.cupti_counters",    "hta.trace_diff.ops", "hta.triton_ops",
        "hta.user_annotation_breakdown"};
    const std::set<std::string> inTstHta{"hta.temporal_breakdown", "hta.comm_comp_overlap",
                                         "hta.gpu_kernel_breakdown", "hta.idle_time_breakdown",
                                         "hta.cuda_kernel_launch_stats"};
    const json rows = htaRowsOfOracles();
    QCOMPARE(rows.size(), std::size_t{142});
    std::size_t paths = 0;
    for (const json& row : rows) {
        const auto analysis = row.at("analysis").get<std::string>();
        paths += analysis == "hta.critical_path" ? 1U : 0U;
        QVERIFY2(here.contains(analysis) || inTstHta.contains(analysis) || analysis == "hta.critical_path",
                 analysis.c_str());
    }
    QCOMPARE(paths, std::size_t{3});
}

void TstHtaSeries::printed_data() {
    QTest::addColumn<int>("index");
    if (!haveOracleFiles() || !shared("reference/oracles.json")) {
        QTest::newRow("missing") << -1;
        return;
    }
    const json rows = htaRowsOfOracles();
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (const auto analysis = rows[k].at("analysis").get<std::string>();
            analysis == "hta.queue_length_summary" || analysis == "hta.memory_bw_summary" ||
            analysis == "hta.profiler_steps")
            QTest::newRow(
                (rows[k].at("id").get<std::string>() + " " + rows[k].at("file").get<std::string>()).c_str())
                << static_cast<int>(k);
}

void TstHtaSeries::printed() {
    QFETCH(int, index);
    if (index < 0)
        LACUNA_SKIP("the public traces are not here");
    static const json rows = htaRowsOfOracles();
    const json& row = rows[static_cast<std::size_t>(index)];
    const auto loaded = loadOracle(row);
    QVERIFY(loaded);
    const HtaOptions options = optionsOfRow(row);
    Differences differences;
    if (row.at("analysis") == "hta.queue_length_summary") {
        compareQueues(*loaded->trace, options, row.at("expected"), differences);
    } else if (row.at("analysis") == "hta.memory_bw_summary") {
        compareBandwidths(*loaded, options, row.at("expected"), differences);
    } else {
        JobControl job;
        if (htaProfilerSteps(*loaded->trace, options, job) !=
            row.at("expected").get<std::vector<std::int64_t>>())
            differences.add(QStringLiteral("other steps"));
    }
    const auto known = knownSeriesDifferences().find(row.at("id"));
    if (known == knownSeriesDifferences().end())
        QVERIFY2(differences.isEmpty(), qPrintable(differences.text()));
    else
        checkExtremes(*loaded, row);
}

// Series without negative points, and none where there is no device.
void TstHtaSeries::counters() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const auto oracle = oracleOf("hta.counters");
    QVERIFY(oracle.has_value());
    const json& expected = oracle->at("expected");
    const auto loaded = loadOracle(*oracle);
    const ReportTable queue = reportOf(*loaded, "queue_length_time_series", asHta());
    const ReportTable bandwidth = reportOf(*loaded, "memory_bw_time_series", asHta());
    QVERIFY(queue.rows() + bandwidth.rows() >= expected.at("min_counter_events").get<std::size_t>());
    for (std::size_t row = 0; row < queue.rows(); ++row)
        QVERIFY(numberOf(queue, row, "Queue Length") >= 0);
    std::set<std::string> names{"Queue Length"};
    for (std::size_t row = 0; row < bandwidth.rows(); ++row) {
        QVERIFY(numberOf(bandwidth, row, "GB/s") >= 0);
        names.insert(cellOf(bandwidth, row, "Operation"));
    }
    QVERIFY(isSame(json(names), expected.at("counter_names")));
    QVERIFY(isSame(json(reportOf(*loaded, "memory_bw_summary", asHta()).rows()),
                   expected.at("memory_summary_rows")));
    QVERIFY(isSame(json(reportOf(*loaded, "queue_length_summary", asHta()).rows()),
                   expected.at("queue_summary_rows")));
    const auto without = oracleOf("hta.counters_without_gpu");
    QVERIFY(without.has_value());
    const auto cpuOnly = loadOracle(*without);
    for (const std::string_view report :
         {"queue_length_time_series", "queue_length_summary", "memory_bw_summary"})
        QCOMPARE(reportOf(*cpuOnly, report, asHta()).rows(), std::size_t{0});
}

void TstHtaSeries::cuptiCounters() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const auto oracle = oracleOf("hta.cupti_counters");
    QVERIFY(oracle.has_value());
    const auto loaded = loadOracle(*oracle);
    const ReportTable table = reportOf(*loaded, "cupti_counters");
    QVERIFY(isSame(json(table.rows()), oracle->at("expected").at("rows")));
    const json& row = oracle->at("expected").at("row 5 by ts");
    constexpr std::size_t kRow = 5;
    const std::string counter = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum";
    QVERIFY(cellOf(table, kRow, "Name").find(row.at("name_contains").get<std::string>()) !=
            std::string::npos);
    QVERIFY(isSame(json(numberOf(table, kRow, counter)), row.at(counter)));
    QVERIFY(isSame(json(cellOf(table, kRow, "Top Level Op")), row.at("top_level_op")));
    QVERIFY(isSame(json(cellOf(table, kRow, "Bottom Level Op")), row.at("bottom_level_op")));
}

// That tool folds names beyond the largest five into one row, those that it was asked for excepted.
void TstHtaSeries::userAnnotations() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const auto oracle = oracleOf("hta.user_annotation_breakdown");
    QVERIFY(oracle.has_value());
    const json& expected = oracle->at("expected");
    const auto loaded = loadOracle(*oracle);
    QVERIFY(isSame(json(reportOf(*loaded, "gpu_user_annotation_breakdown", asHta()).rows()),
                   expected.at("gpu_user_annotation rows")));
    const ReportTable host = reportOf(*loaded, "user_annotation_breakdown", asHta());
    QVERIFY(isSame(json(host.rows()), expected.at("user_annotation rows")));
    std::size_t kept = 0, optimizers = 0;
    for (std::size_t row = 0; row < host.rows(); ++row) {
        const bool isOptimizer = cellOf(host, row, "Name").find("Optimizer") != std::string::npos;
        optimizers += isOptimizer ? 1U : 0U;
        kept += isOptimizer || row < 5 ? 1U : 0U;
    }
    QVERIFY(isSame(json(optimizers), expected.at("of which Optimizer")));
    QVERIFY(isSame(json(kept + 1), expected.at("user_annotation rows, num_kernels=5, allowlist Optimizer")));
}

void TstHtaSeries::tritonOperators() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const auto oracle = oracleOf("hta.triton_ops");
    QVERIFY(oracle.has_value());
    const json& expected = oracle->at("expected");
    const auto loaded = loadOracle(*oracle);
    std::int64_t found = 0;
    const EventTable& events = loaded->trace->events();
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        if (events.kind[e] != EventKind::CpuOp)
            continue;
        const auto details = loaded->details->read({events.source[e]});
        QVERIFY(details);
        for (const auto& [name, text] : details->fields)
            if (name == "args.kernel_backend" && json(text) == expected.at("kernel_backend")) {
                ++found;
                QVERIFY(isSame(json(loaded->trace->nameOf({e})), expected.at("name")));
            }
    }
    QVERIFY(isSame(json(found), expected.at("triton_cpu_ops")));
}

// Names with counts and times of one ProfilerStep: key_averages of its range.
void TstHtaSeries::namesOfOneStep() {
    if (!haveOracleFiles() || !shared("reference/oracles.json"))
        LACUNA_SKIP("the public traces are not here");
    const auto oracle = oracleOf("hta.trace_diff.ops");
    QVERIFY(oracle.has_value());
    const auto loaded = loadOracle(*oracle);
    const std::string step = "ProfilerStep#" + oracle->at("parameters").at("iteration").dump();
    ReportOptions options;
    const EventTable& events = loaded->trace->events();
    for (std::uint32_t e = 0; e < events.size(); ++e)
        if (events.kind[e] == EventKind::Range && loaded->trace->nameOf({e}) == step)
            options.range = events.range({e});
    QVERIFY(options.range.has_value());
    const ReportTable table = reportOf(*loaded, "key_averages", options);
    for (const auto& [name, count] : oracle->at("expected").at("counts").items()) {
        const auto row = rowOf(table, "Name", name == step ? "ProfilerStep*" : name);
        QVERIFY2(row.has_value(), name.c_str());
        QVERIFY(isSame(json(numberOf(table, *row, "# of Calls")), count));
        QVERIFY(isSame(json(numberOf(table, *row, "CPU total (ns)") / 1'000),
                       oracle->at("expected").at("total_duration").at(name)));
    }
}

// Two calls before the first operation starts; a graph launch counts with us only.
void TstHtaSeries::queue_bothDefinitions() {
    const auto call = [](std::string_view name, double ts, int correlation) {
        return rowText("cuda_runtime", name, ts, 1, "{'correlation':" + std::to_string(correlation) + "}");
    };
    const auto kernel = [](double ts, int correlation) {
        return rowText("kernel", "k", ts, 4,
                       "{'device':0,'stream':7,'correlation':" + std::to_string(correlation) + "}", 7);
    };
    const auto trace =
        traceOfText({call("cudaLaunchKernel", 0, 1), call("cudaLaunchKernel", 2, 2), kernel(5, 1),
                     kernel(9, 2), call("cudaGraphLaunch", 9, 3), kernel(20, 3), kernel(25, 3)});
    const ReportTable exact = reportOf(*trace, "queue_length_time_series");
    QCOMPARE(exact.rows(), std::size_t{6}); // 0, 2, 5, 9 (one starts, two are launched), 20, 25
    const std::vector<std::int64_t> lengths{1, 2, 1, 2, 1, 0};
    for (std::size_t row = 0; row < exact.rows(); ++row)
        QCOMPARE(numberOf(exact, row, "Queue Length"), lengths[row]);
    QCOMPARE(numberOf(exact, 3, "Time (ns)"), 9'000);
    const ReportTable theirs = reportOf(*trace, "queue_length_time_series", asHta());
    QCOMPARE(theirs.rows(), std::size_t{4});
    const ReportTable summary = reportOf(*trace, "queue_length_summary");
    QCOMPARE(cellOf(summary, 0, "Mean"), std::string("1.166667"));
    QCOMPARE(numberOf(summary, 0, "Blocked (ns)"), 0);
    HtaQueue full;
    full.timeNs = {0, 10, 30, 40};
    full.length = {1, 1'024, 1'023, 1'024};
    QCOMPARE(htaBlockedNs(full, 1'024), 20);
}

// 100,000 B in 10 us and, from its middle on, 40,000 B in 5 us: 10, 18, 0 GB/s.
void TstHtaSeries::bandwidth_bothDefinitions() {
    const auto copy = [](double ts, double dur, int bytes, int stream) {
        return rowText("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", ts, dur,
                       "{'device':0,'stream':" + std::to_string(stream) +
                           ",'bytes':" + std::to_string(bytes) + "}",
                       stream);
    };
    const auto trace = traceOfText({copy(0, 10, 100'000, 7), copy(5, 5, 40'000, 20)});
    const ReportTable series = reportOf(*trace, "memory_bw_time_series");
    QCOMPARE(series.rows(), std::size_t{4});
    QCOMPARE(cellOf(series, 0, "GB/s"), std::string("10.000000"));
    QCOMPARE(cellOf(series, 1, "GB/s"), std::string("18.000000"));
    QCOMPARE(cellOf(series, 3, "GB/s"), std::string("0.000000"));
    QCOMPARE(cellOf(series, 0, "Operation"), std::string("Memcpy HtoD"));
    const ReportTable summary = reportOf(*trace, "memory_bw_summary");
    QCOMPARE(summary.rows(), std::size_t{1});
    QCOMPARE(numberOf(summary, 0, "Bytes"), 140'000);
    QCOMPARE(cellOf(summary, 0, "Bytes by Union (GB/s)"), std::string("14.000000"));
}

void TstHtaSeries::sequences() {
    std::vector<std::string> rows;
    const auto block = [&](double ts, std::string_view name, int correlation) {
        rows.push_back(rowText("cpu_op", name, ts, 50));
        for (int k = 0; k < 3; ++k) {
            rows.push_back(rowText("cuda_runtime", "cudaLaunchKernel", ts + 5 + 10 * k, 5,
                                   "{'correlation':" + std::to_string(correlation + k) + "}"));
            rows.push_back(
                rowText("kernel", std::string(1, static_cast<char>('a' + k)), ts + 100 + 20 * k, 7,
                        "{'device':0,'stream':7,'correlation':" + std::to_string(correlation + k) + "}", 7));
        }
    };
    block(0, "aten::layer", 1);
    block(1'000, "aten::layer", 11);
    block(2'000, "aten::other", 21);
    rows.push_back(rowText("cpu_op", "aten::small", 3'000, 50));
    rows.push_back(rowText("cuda_runtime", "cudaLaunchKernel", 3'005, 5, "{'correlation':31}"));
    rows.push_back(rowText("kernel", "a", 3'100, 7, "{'device':0,'stream':7,'correlation':31}", 7));
    const auto trace = traceOfText(rows);
    const ReportTable all = reportOf(*trace, "frequent_cuda_kernel_sequences");
    QCOMPARE(all.rows(), std::size_t{2});
    QCOMPARE(cellOf(all, 0, "Pattern"), std::string("aten::layer|a|b|c"));
    QCOMPARE(numberOf(all, 0, "Count"), 2);
    QCOMPARE(numberOf(all, 0, "GPU Kernel Duration (ns)"), 42'000);
    QCOMPARE(numberOf(all, 0, "CPU Op Duration (ns)"), 100'000);
    ReportOptions options;
    options.operatorName = "other";
    const ReportTable one = reportOf(*trace, "frequent_cuda_kernel_sequences", options);
    QCOMPARE(one.rows(), std::size_t{1});
    QCOMPARE(cellOf(one, 0, "Operator"), std::string("aten::other"));
}

void TstHtaSeries::distribution() {
    const Distribution four = distributionOf({4, 1, 3, 2});
    QCOMPARE(four.mean, 2.5);
    QCOMPARE(four.lowerQuartile, 1.75);
    QCOMPARE(four.median, 2.5);
    QCOMPARE(four.upperQuartile, 3.25);
    QVERIFY(std::abs(four.deviation - 1.2909944487358056) < 1e-15);
    QVERIFY(std::isnan(distributionOf({5}).deviation));
    QCOMPARE(distributionOf({5}).upperQuartile, 5.0);
    QVERIFY(std::isnan(distributionOf({}).mean));
}

// A permutation in order of the keys, whatever these are; up to 17 rows stay stable.
void TstHtaSeries::orderOfEqualTimes() {
    JobControl job;
    RowPoll poll(job);
    std::mt19937 random(7);
    for (const std::size_t size : {0U, 1U, 2U, 17U, 18U, 100U, 5'000U})
        for (const std::int64_t values : {1, 3, 1'000'000}) {
            std::vector<std::int64_t> keys(size);
            for (std::size_t k = 0; k < size; ++k)
                keys[k] = values == 3 ? static_cast<std::int64_t>(std::min(k, size - k)) // up and down
                                      : static_cast<std::int64_t>(random() % static_cast<unsigned>(values));
            const auto order = quicksortOrder(keys, poll);
            std::vector<bool> seen(size, false);
            QCOMPARE(order.size(), size);
            for (std::size_t k = 0; k < size; ++k) {
                QVERIFY(!seen[order[k]]);
                seen[order[k]] = true;
                QVERIFY(k == 0 || keys[order[k - 1]] <= keys[order[k]]);
                QVERIFY(size > 17 || k == 0 || keys[order[k - 1]] < keys[order[k]] ||
                        order[k - 1] < order[k]);
            }
        }
    job.requestCancel();
    const std::vector<std::int64_t> many(100'000, 5);
    QVERIFY(quicksortOrder(many, poll).empty());
}

LACUNA_TEST(TstHtaSeries, "tst_hta_series")

} // namespace tst_hta_series

#include "tst_hta_series.moc"
