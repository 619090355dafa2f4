// key_averages and ops against what PyTorch itself printed for the captured runs (*.key_averages.json), and
// the worked numbers of features.md: A25, B04, B08, C18, C19, C20, C21.

#include "core/import/load_trace.h"
#include "core/report/report_evidence.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace tst_key_averages {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::string_view kSuffix = ".key_averages.json";

struct Printed { // a row of PyTorch's table
    std::string name;
    std::int64_t calls = 0;
    double selfHost = 0, host = 0, selfDevice = 0, device = 0; // us
};

std::vector<Printed> printedRows(const std::filesystem::path& file) {
    std::vector<Printed> rows;
    for (const auto& row : nlohmann::json::parse(readFile(file)))
        rows.push_back({row.at("key"), row.at("count"), row.at("self_cpu_time_total"),
                        row.at("cpu_time_total"), row.at("self_device_time_total"),
                        row.at("device_time_total")});
    return rows;
}

// Within 1 us or 0.1 %, whichever is larger.
bool isNear(std::int64_t ns, double us) {
    return std::abs(static_cast<double>(ns) / 1000.0 - us) <= std::max(1.0, std::abs(us) * 0.001);
}

std::shared_ptr<const Trace> traceBeside(const std::filesystem::path& averages) {
    std::string name = averages.filename().string();
    name.resize(name.size() - kSuffix.size());
    JobControl job;
    auto loaded = loadTrace(averages.parent_path() / (name + ".pt.trace.json.gz"), builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

std::string op(std::string_view name, double ts, double dur) {
    return rowText("cpu_op", name, ts, dur);
}

} // namespace

class TstKeyAverages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void captured_data();
    void captured();
    void captured_ops_data() { captured_data(); }
    void captured_ops();
    void a25_bothSpellingsSort();
    void b04_sortByCudaTotal();
    void c18_linearHasItsChildsDeviceTime();
    void c18_whatStandsInARow();
    void c18_rowsInsideSumToTheRow_data() { captured_data(); }
    void c18_rowsInsideSumToTheRow();
    void c19_exclusiveIsFour();
    void c20_grandchildIsSubtractedOnce();
    void onlyChildOfTheSameName_isMerged();
    void overlongChild_isNone();
    void shares_areOfPyTorchsTotals();
    void window_keepsWhatTouchesIt();
    void ops_keepDeviceTimeWithoutOperator();
};

void TstKeyAverages::captured_data() {
    QTest::addColumn<QString>("file");
    for (const auto& file : sharedFiles("traces/captured/torch"))
        if (file.filename().string().ends_with(kSuffix))
            QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
    if (!shared("traces/captured/torch"))
        QTest::newRow("missing") << QString();
}

// Every row of PyTorch's table: name, count, four times, and the order of the rows. No deviation is left.
void TstKeyAverages::captured() {
    QFETCH(QString, file);
    if (file.isEmpty())
        LACUNA_SKIP("the captured traces are not here");
    const auto trace = traceBeside(file.toStdString());
    QVERIFY(trace != nullptr);
    const auto printed = printedRows(file.toStdString());
    const ReportTable table = reportOf(*trace, "key_averages");
    QCOMPARE(table.rows(), printed.size());
    for (std::size_t row = 0; row < printed.size(); ++row) {
        const Printed& should = printed[row];
        const char* const name = should.name.c_str();
        QCOMPARE(cellOf(table, row, "Name"), should.name);
        QVERIFY2(numberOf(table, row, "# of Calls") == should.calls, name);
        QVERIFY2(isNear(numberOf(table, row, "Self CPU (ns)"), should.selfHost), name);
        QVERIFY2(isNear(numberOf(table, row, "CPU total (ns)"), should.host), name);
        QVERIFY2(isNear(numberOf(table, row, "Self CUDA (ns)"), should.selfDevice), name);
        QVERIFY2(isNear(numberOf(table, row, "CUDA total (ns)"), should.device), name);
    }
}

// Operators only; ranges, CUDA calls and device work of PyTorch's table have reports of their own.
void TstKeyAverages::captured_ops() {
    QFETCH(QString, file);
    if (file.isEmpty())
        LACUNA_SKIP("the captured traces are not here");
    const auto trace = traceBeside(file.toStdString());
    QVERIFY(trace != nullptr);
    const auto printed = printedRows(file.toStdString());
    const ReportTable table = reportOf(*trace, "ops");
    std::size_t found = 0;
    for (const Printed& should : printed) {
        const auto row = rowOf(table, "name", should.name);
        if (!row || should.host == 0)
            continue;
        ++found;
        const char* const name = should.name.c_str();
        QVERIFY2(numberOf(table, *row, "calls") == should.calls, name);
        QVERIFY2(isNear(numberOf(table, *row, "self_host_ns"), should.selfHost), name);
        QVERIFY2(isNear(numberOf(table, *row, "host_ns"), should.host), name);
        QVERIFY2(isNear(numberOf(table, *row, "self_device_ns"), should.selfDevice), name);
        QVERIFY2(isNear(numberOf(table, *row, "device_ns"), should.device), name);
    }
    std::size_t operators = 0; // rows of ops without those in brackets
    for (std::size_t row = 0; row < table.rows(); ++row)
        operators += cellOf(table, row, "name").starts_with('(') ? std::size_t{0} : 1;
    QCOMPARE(found, operators);
}

void TstKeyAverages::a25_bothSpellingsSort() {
    const auto trace = traceOfText(
        {op("a", 0, 1), op("b", 2, 3), rowText("kernel", "k", 4, 9), rowText("kernel", "m", 14, 20)});
    const ReportTable old = reportOf(*trace, "key_averages", {}, "self_cuda_time_total");
    const ReportTable now = reportOf(*trace, "key_averages", {}, "self_device_time_total");
    QCOMPARE(cellOf(old, 0, "Name"), std::string("m"));
    QCOMPARE(cellOf(old, 1, "Name"), std::string("k"));
    for (std::size_t row = 0; row < old.rows(); ++row)
        QCOMPARE(cellOf(now, row, "Name"), cellOf(old, row, "Name"));
}

void TstKeyAverages::b04_sortByCudaTotal() {
    const auto file = shared("traces/captured/torch/healthy_train.key_averages.json");
    if (!file)
        LACUNA_SKIP("the captured traces are not here");
    auto printed = printedRows(*file);
    std::stable_sort(printed.begin(), printed.end(),
                     [](const Printed& a, const Printed& b) { return a.device > b.device; });
    const auto trace = traceBeside(*file);
    const ReportTable table = reportOf(*trace, "key_averages", {}, "cuda_time_total");
    for (std::size_t row = 0; row < 15; ++row)
        QCOMPARE(cellOf(table, row, "Name"), printed[row].name);
}

// aten::linear has no device time of its own, and that of the GEMM under aten::addmm.
void TstKeyAverages::c18_linearHasItsChildsDeviceTime() {
    const auto trace =
        traceOfText({op("aten::linear", 0, 100), op("aten::addmm", 10, 50),
                     rowText("cuda_runtime", "cudaLaunchKernel", 20, 5, "{'correlation':7}"),
                     rowText("kernel", "gemm", 70, 40, "{'correlation':7,'stream':7,'device':0}", 7)});
    for (const std::string_view report : {"ops", "key_averages"}) {
        const bool isOps = report == "ops";
        const ReportTable table = reportOf(*trace, report);
        const auto parent = *rowOf(table, isOps ? "name" : "Name", "aten::linear");
        const auto child = *rowOf(table, isOps ? "name" : "Name", "aten::addmm");
        const std::string_view self = isOps ? "self_device_ns" : "Self CUDA (ns)";
        const std::string_view total = isOps ? "device_ns" : "CUDA total (ns)";
        QCOMPARE(numberOf(table, parent, self), 0);
        QCOMPARE(numberOf(table, parent, total), 40'000);
        QCOMPARE(numberOf(table, child, self), 40'000);
        QCOMPARE(numberOf(table, child, total), 40'000);
        QCOMPARE(numberOf(table, parent, isOps ? "self_host_ns" : "Self CPU (ns)"), 50'000);
    }
}

namespace {

ReportTable insideOf(const Trace& trace, std::vector<AverageParent> inside) {
    ReportOptions options;
    options.inside = std::move(inside);
    return reportOf(trace, "key_averages", options);
}

} // namespace

// aten::linear twice, once with a GEMM; a second GEMM stands elsewhere and is none of theirs.
void TstKeyAverages::c18_whatStandsInARow() {
    const auto trace =
        traceOfText({op("aten::linear", 0, 100), op("aten::t", 2, 6), op("aten::addmm", 10, 50),
                     rowText("cuda_runtime", "cudaLaunchKernel", 20, 5, "{'correlation':7}"),
                     rowText("kernel", "gemm", 70, 40, "{'correlation':7,'stream':7,'device':0}", 7),
                     op("aten::linear", 200, 30), op("aten::t", 205, 10), op("aten::addmm", 300, 40),
                     rowText("cuda_runtime", "cudaLaunchKernel", 310, 5, "{'correlation':8}"),
                     rowText("kernel", "gemm", 350, 9, "{'correlation':8,'stream':7,'device':0}", 7)});
    const ReportTable all = reportOf(*trace, "key_averages");
    QVERIFY(all.unfolds(*rowOf(all, "Name", "aten::linear")));
    QVERIFY(all.unfolds(*rowOf(all, "Name", "aten::addmm")));
    QVERIFY(!all.unfolds(*rowOf(all, "Name", "aten::t")));
    QVERIFY(!all.unfolds(*rowOf(all, "Name", "gemm")));

    const ReportTable linear = insideOf(*trace, {{"aten::linear", false}});
    QCOMPARE(linear.rows(), std::size_t{2});
    const auto t = *rowOf(linear, "Name", "aten::t"), addmm = *rowOf(linear, "Name", "aten::addmm");
    QCOMPARE(numberOf(linear, t, "# of Calls"), 2);
    QCOMPARE(numberOf(linear, t, "CPU total (ns)"), 16'000);
    QCOMPARE(numberOf(linear, addmm, "# of Calls"), 1); // the other stands in nothing
    QCOMPARE(numberOf(linear, addmm, "CPU total (ns)"), 50'000);
    QCOMPARE(numberOf(linear, addmm, "Self CPU (ns)"), 45'000);
    QCOMPARE(numberOf(linear, addmm, "CUDA total (ns)"), 40'000);
    QCOMPARE(cellOf(linear, addmm, "Self CUDA %"), std::string("81.63")); // of all 49 us

    const ReportTable deeper = insideOf(*trace, {{"aten::linear", false}, {"aten::addmm", false}});
    QCOMPARE(deeper.rows(), std::size_t{2});
    const auto gemm = *rowOf(deeper, "Name", "gemm");
    QCOMPARE(numberOf(deeper, gemm, "# of Calls"), 1);
    QCOMPARE(numberOf(deeper, gemm, "Self CUDA (ns)"), 40'000);
    QCOMPARE(numberOf(deeper, *rowOf(deeper, "Name", "cudaLaunchKernel"), "CPU total (ns)"), 5'000);

    const ReportTable either = insideOf(*trace, {{"aten::addmm", false}});
    QCOMPARE(numberOf(either, *rowOf(either, "Name", "gemm"), "# of Calls"), 2);
    QCOMPARE(numberOf(either, *rowOf(either, "Name", "gemm"), "Self CUDA (ns)"), 49'000);
    QCOMPARE(insideOf(*trace, {{"aten::addmm", true}}).rows(), std::size_t{0}); // it is no range
    QCOMPARE(insideOf(*trace, {{"aten::addmm", false}, {"aten::linear", false}}).rows(), std::size_t{0});
}

// On what PyTorch recorded: the rows inside give the row back, to the ns.
void TstKeyAverages::c18_rowsInsideSumToTheRow() {
    QFETCH(QString, file);
    const auto trace = traceBeside(file.toStdString());
    QVERIFY(trace != nullptr);
    const ReportTable all = reportOf(*trace, "key_averages");
    std::size_t unfolded = 0;
    for (std::size_t row = 0; row < all.rows() && unfolded < 12; ++row) {
        if (!all.unfolds(row))
            continue;
        ++unfolded;
        const EventId first = evidenceOf(all, row).event;
        const bool isRange = trace->events().kind[first.v] == EventKind::Range;
        const ReportTable inside = insideOf(*trace, {{cellOf(all, row, "Name"), isRange}});
        std::int64_t host = numberOf(all, row, "Self CPU (ns)"), device = 0;
        for (std::size_t r = 0; r < inside.rows(); ++r) {
            host += numberOf(inside, r, "CPU total (ns)");
            device += numberOf(inside, r, "CUDA total (ns)");
        }
        QVERIFY2(host == numberOf(all, row, "CPU total (ns)"), cellOf(all, row, "Name").c_str());
        QVERIFY2(device == numberOf(all, row, "CUDA total (ns)"), cellOf(all, row, "Name").c_str());
    }
    QVERIFY(unfolded > 0);
}

// Host [0,10], children [2,6] and [7,9]: 4, not 10.
void TstKeyAverages::c19_exclusiveIsFour() {
    const auto trace = traceOfText({op("host", 0, 10), op("first", 2, 4), op("second", 7, 2)});
    const ReportTable ops = reportOf(*trace, "ops");
    QCOMPARE(numberOf(ops, *rowOf(ops, "name", "host"), "self_host_ns"), 4'000);
    const ReportTable averages = reportOf(*trace, "key_averages");
    QCOMPARE(numberOf(averages, *rowOf(averages, "Name", "host"), "Self CPU (ns)"), 4'000);
}

void TstKeyAverages::c20_grandchildIsSubtractedOnce() {
    const auto trace =
        traceOfText({op("host", 0, 10), op("first", 2, 4), op("inner", 3, 2), op("second", 7, 2)});
    const ReportTable ops = reportOf(*trace, "ops");
    QCOMPARE(numberOf(ops, *rowOf(ops, "name", "host"), "self_host_ns"), 4'000);
    QCOMPARE(numberOf(ops, *rowOf(ops, "name", "first"), "self_host_ns"), 2'000);
    const ReportTable averages = reportOf(*trace, "key_averages");
    QCOMPARE(numberOf(averages, *rowOf(averages, "Name", "host"), "Self CPU (ns)"), 4'000);
    QCOMPARE(numberOf(averages, *rowOf(averages, "Name", "first"), "Self CPU (ns)"), 2'000);
}

void TstKeyAverages::onlyChildOfTheSameName_isMerged() {
    const auto trace = traceOfText({op("to", 0, 10), op("to", 1, 8), op("to", 2, 6), op("copy", 3, 2)});
    const ReportTable table = reportOf(*trace, "key_averages");
    const auto row = *rowOf(table, "Name", "to");
    QCOMPARE(numberOf(table, row, "# of Calls"), 1);
    QCOMPARE(numberOf(table, row, "CPU total (ns)"), 10'000);
    QCOMPARE(numberOf(table, row, "Self CPU (ns)"), 8'000);
    const ReportTable ops = reportOf(*trace, "ops");
    QCOMPARE(numberOf(ops, *rowOf(ops, "name", "to"), "calls"), 3); // ops counts rows
}

// B starts in A and ends after it: PyTorch makes it no child, so nothing is subtracted from A.
void TstKeyAverages::overlongChild_isNone() {
    const auto trace = traceOfText({op("A", 0, 10), op("B", 5, 10)});
    const ReportTable table = reportOf(*trace, "key_averages");
    QCOMPARE(numberOf(table, *rowOf(table, "Name", "A"), "Self CPU (ns)"), 10'000);
    QCOMPARE(numberOf(table, *rowOf(table, "Name", "B"), "Self CPU (ns)"), 10'000);
}

void TstKeyAverages::shares_areOfPyTorchsTotals() {
    const auto trace =
        traceOfText({op("a", 0, 30), op("b", 10, 10), rowText("kernel", "k", 50, 3, "{'stream':7}", 7),
                     rowText("gpu_user_annotation", "range", 50, 6, "{'stream':7}", 7)});
    const ReportTable table = reportOf(*trace, "key_averages");
    QCOMPARE(cellOf(table, *rowOf(table, "Name", "a"), "Self CPU %"), std::string("66.67"));
    QCOMPARE(cellOf(table, *rowOf(table, "Name", "a"), "CPU total %"), std::string("100.00"));
    QCOMPARE(cellOf(table, *rowOf(table, "Name", "k"), "Self CUDA %"), std::string("100.00"));
    QCOMPARE(cellOf(table, *rowOf(table, "Name", "range"), "Self CUDA %"), std::string("200.00"));
}

void TstKeyAverages::window_keepsWhatTouchesIt() {
    const auto trace = traceOfText({op("a", 0, 10), op("b", 2, 2), op("a", 20, 10)});
    ReportOptions options;
    options.range = TimeRange{{0}, {2'000}};
    const ReportTable table = reportOf(*trace, "key_averages", options);
    QCOMPARE(table.rows(), std::size_t{1});
    QCOMPARE(numberOf(table, 0, "Self CPU (ns)"), 8'000); // b is outside, yet below a
    const ReportTable ops = reportOf(*trace, "ops", options);
    QCOMPARE(ops.rows(), std::size_t{1});
    QCOMPARE(numberOf(ops, 0, "calls"), 1);
    QCOMPARE(numberOf(ops, 0, "self_host_ns"), 8'000);
}

void TstKeyAverages::ops_keepDeviceTimeWithoutOperator() {
    const auto trace =
        traceOfText({op("a", 0, 10), rowText("cuda_runtime", "cudaLaunchKernel", 20, 5, "{'correlation':7}"),
                     rowText("kernel", "k", 30, 4, "{'correlation':7,'stream':7}", 7),
                     rowText("kernel", "m", 40, 5, "{'correlation':3,'stream':7}", 7)});
    const ReportTable table = reportOf(*trace, "ops");
    const auto outside = *rowOf(table, "name", "(no operator)");
    QCOMPARE(numberOf(table, outside, "self_device_ns"), 4'000);
    QCOMPARE(numberOf(table, outside, "kernels"), 1);
    QCOMPARE(numberOf(table, *rowOf(table, "name", "(no recorded launch)"), "device_ns"), 5'000);
}

LACUNA_TEST(TstKeyAverages, "tst_key_averages")

} // namespace tst_key_averages

#include "tst_key_averages.moc"
