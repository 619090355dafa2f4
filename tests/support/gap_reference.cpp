#include "tests/support/gap_reference.h"

#include <algorithm>

namespace lacuna::test {

using nlohmann::json;

namespace {

const std::map<std::string, std::string, std::less<>> kSegments{
    {"before:api_sync", "before:sync_api"},
    {"before:api_copy_blocking", "before:blocking_copy"},
    {"before:api_alloc", "before:allocation"},
    {"before:api_launch", "before:launch"},
    {"before:api_copy_async", "before:api"},
    {"before:api_other", "before:api"},
    {"before:cpu_op", "before:operator"},
    {"before:data_loading", "before:data_loading"},
    {"before:annotation", "before:range"},
    {"before:profiler_overhead", "before:overhead"},
    {"before:uncovered", "before:uncovered"},
    {"in_launch", "inside"},
    {"after_launch", "after"},
    {"launch_unknown", "unknown"},
};

using Sums = std::map<std::string, std::int64_t>;

Sums expectedSegments(const json& segments) {
    Sums sums;
    for (const auto& [name, ns] : segments.items())
        sums[kSegments.at(name)] += ns.get<std::int64_t>();
    std::erase_if(sums, [](const auto& entry) { return entry.second == 0; });
    return sums;
}

// Module rows are overhead rows there.
Sums segmentsOf(const GapTotals& totals) {
    Sums sums;
    for (std::size_t i = 0; i < kPieceClasses; ++i)
        if (totals.segmentNs[i] != 0) {
            const auto cls = static_cast<PieceClass>(i);
            sums[std::string(segmentName(cls == PieceClass::Module ? PieceClass::Overhead : cls))] +=
                totals.segmentNs[i];
        }
    return sums;
}

// The headline of the reference, from the cuts and the pieces.
std::string referenceHeadline(const GapAnalysis& analysis, const Gap& gap) {
    if (gap.unknownNs() > 0)
        return "LAUNCH_NOT_RECORDED";
    if (gap.sameLaunch)
        return "INSIDE_ONE_LAUNCH";
    if (gap.beforeNs + gap.insideNs == 0)
        return "AFTER_LAUNCH";
    if (gap.drainedBy)
        return "SYNC_DRAIN";
    if (gap.beforeNs >= gap.insideNs && gap.beforeNs >= gap.afterNs) {
        Sums sums;
        for (const GapPiece& piece : analysis.explain(gap).pieces)
            if (piece.cls < PieceClass::Inside)
                for (const auto& [theirs, ours] : kSegments)
                    if (ours == segmentName(piece.cls) && theirs != "before:api_copy_async") {
                        // Their asynchronous copies are a class of their own, ours count as other calls.
                        const bool copies =
                            piece.cls == PieceClass::Api && piece.name.find("Memcpy") != std::string::npos;
                        sums[copies ? "api_copy_async" : theirs.substr(7)] += piece.range.length().v;
                    }
        // Ties by name descending.
        const auto best = std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
        });
        return "HOST:" + best->first;
    }
    return gap.insideNs >= gap.afterNs ? "IN_LAUNCH" : "AFTER_LAUNCH";
}

QString textOf(const Sums& sums) {
    QString out;
    for (const auto& [name, ns] : sums)
        out += QStringLiteral("%1 %2; ").arg(QString::fromStdString(name)).arg(ns);
    return out;
}

void compareSums(const QString& name, const Sums& actual, const Sums& expected, Differences& differences) {
    if (actual != expected)
        differences.add(QStringLiteral("%1: %2instead of %3").arg(name, textOf(actual), textOf(expected)));
}

Sums sumsOf(const json& object) {
    Sums sums;
    for (const auto& [name, value] : object.items())
        sums[name] = value.get<std::int64_t>();
    return sums;
}

void compareHeadlines(const GapAnalysis& analysis, DeviceId device, const json& expected,
                      std::int64_t hiddenDrainNs, Differences& differences) {
    Sums ns, gaps;
    for (const Gap& gap : analysis.gapsOf(device)) {
        const std::string headline = referenceHeadline(analysis, gap);
        ns[headline] += gap.length().v;
        ++gaps[headline];
    }
    if (hiddenDrainNs != 0) {
        differences.compare(QStringLiteral("drained with hidden waits"), ns["SYNC_DRAIN"] - hiddenDrainNs,
                            expected.at("headline_ns").value("SYNC_DRAIN", json(0)));
        return;
    }
    compareSums(QStringLiteral("headlines"), ns, sumsOf(expected.at("headline_ns")), differences);
    compareSums(QStringLiteral("headline gaps"), gaps, sumsOf(expected.at("headline_gaps")), differences);
    Sums drained, expectedDrained;
    for (const DrainingWait& wait : analysis.totals(device).drainingWaits)
        drained[wait.api + " in " + wait.operatorName] += wait.gapNs;
    for (const json& wait : expected.at("drained_by_ns")) {
        const json& op = wait.at("innermost_op");
        expectedDrained[wait.at("api").get<std::string>() + " in " +
                        (op.is_string() ? op.get<std::string>() : "")] +=
            wait.at("gap_ns").get<std::int64_t>();
    }
    compareSums(QStringLiteral("drained by"), drained, expectedDrained, differences);
}

void compareTopGap(const GapAnalysis& analysis, DeviceId device, const json& expected, bool withHeadline,
                   Differences& differences) {
    const Trace& trace = analysis.trace();
    const auto start = expected.at("start_rel_ns").get<std::int64_t>();
    const QString prefix = QStringLiteral("gap at %1 ").arg(start);
    const auto gaps = analysis.gapsOf(device);
    const auto gap =
        std::find_if(gaps.begin(), gaps.end(), [&](const Gap& g) { return g.range.begin.v == start; });
    if (gap == gaps.end())
        return differences.add(prefix + QStringLiteral("is missing"));
    differences.compare(prefix + QStringLiteral("length"), gap->length().v, expected.at("dur_ns"));
    differences.compareText(prefix + QStringLiteral("next"), trace.nameOf(gap->next), expected.at("next_op"));
    const GapStory story = analysis.explain(*gap);
    if (withHeadline)
        differences.compareText(prefix + QStringLiteral("headline"), referenceHeadline(analysis, *gap),
                                expected.at("headline"));
    if (!expected.contains("before_ns"))
        return;
    differences.compare(prefix + QStringLiteral("before"), gap->beforeNs, expected.at("before_ns"));
    differences.compare(prefix + QStringLiteral("inside"), gap->insideNs, expected.at("in_ns"));
    differences.compare(prefix + QStringLiteral("after"), gap->afterNs, expected.at("after_ns"));
    differences.compareText(prefix + QStringLiteral("launch"), trace.nameOf(gap->launch),
                            expected.at("launch_api"));
    Sums sums, expectedSums;
    for (const GapPiece& piece : story.pieces)
        if (piece.cls < PieceClass::Inside)
            sums[std::string(
                segmentName(piece.cls == PieceClass::Module ? PieceClass::Overhead : piece.cls))] +=
                piece.range.length().v;
    for (const auto& [name, ns] : expected.at("before_by_class").items())
        expectedSums[kSegments.at("before:" + name)] += ns.get<std::int64_t>();
    compareSums(prefix + QStringLiteral("classes"), sums, expectedSums, differences);
    if (!withHeadline || !expected.contains("drained_by"))
        return;
    const json& wait = expected.at("drained_by");
    differences.compareText(prefix + QStringLiteral("wait"), story.drainedBy.name, wait.at("api"));
    if (!gap->drainedBy)
        return;
    differences.compare(prefix + QStringLiteral("wait begin"), trace.events().beginNs[gap->drainedBy.v],
                        wait.at("start_rel_ns"));
    differences.compare(prefix + QStringLiteral("wait end"), trace.events().endNs[gap->drainedBy.v],
                        wait.at("end_rel_ns"));
}

} // namespace

std::shared_ptr<const GapAnalysis> analyseAsReference(std::shared_ptr<const Trace> trace) {
    GapOptions options;
    options.pythonRows = options.osRows = options.handOff = false;
    JobControl job;
    const auto run = GapAnalysis::run(std::move(trace), options, job);
    return run ? *run : nullptr;
}

void compareGapReference(const GapAnalysis& analysis, DeviceId device, const json& expected,
                         std::int64_t hiddenDrainNs, Differences& differences) {
    const GapTotals totals = analysis.totals(device);
    differences.compare(QStringLiteral("gaps"), totals.gaps, expected.at("gaps"));
    differences.compare(QStringLiteral("idle"), totals.idleNs, expected.at("idle_ns"));
    compareSums(QStringLiteral("segments"), segmentsOf(totals), expectedSegments(expected.at("segments_ns")),
                differences);
    compareHeadlines(analysis, device, expected, hiddenDrainNs, differences);
    for (const json& gap : expected.at("top_gaps"))
        compareTopGap(analysis, device, gap, hiddenDrainNs == 0, differences);
}

} // namespace lacuna::test
