// The whole way of a person with the keyboard alone, on the real program under an X server of its own with a
// window manager: open, find the worst gap, annotate it, export the figure, with at most twelve key presses
// after opening. Waits for states (windows, files), never for times. Then: a second start hands its file to
// the running window.

#include "tests/cli/cli_run.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatienceMs = 60'000; // states are waited for; nothing here is a speed limit
constexpr int kMostPresses = 12;
const QString kTrace = u"captured/torch/item_sync.pt.trace.json.gz"_s;

// Modifiers count: "ctrl+e" is two.
int pressesOf(const QString& key) {
    return static_cast<int>(key.count(u'+')) + 1;
}

} // namespace

class TstEndToEnd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void keyboardAlone_fromOpenToExport();
    void secondStart_opensATab();
    void cleanupTestCase();

private:
    QByteArray ask(const QStringList& words) const {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(u"xdotool"_s, words);
        process.waitForFinished(kPatienceMs);
        return process.readAllStandardOutput().trimmed();
    }
    // The window whose title holds a text, once it is there and visible.
    QString windowNamed(const QString& name) const {
        return QString::fromLatin1(
            ask({u"search"_s, u"--onlyvisible"_s, u"--name"_s, name}).split('\n').first());
    }
    void press(const QString& key) {
        ask({u"key"_s, u"--clearmodifiers"_s, key});
        m_presses += pressesOf(key);
    }
    bool isFocused(const QString& window) const {
        return !window.isEmpty() && QString::fromLatin1(ask({u"getactivewindow"_s})) == window;
    }
    void startProgram(QProcess& program, const QStringList& arguments) const {
        program.setProcessEnvironment(m_environment);
        program.setWorkingDirectory(m_home.path());
        program.start(QStringLiteral(LACUNA_BINARY), arguments);
    }

    QProcess m_display, m_manager;
    QProcessEnvironment m_environment;
    QTemporaryDir m_home;
    int m_presses = 0;
};

void TstEndToEnd::initTestCase() {
    for (const char* tool : {"Xvfb", "xdotool", "openbox"})
        if (QStandardPaths::findExecutable(QString::fromLatin1(tool)).isEmpty())
            LACUNA_SKIP("Xvfb, openbox and xdotool are not all installed");
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"})
        m_environment.remove(QString::fromLatin1(name));
    m_environment.insert(u"LACUNA_CACHE"_s, u"off"_s);
    m_environment.insert(u"HOME"_s, m_home.path());
    for (const auto& [name, folder] :
         {std::pair("XDG_CONFIG_HOME", "config"), std::pair("XDG_STATE_HOME", "state"),
          std::pair("XDG_RUNTIME_DIR", "runtime")}) {
        QVERIFY(QDir(m_home.path()).mkpath(QString::fromLatin1(folder)));
        QFile::setPermissions(m_home.filePath(QString::fromLatin1(folder)),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_environment.insert(QString::fromLatin1(name), m_home.filePath(QString::fromLatin1(folder)));
    }
    m_display.start(u"Xvfb"_s, {u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1600x1000x24"_s,
                                u"-nolisten"_s, u"tcp"_s, u"-noreset"_s});
    QTRY_VERIFY_WITH_TIMEOUT(m_display.canReadLine(), kPatienceMs);
    m_environment.insert(u"DISPLAY"_s, u':' + QString::fromLatin1(m_display.readLine().trimmed()));
    m_manager.setProcessEnvironment(m_environment);
    m_manager.start(u"openbox"_s, {u"--sm-disable"_s});
    QVERIFY(m_manager.waitForStarted(kPatienceMs));
}

void TstEndToEnd::keyboardAlone_fromOpenToExport() {
    QProcess program;
    startProgram(program, {fixturePath(kTrace.toStdString()), u"--new-window"_s});
    QString window;
    QTRY_VERIFY_WITH_TIMEOUT(!(window = windowNamed(u"item_sync.pt.trace.json.gz"_s)).isEmpty() ||
                                 program.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
    QTRY_VERIFY_WITH_TIMEOUT(isFocused(window), kPatienceMs);

    press(u"g"_s);       // the worst gap
    press(u"shift+n"_s); // its verdict as a callout
    press(u"ctrl+e"_s);
    QString dialog;
    QTRY_VERIFY_WITH_TIMEOUT(!(dialog = windowNamed(u"Export figure"_s)).isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isFocused(dialog), kPatienceMs);
    // Enter does nothing before the preview is there, so it is pressed again until the name is asked for.
    QString file;
    for (int i = 0; i < 4 && file.isEmpty(); ++i) {
        press(u"Return"_s);
        if (QTest::qWaitFor([&] { return !(file = windowNamed(u"Save figure"_s)).isEmpty(); }, 5'000))
            break;
    }
    QVERIFY(!file.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(isFocused(file), kPatienceMs);
    press(u"Return"_s); // the name that is offered
    const QString picture = m_home.filePath(u"item_sync.png"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(picture).size() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(windowNamed(u"Export figure"_s).isEmpty(), kPatienceMs);
    QVERIFY2(m_presses <= kMostPresses, QByteArray::number(m_presses) + " key presses");

    // The callout is in the picture: it is saved with it, so nothing asks on the way out.
    ask({u"key"_s, u"ctrl+q"_s});
    QTRY_VERIFY_WITH_TIMEOUT(program.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);

    // And the picture holds the view: another run draws from it, with the callout.
    const QString again = m_home.filePath(u"again.png"_s), bare = m_home.filePath(u"bare.png"_s);
    const QString trace = fixturePath(kTrace.toStdString());
    Ran ran = runLacuna({u"render"_s, trace, u"--workspace"_s, picture, u"-o"_s, again});
    QVERIFY2(ran.code == 0, ran.err.constData());
    ran = runLacuna({u"render"_s, trace, u"-o"_s, bare});
    QCOMPARE(ran.code, 0);
    QVERIFY(QFileInfo(again).size() > 0);
    QVERIFY(QFileInfo(again).size() != QFileInfo(bare).size());
}

void TstEndToEnd::secondStart_opensATab() {
    const QString copy = m_home.filePath(u"second.json.gz"_s);
    QVERIFY(QFile::copy(fixturePath(kTrace.toStdString()), copy));
    QProcess first, second;
    startProgram(first, {fixturePath(kTrace.toStdString())});
    QTRY_VERIFY_WITH_TIMEOUT(!windowNamed(u"item_sync.pt.trace.json.gz"_s).isEmpty() ||
                                 first.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(first.state() == QProcess::Running, first.readAllStandardError().constData());
    startProgram(second, {u"second.json.gz"_s}); // relative to its own folder
    QTRY_VERIFY_WITH_TIMEOUT(second.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(second.exitCode(), 0);
    QString window;
    QTRY_VERIFY_WITH_TIMEOUT(!(window = windowNamed(u"second.json.gz"_s)).isEmpty(), kPatienceMs);
    QVERIFY(first.state() == QProcess::Running);
    // One window: its title is that of the tab in front.
    QTRY_VERIFY_WITH_TIMEOUT(windowNamed(u"item_sync.pt.trace.json.gz"_s).isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isFocused(window), kPatienceMs);
    ask({u"key"_s, u"ctrl+q"_s});
    QTRY_VERIFY_WITH_TIMEOUT(first.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(first.exitCode(), 0);
}

void TstEndToEnd::cleanupTestCase() {
    for (QProcess* process : {&m_manager, &m_display}) {
        if (process->state() == QProcess::NotRunning)
            continue;
        process->terminate();
        process->waitForFinished(kPatienceMs);
    }
}

LACUNA_TEST(TstEndToEnd, "tst_end_to_end")
#include "tst_end_to_end.moc"
