// Elementwise, copy or reduce kernels with a large share: little arithmetic for the memory they move, which
// points at the algorithm or its fusion rather than at the kernels.

#include "core/analysis/kernel_family.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/window_kernels.h"

#include <algorithm>
#include <array>

namespace lacuna::findings {

namespace {

struct FamilyUse {
    KernelFamily family = KernelFamily::Other;
    std::int64_t ns = 0;
    std::size_t count = 0;
    const KernelUse* longest = nullptr;
    std::vector<StringId> names{};
};

std::vector<EventId> rowsOfAll(const std::vector<std::vector<EventId>>& byName) {
    std::vector<EventId> all;
    for (const std::vector<EventId>& rows : byName)
        all.insert(all.end(), rows.begin(), rows.end());
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

Finding kernelClasses(const FindingContext& context, JobControl& job) {
    constexpr std::size_t kNameLength = 80;
    Finding finding;
    const WindowKernels all = kernelsOfWindow(context, 0, job);
    if (all.ns == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no kernels here.";
        return finding;
    }
    std::array<FamilyUse, 3> uses{
        {{KernelFamily::Elementwise}, {KernelFamily::Copy}, {KernelFamily::Reduce}}};
    for (const KernelUse& kernel : all.kernels) {
        const KernelFamily family = classifyKernel(context.trace.strings().view(kernel.name)).family;
        for (FamilyUse& use : uses)
            if (use.family == family) {
                use.ns = saturatingAdd(use.ns, kernel.ns);
                use.count += kernel.count;
                use.names.push_back(kernel.name);
                use.longest = use.longest == nullptr ? &kernel : use.longest; // kernels come by time
            }
    }
    std::string found;
    for (const FamilyUse& use : uses) {
        if (use.longest == nullptr)
            continue;
        const std::string name(familyName(use.family));
        finding.supports.push_back(withRows(
            context,
            rowEvidence(context, use.longest->longest,
                        name + ": " + shareOf(use.ns, all.ns) + " of the kernels' time in " +
                            countOf(use.count, "launch") + "; most in " +
                            elideMiddle(context.trace.strings().view(use.longest->name), kNameLength) + "."),
            rowsOfAll(rowsOfKernels(context, use.names, 0, job))));
        if (static_cast<double>(use.ns) <
            context.threshold(Threshold::ClassShare) * static_cast<double>(all.ns))
            continue;
        found += (found.empty() ? "" : " and ") + name;
        finding.costNs += use.ns;
    }
    if (found.empty()) {
        finding.suggests = "Simple kernels take a small part of the time.";
        return finding;
    }
    finding.state = FindingState::Found;
    finding.suggests = "Kernels of the class \u201c" + found +
                       "\u201d take a large share for trivial arithmetic: "
                       "the algorithm, or what is not fused, may be the matter.";
    finding.against.push_back(
        plainEvidence("Classes are read out of kernel names; generated kernels may do more than they say."));
    finding.tests.emplace_back("Fuse them (torch.compile) and compare the bytes moved, not the kernels.");
    return finding;
}

} // namespace lacuna::findings
