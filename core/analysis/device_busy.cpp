// One device, all its operations. After the sort by start every union is one linear sweep, and the exclusive
// state timeline is a merge of the four unions by kind: at every boundary the mask of kinds that are active
// changes, and the length of the segment before it goes to the mask's sum. O(n log k) for n operations in k
// sorted strips, O(n) beyond that.

#include "core/analysis/busy_devices.h"
#include "core/analysis/device_states.h"
#include "core/base/ascii.h"
#include "core/base/huge_pages.h"
#include "core/base/join_range.h"
#include "core/base/poll.h"
#include "core/trace/sort_rows.h"
#include "core/trace/stream_checks.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, 5> kCommunicationNames{"nccl", "rccl", "nvshmem",
                                                              "cross_device_reduce", "deep_ep"};
constexpr std::array<std::string_view, 4> kWorkNames{"compute", "communication", "memcpy", "memset"};

// The members of a canonical set that reach into the window.
std::span<const TimeRange> touching(const IntervalSet& set, TimeRange window) {
    const auto all = set.ranges();
    const auto first = std::partition_point(all.begin(), all.end(),
                                            [&](const TimeRange& r) { return r.end <= window.begin; });
    const auto last =
        std::partition_point(first, all.end(), [&](const TimeRange& r) { return r.begin < window.end; });
    return all.subspan(static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - first));
}

// The segments of the merged boundaries of four canonical sets in the window, added up by mask; [0] stays as
// it is.
void addStates(const std::array<IntervalSet, 4>& sets, TimeRange window,
               std::array<std::int64_t, 16>& stateNs, JobControl& job) {
    struct Cursor {
        std::span<const TimeRange> ranges;
        TimeRange window;
        std::size_t at = 0;
        bool inside = false;
        bool done() const { return at == ranges.size(); }
        TimeNs next() const {
            return inside ? std::min(ranges[at].end, window.end) : std::max(ranges[at].begin, window.begin);
        }
        void step() {
            at += inside ? 1 : 0;
            inside = !inside;
        }
    };
    std::array<Cursor, 4> cursors;
    for (std::size_t k = 0; k < 4; ++k)
        cursors[k] = {touching(sets[k], window), window};
    TimeNs from;
    std::size_t mask = 0;
    for (std::size_t steps = 0;; ++steps) {
        if (steps % kRowsPerPoll == 0 && job.cancelled())
            return;
        std::optional<TimeNs> next;
        for (const Cursor& cursor : cursors)
            if (!cursor.done() && (!next || cursor.next() < *next))
                next = cursor.next();
        if (!next)
            return;
        if (mask != 0)
            stateNs[mask] += (*next - from).v;
        from = *next;
        for (std::size_t k = 0; k < 4; ++k)
            if (!cursors[k].done() && cursors[k].next() == *next) {
                cursors[k].step();
                mask ^= std::size_t{1} << k;
            }
    }
}

void leaveOutOverruns(const Trace& trace, std::span<const StripId> strips, std::vector<EventId>& ops,
                      const JobControl& job) {
    std::set<LaneId> lanes;
    for (const StripId strip : strips)
        lanes.insert(trace.strip(strip).lane);
    std::vector<EventId> out;
    for (const LaneId lane : lanes) {
        const std::vector<EventId> ofLane = overrunsOf(trace, lane, job);
        out.insert(out.end(), ofLane.begin(), ofLane.end());
    }
    std::sort(out.begin(), out.end());
    std::erase_if(ops, [&](EventId op) { return std::binary_search(out.begin(), out.end(), op); });
}

// By start, then order in the file. Strips are in order, so that there is little to merge.
std::vector<EventId> opsOfStrips(const Trace& trace, std::span<const StripId> strips, const JobControl& job) {
    const EventTable& events = trace.events();
    RowPoll poll(job);
    std::vector<EventId> ops;
    std::size_t most = 0;
    for (const StripId id : strips)
        most += trace.strip(id).size();
    reserveHuge(ops, most);
    for (const StripId id : strips) {
        const Strip& strip = trace.strip(id);
        for (EventId op = strip.first; op < strip.last; ++op.v) {
            if (!poll.tick())
                return ops;
            if (isDeviceOp(events.kind[op.v]))
                ops.push_back(op);
        }
    }
    const auto before = [&events](EventId a, EventId b) {
        if (events.beginNs[a.v] != events.beginNs[b.v])
            return events.beginNs[a.v] < events.beginNs[b.v];
        return events.source[a.v] < events.source[b.v];
    };
    if (sortRows(ops, poll, before) && areOverrunsLeftOut(trace))
        leaveOutOverruns(trace, strips, ops, job);
    return ops;
}

} // namespace

std::span<const std::string_view> communicationNames() {
    return kCommunicationNames;
}

bool isCommunicationName(std::string_view kernelName) {
    return std::any_of(kCommunicationNames.begin(), kCommunicationNames.end(),
                       [&](std::string_view word) { return containsNoCase(kernelName, word); });
}

DeviceWork workOf(const Trace& trace, EventId deviceOp) {
    switch (trace.events().kind[deviceOp.v]) {
    case EventKind::Memcpy:
        return kCopy;
    case EventKind::Memset:
        return kSet;
    case EventKind::GraphLaunch:
        return kCompute;
    default:
        return isCommunicationName(trace.nameOf(deviceOp)) ? kCommunication : kCompute;
    }
}

std::int64_t DeviceBusy::exposedCommunicationNs() const {
    std::int64_t sum = 0;
    for (std::size_t mask = 0; mask < stateNs.size(); ++mask)
        if ((mask & kCommunication) != 0 && (mask & kCompute) == 0)
            sum += stateNs[mask];
    return sum;
}

std::int64_t DeviceBusy::exposedCopyNs() const {
    return stateNs[kCopy] + stateNs[kSet] + stateNs[kCopy | kSet];
}

std::string stateName(unsigned mask) {
    assert(mask < 16);
    if (mask == 0)
        return "idle";
    std::string name;
    for (std::size_t k = 0; k < kWorkNames.size(); ++k)
        if ((mask >> k & 1u) != 0)
            name.append(name.empty() ? "" : "+").append(kWorkNames[k]);
    return name;
}

std::vector<EventId> deviceOps(const Trace& trace, DeviceId device) {
    return BusyDevices(trace).ops(device);
}

std::vector<EventId> deviceOps(const Trace& trace, std::span<const StripId> strips, const JobControl& job) {
    return opsOfStrips(trace, strips, job);
}

BusyDevices::BusyDevices(const Trace& trace)
    : m_trace(trace), m_first(trace.devices().size() + 1, 0), m_workOfName(trace.strings().size(), 0) {
    const auto isOurs = [](const Lane& lane) { return lane.kind == LaneKind::GpuStream && lane.device; };
    for (const Lane& lane : trace.lanes())
        if (isOurs(lane))
            m_first[lane.device.v + 1] += lane.depth;
    for (std::size_t device = 1; device < m_first.size(); ++device)
        m_first[device] += m_first[device - 1];
    m_strips.resize(m_first.back());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (const Lane& lane : trace.lanes())
        for (std::uint32_t depth = 0; isOurs(lane) && depth < lane.depth; ++depth)
            m_strips[next[lane.device.v]++] = {lane.firstStrip.v + depth};
}

std::span<const StripId> BusyDevices::strips(DeviceId device) const {
    return std::span(m_strips).subspan(m_first[device.v], m_first[device.v + 1] - m_first[device.v]);
}

std::vector<EventId> BusyDevices::ops(DeviceId device, const JobControl& job) const {
    return opsOfStrips(m_trace, strips(device), job);
}

BusyDevices::Extent BusyDevices::extent(DeviceId device) const {
    Extent extent;
    const std::vector<EventId> all = ops(device);
    if (all.empty())
        return extent;
    const EventTable& events = m_trace.events();
    extent.span = {{events.beginNs[all.front().v]}, {events.beginNs[all.front().v]}};
    for (const EventId op : all) {
        const TimeRange range = events.range(op);
        extent.busyNs += std::max<std::int64_t>(0, (range.end - std::max(range.begin, extent.span.end)).v);
        extent.span.end = std::max(extent.span.end, range.end);
    }
    return extent;
}

DeviceWork BusyDevices::workOfOp(EventId op) {
    const EventTable& events = m_trace.events();
    if (events.kind[op.v] != EventKind::Kernel)
        return workOf(m_trace, op);
    std::uint8_t& known = m_workOfName[events.name[op.v].v];
    if (known == 0)
        known = workOf(m_trace, op);
    return static_cast<DeviceWork>(known);
}

DeviceBusy BusyDevices::busy(DeviceId device, JobControl& job) {
    DeviceBusy result;
    result.device = device;
    if (job.cancelled())
        return result;
    const std::vector<EventId> ops = this->ops(device, job);
    if (ops.empty() || job.cancelled())
        return result;
    const EventTable& events = m_trace.events();
    result.ops = ops.size();
    result.span = {{events.beginNs[ops.front().v]}, {events.endNs[ops.front().v]}};
    std::vector<TimeRange> all;
    std::array<std::vector<TimeRange>, 4> byWork;
    for (std::size_t k = 0; k < ops.size(); ++k) {
        if (k % kRowsPerPoll == 0) {
            job.countEvents(std::min(kRowsPerPoll, ops.size() - k));
            if (job.cancelled())
                return result;
        }
        const TimeRange range = events.range(ops[k]);
        result.span.end = std::max(result.span.end, range.end);
        result.sumNs = saturatingAdd(result.sumNs, range.length().v);
        joinRange(all, range);
        const unsigned work = workOfOp(ops[k]);
        joinRange(byWork[static_cast<std::size_t>(__builtin_ctz(work))], range);
    }
    result.busy = IntervalSet::fromUnsorted(std::move(all));
    for (std::size_t k = 0; k < 4; ++k)
        result.byWork[k] = IntervalSet::fromUnsorted(std::move(byWork[k]));
    addStates(result.byWork, result.span, result.stateNs, job);
    result.busyNs = result.busy.measure().v;
    result.stateNs[0] = result.span.length().v - result.busyNs;
    return result;
}

DeviceBusy deviceBusy(const Trace& trace, DeviceId device, JobControl& job) {
    return BusyDevices(trace).busy(device, job);
}

std::array<std::int64_t, 16> statesWithin(const DeviceBusy& whole, TimeRange window, JobControl& job) {
    std::array<std::int64_t, 16> states{};
    addStates(whole.byWork, window, states, job);
    states[0] = window.length().v;
    for (std::size_t mask = 1; mask < states.size(); ++mask)
        states[0] -= states[mask];
    return states;
}

DeviceBusy busyWithin(const DeviceBusy& whole, TimeRange window, JobControl& job) {
    DeviceBusy part;
    part.device = whole.device;
    part.ops = whole.ops;
    part.sumNs = whole.sumNs;
    part.span = window;
    const IntervalSet cut = IntervalSet::fromUnsorted({window});
    part.busy = whole.busy.intersected(cut);
    for (std::size_t k = 0; k < part.byWork.size(); ++k)
        part.byWork[k] = whole.byWork[k].intersected(cut);
    addStates(part.byWork, window, part.stateNs, job);
    part.busyNs = part.busy.measure().v;
    part.stateNs[0] = window.length().v - part.busyNs;
    return part;
}

} // namespace lacuna
