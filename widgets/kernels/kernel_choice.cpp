// The page without a chosen kernel: how to choose one, and those that take most of the time.

#include "core/base/text_format.h"
#include "core/view/short_name.h"
#include "widgets/kernels/kernel_page.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/text.h"

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr std::size_t kOffered = 15, kTipChars = 2'000;

void addSentence(InspectorPage& page, const QString& sentence) {
    page.addText(sentence, Qt::PlainText, 12.5, true)->setContentsMargins(0, 2, 0, 6);
}

void addRows(InspectorPage& page, const KernelPageInput& input, const KernelFacts& facts) {
    const KernelGroups& kernels = facts.groups;
    page.addRow({{},
                 InspectorPage::tr("kernel"),
                 false,
                 false,
                 true,
                 false,
                 {InspectorPage::tr("launches"), InspectorPage::tr("total"), InspectorPage::tr("share")},
                 {},
                 58,
                 78});
    const std::size_t shown = std::min(kOffered, facts.bundles.size());
    for (std::size_t b = 0; b < shown; ++b) {
        const KernelBundle& bundle = facts.bundles[b];
        const std::string_view name = kernels.nameOf(kernels.groups[bundle.groups.front()]);
        QString title = text(shortNames(name, EventKind::Kernel).front());
        if (input.study.grouping() == KernelGrouping::Family)
            title = text(familyName(kernels.groups[bundle.groups.front()].kind.family));
        page.addRow({inkOf(*kernels.trace, bundle.instances.front()),
                     title,
                     true,
                     false,
                     false,
                     false,
                     {text(formatCount(bundle.count)), text(formatDuration({bundle.totalNs})),
                      text(formatPercent(bundle.share))},
                     text(elideMiddle(name, kTipChars)),
                     58,
                     78},
                    [choose = input.chooseKernel, b] { choose(b); });
    }
    if (facts.bundles.size() > shown)
        addSentence(page, InspectorPage::tr("%1 more are in the Kernels panel below the timeline.")
                              .arg(text(formatCount(facts.bundles.size() - shown))));
}

} // namespace

void addKernelChoice(InspectorPage& page, const KernelPageInput& input) {
    const KernelFacts* facts = input.study.facts();
    if (!input.hasDocument) {
        if (input.study.ncu() == nullptr)
            addSentence(page,
                        InspectorPage::tr("No trace is open. This page shows one kernel: its times, its "
                                          "occupancy and what Nsight Compute measured of it."));
        return;
    }
    page.addHeading(InspectorPage::tr("Choose a kernel"), InspectorPage::tr("the largest total first"));
    if (facts == nullptr) {
        addSentence(page, input.study.isComputing()
                              ? InspectorPage::tr("The kernels of the trace are being counted...")
                              : InspectorPage::tr("The kernels of the trace are not counted yet."));
    } else if (facts->bundles.empty()) {
        addSentence(page, InspectorPage::tr("There are no kernels here: the trace has none, or the marked "
                                            "range has none."));
    } else {
        addSentence(page, InspectorPage::tr("Click one in the timeline or in the Kernels panel, or one of "
                                            "these."));
        addRows(page, input, *facts);
    }
}

} // namespace lacuna::ui
