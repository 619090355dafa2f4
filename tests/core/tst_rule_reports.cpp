// Reports and rules on rows made by hand, with answers worked out by hand: what no report of the vendor
// covers.

#include "core/import/load_trace.h"
#include "core/output/report_output.h"
#include "core/report/builtin.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

namespace tst_rule_reports {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// "$T" and "$P" stand for thread 484 of process 483, "$U" and "$Q" for the same of process 600.
std::string withIds(std::string sql) {
    const std::pair<std::string_view, std::int64_t> ids[] = {{"$T", globalTid(483, 484)},
                                                             {"$P", globalTid(483, 0)},
                                                             {"$U", globalTid(600, 601)},
                                                             {"$Q", globalTid(600, 0)}};
    for (const auto& [mark, id] : ids)
        for (std::size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark))
            sql.replace(at, mark.size(), std::to_string(id));
    return sql;
}

constexpr const char* kNames =
    "INSERT INTO StringIds VALUES (1, 'cudaMemset_v3020'), (2, 'cudaMemsetAsync_v3020'), (3, "
    "'cuMemsetD8_v2'), "
    "(4, 'cudaMemcpy_v3020'), (5, 'cudaMemcpyAsync_v3020'), (6, 'cudaLaunchKernel_v7000'), (7, 'work'), "
    "(8, 'CUDA profiling data flush overhead'), (9, 'CUPTI Buffer flush'), (10, 'mydomain'), (11, 'rest'), "
    "(12, 'cudaEventSynchronize_v3020'), (13, 'cudaDeviceSynchronize_v3020');";

std::string call(std::int64_t begin, std::int64_t end, int correlation, int name, const char* thread = "$T") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", 0, " + thread + ", " + std::to_string(correlation) + ", " +
           std::to_string(name) + ", 0, NULL);";
}

std::string kernel(std::int64_t begin, std::int64_t end, int correlation, const char* process = "$P",
                   int name = 7) {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
           "correlationId, "
           "globalPid, demangledName, shortName) VALUES (" +
           std::to_string(begin) + ", " + std::to_string(end) + ", 0, 1, 7, " + std::to_string(correlation) +
           ", " + process + ", " + std::to_string(name) + ", " + std::to_string(name) + ");";
}

struct Asked {
    QString csv;
    std::vector<std::string> notes;
};

Asked ask(const std::string& sql, const std::string& report, bool corrected = false) {
    const SqliteFixture fixture(withIds(std::string(nsysSchema()) + kNames + sql));
    JobControl job;
    const auto loaded = loadTrace(fixture.file(), builtinImporters(), job);
    if (!loaded)
        return {QString::fromStdString("load: " + loaded.error().detail), {}};
    ReportQuery query;
    query.name = report;
    query.options.corrected = corrected;
    const auto table = runReport(*loaded->trace, loaded->details.get(), query, job);
    if (!table)
        return {QString::fromStdString("report: " + table.error().detail), {}};
    StringSink sink;
    writeReportCsv(*table, sink, job);
    return {QString::fromStdString(sink.text()), table->notes()};
}

QString csv(const std::string& sql, const std::string& report, bool corrected = false) {
    const QString text = ask(sql, report, corrected).csv;
    return text.mid(text.indexOf(u'\n') + 1); // without the titles
}

std::string seconds(double s) {
    return std::to_string(static_cast<std::int64_t>(s * 1e9 + 0.5));
}
std::int64_t ns(double s) {
    return static_cast<std::int64_t>(s * 1e9 + 0.5);
}

std::string memset(std::int64_t begin, std::int64_t end, int correlation, std::int64_t bytes, int memory,
                   const char* place = "0, 1, NULL, 7") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", " + place + ", " + std::to_string(correlation) + ", $P, 0, " +
           std::to_string(bytes) + ", NULL, " + std::to_string(memory) + ");";
}

std::string memcpy(std::int64_t begin, std::int64_t end, int correlation, std::int64_t bytes, int kind,
                   int source, int destination, const char* process = "$P") {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" + std::to_string(begin) + ", " +
           std::to_string(end) + ", 0, 1, NULL, 7, " + std::to_string(correlation) + ", " + process + ", " +
           std::to_string(bytes) + ", " + std::to_string(kind) + ", " + std::to_string(source) + ", " +
           std::to_string(destination) + ", NULL, NULL);";
}

} // namespace

class TstRuleReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void memsetSync_listsPinnedAndManaged();
    void memcpySync_insideADevice_isCorrected();
    void memcpyAsync_isJoinedByProcess();
    void apiSync_correctedHasEventWaits();
    void gpuGaps_overheadIsWork();
    void gpuGaps_correctedHasAScaleOfItsOwn();
    void gpuGaps_longestIsNeverLost();
    void gpuTimeUtil_streamsAddUp();
    void ranges_domainsAndStyles();
    void ranges_kernelsAndProjection();
};

void TstRuleReports::memsetSync_listsPinnedAndManaged() {
    constexpr int kPinned = 1, kDevice = 2, kManaged = 4;
    const std::string rows = call(900, 990, 1, 1) + memset(1000, 1050, 1, 1'000, kPinned) + //
                             call(1900, 1990, 2, 1) +
                             memset(2000, 2080, 2, 64'000, kManaged, "0, 2, 5, 13") +         //
                             call(2900, 2990, 3, 1) + memset(3000, 3090, 3, 1'000, kDevice) + //
                             call(3900, 3990, 4, 2) + memset(4000, 4090, 4, 1'000, kPinned) + // asynchronous
                             call(4900, 4990, 5, 3) + memset(5000, 5060, 5, 1'000'000, kPinned); // driver
    const Asked vendors = ask(rows, "cuda_memset_sync");
    QCOMPARE(vendors.csv,
             QStringLiteral("Duration (ns),Start (ns),Memory Kind,Bytes (MB),PID,Device ID,Context "
                            "ID,Green Context ID,Stream ID,API Name\n"
                            "80,2000,Managed,0.064,483,0,2,5,13,cudaMemset_v3020\n"
                            "50,1000,Pinned,0.001,483,0,1,,7,cudaMemset_v3020\n"));
    QCOMPARE(csv(rows, "cuda_memset_sync", true),
             QStringLiteral("80,2000,Managed,0.064,483,0,2,5,13,cudaMemset_v3020\n"
                            "60,5000,Pinned,1.000,483,0,1,,7,cuMemsetD8_v2\n"
                            "50,1000,Pinned,0.001,483,0,1,,7,cudaMemset_v3020\n"));
}

void TstRuleReports::memcpySync_insideADevice_isCorrected() {
    constexpr int kToDevice = 1, kWithinDevice = 8, kPageable = 0, kDevice = 2;
    const std::string rows =
        call(900, 990, 1, 4) + memcpy(1000, 1050, 1, 64'000, kToDevice, kPageable, kDevice) + // returns early
        call(1900, 1990, 2, 4) + memcpy(2000, 2080, 2, 64'001, kToDevice, kPageable, kDevice) +
        call(2900, 2990, 3, 4) + memcpy(3000, 3090, 3, 500, kWithinDevice, kDevice, kDevice);
    QCOMPARE(csv(rows, "cuda_memcpy_sync"),
             QStringLiteral("90,3000,Device,Device,0.001,483,0,1,,7,cudaMemcpy_v3020\n"
                            "80,2000,Pageable,Device,0.064,483,0,1,,7,cudaMemcpy_v3020\n"));
    QCOMPARE(csv(rows, "cuda_memcpy_sync", true),
             QStringLiteral("80,2000,Pageable,Device,0.064,483,0,1,,7,cudaMemcpy_v3020\n"));
}

// Both processes have a correlation id 1. The other's call is asynchronous, this one's is not.
void TstRuleReports::memcpyAsync_isJoinedByProcess() {
    const std::string rows = call(900, 990, 1, 4) + memcpy(1000, 1050, 1, 1'000'000, 1, 0, 2) +
                             call(900, 990, 1, 5, "$U") + memcpy(1000, 1070, 1, 1'000'000, 1, 0, 2, "$Q");
    QCOMPARE(csv(rows, "cuda_memcpy_async"),
             QStringLiteral("70,1000,Pageable,Device,1.000,600,0,1,,7,cudaMemcpyAsync_v3020\n"));
}

void TstRuleReports::apiSync_correctedHasEventWaits() {
    const std::string rows = call(100, 150, 1, 13) + call(200, 290, 2, 12) + call(300, 310, 3, 13);
    QCOMPARE(csv(rows, "cuda_api_sync"), QStringLiteral("50,100,483,484,cudaDeviceSynchronize_v3020\n"
                                                        "10,300,483,484,cudaDeviceSynchronize_v3020\n"));
    QCOMPARE(csv(rows, "cuda_api_sync", true),
             QStringLiteral("90,200,483,484,cudaEventSynchronize_v3020\n"
                            "50,100,483,484,cudaDeviceSynchronize_v3020\n"
                            "10,300,483,484,cudaDeviceSynchronize_v3020\n"));
}

namespace {

// Process 483: gaps of 600 ms (from 1.1 s), 500 ms (from 1.8 s) and 1.1 s (from 2.4 s) that an overhead of
// the profiler (2.9 to 3.0 s) cuts into two of 500 ms. Process 600: 700 ms (from 1.1 s) with an overhead of
// another name (1.2 to 1.3 s).
std::string gapRows() {
    return kernel(ns(1), ns(1.1), 1) + kernel(ns(1.7), ns(1.8), 2) + kernel(ns(2.3), ns(2.4), 3) +
           kernel(ns(3.5), ns(3.6), 4) + kernel(ns(1), ns(1.1), 1, "$Q") + kernel(ns(1.8), ns(1.9), 2, "$Q") +
           "INSERT INTO PROFILER_OVERHEAD VALUES (" + seconds(2.9) + ", " + seconds(3.0) + ", $T, 8, 0), (" +
           seconds(1.2) + ", " + seconds(1.3) + ", $U, 9, 0);";
}

} // namespace

void TstRuleReports::gpuGaps_overheadIsWork() {
    const Asked asked = ask(gapRows(), "gpu_gaps");
    QCOMPARE(asked.csv, QStringLiteral("Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n"
                                       "1,700000000,1100000000,600,0,1\n"
                                       "2,600000000,1100000000,483,0,1\n"));
}

void TstRuleReports::gpuGaps_correctedHasAScaleOfItsOwn() {
    QCOMPARE(csv(gapRows(), "gpu_gaps", true), QStringLiteral("1,600000000,1100000000,483,0,1\n"
                                                              "2,500000000,1800000000,483,0,1\n"
                                                              "3,500000000,2400000000,483,0,1\n"
                                                              "4,500000000,3000000000,483,0,1\n"
                                                              "5,500000000,1300000000,600,0,1\n"
                                                              "6,100000000,1100000000,600,0,1\n"));
}

// 60 gaps of 501 to 560 ms, the longest last: fifty rows, and the longest is the first of them.
void TstRuleReports::gpuGaps_longestIsNeverLost() {
    std::string rows;
    std::int64_t at = ns(1);
    for (int i = 0; i <= 60; ++i) {
        rows += kernel(at, at + 1000, i + 1);
        at += 1000 + (501 + i) * std::int64_t{1'000'000};
    }
    const Asked asked = ask(rows, "gpu_gaps");
    const QStringList lines = asked.csv.trimmed().split(u'\n');
    QCOMPARE(lines.size(), 51);
    QVERIFY2(lines[1].startsWith(u"1,560000000,"), qPrintable(lines[1]));
    QVERIFY2(lines[50].startsWith(u"50,511000000,"), qPrintable(lines[50]));
    QCOMPARE(asked.notes.size(), std::size_t{1});
}

// Thirty parts of 100 ns from 1000 on. Two kernels side by side fill 300 ns of part 1 twice over; the rest is
// idle but for one that fills the last 60 ns.
void TstRuleReports::gpuTimeUtil_streamsAddUp() {
    const std::string second = "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, "
                               "streamId, correlationId, globalPid, demangledName, shortName) VALUES "
                               "(1000, 1030, 0, 1, 8, 9, $P, 7, 7);";
    const std::string rows = kernel(1000, 1030, 1) + second + kernel(3940, 4000, 2);
    // The first part is busy for 60 % when streams add up, for 30 % in truth; the last for 60 %.
    QCOMPARE(csv(rows, "gpu_time_util"), QStringLiteral("1,0.0,2800,1100,483,0,1\n"));
    // (30 + 0) of 2900 ns.
    QCOMPARE(csv(rows, "gpu_time_util", true), QStringLiteral("1,1.0,2900,1000,483,0,1\n"));
}

namespace {

// NVTX_EVENTS: start, end, eventType, rangeId, category, color, text, globalTid, endGlobalTid, textId,
// domainId, ...
std::string range(std::int64_t begin, std::int64_t end, int type, const char* text, int domain = 0,
                  const char* endsOn = "NULL") {
    return "INSERT INTO NVTX_EVENTS VALUES (" + std::to_string(begin) + ", " + std::to_string(end) + ", " +
           std::to_string(type) + ", NULL, NULL, NULL, '" + text + "', $T, " + endsOn + ", NULL, " +
           std::to_string(domain) + ", NULL, NULL);";
}

std::string rangeRows() {
    return "INSERT INTO NVTX_EVENTS VALUES (-5, NULL, 75, NULL, NULL, NULL, NULL, $T, NULL, 10, 3, NULL, "
           "NULL);" +
           range(100, 200, 59, "step") + range(110, 150, 59, "load", 3) + range(160, 190, 59, "step") +
           range(105, 400, 60, "phase") + range(107, 401, 60, "phase", 3, "$T + 1");
}

} // namespace

void TstRuleReports::ranges_domainsAndStyles() {
    // Totals 294, 295, 130, 40 of 759.
    QCOMPARE(csv(rangeRows(), "nvtx_sum"),
             QStringLiteral("38.9,295,1,295.0,295.0,295,295,0.0,StartEnd,:phase\n"
                            "38.7,294,1,294.0,294.0,294,294,0.0,StartEnd,mydomain:phase\n"
                            "17.1,130,2,65.0,65.0,30,100,49.5,PushPop,:step\n"
                            "5.3,40,1,40.0,40.0,40,40,0.0,PushPop,mydomain:load\n"));
    QCOMPARE(csv(rangeRows(), "nvtx_pushpop_trace"),
             QStringLiteral("100,200,100,70,30,:step,483,484,0,2,2,,:2,:step\n"
                            "110,150,40,0,40,mydomain:load,483,484,1,0,3,2,:2:3,--mydomain:load\n"
                            "160,190,30,0,30,:step,483,484,1,0,4,2,:2:4,--:step\n"));
}

// The kernel is launched in step, in the step within, and in the start/end range that ends on the same
// thread; the other one does not count. It counts once for the name ":step", in two instances of the range.
void TstRuleReports::ranges_kernelsAndProjection() {
    const std::string rows = rangeRows() + call(165, 170, 1, 6) + kernel(500, 530, 1) + //
                             call(500, 510, 2, 6) + kernel(600, 610, 2, "$P", 11) +     // outside any range
                             kernel(700, 710, 3);                                       // without a call
    const Asked asked = ask(rows, "nvtx_kern_sum");
    QCOMPARE(asked.csv.mid(asked.csv.indexOf(u'\n') + 1),
             QStringLiteral(",,483,484,0,1,10,10.0,10.0,10,10,0.0,rest\n"
                            ":phase,StartEnd,483,484,1,1,30,30.0,30.0,30,30,0.0,work\n"
                            ":step,PushPop,483,484,2,1,30,30.0,30.0,30,30,0.0,work\n"));
    QCOMPARE(asked.notes.size(), std::size_t{1});
    QCOMPARE(csv(rows, "nvtx_gpu_proj_trace"),
             QStringLiteral(":step,500,30,100,100,PushPop,483,484,1,0,1,2,,:2\n"
                            ":phase,500,30,105,295,StartEnd,483,484,1,0,0,5,,:5\n"
                            ":step,500,30,160,30,PushPop,483,484,1,1,0,4,2,:2:4\n"));
}

LACUNA_TEST(TstRuleReports, "tst_rule_reports")

} // namespace tst_rule_reports

#include "tst_rule_reports.moc"
