// Every file of the corpus is read as tests/corpus.tsv states. The table is written by
//     LACUNA_WRITE_CORPUS=tests/corpus.tsv tst_core tst_corpus
// and every difference to the table before is looked at; tests/corpus_counts.py makes its figures a second
// time.

#include "tests/support/corpus.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <map>

namespace tst_corpus {

using namespace lacuna::test;

namespace {

constexpr const char* kHead = "# file\tresult\tread\tkept\tdropped\tkinds "
                              "(kept,drawn,checksum)\tlanes\tnotes; see tests/support/corpus.h\n";

QString tablePath() {
    return QString::fromStdString(inSource("tests/corpus.tsv").string());
}

std::map<std::string, std::string> readTable() {
    std::map<std::string, std::string> lines;
    QFile file(tablePath());
    if (!file.open(QIODevice::ReadOnly))
        return lines;
    while (!file.atEnd()) {
        QByteArray line = file.readLine();
        if (line.endsWith('\n'))
            line.chop(1);
        if (!line.isEmpty() && !line.startsWith('#'))
            lines.emplace(line.left(line.indexOf('\t')).toStdString(), line.toStdString());
    }
    return lines;
}

} // namespace

class TstCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void files_areReadAsStated_data();
    void files_areReadAsStated();
    void filesThatAreMissing();
    void countsOfTheScript_agree();

private:
    std::map<std::string, std::string> m_table;
};

void TstCorpus::initTestCase() {
    if (const QString path = qEnvironmentVariable("LACUNA_WRITE_CORPUS"); !path.isEmpty()) {
        QFile file(path);
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
        file.write(kHead);
        for (const CorpusFile& one : corpusFiles())
            file.write(QByteArray::fromStdString(corpusLine(one.name, one.path) + '\n'));
    }
    m_table = readTable();
    QVERIFY(!m_table.empty());
}

void TstCorpus::files_areReadAsStated_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("path");
    for (const CorpusFile& one : corpusFiles())
        QTest::newRow(one.name.c_str())
            << QString::fromStdString(one.name) << QString::fromStdString(one.path.string());
}

void TstCorpus::files_areReadAsStated() {
    QFETCH(QString, name);
    QFETCH(QString, path);
    const auto stated = m_table.find(name.toStdString());
    QVERIFY2(stated != m_table.end(), "the file is not in tests/corpus.tsv");
    const QStringList is =
        QString::fromStdString(corpusLine(name.toStdString(), path.toStdString())).split(u'\t');
    const QStringList should = QString::fromStdString(stated->second).split(u'\t');
    QCOMPARE(is.size(), should.size());
    for (qsizetype i = 0; i < is.size(); ++i)
        QCOMPARE(is[i], should[i]);
}

// Lines of the table whose file is not on this machine.
void TstCorpus::filesThatAreMissing() {
    std::size_t here = 0;
    for (const CorpusFile& one : corpusFiles())
        here += m_table.count(one.name);
    QVERIFY(here > 0);
    if (here < m_table.size())
        LACUNA_SKIP(qPrintable(QStringLiteral("%1 of %2 files of the table are not here")
                                   .arg(m_table.size() - here)
                                   .arg(m_table.size())));
}

// On the files of the repository; the others are compared by hand when the table changes.
void TstCorpus::countsOfTheScript_agree() {
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python.isEmpty())
        LACUNA_SKIP("python3 is not installed");
    QProcess script;
    script.setProcessChannelMode(QProcess::MergedChannels);
    script.start(python, {QString::fromStdString(inSource("tests/corpus_counts.py").string()), tablePath(),
                          QString::fromStdString(fixture("").string())});
    QVERIFY(script.waitForFinished(600'000));
    const QByteArray output = script.readAll();
    QVERIFY2(script.exitStatus() == QProcess::NormalExit && script.exitCode() == 0, output.constData());
}

LACUNA_TEST(TstCorpus, "tst_corpus")

} // namespace tst_corpus

#include "tst_corpus.moc"
