// Look-for 6: many kernels that are over before the next can be launched.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/window_kernels.h"

#include <algorithm>

namespace lacuna::findings {

namespace {
constexpr std::size_t kShownTinyKernels = 3, kTinyNameLength = 80;
}

Finding tinyKernels(const FindingContext& context, JobControl& job) {
    Finding finding;
    const std::int64_t limit = context.thresholdNs(Threshold::TinyKernelNs);
    WindowKernels all = kernelsOfWindow(context, limit, job);
    if (all.count == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no kernels here.";
        return finding;
    }
    std::string figures = std::to_string(all.tiny) + " of " + countOf(all.count, "kernel") + " (" +
                          shareOf(static_cast<std::int64_t>(all.tiny), static_cast<std::int64_t>(all.count)) +
                          ") are shorter than " + durationText(limit) + "; they hold " +
                          shareOf(all.tinyNs, all.ns) + " of the kernels' time";
    if (const std::string rate = perStepText(context, all.tiny); !rate.empty())
        figures += "; " + rate;
    finding.supports.push_back(
        withRows(context, plainEvidence(figures + "."), tinyRows(context, limit, job)));
    const bool isFound =
        all.tiny != 0 && static_cast<double>(all.tiny) >=
                             context.threshold(Threshold::TinyKernelShare) * static_cast<double>(all.count);
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.costNs = all.tinyNs;
    if (!isFound) {
        finding.suggests = "Most kernels run for " + durationText(limit) + " or longer.";
        return finding;
    }
    finding.suggests = "Work may be fragmented: launching such a kernel can take longer than running it.";
    std::stable_sort(all.kernels.begin(), all.kernels.end(),
                     [](const KernelUse& a, const KernelUse& b) { return a.tiny > b.tiny; });
    std::vector<StringId> shown;
    for (std::size_t k = 0; k < all.kernels.size() && k < kShownTinyKernels && all.kernels[k].tiny != 0; ++k)
        shown.push_back(all.kernels[k].name);
    std::vector<std::vector<EventId>> rows = rowsOfKernels(context, shown, limit, job);
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const EventId first = rows[k].empty() ? all.kernels[k].first : rows[k].front(); // none: cancelled
        finding.supports.push_back(withRows(
            context,
            rowEvidence(context, first,
                        countOf(all.kernels[k].tiny, "tiny launch") + " of " +
                            elideMiddle(context.trace.strings().view(shown[k]), kTinyNameLength) + "."),
            std::move(rows[k])));
    }
    const std::int64_t idle = gapsOfWindow(context).idleNs, whole = context.windowNs();
    finding.against.push_back(withWindow(
        context, plainEvidence("The GPU is busy " + shareOf(whole - idle, whole) +
                               " of the time: where launches are queued ahead, short kernels cost little.")));
    finding.tests.emplace_back("Fuse them: torch.compile, or a fused form of the operation.");
    finding.tests.emplace_back("Capture the sequence in a CUDA graph and compare the step times.");
    return finding;
}

} // namespace lacuna::findings
