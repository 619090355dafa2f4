// lacuna report: one self-contained file, equal twice, in three formats.

#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

namespace tst_report_verb {

using namespace lacuna::test;

namespace {

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString itemSyncPath() {
    return fixturePath("captured/torch/item_sync.pt.trace.json.gz");
}

Ran report(const QString& trace, const QString& out, const QStringList& more = {}) {
    return runLacuna(QStringList{QStringLiteral("report"), trace, QStringLiteral("-o"), out} + more);
}

} // namespace

class TstReportVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneFileEqualTwice_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("html") << QStringLiteral("html") << QByteArray("<!DOCTYPE html>");
        QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF-1.");
        QTest::newRow("md") << QStringLiteral("md") << QByteArray("# item");
    }
    void oneFileEqualTwice() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, start);
        QTemporaryDir folder;
        const QString first = folder.filePath(QStringLiteral("a.") + ending),
                      second = folder.filePath(QStringLiteral("b.") + ending);
        const Ran ran = report(itemSyncPath(), first);
        QVERIFY2(ran.code == 0, ran.err.constData());
        QVERIFY(ran.out.isEmpty());
        QCOMPARE(report(itemSyncPath(), second).code, 0);
        const QByteArray bytes = contentsOf(first);
        QVERIFY2(bytes.startsWith(start), bytes.first(20).constData());
        QVERIFY(bytes == contentsOf(second));
        QCOMPARE(filesBelow(folder.path()).size(), qsizetype(2));
    }

    void thePageLoadsNothing() {
        QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("a.html"));
        QCOMPARE(report(itemSyncPath(), out).code, 0);
        const QString page = QString::fromUtf8(contentsOf(out));
        static const QRegularExpression source(QStringLiteral("(?:src|href)=\"([^\"]{0,30})"));
        int pictures = 0;
        for (auto all = source.globalMatch(page); all.hasNext(); ++pictures)
            QVERIFY(all.next().captured(1).startsWith(QStringLiteral("data:image/svg+xml;base64,")));
        QVERIFY(pictures >= 3);
        QVERIFY(!page.contains(QStringLiteral("<script")));
        QVERIFY(page.contains(QStringLiteral("cudaStreamSynchronize")));
        QVERIFY(page.contains(QStringLiteral("not stated")));
    }

    void whatIsStatedComesFromAWorkspace() {
        QTemporaryDir folder;
        const QString workspace = folder.filePath(QStringLiteral("w.lacuna"));
        QFile file(workspace);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format":"lacuna-workspace","version":1,"setup":{"batch":"a batch of 32","dtype":7}})");
        file.close();
        const QString out = folder.filePath(QStringLiteral("a.md"));
        QCOMPARE(report(itemSyncPath(), out, {QStringLiteral("--workspace"), workspace}).code, 0);
        const QByteArray text = contentsOf(out);
        QVERIFY(text.contains("- batch: a batch of 32\n"));
        QVERIFY(text.contains("- dtype: not stated\n"));
    }

    void exitCodes() {
        QTemporaryDir folder;
        QCOMPARE(report(itemSyncPath(), folder.filePath(QStringLiteral("a.doc"))).code, 2);
        QCOMPARE(report(folder.filePath(QStringLiteral("none.json")), folder.filePath(QStringLiteral("a.md")))
                     .code,
                 3);
        QCOMPARE(report(itemSyncPath(), folder.filePath(QStringLiteral("none/a.md"))).code, 5);
        QCOMPARE(report(itemSyncPath(), folder.filePath(QStringLiteral("a.md")),
                        {QStringLiteral("--workspace"), folder.filePath(QStringLiteral("none.lacuna"))})
                     .code,
                 3);
        QVERIFY(filesBelow(folder.path()).isEmpty());
    }

    void theTraceIsNeverReplaced() {
        QTemporaryDir folder;
        const QString trace = folder.filePath(QStringLiteral("a.md"));
        QVERIFY(QFile::copy(fixturePath("micro/M2.json"), trace));
        const QByteArray before = contentsOf(trace);
        QCOMPARE(report(trace, trace).code, 5);
        QCOMPARE(contentsOf(trace), before);
    }
};

LACUNA_TEST(TstReportVerb, "tst_report_verb")

} // namespace tst_report_verb

#include "tst_report_verb.moc"
