// Memory that grows from step to step, and out-of-memory marks.

#include "core/base/ascii.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/memory_levels.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

bool tellsOutOfMemory(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (isLetter(c))
            letters.push_back(lower(c));
    return letters.find("outofmemory") != std::string::npos || letters == "oom";
}

std::vector<EventId> outOfMemoryMarks(const FindingContext& context) {
    std::vector<bool> isMark(context.trace.strings().size());
    bool any = false;
    for (std::uint32_t s = 0; s < isMark.size(); ++s) {
        isMark[s] = tellsOutOfMemory(context.trace.strings().view({s}));
        any = any || isMark[s];
    }
    std::vector<EventId> marks;
    for (std::uint32_t e = 0; any && e < context.events().size(); ++e)
        if (isMark[context.events().name[e].v] && !isDeviceOp(context.events().kind[e]))
            marks.push_back({e});
    return marks;
}

} // namespace

Finding memoryGrowth(const FindingContext& context, JobControl&) {
    Finding finding;
    const std::vector<EventId> marks = outOfMemoryMarks(context);
    const std::vector<MemoryLevel> levels = memoryLevels(context, "allocated");
    bool grows = false;
    for (const MemoryLevel& level : levels) {
        if (level.growth() < context.threshold(Threshold::MemoryGrowth) || level.growth() <= 0 ||
            !std::is_sorted(level.atStepEnds.begin(), level.atStepEnds.end()))
            continue;
        grows = true;
        finding.supports.push_back(withWindow(
            context, plainEvidence(level.name + " rises at the end of each " + context.steps.meaning +
                                   ", from " + formatBytes(static_cast<std::uint64_t>(level.first)) + " to " +
                                   formatBytes(static_cast<std::uint64_t>(level.last)) + " over " +
                                   std::to_string(level.atStepEnds.size()) + ".")));
    }
    for (std::size_t m = 0; m < marks.size() && m < 3; ++m)
        finding.supports.push_back(rowEvidence(
            context, marks[m], "Out of memory: " + std::string(context.trace.nameOf(marks[m])) + "."));
    if (!grows && marks.empty()) {
        finding.state = levels.empty() ? FindingState::Unknown : FindingState::Clear;
        finding.suggests = levels.empty() ? "Memory was not recorded (profile_memory=True)."
                                          : "Memory does not grow from step to step.";
        return finding;
    }
    finding.state = FindingState::Found;
    finding.suggests = marks.empty() ? "Something is kept from step to step."
                                     : "Memory ran out; activations that are retained are one candidate.";
    finding.against.push_back(plainEvidence("Caches fill in the first steps and then stay."));
    finding.tests.emplace_back("Checkpoint activations and record again.");
    finding.tests.emplace_back("Accumulate gradients over smaller batches.");
    finding.tests.emplace_back("Keep losses as numbers (loss.item() outside the loop, or detach()).");
    return finding;
}

} // namespace lacuna::findings
