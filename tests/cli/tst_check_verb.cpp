#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

namespace tst_check_verb {

using namespace lacuna::test;

namespace {

Ran check(const QString& file, bool asJson = true) {
    QStringList arguments{QStringLiteral("check"), file};
    if (asJson)
        arguments << QStringLiteral("--format") << QStringLiteral("json");
    return runLacuna(arguments);
}

QString written(const QTemporaryDir& folder, const QByteArray& text) {
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
}

QByteArray launches(int count) {
    QByteArray events;
    for (int i = 0; i < count; ++i)
        events += QByteArray(i == 0 ? "" : ",\n") +
                  R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":5,"ts":)" +
                  QByteArray::number(10 * i) + R"(,"dur":2,"args":{"correlation":)" +
                  QByteArray::number(i + 1) + "}}";
    return R"({"traceEvents": [)" + events + "]}";
}

} // namespace

class TstCheckVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFixture_keepsItsPromises_data();
    void everyFixture_keepsItsPromises();
    void missingDeviceActivity_exits1();
    void cutFile_exits4();
    void noTrace_exits3();
    void text_tellsTheSame();
    void summary_hasTheSameNotes();
};

void TstCheckVerb::everyFixture_keepsItsPromises_data() {
    QTest::addColumn<QString>("file");
    for (const auto& path : fixtureTraces())
        QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
}

void TstCheckVerb::everyFixture_keepsItsPromises() {
    QFETCH(QString, file);
    const Ran ran = check(file);
    const Json json = parsed(ran.out);
    QVERIFY(!json.is_discarded());
    QCOMPARE(unsortedKey(json), std::string());
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items())
        keys.push_back(key);
    QVERIFY((keys == std::vector<std::string>{"capture", "complete", "file", "notes", "rows"}));
    QCOMPARE(ran.code, json["complete"].get<bool>() ? 0 : 1);
    bool isSerious = false;
    for (const Json& note : json["notes"])
        isSerious = isSerious || note["severity"] != "info";
    QCOMPARE(json["complete"].get<bool>(), !isSerious);
    QCOMPARE(json["rows"]["kept"].get<std::int64_t>() + json["rows"]["dropped"].get<std::int64_t>(),
             json["rows"]["read"].get<std::int64_t>());
    for (const Json& item : json["capture"]["holds"])
        QVERIFY(item["held"].is_null() || item["held"].is_boolean());
}

void TstCheckVerb::missingDeviceActivity_exits1() {
    const QTemporaryDir folder;
    const Ran ran = check(written(folder, launches(350)));
    QCOMPARE(ran.code, 1);
    const Json json = parsed(ran.out);
    QCOMPARE(json["notes"].size(), std::size_t{1});
    QCOMPARE(json["notes"][0]["code"].get<std::string>(), std::string("device_activity_missing"));
    QCOMPARE(json["notes"][0]["message"].get<std::string>(),
             std::string("Device activity is missing: 350 launches have no kernel."));
    QCOMPARE(json["complete"].get<bool>(), false);
}

// That a part could not be read says more than what the rest lacks.
void TstCheckVerb::cutFile_exits4() {
    const QTemporaryDir folder;
    QByteArray text = launches(350);
    text.truncate(text.size() / 2);
    const Ran ran = check(written(folder, text));
    QCOMPARE(ran.code, 4);
    QCOMPARE(parsed(ran.out)["complete"].get<bool>(), false);
}

void TstCheckVerb::noTrace_exits3() {
    const QTemporaryDir folder;
    const Ran ran = check(written(folder, "{\"a\": 1}"));
    QCOMPARE(ran.code, 3);
    QVERIFY(ran.out.isEmpty());
    QVERIFY(!ran.err.isEmpty());
}

void TstCheckVerb::text_tellsTheSame() {
    const QTemporaryDir folder;
    const Ran ran = check(written(folder, launches(350)), false);
    QCOMPARE(ran.code, 1);
    const QString text = QString::fromUtf8(ran.out);
    for (const char16_t* part :
         {u"Device activity is missing: 350 launches have no kernel.", u"What this capture holds", u"Shapes",
          u"unknown", u"CUDA driver", u"permission for GPU tracing", u"Not complete: 1 note tells"})
        QVERIFY2(text.contains(QStringView(part)), qPrintable(text));
    for (const QString& line : text.split(u'\n'))
        QVERIFY2(line.size() <= 100, qPrintable(line));
    const Ran whole = check(fixturePath("micro/M15.json"), false);
    QVERIFY2(QString::fromUtf8(whole.out).contains(u"omplete"), whole.out.constData());
}

void TstCheckVerb::summary_hasTheSameNotes() {
    const QTemporaryDir folder;
    const QString file = written(folder, launches(350));
    const Ran summary =
        runLacuna({QStringLiteral("summary"), file, QStringLiteral("--format"), QStringLiteral("json")});
    QCOMPARE(summary.code, 0);
    QVERIFY(parsed(summary.out)["notes"] == parsed(check(file).out)["notes"]);
}

LACUNA_TEST(TstCheckVerb, "tst_check_verb")

} // namespace tst_check_verb

#include "tst_check_verb.moc"
