// Verbs use the index cache: the second run of a large file gives the same words from it, --no-cache and
// LACUNA_CACHE=off leave it alone.

#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace tst_cache_flag {

using namespace lacuna::test;

namespace {

// Files of 8 MiB are worth it.
void writeLargeTrace(const QString& path) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"traceEvents\": [\n");
    const QByteArray filler(1000, 'x');
    for (int i = 0; i < 9000; ++i)
        file.write((i == 0 ? "" : ",\n") +
                   QByteArray("{\"ph\":\"X\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"dur\":5,\"ts\":") +
                   QByteArray::number(i * 10) + ",\"args\":{\"x\":\"" + filler + "\"}}");
    file.write("]}");
}

Ran summary(const QString& file, const QString& cacheHome, const QByteArray& mode,
            const QStringList& more = {}) {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", cacheHome.toUtf8());
    qputenv("LACUNA_CACHE", mode);
    const Ran ran = runLacuna(QStringList{QStringLiteral("summary"), file} + more);
    before.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
    qputenv("LACUNA_CACHE", "off");
    return ran;
}

} // namespace

class TstCacheFlag : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void secondRun_usesTheCache() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("trace.json"));
        writeLargeTrace(file);
        QTest::qWait(3200); // a file that was written a moment ago is not kept
        const auto cached = [&] {
            return QDir(folder.filePath(QStringLiteral("lacuna/index"))).entryList(QDir::Files).size();
        };
        const Ran off = summary(file, folder.path(), "off");
        QCOMPARE(off.code, 0);
        QCOMPARE(cached(), 0);
        const Ran flag = summary(file, folder.path(), "", {QStringLiteral("--no-cache")});
        QCOMPARE(cached(), 0);
        const Ran first = summary(file, folder.path(), "");
        QCOMPARE(cached(), 1);
        const Ran second = summary(file, folder.path(), "");
        QCOMPARE(cached(), 1);
        for (const Ran& ran : {flag, first, second}) {
            QCOMPARE(ran.code, 0);
            QCOMPARE(ran.out, off.out);
        }
    }
};

LACUNA_TEST(TstCacheFlag, "tst_cache_flag")

} // namespace tst_cache_flag

#include "tst_cache_flag.moc"
