// Exit codes, help and what goes to which stream.

#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

namespace tst_command_line {

using namespace lacuna::test;

class TstCommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void help_listsTheVerbsThatWork();
    void help_fitsInto80Columns_data();
    void help_fitsInto80Columns();
    void version_namesLibrariesAndFeatures();
    void wrongUsage_exits2_data();
    void wrongUsage_exits2();
    void unknownWord_suggestsTheNearestVerb();
    void unreadable_exits3_data();
    void unreadable_exits3();
    void truncated_exits4WithResults();
    void fullDisk_exits5();
    void interrupt_exits130_data();
    void interrupt_exits130();
    void success_leavesStandardErrorEmpty();
};

void TstCommandLine::help_listsTheVerbsThatWork() {
    const Ran ran = runLacuna({QStringLiteral("--help")});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.err, QByteArray());
    for (const char* verb : {"summary", "gaps", "stats", "kernels", "roofline", "check", "convert", "trim",
                             "render", "report", "bench"})
        QVERIFY2(ran.out.contains(QByteArray("\n  ") + verb + ' '), verb);
    for (const char* later : {"diff"})
        QVERIFY2(!ran.out.contains(QByteArray("\n  ") + later), later);
}

void TstCommandLine::help_fitsInto80Columns_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("program") << QStringList{QStringLiteral("--help")};
    for (const char* verb : {"summary", "gaps", "stats", "kernels", "roofline", "check", "convert", "trim",
                             "render", "report", "bench"})
        QTest::newRow(verb) << QStringList{QString::fromLatin1(verb), QStringLiteral("--help")};
}

void TstCommandLine::help_fitsInto80Columns() {
    QFETCH(QStringList, words);
    const Ran ran = runLacuna(words);
    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.size() > 200);
    for (const QByteArray& line : ran.out.split('\n'))
        QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
}

void TstCommandLine::version_namesLibrariesAndFeatures() {
    const Ran ran = runLacuna({QStringLiteral("--version")});
    QCOMPARE(ran.code, 0);
    const QList<QByteArray> lines = ran.out.split('\n');
    QVERIFY2(lines[0].startsWith("lacuna "), ran.out.constData());
    QVERIFY2(ran.out.contains(QByteArray("\nQt ") + qVersion() + '\n'), ran.out.constData());
    for (const char* library :
         {"SQLite 3.", "zlib 1.", "ISA-L 2.", "Zstandard 1.", "liblzma 5.", "libarchive 3.", "OpenSSL 3."})
        QVERIFY2(ran.out.contains(QByteArray("\n") + library), ran.out.constData());
    QVERIFY2(ran.out.contains("\noccupancy: off (") || ran.out.contains("\noccupancy: CUDA "),
             ran.out.constData());
}

void TstCommandLine::wrongUsage_exits2_data() {
    QTest::addColumn<QString>("words");
    const QString file = fixturePath("micro/M1.json");
    const auto row = [&](const char* name, const QString& words) { QTest::newRow(name) << words; };
    row("unknown word", QStringLiteral("nonsense"));
    row("unknown option", QStringLiteral("--nonsense"));
    row("no file", QStringLiteral("summary"));
    row("two files", QStringLiteral("summary %1 %1").arg(file));
    row("unknown format", QStringLiteral("summary %1 --format xml").arg(file));
    row("format of another verb", QStringLiteral("summary %1 --format csv").arg(file));
    row("range without end", QStringLiteral("gaps %1 --range 5ms").arg(file));
    row("range backwards", QStringLiteral("gaps %1 --range 5ms..1ms").arg(file));
    row("negative minimum", QStringLiteral("gaps %1 --min=-1us").arg(file));
    row("minimum is no time", QStringLiteral("gaps %1 --min fast").arg(file));
    row("device is no number", QStringLiteral("gaps %1 --device x").arg(file));
    row("device is not there", QStringLiteral("gaps %1 --device 7").arg(file));
    row("stream is not there", QStringLiteral("gaps %1 --stream 99").arg(file));
    row("render without output", QStringLiteral("render %1").arg(file));
    row("render to an unknown format", QStringLiteral("render %1 -o out.gif").arg(file));
    row("render gap and step", QStringLiteral("render %1 -o out.png --gap 1 --step 1").arg(file));
    row("render gap of no rank", QStringLiteral("render %1 -o out.png --gap 99").arg(file));
    row("render size", QStringLiteral("render %1 -o out.png --size big").arg(file));
    row("render scale", QStringLiteral("render %1 -o out.png --scale 0").arg(file));
    row("render theme", QStringLiteral("render %1 -o out.png --theme neon").arg(file));
    row("bench frames", QStringLiteral("bench %1 --frames many").arg(file));
}

void TstCommandLine::wrongUsage_exits2() {
    QFETCH(QString, words);
    const Ran ran = runLacuna(words.split(u' '));
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QByteArray());
    QVERIFY(!ran.err.isEmpty());
    QVERIFY(!QFile::exists(QStringLiteral("out.png")));
}

void TstCommandLine::unknownWord_suggestsTheNearestVerb() {
    QVERIFY(runLacuna({QStringLiteral("sumary")}).err.contains("'summary'"));
    QVERIFY(runLacuna({QStringLiteral("gap")}).err.contains("'gaps'"));
    QVERIFY(runLacuna({QStringLiteral("rendr")}).err.contains("'render'"));
}

void TstCommandLine::unreadable_exits3_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("text") << QByteArray("this is no trace\n");
    QTest::newRow("other json") << QByteArray("{\"answer\": 42}");
    QTest::newRow("binary") << QByteArray("\x7f"
                                          "ELF\0\1\2\3",
                                          8);
    QTest::newRow("half a database head") << QByteArray("SQLite format 3\0", 16);
    QTest::newRow("broken gzip") << QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\3garbage", 17);
}

void TstCommandLine::unreadable_exits3() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("input.json"));
    if (!bytes.isNull()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    for (const char* verb : {"summary", "gaps", "bench"}) {
        const Ran ran = runLacuna({QString::fromLatin1(verb), path});
        QVERIFY2(ran.code == 3, ran.err.constData());
        QCOMPARE(ran.out, QByteArray());
        QVERIFY2(ran.err.contains(path.toUtf8()), ran.err.constData());
        QVERIFY2(ran.err.count('\n') >= 2, ran.err.constData()); // what was found, and a remedy
    }
    const QString picture = folder.filePath(QStringLiteral("out.png"));
    QCOMPARE(runLacuna({QStringLiteral("render"), path, QStringLiteral("-o"), picture}).code, 3);
    QVERIFY(!QFile::exists(picture));
}

void TstCommandLine::truncated_exits4WithResults() {
    QFile whole(fixturePath("micro/M2.json"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray text = whole.readAll();
    QTemporaryDir folder;
    QFile half(folder.filePath(QStringLiteral("half.json")));
    QVERIFY(half.open(QIODevice::WriteOnly));
    half.write(text.left(text.size() - text.size() / 4)); // ends inside an event
    half.close();
    for (const char* verb : {"summary", "gaps"}) {
        const Ran ran = runLacuna(
            {QString::fromLatin1(verb), half.fileName(), QStringLiteral("--format"), QStringLiteral("json")});
        QVERIFY2(ran.code == 4, ran.err.constData());
        QVERIFY(!parsed(ran.out).is_discarded());
        QVERIFY2(ran.err.contains("half.json"), ran.err.constData());
    }
    QCOMPARE(runLacuna({QStringLiteral("bench"), half.fileName()}).code, 4);
    const QString picture = folder.filePath(QStringLiteral("out.png"));
    QCOMPARE(runLacuna({QStringLiteral("render"), half.fileName(), QStringLiteral("-o"), picture}).code, 4);
    QVERIFY(QFile::exists(picture));
}

void TstCommandLine::fullDisk_exits5() {
    if (!QFile::exists(QStringLiteral("/dev/full")))
        LACUNA_SKIP("no /dev/full here");
    const QString file = fixturePath("micro/M2.json");
    for (const char* words : {"summary %1", "summary %1 --format json", "gaps %1", "gaps %1 --format csv",
                              "gaps %1 --format json", "bench %1", "--help", "--version"}) {
        const QString line = QString::fromLatin1(words);
        const Ran ran = runLacunaTo(QStringLiteral("/dev/full"),
                                    (line.contains(u'%') ? line.arg(file) : line).split(u' '));
        QVERIFY2(ran.code == 5, words);
        QVERIFY2(!ran.err.isEmpty(), words);
    }
    QTemporaryDir folder;
    const Ran ran = runLacuna({QStringLiteral("render"), file, QStringLiteral("-o"),
                               folder.filePath(QStringLiteral("no/such/folder/out.png"))});
    QCOMPARE(ran.code, 5);
    QVERIFY(ran.err.contains("out.png"));
}

void TstCommandLine::interrupt_exits130_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("signal");
    const QStringList loading{QStringLiteral("summary")};
    const QStringList painting{QStringLiteral("bench"), QStringLiteral("--frames"),
                               QStringLiteral("100000000")};
    QTest::newRow("SIGINT while loading") << loading << SIGINT;
    QTest::newRow("SIGTERM while loading") << loading << SIGTERM;
    QTest::newRow("SIGINT while painting") << painting << SIGINT;
}

// A file that takes a while to load: 256 MiB of equal events.
static QString longTrace(const QTemporaryDir& folder) {
    QFile file(folder.filePath(QStringLiteral("long.json")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    const QByteArray event =
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},\n";
    const QByteArray block = event.repeated(10'000);
    file.write("{\"traceEvents\":[\n");
    while (file.size() < (qint64{256} << 20))
        file.write(block);
    return file.fileName();
}

// True once the process reads its interrupts itself: before that, they would simply end it.
static bool blocksInterrupts(qint64 pid) {
    QFile status(QStringLiteral("/proc/%1/status").arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:"))
            return (line.mid(7).trimmed().toULongLong(nullptr, 16) & (1ULL << (SIGINT - 1))) != 0;
    return false;
}

void TstCommandLine::interrupt_exits130() {
    QFETCH(QStringList, words);
    QFETCH(int, signal);
    const bool loading = words.size() == 1;
    QTemporaryDir folder;
    const QString file = loading ? longTrace(folder) : fixturePath("micro/M2.json");
    words.insert(1, file);
    QProcess process;
    process.setProcessEnvironment(bareEnvironment());
    process.start(QStringLiteral(LACUNA_BINARY), words);
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(blocksInterrupts(process.processId()), 20'000);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
}

void TstCommandLine::success_leavesStandardErrorEmpty() {
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    for (const char* verb : {"summary", "gaps", "bench"}) {
        const Ran ran = runLacuna({QString::fromLatin1(verb), file});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.err, QByteArray());
        QVERIFY(!ran.out.isEmpty());
    }
}

LACUNA_TEST(TstCommandLine, "tst_command_line")

} // namespace tst_command_line

#include "tst_command_line.moc"
