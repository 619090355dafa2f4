// memory and memory_peak: against marks added up by hand from the files, and the worked numbers of
// features.md B13, C78, C79.

#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <fstream>

namespace tst_memory_reports {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// A block given out (bytes > 0) or taken back; the time in us.
std::string mark(double ts, std::int64_t bytes, std::int64_t address, std::int64_t allocated) {
    return "{'ph':'i','s':'t','cat':'cpu_instant_event','name':'[memory]','pid':1,'tid':1,'ts':" +
           std::to_string(ts) + ",'args':{'Total Reserved':0,'Total Allocated':" + std::to_string(allocated) +
           ",'Bytes':" + std::to_string(bytes) +
           ",'Device Id':0,'Device Type':1,'Addr':" + std::to_string(address) + "}}";
}

// From a file, since arguments are read from it again.
Result<LoadedTrace> loadedFrom(const QTemporaryDir& folder, const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& one : rows)
        text.append(text.empty() ? "" : ",").append(one);
    const std::filesystem::path file = folder.filePath(QStringLiteral("a.pt.trace.json")).toStdString();
    std::ofstream(file) << q(objectForm(text));
    JobControl job;
    return loadTrace(file, builtinImporters(), job);
}

Result<LoadedTrace> captured(const char* path) {
    const auto file = shared(path);
    JobControl job;
    return file ? loadTrace(*file, builtinImporters(), job)
                : Result<LoadedTrace>(Error{Errc::Io, "not there", {}, {}});
}

} // namespace

class TstMemoryReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Figures by a script over the file that shares nothing with us.
    void captured_torch() {
        const auto loaded = captured("traces/captured/torch/train_memory.pt.trace.json.gz");
        if (!loaded)
            LACUNA_SKIP("the captured traces are not here");
        const ReportTable peak = reportOf(*loaded, "memory_peak");
        struct Row {
            const char* by;
            std::int64_t bytes, blocks;
        };
        constexpr Row kRows[] = {
            {"aten::clamp_min", 117'440'512, 7}, {"aten::sum", 33'559'552, 4},
            {"aten::mm", 21'037'056, 3},         {"aten::threshold_backward", 16'777'216, 1},
            {"aten::empty_strided", 512, 1},     {"aten::nll_loss_forward", 512, 1}};
        QCOMPARE(peak.rows(), std::size(kRows) + 1);
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < std::size(kRows); ++r) {
            QCOMPARE(cellOf(peak, r, "Memory"), std::string("GPU 0"));
            QCOMPARE(cellOf(peak, r, "Allocated By"), std::string(kRows[r].by));
            QCOMPARE(numberOf(peak, r, "Bytes"), kRows[r].bytes);
            QCOMPARE(numberOf(peak, r, "Blocks"), kRows[r].blocks);
            QCOMPARE(numberOf(peak, r, "Still Live"), 0);
            sum += kRows[r].bytes;
        }
        QCOMPARE(cellOf(peak, 6, "Allocated By"), std::string("(allocated before the trace)"));
        QCOMPARE(numberOf(peak, 6, "Bytes"), 340'282'368);
        QCOMPARE(sum + 340'282'368, std::int64_t{529'097'728});
        QVERIFY(peak.notes()[0].starts_with("GPU 0: peak allocated 504 MiB at "));
        const ReportTable curves = reportOf(*loaded, "memory");
        const auto allocated = rowOf(curves, "Track", "GPU 0 memory allocated"),
                   reserved = rowOf(curves, "Track", "GPU 0 memory reserved");
        QVERIFY(allocated && reserved);
        QCOMPARE(numberOf(curves, *allocated, "Peak (bytes)"), 529'097'728);
        QCOMPARE(numberOf(curves, *allocated, "Last (bytes)"), 340'282'368);
        QCOMPARE(numberOf(curves, *allocated, "Samples"), 438);
        QCOMPARE(numberOf(curves, *reserved, "Peak (bytes)"), 719'323'136);
    }

    void captured_nsys() {
        const auto loaded = captured("traces/captured/nsys/train.sqlite");
        if (!loaded)
            LACUNA_SKIP("the captured traces are not here");
        const ReportTable curves = reportOf(*loaded, "memory");
        QCOMPARE(curves.rows(), std::size_t{3});
        struct Row {
            const char* track;
            std::int64_t peak, first, last, samples;
        };
        for (const Row& expected : {Row{"Device memory in use", 451'151'872, 20'971'520, 451'151'872, 21},
                                    Row{"Device Static memory in use", 9'664, 112, 9'664, 764},
                                    Row{"Pinned memory in use", 4, 4, 4, 1}}) {
            const auto row = rowOf(curves, "Track", expected.track);
            QVERIFY2(row, expected.track);
            QCOMPARE(numberOf(curves, *row, "Device"), 0);
            QCOMPARE(numberOf(curves, *row, "Peak (bytes)"), expected.peak);
            QCOMPARE(numberOf(curves, *row, "First (bytes)"), expected.first);
            QCOMPARE(numberOf(curves, *row, "Last (bytes)"), expected.last);
            QCOMPARE(numberOf(curves, *row, "Samples"), expected.samples);
        }
        const ReportTable peak = reportOf(*loaded, "memory_peak");
        QCOMPARE(peak.rows(), std::size_t{0});
        QVERIFY(peak.notes()[0].find("profile_memory=True") != std::string::npos);
    }

    // C78: 4 GiB each, from 0 to 5, 3 to 8 and 6 to 9: two are in use together, never three.
    void c78_lifetimesDecide() {
        const QTemporaryDir folder;
        const auto loaded = loadedFrom(
            folder,
            {rowText("cpu_op", "aten::first", 0, 2), rowText("cpu_op", "aten::second", 2.5, 2),
             rowText("cpu_op", "aten::third", 5.5, 2), mark(1, 4 * kGiB, 16, 4 * kGiB),
             mark(3, 4 * kGiB, 32, 8 * kGiB), mark(5, -4 * kGiB, 16, 4 * kGiB),
             mark(6, 4 * kGiB, 48, 8 * kGiB), mark(8, -4 * kGiB, 32, 4 * kGiB), mark(9, -4 * kGiB, 48, 0)});
        QVERIFY(loaded);
        const ReportTable curves = reportOf(*loaded, "memory"); // 8 GiB from 3 to 5 us, the first time
        QCOMPARE(numberOf(curves, 0, "Peak (bytes)"), 8 * kGiB);
        QCOMPARE(numberOf(curves, 0, "Start (ns)"), 3'000);
        QCOMPARE(numberOf(curves, 0, "Duration (ns)"), 2'000);
        const ReportTable peak = reportOf(*loaded, "memory_peak");
        QCOMPARE(peak.rows(), std::size_t{2}); // at the first of two equal peaks
        for (const char* by : {"aten::first", "aten::second"}) {
            const auto row = rowOf(peak, "Allocated By", by);
            QVERIFY2(row, by);
            QCOMPARE(numberOf(peak, *row, "Bytes"), 4 * kGiB);
            QCOMPARE(cellOf(peak, *row, "Share of Peak (%)"), std::string("50.00"));
        }
        // C79: who allocated it, and until when somebody needed it.
        QCOMPARE(numberOf(peak, *rowOf(peak, "Allocated By", "aten::first"), "Last Freed (ns)"), 5'000);
        QCOMPARE(numberOf(peak, *rowOf(peak, "Allocated By", "aten::second"), "Last Freed (ns)"), 8'000);
        QVERIFY(peak.notes()[0].starts_with("GPU 0: peak allocated 8192 MiB at "));
        ReportOptions late;
        late.range = TimeRange{{5'500}, {7'000}};
        const ReportTable later = reportOf(*loaded, "memory_peak", late);
        QVERIFY(rowOf(later, "Allocated By", "aten::third") && !rowOf(later, "Allocated By", "aten::first"));
        late.range = TimeRange{{8'500}, {8'900}}; // nothing happens in it: what holds at its begin
        const ReportTable last = reportOf(*loaded, "memory_peak", late);
        QCOMPARE(last.rows(), std::size_t{1});
        QCOMPARE(cellOf(last, 0, "Allocated By"), std::string("aten::third"));
    }

    // B13: bytes // 2**20.
    void b13_mebibytesAreRoundedDown() {
        const QTemporaryDir folder;
        const auto loaded = loadedFrom(
            folder, {rowText("cpu_op", "aten::empty", 0, 5), mark(1, 1'073'741'825, 16, 1'073'741'825)});
        QVERIFY(loaded);
        const ReportTable curves = reportOf(*loaded, "memory");
        QCOMPARE(numberOf(curves, 0, "Peak (MiB)"), 1024);
        QCOMPARE(numberOf(curves, 0, "Start (ns)"), 1'000);
        QCOMPARE(numberOf(curves, 0, "Duration (ns)"), 4'000); // to the end of the trace
        const ReportTable peak = reportOf(*loaded, "memory_peak");
        QVERIFY(peak.notes()[0].starts_with("GPU 0: peak allocated 1024 MiB at "));
        QCOMPARE(numberOf(peak, 0, "Still Live"), 1);
        QVERIFY(peak.isEmpty(0, columnOf(peak, "Last Freed (ns)")));
    }

    // Where the allocator does not say what is in use, the level at the start is unknown.
    void unknownStart_isSaid() {
        const QTemporaryDir folder;
        const auto loaded =
            loadedFrom(folder, {rowText("cpu_op", "aten::empty", 0, 5), mark(1, 2 * kGiB, 16, 0),
                                mark(2, -kGiB, 999, 0), mark(3, kGiB, 32, 0)});
        QVERIFY(loaded);
        const ReportTable peak = reportOf(*loaded, "memory_peak");
        QCOMPARE(peak.rows(), std::size_t{1});
        QVERIFY(peak.notes()[0].starts_with("GPU 0: peak above the start 2048 MiB at "));
    }

    // 10,000 blocks, all in use at the peak. Reading polls at each mark; what is done with them goes over the
    // marks eight times (four of them to or from the peak), and polls once per 4,096 of them.
    void marks_areAddedUpWithPolls() {
        constexpr std::int64_t kBlocks = 10'000;
        std::vector<std::string> rows{rowText("cpu_op", "aten::empty", 0, 2.0 * kBlocks)};
        for (std::int64_t i = 1; i <= kBlocks; ++i)
            rows.push_back(mark(static_cast<double>(i), 512, 512 * i, 512 * i));
        for (std::int64_t i = kBlocks; i > 0; --i)
            rows.push_back(mark(static_cast<double>(2 * kBlocks - i), -512, 512 * i, 512 * (i - 1)));
        const QTemporaryDir folder;
        const auto loaded = loadedFrom(folder, rows);
        QVERIFY(loaded);
        ReportQuery query;
        query.name = "memory_peak";
        JobControl counting;
        const auto table = runReport(*loaded->trace, loaded->details.get(), query, counting);
        QVERIFY(table && table->rows() == 1);
        QCOMPARE(numberOf(*table, 0, "Blocks"), kBlocks);
        constexpr std::uint64_t kPasses = 4 * 2 * kBlocks + 4 * kBlocks;
        QVERIFY2(counting.polls() >= 2 * kBlocks + kPasses / 4'096,
                 qPrintable(QString::number(counting.polls())));
        for (std::uint64_t poll = 2 * kBlocks; poll <= counting.polls(); poll += 7) {
            JobControl job;
            job.cancelAtPoll(poll);
            const auto stopped = runReport(*loaded->trace, loaded->details.get(), query, job);
            QVERIFY2(!stopped && stopped.error().code == Errc::Cancelled, qPrintable(QString::number(poll)));
        }
    }

    void withoutMarks_saysHowToRecordThem() {
        const auto trace = traceOfText({rowText("cpu_op", "aten::mm", 0, 10)});
        QVERIFY(trace);
        for (const char* name : {"memory", "memory_peak"}) {
            const ReportTable table = reportOf(*trace, name);
            QCOMPARE(table.rows(), std::size_t{0});
            QVERIFY(table.notes()[0].find("profile_memory=True") != std::string::npos);
        }
    }
};

LACUNA_TEST(TstMemoryReports, "tst_memory_reports")

} // namespace tst_memory_reports

#include "tst_memory_reports.moc"
