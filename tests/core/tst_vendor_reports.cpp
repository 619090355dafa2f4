// Our CSV against what the vendor's `nsys stats` and `nsys analyze` printed for the same captures, field by
// field, rows in order. What differs because the vendor is wrong is listed below with its proof.

#include "core/import/load_trace.h"
#include "core/output/report_output.h"
#include "core/report/builtin.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace tst_vendor_reports {

using namespace lacuna;
using namespace lacuna::test;

namespace {

using CsvRow = std::vector<std::string>;

// Rows of a CSV text; blank lines are none.
std::vector<CsvRow> csvRows(const std::string& text) {
    std::vector<CsvRow> rows;
    CsvRow row;
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"')
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                field += text[++i];
            else
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            row.push_back(std::move(field));
            field.clear();
        } else if (c == '\n') {
            if (!row.empty() || !field.empty()) {
                row.push_back(std::move(field));
                field.clear();
                rows.push_back(std::move(row));
                row.clear();
            }
        } else {
            field += c;
        }
    }
    return rows;
}

const LoadedTrace& captured(const std::string& name) {
    static std::map<std::string, LoadedTrace> traces;
    LoadedTrace& loaded = traces[name];
    if (loaded.trace == nullptr) {
        JobControl job;
        auto read = loadTrace(*shared("traces/captured/nsys/" + name + ".sqlite"), builtinImporters(), job);
        if (read)
            loaded = *std::move(read);
    }
    return loaded;
}

std::string csvOf(const std::string& capture, const std::string& report) {
    JobControl job;
    const LoadedTrace& loaded = captured(capture);
    ReportQuery query;
    query.name = report;
    const auto table = runReport(*loaded.trace, loaded.details.get(), query, job);
    if (!table)
        return "error: " + table.error().detail;
    StringSink sink;
    writeReportCsv(*table, sink, job);
    return sink.text();
}

// ---- defects of the vendor

// cuda_gpu_trace divides 10^9 by the duration first, as whole numbers, and multiplies the bytes by that: the
// remainder of the division is lost. The proof: its own formula gives every one of its figures, and the exact
// quotient every one of ours.
struct Throughput {
    std::string vendors, exact;
};

std::vector<Throughput> throughputs(const std::string& capture) {
    const auto file = *shared("traces/captured/nsys/" + capture + ".sqlite");
    const auto column = [&](const std::string& what) {
        return SqliteFixture::columnIn(
            file, "SELECT " + what +
                      " FROM (SELECT start, end, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY UNION ALL "
                      "SELECT start, end, bytes FROM CUPTI_ACTIVITY_KIND_MEMSET) ORDER BY start");
    };
    const auto vendors = column("printf('%.3f', bytes * (1000000000 / (end - start)) / 1e6)");
    const auto exact = column("printf('%.3f', bytes * 1e9 / (end - start) / 1e6)");
    std::vector<Throughput> all;
    for (std::size_t i = 0; i < vendors.size(); ++i)
        all.push_back({vendors[i], exact[i]});
    return all;
}

// Replaces the vendor's wrong figures by right ones where they are what the defect makes of them. Empty when
// all is as the proof says.
QString correctDefects(const std::string& capture, const std::string& report, std::vector<CsvRow>& rows) {
    if (report != "cuda_gpu_trace")
        return {};
    const auto at = std::find(rows[0].begin(), rows[0].end(), "Throughput (MB/s)");
    if (at == rows[0].end())
        return QStringLiteral("no such column");
    const auto c = static_cast<std::size_t>(at - rows[0].begin());
    const auto figures = throughputs(capture);
    auto next = figures.begin();
    for (std::size_t row = 1; row < rows.size(); ++row) {
        if (rows[row][c].empty())
            continue;
        if (next == figures.end() || rows[row][c] != next->vendors)
            return QStringLiteral("row %1 is not what the vendor's formula gives").arg(row);
        rows[row][c] = (next++)->exact;
    }
    return next == figures.end() ? QString() : QStringLiteral("copies are missing");
}

} // namespace

class TstVendorReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c39_csvEqualsTheVendors_data();
    void c39_csvEqualsTheVendors();
    void c39_nineteenReportsAndFourRules();
};

void TstVendorReports::c39_csvEqualsTheVendors_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QString>("report");
    for (const auto& file : sharedFiles("traces/captured/nsys/reports")) {
        std::string report = file.stem().string();
        if (report.starts_with("rule_"))
            report.erase(0, 5);
        const std::string capture = file.parent_path().filename().string();
        QTest::newRow((capture + "/" + file.stem().string()).c_str())
            << QString::fromStdString(capture) << QString::fromStdString(report);
    }
}

void TstVendorReports::c39_csvEqualsTheVendors() {
    if (!shared("traces/captured/nsys/reports"))
        LACUNA_SKIP("the vendor's reports are not on this machine");
    QFETCH(QString, capture);
    QFETCH(QString, report);
    const std::string folder = "traces/captured/nsys/reports/" + capture.toStdString() + "/";
    auto file = shared(folder + report.toStdString() + ".csv");
    if (!file)
        file = shared(folder + "rule_" + report.toStdString() + ".csv");
    auto should = csvRows(readFile(*file));
    const auto is = csvRows(csvOf(capture.toStdString(), report.toStdString()));
    QVERIFY(!should.empty());
    QCOMPARE(correctDefects(capture.toStdString(), report.toStdString(), should), QString());
    for (std::size_t row = 0; row < std::min(is.size(), should.size()); ++row) {
        QCOMPARE(is[row].size(), should[row].size());
        for (std::size_t c = 0; c < is[row].size(); ++c)
            QVERIFY2(
                is[row][c] == should[row][c],
                qPrintable(QStringLiteral("row %1, %2: is %3, should be %4")
                               .arg(row)
                               .arg(QString::fromStdString(should[0][c]), QString::fromStdString(is[row][c]),
                                    QString::fromStdString(should[row][c]))));
    }
    QCOMPARE(is.size(), should.size());
}

// None of them is compared with nothing.
void TstVendorReports::c39_nineteenReportsAndFourRules() {
    if (!shared("traces/captured/nsys/reports"))
        LACUNA_SKIP("the vendor's reports are not on this machine");
    std::set<std::string> reports, rules;
    for (const auto& file : sharedFiles("traces/captured/nsys/reports")) {
        std::string name = file.stem().string();
        QVERIFY2(csvRows(readFile(file)).size() > 1, file.c_str());
        if (name.starts_with("rule_"))
            rules.insert(name.substr(5));
        else
            reports.insert(std::move(name));
    }
    const std::set<std::string> all{"cuda_api_gpu_sum",
                                    "cuda_api_sum",
                                    "cuda_api_trace",
                                    "cuda_gpu_kern_gb_sum",
                                    "cuda_gpu_kern_sum",
                                    "cuda_gpu_mem_size_sum",
                                    "cuda_gpu_sum",
                                    "cuda_gpu_mem_time_sum",
                                    "cuda_gpu_trace",
                                    "cuda_kern_exec_sum",
                                    "nvtx_gpu_proj_sum",
                                    "cuda_kern_exec_trace",
                                    "nvtx_gpu_proj_trace",
                                    "nvtx_kern_sum",
                                    "nvtx_pushpop_sum",
                                    "nvtx_pushpop_trace",
                                    "nvtx_startend_sum",
                                    "nvtx_sum",
                                    "osrt_sum"};
    QVERIFY(reports == all);
    QVERIFY(rules == (std::set<std::string>{"cuda_api_sync", "cuda_memcpy_async", "cuda_memcpy_sync",
                                            "gpu_time_util"}));
}

LACUNA_TEST(TstVendorReports, "tst_vendor_reports")

} // namespace tst_vendor_reports

#include "tst_vendor_reports.moc"
