#include "core/view/row_names.h"

#include "core/base/text_format.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace lacuna {

namespace {

void addSubtitle(TimelineRow& row, const std::string& text) {
    if (!row.subtitle.empty() && !text.empty())
        row.subtitle += " \u00b7 ";
    row.subtitle += text;
}

std::string processText(const Trace& trace, ProcessId process) {
    return process ? trace.processes()[process.v].idText : "-";
}

// "0", or "0/4711" for the second and further processes on one GPU.
std::string deviceText(const Trace& trace, DeviceId device) {
    const auto devices = trace.devices();
    const std::int64_t ordinal = devices[device.v].ordinal;
    for (std::uint32_t k = 0; k < device.v; ++k)
        if (devices[k].ordinal == ordinal)
            return std::to_string(ordinal) + "/" + processText(trace, devices[device.v].process);
    return std::to_string(ordinal);
}

bool saysDefault(std::string_view title) {
    std::string lower(title);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower.find("default") != std::string::npos;
}

} // namespace

RowNames::RowNames(const Trace& trace, const LayoutFacts& facts)
    : m_trace(trace), m_facts(facts), m_streams(trace.devices().size(), 0),
      m_gpuRanges(trace.devices().size(), 0) {
    std::set<ProcessId> driving, any;
    for (const Lane& lane : trace.lanes()) {
        if (lane.process && lane.depth > 0) {
            any.insert(lane.process);
            if (lane.kind == LaneKind::CudaApi)
                driving.insert(lane.process);
        }
        if (!lane.device || lane.depth == 0)
            continue;
        if (const ProcessId owner = trace.devices()[lane.device.v].process)
            driving.insert(owner);
        m_streams[lane.device.v] += lane.kind == LaneKind::GpuStream;
        m_gpuRanges[lane.device.v] += lane.kind == LaneKind::GpuRange;
    }
    m_severalProcesses = driving.empty() ? any.size() > 1 : driving.size() > 1;
}

TimelineRow RowNames::threadHead(ThreadId thread, bool launching) const {
    const Thread& t = m_trace.threads()[thread.v];
    TimelineRow head;
    head.kind = RowKind::GroupHead;
    head.key = "thread/" + processText(m_trace, t.process) + "/" + t.idText;
    head.title = m_trace.threadTitle(thread);
    head.thread = thread;
    if (launching) {
        addRank(head, t.process);
        addSubtitle(head, "launching thread");
    }
    if (severalProcesses())
        addSubtitle(head, processTitle(t.process));
    return head;
}

TimelineRow RowNames::deviceHead(DeviceId device) const {
    const Device& d = m_trace.devices()[device.v];
    TimelineRow head;
    head.kind = RowKind::GroupHead;
    head.key = "gpu/" + deviceText(m_trace, device);
    head.title = "GPU " + std::to_string(d.ordinal);
    head.device = device;
    constexpr std::string_view kVendor = "NVIDIA ";
    addRank(head, d.process);
    addSubtitle(head, d.name.starts_with(kVendor) ? d.name.substr(kVendor.size()) : d.name);
    if (severalProcesses())
        addSubtitle(head, processTitle(d.process));
    if (std::string busy = busyText(device, m_facts.deviceBusy[device.v]); !busy.empty())
        head.detail = busy + " busy";
    return head;
}

void RowNames::nameLane(LaneId id, TimelineRow& row) const {
    const Lane& lane = m_trace.lane(id);
    switch (lane.kind) {
    case LaneKind::Steps:
        row.title = "Steps";
        row.detail = formatCount(m_trace.strips(id)[0].size());
        if (severalProcesses())
            row.subtitle = processTitle(lane.process);
        break;
    case LaneKind::Range:
        row.title = "Ranges";
        row.subtitle = m_trace.strings().view(lane.title); // "start/end ranges"
        if (row.indent == 0 && severalProcesses())
            addSubtitle(row, m_trace.threadTitle(lane.thread));
        break;
    case LaneKind::Python:
        row.title = "Python";
        break;
    case LaneKind::CpuThread:
        row.title = hasKind(id, EventKind::CpuOp) ? "operators" : "events";
        break;
    case LaneKind::CudaApi:
        row.title = "CUDA API";
        break;
    case LaneKind::OsRuntime:
        row.title = "OS runtime";
        break;
    case LaneKind::GpuRange:
        row.title = "ranges on GPU";
        if (lane.device && m_gpuRanges[lane.device.v] > 1)
            row.subtitle = "stream " + std::to_string(lane.sourceId);
        break;
    case LaneKind::GpuStream:
        nameStream(id, row);
        break;
    case LaneKind::GpuSync:
        row.title = "sync markers";
        row.subtitle = lane.sourceId >= 0 ? "stream " + std::to_string(lane.sourceId) : "whole device";
        break;
    case LaneKind::Counter:
        nameCounter(lane, row);
        break;
    case LaneKind::Async:
    case LaneKind::Marks:
    case LaneKind::Overhead:
        nameOther(lane, row);
        break;
    }
}

void RowNames::nameStream(LaneId id, TimelineRow& row) const {
    const Lane& lane = m_trace.lane(id);
    row.title = "stream " + std::to_string(lane.sourceId);
    const auto add = [&](bool has, std::string_view name) {
        if (has)
            row.subtitle += (row.subtitle.empty() ? "" : ", ") + std::string(name);
    };
    const bool copies = hasKind(id, EventKind::Memcpy);
    add((m_facts.work[id.v] & kCompute) != 0, "compute");
    add((m_facts.work[id.v] & kCommunication) != 0, "communication");
    add(copies, "copies");
    add(!copies && hasKind(id, EventKind::Memset), "memsets");
    if (saysDefault(m_trace.strings().view(lane.title)))
        row.secondLine = "default stream";
    // Where there is one stream the head of the group says it.
    if (lane.device && m_streams[lane.device.v] > 1)
        if (std::string busy = busyText(lane.device, m_facts.laneBusy[id.v]); !busy.empty())
            row.detail = busy + " busy";
}

void RowNames::nameCounter(const Lane& lane, TimelineRow& row) const {
    const CounterTrack& track = m_trace.counters()[lane.counter.v];
    row.title = track.name;
    row.detail = track.unit;
    if (track.device)
        row.subtitle = "GPU " + std::to_string(m_trace.devices()[track.device.v].ordinal);
    else if (severalProcesses())
        row.subtitle = processTitle(track.process);
}

void RowNames::nameOther(const Lane& lane, TimelineRow& row) const {
    const std::string kind(laneKindName(lane.kind));
    const std::string given(m_trace.strings().view(lane.title));
    row.title = given.empty() ? kind : given;
    if (row.title != kind)
        row.subtitle = kind;
    if (lane.thread)
        addSubtitle(row, m_trace.threadTitle(lane.thread));
    else if (severalProcesses())
        addSubtitle(row, processTitle(lane.process));
}

bool RowNames::hasKind(LaneId lane, EventKind kind) const {
    return (m_facts.kinds[lane.v] >> static_cast<unsigned>(kind) & 1u) != 0;
}

std::string RowNames::busyText(DeviceId device, std::int64_t busyNs) const {
    const std::int64_t window = device ? m_facts.deviceWindow[device.v].length().v : 0;
    return window > 0 ? formatPercent(static_cast<double>(busyNs) / static_cast<double>(window))
                      : std::string();
}

// In front, since a head has little room. Each rank writes a file of its own as a rule: one process tells it
// too.
void RowNames::addRank(TimelineRow& head, ProcessId process) const {
    if (process && m_trace.processes()[process.v].mpiRank)
        addSubtitle(head, "rank " + std::to_string(*m_trace.processes()[process.v].mpiRank));
}

std::string RowNames::processTitle(ProcessId process) const {
    if (!process)
        return {};
    const Process& p = m_trace.processes()[process.v];
    std::string title = p.name.empty() && !p.idText.empty() ? "process" : p.name;
    if (!p.idText.empty())
        title += " " + p.idText;
    return title;
}

std::string laneKey(const Trace& trace, LaneId id) {
    const Lane& lane = trace.lane(id);
    std::string key = "lane/" + std::string(laneKindName(lane.kind)) + "/";
    if (lane.device)
        key += deviceText(trace, lane.device) + "/" + std::to_string(lane.sourceId);
    else if (lane.thread)
        key += processText(trace, lane.process) + "/" + trace.threads()[lane.thread.v].idText;
    else
        key += processText(trace, lane.process);
    const std::string_view title = trace.strings().view(lane.title);
    if (lane.kind == LaneKind::Counter || lane.kind == LaneKind::Async || lane.kind == LaneKind::Marks ||
        (lane.kind == LaneKind::Range && !title.empty()))
        key += "/" + std::string(title);
    return key;
}

LaneId laneOfKey(const Trace& trace, std::string_view key) {
    for (std::uint32_t i = 0; i < trace.lanes().size(); ++i)
        if (laneKey(trace, LaneId{i}) == key)
            return LaneId{i};
    return {};
}

} // namespace lacuna
