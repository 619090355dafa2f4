// The Kernels panel and the page of one kernel: figures of mock/kernel_panel.png, walks, Nsight Compute
// files. features.md C76, D01, D02, D19, D20, D25, D42.

#include "app/kernel_control.h"
#include "core/base/text_format.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/kernels/kernel_page.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/panels/kernels_panel.h"
#include "widgets/plot/bound_plot.h"
#include "widgets/plot/kernel_plots.h"
#include "widgets/plot/linear_axis.h"
#include "widgets/plot/plot_output.h"
#include "widgets/plot/plot_view.h"
#include "widgets/tables/report_table_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QXmlStreamReader>

namespace tst_kernel_page {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

namespace {

class KernelFixture : public WindowFixture {
public:
    KernelsPanel& panel() { return *dynamic_cast<KernelsPanel*>(window().panel(QStringLiteral("kernels"))); }
    KernelControl& control() { return *window().findChild<KernelControl*>(); }
    ReportTableView& table() { return *window().findChild<ReportTableView*>(QStringLiteral("kernelTable")); }
    bool openKernels(const std::filesystem::path& file) {
        if (!open(file))
            return false;
        showTab(QStringLiteral("Kernels"));
        return QTest::qWaitFor([&] { return table().rows().rowCount() > 0; }, 30'000);
    }
    void click(int row) {
        const QRect cell = table().visualRect(table().rows().index(row, 0));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cell.center());
    }
    // The row of the mock's kernel: 32 launches of 32 x 8 x 1 blocks.
    int mockRow() {
        const ReportTable& report = *table().rows().table();
        for (int r = 0; r < table().rows().rowCount(); ++r)
            if (report.cellText(table().rows().tableRow(r), *report.findColumn("Grid")) == "32 x 8 x 1")
                return r;
        return -1;
    }
    QStringList pageTexts() {
        QStringList texts;
        QWidget* page = window().findChild<QScrollArea*>(QStringLiteral("kernelPage"))->widget();
        for (const auto* label : page->findChildren<QLabel*>())
            texts << label->text();
        return texts;
    }
    QPushButton* pageButton(const QString& title) {
        QWidget* page = window().findChild<QScrollArea*>(QStringLiteral("kernelPage"))->widget();
        for (auto* button : page->findChildren<QPushButton*>())
            if (button->text() == title)
                return button;
        return nullptr;
    }
};

} // namespace

class TstKernelPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }

    // D02: share, count, spread; the mock's figures.
    void d02_figuresOfOneKernel() {
        KernelFixture fixture;
        QVERIFY(fixture.openKernels(itemSync()));
        QVERIFY(fixture.control().dock().isHidden());
        const int row = fixture.mockRow();
        QVERIFY(row >= 0);
        fixture.click(row);
        QVERIFY(fixture.control().dock().isVisible());
        QStringList texts = fixture.pageTexts();
        for (const char* figure : {"5.617 ms", "31.9 %", "174.9 µs", "179.9 µs", "174.1 – 180.2 µs",
                                   "32 × 8 × 1", "128 × 1 × 1", "255", "33.0 KiB", "1.94"})
            QVERIFY2(texts.contains(QString::fromUtf8(figure)), figure);
        QVERIFY(texts.filter(QStringLiteral("launched by")).front().contains(QStringLiteral("aten::addmm")));
        if (occupancyIsBuiltIn())
            QVERIFY(texts.contains(QStringLiteral("8 of 64 warps, 12.5 %  ·  limited by registers")));
        QVERIFY(texts.contains(QStringLiteral("Achieved: 12.0 % as reported by the trace, an estimate")));
        QVERIFY(texts.contains(QStringLiteral("no counters")));
        // histogram, over time, and occupancy where it is built in
        QCOMPARE(fixture.window()
                     .findChild<QWidget*>(QStringLiteral("kernelDock"))
                     ->findChildren<PlotView*>()
                     .size(),
                 occupancyIsBuiltIn() ? 3 : 2);
    }

    void c76_zeroMayBeALimit() {
        QCOMPARE(reportedOccupancyText(0),
                 QStringLiteral("Achieved: 0 % as reported; can be a limit of the capture"));
    }

    // D01, D18, E19: from the timeline into Nsight Compute.
    void d01_theCommandIsCopied() {
        KernelFixture fixture;
        QVERIFY(fixture.openKernels(itemSync()));
        fixture.click(fixture.mockRow());
        QTest::mouseClick(fixture.pageButton(QStringLiteral("Copy ncu command")), Qt::LeftButton);
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY(command.contains(QStringLiteral("-k regex:")));
        QVERIFY(command.contains(QStringLiteral("sm80_xmma_gemm")));
        QVERIFY(command.contains(QStringLiteral("-c 5")));
        QTest::mouseClick(fixture.pageButton(QStringLiteral("Copy: five numbers")), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(
            QStringLiteral("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")));
    }

    void aRowWalksItsLaunchesAndThePageFollows() {
        KernelFixture fixture;
        QVERIFY(fixture.openKernels(itemSync()));
        const int row = fixture.mockRow();
        fixture.click(row);
        const Trace& trace = fixture.session().document()->trace();
        std::set<std::uint32_t> seen;
        for (int i = 0; i < 32; ++i) {
            const EventId event = fixture.session().selection().event();
            QVERIFY(event);
            QVERIFY(trace.nameOf(event).find("sm80_xmma_gemm") != std::string_view::npos);
            seen.insert(event.v);
            QVERIFY(fixture.window().commands().run(QStringLiteral("instances.next")));
        }
        QCOMPARE(seen.size(), std::size_t{32});
        // Another kernel is selected in the timeline: its page is shown.
        const auto& bundles = fixture.panel().study().facts()->bundles;
        const std::size_t other = fixture.control().bundle() == std::size_t{1} ? 0 : 1;
        fixture.session().selection().set(bundles[other].instances.front(), Origin::Timeline);
        QCOMPARE(fixture.control().bundle(), std::optional(other));
    }

    void groupingsHoldEveryLaunch() {
        KernelFixture fixture;
        QVERIFY(fixture.openKernels(itemSync()));
        const auto launches = [&] {
            std::uint64_t all = 0;
            for (const KernelBundle& bundle : fixture.panel().study().facts()->bundles)
                all += bundle.count;
            return all;
        };
        const std::uint64_t all = launches();
        std::size_t before = fixture.panel().study().facts()->bundles.size();
        for (const KernelGrouping grouping :
             {KernelGrouping::Name, KernelGrouping::Function, KernelGrouping::Family}) {
            QSignalSpy changed(&fixture.panel().study(), &KernelStudy::changed);
            fixture.panel().study().setGrouping(grouping);
            QVERIFY(changed.wait(30'000));
            QCOMPARE(launches(), all);
            const std::size_t now = fixture.panel().study().facts()->bundles.size();
            QVERIFY(now <= before);
            QCOMPARE(static_cast<std::size_t>(fixture.table().rows().rowCount()), now);
            before = now;
        }
    }

    // D19, D20, D25, D42: a report opened without a trace.
    void d19_fiveNumbersOfAFile() {
        KernelFixture fixture;
        const auto file = test::fixture("captured/ncu/kern.ncu-rep.gz");
        QVERIFY(KernelControl::isNcuFile(QString::fromStdString(file.string())));
        QVERIFY(KernelControl::isNcuFile(
            QString::fromStdString(test::fixture("captured/ncu/ncu_raw.csv").string())));
        QVERIFY(!KernelControl::isNcuFile(QString::fromStdString(itemSync().string())));
        QSignalSpy read(&fixture.panel().study(), &KernelStudy::ncuChanged);
        fixture.window().open(QString::fromStdString(file.string())); // as dropped
        QVERIFY(read.wait(30'000));
        QVERIFY(fixture.control().dock().isVisible());
        auto* chooser =
            fixture.window().findChild<QScrollArea*>(QStringLiteral("kernelPage"))->findChild<QComboBox*>();
        QVERIFY(chooser != nullptr);
        QVERIFY(chooser->count() >= 6);
        int strided = -1;
        for (int i = 0; i < chooser->count(); ++i)
            if (chooser->itemText(i).contains(QStringLiteral("stride")))
                strided = i;
        QVERIFY(strided >= 0);
        Q_EMIT chooser->activated(strided);
        const QStringList texts = fixture.pageTexts();
        QVERIFY(!texts.filter(QStringLiteral("Joined by")).size());
        QVERIFY(!texts.filter(QStringLiteral("Not joined to the timeline")).isEmpty());
        QVERIFY(!texts.filter(QStringLiteral("sectors per request")).isEmpty());
        for (const char* field :
             {"SM, of peak", "DRAM, of peak", "warps active", "top stall", "Stall reasons"})
            QVERIFY2(texts.contains(QString::fromUtf8(field)), field);
    }

    // D40: five numbers of each kernel, and what they say.
    void d40_eachKernelOfAFileIsClassified() {
        KernelFixture fixture;
        QSignalSpy read(&fixture.panel().study(), &KernelStudy::ncuChanged);
        fixture.window().open(QString::fromStdString(test::fixture("captured/ncu/ncu_raw.csv").string()));
        QVERIFY(read.wait(30'000));
        const auto chooser = [&] {
            return fixture.window()
                .findChild<QScrollArea*>(QStringLiteral("kernelPage"))
                ->widget()
                ->findChild<QComboBox*>();
        };
        const std::pair<const char*, const char*> kinds[] = {
            {"coalesced", "Memory bound"}, {"fma", "Compute bound"}, {"chase", "Latency bound"}};
        for (const auto& [kernel, verdict] : kinds) {
            const int count = chooser()->count();
            int found = -1;
            for (int i = 0; i < count; ++i)
                if (chooser()->itemText(i).contains(QLatin1String(kernel), Qt::CaseInsensitive))
                    found = i;
            QVERIFY2(found >= 0, kernel);
            Q_EMIT chooser()->activated(found);
            QVERIFY2(!fixture.pageTexts().filter(QLatin1String(verdict)).isEmpty(), kernel);
        }
    }

    // D23: the table as a chart; a dot in its field.
    void d23_chartOfTwoByTwo() {
        const ThemePalette palette = ThemePalette::of(Theme::Light);
        const auto scene = [&](double sm, double dram) {
            BoundPlot plot;
            plot.here = BoundPoint{sm, dram, QStringLiteral("k")};
            return boundScene(plot, palette, QSize(480, 168), FigureFonts::load());
        };
        QVERIFY(scene(20, 20).description.endsWith(QStringLiteral("latency bound")));
        QVERIFY(scene(85, 85).description.endsWith(QStringLiteral("balanced")));
        QStringList fields;
        QPointF low, high;
        for (const auto& item : scene(85, 30).items)
            if (const auto* text = std::get_if<PlotText>(&item))
                fields << text->text;
        for (const char* field : {"latency bound", "compute bound", "memory bound", "balanced"})
            QCOMPARE(fields.count(QLatin1String(field)), 1);
        const auto dot = [](const PlotScene& of) {
            for (const auto& item : of.items)
                if (const auto* found = std::get_if<PlotDot>(&item))
                    return found->centre;
            return QPointF();
        };
        low = dot(scene(25, 75));
        high = dot(scene(75, 25));
        QVERIFY(low.x() > high.x() && low.y() > high.y()); // more DRAM to the right, more SM up
    }

    // Without a chosen kernel the page offers the largest ones.
    void offersKernelsToChooseFrom() {
        KernelFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        QVERIFY(fixture.window().commands().run(QStringLiteral("view.kernel")));
        const auto rows = [&] {
            QList<InspectorRow*> found;
            for (auto* row : fixture.window()
                                 .findChild<QScrollArea*>(QStringLiteral("kernelPage"))
                                 ->widget()
                                 ->findChildren<InspectorRow*>())
                if (row->cursor().shape() == Qt::PointingHandCursor)
                    found << row;
            return found;
        };
        QVERIFY(QTest::qWaitFor([&] { return !rows().isEmpty(); }, 30'000));
        QVERIFY(fixture.pageTexts().contains(QStringLiteral("Choose a kernel")));
        QVERIFY(!fixture.control().bundle());
        const KernelBundle& largest = fixture.panel().study().facts()->bundles.front();
        QVERIFY(rows().front()->accessibleName().contains(
            QString::fromStdString(formatDuration({largest.totalNs}))));
        QTest::mouseClick(rows().front(), Qt::LeftButton);
        QCOMPARE(fixture.control().bundle(), std::optional(std::size_t{0}));
        QCOMPARE(fixture.session().selection().event(), largest.instances.front());
    }

    // Tabs keep their names beside an open page: the tools of the panel take a row of their own.
    void tabsAreNotCutForTools() {
        KernelFixture fixture;
        QVERIFY(fixture.openKernels(itemSync()));
        auto* area = fixture.window().findChild<QWidget*>(QStringLiteral("bottomArea"));
        auto* bar = fixture.window().findChild<QWidget*>(QStringLiteral("bottomBar"));
        auto* tabs = area->findChild<QTabBar*>();
        QWidget* tools = fixture.panel().tabTools();
        for (const int width : {1900, 1100, 1900}) {
            fixture.window().resize(width, 1000);
            QVERIFY(QTest::qWaitFor([&] { return tabs->width() >= tabs->sizeHint().width(); }, 10'000));
            QVERIFY(tools->isVisible());
            QVERIFY(bar->rect().contains(bar->mapFromGlobal(tools->mapToGlobal(tools->rect().center()))));
        }
        QVERIFY(fixture.window().commands().run(QStringLiteral("view.kernel")));
        QVERIFY(fixture.control().dock().isVisible());
        QVERIFY(QTest::qWaitFor([&] { return tabs->width() >= tabs->sizeHint().width(); }, 10'000));
    }

    void ncuFailureIsSaid() {
        KernelFixture fixture;
        QSignalSpy said(&fixture.control(), &KernelControl::said);
        fixture.control().openNcuFile(QString::fromStdString(itemSync().string()));
        QVERIFY(said.wait(30'000));
        QVERIFY(said.front().front().toString().contains(QStringLiteral("could not be opened")));
    }

    void axes() {
        QCOMPARE(roundStep(1.0), 1.0);
        QCOMPARE(roundStep(1.1), 2.0);
        QCOMPARE(roundStep(230.0), 500.0);
        QCOMPARE(roundStep(0.06), 0.1);
        const LinearAxis axis(174.1, 180.2, 0, 610);
        QCOMPARE(axis.at(174.1), 0.0);
        QCOMPARE(axis.at(180.2), 610.0);
        QCOMPARE(axis.ticks(62).size(), std::size_t{6});               // 175 ... 180
        QCOMPARE(histogramBin({174'081, 180'225}), std::int64_t{250}); // as in the mock
        QCOMPARE(histogramBin({5, 5}), std::int64_t{1});
    }

    // Every launch is in one bar, bars are as high as their launches, marks where the figures are.
    void histogramHoldsEveryLaunch() {
        DurationHistogram input;
        for (int i = 0; i < 10; ++i)
            input.durationsNs.push_back(1'000 + 100 * i);
        input.durationsNs.insert(input.durationsNs.end(), 5, 1'000);
        input.medianNs = 1'200;
        input.p95Ns = 1'900;
        const ThemePalette palette = ThemePalette::of(Theme::Light);
        const PlotScene scene = histogramScene(input, palette, QSize(480, 140), FigureFonts::load());
        double height = 0, tallest = 0;
        int bars = 0, dashed = 0;
        for (const auto& item : scene.items) {
            if (const auto* rect = std::get_if<PlotRect>(&item)) {
                ++bars;
                height += rect->rect.height();
                tallest = std::max(tallest, rect->rect.height());
            }
            if (const auto* line = std::get_if<PlotLine>(&item))
                dashed += line->isDashed ? 1 : 0;
        }
        QCOMPARE(bars, 10);
        QCOMPARE(dashed, 2);
        QVERIFY(std::abs(height / tallest - 15.0 / 6.0) < 1e-6);
        QVERIFY(scene.description.contains(QStringLiteral("15 launches")));
    }

    // By the device of figures: texts turned, tips as titles, escaped.
    void plotsAsSvg() {
        PlotScene scene;
        scene.size = QSize(100, 50);
        scene.ground = 0xffffffff;
        scene.title = QStringLiteral("a < b");
        scene.items.emplace_back(PlotDot{{20, 20}, 4, 0xff186143, true, QStringLiteral("k<int> & more")});
        scene.items.emplace_back(PlotDot{{40, 20}, 4, 0xff186143, true, {}});
        scene.items.emplace_back(PlotText{
            {50, 40}, QStringLiteral("slope"), Face::Regular, 12, 0xff000000, PlotText::Anchor::Left, -30});
        scene.items.emplace_back(PlotLine{{{0, 0}, {10, 10}}, 0xff000000, 1, true});
        const QByteArray svg = plotSvg(scene, FigureFonts::load());
        QXmlStreamReader xml(svg);
        int dots = 0, titles = 0, texts = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            dots += xml.name() == u"ellipse" ? 1 : 0;
            titles += xml.name() == u"title" ? 1 : 0;
            if (xml.name() == u"text") {
                ++texts;
                QCOMPARE(xml.attributes().value(QStringLiteral("transform")).toString(),
                         QStringLiteral("rotate(-30 50 40)"));
                QCOMPARE(xml.readElementText(), QStringLiteral("slope"));
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(dots, 2);
        QCOMPARE(titles, 2); // of the picture, and of the dot that has a tip
        QCOMPARE(texts, 1);
        QVERIFY(svg.contains("<title>k&lt;int&gt; &amp; more</title>"));
        QVERIFY(svg.contains("stroke-dasharray"));
    }

    void plotsAreDrawnInBothThemes() {
        const FigureFonts fonts = FigureFonts::load();
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemePalette palette = ThemePalette::of(theme);
            DurationsOverTime input;
            for (int i = 0; i < 5'000; ++i) {
                input.beginNs.push_back(i * 1'000);
                input.durationNs.push_back(100 + i % 7);
            }
            const QImage image = plotImage(overTimeScene(input, palette, QSize(400, 110), fonts), fonts, 2);
            QCOMPARE(image.size(), QSize(800, 220));
            QCOMPARE(image.pixel(799, 219) & 0xffffffu, palette.ink(Ink::Ground) & 0xffffffu);
            bool hasDots = false;
            for (int x = 0; x < 800 && !hasDots; ++x)
                for (int y = 0; y < 220 && !hasDots; ++y)
                    hasDots = (image.pixel(x, y) & 0xffffffu) == (palette.ink(Ink::Kernel) & 0xffffffu);
            QVERIFY(hasDots);
        }
    }
};

LACUNA_TEST(TstKernelPage, "tst_kernel_page")

} // namespace tst_kernel_page

#include "tst_kernel_page.moc"
