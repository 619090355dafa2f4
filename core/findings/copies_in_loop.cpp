// Look-for 3: copies between host and device in every step. A steady loop on the device needs none; a step
// that takes new input needs one, which should run beside other work.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/host_copies.h"

namespace lacuna::findings {

namespace {

constexpr std::size_t kShownCopyGroups = 3;

std::string groupSentence(const FindingContext& context, const CopyGroup& group) {
    std::string text = countOf(group.count, "copy") + " " + std::string(directionTitle(group.kind));
    if (const std::string rate = perStepText(context, group.count); !rate.empty())
        text += " (" + rate + ")";
    if (group.bytes != 0) // told
        text += ", " + formatBytes(static_cast<std::uint64_t>(group.bytes));
    text += ", " + durationText(group.ns);
    if (group.isPageable)
        text += ", pageable memory";
    if (!group.site.api.empty())
        text += ", in " + group.site.text();
    if (group.waited != 0)
        text += "; the host waited for " + std::to_string(group.waited) + " of them";
    return text + ".";
}

} // namespace

Finding copiesInLoop(const FindingContext& context, JobControl& job) {
    Finding finding;
    const HostCopies copies = copiesOfWindow(context, job);
    if (copies.count == 0) {
        finding.suggests = "No copy between host and device.";
        return finding;
    }
    finding.costNs = copies.exposedNs;
    for (std::size_t g = 0; g < copies.groups.size() && g < kShownCopyGroups; ++g)
        finding.supports.push_back(withRows(
            context, rowEvidence(context, copies.groups[g].longest, groupSentence(context, copies.groups[g])),
            copies.groups[g].rows));
    finding.supports.push_back(
        withRows(context,
                 plainEvidence("Exposed, with no other work on the GPU: " + durationText(copies.exposedNs) +
                               " of " + durationText(copies.ns) + "."),
                 copies.rows()));
    if (context.measuredSteps() == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests =
            countOf(copies.count, "copy") +
            " between host and device; without steps the trace does not tell whether they repeat.";
        return finding;
    }
    const double perStep = static_cast<double>(copies.count) / static_cast<double>(context.measuredSteps());
    const bool isFound = perStep >= context.threshold(Threshold::CopiesPerStep);
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.suggests =
        isFound ? "Data crosses between host and device in the loop: input that is not copied ahead, or "
                  "values that are read back."
                : "Copies are rarer than steps.";
    if (copies.exposedNs == 0)
        finding.against.push_back(plainEvidence("All of it ran beside other work on the GPU."));
    finding.against.push_back(plainEvidence(
        "A step that takes new input needs its copy; a decode loop in steady state needs none."));
    if (isFound) {
        if (copies.pageable != 0)
            finding.tests.emplace_back(
                "Pin the host memory and copy with non_blocking=True, then record again.");
        finding.tests.emplace_back(
            copies.waited != 0
                ? "Keep the value on the device for one run: the copy and its wait go together."
                : "Copy one step ahead on a stream of its own and compare the step times.");
    }
    return finding;
}

} // namespace lacuna::findings
