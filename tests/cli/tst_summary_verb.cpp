#include "tests/cli/cli_run.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QCryptographicHash>
#include <QFile>

namespace tst_summary_verb {

using namespace lacuna::test;

namespace {

Json summaryOf(const QString& file) {
    const Ran ran =
        runLacuna({QStringLiteral("summary"), file, QStringLiteral("--format"), QStringLiteral("json")});
    return ran.code == 0 ? parsed(ran.out) : Json(Json::value_t::discarded);
}

std::vector<std::string> keysOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

std::int64_t sumOf(const Json& object) {
    std::int64_t sum = 0;
    for (const auto& [key, value] : object.items())
        sum += value.get<std::int64_t>();
    return sum;
}

} // namespace

class TstSummaryVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_keepsItsPromises_data();
    void json_keepsItsPromises();
    void json_microOverlap_isExact();
    void json_withoutDevice_hasNoDevices();
    void text_tellsTheSame();
};

void TstSummaryVerb::json_keepsItsPromises_data() {
    QTest::addColumn<QString>("file");
    for (const auto& path : fixtureTraces())
        QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
}

void TstSummaryVerb::json_keepsItsPromises() {
    QFETCH(QString, file);
    const Json json = summaryOf(file);
    QVERIFY(!json.is_discarded());
    QCOMPARE(unsortedKey(json), std::string());
    using Keys = std::vector<std::string>;
    QVERIFY((keysOf(json) == Keys{"base_ns", "devices", "file", "notes", "rows", "steps", "window_ns"}));
    QVERIFY((keysOf(json["file"]) == Keys{"format", "name", "sha256", "size", "writer"}));
    QVERIFY((keysOf(json["window_ns"]) == Keys{"end", "start"}));
    QVERIFY((keysOf(json["rows"]) == Keys{"by_kind", "dropped", "kept", "read"}));
    QVERIFY((keysOf(json["steps"]) == Keys{"count", "duration_ns", "source"}));
    QVERIFY((keysOf(json["steps"]["duration_ns"]) == Keys{"max", "median", "min", "p95"}));

    QFile bytes(file);
    QVERIFY(bytes.open(QIODevice::ReadOnly));
    QCOMPARE(json["file"]["size"].get<qint64>(), bytes.size());
    QCOMPARE(QByteArray::fromStdString(json["file"]["sha256"].get<std::string>()),
             QCryptographicHash::hash(bytes.readAll(), QCryptographicHash::Sha256).toHex());
    QCOMPARE(json["file"]["name"].get<std::string>(),
             std::filesystem::path(file.toStdString()).filename().string());

    const Json& rows = json["rows"];
    QCOMPARE(rows["kept"].get<std::int64_t>() + rows["dropped"].get<std::int64_t>(),
             rows["read"].get<std::int64_t>());
    QCOMPARE(sumOf(rows["by_kind"]), rows["kept"].get<std::int64_t>());
    for (const char* kind : {"kernel", "memcpy", "memset", "runtime", "driver", "operator", "range",
                             "os_runtime", "python", "sync", "counter"})
        QVERIFY2(rows["by_kind"].contains(kind), kind);
    for (const Json& note : json["notes"])
        QVERIFY((keysOf(note) == Keys{"code", "count", "first", "message", "remedy", "severity"}));
    for (const Json& device : json["devices"]) {
        QVERIFY((keysOf(device) == Keys{"busy_ns", "device", "exposed_communication_ns", "exposed_copy_ns",
                                        "first_start_ns", "gpu_ops", "idle_ns", "last_end_ns", "name",
                                        "process", "span_ns", "state_ns", "sum_ns", "union_ns"}));
        QVERIFY((keysOf(device["union_ns"]) == Keys{"communication", "compute", "memcpy", "memset"}));
        const auto ns = [&device](const char* key) { return device[key].get<std::int64_t>(); };
        QCOMPARE(ns("busy_ns") + ns("idle_ns"), ns("span_ns"));
        QCOMPARE(ns("last_end_ns") - ns("first_start_ns"), ns("span_ns"));
        QCOMPARE(sumOf(device["state_ns"]), ns("span_ns"));
        QCOMPARE(device["state_ns"]["idle"].get<std::int64_t>(), ns("idle_ns"));
        QVERIFY(ns("sum_ns") >= ns("busy_ns"));
    }
}

// M15: compute [0,10), communication [5,20), copy [18,30), in us.
void TstSummaryVerb::json_microOverlap_isExact() {
    const Json json = summaryOf(fixturePath("micro/M15.json"));
    QCOMPARE(json["devices"].size(), std::size_t{1});
    const Json& device = json["devices"][0];
    QCOMPARE(device["busy_ns"].get<int>(), 30'000);
    QCOMPARE(device["sum_ns"].get<int>(), 37'000);
    QCOMPARE(device["gpu_ops"].get<int>(), 3);
    QCOMPARE(device["union_ns"]["communication"].get<int>(), 15'000);
    QCOMPARE(device["state_ns"]["compute"].get<int>(), 5'000);
    QCOMPARE(device["state_ns"]["compute+communication"].get<int>(), 5'000);
    QCOMPARE(device["state_ns"]["communication"].get<int>(), 8'000);
    QCOMPARE(device["state_ns"]["communication+memcpy"].get<int>(), 2'000);
    QCOMPARE(device["state_ns"]["memcpy"].get<int>(), 10'000);
    QCOMPARE(device["exposed_communication_ns"].get<int>(), 10'000);
    QCOMPARE(device["exposed_copy_ns"].get<int>(), 10'000);
}

void TstSummaryVerb::json_withoutDevice_hasNoDevices() {
    const Json json = summaryOf(fixturePath("micro/M16.json"));
    QCOMPARE(json["devices"].size(), std::size_t{0});
    QCOMPARE(json["rows"]["by_kind"]["operator"].get<int>(), 4);
    QVERIFY(json["steps"]["source"].is_null());
    QCOMPARE(json["steps"]["count"].get<int>(), 0);
}

void TstSummaryVerb::text_tellsTheSame() {
    const Ran ran = runLacuna({QStringLiteral("summary"), fixturePath("micro/M15.json")});
    QCOMPARE(ran.code, 0);
    const QString text = QString::fromUtf8(ran.out);
    QVERIFY2(text.startsWith(u"M15.json\n"), qPrintable(text));
    QVERIFY2(text.contains(u"busy 30"), qPrintable(text));
    QVERIFY2(text.contains(u"compute+communication"), qPrintable(text));
    for (const QString& line : text.split(u'\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

LACUNA_TEST(TstSummaryVerb, "tst_summary_verb")

} // namespace tst_summary_verb

#include "tst_summary_verb.moc"
