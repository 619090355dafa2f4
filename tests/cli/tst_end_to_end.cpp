// The whole way of a person with the keyboard alone, on the real program under an X server of its own with a
// window manager: open, find the worst gap, annotate it, export the figure, with at most twelve key presses
// after opening. Waits for states (windows, files), never for times. Then: a second start hands its file to
// the running window.

#include "tests/cli/cli_run.h"
#include "tests/support/access_bus.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QFileInfo>

#include <memory>

namespace tst_end_to_end {

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
    void cleanupTestCase() { m_desktop.reset(); }

private:
    void press(const QString& key) {
        m_desktop->xdotool({u"key"_s, u"--clearmodifiers"_s, key});
        m_presses += pressesOf(key);
    }

    std::unique_ptr<TestDesktop> m_desktop;
    int m_presses = 0;
};

void TstEndToEnd::initTestCase() {
    if (const QString tool = TestDesktop::missing(false); !tool.isEmpty())
        LACUNA_SKIP(qPrintable(tool + u" is not installed"_s));
    m_desktop = std::make_unique<TestDesktop>();
    QVERIFY(m_desktop->start(false));
}

void TstEndToEnd::keyboardAlone_fromOpenToExport() {
    QProcess program;
    m_desktop->startProgram(program, {fixturePath(kTrace.toStdString()), u"--new-window"_s});
    QString window;
    QTRY_VERIFY_WITH_TIMEOUT(!(window = m_desktop->windowNamed(u"item_sync.pt.trace.json.gz"_s)).isEmpty() ||
                                 program.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->isFocused(window), kPatienceMs);

    press(u"g"_s);       // the worst gap
    press(u"shift+n"_s); // its verdict as a callout
    press(u"ctrl+e"_s);
    QString dialog;
    QTRY_VERIFY_WITH_TIMEOUT(!(dialog = m_desktop->windowNamed(u"Export figure"_s)).isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->isFocused(dialog), kPatienceMs);
    // Enter does nothing before the preview is there, so it is pressed again until the name is asked for.
    QString file;
    for (int i = 0; i < 4 && file.isEmpty(); ++i) {
        press(u"Return"_s);
        if (QTest::qWaitFor([&] { return !(file = m_desktop->windowNamed(u"Save figure"_s)).isEmpty(); },
                            5'000))
            break;
    }
    QVERIFY(!file.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->isFocused(file), kPatienceMs);
    press(u"Return"_s); // the name that is offered
    const QString picture = m_desktop->home() + u"/item_sync.png"_s;
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(picture).size() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->windowNamed(u"Export figure"_s).isEmpty(), kPatienceMs);
    QVERIFY2(m_presses <= kMostPresses, QByteArray::number(m_presses) + " key presses");

    // The callout is in the picture: it is saved with it, so nothing asks on the way out.
    m_desktop->xdotool({u"key"_s, u"ctrl+q"_s});
    QTRY_VERIFY_WITH_TIMEOUT(program.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);

    // And the picture holds the view: another run draws from it, with the callout.
    const QString again = m_desktop->home() + u"/again.png"_s, bare = m_desktop->home() + u"/bare.png"_s;
    const QString trace = fixturePath(kTrace.toStdString());
    Ran ran = runLacuna({u"render"_s, trace, u"--workspace"_s, picture, u"-o"_s, again});
    QVERIFY2(ran.code == 0, ran.err.constData());
    ran = runLacuna({u"render"_s, trace, u"-o"_s, bare});
    QCOMPARE(ran.code, 0);
    QVERIFY(QFileInfo(again).size() > 0);
    QVERIFY(QFileInfo(again).size() != QFileInfo(bare).size());
}

void TstEndToEnd::secondStart_opensATab() {
    const QString copy = m_desktop->home() + u"/second.json.gz"_s;
    QVERIFY(QFile::copy(fixturePath(kTrace.toStdString()), copy));
    QProcess first, second;
    m_desktop->startProgram(first, {fixturePath(kTrace.toStdString())});
    QTRY_VERIFY_WITH_TIMEOUT(!m_desktop->windowNamed(u"item_sync.pt.trace.json.gz"_s).isEmpty() ||
                                 first.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(first.state() == QProcess::Running, first.readAllStandardError().constData());
    m_desktop->startProgram(second, {u"second.json.gz"_s}); // relative to its own folder
    QTRY_VERIFY_WITH_TIMEOUT(second.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(second.exitCode(), 0);
    QString window;
    QTRY_VERIFY_WITH_TIMEOUT(!(window = m_desktop->windowNamed(u"second.json.gz"_s)).isEmpty(), kPatienceMs);
    QVERIFY(first.state() == QProcess::Running);
    // One window: its title is that of the tab in front.
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->windowNamed(u"item_sync.pt.trace.json.gz"_s).isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_desktop->isFocused(window), kPatienceMs);
    m_desktop->xdotool({u"key"_s, u"ctrl+q"_s});
    QTRY_VERIFY_WITH_TIMEOUT(first.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(first.exitCode(), 0);
}

LACUNA_TEST(TstEndToEnd, "tst_end_to_end")

} // namespace tst_end_to_end

#include "tst_end_to_end.moc"
