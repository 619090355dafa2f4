// Look-for 5: one kernel that takes most of the time of all kernels.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/window_kernels.h"
#include "core/ncu/ncu_command.h"

namespace lacuna::findings {

namespace {
constexpr std::size_t kShownKernels = 3, kKernelNameLength = 80;
}

Finding dominatingKernel(const FindingContext& context, JobControl& job) {
    Finding finding;
    const WindowKernels all = kernelsOfWindow(context, 0, job);
    if (all.ns == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no kernels here.";
        return finding;
    }
    std::vector<StringId> shown;
    for (std::size_t k = 0; k < all.kernels.size() && k < kShownKernels; ++k)
        shown.push_back(all.kernels[k].name);
    std::vector<std::vector<EventId>> rows = rowsOfKernels(context, shown, 0, job);
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const KernelUse& use = all.kernels[k];
        finding.supports.push_back(
            withRows(context,
                     rowEvidence(context, use.longest,
                                 shareOf(use.ns, all.ns) + ": " +
                                     elideMiddle(context.trace.strings().view(use.name), kKernelNameLength) +
                                     ", " + countOf(use.count, "launch") + ", " + durationText(use.ns) + "."),
                     std::move(rows[k])));
    }
    const KernelUse& top = all.kernels.front();
    const bool isFound = static_cast<double>(top.ns) >=
                         context.threshold(Threshold::DominatingShare) * static_cast<double>(all.ns);
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.costNs = top.ns;
    if (!isFound) {
        finding.suggests = "No kernel takes " + formatPercent(context.threshold(Threshold::DominatingShare)) +
                           " of the kernels' time; the longest takes " + shareOf(top.ns, all.ns) + ".";
        return finding;
    }
    finding.suggests = "One kernel takes " + shareOf(top.ns, all.ns) +
                       " of the kernels' time: what it does, or how, decides the run.";
    finding.against.push_back(plainEvidence(
        "A large share is no defect: a model that is one large multiplication looks like this."));
    if (const std::int64_t idle = gapsOfWindow(context).idleNs; idle > all.ns)
        finding.against.push_back(withWindow(
            context,
            plainEvidence("The GPU idles longer (" + durationText(idle) + ") than its kernels run.")));
    finding.tests.emplace_back("Compare it with the roofline: " +
                               ncuCommand(context.trace.strings().view(top.name), NcuCollection::Full));
    finding.tests.emplace_back("Try another layout, dtype or algorithm for this operation alone.");
    return finding;
}

} // namespace lacuna::findings
