// [B03] The flame graph panel: scope, order, weight, walks, and what a box leads to.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/flame/flame_view.h"
#include "widgets/panels/panel.h"

#include <QComboBox>
#include <QLabel>
#include <QTabBar>

#include <map>

namespace tst_flame_panel {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstFlamePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
        m_view = m_fixture->window().findChild<FlameView*>();
        auto* tabs = m_fixture->window().findChild<QTabBar*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == QStringLiteral("Flame graph"))
                tabs->setCurrentIndex(i);
        QVERIFY(m_view->isVisible());
        QTRY_VERIFY(m_view->graph() != nullptr);
    }
    void cleanup() { m_fixture.reset(); }

    void b03_theRootIsTheWindow() {
        const TimeRange whole = m_fixture->session().document()->trace().window();
        QCOMPARE(m_view->graph()->nodes[0].hostNs, whole.length().v);
        QCOMPARE(scope(), QStringLiteral("whole trace"));
        const TimeRange range{{8'000'000}, {12'000'000}};
        m_fixture->session().selection().set(range, Origin::Command);
        QTRY_COMPARE(m_view->graph()->nodes[0].hostNs, std::int64_t{4'000'000});
        QCOMPARE(scope(), QStringLiteral("marked range"));
        m_fixture->session().selection().clear(Origin::Command);
        const EventId step = m_fixture->session().document()->steps.events[1];
        m_fixture->session().selection().set(step, Origin::Command);
        const std::int64_t length = m_fixture->session().document()->trace().events().duration(step).v;
        QTRY_COMPARE(m_view->graph()->nodes[0].hostNs, length);
        QCOMPARE(scope(), QStringLiteral("selected event"));
    }

    void ordersAndWeights() {
        const std::size_t aggregated = m_view->graph()->nodes.size();
        choose("flameOrder", 0);
        QTRY_VERIFY(m_view->graph() != nullptr && m_view->graph()->nodes.size() > aggregated);
        // In time: boxes of one level ascend as their rows do.
        const Trace& trace = m_fixture->session().document()->trace();
        std::map<std::uint32_t, std::int64_t> last;
        for (const FlameBox& box : m_view->boxes()) {
            const EventId event = m_view->graph()->nodes[box.node].longest;
            if (!event)
                continue;
            const std::int64_t begin = trace.events().beginNs[event.v];
            const auto before = last.find(box.level);
            QVERIFY(before == last.end() || begin >= before->second);
            last[box.level] = begin;
        }
        choose("flameWeight", 2);
        QVERIFY(m_view->graph()->nodes[0].deviceNs > 0);
        QVERIFY(!m_view->boxes().empty());
        QVERIFY(m_view->describe(0).contains(QStringLiteral("GPU ")));
    }

    void aClickLeadsToTheRowAndTheGraphStays() {
        const FlameBox box = m_view->boxes()[2];
        const auto nodes = m_view->graph()->nodes.size();
        QTest::mouseClick(m_view, Qt::LeftButton, {}, m_view->rectOf(box).center().toPoint());
        QCOMPARE(m_fixture->session().selection().event(), m_view->graph()->nodes[box.node].longest);
        QTest::qWait(100);
        QCOMPARE(m_view->graph()->nodes.size(), nodes);
        QCOMPARE(scope(), QStringLiteral("whole trace"));
        QTest::mouseDClick(m_view, Qt::LeftButton, {}, m_view->rectOf(box).center().toPoint());
        QCOMPARE(m_view->focusNode(), box.node);
        QTest::keyClick(m_view, Qt::Key_Backspace);
        QCOMPARE(m_view->focusNode(), m_view->graph()->nodes[box.node].parent);
    }

    void keysWalk() {
        m_view->setFocus();
        QTest::keyClick(m_view, Qt::Key_Down);
        const std::uint32_t child = m_view->currentNode();
        QCOMPARE(m_view->graph()->nodes[child].parent, 0U);
        QTest::keyClick(m_view, Qt::Key_Up);
        QCOMPARE(m_view->currentNode(), 0U);
        QTest::keyClick(m_view, Qt::Key_Down);
        QTest::keyClick(m_view, Qt::Key_Return);
        QCOMPARE(m_view->focusNode(), child);
    }

private:
    void choose(const char* box, int index) {
        m_fixture->window().findChild<QComboBox*>(QString::fromLatin1(box))->setCurrentIndex(index);
    }
    QString scope() {
        return m_fixture->window()
            .findChild<QLabel*>(QStringLiteral("flameScope"))
            ->text()
            .section(u',', 0, 0);
    }

    std::unique_ptr<WindowFixture> m_fixture;
    FlameView* m_view = nullptr;
};

LACUNA_TEST(TstFlamePanel, "tst_flame_panel")

} // namespace tst_flame_panel

#include "tst_flame_panel.moc"
