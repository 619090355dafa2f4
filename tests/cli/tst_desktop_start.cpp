// Starts the program as a desktop does: the command of the desktop entry, on an X server of its own. Checks
// what a taskbar looks at, that a file is opened, and which folders are written to until the window is
// closed.

#include "tests/cli/cli_run.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <memory>

namespace tst_desktop_start {

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatienceMs = 60'000; // states are waited for; nothing here is a speed limit
const QString kId = u"io.github.lacuna_viewer.Lacuna"_s;

QString execLine() {
    QFile file(QString::fromStdString(inSource("packaging").string()) + u'/' + kId + u".desktop"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n'))
        if (line.startsWith(u"Exec="_s))
            return line.mid(5);
    return {};
}

} // namespace

class TstDesktopStart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void window_opensTheFile();
    void relativeFolders_areIgnored();
    void cleanupTestCase();

private:
    QByteArray ask(const QString& tool, const QStringList& words) const {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(tool, words);
        process.waitForFinished(kPatienceMs);
        return process.readAllStandardOutput().trimmed();
    }

    QProcess m_display;
    QProcessEnvironment m_environment;
    QTemporaryDir m_home;
};

void TstDesktopStart::initTestCase() {
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "TMPDIR", "LACUNA_CACHE"})
        m_environment.remove(QString::fromLatin1(name));
    const QString path = QFileInfo(QStringLiteral(LACUNA_BINARY)).path();
    m_environment.insert(u"PATH"_s, path + u':' + m_environment.value(u"PATH"_s));
    m_environment.insert(u"HOME"_s, m_home.filePath(u"home"_s));
    QVERIFY(QDir(m_home.path()).mkpath(u"home"_s));
}

void TstDesktopStart::window_opensTheFile() {
    for (const char* tool : {"Xvfb", "xdotool"})
        if (QStandardPaths::findExecutable(QString::fromLatin1(tool)).isEmpty())
            LACUNA_SKIP("Xvfb and xdotool are not both installed");
    // Without -noreset the server starts anew when its last client leaves, which may be between two
    // questions.
    m_display.start(u"Xvfb"_s, {u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1400x900x24"_s,
                                u"-nolisten"_s, u"tcp"_s, u"-noreset"_s});
    QTRY_VERIFY_WITH_TIMEOUT(m_display.canReadLine(), kPatienceMs);
    m_environment.insert(u"DISPLAY"_s, u':' + QString::fromLatin1(m_display.readLine().trimmed()));
    for (const auto& [name, folder] :
         {std::pair("XDG_CONFIG_HOME", "config"), std::pair("XDG_DATA_HOME", "data"),
          std::pair("XDG_CACHE_HOME", "cache"), std::pair("XDG_STATE_HOME", "state"),
          std::pair("XDG_RUNTIME_DIR", "runtime")}) {
        QVERIFY(QDir(m_home.path()).mkpath(QString::fromLatin1(folder)));
        const QString path = m_home.filePath(QString::fromLatin1(folder));
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_environment.insert(QString::fromLatin1(name), path);
    }

    QString command = execLine();
    QVERIFY2(command.endsWith(u" %F"_s), qPrintable(command));
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    QProcess program;
    program.setProcessEnvironment(m_environment);
    program.setWorkingDirectory(m_home.path());
    program.setProgram(u"/usr/bin/env"_s); // finds it in PATH, as a desktop does
    program.setArguments(command.replace(u"%F"_s, file).split(u' '));
    program.start();
    QVERIFY(program.waitForStarted(kPatienceMs));

    // What StartupWMClass promises, and the name of the file in the title.
    QByteArray window;
    QTRY_VERIFY_WITH_TIMEOUT(
        !(window = ask(u"xdotool"_s, {u"search"_s, u"--onlyvisible"_s, u"--class"_s, u'^' + kId + u'$'}))
                .isEmpty() ||
            program.state() == QProcess::NotRunning,
        kPatienceMs);
    QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
    const QString id = QString::fromLatin1(window.split('\n').first());
    QTRY_VERIFY_WITH_TIMEOUT(
        ask(u"xdotool"_s, {u"getwindowname"_s, id}).contains("item_sync.pt.trace.json.gz"), kPatienceMs);
    QVERIFY(program.state() == QProcess::Running);

    // Closed by its own shortcut: with no window manager, the focus is given by hand. A key that comes too
    // early is lost, so it is pressed until it works.
    for (int i = 0; i < 20 && program.state() == QProcess::Running; ++i) {
        ask(u"xdotool"_s, {u"windowfocus"_s, id, u"key"_s, u"ctrl+q"_s});
        program.waitForFinished(3'000);
    }
    QVERIFY2(program.state() == QProcess::NotRunning, "Ctrl+Q did not close the window");
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    QCOMPARE(program.readAllStandardOutput(), QByteArray());

    QCOMPARE(filesBelow(m_home.filePath(u"config"_s)), QStringList{u"lacuna/window.ini"_s});
    QCOMPARE(filesBelow(m_home.filePath(u"state"_s)), QStringList{u"lacuna/recent.ini"_s});
    QCOMPARE(filesBelow(m_home.filePath(u"data"_s)), QStringList{u"recently-used.xbel"_s}); // the desktop's
    for (const QString& name : filesBelow(m_home.filePath(u"cache"_s)))
        QVERIFY2(name.startsWith(u"lacuna/"_s), qPrintable(name));
    QCOMPARE(filesBelow(m_home.filePath(u"home"_s)), QStringList());
}

// The specification of these folders says that a relative path is none.
void TstDesktopStart::relativeFolders_areIgnored() {
    QTemporaryDir here;
    QProcess process;
    QProcessEnvironment environment = m_environment;
    environment.insert(u"XDG_CACHE_HOME"_s, u"cache"_s);
    environment.insert(u"TMPDIR"_s, u"/nonexistent"_s);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(here.path());
    // Standard input is kept in a file while it is read.
    process.setStandardInputFile(fixturePath("captured/torch/item_sync.pt.trace.json.gz"));
    process.start(QStringLiteral(LACUNA_BINARY), {u"summary"_s, u"-"_s});
    QVERIFY(process.waitForFinished(kPatienceMs));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QCOMPARE(QDir(here.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

void TstDesktopStart::cleanupTestCase() {
    if (m_display.state() == QProcess::NotRunning)
        return;
    m_display.terminate();
    m_display.waitForFinished(kPatienceMs);
}

LACUNA_TEST(TstDesktopStart, "tst_desktop_start")

} // namespace tst_desktop_start

#include "tst_desktop_start.moc"
