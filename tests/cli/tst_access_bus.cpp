// What a screen reader is told, asked of the real program over the accessibility bus: the timeline is a table
// of lanes, the worst gap is a cell with its verdict, and a cell can be pressed.

#include "tests/cli/cli_run.h"
#include "tests/support/access_bus.h"
#include "tests/support/test_main.h"

namespace tst_access_bus {

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatienceMs = 60'000; // states are waited for; nothing here is a speed limit
} // namespace

class TstAccessBus : public QObject {
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
    void timeline_isATableOfLanesAndGaps();

private:
    std::unique_ptr<TestDesktop> m_desktop;
};

void TstAccessBus::timeline_isATableOfLanesAndGaps() {
    const TestDesktop& desktop = *m_desktop;
    QProcess program;
    desktop.startProgram(program, {fixturePath("captured/torch/item_sync.pt.trace.json.gz"),
                                   u"--new-window"_s, u"--goto"_s, u"gap:1"_s});
    AccessNode application, timeline;
    QTRY_VERIFY_WITH_TIMEOUT(!(application = desktop.application(u"lacuna"_s)).isNull() ||
                                 program.state() == QProcess::NotRunning,
                             kPatienceMs);
    QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
    QTRY_VERIFY_WITH_TIMEOUT(!(timeline = desktop.find(application, u"table"_s, u"Timeline"_s)).isNull(),
                             kPatienceMs);

    // The worst gap is selected: its cell says so, with the sentence of the inspector.
    AccessNode gap;
    const auto selected = [&] {
        for (int row = 0; row < 60; ++row) {
            for (int column = 0; column < 200; ++column) {
                const AccessNode here = desktop.cellOf(timeline, row, column);
                if (here.isNull())
                    break;
                if (desktop.nameOf(here).startsWith(u"GPU idle, "_s) &&
                    desktop.has(here, TestDesktop::Selected)) {
                    gap = here;
                    return true;
                }
            }
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(selected(), kPatienceMs);
    constexpr unsigned kTableCell = 56; // ATSPI_ROLE_TABLE_CELL
    QCOMPARE(desktop.ask(gap, "Accessible", "GetRole").toUInt(), kTableCell);
    const QString verdict = desktop.descriptionOf(gap);
    QVERIFY2(verdict.startsWith(u"Observed: GPU 0 ran out of work."_s), qPrintable(verdict));
    QCOMPARE(desktop.descriptionOf(timeline), verdict);
    const QRect place = desktop.rectOf(timeline), at = desktop.rectOf(gap);
    QVERIFY(place.width() > 400 && place.height() > 200);
    QVERIFY2(place.contains(at.center()), "the cell lies outside of its table");

    // Lanes are rows with their titles; a kernel is a cell that can be pressed, and then it is selected.
    QStringList rows;
    AccessNode kernel;
    for (int row = 0; row < 60; ++row) {
        const QString title = desktop.ask(timeline, "Table", "GetRowDescription", {row}).toString();
        if (!title.isEmpty())
            rows << title;
        if (const AccessNode first = desktop.cellOf(timeline, row, 0);
            kernel.isNull() && title.startsWith(u"stream 7"_s) && !first.isNull())
            kernel = first;
    }
    QVERIFY2(rows.contains(u"CUDA API"_s), qPrintable(rows.join(u", "_s)));
    QVERIFY2(rows.contains(u"stream 7, compute, copies"_s), qPrintable(rows.join(u", "_s)));
    QVERIFY(!kernel.isNull());
    const QString name = desktop.nameOf(kernel);
    QVERIFY2(!name.isEmpty(), "a cell without a name");
    desktop.ask(kernel, "Action", "DoAction", {0});
    QTRY_VERIFY_WITH_TIMEOUT(!desktop.descriptionOf(timeline).startsWith(u"Observed: "_s), kPatienceMs);
    QVERIFY2(name.contains(desktop.descriptionOf(timeline).section(u", starts"_s, 0, 0)) ||
                 desktop.descriptionOf(timeline).contains(name.section(u", "_s, 0, 0)),
             qPrintable(name + u'\n' + desktop.descriptionOf(timeline)));

    desktop.xdotool({u"key"_s, u"ctrl+q"_s});
    QTRY_VERIFY_WITH_TIMEOUT(program.state() == QProcess::NotRunning, kPatienceMs);
    QCOMPARE(program.exitCode(), 0);
}

LACUNA_TEST(TstAccessBus, "tst_access_bus")

} // namespace tst_access_bus

#include "tst_access_bus.moc"
