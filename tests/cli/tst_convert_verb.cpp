#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace tst_convert_verb {

using namespace lacuna::test;

namespace {

Json resultOf(const char* verb, const QString& file) {
    const Ran ran =
        runLacuna({QString::fromLatin1(verb), file, QStringLiteral("--format"), QStringLiteral("json")});
    return ran.code == 0 ? parsed(ran.out) : Json(Json::value_t::discarded);
}

} // namespace

class TstConvertVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void converted_tellsTheSame_data();
    void converted_tellsTheSame();
    void output_isNeverTheSource();
    void output_isReplacedOnlyByForce();
    void output_needsAKnownName();
    void output_thatCannotBeWritten_isFive();
    void input_thatIsNoTrace_isThree();
};

void TstConvertVerb::converted_tellsTheSame_data() {
    QTest::addColumn<QString>("file");
    for (const char* const name : {"captured/nsys/stall.sqlite", "captured/nsys/two_processes.sqlite",
                                   "captured/nsys/train.sqlite", "captured/torch/item_sync.pt.trace.json.gz",
                                   "captured/torch/train_memory.pt.trace.json.gz", "micro/M5.json"})
        QTest::newRow(name) << fixturePath(name);
}

void TstConvertVerb::converted_tellsTheSame() {
    QFETCH(QString, file);
    const QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out.json.gz"));
    const Ran ran = runLacuna({QStringLiteral("convert"), file, QStringLiteral("-o"), out});
    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.isEmpty());
    QVERIFY2(ran.err.isEmpty(), ran.err.constData());
    QFile written(out);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.read(2) == QByteArray("\x1f\x8b"));

    const Json before = resultOf("summary", file), after = resultOf("summary", out);
    for (const char* const key : {"base_ns", "window_ns", "devices", "steps"})
        QVERIFY2(before[key] == after[key], key);
    const Json gapsBefore = resultOf("gaps", file), gapsAfter = resultOf("gaps", out);
    QVERIFY(gapsBefore["devices"].size() > 0);
    QVERIFY(gapsBefore["devices"] == gapsAfter["devices"]);
}

void TstConvertVerb::output_isNeverTheSource() {
    const QTemporaryDir folder;
    const QString source = folder.filePath(QStringLiteral("source.json"));
    const QString link = folder.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::copy(fixturePath("micro/M1.json"), source));
    QVERIFY(QFile::link(source, link));
    for (const QString& out : {source, link}) {
        const Ran ran = runLacuna(
            {QStringLiteral("convert"), source, QStringLiteral("-o"), out, QStringLiteral("--force")});
        QCOMPARE(ran.code, 5);
        QVERIFY(ran.err.contains("a source is never changed"));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 2);
}

void TstConvertVerb::output_isReplacedOnlyByForce() {
    const QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out.json"));
    QStringList arguments{QStringLiteral("convert"), fixturePath("micro/M1.json"), QStringLiteral("-o"), out};
    QCOMPARE(runLacuna(arguments).code, 0);
    const Ran again = runLacuna(arguments);
    QCOMPARE(again.code, 5);
    QVERIFY(again.err.contains("--force"));
    QCOMPARE(runLacuna(arguments << QStringLiteral("--force")).code, 0);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
             QStringList{QStringLiteral("out.json")});
}

void TstConvertVerb::output_needsAKnownName() {
    const Ran ran = runLacuna({QStringLiteral("convert"), fixturePath("micro/M1.json"), QStringLiteral("-o"),
                               QStringLiteral("out.xml")});
    QCOMPARE(ran.code, 2);
    QVERIFY(ran.err.contains("neither in .json nor in .json.gz"));
}

void TstConvertVerb::output_thatCannotBeWritten_isFive() {
    const Ran ran = runLacuna({QStringLiteral("convert"), fixturePath("micro/M1.json"), QStringLiteral("-o"),
                               QStringLiteral("/nowhere/out.json")});
    QCOMPARE(ran.code, 5);
    QVERIFY(ran.err.contains("Make the folder first"));
}

void TstConvertVerb::input_thatIsNoTrace_isThree() {
    const QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out.json"));
    const Ran ran =
        runLacuna({QStringLiteral("convert"), fixturePath("README.md"), QStringLiteral("-o"), out});
    QCOMPARE(ran.code, 3);
    QVERIFY(!QFile::exists(out));
}

LACUNA_TEST(TstConvertVerb, "tst_convert_verb")

} // namespace tst_convert_verb

#include "tst_convert_verb.moc"
