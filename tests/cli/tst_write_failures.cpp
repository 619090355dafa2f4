// Every verb that writes a file, where that cannot be: the path, what the system said, what to do, exit code
// 5, and nothing is left. A limit of file sizes fails a write as a full disk does, and needs no disk.

#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

namespace tst_write_failures {

using namespace lacuna::test;

namespace {

constexpr const char* kStall = "captured/nsys/stall.sqlite";
constexpr const char* kNcu = "captured/ncu/kern.ncu-rep.gz";

// Files larger than `blocks` of 512 bytes cannot be written.
Ran runLimited(int blocks, const QStringList& arguments) {
    QProcess shell;
    shell.setProcessEnvironment(bareEnvironment());
    shell.start(QStringLiteral("sh"),
                QStringList{QStringLiteral("-c"),
                            QStringLiteral("ulimit -f %1 && exec \"$0\" \"$@\"").arg(blocks),
                            QStringLiteral(LACUNA_BINARY)} +
                    arguments);
    if (!shell.waitForFinished(60'000) || shell.exitStatus() != QProcess::NormalExit)
        return {};
    return {shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()};
}

} // namespace

class TstWriteFailures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyWritingVerb_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* verb, const char* input, const char* name) {
            QTest::addRow("%s %s", verb, name)
                << QString::fromLatin1(verb) << QString::fromLatin1(input) << QString::fromLatin1(name);
        };
        for (const char* const name : {"out.png", "out.svg", "out.pdf"})
            row("render", kStall, name);
        for (const char* const name : {"out.html", "out.pdf", "out.md"})
            row("report", kStall, name);
        for (const char* const name : {"out.json", "out.json.gz"})
            row("convert", kStall, name);
        row("trim", kStall, "out.json");
        for (const char* const name : {"out.png", "out.svg"})
            row("roofline", kNcu, name);
    }
    void everyWritingVerb() {
        QFETCH(QString, verb);
        QFETCH(QString, input);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString out = folder.filePath(name);
        QStringList arguments{verb};
        if (verb == QStringLiteral("roofline"))
            arguments << QStringLiteral("--ncu");
        if (verb == QStringLiteral("trim"))
            arguments << QStringLiteral("--range") << QStringLiteral("0..1000s");
        arguments << fixturePath(input.toStdString()) << QStringLiteral("-o") << out;
        const Ran ran = runLimited(4, arguments);
        QVERIFY2(ran.code == 5, ran.err.constData());
        QVERIFY2(ran.err.contains(out.toUtf8() + ": The file could not be written: File too large."),
                 ran.err.constData());
        QVERIFY2(
            ran.err.contains("Raise the limit of file sizes (ulimit -f), or name a folder on another disk."),
            ran.err.constData());
        QVERIFY(filesBelow(folder.path()).isEmpty());

        arguments.back() = folder.filePath(QStringLiteral("none/")) + name;
        const Ran nowhere = runLacuna(arguments);
        QVERIFY2(nowhere.code == 5, nowhere.err.constData());
        QVERIFY2(nowhere.err.contains(arguments.back().toUtf8() +
                                      ": The file could not be written: No such file or directory."),
                 nowhere.err.constData());
        QVERIFY(nowhere.err.contains("Make the folder first"));
    }

    // A picture that is drawn again is read by those who could read it before, and by nobody else.
    void aReplacedFileKeepsItsPermissions() {
        const QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("out.svg"));
        const QStringList arguments{QStringLiteral("render"), fixturePath("micro/M1.json"),
                                    QStringLiteral("-o"), out};
        QCOMPARE(runLacuna(arguments).code, 0);
        const QFile::Permissions mine = QFile::ReadOwner | QFile::WriteOwner;
        QVERIFY(QFile::setPermissions(out, mine));
        QCOMPARE(runLacuna(arguments).code, 0);
        QCOMPARE(QFile::permissions(out) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        QVERIFY((QFile::permissions(out) & mine) == mine);
    }
};

LACUNA_TEST(TstWriteFailures, "tst_write_failures")

} // namespace tst_write_failures

#include "tst_write_failures.moc"
