#include "core/analysis/hta.h"

#include "core/analysis/hta_clock.h"
#include "core/base/huge_pages.h"
#include "core/trace/api_name.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, 10> kHtaCalls{
    "cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel", "cudaMemcpyAsync",
    "cudaMemsetAsync",  "hipLaunchKernel",     "hipExtModuleLaunchKernel",    "hipModuleLaunchKernel",
    "hipMemcpyAsync",   "hipMemcpyWithStream"};

EventId callOf(const Trace& trace, EventId row) {
    const auto calls = trace.correlations().hostCalls(trace.events().correlation[row.v]);
    return calls.empty() ? EventId{} : calls.front();
}

class HtaCollector {
public:
    HtaCollector(const Trace& trace, const HtaOptions& options, RowPoll& poll)
        : m_trace(trace), m_options(options), m_poll(poll), m_clock(trace, options, poll),
          m_steps(htaSteps(trace, m_clock, poll)), m_known(trace.strings().size(), kUnseen) {}

    std::vector<HtaRow> collect() {
        for (const Strip& strip : m_trace.strips()) {
            const Lane& lane = m_trace.lane(strip.lane);
            if (!isSelected(lane))
                continue;
            for (EventId e = strip.first; e < strip.last && m_poll.tick(); ++e.v)
                add(e, lane.sourceId);
        }
        const EventTable& events = m_trace.events();
        sortRows(m_rows, m_poll, [&](const HtaRow& a, const HtaRow& b) {
            return std::pair(a.beginNs, events.source[a.event.v]) <
                   std::pair(b.beginNs, events.source[b.event.v]);
        });
        return std::move(m_rows);
    }

private:
    bool isSelected(const Lane& lane) const {
        if (lane.kind != LaneKind::GpuStream && (lane.kind != LaneKind::GpuSync || !m_options.syncRows))
            return false;
        return !m_options.device || !lane.device ||
               m_trace.devices()[lane.device.v].ordinal == *m_options.device;
    }

    void add(EventId e, std::int64_t stream) {
        const EventKind kind = m_trace.events().kind[e.v];
        const TimeRange range = m_trace.events().range(e);
        if ((!isDeviceOp(kind) && kind != EventKind::Sync) || stream < 0 || !isInHtaRange(m_options, range))
            return;
        HtaRow row;
        row.event = e;
        if (m_needsCalls) // a look far away in memory for every row
            row.call = callOf(m_trace, e);
        row.beginNs = m_clock.begin(range);
        row.endNs = m_clock.end(range);
        row.stream = stream;
        row.cls = classOf(e);
        if (row.call) {
            const TimeRange call = m_trace.events().range(row.call);
            row.callBeginNs = m_clock.begin(call);
            row.callEndNs = m_clock.end(call);
        } else if (m_options.dropUnlaunched && m_steps.any()) {
            return;
        }
        if (m_options.dropLastStep && m_steps.several() &&
            (!row.call || row.callBeginNs >= m_steps.lastBeginNs))
            return;
        m_rows.push_back(row);
    }

    // Names of kernels are long and few: each is looked at once.
    HtaClass classOf(EventId e) {
        if (m_trace.events().kind[e.v] != EventKind::Kernel)
            return htaClassOf(m_trace, e);
        std::uint8_t& known = m_known[m_trace.events().name[e.v].v];
        if (known == kUnseen)
            known = static_cast<std::uint8_t>(htaClassOf(m_trace, e));
        return static_cast<HtaClass>(known);
    }

    static constexpr std::uint8_t kUnseen = 0xff;
    const Trace& m_trace;
    const HtaOptions& m_options;
    RowPoll& m_poll;
    HtaClock m_clock;
    HtaSteps m_steps;
    bool m_needsCalls = m_options.calls || m_options.dropUnlaunched || m_options.dropLastStep;
    std::vector<std::uint8_t> m_known; // class of kernels by name
    std::vector<HtaRow> m_rows;
};

// Rows come by begin. Empty when the job was cancelled.
template <class Take>
IntervalSet unionOfRows(const std::vector<HtaRow>& rows, const Take& take, const JobControl& job) {
    RowPoll poll(job);
    std::vector<TimeRange> ranges;
    reserveHuge(ranges, rows.size());
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return {};
        if (take(row) && row.endNs > row.beginNs)
            ranges.push_back({{row.beginNs}, {row.endNs}});
    }
    return unionOf(std::move(ranges), poll).value_or(IntervalSet{});
}

IntervalSet unionOfClass(const std::vector<HtaRow>& rows, HtaClass cls, const JobControl& job) {
    return unionOfRows(
        rows, [cls](const HtaRow& row) { return row.cls == cls; }, job);
}

} // namespace

HtaClass htaClassOf(const Trace& trace, EventId row) {
    const EventKind kind = trace.events().kind[row.v];
    if (kind == EventKind::Sync)
        return HtaClass::Sync;
    const std::string_view name = trace.nameOf(row);
    for (const std::string_view word : {"nccl", "hip", "hccl"})
        if (name.starts_with(word) && !name.starts_with("hipMem"))
            return HtaClass::Communication;
    if (name.find("ncclKernel") != std::string_view::npos)
        return HtaClass::Communication;
    return kind == EventKind::Memcpy || kind == EventKind::Memset ? HtaClass::Memory : HtaClass::Computation;
}

Result<std::vector<HtaRow>> htaRows(const Trace& trace, const HtaOptions& options, JobControl& job) {
    RowPoll poll(job);
    std::vector<HtaRow> rows = HtaCollector(trace, options, poll).collect();
    if (job.cancelled())
        return cancelledError();
    return rows;
}

HtaTemporal htaTemporal(const std::vector<HtaRow>& rows, const JobControl& job) {
    HtaTemporal result;
    if (rows.empty())
        return result;
    std::int64_t last = rows.front().endNs;
    for (const HtaRow& row : rows)
        last = std::max(last, row.endNs);
    result.spanNs = last - rows.front().beginNs;
    const std::int64_t busyNs = unionOfRows(
                                    rows, [](const HtaRow&) { return true; }, job)
                                    .measure()
                                    .v;
    result.idleNs = result.spanNs - busyNs;
    result.computeNs = unionOfClass(rows, HtaClass::Computation, job).measure().v;
    result.nonComputeNs = busyNs - result.computeNs;
    return result;
}

HtaOverlap htaOverlap(const std::vector<HtaRow>& rows, const JobControl& job) {
    const IntervalSet communication = unionOfClass(rows, HtaClass::Communication, job);
    return {communication.measure().v,
            communication.intersected(unionOfClass(rows, HtaClass::Computation, job)).measure().v};
}

std::array<std::int64_t, 8> htaKernelTypes(const std::vector<HtaRow>& rows, const HtaOptions& options,
                                           const JobControl& job) {
    constexpr std::int64_t kUs = 1'000;
    const std::array<IntervalSet, 3> sets{unionOfClass(rows, HtaClass::Computation, job),
                                          unionOfClass(rows, HtaClass::Communication, job),
                                          unionOfClass(rows, HtaClass::Memory, job)};
    std::array<std::int64_t, 8> times{};
    for (unsigned mask = 1; mask < times.size(); ++mask) {
        if (job.cancelled())
            return times;
        std::optional<IntervalSet> common;
        for (unsigned k = 0; k < sets.size(); ++k)
            if ((mask >> k & 1u) != 0)
                common = common ? common->intersected(sets[k]) : sets[k];
        for (unsigned k = 0; k < sets.size(); ++k)
            if ((mask >> k & 1u) == 0)
                common = common->minus(sets[k]);
        for (const TimeRange& stretch : common->ranges())
            times[mask] += options.cutStretches ? stretch.length().v / kUs * kUs : stretch.length().v;
    }
    return times;
}

std::vector<HtaKernel> htaKernels(const Trace& trace, const std::vector<HtaRow>& rows,
                                  const JobControl& job) {
    std::map<std::pair<StringId, HtaClass>, std::pair<std::size_t, long double>> places; // sum of squares
    std::vector<HtaKernel> kernels;
    RowPoll poll(job);
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return kernels;
        if (row.cls == HtaClass::Sync)
            continue;
        const StringId name = trace.events().name[row.event.v];
        const auto [at, isNew] = places.try_emplace({name, row.cls}, kernels.size(), 0.0L);
        const std::int64_t ns = row.endNs - row.beginNs;
        if (isNew)
            kernels.push_back({name, row.cls, 0, 0, ns, ns, 0});
        HtaKernel& kernel = kernels[at->second.first];
        ++kernel.count;
        kernel.sumNs = saturatingAdd(kernel.sumNs, ns);
        kernel.minNs = std::min(kernel.minNs, ns);
        kernel.maxNs = std::max(kernel.maxNs, ns);
    }
    for (const HtaRow& row : rows) { // a second time, with the mean known
        if (!poll.tick())
            return kernels;
        if (row.cls != HtaClass::Sync) {
            auto& [place, squares] = places[{trace.events().name[row.event.v], row.cls}];
            const HtaKernel& kernel = kernels[place];
            const long double off =
                static_cast<long double>(row.endNs - row.beginNs) -
                static_cast<long double>(kernel.sumNs) / static_cast<long double>(kernel.count);
            squares += off * off;
        }
    }
    for (const auto& [key, place] : places)
        if (HtaKernel& kernel = kernels[place.first]; kernel.count > 1)
            kernel.deviationNs =
                static_cast<double>(std::sqrt(place.second / static_cast<long double>(kernel.count - 1)));
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const HtaKernel& a, const HtaKernel& b) { return a.sumNs > b.sumNs; });
    return kernels;
}

std::string_view htaIdleName(HtaIdleKind kind) {
    return kind == HtaIdleKind::HostWait     ? "host_wait"
           : kind == HtaIdleKind::KernelWait ? "kernel_wait"
                                             : "other";
}

std::vector<HtaIdle> htaIdle(const std::vector<HtaRow>& rows, const HtaOptions& options,
                             std::int64_t consecutiveNs, const JobControl& job) {
    std::map<std::int64_t, std::pair<HtaIdle, std::int64_t>> streams; // with the end so far
    RowPoll poll(job);
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return {};
        if (row.cls == HtaClass::Sync)
            continue;
        const auto [at, isFirst] = streams.try_emplace(row.stream, HtaIdle{}, row.endNs);
        auto& [idle, end] = at->second;
        idle.stream = row.stream;
        if (isFirst)
            continue;
        const std::int64_t gap = row.beginNs - end;
        if (options.previousEndOnly || gap > 0) {
            const HtaIdleKind kind = row.call && row.callBeginNs > end ? HtaIdleKind::HostWait
                                     : gap < consecutiveNs             ? HtaIdleKind::KernelWait
                                                                       : HtaIdleKind::Other;
            idle.ns[static_cast<std::size_t>(kind)] += gap;
            idle.gapsNs[static_cast<std::size_t>(kind)].push_back(static_cast<double>(gap));
            idle.next[static_cast<std::size_t>(kind)].push_back(row.event);
        }
        end = options.previousEndOnly ? row.endNs : std::max(end, row.endNs);
    }
    std::vector<HtaIdle> result;
    result.reserve(streams.size());
    for (auto& [stream, entry] : streams)
        result.push_back(std::move(entry.first));
    return result;
}

std::vector<HtaLaunch> htaLaunches(const Trace& trace, const std::vector<HtaRow>& rows,
                                   const HtaOptions& options, const JobControl& job) {
    std::vector<HtaLaunch> launches;
    reserveHuge(launches, rows.size());
    RowPoll poll(job);
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return launches;
        if (row.cls == HtaClass::Sync || !row.call)
            continue;
        const std::string_view name = stripApiVersion(trace.nameOf(row.call));
        if (options.listedCallsOnly && std::find(kHtaCalls.begin(), kHtaCalls.end(), name) == kHtaCalls.end())
            continue;
        launches.push_back({row.call, row.event, row.callEndNs - row.callBeginNs, row.endNs - row.beginNs,
                            std::max<std::int64_t>(0, row.beginNs - row.callEndNs)});
    }
    return launches;
}

} // namespace lacuna
