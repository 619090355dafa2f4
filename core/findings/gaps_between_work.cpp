// Look-for 1: times without any work on a device, and what most of them come from.

#include "core/findings/builtin.h"

#include <algorithm>
#include <array>
#include <map>

namespace lacuna::findings {

namespace {

constexpr std::size_t kShownGroups = 3;

struct GroupShare {
    std::uint32_t group = 0;
    std::int64_t ns = 0;
    std::size_t count = 0;
    WindowGap worst;
};

std::vector<GroupShare> groupsOfWindow(const FindingContext& context, const std::vector<WindowGap>& gaps) {
    std::map<std::uint32_t, GroupShare> byGroup;
    for (const WindowGap& gap : gaps) {
        GroupShare& share = byGroup[context.gapAnalysis->gap(gap.id).group];
        share.group = context.gapAnalysis->gap(gap.id).group;
        share.ns = saturatingAdd(share.ns, gap.ns);
        ++share.count;
        if (gap.ns > share.worst.ns)
            share.worst = gap;
    }
    std::vector<GroupShare> groups;
    groups.reserve(byGroup.size());
    for (const auto& [number, share] : byGroup)
        groups.push_back(share);
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupShare& a, const GroupShare& b) { return a.ns > b.ns; });
    return groups;
}

std::string_view testOf(GapClass cls) {
    switch (cls) {
    case GapClass::Sync:
        return "Remove the wait, or move it behind the next launch, and record again: the gap goes if the "
               "wait "
               "made it.";
    case GapClass::Launch:
        return "Capture the sequence in a CUDA graph or compile it, and record again.";
    case GapClass::Host:
        return "Leave the named host work out of one run and compare the step times.";
    case GapClass::Copy:
        return "Pin the host memory (pin_memory=True, non_blocking=True) and record again.";
    case GapClass::Data:
        return "Feed the same batch again and again: the gaps go if loading makes them.";
    case GapClass::Allocation:
        return "Allocate once before the loop and record again.";
    default:
        return "Open the longest gap: the inspector names what the trace tells about it.";
    }
}

} // namespace

Finding gapsBetweenWork(const FindingContext& context, JobControl&) {
    Finding finding;
    const std::int64_t whole = context.windowNs();
    const WindowGaps found = gapsOfWindow(context);
    if (whole == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no device work here, so it has no gaps between it.";
        return finding;
    }
    finding.costNs = found.idleNs;
    const bool isFound = static_cast<double>(found.idleNs) >=
                         context.threshold(Threshold::GapShare) * static_cast<double>(whole);
    finding.state = isFound && found.idleNs > 0 ? FindingState::Found : FindingState::Clear;
    const std::vector<GroupShare> groups = groupsOfWindow(context, found.gaps);
    std::string sum = countOf(found.gaps.size(), "gap") + ", " + durationText(found.idleNs) + " in all, " +
                      shareOf(found.idleNs, whole) + " of " + context.windowTitle;
    if (groups.empty()) {
        finding.suggests = "The GPU was never without work.";
        return finding;
    }
    const auto worst = std::max_element(found.gaps.begin(), found.gaps.end(),
                                        [](const WindowGap& a, const WindowGap& b) { return a.ns < b.ns; });
    finding.supports.push_back(
        withWindow(context, gapEvidence(context, worst->id,
                                        sum + "; the longest took " + durationText(worst->ns) + ".")));
    for (std::size_t g = 0; g < groups.size() && g < kShownGroups; ++g) {
        const GapGroup& group = context.gapAnalysis->groups()[groups[g].group];
        finding.supports.push_back(withWindow(
            context,
            gapEvidence(context, groups[g].worst.id,
                        durationText(groups[g].ns) + " in " + countOf(groups[g].count, "gap") + ": " +
                            std::string(classTitle(classOf(group.cause))) + ", " + group.where + ".")));
    }
    const GapClass leading = classOf(context.gapAnalysis->groups()[groups.front().group].cause);
    finding.suggests =
        isFound
            ? "The GPU waits for the host or for other work; most of the time belongs to the class \u201c" +
                  std::string(classTitle(leading)) + "\u201d."
            : "Idle time is small: gaps are not what limits this run.";
    if (isFound)
        finding.tests.emplace_back(testOf(leading));
    if (found.leftOutNs != 0)
        finding.against.push_back(withWindow(
            context, plainEvidence(durationText(found.leftOutNs) +
                                   " of start-up and profiler gaps are left out of these figures.")));
    finding.against.push_back(
        plainEvidence("The profiler slows the host and not the GPU: without it gaps may be shorter."));
    return finding;
}

} // namespace lacuna::findings
