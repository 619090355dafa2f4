#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

namespace tst_stats_verb {

using namespace lacuna::test;

namespace {

Ran stats(const QString& words) {
    return runLacuna(QStringList{QStringLiteral("stats"), fixturePath("captured/nsys/stall.sqlite")} +
                     words.split(u' ', Qt::SkipEmptyParts));
}

} // namespace

class TstStatsVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d04_jsonWithoutADisplay();
    void sortAndLimit();
    void device_selectsOne();
    void range_keepsWhatTouchesIt();
    void table_fitsTheWidth();
    void help_listsTheReports();
    void wrongUse_exits2_data();
    void wrongUse_exits2();
    void otherFormats_haveTheSameReports();
    void missingRows_areSaid();
};

void TstStatsVerb::d04_jsonWithoutADisplay() {
    const Ran ran = stats(QStringLiteral("--report cuda_gpu_kern_sum --format json"));
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.err, QByteArray());
    const Json json = parsed(ran.out);
    QCOMPARE(unsortedKey(json), std::string());
    QCOMPARE(json["report"].get<std::string>(), std::string("cuda_gpu_kern_sum"));
    QCOMPARE(json["columns"].size(), std::size_t{9});
    QCOMPARE(json["rows"].size(), std::size_t{3});
    QCOMPARE(json["rows"][0]["Total Time (ns)"].get<std::int64_t>(), std::int64_t{49'252'500});
    QCOMPARE(json["rows"][0]["Avg (ns)"].get<double>(), 492525.0);
}

void TstStatsVerb::sortAndLimit() {
    const Ran ran =
        stats(QStringLiteral("--report cuda_gpu_kern_sum --format csv --sort instances --limit 2"));
    QCOMPARE(ran.code, 0);
    const QList<QByteArray> lines = ran.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[1].startsWith("2.1,1087998,1227,"), lines[1].constData());
    QVERIFY2(lines[2].startsWith("97.2,49252500,100,"), lines[2].constData());
}

void TstStatsVerb::device_selectsOne() {
    QCOMPARE(stats(QStringLiteral("--report cuda_gpu_kern_sum --device 0")).out,
             stats(QStringLiteral("--report cuda_gpu_kern_sum")).out);
}

// The first kernel of the file is at 826334625 ns, the second at 826370113 ns.
void TstStatsVerb::range_keepsWhatTouchesIt() {
    const Ran ran = stats(QStringLiteral("--report cuda_gpu_kern_sum --format csv --range 0..826370113"));
    QVERIFY2(
        ran.out.trimmed().endsWith(
            "100.0,31808,1,31808.0,31808.0,31808,31808,0.0,\"saxpy(const float *, float *, unsigned long)\""),
        ran.out.constData());
}

void TstStatsVerb::table_fitsTheWidth() {
    const Ran ran = stats(QStringLiteral("--report cuda_gpu_kern_sum"));
    QCOMPARE(ran.code, 0);
    const QList<QByteArray> lines = ran.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    for (const QByteArray& line : lines)
        QVERIFY2(QString::fromUtf8(line).size() <= 120, line.constData());
    QVERIFY(lines[0].contains("Time (%)"));
}

void TstStatsVerb::help_listsTheReports() {
    QVERIFY(runLacuna({QStringLiteral("stats"), QStringLiteral("--help")}).out.contains("\n  cuda_api_sum "));
}

void TstStatsVerb::wrongUse_exits2_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* words, const char* said) {
        QTest::newRow(words) << QString::fromLatin1(words) << QByteArray(said);
    };
    row("--format csv", "--report");
    row("--report nothing", "cuda_gpu_kern_sum"); // lists the known ones
    row("--report cuda_api_sum --sort nothing", "Total Time (ns)");
    row("--report cuda_api_sum --device 0", "not by device");
    row("--report cuda_gpu_kern_sum --device 7", "the file has 0");
    row("--report cuda_api_sum --definition hta", "one definition");
    row("--report cuda_api_sum --definition mine", "mine");
    row("--report cuda_api_sum --corrected", "corrected");
    row("--report cuda_api_sum --group-by thread", "one grouping");
    row("--report key_averages --group-by shape", "record_shapes=True"); // the fixture has none
    row("--report key_averages --group-by size", "size");
    row("--report ops --operator mm", "not by operator");
    row("--report cuda_api_sum --range 5ms", "range");
    row("--report cuda_api_sum --limit x", "limit");
}

void TstStatsVerb::wrongUse_exits2() {
    QFETCH(QString, words);
    QFETCH(QByteArray, said);
    const Ran ran = stats(words);
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QByteArray());
    QVERIFY2(ran.err.contains(said), ran.err.constData());
}

void TstStatsVerb::otherFormats_haveTheSameReports() {
    const Ran ran =
        runLacuna({QStringLiteral("stats"), fixturePath("micro/M1.json"), QStringLiteral("--report"),
                   QStringLiteral("cuda_gpu_kern_sum"), QStringLiteral("--format"), QStringLiteral("json")});
    QCOMPARE(ran.code, 0);
    QVERIFY(!parsed(ran.out)["rows"].empty());
}

void TstStatsVerb::missingRows_areSaid() {
    const Ran ran = stats(QStringLiteral("--report cuda_gpu_kern_sum --format csv --range 0..1"));
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.out.count('\n'), 1); // the titles
    QVERIFY2(ran.err.contains("this part of the trace"), ran.err.constData());
}

LACUNA_TEST(TstStatsVerb, "tst_stats_verb")

} // namespace tst_stats_verb

#include "tst_stats_verb.moc"
