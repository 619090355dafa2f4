// Whether ranges help to read the trace: phases that are missing, too many or too short ranges, ranges that
// say nothing because they cover everything.

#include "core/base/lower_median.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna::findings {

namespace {

struct AnnotatedName {
    StringId name;
    std::size_t count = 0;
    EventId first;
};

struct Annotations {
    std::size_t count = 0;
    std::int64_t medianNs = 0;
    std::vector<AnnotatedName> names; // by count, most first
    std::vector<EventId> wide;        // cover nearly all and hold no other range
};

// Nearly all of the trace, and no range of the same thread begins inside it.
bool isWideAndEmpty(const FindingContext& context, HostRow row, const HostTree::ThreadPart& part) {
    const TimeRange range = context.tree.range(row), whole = context.trace.window();
    if (static_cast<double>(range.length().v) <=
        context.threshold(Threshold::WideRangeShare) * static_cast<double>(whole.length().v))
        return false;
    for (HostRow inner{row.v + 1}; inner.v < part.lastRow && context.tree.range(inner).begin < range.end;
         ++inner.v)
        if (context.tree.kind(inner) == EventKind::Range)
            return false;
    return true;
}

Annotations annotationsOf(const FindingContext& context, JobControl& job) {
    Annotations result;
    std::unordered_map<std::uint32_t, AnnotatedName> byName;
    std::vector<std::int64_t> lengths;
    RowPoll poll(job);
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t) {
        const HostTree::ThreadPart& part = context.tree.part({t});
        for (HostRow row{part.firstRow}; row.v < part.lastRow && poll.tick(); ++row.v) {
            if (context.tree.kind(row) != EventKind::Range || context.rows.isStep(row))
                continue;
            const EventId event = context.tree.event(row);
            if (isWideAndEmpty(context, row, part))
                result.wide.push_back(event);
            if (!context.startsInWindow(event))
                continue;
            AnnotatedName& name = byName[context.events().name[event.v].v];
            name.name = context.events().name[event.v];
            name.first = name.count == 0 ? event : name.first;
            ++name.count;
            lengths.push_back(context.events().duration(event).v);
        }
    }
    result.count = lengths.size();
    result.medianNs = lowerMedian(lengths);
    result.names.reserve(byName.size());
    for (const auto& [id, name] : byName)
        result.names.push_back(name);
    std::sort(result.names.begin(), result.names.end(), [](const AnnotatedName& a, const AnnotatedName& b) {
        return a.count != b.count ? a.count > b.count : a.first < b.first;
    });
    return result;
}

void addCoverage(const FindingContext& context, Finding& finding) {
    std::string seen, missing;
    std::size_t count = 0;
    for (const PhaseKind phase : kCoveredPhases) {
        const bool has = context.phases.has(phase) ||
                         (phase == PhaseKind::Transfer && context.phases.has(PhaseKind::Data));
        std::string& list = has ? seen : missing;
        list += (list.empty() ? "" : ", ") + std::string(phaseTitle(phase));
        count += has ? 1U : 0U;
    }
    std::string text =
        std::to_string(count) + " of " + std::to_string(kCoveredPhases.size()) + " phases are named";
    if (!seen.empty())
        text += " (" + seen + ")";
    if (!missing.empty())
        text += "; missing: " + missing;
    if (context.phases.backwardByOperators)
        text += ". Backward is known by autograd's operators";
    finding.supports.push_back(plainEvidence(text + "."));
}

void addNames(const FindingContext& context, const Annotations& found, Finding& finding) {
    for (std::size_t n = 0; n < found.names.size() && n < 3; ++n)
        finding.supports.push_back(
            rowEvidence(context, found.names[n].first,
                        std::to_string(found.names[n].count) + " ranges named " +
                            elideMiddle(context.trace.strings().view(found.names[n].name), 60) + "."));
}

} // namespace

Finding annotationHealth(const FindingContext& context, JobControl& job) {
    Finding finding;
    finding.state = FindingState::Note;
    const Annotations found = annotationsOf(context, job);
    if (found.count == 0 && found.wide.empty())
        finding.suggests = "No ranges name the phases. record_function or NVTX around them makes every "
                           "figure here say more.";
    else
        finding.suggests = "Ranges name phases of the host.";
    addCoverage(context, finding);
    const std::size_t steps = std::max<std::size_t>(1, context.measuredSteps());
    const double perStep = static_cast<double>(found.count) / static_cast<double>(steps);
    const bool isMany = perStep > context.threshold(Threshold::RangesPerStep);
    const bool isShort = found.count != 0 && found.medianNs < context.thresholdNs(Threshold::ShortRangeNs);
    if (isMany || isShort) {
        finding.state = FindingState::Found;
        finding.suggests = "More annotation than helps: ranges cost host time and hide one another.";
        finding.supports.push_back(withWindow(
            context, plainEvidence(countOf(found.count, "range") + ", " +
                                   formatCount(static_cast<std::uint64_t>(perStep)) + " per " +
                                   (context.measuredSteps() == 0 ? "trace" : context.steps.meaning) +
                                   ", median " + durationText(found.medianNs) + ".")));
        addNames(context, found, finding);
        finding.tests.emplace_back("Record once without the innermost ranges and compare the step times.");
    }
    for (const EventId wide : found.wide) {
        finding.state = FindingState::Found;
        if (!isMany && !isShort)
            finding.suggests = "A range covers nearly the whole trace and holds no other: it tells nothing.";
        finding.supports.push_back(
            rowEvidence(context, wide,
                        "The range " + elideMiddle(context.trace.nameOf(wide), 60) + " covers " +
                            shareOf(context.events().duration(wide).v, context.trace.window().length().v) +
                            " of the trace without a range inside."));
        if (finding.tests.empty())
            finding.tests.emplace_back("Annotate the phases inside it.");
    }
    finding.against.push_back(
        plainEvidence("A range is host time, not GPU time: its kernels may run later."));
    return finding;
}

} // namespace lacuna::findings
