// Gaps of a device and their cuts against the reference.

#include "core/analysis/gap_analysis.h"
#include "tests/support/oracles.h"

#include <algorithm>

namespace lacuna::test {

using nlohmann::json;

namespace {

void compareLaunch(const OracleTrace& loaded, const GapAnalysis& analysis, const Gap& gap,
                   const json& expected, const QString& prefix, Differences& differences) {
    const Trace& trace = *loaded.trace;
    const EventTable& events = trace.events();
    if (!expected.contains("launch_api")) {
        if (gap.launch)
            differences.add(prefix + QStringLiteral("has a launch call"));
        return;
    }
    if (!gap.launch)
        return differences.add(prefix + QStringLiteral("has no launch call"));
    differences.compareText(prefix + QStringLiteral("api"), trace.nameOf(gap.launch),
                            expected.at("launch_api"));
    differences.compare(prefix + QStringLiteral("launch start"), events.beginNs[gap.launch.v],
                        expected.at("launch_start_rel_ns"));
    differences.compare(prefix + QStringLiteral("launch end"), events.endNs[gap.launch.v],
                        expected.at("launch_end_rel_ns"));
    differences.compare(prefix + QStringLiteral("thread"), trace.threads()[gap.thread.v].tid,
                        expected.at("launch_tid"));
    differences.compare(prefix + QStringLiteral("before"), gap.beforeNs,
                        expected.at("split_before_launch_ns"));
    differences.compare(prefix + QStringLiteral("inside"), gap.insideNs, expected.at("split_in_launch_ns"));
    differences.compare(prefix + QStringLiteral("after"), gap.afterNs, expected.at("split_after_launch_ns"));
    const EventId inner = analysis.explain(gap).launch.operatorEvent;
    const json none = expected.value("launch_innermost_cpu_op", json());
    if (none.is_string())
        differences.compareText(prefix + QStringLiteral("operator"),
                                inner ? trace.nameOf(inner) : std::string_view{}, none);
    else if (inner)
        differences.add(prefix + QStringLiteral("has an operator"));
}

void compareLargest(const OracleTrace& loaded, const GapAnalysis& analysis, DeviceId device,
                    const json& expected, Differences& differences) {
    const EventTable& events = loaded.trace->events();
    std::vector<Gap> gaps(analysis.gapsOf(device).begin(), analysis.gapsOf(device).end());
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const Gap& a, const Gap& b) { return a.length() > b.length(); });
    differences.compare(QStringLiteral("largest gaps"),
                        static_cast<std::int64_t>(std::min<std::size_t>(5, gaps.size())),
                        json(expected.size()));
    for (std::size_t k = 0; k < std::min(gaps.size(), expected.size()); ++k) {
        const Gap& gap = gaps[k];
        const json& want = expected[k];
        const QString prefix = QStringLiteral("gap %1 ").arg(k);
        differences.compare(prefix + QStringLiteral("start"), gap.range.begin.v, want.at("start_rel_ns"));
        differences.compare(prefix + QStringLiteral("end"), gap.range.end.v, want.at("end_rel_ns"));
        differences.compare(prefix + QStringLiteral("length"), gap.length().v, want.at("dur_ns"));
        differences.compareText(prefix + QStringLiteral("next"), loaded.trace->nameOf(gap.next),
                                want.at("next_op"));
        differences.compare(prefix + QStringLiteral("stream"),
                            loaded.trace->lane(loaded.trace->laneOf(gap.next)).sourceId,
                            want.at("next_stream"));
        differences.compare(prefix + QStringLiteral("correlation"),
                            loaded.trace->correlations().correlationId(events.correlation[gap.next.v]),
                            want.at("next_correlation"));
        compareLaunch(loaded, analysis, gap, want, prefix, differences);
    }
}

} // namespace

void compareDeviceGaps(const OracleTrace& loaded, DeviceId device, const json& expected,
                       Differences& differences) {
    JobControl job;
    GapOptions options; // what the reference leaves out
    options.pythonRows = options.osRows = options.handOff = false;
    const auto run = GapAnalysis::run(loaded.trace, options, job);
    if (!run)
        return differences.add(QString::fromStdString(run.error().detail));
    const GapAnalysis& analysis = **run;
    std::int64_t count[4] = {};
    std::int64_t before = 0, inside = 0, after = 0, unknown = 0;
    for (const Gap& gap : analysis.gapsOf(device)) {
        ++count[0];
        for (const auto& [index, atLeast] :
             std::vector<std::pair<int, std::int64_t>>{{1, 1'000}, {2, 10'000}, {3, 100'000}})
            count[index] += gap.length().v >= atLeast ? 1 : 0;
        before += gap.beforeNs;
        inside += gap.insideNs;
        after += gap.afterNs;
        unknown += gap.unknownNs();
    }
    differences.compare(QStringLiteral("gaps"), count[0], expected.at("gaps"));
    differences.compare(QStringLiteral("gaps of 1 us"), count[1], expected.at("gaps_ge_1us"));
    differences.compare(QStringLiteral("gaps of 10 us"), count[2], expected.at("gaps_ge_10us"));
    differences.compare(QStringLiteral("gaps of 100 us"), count[3], expected.at("gaps_ge_100us"));
    const json& split = expected.at("idle_split");
    differences.compare(QStringLiteral("before"), before, split.at("before_launch_ns"));
    differences.compare(QStringLiteral("inside"), inside, split.at("in_launch_ns"));
    differences.compare(QStringLiteral("after"), after, split.at("after_launch_ns"));
    differences.compare(QStringLiteral("unknown"), unknown, split.at("launch_unknown_ns"));
    compareLargest(loaded, analysis, device, expected.at("largest_gaps"), differences);
}

} // namespace lacuna::test
