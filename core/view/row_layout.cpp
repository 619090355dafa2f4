// Rows in the order of ux.md section 4. Everything that has events gets a row, or is named on one: lanes that
// no rule places come last, strips that do not fit the depth are counted in the row's detail, and what has no
// events at all is counted in a note.

#include "core/view/row_layout.h"

#include "core/base/text_format.h"
#include "core/trace/strip_query.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

namespace lacuna {

namespace {

std::string idTextOf(const Trace& trace, ProcessId process) {
    return process ? trace.processes()[process.v].idText : "-";
}

// "0", or "0/4711" for the second and further processes on one GPU.
std::string deviceTextOf(const Trace& trace, DeviceId device) {
    const auto devices = trace.devices();
    const std::int64_t ordinal = devices[device.v].ordinal;
    for (std::uint32_t k = 0; k < device.v; ++k)
        if (devices[k].ordinal == ordinal)
            return std::to_string(ordinal) + "/" + idTextOf(trace, devices[device.v].process);
    return std::to_string(ordinal);
}

// Logical pixels, from the mock-ups.
constexpr std::int32_t kGroupHead = 23, kNote = 23, kFoldedLane = 22, kCounter = 40;
constexpr std::int32_t kPadding = 3, kLine = 1; // above and below the strips; the line under the row

struct Measures {
    std::int32_t height, pitch, subHeight, subPitch;
};

Measures measuresOf(LaneKind kind) {
    switch (kind) {
    case LaneKind::Steps:
    case LaneKind::Range:
        return {20, 22, 20, 22};
    case LaneKind::CudaApi:
        return {22, 23, 22, 23};
    case LaneKind::GpuStream:
        return {52, 53, 20, 21};
    default:
        return {17, 18, 17, 18};
    }
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
    return formatCount(n) + " " + std::string(n == 1 ? one : many);
}

class Builder {
public:
    Builder(const Trace& trace, const LayoutOptions& options, const LayoutFacts& facts)
        : m_trace(trace), m_options(options), m_facts(facts), m_placed(trace.lanes().size(), false),
          m_rowOfLane(trace.lanes().size(), 0), m_groupOfLane(trace.lanes().size(), 0) {}

    void run() {
        collect();
        if (m_options.pinSteps)
            pinned();
        for (const ProcessId process : m_processes) {
            for (const ThreadId thread : threadsOf(process))
                threadGroup(thread);
            for (const DeviceId device : devicesOf(process))
                deviceGroup(device);
        }
        for (const LaneKind kind : {LaneKind::Counter, LaneKind::Marks, LaneKind::Async, LaneKind::Overhead})
            lanesOfKind(kind);
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k)
            addLane({k}, 0);
        notes();
    }

    std::vector<TimelineRow> rows;
    std::int32_t height = 0;
    std::vector<std::uint32_t>& rowOfLane() { return m_rowOfLane; }
    std::vector<std::uint32_t>& groupOfLane() { return m_groupOfLane; }

private:
    // Thread and device lanes by their owner, processes in order of display.
    void collect() {
        m_threadLanes.resize(m_trace.threads().size());
        m_deviceLanes.resize(m_trace.devices().size());
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k) {
            const Lane& lane = m_trace.lane({k});
            if (!hasContent(lane) || isOutside({k}) || isLeftOut({k}))
                m_placed[k] = true;
            else if (lane.device && lane.kind != LaneKind::Counter)
                m_deviceLanes[lane.device.v].push_back({k});
            else if (lane.thread)
                m_threadLanes[lane.thread.v].push_back({k});
        }
        for (std::uint32_t k = 0; k < m_trace.processes().size(); ++k)
            m_processes.push_back({k});
        const auto order = [&](ProcessId p) { return m_trace.processes()[p.v].sortIndex; };
        std::ranges::stable_sort(m_processes, {}, order);
        m_processes.push_back({}); // threads and devices of no known process
    }

    bool hasContent(const Lane& lane) const {
        if (lane.kind != LaneKind::Counter)
            return lane.depth > 0;
        return lane.counter && !m_trace.counters()[lane.counter.v].timeNs.empty();
    }

    bool isLeftOut(LaneId id) const {
        return !m_options.without.empty() && m_options.without.contains(laneKey(m_trace, id));
    }

    // Streams stay: that nothing runs on them is what a figure is about.
    bool isOutside(LaneId id) const {
        const Lane& lane = m_trace.lane(id);
        if (!m_options.onlyIn || lane.kind == LaneKind::Counter || lane.kind == LaneKind::GpuStream)
            return false;
        for (std::uint32_t n = 0; n < lane.depth; ++n) {
            const auto [first, last] = eventsTouching(m_trace, {lane.firstStrip.v + n}, *m_options.onlyIn);
            if (first < last)
                return false;
        }
        return true;
    }

    std::vector<ThreadId> threadsOf(ProcessId process) const {
        std::vector<ThreadId> threads;
        for (std::uint32_t k = 0; k < m_trace.threads().size(); ++k)
            if (m_trace.threads()[k].process == process && !m_threadLanes[k].empty())
                threads.push_back({k});
        // The launching thread first; the others by launches, then as the file names them.
        std::ranges::stable_sort(threads, std::greater<>{},
                                 [&](ThreadId t) { return m_facts.launches[t.v]; });
        return threads;
    }

    // None when no thread of the process launched anything and there is more than one.
    ThreadId launchingThread(ProcessId process) const {
        const auto threads = threadsOf(process);
        if (threads.empty() || (m_facts.launches[threads[0].v] == 0 && threads.size() > 1))
            return {};
        return threads[0];
    }

    std::vector<DeviceId> devicesOf(ProcessId process) const {
        std::vector<DeviceId> devices;
        for (std::uint32_t k = 0; k < m_trace.devices().size(); ++k)
            if (m_trace.devices()[k].process == process && !m_deviceLanes[k].empty())
                devices.push_back({k});
        std::ranges::stable_sort(devices, {}, [&](DeviceId d) { return m_trace.devices()[d.v].ordinal; });
        return devices;
    }

    void pinned() {
        lanesOfKind(LaneKind::Steps);
        for (const ProcessId process : m_processes)
            if (const ThreadId thread = launchingThread(process))
                for (const LaneId lane : m_threadLanes[thread.v])
                    if (m_trace.lane(lane).kind == LaneKind::Range)
                        addLane(lane, 0);
    }

    void lanesOfKind(LaneKind kind) {
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k)
            if (m_trace.lane({k}).kind == kind)
                addLane({k}, 0);
    }

    void threadGroup(ThreadId thread) {
        std::vector<LaneId> lanes;
        for (const LaneId lane : m_threadLanes[thread.v])
            if (!m_placed[lane.v] && hostOrder(m_trace.lane(lane).kind) >= 0)
                lanes.push_back(lane);
        if (lanes.empty())
            return;
        std::ranges::stable_sort(lanes, {}, [&](LaneId l) { return hostOrder(m_trace.lane(l).kind); });
        const Thread& t = m_trace.threads()[thread.v];
        TimelineRow head;
        head.key = "thread/" + processText(t.process) + "/" + t.idText;
        head.title = m_trace.threadTitle(thread);
        head.thread = thread;
        if (m_facts.launches[thread.v] > 0 && launchingThread(t.process) == thread)
            head.subtitle = "launching thread";
        if (severalProcesses())
            addSubtitle(head, processTitle(t.process));
        group(std::move(head), lanes);
    }

    // Order inside a thread's group; -1: not in the group.
    static int hostOrder(LaneKind kind) {
        constexpr std::array kOrder{LaneKind::Steps,     LaneKind::Range,   LaneKind::Python,
                                    LaneKind::CpuThread, LaneKind::CudaApi, LaneKind::OsRuntime};
        const auto at = std::ranges::find(kOrder, kind);
        return at == kOrder.end() ? -1 : static_cast<int>(at - kOrder.begin());
    }

    void deviceGroup(DeviceId device) {
        std::vector<LaneId> lanes = m_deviceLanes[device.v];
        std::erase_if(lanes, [&](LaneId l) { return m_placed[l.v]; });
        if (lanes.empty())
            return;
        const auto order = [&](LaneId l) {
            const Lane& lane = m_trace.lane(l);
            const int rank = lane.kind == LaneKind::GpuRange ? 0 : lane.kind == LaneKind::GpuStream ? 1 : 2;
            return std::tuple(rank, -m_facts.laneBusy[l.v], lane.sourceId);
        };
        std::ranges::stable_sort(lanes, {}, order);
        const Device& d = m_trace.devices()[device.v];
        TimelineRow head;
        head.key = "gpu/" + deviceText(device);
        head.title = "GPU " + std::to_string(d.ordinal);
        head.device = device;
        constexpr std::string_view kVendor = "NVIDIA ";
        head.subtitle = d.name.starts_with(kVendor) ? d.name.substr(kVendor.size()) : d.name;
        if (severalProcesses())
            addSubtitle(head, processTitle(d.process));
        if (const auto share = busyShare(device, m_facts.deviceBusy[device.v]))
            head.detail = formatPercent(*share) + " busy";
        group(std::move(head), lanes);
    }

    std::optional<double> busyShare(DeviceId device, std::int64_t busyNs) const {
        const std::int64_t window = m_facts.deviceWindow[device.v].length().v;
        if (window <= 0)
            return std::nullopt;
        return static_cast<double>(busyNs) / static_cast<double>(window);
    }

    void group(TimelineRow head, const std::vector<LaneId>& lanes) {
        head.kind = RowKind::GroupHead;
        head.height = kGroupHead;
        head.foldable = true;
        head.folded = m_options.folded.contains(head.key);
        const bool folded = head.folded;
        push(std::move(head));
        const auto number = static_cast<std::uint32_t>(rows.size()); // index + 1
        for (const LaneId lane : lanes) {
            m_groupOfLane[lane.v] = number;
            if (folded)
                m_placed[lane.v] = true;
            else
                addLane(lane, 1);
        }
    }

    void addLane(LaneId id, int indent) {
        if (m_placed[id.v])
            return;
        m_placed[id.v] = true;
        const Lane& lane = m_trace.lane(id);
        TimelineRow row;
        row.lane = id;
        row.thread = lane.thread;
        row.device = lane.device;
        row.indent = indent;
        row.key = laneKey(m_trace, id);
        nameLane(id, row);
        if (lane.kind == LaneKind::Counter) {
            std::tie(row.counterMin, row.counterMax) = m_facts.counterRange[lane.counter.v];
            row.stripTop = kPadding;
            row.stripHeight = row.stripPitch = row.subHeight = row.subPitch = kCounter;
            row.height = kPadding + kCounter + kPadding + kLine;
        } else {
            chooseStrips(id, row);
            measure(lane.kind, row);
        }
        push(std::move(row));
        m_rowOfLane[id.v] = static_cast<std::uint32_t>(rows.size());
    }

    // Which strips of a lane show: all of them, or a window of maxStrips that leaves out what tells least.
    void chooseStrips(LaneId id, TimelineRow& row) const {
        const Lane& lane = m_trace.lane(id);
        row.stripCount = lane.depth;
        row.foldable = lane.depth > 1 || lane.kind == LaneKind::GpuSync;
        row.foldsByDefault = lane.depth > m_options.maxStrips || lane.kind == LaneKind::GpuSync;
        const bool full = m_options.unfolded.contains(row.key);
        std::uint32_t limit = std::max(1u, m_options.maxStrips);
        if (m_options.folded.contains(row.key))
            limit = 1;
        if (full || (lane.depth <= limit && lane.kind != LaneKind::GpuSync))
            return;
        row.folded = true;
        if (lane.kind == LaneKind::GpuSync) { // host time drawn with the device: only when asked for
            row.stripCount = 0;
            row.detail = "folded";
            return;
        }
        row.stripCount = limit;
        row.hiddenOuter = lane.kind == LaneKind::Python ? outerToHide(id, lane.depth - limit) : 0;
        row.firstStrip = row.hiddenOuter;
        row.hiddenInner = lane.depth - limit - row.hiddenOuter;
        std::string text;
        if (row.hiddenOuter > 0)
            text = std::to_string(row.hiddenOuter) + " outer, ";
        row.detail =
            text + std::to_string(row.hiddenInner) + (row.hiddenOuter > 0 ? " inner" : "") + " folded";
    }

    // Outer frames that hold the whole focus (main, <module>, the training loop) say nothing about it.
    std::uint32_t outerToHide(LaneId id, std::uint32_t most) const {
        const TimeRange focus = m_options.focus.value_or(m_trace.window());
        const auto strips = m_trace.strips(id);
        std::uint32_t outer = 0;
        for (; outer < most; ++outer) {
            const StripId strip{m_trace.lane(id).firstStrip.v + outer};
            const auto [first, last] = eventsTouching(m_trace, strip, focus);
            if (last.v - first.v > 2 || strips[outer + 1].size() == 0)
                break;
        }
        return outer;
    }

    static void measure(LaneKind kind, TimelineRow& row) {
        const Measures m = measuresOf(kind);
        row.stripTop = kPadding;
        row.stripHeight = m.height;
        row.stripPitch = m.pitch;
        row.subHeight = m.subHeight;
        row.subPitch = m.subPitch;
        if (row.stripCount == 0) {
            row.height = kFoldedLane;
            return;
        }
        const std::uint32_t last = row.stripCount - 1;
        row.height = row.stripY(last) + row.heightOf(last) + kPadding + kLine;
    }

    void nameLane(LaneId id, TimelineRow& row) const {
        const Lane& lane = m_trace.lane(id);
        const std::string given(m_trace.strings().view(lane.title));
        switch (lane.kind) {
        case LaneKind::Steps:
            row.title = "Steps";
            row.detail = formatCount(m_trace.strips(id)[0].size());
            if (severalProcesses())
                row.subtitle = processTitle(lane.process);
            break;
        case LaneKind::Range:
            row.title = "Ranges";
            if (row.indent == 0 && severalProcesses())
                row.subtitle = m_trace.threadTitle(lane.thread);
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
            if (severalLanes(lane.device, LaneKind::GpuRange))
                row.subtitle = "stream " + std::to_string(lane.sourceId);
            break;
        case LaneKind::GpuStream:
            nameStream(id, given, row);
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
            nameOther(lane, given, row);
            break;
        }
    }

    void nameStream(LaneId id, const std::string& given, TimelineRow& row) const {
        const Lane& lane = m_trace.lane(id);
        row.title = "stream " + std::to_string(lane.sourceId);
        std::string content;
        const auto add = [&](bool has, std::string_view name) {
            if (has)
                content += (content.empty() ? "" : ", ") + std::string(name);
        };
        add(hasKind(id, EventKind::Kernel) || hasKind(id, EventKind::GraphLaunch), "compute");
        add(hasKind(id, EventKind::Memcpy), "copies");
        add(hasKind(id, EventKind::Memset), "memsets");
        row.subtitle = content;
        if (lower(given).find("default") != std::string::npos)
            row.secondLine = "default stream";
        if (lane.device && severalLanes(lane.device, LaneKind::GpuStream) && lane.depth == 1)
            if (const auto share = busyShare(lane.device, m_facts.laneBusy[id.v]))
                row.detail = formatPercent(*share);
    }

    void nameCounter(const Lane& lane, TimelineRow& row) const {
        const CounterTrack& track = m_trace.counters()[lane.counter.v];
        row.title = track.name;
        row.detail = track.unit;
        if (track.device)
            row.subtitle = "GPU " + std::to_string(m_trace.devices()[track.device.v].ordinal);
        else if (severalProcesses())
            row.subtitle = processTitle(track.process);
    }

    void nameOther(const Lane& lane, const std::string& given, TimelineRow& row) const {
        constexpr std::string_view kAsync = "async", kMarks = "marks", kOverhead = "overhead";
        const std::string_view kind = lane.kind == LaneKind::Async   ? kAsync
                                      : lane.kind == LaneKind::Marks ? kMarks
                                                                     : kOverhead;
        row.title = given.empty() ? std::string(kind) : given;
        if (!given.empty())
            row.subtitle = kind;
        if (lane.thread)
            addSubtitle(row, m_trace.threadTitle(lane.thread));
        else if (severalProcesses())
            addSubtitle(row, processTitle(lane.process));
    }

    void notes() {
        if (!m_options.notes)
            return;
        const auto idle = static_cast<std::size_t>(std::ranges::count_if(
            m_threadLanes, [](const std::vector<LaneId>& lanes) { return lanes.empty(); }));
        const auto unused = static_cast<std::size_t>(std::ranges::count_if(
            m_deviceLanes, [](const std::vector<LaneId>& lanes) { return lanes.empty(); }));
        const std::string hidden =
            m_options.onlyIn ? " without events here hidden" : " without events hidden";
        if (idle > 0)
            note("note/threads", plural(idle, "thread", "threads") + hidden);
        if (unused > 0)
            note("note/gpus", plural(unused, "GPU", "GPUs") + hidden);
    }

    void note(std::string key, std::string text) {
        TimelineRow row;
        row.kind = RowKind::Note;
        row.key = std::move(key);
        row.title = std::move(text);
        row.height = kNote;
        push(std::move(row));
    }

    void push(TimelineRow row) {
        row.y = height;
        height += row.height;
        rows.push_back(std::move(row));
    }

    static void addSubtitle(TimelineRow& row, const std::string& text) {
        if (!row.subtitle.empty() && !text.empty())
            row.subtitle += " \u00b7 ";
        row.subtitle += text;
    }

    bool severalProcesses() const { return m_trace.processes().size() > 1; }
    bool hasKind(LaneId lane, EventKind kind) const {
        return (m_facts.kinds[lane.v] >> static_cast<unsigned>(kind) & 1u) != 0;
    }
    bool severalLanes(DeviceId device, LaneKind kind) const {
        return device && std::ranges::count_if(m_deviceLanes[device.v],
                                               [&](LaneId l) { return m_trace.lane(l).kind == kind; }) > 1;
    }
    std::string processText(ProcessId process) const { return idTextOf(m_trace, process); }
    std::string processTitle(ProcessId process) const {
        if (!process)
            return {};
        const Process& p = m_trace.processes()[process.v];
        return (p.name.empty() ? "process" : p.name) + " " + p.idText;
    }
    std::string deviceText(DeviceId device) const { return deviceTextOf(m_trace, device); }

    const Trace& m_trace;
    const LayoutOptions& m_options;
    const LayoutFacts& m_facts;
    std::vector<ProcessId> m_processes;
    std::vector<std::vector<LaneId>> m_threadLanes, m_deviceLanes;
    std::vector<bool> m_placed;
    std::vector<std::uint32_t> m_rowOfLane, m_groupOfLane; // index + 1
};

} // namespace

std::string laneKey(const Trace& trace, LaneId id) {
    const Lane& lane = trace.lane(id);
    std::string key = "lane/" + std::string(laneKindName(lane.kind)) + "/";
    if (lane.device)
        key += deviceTextOf(trace, lane.device) + "/" + std::to_string(lane.sourceId);
    else if (lane.thread)
        key += idTextOf(trace, lane.process) + "/" + trace.threads()[lane.thread.v].idText;
    else
        key += idTextOf(trace, lane.process);
    if (lane.kind == LaneKind::Counter || lane.kind == LaneKind::Async || lane.kind == LaneKind::Marks)
        key += "/" + std::string(trace.strings().view(lane.title));
    return key;
}

LaneId laneOfKey(const Trace& trace, std::string_view key) {
    for (std::uint32_t i = 0; i < trace.lanes().size(); ++i)
        if (laneKey(trace, LaneId{i}) == key)
            return LaneId{i};
    return {};
}

void LayoutOptions::toggle(const TimelineRow& row) {
    if (row.folded) {
        folded.erase(row.key);
        if (row.foldsByDefault)
            unfolded.insert(row.key);
    } else {
        unfolded.erase(row.key);
        if (!row.foldsByDefault)
            folded.insert(row.key);
    }
}

RowLayout RowLayout::build(const Trace& trace, const LayoutOptions& options) {
    const LayoutFacts own = options.facts == nullptr ? LayoutFacts::of(trace) : LayoutFacts{};
    Builder builder(trace, options, options.facts == nullptr ? own : *options.facts);
    builder.run();
    RowLayout layout;
    layout.m_rows = std::move(builder.rows);
    layout.m_height = builder.height;
    layout.m_rowOfLane = std::move(builder.rowOfLane());
    layout.m_groupOfLane = std::move(builder.groupOfLane());
    return layout;
}

RowLayout RowLayout::stretched(double factor) const {
    const auto scaled = [factor](std::int32_t v) {
        return static_cast<std::int32_t>(std::lround(v * factor));
    };
    RowLayout layout = *this;
    for (TimelineRow& row : layout.m_rows) {
        const std::int32_t end = scaled(row.y + row.height);
        row.y = scaled(row.y);
        row.height = end - row.y;
        for (std::int32_t* v :
             {&row.stripTop, &row.stripPitch, &row.stripHeight, &row.subPitch, &row.subHeight})
            *v = scaled(*v);
        if (row.stripCount > 1) { // strips never run into one another
            row.stripHeight = std::min(row.stripHeight, row.stripPitch - 1);
            row.subHeight = std::min(row.subHeight, row.subPitch - 1);
        }
    }
    layout.m_height = scaled(m_height);
    return layout;
}

std::optional<std::size_t> RowLayout::rowAt(std::int32_t y) const {
    const auto after = std::ranges::upper_bound(m_rows, y, {}, &TimelineRow::y);
    if (after == m_rows.begin())
        return std::nullopt;
    const TimelineRow& row = *(after - 1);
    if (y >= row.y + row.height)
        return std::nullopt;
    return static_cast<std::size_t>(after - 1 - m_rows.begin());
}

std::optional<std::size_t> RowLayout::rowOf(LaneId lane) const {
    if (!lane || lane.v >= m_rowOfLane.size() || m_rowOfLane[lane.v] == 0)
        return std::nullopt;
    return m_rowOfLane[lane.v] - 1;
}

std::optional<std::size_t> RowLayout::visibleRowOf(LaneId lane) const {
    if (const auto row = rowOf(lane))
        return row;
    if (!lane || lane.v >= m_groupOfLane.size() || m_groupOfLane[lane.v] == 0)
        return std::nullopt;
    return m_groupOfLane[lane.v] - 1;
}

} // namespace lacuna
