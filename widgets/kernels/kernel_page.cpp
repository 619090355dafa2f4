#include "widgets/kernels/kernel_page.h"

#include "core/analysis/sample_statistics.h"
#include "core/base/si_text.h"
#include "core/base/text_format.h"
#include "core/ncu/gpu_properties.h"
#include "core/ncu/ncu_command.h"
#include "core/ncu/occupancy.h"
#include "core/view/short_name.h"
#include "widgets/kernels/field_grid.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/plot/kernel_plots.h"
#include "widgets/plot/plot_view.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr int kHistogramHeight = 132, kOverTimeHeight = 112, kOccupancyHeight = 132;

QString sides(const Dim3& dim) {
    return dim.isKnown() ? u"%1 × %2 × %3"_s.arg(dim.x).arg(dim.y).arg(dim.z) : QString();
}

// "174.1 – 180.2 µs"
QString spanText(std::int64_t least, std::int64_t most) {
    const TimeUnit unit = unitFor({most});
    const int decimals = unit == TimeUnit::Ns ? 0 : 1;
    return u"%1 – %2 %3"_s.arg(text(formatIn({least}, unit, decimals)),
                               text(formatIn({most}, unit, decimals)), text(unitName(unit)));
}

class KernelPageMaker {
public:
    explicit KernelPageMaker(const KernelPageInput& input)
        : m_in(input), m_kernels(input.study.facts()->groups), m_trace(*m_kernels.trace),
          m_bundle(input.study.facts()->bundles[*input.bundle]),
          m_group(m_kernels.groups[m_bundle.groups.front()]), m_config(m_kernels.configOf(m_group)),
          m_page(new InspectorPage(input.palette)),
          m_gpu(knownGpu(m_trace.devices()[m_group.device.v].name)) {
        for (const EventId kernel : m_bundle.instances)
            m_durations.push_back(m_trace.events().duration(kernel).v);
        takeLaunch();
    }

    QWidget* make() {
        addHead();
        addStatistics();
        addDurations();
        if (isOneConfiguration())
            addOccupancy();
        addWork();
        addNcuPart(*m_page, m_in);
        addButtons();
        m_page->finish();
        return m_page;
    }

private:
    bool isOneConfiguration() const { return m_bundle.groups.size() == 1; }

    void takeLaunch() {
        const auto shared = m_config.allSharedBytes();
        if (!m_gpu || !m_config.block.isKnown() || !m_config.registersPerThread || !shared ||
            m_config.block.count() > 1024 || *m_config.registersPerThread > 255)
            return;
        m_launch = OccupancyInput{static_cast<int>(m_config.block.count()),
                                  static_cast<int>(*m_config.registersPerThread), 0, *shared};
        m_occupancy = theoreticalOccupancy(*m_gpu, *m_launch);
    }

    void addHead() {
        const QString name = text(shortNames(m_kernels.nameOf(m_group), EventKind::Kernel).front());
        InspectorRow* row = m_page->addRow({inkOf(m_trace, m_bundle.instances.front()),
                                            name,
                                            true,
                                            true,
                                            false,
                                            false,
                                            {},
                                            text(m_kernels.nameOf(m_group))});
        row->setFixedHeight(22);
        QStringList parts{term(familyName(m_group.kind.family))};
        if (m_group.kind.origin != KernelOrigin::Other)
            parts << term(originName(m_group.kind.origin));
        const ReportTable& table = *m_in.study.facts()->report.table;
        if (const std::string badges = table.cellText(*m_in.bundle, *table.findColumn("Badges"));
            !badges.empty())
            parts << text(badges);
        if (const std::string callers = table.cellText(*m_in.bundle, *table.findColumn("Operators"));
            !callers.empty())
            parts << InspectorPage::tr("launched by %1").arg(text(callers));
        m_page->addText(parts.join(u"  ·  "_s), Qt::PlainText, 12, true);
    }

    void addStatistics() {
        const ReportTable& table = *m_in.study.facts()->report.table;
        const auto cell = [&](const char* column) {
            const std::size_t c = *table.findColumn(column);
            return table.isEmpty(*m_in.bundle, c)
                       ? QString()
                       : shownCell(table, m_in.study.facts()->report.looks[c], *m_in.bundle, c);
        };
        m_page->addHeading(InspectorPage::tr("Statistics"),
                           InspectorPage::tr("%1 launch(es)", nullptr, pluralOf(m_bundle.count))
                               .arg(text(formatCount(m_bundle.count))));
        FieldGrid grid(m_in.palette);
        const auto time = [](std::int64_t ns) { return text(formatDuration({ns})); };
        grid.left(InspectorPage::tr("total"), time(m_bundle.totalNs));
        grid.left(InspectorPage::tr("share of kernel time"), text(formatPercent(m_bundle.share)));
        std::vector<std::int64_t> lengths;
        for (const std::size_t i : shownInstances())
            lengths.push_back(m_durations[i]);
        const SampleStatistics figures = sampleStatistics(std::move(lengths));
        grid.left(InspectorPage::tr("mean"), time(std::llround(figures.mean)));
        grid.left(InspectorPage::tr("median"), time(m_bundle.medianNs));
        grid.left(InspectorPage::tr("p95"), time(m_bundle.p95Ns));
        grid.left(InspectorPage::tr("standard deviation"), time(std::llround(figures.deviation)));
        grid.left(InspectorPage::tr("min – max"), spanText(m_bundle.minNs, m_bundle.maxNs));
        if (m_bundle.firstApart > 0)
            grid.left(InspectorPage::tr("first launch, apart"), time(m_bundle.firstApartNs));
        if (const QString drift = cell("Drift"); !drift.isEmpty())
            grid.left(InspectorPage::tr("last third / first third"), InspectorPage::tr("%1 %").arg(drift));
        const std::int64_t exposed = table.number(*m_in.bundle, *table.findColumn("Exposed"));
        grid.left(InspectorPage::tr("exposed"), time(exposed));
        if (m_bundle.totalNs > exposed)
            grid.left(InspectorPage::tr("overlapped"), time(m_bundle.totalNs - exposed));
        addLaunchFields(grid);
        m_page->addWidget(grid.take());
        if (const QString modes = cell("Modes"); !modes.isEmpty())
            m_page->addText(InspectorPage::tr("Several modes: %1").arg(modes), Qt::PlainText, 12);
    }

    void addLaunchFields(FieldGrid& grid) {
        if (isOneConfiguration()) {
            const auto number = [](const auto& value) {
                return value ? text(formatCount(static_cast<std::uint64_t>(*value))) : QString();
            };
            const auto bytes = [](const std::optional<std::uint64_t>& value) {
                return value ? text(formatBytes(*value)) : QString();
            };
            grid.right(InspectorPage::tr("grid"), sides(m_config.grid));
            grid.right(InspectorPage::tr("block"), sides(m_config.block));
            grid.right(InspectorPage::tr("registers per thread"), number(m_config.registersPerThread));
            if (m_config.staticSharedBytes && m_config.dynamicSharedBytes) {
                grid.right(InspectorPage::tr("shared memory, static"), bytes(m_config.staticSharedBytes));
                grid.right(InspectorPage::tr("shared memory, dynamic"), bytes(m_config.dynamicSharedBytes));
            } else {
                grid.right(InspectorPage::tr("shared memory per block"), bytes(m_config.allSharedBytes()));
            }
            grid.right(InspectorPage::tr("local memory per thread"), bytes(m_config.localBytesPerThread));
            if (m_gpu && m_config.grid.isKnown()) {
                const double perSm = static_cast<double>(m_config.grid.count()) / m_gpu->multiprocessors;
                grid.right(InspectorPage::tr("blocks per SM, of the grid"), text(threeDigits(perSm)));
                if (m_occupancy && m_occupancy->blocksPerSm > 0)
                    grid.right(InspectorPage::tr("waves"),
                               text(threeDigits(perSm / m_occupancy->blocksPerSm)));
            }
        }
        const ReportTable& table = *m_in.study.facts()->report.table;
        const auto addDelay = [&](const QString& name, const char* column) {
            if (const std::size_t c = *table.findColumn(column); !table.isEmpty(*m_in.bundle, c))
                grid.right(name, text(formatDuration({table.number(*m_in.bundle, c)})));
        };
        addDelay(InspectorPage::tr("launch latency, median"), "Launch Latency");
        addDelay(InspectorPage::tr("in the queue, median"), "Queued");
    }

    // Without first launches that stand apart: they would hide all others.
    std::vector<std::size_t> shownInstances() const {
        std::vector<EventId> apart;
        for (const std::size_t g : m_bundle.groups)
            if (m_kernels.groups[g].isFirstApart)
                apart.push_back(m_kernels.instancesOf(m_kernels.groups[g]).front());
        std::vector<std::size_t> shown;
        for (std::size_t i = 0; i < m_bundle.instances.size(); ++i)
            if (std::find(apart.begin(), apart.end(), m_bundle.instances[i]) == apart.end())
                shown.push_back(i);
        return shown;
    }

    void addDurations() {
        DurationHistogram histogram;
        DurationsOverTime overTime;
        for (const std::size_t i : shownInstances()) {
            histogram.durationsNs.push_back(m_durations[i]);
            overTime.durationNs.push_back(m_durations[i]);
            overTime.beginNs.push_back(m_trace.events().beginNs[m_bundle.instances[i].v]);
        }
        if (histogram.durationsNs.size() < 2)
            return;
        histogram.medianNs = m_bundle.medianNs;
        histogram.p95Ns = m_bundle.p95Ns;
        if (m_in.instance)
            overTime.selectedBeginNs = m_trace.events().beginNs[m_in.instance.v];
        m_page->addHeading(
            InspectorPage::tr("Duration"),
            InspectorPage::tr("bin %1").arg(text(formatDuration({histogramBin(histogram.durationsNs)}))));
        m_page->addWidget(new PlotView(
            [histogram, palette = m_in.palette](QSize size, const FigureFonts& fonts) {
                return histogramScene(histogram, palette, size, fonts);
            },
            kHistogramHeight));
        m_page->addHeading(InspectorPage::tr("Duration over time"),
                           InspectorPage::tr("%1, at the start of each launch")
                               .arg(text(unitName(unitFor({*std::max_element(overTime.durationNs.begin(),
                                                                             overTime.durationNs.end())})))));
        m_page->addWidget(new PlotView(
            [overTime, palette = m_in.palette](QSize size, const FigureFonts& fonts) {
                return overTimeScene(overTime, palette, size, fonts);
            },
            kOverTimeHeight));
    }

    QString occupancyNote() const {
        if (!occupancyIsBuiltIn())
            return text(occupancySource());
        if (!m_gpu)
            return InspectorPage::tr("this GPU is not in the table");
        if (!m_occupancy)
            return InspectorPage::tr("the trace does not tell the launch");
        const QString share = InspectorPage::tr("%1 of %2 warps, %3")
                                  .arg(m_occupancy->warpsPerSm)
                                  .arg(m_occupancy->maxWarpsPerSm)
                                  .arg(text(formatPercent(m_occupancy->share())));
        return m_occupancy->limiter.empty()
                   ? share
                   : InspectorPage::tr("%1  ·  limited by %2").arg(share, text(m_occupancy->limiter));
    }

    void addOccupancy() {
        m_page->addHeading(InspectorPage::tr("Occupancy, theoretical"), occupancyNote());
        if (m_occupancy)
            m_page->addWidget(new PlotView(
                [gpu = *m_gpu, launch = *m_launch, palette = m_in.palette](QSize size,
                                                                           const FigureFonts& fonts) {
                    return occupancyScene(gpu, launch, palette, size, fonts);
                },
                kOccupancyHeight));
        if (m_config.reportedOccupancyPct)
            m_page->addText(reportedOccupancyText(*m_config.reportedOccupancyPct), Qt::PlainText, 12, true);
        m_page->addText(InspectorPage::tr("A clue, no aim: kernels at the roof may have little of it."),
                        Qt::PlainText, 12, true);
    }

    void addWork() {
        const auto& work = m_in.study.work();
        m_page->addHeading(InspectorPage::tr("Work, from recorded shapes"),
                           work ? term(workCertaintyName(work->certainty)) : QString());
        if (!work) {
            m_page->addText(InspectorPage::tr("Not known: the shapes of its operator are not recorded "
                                              "(record_shapes=True), or there is no formula for it."),
                            Qt::PlainText, 12, true);
            return;
        }
        m_page->addText(u"%1: %2"_s.arg(term(workKindName(work->work.kind)), text(work->work.formula)),
                        Qt::PlainText, 12);
        FieldGrid grid(m_in.palette);
        if (work->work.flop > 0) {
            grid.left(InspectorPage::tr("work"), text(siText(work->work.flop, "FLOP")));
            grid.left(InspectorPage::tr("rate"), text(siText(work->flopPerSecond(), "FLOP/s")));
        }
        if (work->work.bytes > 0) {
            grid.right(InspectorPage::tr("least traffic"),
                       text(formatBytes(static_cast<std::uint64_t>(work->work.bytes))));
            grid.right(InspectorPage::tr("bandwidth, at least"), text(siText(work->bytesPerSecond(), "B/s")));
        }
        m_page->addWidget(grid.take());
        m_page->addText(InspectorPage::tr("Of the launch of %1.%2")
                            .arg(text(formatDuration({work->durationNs})),
                                 work->why.empty() ? QString() : u" "_s + text(work->why) + u"."_s),
                        Qt::PlainText, 12, true);
    }

    void addButtons() {
        auto* line = new QWidget;
        auto* layout = new QHBoxLayout(line);
        layout->setContentsMargins(0, 10, 0, 4);
        layout->setSpacing(10);
        auto* calls = new QPushButton(InspectorPage::tr("Show calls in timeline"));
        auto* command = new QPushButton(InspectorPage::tr("Copy ncu command"));
        layout->addWidget(calls);
        layout->addWidget(command);
        layout->addStretch(1);
        QObject::connect(calls, &QPushButton::clicked, m_page, m_in.showCalls);
        QObject::connect(
            command, &QPushButton::clicked, m_page,
            [this_ = m_in.copy, text_ = text(ncuCommand(m_kernels.nameOf(m_group), NcuCollection::Full,
                                                        m_group.launchesBefore))] { this_(text_); });
        m_page->addWidget(line);
    }

    const KernelPageInput& m_in;
    const KernelGroups& m_kernels;
    const Trace& m_trace;
    const KernelBundle& m_bundle;
    const KernelGroup& m_group; // the largest of the bundle
    const LaunchConfig& m_config;
    InspectorPage* m_page;
    std::optional<GpuProperties> m_gpu;
    std::optional<OccupancyInput> m_launch;
    std::optional<Occupancy> m_occupancy;
    std::vector<std::int64_t> m_durations; // beside the bundle's instances
};

} // namespace

QString reportedOccupancyText(double percent) {
    const QString number = text(threeDigits(percent));
    return percent == 0
               ? InspectorPage::tr("Achieved: %1 % as reported; can be a limit of the capture").arg(number)
               : InspectorPage::tr("Achieved: %1 % as reported by the trace, an estimate").arg(number);
}

QWidget* makeKernelPage(const KernelPageInput& input) {
    if (input.bundle && input.study.facts() != nullptr)
        return KernelPageMaker(input).make();
    auto* page = new InspectorPage(input.palette);
    addKernelChoice(*page, input);
    addNcuPart(*page, input);
    page->finish();
    return page;
}

} // namespace lacuna::ui
