// Tabs of reports below the timeline, and the list of those that have no room.

#include "app/bottom_area.h"
#include "core/report/builtin.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QMenu>
#include <QToolButton>

namespace tst_report_tabs {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstReportTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void everyReportOfATabIsThere() {
        for (const PanelEntry& entry : builtinPanels())
            for (const std::string_view name : entry.reports.reports)
                QVERIFY2(findReport(name) != nullptr, std::string(name).c_str());
    }

    void tabsBeginWithTheirReport_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("next");
        const auto row = [](const char* id, const char* title, const char* report, const char* next) {
            QTest::newRow(id) << QString::fromLatin1(id) << QString::fromLatin1(title)
                              << QString::fromLatin1(report) << QString::fromLatin1(next);
        };
        row("operators", "Operators", "ops", "key_averages");
        row("api", "API", "api", "cuda_api_sum");
        row("copies", "Copies", "copies", "cuda_gpu_mem_time_sum");
        row("phases", "Phases", "phases", "nvtx_gpu_proj_sum");
        row("streams", "Streams", "streams", "overlap");
    }
    void tabsBeginWithTheirReport() {
        QFETCH(QString, id);
        QFETCH(QString, title);
        QFETCH(QString, report);
        QFETCH(QString, next);
        Panel* panel = m_fixture->window().panel(id);
        QVERIFY(panel != nullptr);
        QCOMPARE(panel->title(), title);
        auto* table = panel->findChild<ReportTableView*>(id + u"Table"_s);
        QVERIFY(m_fixture->window().commands().run(u"panels."_s + id));
        const auto shows = [&](const QString& name) {
            return QTest::qWaitFor([&] { return table->reportName() == name && !table->isArranging(); },
                                   30'000);
        };
        QVERIFY(shows(report));
        QVERIFY(table->rows().rowCount() > 0);
        auto* choice = panel->findChild<QComboBox*>(id + u"Choice"_s);
        QCOMPARE(choice->currentText(), text(findReport(report.toStdString())->summary));
        choice->setCurrentIndex(1);
        QVERIFY(shows(next));
        // It comes back when the widgets are made anew.
        const QVariantMap kept = panel->kept();
        choice->setCurrentIndex(0);
        QVERIFY(shows(report));
        panel->restore(kept);
        QVERIFY(shows(next));
        // A marked range restricts it, and says so.
        m_fixture->session().selection().set(TimeRange{{0}, {1'000}}, Origin::Command);
        QVERIFY(QTest::qWaitFor([&] { return table->reportName() == next && table->rows().rowCount() == 0; },
                                30'000));
        auto* chip = m_fixture->window().findChild<QToolButton*>(id + u"Range"_s);
        QVERIFY(chip->isVisible());
    }

    void figuresOfTheTab() {
        auto* table = m_fixture->window().panel(u"api"_s)->findChild<ReportTableView*>(u"apiTable"_s);
        QVERIFY(m_fixture->window().commands().run(u"panels.api"_s));
        QTRY_VERIFY(table->rows().rowCount() > 0);
        const ReportTable& rows = *table->rows().table();
        QStringList waits;
        for (std::size_t row = 0; row < rows.rows(); ++row)
            if (rows.text(row, *rows.findColumn("Blocks")) == "yes")
                waits << text(rows.text(row, *rows.findColumn("Call")));
        QCOMPARE(waits.join(u' '), u"cudaStreamSynchronize cudaDeviceSynchronize"_s);
    }

    // The ten of the window are there at 1200 px; the others stand in the list until they are opened.
    void tabsAreNotCut_data() {
        QTest::addColumn<int>("width");
        for (const int width : {1600, 1200, 1100, 960})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void tabsAreNotCut() {
        QFETCH(int, width);
        m_fixture->window().resize(width, 800);
        QApplication::processEvents();
        auto* area = m_fixture->window().findChild<BottomArea*>();
        auto* tabs = area->findChild<QTabBar*>();
        auto* more = area->findChild<QToolButton*>(u"morePanels"_s);
        const auto check = [&] {
            QApplication::processEvents();
            int right = 0;
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isTabVisible(i))
                    right = std::max(right, tabs->tabRect(i).right());
            QVERIFY2(right < tabs->width(), qPrintable(u"%1 of %2"_s.arg(right).arg(tabs->width())));
            QVERIFY(tabs->mapTo(area, QPoint(tabs->width(), 0)).x() <= area->width());
            QVERIFY(more->isVisible());
            QVERIFY(more->mapTo(area, QPoint(more->width(), 0)).x() <= area->width());
            QVERIFY(tabs->isTabVisible(tabs->currentIndex()));
        };
        check();
        if (width >= 1200) {
            QStringList listed;
            for (const Panel* panel : area->listed())
                listed << panel->title();
            QCOMPARE(listed.join(u", "_s), u"Ranks, Annotations, Reports, Search, Flame graph"_s);
        }
        // From the list, by the keyboard's way: the panel is shown and its tab stays.
        more->menu()->popup(QPoint());
        QAction* last = more->menu()->actions().back();
        const QString title = last->text();
        last->trigger();
        more->menu()->close();
        QCOMPARE(area->current()->title(), title);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), title);
        check();
        m_fixture->window().commands().run(u"panels.gaps"_s);
        check();
    }

private:
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstReportTabs, "tst_report_tabs")

} // namespace tst_report_tabs

#include "tst_report_tabs.moc"
