// performance.md goal 10: number and time of gaps and the busy union of generated traces equal what the
// generator wrote down, to the ns: Kineto with absolute and relative times, plain and .gz, and Nsight SQLite.
// LACUNA_TRUTH_EVENTS sets the size (default 1,000,000).

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace tst_gentrace_truth {

using namespace lacuna;
using namespace lacuna::test;

class TstGentraceTruth : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void facts_equalTheGenerator_data();
    void facts_equalTheGenerator();
};

void TstGentraceTruth::facts_equalTheGenerator_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("kineto, absolute ts")
        << QStringLiteral("a.json") << QStringList{QStringLiteral("--format"), QStringLiteral("kineto")};
    QTest::newRow("kineto, relative ts, gz")
        << QStringLiteral("r.json.gz")
        << QStringList{QStringLiteral("--format"), QStringLiteral("kineto"), QStringLiteral("--ts"),
                       QStringLiteral("relative")};
    QTest::newRow("nsys") << QStringLiteral("n.sqlite")
                          << QStringList{QStringLiteral("--format"), QStringLiteral("nsys")};
}

void TstGentraceTruth::facts_equalTheGenerator() {
    QFETCH(QString, file);
    QFETCH(QStringList, arguments);
    const auto generator = shared("tools/gentrace.py");
    if (!generator)
        LACUNA_SKIP("the generator is not here");
    const QTemporaryDir folder;
    const QString out = folder.filePath(file), truthFile = folder.filePath(QStringLiteral("truth.json"));
    const QString events = qEnvironmentVariable("LACUNA_TRUTH_EVENTS", QStringLiteral("1000000"));
    QProcess python;
    python.start(QStringLiteral("python3"),
                 QStringList{QString::fromStdString(generator->string()), QStringLiteral("--events"), events,
                             QStringLiteral("--seed"), QStringLiteral("1"), QStringLiteral("--out"), out,
                             QStringLiteral("--truth"), truthFile} +
                     arguments);
    QVERIFY(python.waitForFinished(-1));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());

    const auto truth = nlohmann::json::parse(readFile(truthFile.toStdString()));
    JobControl job;
    const auto loaded = loadTrace(out.toStdString(), builtinImporters(), job);
    QVERIFY2(loaded, loaded ? "" : loaded.error().detail.c_str());
    const Trace& trace = *loaded->trace;
    QCOMPARE(trace.devices().size(), std::size_t{1});
    const DeviceBusy busy = deviceBusy(trace, {0}, job);
    QCOMPARE(busy.ops, truth.at("device_records").get<std::uint64_t>());
    QCOMPARE(busy.busyNs, truth.at("busy_ns").get<std::int64_t>());
    QCOMPARE(busy.idleNs(), truth.at("gap_ns").get<std::int64_t>());
    QCOMPARE(busy.span.length().v,
             truth.at("last_ns").get<std::int64_t>() - truth.at("first_ns").get<std::int64_t>());
    const auto analysis = GapAnalysis::run(loaded->trace, {}, job);
    QVERIFY(analysis);
    QCOMPARE((*analysis)->gapsOf({0}).size(), truth.at("gaps").get<std::size_t>());
    std::int64_t longest = 0, sum = 0;
    for (const Gap& gap : (*analysis)->gapsOf({0})) {
        longest = std::max(longest, gap.length().v);
        sum += gap.length().v;
    }
    QCOMPARE(sum, truth.at("gap_ns").get<std::int64_t>());
    QCOMPARE(longest, truth.at("longest_gap_ns").get<std::int64_t>());
    QCOMPARE(trace.report().rowsDropped(), std::uint64_t{0});
    if (trace.facts().baseNs && file != QStringLiteral("n.sqlite"))
        QCOMPARE(*trace.facts().baseNs + busy.span.begin.v, truth.at("first_ns").get<std::int64_t>());
}

LACUNA_TEST(TstGentraceTruth, "tst_gentrace_truth")

} // namespace tst_gentrace_truth

#include "tst_gentrace_truth.moc"
