#include "core/analysis/fusion_facts.h"

#include "core/analysis/busy_devices.h"
#include "core/analysis/counter_mean.h"
#include "core/analysis/kernel_family.h"
#include "core/analysis/memory_calls.h"
#include "core/analysis/steps.h"
#include "core/base/text_format.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

class FusionCounter {
public:
    FusionCounter(const Trace& trace, const HostTree& tree, std::optional<TimeRange> range, JobControl& job)
        : m_trace(trace), m_events(trace.events()), m_tree(tree), m_range(range), m_job(job), m_poll(job) {}

    Result<FusionFacts> count() {
        if (!countHost() || !countDevice())
            return cancelledError();
        m_facts.title = m_trace.facts().fileName;
        if (m_range)
            m_facts.title +=
                ", " + formatDuration({m_range->begin.v}) + " to " + formatDuration({m_range->end.v});
        if (m_hasOperators)
            m_facts.operators = m_operators;
        if (m_hasCalls) {
            m_facts.launches = m_calls.size();
            m_facts.allocationsAndCopies = m_allocations + m_copies;
        }
        if (m_end > m_begin)
            m_facts.completionNs = m_end - m_begin;
        takeSteps();
        takeCounters();
        if (!takeCommunication())
            return cancelledError();
        return std::move(m_facts);
    }

private:
    bool isIn(std::int64_t begin) const {
        return !m_range || (begin >= m_range->begin.v && begin < m_range->end.v);
    }

    bool countHost() {
        for (std::uint32_t r = 0; r < m_tree.size(); ++r) {
            if (!m_poll.tick())
                return false;
            const EventId event = m_tree.event(HostRow{r});
            const EventKind kind = m_events.kind[event.v];
            const bool isCall = isHostCall(kind);
            m_hasCalls = m_hasCalls || isCall;
            m_hasOperators = m_hasOperators || kind == EventKind::CpuOp;
            if (!isIn(m_events.beginNs[event.v]) || (!isCall && kind != EventKind::CpuOp))
                continue;
            m_begin = std::min(m_begin, m_events.beginNs[event.v]);
            m_operators += kind == EventKind::CpuOp ? 1u : 0u;
            m_allocations += isCall && takesMemory(m_trace.nameOf(event)) ? 1u : 0u;
        }
        return true;
    }

    bool countDevice() {
        for (std::uint32_t e = 0; e < m_events.size(); ++e) {
            if (!m_poll.tick())
                return false;
            const EventKind kind = m_events.kind[e];
            if (kind != EventKind::Kernel && kind != EventKind::Memcpy && kind != EventKind::Memset)
                continue;
            const auto call = m_trace.correlations().launchOf(m_events, EventId{e});
            if (!isIn(m_events.beginNs[call ? call->v : e]))
                continue;
            if (call)
                m_calls.insert(*call);
            m_begin = std::min(m_begin, m_events.beginNs[e]);
            m_end = std::max(m_end, m_events.endNs[e]);
            m_copies += kind == EventKind::Memcpy || (kind == EventKind::Kernel && copies(m_events.name[e]))
                            ? 1u
                            : 0u;
            if (kind == EventKind::Kernel) {
                std::int64_t& ns = m_kernelNs[m_events.name[e].v];
                ns = saturatingAdd(ns, m_events.duration(EventId{e}).v);
            }
        }
        for (const auto& [name, ns] : m_kernelNs)
            m_facts.kernels[std::string(m_trace.strings().view(StringId{name}))] = ns;
        return true;
    }

    bool copies(StringId name) {
        const auto [at, isNew] = m_isCopy.try_emplace(name.v);
        if (isNew)
            at->second = classifyKernel(m_trace.strings().view(name)).family == KernelFamily::Copy;
        return at->second;
    }

    // Lower median of the steps that began in the range, the first apart where there are more than two: it
    // warms up.
    void takeSteps() {
        std::vector<std::int64_t> lengths;
        for (const EventId step : findSteps(m_trace, m_job).events)
            if (isIn(m_events.beginNs[step.v]))
                m_steps.push_back(m_events.range(step));
        if (m_steps.size() < 2) {
            m_steps.clear();
            return;
        }
        if (m_steps.size() > 2)
            m_steps.erase(m_steps.begin());
        lengths.reserve(m_steps.size());
        for (const TimeRange& step : m_steps)
            lengths.push_back(step.length().v);
        std::sort(lengths.begin(), lengths.end());
        m_facts.completionNs = lengths[(lengths.size() - 1) / 2];
        m_facts.isOfSteps = true;
    }

    bool takeCommunication() {
        std::int64_t ns = 0;
        bool isKnown = false;
        BusyDevices devices(m_trace);
        for (std::uint32_t d = 0; d < m_trace.devices().size(); ++d) {
            const DeviceBusy busy = devices.busy(DeviceId{d}, m_job);
            if (m_job.cancelled())
                return false;
            const IntervalSet &compute = busy.byWork[0], &communication = busy.byWork[1];
            if (communication.measure().v == 0)
                continue;
            isKnown = true;
            const IntervalSet exposed = communication.minus(compute);
            for (const TimeRange& step : m_steps)
                ns = saturatingAdd(ns, exposed.measureIn(step).v);
            if (m_steps.empty())
                ns = saturatingAdd(ns, m_range ? exposed.measureIn(*m_range).v : exposed.measure().v);
        }
        if (isKnown)
            m_facts.exposedCommunicationNs =
                static_cast<double>(ns) / static_cast<double>(std::max<std::size_t>(1, m_steps.size()));
        return true;
    }

    void takeCounters() {
        const TimeRange range = m_range.value_or(m_trace.window());
        for (const CounterTrack& counter : m_trace.counters()) {
            if (counter.unit != "%" ||
                (!counter.name.starts_with("DRAM Read") && !counter.name.starts_with("DRAM Write")))
                continue;
            if (const auto mean = counterMean(counter, range))
                m_facts.dramNs =
                    m_facts.dramNs.value_or(0) + mean->mean / 100.0 * static_cast<double>(mean->knownNs);
        }
    }

    const Trace& m_trace;
    const EventTable& m_events;
    const HostTree& m_tree;
    std::optional<TimeRange> m_range;
    JobControl& m_job;
    RowPoll m_poll;
    FusionFacts m_facts;
    std::vector<TimeRange> m_steps; // that completion is of; none: of no steps
    bool m_hasCalls = false, m_hasOperators = false;
    std::uint64_t m_operators = 0, m_allocations = 0, m_copies = 0;
    std::set<EventId> m_calls; // that launched
    std::int64_t m_begin = std::numeric_limits<std::int64_t>::max(),
                 m_end = std::numeric_limits<std::int64_t>::min();
    std::unordered_map<std::uint32_t, bool> m_isCopy;           // by name
    std::unordered_map<std::uint32_t, std::int64_t> m_kernelNs; // by name
};

FusionVerdict lessIsBetter(double before, double after, double noise) {
    if (std::abs(after - before) <= noise * std::max(std::abs(before), std::abs(after)))
        return FusionVerdict::Same;
    return after < before ? FusionVerdict::Improved : FusionVerdict::Worse;
}

FusionRow countRow(std::string_view question, std::string_view meaning,
                   const std::optional<std::uint64_t>& before, const std::optional<std::uint64_t>& after) {
    FusionRow row{question, meaning, FusionVerdict::NotRecorded,
                  before ? formatCount(*before) : std::string(), after ? formatCount(*after) : std::string()};
    if (before && after)
        row.verdict = lessIsBetter(static_cast<double>(*before), static_cast<double>(*after), 0);
    return row;
}

FusionRow timeRow(std::string_view question, std::string_view meaning, std::optional<double> before,
                  std::optional<double> after) {
    const auto shown = [](std::optional<double> ns) {
        return ns ? formatDuration({static_cast<std::int64_t>(std::llround(*ns))}) : std::string();
    };
    FusionRow row{question, meaning, FusionVerdict::NotRecorded, shown(before), shown(after)};
    if (before && after)
        row.verdict = lessIsBetter(*before, *after, kFusionNoise);
    return row;
}

FusionRow completionRow(const FusionFacts& before, const FusionFacts& after) {
    const auto known = [](const FusionFacts& facts) {
        return facts.completionNs > 0 ? std::optional(static_cast<double>(facts.completionNs)) : std::nullopt;
    };
    FusionRow row = timeRow("completion", "From the first call to the end of the last operation it launched.",
                            known(before), known(after));
    if (before.isOfSteps != after.isOfSteps) // a step and a stretch are no equals
        row.verdict = FusionVerdict::NotRecorded;
    else if (before.isOfSteps)
        row.meaning = "The median step: what a user waits for.";
    return row;
}

FusionRow identityRow(const FusionFacts& before, const FusionFacts& after) {
    std::int64_t goneNs = 0, newNs = 0;
    std::uint64_t gone = 0, added = 0;
    for (const auto& [name, ns] : before.kernels)
        if (!after.kernels.contains(name)) {
            ++gone;
            goneNs = saturatingAdd(goneNs, ns);
        }
    for (const auto& [name, ns] : after.kernels)
        if (!before.kernels.contains(name)) {
            ++added;
            newNs = saturatingAdd(newNs, ns);
        }
    FusionRow row{
        "kernel identity",
        "Different kernels: improved when those that are new take less time than those that are gone.",
        FusionVerdict::NotRecorded,
        {},
        {}};
    if (before.kernels.empty() || after.kernels.empty())
        return row;
    row.before = formatCount(before.kernels.size()) + (gone == 0 ? "" : ", " + formatCount(gone) + " gone");
    row.after = formatCount(after.kernels.size()) + (added == 0 ? "" : ", " + formatCount(added) + " new");
    row.verdict = gone + added == 0
                      ? FusionVerdict::Same
                      : lessIsBetter(static_cast<double>(goneNs), static_cast<double>(newNs), kFusionNoise);
    return row;
}

} // namespace

std::string_view fusionVerdictName(FusionVerdict verdict) {
    constexpr std::array<std::string_view, 4> kNames{"improved", "same", "worse", "not recorded"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Result<FusionFacts> fusionFacts(const Trace& trace, const HostTree& tree, std::optional<TimeRange> range,
                                JobControl& job) {
    return FusionCounter(trace, tree, range, job).count();
}

std::array<FusionRow, 6> compareFusion(const FusionFacts& before, const FusionFacts& after) {
    return {completionRow(before, after),
            countRow("operators", "Operators that the host began, those inside others too.", before.operators,
                     after.operators),
            countRow("launches", "Calls that launched device work; a CUDA graph is one.", before.launches,
                     after.launches),
            identityRow(before, after),
            countRow("allocs, copies", "Allocations by the driver, copies, and kernels that copy.",
                     before.allocationsAndCopies, after.allocationsAndCopies),
            timeRow("bytes", "As time at full DRAM bandwidth, from sampled counters of the device.",
                    before.dramNs, after.dramNs)};
}

std::optional<FusionRow> exposedCommunicationRow(const FusionFacts& before, const FusionFacts& after) {
    if (!before.exposedCommunicationNs && !after.exposedCommunicationNs)
        return std::nullopt;
    // Nothing communicates on one side: nothing is exposed there.
    FusionRow row =
        timeRow("exposed comm.", "Communication that no compute hid: what overlap would win.",
                before.exposedCommunicationNs.value_or(0), after.exposedCommunicationNs.value_or(0));
    if (before.isOfSteps != after.isOfSteps)
        row.verdict = FusionVerdict::NotRecorded;
    else if (before.isOfSteps)
        row.meaning = "Communication that no compute hid, mean per step: what overlap would win.";
    return row;
}

FusionRow outsideRow(const FusionFacts& before, const FusionFacts& after) {
    return timeRow("without profiler",
                   "The step as measured outside, without a profiler: what users and training runs see.",
                   before.outsideNs, after.outsideNs);
}

} // namespace lacuna
