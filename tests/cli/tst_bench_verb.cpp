#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

namespace tst_bench_verb {

using namespace lacuna::test;

class TstBenchVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_hasEveryMember_data();
    void json_hasEveryMember();
    void frames_areCounted();
    void text_namesTheFigures();
};

void TstBenchVerb::json_hasEveryMember_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("json") << fixturePath("micro/M2.json");
    QTest::newRow("json.gz") << fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    QTest::newRow("sqlite") << fixturePath("captured/nsys/stall.sqlite");
}

void TstBenchVerb::json_hasEveryMember() {
    QFETCH(QString, file);
    const Ran ran =
        runLacuna({QStringLiteral("bench"), file, QStringLiteral("--format"), QStringLiteral("json")});
    QCOMPARE(ran.code, 0);
    const Json json = parsed(ran.out);
    QVERIFY(!json.is_discarded());
    QCOMPARE(unsortedKey(json), std::string());
    for (const char* key :
         {"file", "events", "bytes", "load_s", "phases_s", "gaps", "attribute_s", "peak_rss_bytes"})
        QVERIFY2(json.contains(key), key);
    QVERIFY(json["frames"].is_null());
    double phases = 0;
    for (const char* phase : {"read", "parse", "index", "analyse"}) {
        QVERIFY2(json["phases_s"][phase].is_number(), phase);
        phases += json["phases_s"][phase].get<double>();
    }
    QVERIFY(std::abs(phases - json["load_s"].get<double>()) < 1e-6);
    QVERIFY(json["events"].get<std::int64_t>() > 0);
    QVERIFY(json["bytes"].get<std::int64_t>() >= json["file"]["size"].get<std::int64_t>());
    QVERIFY(json["peak_rss_bytes"].get<std::int64_t>() > (1 << 20));
    QCOMPARE(json["file"]["sha256"].get<std::string>().size(), std::size_t{64});
}

void TstBenchVerb::frames_areCounted() {
    const Ran ran =
        runLacuna({QStringLiteral("bench"), fixturePath("captured/torch/item_sync.pt.trace.json.gz"),
                   QStringLiteral("--frames"), QStringLiteral("17"), QStringLiteral("--format"),
                   QStringLiteral("json")});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const Json frames = parsed(ran.out)["frames"];
    QCOMPARE(frames["count"].get<int>(), 17);
    QVERIFY(frames["median_ms"].get<double>() > 0);
    QVERIFY(frames["median_ms"].get<double>() <= frames["p99_ms"].get<double>());
    QVERIFY(frames["p99_ms"].get<double>() <= frames["max_ms"].get<double>());
}

void TstBenchVerb::text_namesTheFigures() {
    const Ran ran = runLacuna({QStringLiteral("bench"), fixturePath("micro/M2.json"),
                               QStringLiteral("--frames"), QStringLiteral("1")});
    QCOMPARE(ran.code, 0);
    for (const char* word : {"load", "gaps", "peak RSS", "frames"})
        QVERIFY2(ran.out.contains(QByteArray("\n") + word), word);
}

LACUNA_TEST(TstBenchVerb, "tst_bench_verb")

} // namespace tst_bench_verb

#include "tst_bench_verb.moc"
