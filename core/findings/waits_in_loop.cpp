// Synchronisation inside the measured loop. Each call has a price even where nothing is waited for.

#include "core/findings/builtin.h"
#include "core/findings/host_waits.h"

#include <algorithm>

namespace lacuna::findings {

Finding waitsInLoop(const FindingContext& context, JobControl&) {
    Finding finding;
    if (context.measuredSteps() == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no steps, so nothing tells what is inside the loop.";
        return finding;
    }
    std::vector<HostWait> waits = waitsOfWindow(context);
    std::erase_if(waits, [](const HostWait& wait) { return wait.isCopy; });
    if (waits.empty()) {
        finding.suggests = "No synchronisation call inside the measured steps.";
        return finding;
    }
    finding.state = FindingState::Found;
    const auto count = static_cast<std::int64_t>(waits.size());
    std::int64_t drained = 0;
    for (const HostWait& wait : waits)
        drained = saturatingAdd(drained, wait.drainedNs);
    finding.costNs = drained;
    finding.suggests =
        "Each synchronisation inside the loop costs time of its own and stops the host from running ahead.";
    finding.supports.push_back(withRows(
        context,
        plainEvidence(countOf(waits.size(), "call") + " in " +
                      countOf(context.measuredSteps(), context.steps.meaning) + ", typical cost " +
                      durationText(count * context.thresholdNs(Threshold::WaitCostLowNs)) + " to " +
                      durationText(count * context.thresholdNs(Threshold::WaitCostHighNs)) + " in total."),
        callsOf(waits)));
    const auto sites = waitsBySite(context, waits);
    for (std::size_t s = 0; s < sites.size() && s < 3; ++s)
        finding.supports.push_back(
            withRows(context,
                     rowEvidence(context, sites[s].longest.call,
                                 countOf(sites[s].count, "call") + " of " + sites[s].site.text() + "."),
                     sites[s].rows));
    finding.against.push_back(drained == 0
                                  ? plainEvidence("No idle time follows them in this trace.")
                                  : withWindow(context, plainEvidence("Idle time that they let happen: " +
                                                                      durationText(drained) + ".")));
    finding.tests.emplace_back("Wait once, behind the last step, and compare the mean step time.");
    return finding;
}

} // namespace lacuna::findings
