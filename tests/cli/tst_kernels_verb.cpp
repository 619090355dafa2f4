// lacuna kernels and lacuna roofline: the documented members, figures of the vendor's CSV, joins, exit codes.

#include "tests/cli/cli_run.h"
#include "tests/support/ncu_table.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <array>
#include <cmath>
#include <set>

namespace tst_kernels_verb {

using namespace lacuna::test;

namespace {

QString ncuFile(const char* name) {
    return fixturePath(std::string("captured/ncu/") + name);
}

QString written(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
    return path;
}

// A trace in which two of the six profiled kernels run.
QByteArray traceOfTwo() {
    return R"j({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"kernel","name":"fma_bound(float *, int)","pid":0,"tid":7,"ts":10,"dur":300,
 "args":{"device":0,"stream":7,"registers per thread":16,"shared memory":0,"grid":[2112,1,1],"block":[256,1,1]}},
{"ph":"X","cat":"kernel","name":"bank_conflict(float *)","pid":0,"tid":7,"ts":400,"dur":2000,
 "args":{"device":0,"stream":7,"registers per thread":16,"shared memory":4224,"grid":[9,1,1],"block":[256,1,1]}},
{"ph":"X","cat":"kernel","name":"other(float *)","pid":0,"tid":7,"ts":3000,"dur":50,
 "args":{"device":0,"stream":7,"grid":[1,1,1],"block":[64,1,1]}}]
})j";
}

} // namespace

class TstKernelsVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // contract.md: members, and figures equal to the CSV.
    void ncuAlone_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("raw page") << "ncu_raw.csv";
        QTest::newRow("report") << "kern.ncu-rep.gz";
    }
    void ncuAlone() {
        QFETCH(QString, file);
        const Ran ran = runLacuna({QStringLiteral("kernels"), QStringLiteral("--ncu"), ncuFile(file.toUtf8()),
                                   QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.err, QByteArray());
        const Json json = parsed(ran.out);
        QVERIFY(json.is_object());
        QCOMPARE(unsortedKey(json), std::string());
        QVERIFY(json["file"].is_null());
        const NcuTable table = readNcuTable(readFile(fixture("captured/ncu/ncu_raw.csv")));
        const std::array<const char*, 6> diagnoses{"memory bound",  "memory bound",  "compute bound",
                                                   "latency bound", "latency bound", "latency bound"};
        const std::array<const char*, 6> stalls{"long_scoreboard", "long_scoreboard",  "wait",
                                                "long_scoreboard", "short_scoreboard", "wait"};
        QCOMPARE(json["kernels"].size(), 6u);
        for (std::size_t k = 0; k < 6; ++k) {
            const Json& kernel = json["kernels"][k];
            const auto near = [&](const char* member, const char* metric) {
                const PrintedNumber printed = printedNumber(table.at(k, metric));
                const double value = kernel[member].get<double>();
                return std::abs(value - printed.value) <= 0.5000001 * printed.lastPlace;
            };
            QCOMPARE(kernel["name"].get<std::string>(), table.at(k, "Kernel Name"));
            QVERIFY(near("sm_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"));
            QVERIFY(near("dram_pct", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"));
            QVERIFY(near("occupancy_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"));
            QVERIFY(near("theoretical_occupancy_pct", "sm__maximum_warps_per_active_cycle_pct"));
            QCOMPARE(kernel["duration_ns"].get<double>(),
                     std::round(printedNumber(table.at(k, "gpu__time_duration.sum")).value * 1e6));
            QCOMPARE(kernel["diagnosis"].get<std::string>(), std::string(diagnoses[k]));
            QCOMPARE(kernel["top_stall"].get<std::string>(), std::string(stalls[k]));
            QVERIFY(!kernel["action"].get<std::string>().empty());
            QCOMPARE(kernel["stalls"].size(), 19u);
            for (const auto& [reason, value] : kernel["stalls"].items()) {
                const PrintedNumber printed = printedNumber(
                    table.at(k, "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"));
                QVERIFY2(std::abs(value.get<double>() - printed.value) <= 0.5000001 * printed.lastPlace,
                         reason.c_str());
            }
            QVERIFY(kernel["timeline"].is_null() && kernel["join"].is_null());
        }
        QCOMPARE(json["kernels"][0]["sectors_per_request"].get<double>(), 16.0);
        QCOMPARE(json["kernels"][1]["sectors_per_request"].get<double>(), 32.0);
        QVERIFY(json["kernels"][2]["sectors_per_request"].is_null()); // it loads nothing
        QVERIFY(json["kernels"][5]["grid"] == Json({132, 1, 1}));
        QVERIFY(json["kernels"][5]["block"] == Json({64, 1, 1}));
        QCOMPARE(json["kernels"][5]["occupancy_limiter"].get<std::string>(), std::string("shared memory"));
    }

    void traceAlone() {
        const Ran ran =
            runLacuna({QStringLiteral("kernels"), fixturePath("captured/torch/item_sync.pt.trace.json.gz"),
                       QStringLiteral("--no-cache"), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(ran.code, 0);
        const Json json = parsed(ran.out);
        QCOMPARE(unsortedKey(json), std::string());
        QVERIFY(json["ncu"].is_null());
        QCOMPARE(json["file"]["sha256"].get<std::string>().size(), 64u);
        std::int64_t previous = INT64_MAX;
        std::set<std::string> families;
        for (const Json& kernel : json["kernels"]) {
            const std::int64_t total = kernel["timeline"]["total_ns"].get<std::int64_t>();
            QVERIFY(total <= previous);
            previous = total;
            families.insert(kernel["family"].get<std::string>());
            QVERIFY(kernel["duration_ns"].is_null() && kernel["diagnosis"].is_null());
            const std::string command = kernel["command"].get<std::string>();
            QVERIFY2(command.starts_with("ncu --set full ") && command.find(" -c 5 ") != std::string::npos &&
                         command.find("-k regex:\"") != std::string::npos,
                     command.c_str());
        }
        QVERIFY(families.count("gemm") == 1 && families.count("elementwise") == 1 &&
                families.count("reduce") == 1);
        // mock/kernel_panel.png: the largest is a GEMM of 32 calls, 5.617 ms, 31.9 % of the kernel time.
        const Json& first = json["kernels"][0];
        QCOMPARE(first["family"].get<std::string>(), std::string("gemm"));
        QCOMPARE(first["timeline"]["count"].get<int>(), 32);
        QCOMPARE((first["timeline"]["total_ns"].get<std::int64_t>() + 500) / 1000, 5617);
        QVERIFY(first["grid"] == Json({32, 8, 1}));
        QCOMPARE(first["registers_per_thread"].get<int>(), 255);
        // The same panel: 8 of 64 warps, 12.5 %, limited by registers.
        const Json& occupancy = first["timeline"]["occupancy_theoretical_pct"];
        const bool isBuiltIn = !runLacuna({QStringLiteral("--version")}).out.contains("occupancy: off");
        QCOMPARE(!occupancy.is_null(), isBuiltIn);
        if (isBuiltIn) {
            QCOMPARE(occupancy.get<double>(), 12.5);
            QCOMPARE(first["timeline"]["occupancy_limiter"].get<std::string>(), std::string("registers"));
        }
    }

    void joined() {
        const QTemporaryDir folder;
        const QString trace = written(folder, "two.json", traceOfTwo());
        const Ran ran =
            runLacuna({QStringLiteral("kernels"), trace, QStringLiteral("--ncu"), ncuFile("ncu_raw.csv"),
                       QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(ran.code, 0);
        const Json json = parsed(ran.out);
        QCOMPARE(unsortedKey(json), std::string());
        const auto named = [&](const char* name) {
            for (const Json& kernel : json["kernels"])
                if (kernel["name"].get<std::string>().starts_with(name))
                    return kernel;
            return Json();
        };
        QCOMPARE(json["kernels"].size(), 7u); // three of the timeline, four that are only profiled
        const Json fma = named("fma_bound"), conflict = named("bank_conflict"), other = named("other"),
                   copy = named("copy_coalesced");
        QCOMPARE(fma["join"]["certainty"].get<std::string>(), std::string("certain"));
        QCOMPARE(fma["timeline"]["total_ns"].get<int>(), 300'000); // the trace's own time
        QCOMPARE(fma["duration_ns"].get<int>(), 281'728);          // the profiler's
        QCOMPARE(fma["diagnosis"].get<std::string>(), std::string("compute bound"));
        QVERIFY(fma["command"].is_null());
        QCOMPARE(conflict["join"]["certainty"].get<std::string>(), std::string("possible")); // another grid
        QVERIFY(other["join"].is_null() && other["duration_ns"].is_null());
        QVERIFY(other["command"].get<std::string>().find("^other$") != std::string::npos);
        QCOMPARE(copy["join"]["certainty"].get<std::string>(), std::string("none"));
        QVERIFY(copy["timeline"].is_null());

        const Ran table =
            runLacuna({QStringLiteral("kernels"), trace, QStringLiteral("--ncu"), ncuFile("ncu_raw.csv")});
        QCOMPARE(table.code, 0);
        QVERIFY(table.out.contains("times of the timeline"));
        QVERIFY(table.out.contains("durations do not compare with a timeline"));
        QVERIFY(table.out.simplified().contains("certain, by name and configuration."));
        QVERIFY(table.out.simplified().contains("No kernel of that name is in the trace."));
    }

    void csv() {
        const Ran ran = runLacuna({QStringLiteral("kernels"), QStringLiteral("--ncu"), ncuFile("ncu_raw.csv"),
                                   QStringLiteral("--format"), QStringLiteral("csv")});
        QCOMPARE(ran.code, 0);
        const QList<QByteArray> lines = ran.out.split('\n');
        QCOMPARE(lines.size(), 8); // header, six kernels, the end
        QVERIFY(lines[0].startsWith("device,name,family,origin,grid,block,"));
        QVERIFY(lines[3].contains(",281728,96.338028,"));
        QVERIFY(lines[3].contains(",compute bound,"));
    }

    void missingMetricsAreSaid() {
        const Ran ran =
            runLacuna({QStringLiteral("kernels"), QStringLiteral("--ncu"), ncuFile("ncu_default_page.csv")});
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.out.simplified().contains(
                     "Not in the file: achieved occupancy, sectors per request, stall reasons."),
                 ran.out.constData());
    }

    void usage_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const QString verb = QStringLiteral("kernels"), roofline = QStringLiteral("roofline"),
                      ncu = QStringLiteral("--ncu");
        QTest::newRow("neither") << QStringList{verb} << 2;
        QTest::newRow("both from stdin")
            << QStringList{verb, QStringLiteral("-"), ncu, QStringLiteral("-")} << 2;
        QTest::newRow("no such file") << QStringList{verb, ncu, QStringLiteral("/nowhere.csv")} << 3;
        QTest::newRow("not of Nsight Compute") << QStringList{verb, ncu, fixturePath("oracles.json")} << 3;
        QTest::newRow("format") << QStringList{verb, ncu, ncuFile("ncu_raw.csv"), QStringLiteral("--format"),
                                               QStringLiteral("xml")}
                                << 2;
        QTest::newRow("picture's name") << QStringList{roofline, ncu, ncuFile("ncu_raw.csv"),
                                                       QStringLiteral("-o"), QStringLiteral("x.gif")}
                                        << 2;
        QTest::newRow("no counters") << QStringList{roofline, ncu, ncuFile("ncu_default_page.csv"),
                                                    QStringLiteral("-o"), QStringLiteral("x.svg")}
                                     << 3;
        QTest::newRow("precision") << QStringList{roofline,
                                                  ncu,
                                                  ncuFile("ncu_raw.csv"),
                                                  QStringLiteral("-o"),
                                                  QStringLiteral("x.svg"),
                                                  QStringLiteral("--precision"),
                                                  QStringLiteral("FP64")}
                                   << 2;
        QTest::newRow("folder") << QStringList{roofline, ncu, ncuFile("ncu_raw.csv"), QStringLiteral("-o"),
                                               QStringLiteral("/nowhere/x.svg")}
                                << 5;
    }
    void usage() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const Ran ran = runLacuna(words);
        QCOMPARE(ran.code, code);
        QVERIFY(ran.out.isEmpty());
        QVERIFY(!ran.err.isEmpty());
    }

    void cutReport_exits4() {
        const QTemporaryDir folder;
        const QByteArray page =
            QByteArray::fromStdString(readFile(fixture("captured/ncu/ncu_default_page.csv")));
        const Ran ran = runLacuna({QStringLiteral("kernels"), QStringLiteral("--ncu"),
                                   written(folder, "cut.csv", page.first(page.size() - 40))});
        QCOMPARE(ran.code, 4);
        QVERIFY(ran.err.contains("only a part of the file could be read"));
        QVERIFY(ran.out.contains("bank_conflict"));
    }

    void rooflineSvgAndPng() {
        const QTemporaryDir folder;
        const QString svg = folder.filePath(QStringLiteral("r.svg")),
                      png = folder.filePath(QStringLiteral("r.png"));
        for (const QString& out : {svg, png}) {
            const Ran ran =
                runLacuna({QStringLiteral("roofline"), QStringLiteral("--ncu"), ncuFile("kern.ncu-rep.gz"),
                           QStringLiteral("-o"), out, QStringLiteral("--theme"), QStringLiteral("dark")});
            QCOMPARE(ran.code, 0);
            QCOMPARE(ran.err, QByteArray());
            QVERIFY(ran.out.contains("most headroom first"));
        }
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QStringList texts;
        int circles = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            circles += xml.isStartElement() && xml.name() == QStringLiteral("ellipse") ? 1 : 0;
            if (xml.isStartElement() &&
                (xml.name() == QStringLiteral("text") || xml.name() == QStringLiteral("desc")))
                texts << xml.readElementText();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(circles, 12); // four kernels over three levels
        for (const char* text :
             {"Roofline, FP32", "bank_conflict", "DRAM 4.81 TB/s", "67.1 TFLOP/s", "FLOP per byte"})
            QVERIFY2(texts.contains(QString::fromLatin1(text)), text);
        QFile picture(png);
        QVERIFY(picture.open(QIODevice::ReadOnly));
        const QByteArray head = picture.read(24); // signature, then IHDR with width and height
        QVERIFY(head.startsWith("\x89PNG"));
        QCOMPARE(head.mid(16), QByteArray("\0\0\x07\xd0\0\0\x05\0", 8)); // 2000 x 1280
    }
};

LACUNA_TEST(TstKernelsVerb, "tst_kernels_verb")

} // namespace tst_kernels_verb

#include "tst_kernels_verb.moc"
