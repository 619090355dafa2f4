// What Nsight Compute measured of a kernel: the five numbers, the diagnosis, why warps stalled, the roofline;
// or the commands that would collect it.

#include "core/base/si_text.h"
#include "core/base/text_format.h"
#include "core/ncu/kernel_diagnosis.h"
#include "core/ncu/ncu_command.h"
#include "core/ncu/roofline.h"
#include "core/view/short_name.h"
#include "widgets/kernels/field_grid.h"
#include "widgets/kernels/kernel_page.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/plot/bound_plot.h"
#include "widgets/plot/kernel_plots.h"
#include "widgets/plot/plot_view.h"
#include "widgets/plot/small_roofline.h"
#include "widgets/terms.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr int kRooflineHeight = 170, kBoundHeight = 168, kNameChars = 44;

QString percent(const std::optional<double>& value) {
    return value ? InspectorPage::tr("%1 %").arg(*value, 0, 'f', 1) : InspectorPage::tr("not measured");
}

QString sectors(const std::optional<double>& value) {
    return value ? QString::number(*value, 'f', 1) : InspectorPage::tr("not measured");
}

class NcuPart {
public:
    NcuPart(InspectorPage& page, const KernelPageInput& input, std::size_t launch)
        : m_page(page), m_in(input), m_file(*input.study.ncu()), m_kernel(m_file.kernels[launch]),
          m_launch(launch), m_diagnosis(diagnose(m_file, m_kernel)) {}

    void add() {
        m_page.addHeading(InspectorPage::tr("Nsight Compute"), text(m_file.fileName));
        if (!m_in.bundle) // else its name is at the top of the page
            m_page.addText(text(m_file.nameOf(m_kernel)), Qt::PlainText, 12)->setFont(uiFont(Face::Mono, 12));
        addChooser();
        addJoin();
        m_page.addText(text(m_diagnosis.verdict), Qt::PlainText, 13)->setContentsMargins(0, 6, 0, 2);
        if (!m_diagnosis.action.empty())
            m_page.addText(text(m_diagnosis.action), Qt::PlainText, 12)->setContentsMargins(0, 0, 0, 4);
        addNumbers();
        addBound();
        for (const KernelFinding& finding : m_diagnosis.findings)
            m_page.addBullet(u"•"_s, text(finding.text));
        addRoofline();
        addStalls();
    }

private:
    void addChooser() {
        if (m_file.kernels.size() < 2)
            return;
        auto* box = new QComboBox;
        box->setAccessibleName(InspectorPage::tr("Profiled launch"));
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        constexpr std::size_t kMostListed = 2'000;
        for (std::size_t k = 0; k < std::min(m_file.kernels.size(), kMostListed); ++k)
            box->addItem(u"%1  %2"_s.arg(m_file.kernels[k].id)
                             .arg(text(elideMiddle(
                                 shortNames(m_file.nameOf(m_file.kernels[k]), EventKind::Kernel).front(),
                                 kNameChars))));
        box->setCurrentIndex(static_cast<int>(std::min(m_launch, kMostListed - 1)));
        QObject::connect(box, &QComboBox::activated, &m_page,
                         [choose = m_in.chooseLaunch](int k) { choose(static_cast<std::size_t>(k)); });
        m_page.addWidget(box, 2);
    }

    // Times of the profiler and of the timeline are not mixed: the profiler's are named as such.
    void addJoin() {
        const auto& joins = m_in.study.joins();
        QString line = InspectorPage::tr("Not joined to the timeline");
        if (m_launch < joins.size() && joins[m_launch].group)
            line = InspectorPage::tr("Joined by %1: %2")
                       .arg(text(joins[m_launch].by), term(joinCertaintyName(joins[m_launch].certainty)));
        if (const auto ns = m_diagnosis.numbers.durationNs)
            line += InspectorPage::tr("; %1 in the profiler").arg(text(formatDuration({*ns})));
        m_page.addText(line, Qt::PlainText, 12, true)->setContentsMargins(0, 3, 0, 0);
    }

    void addNumbers() {
        const KernelNumbers& numbers = m_diagnosis.numbers;
        FieldGrid grid(m_in.palette);
        grid.left(InspectorPage::tr("SM, of peak"), percent(numbers.smPct));
        grid.left(InspectorPage::tr("DRAM, of peak"), percent(numbers.dramPct));
        grid.left(InspectorPage::tr("warps active"), percent(numbers.occupancyPct));
        grid.right(InspectorPage::tr("load sectors per request"), sectors(numbers.loadSectorsPerRequest));
        const Stall* top = m_diagnosis.stalls.top();
        grid.right(InspectorPage::tr("top stall"),
                   top == nullptr ? InspectorPage::tr("not measured") : text(top->id).replace(u'_', u' '));
        if (const std::string limiter = numbers.limits.limiter(); !limiter.empty())
            grid.right(InspectorPage::tr("occupancy limited by"), text(limiter));
        m_page.addWidget(grid.take());
        if (const std::string coalescing = coalescingText(numbers); !coalescing.empty())
            m_page.addText(text(coalescing), Qt::PlainText, 12, true);
    }

    // The two shares as a chart, with the other launches of the file.
    void addBound() {
        constexpr std::size_t kMostPoints = 200;
        BoundPlot plot;
        for (std::size_t k = 0; k < m_file.kernels.size(); ++k) {
            if (k != m_launch && plot.others.size() >= kMostPoints)
                continue;
            const KernelNumbers numbers =
                k == m_launch ? m_diagnosis.numbers : numbersOf(m_file, m_file.kernels[k]);
            if (!numbers.smPct || !numbers.dramPct)
                continue;
            const BoundPoint point{*numbers.smPct, *numbers.dramPct, text(m_file.nameOf(m_file.kernels[k]))};
            if (k == m_launch)
                plot.here = point;
            else
                plot.others.push_back(point);
        }
        if (plot.here)
            m_page.addWidget(new PlotView(
                [plot, palette = m_in.palette](QSize size, const FigureFonts& fonts) {
                    return boundScene(plot, palette, size, fonts);
                },
                kBoundHeight));
    }

    void addRoofline() {
        const Roofline roofline = rooflineOf(m_file);
        SmallRoofline plot;
        for (const RooflinePoint& point : roofline.points)
            if (point.kernel == m_launch && point.level == RoofLevel::Dram &&
                (plot.here.flopPerSecond == 0 || point.flopPerSecond > plot.here.flopPerSecond))
                plot.here = point;
        if (plot.here.flopPerSecond == 0)
            return;
        for (const RooflinePoint& point : roofline.points)
            if (point.kernel != m_launch && point.level == RoofLevel::Dram &&
                point.precision == plot.here.precision)
                plot.others.push_back(point);
        m_page.addHeading(
            InspectorPage::tr("Roofline, %1").arg(text(plot.here.precision)),
            InspectorPage::tr("%1 of the roof").arg(text(formatPercent(1.0 / plot.here.headroom()))));
        m_page.addWidget(new PlotView(
            [plot, palette = m_in.palette](QSize size, const FigureFonts& fonts) {
                return smallRooflineScene(plot, palette, size, fonts);
            },
            kRooflineHeight));
    }

    void addStalls() {
        const Stalls& stalls = m_diagnosis.stalls;
        if (stalls.reasons.empty())
            return;
        m_page.addHeading(InspectorPage::tr("Stall reasons"), term(stallMeasureName(stalls.measure)));
        m_page.addWidget(new PlotView(
            [stalls, palette = m_in.palette](QSize size, const FigureFonts& fonts) {
                return stallScene(stalls, palette, size, fonts);
            },
            stallHeight(stalls)));
        if (const Stall* top = stalls.top(); top != nullptr && top->reason != nullptr)
            m_page.addText(
                InspectorPage::tr("%1: a warp %2. To try: %3.")
                    .arg(text(top->reason->title), text(top->reason->meaning), text(top->reason->action)),
                Qt::PlainText, 12);
    }

    InspectorPage& m_page;
    const KernelPageInput& m_in;
    const NcuFile& m_file;
    const NcuKernel& m_kernel;
    std::size_t m_launch;
    KernelDiagnosis m_diagnosis;
};

// Nothing was measured: how to. Three commands, each with a button.
void addCommands(InspectorPage& page, const KernelPageInput& input) {
    page.addHeading(InspectorPage::tr("Nsight Compute"), InspectorPage::tr("no counters"));
    if (input.bundle) {
        const KernelGroups& kernels = input.study.facts()->groups;
        const KernelGroup& group = kernels.groups[input.study.facts()->bundles[*input.bundle].groups.front()];
        const std::pair<NcuCollection, QString> ways[] = {
            {NcuCollection::Full, InspectorPage::tr("everything")},
            {NcuCollection::Roofline, InspectorPage::tr("roofline")},
            {NcuCollection::FiveNumbers, InspectorPage::tr("five numbers")}};
        page.addText(
            InspectorPage::tr("A trace tells how long a kernel took, not why. PROGRAM stands for yours; "
                              "%1 launches are profiled.")
                .arg(kNcuLaunches),
            Qt::PlainText, 12, true);
        for (const auto& [way, title] : ways) {
            const QString command = text(ncuCommand(kernels.nameOf(group), way, group.launchesBefore));
            auto* line = new QWidget;
            auto* layout = new QHBoxLayout(line);
            layout->setContentsMargins(0, 3, 0, 3);
            layout->setSpacing(8);
            auto* shown = new QLabel;
            shown->setTextFormat(Qt::PlainText);
            shown->setFont(uiFont(Face::Mono, 11));
            shown->setWordWrap(true);
            QString breakable = command; // at underscores; the button copies the command as it is
            shown->setText(breakable.replace(u'_', u"_\u200b"_s));
            shown->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
            auto* copy = new QPushButton(InspectorPage::tr("Copy: %1").arg(title));
            copy->setFont(uiFont(Face::Regular, 12));
            layout->addWidget(shown, 1);
            layout->addWidget(copy, 0, Qt::AlignTop);
            QObject::connect(copy, &QPushButton::clicked, &page,
                             [run = input.copy, command] { run(command); });
            page.addWidget(line);
        }
    }
    if (!input.bundle)
        page.addText(InspectorPage::tr("A trace tells how long a kernel took, not why. A report (.ncu-rep) "
                                       "or its pages as CSV do, joined to the launches of the trace. The "
                                       "command that makes one stands on the page of each kernel."),
                     Qt::PlainText, 12, true)
            ->setContentsMargins(0, 2, 0, 6);
    auto* open = new QPushButton(InspectorPage::tr("Open an Nsight Compute file..."));
    QObject::connect(open, &QPushButton::clicked, &page, input.openNcu);
    page.addWidget(open, 4);
}

} // namespace

void addNcuPart(InspectorPage& page, const KernelPageInput& input) {
    if (input.launch && input.study.ncu() != nullptr && *input.launch < input.study.ncu()->kernels.size())
        NcuPart(page, input, *input.launch).add();
    else
        addCommands(page, input);
}

} // namespace lacuna::ui
