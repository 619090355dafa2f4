// Items of features.md about reports, each by its worked number: C23, C25, D24, D38, D39, E13, E16.
// Those of single reports are in tst_our_reports and tst_key_averages.

#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <array>

namespace tst_report_items {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string work(std::string_view name, double ts, double dur, int stream = 7,
                 std::string_view category = "kernel") {
    return rowText(category, name, ts, dur,
                   "{'device':0,'stream':" + std::to_string(stream) + ",'bytes':1000}", stream);
}

LoadedTrace loadedRows(const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& row : rows)
        text.append(text.empty() ? "" : ",").append(row);
    return *loadText(q(objectForm(text)));
}

std::string everythingIn(const ReportTable& table) {
    std::string text;
    for (const ReportColumn& column : table.columns())
        text.append(column.title).append("\n");
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t c = 0; c < table.columns().size(); ++c)
            text.append(table.cellText(row, c)).append("\n");
    for (const std::string& note : table.notes())
        text.append(note).append("\n");
    return text;
}

std::vector<std::string> mixedRows() {
    return {rowText("cpu_op", "op", 0, 123.457),
            rowText("cuda_runtime", "cudaLaunchKernel", 10, 5, "{'correlation':7}"),
            rowText("kernel", "gemm", 200, 1'000.003, "{'device':0,'stream':7,'correlation':7}", 7)};
}

std::int64_t exposedNs(const ReportTable& overlap) {
    for (std::size_t row = 0; row < overlap.rows(); ++row)
        if (cellOf(overlap, row, "Kind") == "work" && cellOf(overlap, row, "Name") == "communication")
            return numberOf(overlap, row, "Exposed (ns)");
    return -1;
}

} // namespace

class TstReportItems : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c23_hostAndDeviceTimesAreNeverAdded();
    void c25_noReportSpeaksOfUtilisation();
    void d24_idle72Percent();
    void d38_d39_busyAndSumByWall();
    void e13_lessExposedCommunication();
    void e16_partsSumTo100Percent_data();
    void e16_partsSumTo100Percent();
};

// 123,457 ns on the host and 1,000,003 ns on the device: 1,123,460 stands nowhere.
void TstReportItems::c23_hostAndDeviceTimesAreNeverAdded() {
    const LoadedTrace loaded = loadedRows(mixedRows());
    for (const ReportSpec& report : builtinReports()) {
        const std::string text = everythingIn(reportOf(loaded, report.name));
        QVERIFY2(text.find("1123460") == std::string::npos, std::string(report.name).c_str());
    }
    const ReportTable averages = reportOf(loaded, "key_averages");
    QCOMPARE(averages.notes().size(), std::size_t{1});
    QVERIFY(averages.notes()[0].find("123457") != std::string::npos);
    QVERIFY(averages.notes()[0].find("1000003") != std::string::npos);
    QVERIFY(averages.notes()[0].find("do not add them") != std::string::npos);
}

// A union of busy time says that some work was resident; the word belongs to hardware counters.
void TstReportItems::c25_noReportSpeaksOfUtilisation() {
    const LoadedTrace loaded = loadedRows(mixedRows());
    for (const ReportSpec& report : builtinReports()) {
        const std::string text = everythingIn(reportOf(loaded, report.name)) + std::string(report.summary);
        for (const char* word : {"tilisation", "tilization"})
            QVERIFY2(text.find(word) == std::string::npos, std::string(report.name).c_str());
    }
    QVERIFY(reportOf(loaded, "limiters").notes()[0].find("some work was resident") != std::string::npos);
}

// Self CPU 850 ms, self CUDA 240 ms: 1 - 240/850 = 71.8 %.
void TstReportItems::d24_idle72Percent() {
    const LoadedTrace loaded = loadedRows({rowText("cpu_op", "op", 0, 850'000), work("k", 100, 240'000)});
    const ReportTable table = reportOf(loaded, "key_averages");
    QVERIFY2(table.notes()[0].find("idle 72 % (1 - CUDA / CPU)") != std::string::npos,
             table.notes()[0].c_str());
}

// Fraction of the wall time with work, and the sum by the wall: 6 and 8 of 12 ms.
void TstReportItems::d38_d39_busyAndSumByWall() {
    const LoadedTrace loaded = loadedRows({work("a", 0, 4'000), work("b", 2'000, 4'000, 20)});
    ReportOptions options;
    options.range = TimeRange{{0}, {12'000'000}};
    const ReportTable table = reportOf(loaded, "overlap", options);
    QCOMPARE(cellOf(table, 0, "Name"), std::string("all"));
    QCOMPARE(cellOf(table, 0, "Share of span (%)"), std::string("50.0"));
    QCOMPARE(numberOf(table, 0, "Sum (ns)"), 8'000'000);
}

// Exposed communication 3.0 -> 1.0 ms.
void TstReportItems::e13_lessExposedCommunication() {
    const auto overlapAfter = [](double compute) {
        return reportOf(
            loadedRows({work("gemm", 0, compute), work("ncclDevKernel_AllReduce", 0, 10'000, 20)}),
            "overlap");
    };
    QCOMPARE(exposedNs(overlapAfter(7'000)), 3'000'000);
    QCOMPARE(exposedNs(overlapAfter(9'000)), 1'000'000);
}

void TstReportItems::e16_partsSumTo100Percent_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("thirds") << QString();
    for (const char* name : {"prefetch_overlap", "pageable_copy", "multi_stream", "decode_cuda_graph"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TstReportItems::e16_partsSumTo100Percent() {
    QFETCH(QString, file);
    JobControl job;
    std::optional<LoadedTrace> loaded;
    if (file.isEmpty()) {
        // [0,1) kernel, [1,2) copy, [2,3) nothing, then a kernel without length.
        loaded =
            loadedRows({work("gemm", 0, 1), work("Memcpy HtoD (Pinned -> Device)", 1, 1, 7, "gpu_memcpy"),
                        work("tiny", 3, 0)});
    } else {
        const auto path = shared("traces/captured/torch/" + file.toStdString() + ".pt.trace.json.gz");
        if (!path)
            LACUNA_SKIP("the captured traces are not here");
        loaded = *loadTrace(*path, builtinImporters(), job);
    }
    const ReportTable table = reportOf(*loaded, "limiters");
    QCOMPARE(table.rows(), std::size_t{4});
    std::int64_t shares = 0, ns = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        shares += numberOf(table, row, "Share of Window (%)");
        ns += numberOf(table, row, "Time (ns)");
    }
    QCOMPARE(shares, 1'000); // tenths
    const ReportTable overlap = reportOf(*loaded, "overlap");
    std::int64_t span = 0;
    for (std::size_t row = 0; row < overlap.rows(); ++row)
        span += cellOf(overlap, row, "Kind") == "state" ? numberOf(overlap, row, "Union (ns)") : 0;
    QCOMPARE(ns, span);
    if (!file.isEmpty())
        return;
    const std::array<const char*, 4> names{"kernel execution", "communication", "data movement", "idle"};
    const std::array<std::int64_t, 4> parts{1'000, 0, 1'000, 1'000};
    for (std::size_t row = 0; row < names.size(); ++row) {
        QCOMPARE(cellOf(table, row, "Limiter"), std::string(names[row]));
        QCOMPARE(numberOf(table, row, "Time (ns)"), parts[row]);
    }
}

LACUNA_TEST(TstReportItems, "tst_report_items")

} // namespace tst_report_items

#include "tst_report_items.moc"
