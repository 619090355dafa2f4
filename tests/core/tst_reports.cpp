// What holds for every report, on every trace of the repository.

#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <map>

namespace tst_reports {

using namespace lacuna;
using namespace lacuna::test;

namespace {

Result<LoadedTrace> load(const std::filesystem::path& file) {
    JobControl job;
    return loadTrace(file, builtinImporters(), job);
}

std::string gunzipped(const std::filesystem::path& file) {
    std::string text;
    std::vector<char> piece(1 << 20);
    gzFile packed = gzopen(file.c_str(), "rb");
    for (int count = 0; (count = gzread(packed, piece.data(), static_cast<unsigned>(piece.size()))) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(count));
    gzclose(packed);
    return text;
}

// Kernels of a Kineto file by name, grid and block: count and time, read by other code than ours.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> kernelsOf(const std::filesystem::path& file) {
    const auto padded = [](const nlohmann::json& xyz) {
        return QString::asprintf("%4d %4d %4d", xyz[0].get<int>(), xyz[1].get<int>(), xyz[2].get<int>())
            .toStdString();
    };
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> kernels;
    const auto document = nlohmann::json::parse(gunzipped(file));
    for (const auto& event : document["traceEvents"]) {
        if (event.value("cat", "") != "kernel")
            continue;
        const auto& args = event["args"];
        auto& [count, time] = kernels[event["name"].get<std::string>() + " | " + padded(args["grid"]) +
                                      " | " + padded(args["block"])];
        ++count;
        time += std::llround(event["dur"].get<double>() * 1000.0);
    }
    return kernels;
}

} // namespace

class TstReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyReport_runsOnEveryTrace_data();
    void everyReport_runsOnEveryTrace();
    void everyReport_canBeCancelled_data();
    void everyReport_canBeCancelled();
    void rangeOfNothing_hasNoRows();
    void kineto_argumentsAreFound();
};

void TstReports::everyReport_runsOnEveryTrace_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(fixture("")))
        if (const std::string name = entry.path().filename().string();
            (name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".sqlite")) &&
            !name.ends_with(".out.json") && !name.ends_with("averages.json") && name != "oracles.json" &&
            name != "truth.json" && name != "measured.json")
            QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
}

void TstReports::everyReport_runsOnEveryTrace() {
    QFETCH(QString, file);
    const auto loaded = load(file.toStdString());
    QVERIFY2(loaded, qPrintable(file));
    for (const ReportSpec& report : builtinReports()) {
        JobControl job;
        ReportQuery query;
        query.name = report.name;
        const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
        QVERIFY2(table, std::string(report.name).c_str());
        QVERIFY2(table->rows() > 0 || !table->notes().empty(), // nothing is missing without a word
                 std::string(report.name).c_str());
        const auto total = table->findColumn("Total Time (ns)"); // zero: shares of nothing
        if (const auto share = table->findColumn("Time (%)");
            share && table->rows() > 0 && table->number(0, *total) > 0) {
            std::int64_t sum = 0;
            for (std::size_t row = 0; row < table->rows(); ++row)
                sum += table->number(row, *share);
            // Tenths of a percent, each rounded.
            QVERIFY2(std::abs(sum - 1000) <= static_cast<std::int64_t>(table->rows()),
                     std::string(report.name).c_str());
        }
    }
}

void TstReports::everyReport_canBeCancelled_data() {
    QTest::addColumn<QString>("report");
    for (const ReportSpec& report : builtinReports())
        QTest::newRow(std::string(report.name).c_str())
            << QString::fromUtf8(report.name.data(), static_cast<qsizetype>(report.name.size()));
}

void TstReports::everyReport_canBeCancelled() {
    QFETCH(QString, report);
    const auto loaded = load(fixture("captured/nsys/two_processes.sqlite")); // 27,000 rows
    QVERIFY(loaded);
    JobControl job;
    job.requestCancel();
    ReportQuery query;
    query.name = report.toStdString();
    const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
    QVERIFY(!table);
    QCOMPARE(table.error().code, Errc::Cancelled);
}

void TstReports::rangeOfNothing_hasNoRows() {
    const auto loaded = load(fixture("captured/nsys/stall.sqlite"));
    QVERIFY(loaded);
    for (const ReportSpec& report : builtinReports()) {
        if (report.name == "settings" || report.name == "schedule") // about numbers of steps, not about times
            continue;
        JobControl job;
        ReportQuery query;
        query.name = report.name;
        query.options.range = TimeRange{{-20}, {-10}};
        const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
        QVERIFY2(table && table->rows() == 0, std::string(report.name).c_str());
    }
}

void TstReports::kineto_argumentsAreFound() {
    for (const auto& entry : std::filesystem::directory_iterator(fixture("captured/torch"))) {
        const auto loaded = load(entry.path());
        QVERIFY(loaded);
        JobControl job;
        ReportQuery query;
        query.name = "cuda_gpu_kern_gb_sum";
        const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
        QVERIFY(table);
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> found;
        const auto column = [&](const char* name) { return *table->findColumn(name); };
        for (std::size_t row = 0; row < table->rows(); ++row)
            found[table->cellText(row, column("Name")) + " | " + table->cellText(row, column("GridXYZ")) +
                  " | " + table->cellText(row, column("BlockXYZ"))] = {
                table->number(row, column("Instances")), table->number(row, column("Total Time"))};
        const auto should = kernelsOf(entry.path());
        QVERIFY(!should.empty());
        for (const auto& [kernel, times] : should)
            QVERIFY2(found[kernel] == times, kernel.c_str());
        QCOMPARE(found.size(), should.size());
    }
}

LACUNA_TEST(TstReports, "tst_reports")

} // namespace tst_reports

#include "tst_reports.moc"
