// The whole way of a person with one button of the mouse and no key: open, find the worst gap, annotate it,
// export the figure, quit. What there is to click, and where, is asked of the accessibility bus, as is every
// state that is waited for.

#include "tests/cli/cli_run.h"
#include "tests/support/access_bus.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QFileInfo>

namespace tst_end_to_end_mouse {

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatienceMs = 60'000; // states are waited for; nothing here is a speed limit
const QString kTrace = u"item_sync.pt.trace.json.gz"_s;
} // namespace

class TstEndToEndMouse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString tool = TestDesktop::missing(true); !tool.isEmpty())
            LACUNA_SKIP(qPrintable(tool + u" is not installed"_s));
        m_desktop = std::make_unique<TestDesktop>();
        if (!m_desktop->start(true))
            LACUNA_SKIP("no accessibility bus could be started here");
    }
    void cleanupTestCase() { m_desktop.reset(); }
    void oneButton_fromOpenToExport();

private:
    // Waits for it, below the window of that title, and clicks into its middle.
    bool clickOn(const QString& window, const QString& role, const QString& name, int times = 1);
    bool chooseFromMenu(const QString& menu, const QString& entry);
    AccessNode windowOf(const QString& title) const;

    std::unique_ptr<TestDesktop> m_desktop;
    AccessNode m_application;
};

AccessNode TstEndToEndMouse::windowOf(const QString& title) const {
    for (const AccessNode& child : m_desktop->childrenOf(m_application))
        if (m_desktop->nameOf(child).contains(title) && m_desktop->has(child, TestDesktop::Showing))
            return child;
    return {};
}

bool TstEndToEndMouse::clickOn(const QString& window, const QString& role, const QString& name, int times) {
    AccessNode found;
    const bool there = QTest::qWaitFor(
        [&] {
            const AccessNode top = windowOf(window);
            return !top.isNull() && !(found = m_desktop->find(top, role, name)).isNull() &&
                   m_desktop->has(found, TestDesktop::Enabled);
        },
        kPatienceMs);
    if (there)
        m_desktop->click(m_desktop->rectOf(found).center(), times);
    return there;
}

bool TstEndToEndMouse::chooseFromMenu(const QString& menu, const QString& entry) {
    return clickOn(kTrace, u"menu item"_s, menu) && clickOn(kTrace, u"menu item"_s, entry);
}

void TstEndToEndMouse::oneButton_fromOpenToExport() {
    const TestDesktop& desktop = *m_desktop;
    QVERIFY(
        QFile::copy(fixturePath("captured/torch/" + kTrace.toStdString()), desktop.home() + u'/' + kTrace));
    QProcess program;
    desktop.startProgram(program, {u"--new-window"_s});
    QTRY_VERIFY_WITH_TIMEOUT(!(m_application = desktop.application(u"lacuna"_s)).isNull() ||
                                 program.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());

    // Open: the dialog shows the folder in which the program was started.
    QVERIFY(clickOn(u"Lacuna"_s, u"push button"_s, u"Open..."_s));
    constexpr int kLeastList = 250; // the list of places beside it is narrower
    AccessNode file;
    const auto isListed = [&] {
        const AccessNode dialog = windowOf(u"Open a trace"_s);
        const AccessNode list =
            dialog.isNull() ? AccessNode() : desktop.find(dialog, [&](const AccessNode& node) {
                return (desktop.roleOf(node) == u"list"_s || desktop.roleOf(node) == u"tree"_s) &&
                       desktop.rectOf(node).width() > kLeastList;
            });
        for (const AccessNode& item : list.isNull() ? std::vector<AccessNode>() : desktop.childrenOf(list))
            if (desktop.nameOf(item) == kTrace)
                file = item;
        return !file.isNull();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isListed(), kPatienceMs);
    desktop.click(desktop.rectOf(file).center(), 2);

    // The worst gap is the first row of the table; the inspector then gives the verdict.
    AccessNode row;
    const auto hasRow = [&] {
        const AccessNode window = windowOf(kTrace);
        const AccessNode table =
            window.isNull() ? AccessNode() : desktop.find(window, u"tree"_s, u"Idle gaps, worst first"_s);
        for (const AccessNode& item : table.isNull() ? std::vector<AccessNode>() : desktop.childrenOf(table))
            if (desktop.roleOf(item) == u"tree item"_s && row.isNull() && !desktop.nameOf(item).isEmpty())
                row = item;
        return !row.isNull();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasRow(), kPatienceMs);
    desktop.click(desktop.rectOf(row).center());
    const auto hasVerdict = [&] {
        return !desktop
                    .find(windowOf(kTrace),
                          [&](const AccessNode& node) {
                              return desktop.nameOf(node).contains(u"ran out of work"_s);
                          })
                    .isNull();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasVerdict(), kPatienceMs);

    QVERIFY(chooseFromMenu(u"Annotate"_s, u"Callout with the verdict"_s));
    QVERIFY(chooseFromMenu(u"File"_s, u"Export figure..."_s));
    QVERIFY(clickOn(u"Export figure"_s, u"push button"_s, u"Save..."_s));
    QVERIFY(clickOn(u"Save figure"_s, u"push button"_s, u"Save"_s)); // under the name that is offered
    const QString picture = desktop.home() + u"/item_sync.png"_s;
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(picture).size() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(windowOf(u"Export figure"_s).isNull(), kPatienceMs);
    QVERIFY(chooseFromMenu(u"File"_s, u"Quit"_s));
    QTRY_VERIFY_WITH_TIMEOUT(program.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(program.exitCode(), 0);

    // The picture holds the view with the callout: drawn again from it, it is another one than without.
    const QString again = desktop.home() + u"/again.png"_s, bare = desktop.home() + u"/bare.png"_s;
    const QString trace = desktop.home() + u'/' + kTrace;
    Ran ran = runLacuna({u"render"_s, trace, u"--workspace"_s, picture, u"-o"_s, again});
    QVERIFY2(ran.code == 0, ran.err.constData());
    ran = runLacuna({u"render"_s, trace, u"-o"_s, bare});
    QCOMPARE(ran.code, 0);
    QVERIFY(QFileInfo(again).size() != QFileInfo(bare).size());
}

LACUNA_TEST(TstEndToEndMouse, "tst_end_to_end_mouse")

} // namespace tst_end_to_end_mouse

#include "tst_end_to_end_mouse.moc"
