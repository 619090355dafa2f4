// What the build writes from the program's own options: the manual page agrees with --help, and completions
// offer what the program takes, in real shells. Shells that are not installed are skipped.

#include "tests/cli/cli_run.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace tst_manual {

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {

QString made(const char* name) {
    return QFileInfo(QStringLiteral(LACUNA_BINARY)).path() + QStringLiteral("/../packaging/") +
           QString::fromLatin1(name);
}

QString madeText(const char* name) {
    QFile file(made(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList verbsOfHelp() {
    static const QRegularExpression verb(QStringLiteral("^  ([a-z]+) {2,}[A-Z]"),
                                         QRegularExpression::MultilineOption);
    QString help = QString::fromUtf8(runLacuna({QStringLiteral("--help")}).out);
    help.remove(0, help.indexOf(u"Verbs"));
    QStringList verbs;
    for (auto matches = verb.globalMatch(help); matches.hasNext();)
        verbs << matches.next().captured(1);
    return verbs;
}

// "--format" of every line of --help that starts with it; not those that every program has.
QStringList optionsOfHelp(const QStringList& words) {
    static const QRegularExpression option(QStringLiteral("^  (-[-a-z]+)"),
                                           QRegularExpression::MultilineOption);
    QStringList names;
    const QString help = QString::fromUtf8(runLacuna(words + QStringList{QStringLiteral("--help")}).out);
    for (auto matches = option.globalMatch(help); matches.hasNext();)
        if (const QString name = matches.next().captured(1); name != u"-h")
            names << name;
    return names;
}

QString between(const QString& text, const QString& from, const QString& to) {
    const qsizetype begin = text.indexOf(from);
    if (begin < 0)
        return {};
    const qsizetype end = text.indexOf(to, begin + from.size());
    return text.mid(begin, end < 0 ? -1 : end - begin);
}

QStringList lines(const QByteArray& out) {
    QStringList found = QString::fromUtf8(out).split(u'\n', Qt::SkipEmptyParts);
    found.sort();
    return found;
}

Ran runShell(const QString& shell, const QStringList& words, const QString& folder) {
    QProcess process;
    QProcessEnvironment environment = bareEnvironment();
    environment.insert(QStringLiteral("HOME"), folder);
    environment.insert(QStringLiteral("TERM"), QStringLiteral("dumb"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(shell, words);
    process.waitForFinished(60'000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

// lacuna_manual on texts of our own; empty ones are as they are in the repository.
class Texts {
public:
    Texts(const QByteArray& page, const QByteArray& changes) {
        write(u"lacuna.1.scd"_s, page.isEmpty() ? inPackaging("lacuna.1.scd") : page);
        write(u"CHANGELOG.md"_s, changes.isEmpty() ? inPackaging("CHANGELOG.md") : changes);
        write(u"x.metainfo.xml"_s, "<component>\n  <releases/>\n</component>\n");
        const QString program = QFileInfo(QStringLiteral(LACUNA_BINARY)).path() + u"/lacuna_manual"_s;
        m_ran = runShell(program,
                         {m_folder.path(), m_folder.filePath(u"out"_s), u"x"_s, u"0.2.0"_s, u"2026-11-30"_s,
                          u"A B <a@b.org>"_s},
                         m_folder.path());
    }
    const Ran& ran() const { return m_ran; }
    QString made(const QString& name) const {
        QFile file(m_folder.filePath(u"out/"_s + name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private:
    static QByteArray inPackaging(const std::string& name) {
        return QByteArray::fromStdString(readFile(inSource("packaging/" + name)));
    }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
    }

    QTemporaryDir m_folder;
    Ran m_ran;
};

} // namespace

class TstManual : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void page_hasEveryVerbWithItsOptions();
    void page_hasNoMarkLeft();
    void page_isMade();
    void bash_offers_data();
    void bash_offers();
    void zsh_offers_data();
    void zsh_offers();
    void fish_offers_data();
    void fish_offers();
    void debianChangeLog_isRead();
    void releases_keepTheirDates();
    void verbWithoutProse_isInThePage();
    void proseOfNoVerb_isAnError();

private:
    QTemporaryDir m_folder; // with a trace, a text and a folder
    QStringList m_verbs;
};

void TstManual::initTestCase() {
    m_verbs = verbsOfHelp();
    QVERIFY(m_verbs.contains(QStringLiteral("gaps")));
    for (const char* name : {"step.pt.trace.json.gz", "export.sqlite", "notes.txt"})
        QVERIFY(QFile(m_folder.filePath(QString::fromLatin1(name))).open(QIODevice::WriteOnly));
    QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("runs")));
}

void TstManual::page_hasEveryVerbWithItsOptions() {
    const QString page = madeText("lacuna.1.scd");
    const QString program = between(page, QStringLiteral("# OPTIONS\n"), QStringLiteral("\n# "));
    for (const QString& name : optionsOfHelp({}))
        QVERIFY2(program.contains(u'*' + name + u'*'), qPrintable(name));
    for (const QString& verb : m_verbs) {
        const QString part =
            between(page, QStringLiteral("\n## lacuna %1\n").arg(verb), QStringLiteral("\n#"));
        QVERIFY2(!part.isEmpty(), qPrintable(verb));
        QVERIFY2(page.contains(QStringLiteral("\n*lacuna %1* ").arg(verb)), qPrintable(verb)); // synopsis
        const QStringList names = optionsOfHelp({verb});
        QVERIFY(!names.isEmpty());
        for (const QString& name : names)
            QVERIFY2(part.contains(u'*' + name + u'*'), qPrintable(verb + u' ' + name));
    }
}

void TstManual::page_hasNoMarkLeft() {
    QVERIFY(!madeText("lacuna.1.scd").contains(u'@'));
}

void TstManual::page_isMade() {
    if (QStandardPaths::findExecutable(QStringLiteral("scdoc")).isEmpty() ||
        !QFile::exists(made("lacuna.1.gz")))
        LACUNA_SKIP("scdoc was not there when this was built");
    const QString page = madeText("lacuna.1");
    QVERIFY(page.contains(QStringLiteral(".SH NAME")));
    QVERIFY(page.contains(QStringLiteral(".SS lacuna gaps")));
}

void TstManual::bash_offers_data() {
    QTest::addColumn<QStringList>("words"); // as bash splits the line; the last one is being completed
    QTest::addColumn<QStringList>("offered");
    const auto row = [](const char* name, const char* words, const char* offered) {
        QTest::newRow(name) << QString::fromLatin1(words).split(u' ')
                            << QString::fromLatin1(offered).split(u' ', Qt::SkipEmptyParts);
    };
    row("verb", "gap", "gaps");
    row("verb or trace", "s", "step.pt.trace.json.gz summary stats");
    row("option of the program", "--go", "--goto");
    row("option of a verb", "gaps --t", "--top");
    row("option of another verb", "summary --t", "");
    row("value", "gaps step.json --format ", "table csv json");
    row("value after =", "gaps --format = c", "csv");
    row("nothing typed after =", "render --theme =", "light dark print");
    row("a number has no names", "gaps --device ", "");
    row("traces", "gaps ", "export.sqlite runs step.pt.trace.json.gz");
    row("any file where no trace matches", "gaps no", "notes.txt");
    row("output", "render -o no", "notes.txt");
}

void TstManual::bash_offers() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, offered);
    const QString script =
        QStringLiteral("source \"$1\"; shift; COMP_WORDS=(lacuna \"$@\"); COMP_CWORD=$#; _lacuna; "
                       "printf '%s\\n' \"${COMPREPLY[@]}\"");
    const Ran ran = runShell(
        QStringLiteral("/bin/bash"),
        QStringList{QStringLiteral("-c"), script, QStringLiteral("bash"), made("completions/lacuna")} + words,
        m_folder.path());
    QVERIFY2(ran.err.isEmpty(), ran.err.constData());
    QStringList found = lines(ran.out);
    if (words.last() == u"s") // a verb that starts so may be added
        found.removeIf([&](const QString& one) { return !offered.contains(one); });
    offered.sort();
    QCOMPARE(found, offered);
}

void TstManual::zsh_offers_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("offered"); // a line that the script hands to zsh's own functions
    QTest::newRow("verbs") << "lacuna g"
                           << "_describe -t verbs verb verbs";
    QTest::newRow("option") << "lacuna gaps --f"
                            << "--format=[table, csv, json (default table)]:NAME:(table csv json)";
    QTest::newRow("trace") << "lacuna gaps x"
                           << ":FILE:_lacuna_traces";
    QTest::newRow("output") << "lacuna render -o x"
                            << "-o[Picture to write, .png, .svg or .pdf]:OUT:_files";
    QTest::newRow("program") << "lacuna --goto"
                             << "--version[Print version, libraries and features]";
}

// The functions of zsh's completion system are stand-ins that print what they are given.
void TstManual::zsh_offers() {
    const QString zsh = QStandardPaths::findExecutable(QStringLiteral("zsh"));
    if (zsh.isEmpty())
        LACUNA_SKIP("zsh is not installed");
    QFETCH(QString, words);
    QFETCH(QString, offered);
    const QString script = QStringLiteral(
        "_arguments() { print -l -- \"$@\"; }\n_describe() { print -- _describe \"$@\"; }\n_files() { :; }\n"
        "file=$1; shift; words=(\"$@\"); CURRENT=$#; set --; source $file");
    const Ran ran = runShell(
        zsh,
        QStringList{QStringLiteral("-f"), QStringLiteral("-c"), script, zsh, made("completions/_lacuna")} +
            words.split(u' '),
        m_folder.path());
    QVERIFY2(ran.err.isEmpty(), ran.err.constData());
    QVERIFY2(lines(ran.out).contains(offered), ran.out.constData());
}

void TstManual::fish_offers_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("offered");
    QTest::newRow("verb") << "lacuna gap"
                          << "gaps";
    QTest::newRow("option") << "lacuna gaps --form"
                            << "--format";
    QTest::newRow("value") << "lacuna gaps --format c"
                           << "csv";
    QTest::newRow("trace") << "lacuna gaps ex"
                           << "export.sqlite";
    QTest::newRow("program") << "lacuna --got"
                             << "--goto";
    QTest::newRow("not of this verb") << "lacuna summary --to"
                                      << "";
}

void TstManual::fish_offers() {
    const QString fish = QStandardPaths::findExecutable(QStringLiteral("fish"));
    if (fish.isEmpty())
        LACUNA_SKIP("fish is not installed");
    QFETCH(QString, line);
    QFETCH(QString, offered);
    const Ran ran = runShell(fish,
                             {QStringLiteral("--no-config"), QStringLiteral("-c"),
                              QStringLiteral("source $argv[1]; complete -C $argv[2]"),
                              made("completions/lacuna.fish"), line},
                             m_folder.path());
    QVERIFY2(ran.err.isEmpty(), ran.err.constData());
    QStringList names;
    for (const QString& one : lines(ran.out))
        names << one.section(u'\t', 0, 0);
    QCOMPARE(names, offered.isEmpty() ? QStringList() : QStringList{offered});
}

void TstManual::debianChangeLog_isRead() {
    const QString tool = QStandardPaths::findExecutable(QStringLiteral("dpkg-parsechangelog"));
    if (tool.isEmpty())
        LACUNA_SKIP("dpkg-parsechangelog is not installed");
    const Ran ran =
        runShell(tool, {QStringLiteral("-l"), made("changelog"), QStringLiteral("--all")}, m_folder.path());
    QCOMPARE(ran.code, 0);
    QVERIFY2(ran.err.isEmpty(), ran.err.constData());
    QVERIFY2(ran.out.startsWith("Source: lacuna\n"), ran.out.constData());
    QFile source(QString::fromStdString(inSource("packaging/CHANGELOG.md").string()));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QCOMPARE(ran.out.count("\n   * "), source.readAll().count("\n- "));
}

void TstManual::releases_keepTheirDates() {
    const Texts texts(
        {}, "# Changes\n\n## Unreleased\n\n- New `--flag`, and a text that is long enough for two lines "
            "of a\n  changelog & more.\n\n## 0.1.0 (2026-02-28)\n\n- First.\n");
    QCOMPARE(texts.ran().code, 0);
    QCOMPARE(texts.made(u"changelog"_s),
             u"lacuna (0.2.0) unstable; urgency=medium\n\n"
             "  * New --flag, and a text that is long enough for two lines of a changelog &\n    more.\n\n"
             " -- A B <a@b.org>  Mon, 30 Nov 2026 00:00:00 +0000\n\n"
             "lacuna (0.1.0) unstable; urgency=medium\n\n  * First.\n\n"
             " -- A B <a@b.org>  Sat, 28 Feb 2026 00:00:00 +0000\n"_s);
    const QString metainfo = texts.made(u"x.metainfo.xml"_s);
    QVERIFY(metainfo.contains(u"<release version=\"0.2.0\" date=\"2026-11-30\" type=\"development\">"_s));
    QVERIFY(metainfo.contains(u"<release version=\"0.1.0\" date=\"2026-02-28\" type=\"stable\">"_s));
    QVERIFY(metainfo.contains(
        u"<li>New --flag, and a text that is long enough for two lines of a changelog &amp; "
        "more.</li>"_s));
}

void TstManual::verbWithoutProse_isInThePage() {
    const Texts texts("lacuna(1)\n\n# VERBS\n\n@verb gaps@\n\nProse.\n\n# EXIT STATUS\n\nEnd.\n", {});
    QCOMPARE(texts.ran().code, 0);
    const QString page = texts.made(u"lacuna.1.scd"_s);
    QVERIFY(page.indexOf(u"Prose."_s) < page.indexOf(u"*--min* _TIME_\n"_s)); // options come after the prose
    for (const QString& verb : m_verbs)
        QCOMPARE(page.count(u"\n## lacuna %1\n"_s.arg(verb)), 1);
    QVERIFY(page.indexOf(u"## lacuna bench"_s) < page.indexOf(u"# EXIT STATUS"_s));
    QVERIFY(page.endsWith(u"End.\n"_s));
}

void TstManual::proseOfNoVerb_isAnError() {
    const Texts texts("# VERBS\n\n@verb dance@\n\nProse.\n", {});
    QCOMPARE(texts.ran().code, 1);
    QVERIFY2(texts.ran().err.contains("dance"), texts.ran().err.constData());
}

LACUNA_TEST(TstManual, "tst_manual")

} // namespace tst_manual

#include "tst_manual.moc"
