// The panel Memory: what was in use at the peak, the curves, and what it says where nothing was recorded.

#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/plot/memory_plot.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QLabel>

namespace tst_memory_panel {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstMemoryPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    // The figures of tst_memory_reports.
    void torch_showsThePeak() {
        const auto file = test::shared("traces/captured/torch/train_memory.pt.trace.json.gz");
        if (!file)
            LACUNA_SKIP("the captured traces are not here");
        QVERIFY(m_fixture->open(*file));
        show();
        QTRY_COMPARE_WITH_TIMEOUT(table().rows().rowCount(), 7, 20'000);
        QCOMPARE(cell(0, 1), u"aten::clamp_min"_s);
        QCOMPARE(cell(6, 1), u"(allocated before the trace)"_s);
        const auto* notes = m_fixture->window().findChild<QLabel*>(u"memoryNotes"_s);
        QVERIFY(notes->text().startsWith(u"GPU 0: peak allocated 504 MiB at "_s));
        // A row leads to the mark of its largest block.
        Q_EMIT table().rowPointed(0, false);
        const EventId event = m_fixture->session().selection().event();
        QVERIFY(event && m_fixture->session().document()->trace().nameOf(event) == "[memory]");
        // Curves: what was given out, and the reserve.
        m_fixture->window().findChild<QComboBox*>(u"memoryReport"_s)->setCurrentIndex(1);
        QTRY_COMPARE_WITH_TIMEOUT(table().rows().rowCount(), 2, 20'000);
        // In a range with nothing of the peak.
        m_fixture->session().selection().set(TimeRange{{16'000'000}, {16'500'000}}, Origin::Command);
        QTRY_VERIFY_WITH_TIMEOUT(table().rows().rowCount() == 2 && cell(0, 2) == u"340 282 368"_s, 20'000);
    }

    // A click on the curve shows that time.
    void plot_leadsToItsTime() {
        const auto file = test::shared("traces/captured/torch/train_memory.pt.trace.json.gz");
        if (!file)
            LACUNA_SKIP("the captured traces are not here");
        QVERIFY(m_fixture->open(*file));
        show();
        auto* plot = m_fixture->window().findChild<PickPlot*>(u"memoryPlot"_s);
        QVERIFY(plot->isVisible());
        QVERIFY(plot->scene().description.contains(u"most in use 504.6 MiB"_s));
        const PlotPick& pick = plot->picks()[plot->picks().size() / 2];
        m_fixture->view().fit({{1'000'000}, {2'000'000}}, 0.0);
        QTest::mouseClick(plot, Qt::LeftButton, {}, pick.area.center().toPoint());
        const TimeRange view = m_fixture->view().viewport().range();
        const std::int64_t middle = view.begin.v + view.length().v / 2;
        const TimeRange all = m_fixture->view().extent();
        const std::int64_t half = all.begin.v + all.length().v / 2;
        QVERIFY(std::abs(middle - half) < all.length().v / 50);
    }

    void nsys_showsCurvesOnly() {
        QVERIFY(m_fixture->open(test::fixture("captured/nsys/stall.sqlite")));
        show();
        QTRY_COMPARE_WITH_TIMEOUT(table().rows().rowCount(), 2, 20'000);
        QVERIFY(!m_fixture->window().findChild<QComboBox*>(u"memoryReport"_s)->isVisible());
        QCOMPARE(m_fixture->window().findChild<QComboBox*>(u"memoryCurves"_s)->count(), 2);
        const auto row = cell(0, 1).startsWith(u"Device"_s) ? 0 : 1;
        QCOMPARE(cell(row, 2), u"603 979 776"_s);
    }

    void nothingRecorded_saysHow() {
        QVERIFY(m_fixture->open(test::itemSync()));
        show();
        QTRY_VERIFY_WITH_TIMEOUT(table().accessibleDescription().contains(u"profile_memory=True"_s), 20'000);
        QVERIFY(!m_fixture->window().findChild<PickPlot*>(u"memoryPlot"_s)->isVisible());
    }

    // Two samples in a pixel: the larger is drawn and told; before the first nothing is known.
    void plot_keepsTheLargestOfAColumn() {
        CounterTrack track;
        track.name = "GPU 0 memory allocated";
        track.unit = "B";
        for (const auto& [ns, bytes] :
             {std::pair<std::int64_t, double>{500, 1024}, {501, 4096}, {502, 2048}}) {
            track.timeNs.push_back(ns);
            track.value.push_back(bytes);
        }
        const FigureFonts fonts = FigureFonts::load();
        const MemoryPlot plot = memoryPlot({u"GPU 0 memory"_s, {&track}, {{0}, {1'000}}},
                                           ThemePalette::of(Theme::Light), {300, 150}, fonts);
        QVERIFY(plot.made.picks.front().tip.endsWith(u"not recorded"_s));
        QVERIFY(plot.made.picks.back().tip.endsWith(u"allocated 2.0 KiB"_s));
        QVERIFY(plot.made.scene.description.contains(u"most in use 4.0 KiB at 501"_s));
    }

private:
    void show() { QVERIFY(m_fixture->window().commands().run(u"panels.memory"_s)); }
    ReportTableView& table() { return *m_fixture->window().findChild<ReportTableView*>(u"memoryTable"_s); }
    QString cell(int row, int column) {
        return table().model()->index(row, column).data().toString().replace(QChar(0x2009), u' ');
    }

    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstMemoryPanel, "tst_memory_panel")

} // namespace tst_memory_panel

#include "tst_memory_panel.moc"
