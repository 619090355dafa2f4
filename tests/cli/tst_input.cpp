// FILE as every verb takes it: standard input, archives with several traces, files that are none.

#include "tests/cli/cli_run.h"
#include "tests/support/archives.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QCryptographicHash>
#include <QTemporaryDir>

#include <csignal>
#include <fstream>

namespace tst_input {

using namespace lacuna::test;

namespace {

// `pieces` go to standard input, which stays open until all are written.
Ran runWithInput(const QStringList& arguments, const QByteArray& input) {
    QProcess process;
    process.setProcessEnvironment(bareEnvironment());
    process.start(QStringLiteral(LACUNA_BINARY), arguments);
    if (!process.waitForStarted())
        return {};
    for (qsizetype at = 0; at < input.size(); at += 10'000) {
        process.write(input.mid(at, 10'000));
        process.waitForBytesWritten(); // false when the program has ended
    }
    process.closeWriteChannel();
    if (!process.waitForFinished(300'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray bytesOf(const std::string& file) {
    return QByteArray::fromStdString(readFile(fixture(file)));
}

const QStringList kSummary{QStringLiteral("summary"), QStringLiteral("-"), QStringLiteral("--format"),
                           QStringLiteral("json")};

// All but the name of the file.
Json unnamed(const QByteArray& out) {
    Json json = parsed(out);
    if (json.contains("file"))
        json["file"].erase("name");
    return json;
}

} // namespace

class TstInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Read twice and thrice, though it came once.
    void standardInput_isConvertedAndTrimmed() {
        const QString file = QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
        const QTemporaryDir folder;
        const QString all = folder.filePath(QStringLiteral("all.json"));
        const QString part = folder.filePath(QStringLiteral("part.json"));
        const QByteArray input = bytesOf(file.toStdString());
        QCOMPARE(
            runWithInput({QStringLiteral("convert"), QStringLiteral("-"), QStringLiteral("-o"), all}, input)
                .code,
            0);
        QCOMPARE(runWithInput({QStringLiteral("trim"), QStringLiteral("-"), QStringLiteral("--range"),
                               QStringLiteral("1ms..2ms"), QStringLiteral("-o"), part},
                              input)
                     .code,
                 0);
        const auto rows = [](const QString& of) {
            return parsed(
                runLacuna({QStringLiteral("summary"), of, QStringLiteral("--format"), QStringLiteral("json")})
                    .out)["rows"];
        };
        QVERIFY(rows(all) == rows(fixturePath(file.toStdString())));
        QVERIFY(rows(part)["kept"].get<int>() > 0);
        QVERIFY(rows(part)["kept"].get<int>() < rows(all)["kept"].get<int>());
    }

    void standardInput_givesTheSameAsTheFile_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"micro/M1.json", "captured/torch/item_sync.pt.trace.json.gz", "captured/nsys/stall.sqlite"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void standardInput_givesTheSameAsTheFile() {
        QFETCH(QString, file);
        const QByteArray bytes = bytesOf(file.toStdString());
        for (const char* verb : {"summary", "gaps"}) {
            QStringList arguments = kSummary;
            arguments[0] = QString::fromLatin1(verb);
            const Ran piped = runWithInput(arguments, bytes);
            QCOMPARE(piped.code, 0);
            QCOMPARE(piped.err, QByteArray());
            arguments[1] = fixturePath(file.toStdString());
            const Ran read = runLacuna(arguments);
            QVERIFY(!unnamed(read.out).is_discarded());
            QCOMPARE(unnamed(piped.out).dump(), unnamed(read.out).dump());
            QCOMPARE(parsed(piped.out)["file"]["name"].get<std::string>(), std::string("standard input"));
            QCOMPARE(parsed(piped.out)["file"]["sha256"].get<std::string>(),
                     QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString());
            QCOMPARE(parsed(piped.out)["file"]["size"].get<qsizetype>(), bytes.size());
        }
    }
    void standardInput_thatIsNoTrace_isNamed() {
        const Ran none = runWithInput(kSummary, {});
        QCOMPARE(none.code, 3);
        QVERIFY2(none.err.startsWith("lacuna: standard input: The file is empty (0 bytes)."), none.err);
        const Ran text = runWithInput(kSummary, "hello");
        QCOMPARE(text.code, 3);
        QVERIFY2(text.err.startsWith("lacuna: standard input: "), text.err);
        const Ran cut =
            runWithInput(kSummary, bytesOf("captured/torch/item_sync.pt.trace.json.gz").left(60'000));
        QCOMPARE(cut.code, 4);
    }
    // The pipe never ends: the interrupt must not wait for it.
    void standardInput_thatWaits_canBeInterrupted() {
        QProcess process;
        process.setProcessEnvironment(bareEnvironment());
        process.start(QStringLiteral(LACUNA_BINARY), kSummary);
        QVERIFY(process.waitForStarted());
        process.write(bytesOf("micro/M1.json"));
        QVERIFY(process.waitForBytesWritten());
        // The signal must come when the program is ready for it: it has blocked it, to read it in a thread.
        QVERIFY(QTest::qWaitFor(
            [&process] {
                const QByteArray status = QByteArray::fromStdString(
                    readFile("/proc/" + std::to_string(process.processId()) + "/status"));
                const qsizetype at = status.indexOf("SigBlk:");
                return at >= 0 && (status.mid(at + 7, 18).trimmed().toULongLong(nullptr, 16) &
                                   (1ull << (SIGINT - 1))) != 0;
            },
            60'000));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
    }

    void archive_needsAMember_andTakesOne() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("ranks.zip"));
        const std::string trace = readFile(fixture("micro/M1.json"));
        std::ofstream(file.toStdString(), std::ios::binary)
            << zipOf({{"rank0.json", trace, {}}, {"rank1.json", trace, {}}, {"notes.txt", "text", {}}});
        for (const QStringList& verb : {QStringList{QStringLiteral("summary"), file},
                                        {QStringLiteral("gaps"), file},
                                        {QStringLiteral("bench"), file},
                                        {QStringLiteral("render"), file, QStringLiteral("-o"),
                                         folder.filePath(QStringLiteral("o.png"))}}) {
            const Ran asked = runLacuna(verb);
            QCOMPARE(asked.code, 3);
            QVERIFY2(asked.err.contains("The zip archive holds 2 traces and one is shown at a time:\n"
                                        "    rank0.json"),
                     asked.err);
            QVERIFY(asked.err.contains("Choose one with --member NAME."));
            const Ran chosen =
                runLacuna(verb + QStringList{QStringLiteral("--member"), QStringLiteral("rank1.json")});
            QVERIFY2(chosen.code == 0, chosen.err);
        }
        const Ran summary =
            runLacuna({QStringLiteral("summary"), file, QStringLiteral("--member"),
                       QStringLiteral("rank1.json"), QStringLiteral("--format"), QStringLiteral("json")});
        const Json json = parsed(summary.out);
        QCOMPARE(json["notes"][0]["code"].get<std::string>(), std::string("archive_member"));
        QCOMPARE(
            json["notes"][0]["message"].get<std::string>(),
            std::string("Shown is rank1.json of the zip archive. Its other traces: rank0.json. Not taken "
                        "for traces: notes.txt."));
        const Ran wrong = runLacuna(
            {QStringLiteral("summary"), file, QStringLiteral("--member"), QStringLiteral("rank7.json")});
        QCOMPARE(wrong.code, 3);
        QVERIFY(wrong.err.contains("rank0.json"));
    }
};
LACUNA_TEST(TstInput, "tst_input")

} // namespace tst_input

#include "tst_input.moc"
