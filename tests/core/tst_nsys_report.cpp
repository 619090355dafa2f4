// Reports through a stand-in for nsys: a shell script that writes an export, is slow, fails or hangs.

#include "core/import/load_trace.h"
#include "core/import/nsys/report_export.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tst_nsys_report {

using namespace lacuna;
using namespace lacuna::test;

namespace fs = std::filesystem;

namespace {

constexpr const char* kReport = "NVIDIA Tegra Profiler Report 2025@3@2@0.\n";

// A folder with a report, an export for the stand-in to hand out, and the stand-in itself.
class Bench {
public:
    explicit Bench(const std::string& script, const std::string& reportName = "my run.nsys-rep",
                   const char* content = kReport)
        : m_export(std::string(nsysSchema()) +
                   "INSERT INTO StringIds VALUES (1, 'cudaMalloc');"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, 0, " +
                   std::to_string(globalTid(483, 483)) + ", 1, 1, 0, NULL);") {
        report = path("in") / reportName;
        fs::create_directories(path("in"));
        std::ofstream(report) << content;
        program = path("nsys");
        std::ofstream(program)
            << "#!/bin/sh\necho \"$@\" >> '" << (path("calls")).string() << "'\n"
            << "out=; want=\n"
               "for a in \"$@\"; do [ \"$want\" ] && out=$a; want=; [ \"$a\" = -o ] && want=1; "
               "done\n"
               "good() { cat '"
            << m_export.file().string() << "' > \"$out\"; }\n"
            << script << "\n";
        fs::permissions(program, fs::perms::owner_all);
        options.nsysProgram = program;
        options.cacheFolder = path("cache");
    }

    fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
    Result<LoadedTrace> load(JobControl& job) const {
        return loadTrace(report, builtinImporters(), job, options);
    }
    Result<LoadedTrace> load() const {
        JobControl job;
        return load(job);
    }
    std::vector<std::string> calls() const {
        std::vector<std::string> lines;
        std::ifstream in(path("calls"));
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }
    std::size_t filesIn(const char* folder) const {
        std::error_code error;
        const auto at = fs::directory_iterator(path(folder), error);
        return error ? 0 : static_cast<std::size_t>(std::distance(at, fs::directory_iterator()));
    }

    fs::path report, program;
    LoadOptions options;

private:
    QTemporaryDir m_folder;
    SqliteFixture m_export;
};

} // namespace

class TstNsysReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void report_isExportedAndOpened() {
        const Bench bench("good");
        JobControl job;
        const auto loaded = bench.load(job);
        QVERIFY2(bool(loaded), loaded ? "" : loaded.error().detail.c_str());
        const Trace& trace = *loaded->trace;
        QCOMPARE(rowText(trace, eventNamed(trace, "cudaMalloc")), std::string("10..20 runtime"));
        // Facts are those of the report.
        QCOMPARE(trace.facts().fileName, std::string("my run.nsys-rep"));
        QCOMPARE(trace.facts().path, bench.report.string());
        QCOMPARE(trace.facts().fileSize, std::uint64_t(std::strlen(kReport)));
        const std::vector<std::string> calls = bench.calls();
        QCOMPARE(calls.size(), std::size_t{1});
        QVERIFY2(calls[0].starts_with("export --type sqlite --force-overwrite true -o "), calls[0].c_str());
        QVERIFY(calls[0].ends_with("/in/my run.nsys-rep"));
        QCOMPARE(bench.filesIn("in"), std::size_t{1}); // nothing beside the report
        QCOMPARE(bench.filesIn("cache/nsys"), std::size_t{1});
        QCOMPARE(job.bytesDone(), job.bytesTotal());
        const auto details =
            loaded->details->read({trace.events().source[eventNamed(trace, "cudaMalloc").v]});
        QVERIFY(bool(details));
        QCOMPARE(details->fields.front().second, std::string("CUPTI_ACTIVITY_KIND_RUNTIME"));
    }

    void export_isUsedAgainWhileTheReportIsUnchanged() {
        const Bench bench("good");
        QVERIFY(bool(bench.load()));
        QVERIFY(bool(bench.load()));
        QCOMPARE(bench.calls().size(), std::size_t{1});
        std::ofstream(bench.report, std::ios::app) << "more";
        QVERIFY(bool(bench.load()));
        QCOMPARE(bench.calls().size(), std::size_t{2});
        QCOMPARE(bench.filesIn("cache/nsys"), std::size_t{1}); // the earlier export is gone
    }

    // All exports together have a limit: those that were used longest ago go, and nothing else in the folder.
    void exports_longUnused_makeRoom() {
        const Bench bench("good");
        const fs::path folder = bench.path("cache/nsys");
        fs::create_directories(folder);
        const auto write = [&](const std::string& name, std::size_t bytes, int hoursAgo) {
            std::ofstream(folder / name) << std::string(bytes, 'x');
            fs::last_write_time(folder / name,
                                fs::file_time_type::clock::now() - std::chrono::hours(hoursAgo));
        };
        const std::string old = "0000000000000001-0000000000000001.sqlite",
                          newer = "0000000000000002-0000000000000002.sqlite";
        write(old, 5000, 40);
        write(newer, 5000, 30);
        write("mine.sqlite", 5000, 900);
        write("partial-1-0.sqlite", 10, 25);
        write("partial-2-0.sqlite", 10, 1);
        JobControl job;
        const auto first = nsys::exportReport(bench.report, bench.program, folder, 1, job, 1'000'000'000);
        QVERIFY(first);
        QVERIFY(fs::exists(folder / old) && fs::exists(folder / newer));
        QVERIFY(!fs::exists(folder / "partial-1-0.sqlite")); // of a process that was killed
        QVERIFY(fs::exists(folder / "partial-2-0.sqlite"));
        std::ofstream(bench.report, std::ios::app) << "more";
        const std::uintmax_t own = fs::file_size(*first);
        const auto second = nsys::exportReport(bench.report, bench.program, folder, 1, job, own + 6000);
        QVERIFY(second);
        QVERIFY(!fs::exists(folder / old));
        QVERIFY(fs::exists(folder / newer));
        std::ofstream(bench.report, std::ios::app) << "more";
        const auto third = nsys::exportReport(bench.report, bench.program, folder, 1, job, 1);
        QVERIFY(third);
        QVERIFY(fs::exists(*third)); // what was just made stays
        QVERIFY(!fs::exists(folder / newer));
        QVERIFY(fs::exists(folder / "mine.sqlite"));
    }

    // Opening an export again counts as use.
    void exports_usedAgain_areNotTheOldest() {
        const Bench bench("good");
        const fs::path folder = bench.path("cache/nsys");
        JobControl job;
        const auto exported = nsys::exportReport(bench.report, bench.program, folder, 1, job);
        QVERIFY(exported);
        const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(100);
        fs::last_write_time(*exported, longAgo);
        QVERIFY(nsys::exportReport(bench.report, bench.program, folder, 1, job));
        QCOMPARE(bench.calls().size(), std::size_t{1});
        QVERIFY(fs::last_write_time(*exported) > longAgo + std::chrono::hours(99));
    }

    void content_tellsAReportWithoutItsName() {
        const Bench bench("good", "report");
        QVERIFY(bool(bench.load()));
        const Bench old("good", "old.qdrep", "something without magic");
        QVERIFY(bool(old.load()));
    }

    void rawCapture_isImportedFirst() {
        const Bench bench("case $1 in import) echo report > \"$out\";; *) good;; esac", "run.qdstrm", "raw");
        QVERIFY(bool(bench.load()));
        const std::vector<std::string> calls = bench.calls();
        QCOMPARE(calls.size(), std::size_t{2});
        QVERIFY(calls[0].starts_with("import -o ") && calls[0].ends_with("/in/run.qdstrm"));
        QVERIFY(calls[1].starts_with("export ") && calls[1].ends_with(".nsys-rep"));
        QCOMPARE(bench.filesIn("cache/nsys"), std::size_t{1}); // the report in between is gone
    }

    void withoutNsys_theCommandIsShown_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("command");
        const QByteArray report = "Nsight Systems reports must be exported first.";
        QTest::newRow("report") << QByteArray("run.nsys-rep") << report
                                << QByteArray("nsys export --type=sqlite -o run.sqlite run.nsys-rep");
        QTest::newRow("old report") << QByteArray("run.qdrep") << report
                                    << QByteArray("nsys export --type=sqlite -o run.sqlite run.qdrep");
        QTest::newRow("raw") << QByteArray("run.qdstrm")
                             << QByteArray(
                                    "This is a raw capture that was not yet turned into a report. That "
                                    "does not mean the run was interrupted. Keep the file and import it.")
                             << QByteArray("nsys import run.qdstrm");
    }
    void withoutNsys_theCommandIsShown() {
        QFETCH(QByteArray, name);
        Bench bench("good", name.toStdString());
        bench.options.nsysProgram = "/nowhere/nsys";
        const auto loaded = bench.load();
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Unsupported);
        QTEST(QByteArray::fromStdString(loaded.error().detail), "text");
        QTEST(QByteArray::fromStdString(loaded.error().remedy), "command");
        QVERIFY(!fs::exists(bench.path("cache")));
    }

    void failure_showsWhatNsysSaid() {
        const Bench bench("echo starting; echo 'The report is newer\nthan this nsys.' >&2; exit 5");
        const auto loaded = bench.load();
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().detail,
                 std::string("nsys could not export this report (exit code 5): starting "
                             "The report is newer than this nsys."));
        QCOMPARE(bench.filesIn("cache/nsys"), std::size_t{0});
    }

    void success_withoutADatabase_isNoExport() {
        const Bench nothing("exit 0");
        QVERIFY(!nothing.load());
        const Bench text("echo hello > \"$out\"");
        const auto loaded = text.load();
        QVERIFY(!loaded && loaded.error().detail.find("no SQLite database") != std::string::npos);
        QCOMPARE(text.filesIn("cache/nsys"), std::size_t{0});
    }

    void muchOutput_isBounded() {
        const Bench bench(
            "i=0; while [ $i -lt 3000 ]; do echo 'a line of noise from nsys'; i=$((i+1)); done; exit 1");
        const auto loaded = bench.load();
        QVERIFY(!loaded && loaded.error().detail.size() < 800);
    }

    // The script's own child must go as well: it would write the file later.
    void cancel_endsTheWholeGroupAndLeavesNothing() {
        const Bench bench("echo part > \"$out\"; sleep 60; good");
        JobControl job;
        std::thread canceller([&] {
            while (bench.filesIn("cache/nsys") == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            job.requestCancel();
        });
        const auto loaded = bench.load(job);
        canceller.join();
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Cancelled);
        QCOMPARE(bench.filesIn("cache/nsys"), std::size_t{0});
        QCOMPARE(bench.filesIn("in"), std::size_t{1});
    }

    void helpersThatStayBehind_doNotHoldTheLoad() {
        const Bench bench("sleep 60 & good"); // keeps the pipe open
        QVERIFY(bool(bench.load()));
    }

    void reportsInMemory_showTheCommand() {
        JobControl job;
        const auto loaded = loadTraceFromMemory(kReport, "run.nsys-rep", builtinImporters(), job);
        QVERIFY(!loaded && loaded.error().detail.find("exported first") != std::string::npos);
    }

    void databaseWithTheNameOfAReport_isJustOpened() {
        const SqliteFixture fixture(
            std::string(nsysSchema()) +
                "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES "
                "(1, 2, 59, 'r', 1)",
            "x.nsys-rep");
        JobControl job;
        QVERIFY(bool(loadTrace(fixture.file(), builtinImporters(), job)));
    }

    void nsys_isFoundByVariableThenPath() {
        const Bench bench("good");
        const QByteArray path = qgetenv("PATH");
        qunsetenv("LACUNA_NSYS");
        qputenv("PATH", QByteArray("relative:") + bench.program.parent_path().c_str());
        QCOMPARE(nsys::findNsys({}).value_or("none"), bench.program);
        qputenv("LACUNA_NSYS", "/nowhere/nsys"); // what was asked for is not replaced by something else
        QVERIFY(!nsys::findNsys({}));
        QCOMPARE(nsys::findNsys(bench.program).value_or("none"), bench.program);
        qunsetenv("LACUNA_NSYS");
        qputenv("PATH", path);
    }

    void exports_goToTheUsersCacheFolder() {
        const QByteArray before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", "/var/somewhere");
        QCOMPARE(nsys::exportFolder({}), fs::path("/var/somewhere/lacuna/nsys"));
        QCOMPARE(nsys::exportFolder("/base"), fs::path("/base/nsys"));
        qputenv("XDG_CACHE_HOME", before);
    }
};

LACUNA_TEST(TstNsysReport, "tst_nsys_report")

} // namespace tst_nsys_report

#include "tst_nsys_report.moc"
