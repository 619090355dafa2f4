// Small comforts of the window: less motion, the wheel, callouts by mouse, arrows that lead out of the view,
// all events behind a row of a table.

#include "app/desktop_motion.h"
#include "tests/support/event_text.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/text.h"
#include "widgets/timeline/arrow_painter.h"
#include "widgets/timeline/callouts.h"
#include "widgets/timeline/timeline_view.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QWheelEvent>

namespace tst_comfort {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstComfort : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void desktopsAskInTheirOwnWords_data() {
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<int>("expected"); // -1: it says nothing
        const QString common = u"org.freedesktop.appearance"_s, gnome = u"org.gnome.desktop.interface"_s,
                      kde = u"org.kde.kdeglobals.KDE"_s;
        QTest::newRow("common, reduced") << common << u"reduced-motion"_s << QVariant(1U) << 1;
        QTest::newRow("common, no wish") << common << u"reduced-motion"_s << QVariant(0U) << 0;
        QTest::newRow("gnome, off") << gnome << u"enable-animations"_s << QVariant(false) << 1;
        QTest::newRow("gnome, on") << gnome << u"enable-animations"_s << QVariant(true) << 0;
        QTest::newRow("kde, instant") << kde << u"AnimationDurationFactor"_s << QVariant(u"0"_s) << 1;
        QTest::newRow("kde, slow") << kde << u"AnimationDurationFactor"_s << QVariant(u"1.5"_s) << 0;
        QTest::newRow("kde, no number") << kde << u"AnimationDurationFactor"_s << QVariant(u""_s) << -1;
        QTest::newRow("another key") << gnome << u"gtk-theme"_s << QVariant(u"x"_s) << -1;
    }
    void desktopsAskInTheirOwnWords() {
        QFETCH(QString, group);
        QFETCH(QString, key);
        QFETCH(QVariant, value);
        QFETCH(int, expected);
        const auto asked = asksForStillness(group, key, value);
        QCOMPARE(asked ? int(*asked) : -1, expected);
    }

    void desktopMotion_tellsWhenItChanges() {
        DesktopMotion motion;
        QSignalSpy changed(&motion, &DesktopMotion::changed);
        motion.take(u"org.gnome.desktop.interface"_s, u"enable-animations"_s, false);
        QVERIFY(motion.isReduced());
        motion.take(u"org.freedesktop.appearance"_s, u"reduced-motion"_s, 0U); // one of them asks still
        QVERIFY(motion.isReduced());
        motion.take(u"org.gnome.desktop.interface"_s, u"enable-animations"_s, true);
        QVERIFY(!motion.isReduced());
        QCOMPARE(changed.size(), 2);
    }

    void lessMotion_isASwitchAndTheDesktopsWish() {
        CommandRegistry& commands = m_fixture->window().commands();
        ThemeControl& theme = m_fixture->theme();
        const auto duration = [] {
            return QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration);
        };
        theme.setReducedMotion(false);
        const int flash = QApplication::cursorFlashTime();
        commands.refresh();
        QVERIFY(commands.run(u"view.reducedMotion"_s));
        QVERIFY(theme.isMotionReduced());
        QCOMPARE(duration(), 0);
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_FadeMenu));
        QVERIFY(commands.action(u"view.reducedMotion"_s)->isChecked());
        m_fixture->window().close(); // and is remembered
        QVERIFY(m_fixture->state().layout().reducedMotion);
        QVERIFY(commands.run(u"view.reducedMotion"_s));
        QVERIFY(!theme.isMotionReduced());
        QVERIFY(duration() > 0);
        QCOMPARE(QApplication::cursorFlashTime(), flash);
        theme.setDesktopMotion(true);
        commands.refresh();
        QVERIFY(theme.isMotionReduced());
        QVERIFY(!commands.action(u"view.reducedMotion"_s)->isEnabled()); // nothing to choose
        theme.setDesktopMotion(false);
        QVERIFY(!theme.isMotionReduced());
    }

    void plainWheel_zoomsAndIsRemembered() {
        CommandRegistry& commands = m_fixture->window().commands();
        view().fit({{5'000'000}, {9'000'000}}, 0.0);
        const auto wheel = [this] {
            const QPointF at = timeline().lanesRect().center();
            QWheelEvent event(at, timeline().viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(timeline().viewport(), &event);
        };
        const auto before = view().viewport().nsPerPx;
        wheel();
        QCOMPARE(view().viewport().nsPerPx, before);
        commands.refresh();
        QVERIFY(commands.run(u"view.plainWheelZooms"_s));
        wheel();
        QVERIFY(view().viewport().nsPerPx < before);
        m_fixture->window().close();
        QVERIFY(m_fixture->state().layout().plainWheelZooms);
    }

    void doubleClickBesideEvents_writesACallout() {
        const GapId worst = document().gaps->byRank().front();
        view().fit(document().gaps->gap(worst).range, 0.1);
        // A place of the steps' row above its bars is no event; else under them.
        const TimelineRow& row = *view().rowAt(0);
        const QPoint at = timeline().lanesRect().topLeft() + QPoint(300, 1);
        if (!std::holds_alternative<LaneId>(view().at(QPointF(300, 1))))
            QSKIP("the row has no empty place here");
        QTest::mouseDClick(timeline().viewport(), Qt::LeftButton, {}, at);
        auto* title = timeline().findChild<QLineEdit*>(u"calloutTitle"_s);
        QVERIFY(title != nullptr);
        QTest::keyClicks(title, u"Here"_s);
        QTest::keyClick(title, Qt::Key_Return);
        const auto notes = m_fixture->session().annotations().callouts();
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].laneKey, row.key);
        QCOMPARE(notes[0].title, std::string("Here"));
        QVERIFY(!notes[0].written.empty());
        const auto pixel = static_cast<std::int64_t>(view().viewport().nsPerPx) + 1;
        QVERIFY(std::abs((notes[0].time - view().viewport().timeAt(300)).v) <= pixel);
    }

    void calloutTool_drawsTheRangeOfACallout() {
        CommandRegistry& commands = m_fixture->window().commands();
        view().fit({{5'000'000}, {9'000'000}}, 0.0);
        commands.refresh();
        QVERIFY(commands.run(u"annotate.tool"_s));
        QVERIFY(timeline().hasCalloutTool());
        QVERIFY(commands.action(u"annotate.tool"_s)->isChecked());
        QTest::keyClick(&timeline(), Qt::Key_Escape); // lays it down
        QVERIFY(!timeline().hasCalloutTool());
        QVERIFY(commands.run(u"annotate.tool"_s));
        const QPoint origin = timeline().lanesRect().topLeft();
        QWidget* canvas = timeline().viewport();
        QTest::mousePress(canvas, Qt::LeftButton, {}, origin + QPoint(200, 40));
        QTest::mouseMove(canvas, origin + QPoint(260, 40));
        QTest::mouseMove(canvas, origin + QPoint(300, 40));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, origin + QPoint(300, 40));
        QVERIFY(!timeline().hasCalloutTool());
        auto* title = timeline().findChild<QLineEdit*>(u"calloutTitle"_s);
        QVERIFY(title != nullptr);
        const auto range = m_fixture->session().selection().range();
        QVERIFY(range);
        QTest::keyClick(title, Qt::Key_Return);
        const auto notes = m_fixture->session().annotations().callouts();
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].time, range->begin);
        QCOMPARE(notes[0].end, std::optional(range->end));
    }

    // A click on a chip goes to the end of the arrow, Alt+Left comes back.
    void chipOfAnArrow_leadsToItsEnd() {
        const Trace& trace = document().trace();
        EventId launch;
        for (const Gap& gap : document().gaps->gaps())
            if (gap.launch && gap.next) {
                launch = gap.launch;
                break;
            }
        QVERIFY(launch);
        view().goTo(launch, Origin::Command);
        const TimeRange range = trace.events().range(launch);
        view().fit({range.begin, range.begin + DurationNs{range.length().v}}, 0.0);
        const auto chips = arrowChips(view().scene(), FigureFonts::load());
        if (chips.empty())
            QSKIP("the operation begins inside the view");
        const TimeRange before = view().viewport().range();
        const QPoint at = chips[0].rect.center().toPoint() + timeline().lanesRect().topLeft();
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(m_fixture->session().selection().event(), chips[0].target);
        view().goBack();
        QCOMPARE(view().viewport().range().begin, before.begin);
    }

    // In the corner of the lanes, while there are arrows: what the styles in view mean, and no others.
    void arrowsInView_areExplained() {
        EventId kernel, launch;
        for (const Gap& gap : document().gaps->gaps())
            if (gap.launch && gap.next) {
                launch = gap.launch;
                kernel = gap.next;
                break;
            }
        QVERIFY(kernel);
        const EventTable& events = document().trace().events();
        view().goTo(kernel, Origin::Command);
        view().fit({events.range(launch).begin, events.range(kernel).end}, 0.5);
        const FigureFonts fonts = FigureFonts::load();
        const auto textsOf = [](const ArrowLegend& shown) {
            QStringList texts;
            for (const ArrowLegend::Entry& entry : shown.entries)
                texts << entry.text;
            return texts;
        };
        const QString owns = QStringLiteral("belongs to: launch \u2192 kernel");
        const ArrowLegend legend = arrowLegend(view().scene(), fonts);
        QCOMPARE(textsOf(legend), QStringList{owns});
        const QPoint corner = legend.rect.topLeft().toPoint() + timeline().lanesRect().topLeft();
        const auto pixel = [&] {
            return timeline().viewport()->grab().toImage().pixelColor(corner *
                                                                      timeline().devicePixelRatioF());
        };
        const QColor border = ThemePalette::of(Theme::Light).color(Ink::Border);
        QCOMPARE(pixel(), border);

        Frame frame = *view().scene().frame;
        TimelineScene scene = view().scene();
        scene.frame = &frame;
        frame.arrows.resize(2);
        frame.arrows[0].style = ArrowStyle::Dependency;
        frame.arrows[1].skewed = true;
        QCOMPARE(textsOf(arrowLegend(scene, fonts)),
                 QStringList({owns, QStringLiteral("is waited for"),
                              QStringLiteral("begins before its launch ended")}));
        frame.arrows[1].count = 2; // told by the count of its fan, and by the sign where its end is outside
        QCOMPARE(textsOf(arrowLegend(scene, fonts)), QStringList({owns, QStringLiteral("is waited for")}));
        frame.arrows[1].from = launch;
        frame.arrows[1].to = kernel;
        frame.arrows[1].toOutside = true;
        QCOMPARE(textsOf(arrowLegend(scene, fonts)).back(), QStringLiteral("begins before its launch ended"));
        frame.arrows.resize(1);
        QCOMPARE(textsOf(arrowLegend(scene, fonts)), QStringList{QStringLiteral("is waited for")});

        m_fixture->session().selection().clear(Origin::Command);
        QVERIFY(textsOf(arrowLegend(view().scene(), fonts)).isEmpty());
        QVERIFY(pixel() != border);
    }

    // Both ends: a kernel tells where its launch is, a launch of many how many there are.
    void chipsOfArrows_tellBothEnds() {
        QVERIFY(m_fixture->open(test::fixture("captured/torch/decode_cuda_graph.pt.trace.json.gz")));
        const Trace& trace = document().trace();
        EventId kernel, launch;
        for (const auto& gap : document().gaps->gaps())
            if (gap.next && gap.launch &&
                trace.events().endNs[gap.launch.v] < trace.events().beginNs[gap.next.v] - 1'000'000) {
                kernel = gap.next;
                launch = gap.launch;
                break;
            }
        QVERIFY(kernel);
        const auto chipsAt = [this, &trace](EventId event) {
            view().goTo(event, Origin::Command);
            view().fit(trace.events().range(event), 0.0);
            return arrowChips(view().scene(), FigureFonts::load());
        };
        const auto ofKernel = chipsAt(kernel);
        QCOMPARE(ofKernel.size(), std::size_t{1});
        QCOMPARE(ofKernel[0].target, launch);
        const DurationNs away = trace.events().range(launch).begin - trace.events().range(kernel).begin;
        QCOMPARE(ofKernel[0].text, QString(QChar(0x2190)) + QStringLiteral(" python3 483, ") +
                                       QString::fromStdString(formatDuration(away)));
        const auto ofLaunch = chipsAt(launch);
        QCOMPARE(ofLaunch.size(), std::size_t{1});
        QVERIFY2(
            ofLaunch[0].text.startsWith(QString(QChar(0x2192)) + QStringLiteral(" 50 kernels, stream 7, +")),
            qPrintable(ofLaunch[0].text));
    }

    void manyChosenEvents_areSummed() {
        const Trace& trace = document().trace();
        std::vector<EventId> events;
        std::int64_t sum = 0;
        for (std::uint32_t e = 0; e < trace.events().size() && events.size() < 50; ++e)
            if (trace.events().kind[e] == EventKind::Kernel) {
                events.push_back({e});
                sum += trace.events().duration({e}).v;
            }
        m_fixture->session().selection().setEvents(events, Origin::Table);
        QVERIFY(!view().measurement());
        QStringList said;
        for (const QLabel* label : m_fixture->window().panel(u"inspector"_s)->findChildren<QLabel*>())
            said << label->text();
        QVERIFY2(said.contains(text(formatExact({sum}))), qPrintable(said.join(u'|')));
        QVERIFY(said.contains(u"95th percentile"_s));
        QCOMPARE(view().scene().emphasis.outlined.size(), events.size());
    }

    // [1, 2, 3, 4, 5] ms: mean 3, median 3, standard deviation 1.5811, 1 to 5. Of any events that are chosen.
    void a17_statisticsOfChosenEvents() {
        WindowFixture fixture;
        std::vector<std::string> rows;
        for (int k = 1; k <= 5; ++k)
            rows.push_back(test::rowText("kernel", "k", 10'000 * k, 1'000 * k, "{'device':0,'stream':7}", 7));
        std::string joined;
        for (const std::string& row : rows)
            joined += (joined.empty() ? "" : ",") + row;
        QFile file(fixture.folder() + u"/five.json"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(test::q(test::objectForm(joined))));
        file.close();
        QVERIFY(fixture.open(file.fileName().toStdString()));
        std::vector<EventId> events;
        const Trace& trace = fixture.session().document()->trace();
        for (std::uint32_t e = 0; e < trace.events().size(); ++e)
            events.push_back({e});
        QCOMPARE(events.size(), std::size_t{5});
        fixture.session().selection().setEvents(events, Origin::Table);
        QStringList said;
        for (const QLabel* label : fixture.window().panel(u"inspector"_s)->findChildren<QLabel*>())
            said << label->text();
        const auto figure = [&](const QString& name) { return said.value(said.indexOf(name) + 1); };
        QCOMPARE(figure(u"sum"_s), text(formatExact({15'000'000})));
        QCOMPARE(figure(u"mean"_s), text(formatExact({3'000'000})));
        QCOMPARE(figure(u"median"_s), text(formatExact({3'000'000})));
        QCOMPARE(figure(u"standard deviation"_s), text(formatExact({1'581'139})));
        QCOMPARE(figure(u"shortest"_s), text(formatExact({1'000'000})));
        QCOMPARE(figure(u"longest"_s), text(formatExact({5'000'000})));
    }

private:
    const Document& document() { return *m_fixture->session().document(); }
    TimelineViewModel& view() { return m_fixture->view(); }
    TimelineView& timeline() { return m_fixture->window().timeline(); }
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstComfort, "tst_comfort")

} // namespace tst_comfort

#include "tst_comfort.moc"
