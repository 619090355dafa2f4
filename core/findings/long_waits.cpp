// Look-for 2: long waits of the host for the device. A wait is a symptom where the GPU is busy, and a cause
// where the GPU runs dry behind it; threads that are blocked in the operating system are no finding.

#include "core/findings/builtin.h"
#include "core/findings/host_waits.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

constexpr std::size_t kShownSites = 3;

// Gap, the wait that let it happen, and where that was called: three links.
void addChain(const FindingContext& context, const WaitSite& site, Finding& finding) {
    const HostWait& wait = site.worstDrain;
    finding.supports.push_back(
        gapEvidence(context, wait.drained,
                    "The GPU then had nothing to run for " +
                        durationText(context.gapAnalysis->gap(wait.drained).length().v) + "."));
    const HostSite where = hostSiteOf(context, wait.call);
    finding.supports.push_back(
        rowEvidence(context, wait.call,
                    "Before it the host waited " + durationText(wait.ns) + " in " + where.text() + "."));
    if (!where.frame.empty())
        finding.supports.push_back(plainEvidence("Called from " + where.frame + "."));
    else
        finding.supports.push_back(
            plainEvidence(context.trace.facts().pythonRecorded
                              ? "No Python frame is around the call."
                              : "Called from: not recorded (with_stack=True shows the line)."));
}

} // namespace

Finding longWaits(const FindingContext& context, JobControl&) {
    Finding finding;
    std::vector<HostWait> waits = waitsOfWindow(context);
    const std::size_t all = waits.size();
    const std::int64_t least = context.thresholdNs(Threshold::LongWaitNs);
    std::erase_if(waits, [least](const HostWait& wait) { return wait.ns < least; });
    if (waits.empty()) {
        finding.state = FindingState::Clear;
        finding.suggests = all == 0 ? "The host never waited for the GPU here."
                                    : "No wait took " + durationText(least) + " or more; " +
                                          countOf(all, "shorter wait") + ".";
        return finding;
    }
    finding.state = FindingState::Found;
    const std::vector<WaitSite> sites = waitsBySite(context, waits);
    std::int64_t sum = 0, drained = 0;
    std::size_t drains = 0;
    for (const WaitSite& site : sites) {
        sum = saturatingAdd(sum, site.ns);
        drained = saturatingAdd(drained, site.drainedNs);
        drains += site.drains;
    }
    finding.costNs = drained;
    finding.suggests =
        drains != 0 ? "The host waits for a result and only then prepares more work, so the GPU runs dry. "
                      "A value that is read back (.item(), .cpu(), print) waits like this."
                    : "The host waits for the GPU, but the GPU has work meanwhile.";
    const std::string rate = perStepText(context, waits.size());
    finding.supports.push_back(
        withRows(context,
                 plainEvidence(countOf(waits.size(), "wait") + " of " + durationText(least) + " or more, " +
                               durationText(sum) + " in all" + (rate.empty() ? "" : ", " + rate) + "."),
                 callsOf(waits)));
    for (std::size_t s = 0; s < sites.size() && s < kShownSites; ++s)
        finding.supports.push_back(
            withRows(context,
                     rowEvidence(context, sites[s].longest.call,
                                 countOf(sites[s].count, "wait") + ", " + durationText(sites[s].ns) + " in " +
                                     sites[s].site.text() + "; the longest took " +
                                     durationText(sites[s].longest.ns) + "."),
                     sites[s].rows));
    if (sites.front().worstDrain.drained)
        addChain(context, sites.front(), finding);
    if (drains < waits.size()) {
        const std::string count = std::to_string(waits.size());
        std::erase_if(waits, [](const HostWait& wait) { return static_cast<bool>(wait.drained); });
        finding.against.push_back(
            withRows(context,
                     plainEvidence("No idle time follows " + std::to_string(waits.size()) + " of " + count +
                                   " waits: there the host only waited for a GPU that was at work."),
                     callsOf(waits)));
    }
    if (drains != 0)
        finding.against.push_back(withWindow(
            context,
            plainEvidence("A wait before a decision that needs its value cannot simply go; at most " +
                          durationText(drained) + " of idle time belongs to these waits.")));
    finding.tests.emplace_back(
        "Read the value one step later, or keep it on the device, and compare the step times.");
    finding.tests.emplace_back("torch.cuda.set_sync_debug_mode(\"warn\") names every line that waits.");
    return finding;
}

} // namespace lacuna::findings
