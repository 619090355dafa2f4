// Rows in the order of ux.md section 4. Everything that has events gets a row, or is named on one: lanes that
// no rule places come last, strips that do not fit the depth are counted in the row's detail, and what has no
// events at all is counted in a note.

#include "core/view/row_layout.h"

#include "core/base/ascii.h"
#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "core/view/arrange_rows.h"
#include "core/view/row_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace lacuna {

namespace {

// Logical pixels, from the mock-ups.
constexpr std::int32_t kGroupHead = 23, kNote = 23, kFoldedLane = 22, kCounter = 40, kRate = 10;
constexpr std::int32_t kPadding = 3, kLine = 1; // above and below the strips; the line under the row

constexpr std::uint32_t kBesideStrips = 2;     // of a stack in a thread without launches
constexpr std::uint64_t kMainThreadShare = 10; // launches at least a tenth of what the busiest thread does

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

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
    return formatCount(n) + " " + std::string(n == 1 ? one : many);
}

class Builder {
public:
    Builder(const Trace& trace, const LayoutOptions& options, const LayoutFacts& facts)
        : m_trace(trace), m_options(options), m_facts(facts), m_names(trace, facts),
          m_placed(trace.lanes().size(), false), m_rowOfLane(trace.lanes().size(), 0),
          m_groupOfLane(trace.lanes().size(), 0) {}

    void run() {
        collect();
        pinnedByHand();
        if (m_options.pinSteps)
            pinned();
        for (const ProcessId process : m_processes) {
            for (const ThreadId thread : ownedBy(process).threads)
                threadGroup(thread);
            for (const DeviceId device : ownedBy(process).devices)
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
    // Thread and device lanes by their owner, owners by process, processes in order of display.
    void collect() {
        m_threadLanes.resize(m_trace.threads().size());
        m_deviceLanes.resize(m_trace.devices().size());
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k) {
            const Lane& lane = m_trace.lane({k});
            if (!hasContent(lane) || isOutside({k}) || isLeftOut({k}))
                m_placed[k] = true;
            else if (isHiddenByHand({k}) || isFilteredOut({k}))
                leaveToUser({k});
            else if (lane.device && lane.kind != LaneKind::Counter)
                m_deviceLanes[lane.device.v].push_back({k});
            else if (lane.thread)
                m_threadLanes[lane.thread.v].push_back({k});
        }
        const std::size_t processes = m_trace.processes().size();
        m_owned.resize(processes + 1); // the last: of no known process
        for (std::uint32_t k = 0; k < m_threadLanes.size(); ++k)
            if (!m_threadLanes[k].empty())
                ownedBy(m_trace.threads()[k].process).threads.push_back({k});
        for (std::uint32_t k = 0; k < m_deviceLanes.size(); ++k)
            if (!m_deviceLanes[k].empty())
                ownedBy(m_trace.devices()[k].process).devices.push_back({k});
        for (Owned& owned : m_owned)
            sortOwned(owned);
        for (std::uint32_t k = 0; k < processes; ++k)
            m_processes.push_back({k});
        std::ranges::stable_sort(m_processes, {},
                                 [&](ProcessId p) { return m_trace.processes()[p.v].sortIndex; });
        m_processes.push_back({});
    }

    bool hasContent(const Lane& lane) const {
        if (lane.kind != LaneKind::Counter)
            return lane.depth > 0;
        return lane.counter && !m_trace.counters()[lane.counter.v].timeNs.empty();
    }

    bool isLeftOut(LaneId id) const {
        return !m_options.without.empty() && m_options.without.contains(laneKey(m_trace, id));
    }

    // Head of the group that a lane belongs to; its key is empty where there is none.
    TimelineRow headOf(const Lane& lane) const {
        if (lane.device && lane.kind != LaneKind::Counter)
            return m_names.deviceHead(lane.device);
        return lane.thread ? m_names.threadHead(lane.thread, false) : TimelineRow{};
    }

    // Its owner has events all the same.
    void leaveToUser(LaneId id) {
        const Lane& lane = m_trace.lane(id);
        m_placed[id.v] = true;
        if (lane.device)
            m_devicesToUser.insert(lane.device);
        if (lane.thread)
            m_threadsToUser.insert(lane.thread);
    }

    bool isHiddenByHand(LaneId id) {
        const std::set<std::string>& hidden = m_options.plan.hidden;
        const bool hides = !hidden.empty() && (hidden.contains(laneKey(m_trace, id)) ||
                                               hidden.contains(headOf(m_trace.lane(id)).key));
        m_hiddenByHand += hides;
        return hides;
    }

    bool isFilteredOut(LaneId id) {
        if (m_options.plan.filter.empty())
            return false;
        TimelineRow row;
        m_names.nameLane(id, row);
        const TimelineRow head = headOf(m_trace.lane(id));
        std::string words;
        for (const TimelineRow* part : {&std::as_const(row), &head})
            words.append(part->title).append("\n").append(part->subtitle).append("\n");
        words.append(row.secondLine).append("\n");
        for (const std::string& key : {laneKey(m_trace, id), head.key})
            if (const auto name = m_options.plan.names.find(key); name != m_options.plan.names.end())
                words.append(name->second).append("\n");
        const auto same = [](char a, char b) { return lower(a) == lower(b); };
        const std::string& wanted = m_options.plan.filter;
        const bool out =
            std::search(words.begin(), words.end(), wanted.begin(), wanted.end(), same) == words.end();
        m_filteredOut += out;
        return out;
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

    struct Owned { // by a process, in order of display
        std::vector<ThreadId> threads;
        std::vector<DeviceId> devices;
        ThreadId launching; // none when no thread launched anything and there are several
    };

    const Owned& ownedBy(ProcessId process) const { return process ? m_owned[process.v] : m_owned.back(); }
    Owned& ownedBy(ProcessId process) { return process ? m_owned[process.v] : m_owned.back(); }

    void sortOwned(Owned& owned) const {
        std::ranges::stable_sort(owned.devices, {},
                                 [&](DeviceId d) { return m_trace.devices()[d.v].ordinal; });
        if (owned.threads.empty())
            return;
        // The launching thread first; the others by launches, then as the file names them.
        const auto launches = [&](ThreadId t) { return m_facts.launches[t.v]; };
        std::ranges::stable_sort(owned.threads, std::greater<>{}, launches);
        const std::uint64_t most = launches(owned.threads[0]);
        // The main thread drives the program, also where a helper (autograd) launches more.
        const auto main = std::ranges::find_if(owned.threads, [&](ThreadId t) {
            return isMain(t) && most > 0 && launches(t) * kMainThreadShare >= most;
        });
        if (main != owned.threads.end())
            std::rotate(owned.threads.begin(), main, main + 1);
        if (owned.threads.size() == 1 || most > 0)
            owned.launching = owned.threads[0];
    }

    bool isMain(ThreadId thread) const {
        const Thread& t = m_trace.threads()[thread.v];
        return t.process && m_trace.processes()[t.process.v].idText == t.idText;
    }

    void pinnedByHand() {
        if (m_options.plan.pinned.empty())
            return;
        std::map<std::string, LaneId> lanes;
        std::map<std::string, std::pair<ThreadId, DeviceId>> groups;
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k)
            if (!m_placed[k]) {
                lanes.emplace(laneKey(m_trace, {k}), LaneId{k});
                groups.emplace(headOf(m_trace.lane({k})).key,
                               std::pair(m_trace.lane({k}).thread, m_trace.lane({k}).device));
            }
        m_pinning = m_byHand = true;
        for (const std::string& key : m_options.plan.pinned) {
            if (const auto lane = lanes.find(key); lane != lanes.end()) {
                addLane(lane->second, 0);
            } else if (const auto group = groups.find(key); group != groups.end() && !key.empty()) {
                if (group->second.second)
                    deviceGroup(group->second.second);
                else
                    threadGroup(group->second.first);
            }
        }
        m_pinning = m_byHand = false;
    }

    void pinned() {
        const auto pin = [&](LaneId lane) {
            if (m_options.plan.unpinned.empty() || !m_options.plan.unpinned.contains(laneKey(m_trace, lane)))
                addLane(lane, 0);
        };
        m_pinning = true;
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k)
            if (m_trace.lane({k}).kind == LaneKind::Steps)
                pin({k});
        for (const ProcessId process : m_processes)
            if (const ThreadId thread = ownedBy(process).launching)
                for (const LaneId lane : m_threadLanes[thread.v])
                    if (m_trace.lane(lane).kind == LaneKind::Range)
                        pin(lane);
        m_pinning = false;
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
        const ProcessId process = m_trace.threads()[thread.v].process;
        const bool launching = m_facts.launches[thread.v] > 0 && ownedBy(process).launching == thread;
        group(m_names.threadHead(thread, launching), lanes);
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
        // Streams by busy time, the ranges of a stream above it, markers last.
        std::map<std::int64_t, std::int64_t> busyOfStream;
        for (const LaneId l : lanes)
            if (m_trace.lane(l).kind == LaneKind::GpuStream)
                busyOfStream[m_trace.lane(l).sourceId] = m_facts.laneBusy[l.v];
        const auto order = [&](LaneId l) {
            const Lane& lane = m_trace.lane(l);
            const auto busy = busyOfStream.find(lane.sourceId);
            return std::tuple(lane.kind == LaneKind::GpuSync, busy == busyOfStream.end() ? 0 : -busy->second,
                              lane.sourceId, lane.kind != LaneKind::GpuRange);
        };
        std::ranges::stable_sort(lanes, {}, order);
        group(m_names.deviceHead(device), lanes);
    }

    void group(TimelineRow head, const std::vector<LaneId>& lanes) {
        head.height = kGroupHead;
        head.foldable = true;
        head.pinned = m_pinning;
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
        row.pinned = m_pinning;
        row.key = laneKey(m_trace, id);
        m_names.nameLane(id, row);
        if (m_byHand && indent == 0) { // out of its group it says whose it is
            const std::string owner = headOf(lane).title;
            row.subtitle = owner + (owner.empty() || row.subtitle.empty() ? "" : " \u00b7 ") + row.subtitle;
        }
        if (lane.kind == LaneKind::Counter) {
            std::tie(row.counterMin, row.counterMax) = m_facts.counterRange[lane.counter.v];
            row.stripTop = kPadding;
            row.stripHeight = row.stripPitch = row.subHeight = row.subPitch = kCounter;
            row.height = kPadding + kCounter + kPadding + kLine;
        } else {
            chooseStrips(id, row);
            measure(lane.kind, row);
            addLaunchRate(id, row);
        }
        push(std::move(row));
        m_rowOfLane[id.v] = static_cast<std::uint32_t>(rows.size());
    }

    // Which strips of a lane show: all of them, or a window of maxStrips that leaves out what tells least.
    void chooseStrips(LaneId id, TimelineRow& row) const {
        const Lane& lane = m_trace.lane(id);
        row.stripCount = lane.depth;
        row.foldable = lane.depth > 1 || lane.kind == LaneKind::GpuSync;
        std::uint32_t limit = std::max(1u, m_options.maxStrips);
        if (isBesideTheLaunches(lane))
            limit = std::min(limit, kBesideStrips);
        row.foldsByDefault = lane.depth > limit || lane.kind == LaneKind::GpuSync;
        const bool full = m_options.unfolded.contains(row.key);
        if (m_options.folded.contains(row.key))
            limit = 1;
        if (full || (lane.depth <= limit && lane.kind != LaneKind::GpuSync))
            return;
        row.folded = true;
        if (lane.kind == LaneKind::GpuSync) { // host time drawn with the device: only when asked for
            row.stripCount = 0;
            row.hiddenInner = lane.depth;
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

    // Stacks of a thread that launched nothing, where another one did: a loader, a queue, a pin thread. In
    // full they would stand between the thread that drives the GPU and the GPU.
    bool isBesideTheLaunches(const Lane& lane) const {
        if (!lane.thread || (lane.kind != LaneKind::Python && lane.kind != LaneKind::CpuThread) ||
            m_facts.launches[lane.thread.v] > 0)
            return false;
        const ThreadId launching = ownedBy(m_trace.threads()[lane.thread.v].process).launching;
        return launching && m_facts.launches[launching.v] > 0;
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

    // Room over the first strip.
    void addLaunchRate(LaneId id, TimelineRow& row) const {
        const auto& rate = m_facts.launchRate[id.v];
        if (rate == nullptr || row.stripCount == 0)
            return;
        row.launchRate = rate;
        row.counterMax = *std::ranges::max_element(rate->value);
        row.rateTop = row.stripTop;
        row.rateHeight = kRate;
        row.stripTop += kRate + kLine;
        row.height += kRate + kLine;
        if (row.detail.empty())
            row.detail = "\u2264 " + formatCount(static_cast<std::uint64_t>(row.counterMax)) + " launches/ms";
    }

    void notes() {
        if (!m_options.notes)
            return;
        std::size_t idle = 0, unused = 0;
        for (std::uint32_t k = 0; k < m_threadLanes.size(); ++k)
            idle += m_threadLanes[k].empty() && !m_threadsToUser.contains({k});
        for (std::uint32_t k = 0; k < m_deviceLanes.size(); ++k)
            unused += m_deviceLanes[k].empty() && !m_devicesToUser.contains({k});
        const std::string hidden =
            m_options.onlyIn ? " without events here hidden" : " without events hidden";
        if (idle > 0)
            note("note/threads", plural(idle, "thread", "threads") + hidden);
        if (unused > 0)
            note("note/gpus", plural(unused, "GPU", "GPUs") + hidden);
        if (m_hiddenByHand > 0)
            note("note/hidden", plural(m_hiddenByHand, "lane", "lanes") +
                                    (m_options.onlyIn ? " left out" : " hidden by you"));
        if (m_filteredOut > 0)
            note("note/filter", plural(m_filteredOut, "lane", "lanes") + " left out by the filter");
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

    const Trace& m_trace;
    const LayoutOptions& m_options;
    const LayoutFacts& m_facts;
    RowNames m_names;
    std::vector<ProcessId> m_processes;
    std::vector<Owned> m_owned;
    std::vector<std::vector<LaneId>> m_threadLanes, m_deviceLanes;
    std::vector<bool> m_placed;
    std::vector<std::uint32_t> m_rowOfLane, m_groupOfLane; // index + 1
    std::size_t m_hiddenByHand = 0, m_filteredOut = 0;     // lanes
    std::set<ThreadId> m_threadsToUser;                    // owners of those
    std::set<DeviceId> m_devicesToUser;
    bool m_pinning = false, m_byHand = false;
};

} // namespace

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
    if (!options.plan.isEmpty())
        layout.arrange(options.plan);
    return layout;
}

void RowLayout::arrange(const LanePlan& plan) {
    std::vector<std::size_t> oldIndex;
    m_rows = arrangedRows(std::move(m_rows), plan, oldIndex);
    std::vector<std::uint32_t> placeOf(oldIndex.size() + 1, 0); // of an old index + 1, the new one + 1
    for (std::size_t i = 0; i < oldIndex.size(); ++i)
        placeOf[oldIndex[i] + 1] = static_cast<std::uint32_t>(i + 1);
    for (std::vector<std::uint32_t>* of : {&m_rowOfLane, &m_groupOfLane})
        for (std::uint32_t& index : *of)
            index = placeOf[index];
    m_height = m_rows.empty() ? 0 : m_rows.back().y + m_rows.back().height;
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
        for (std::int32_t* v : {&row.stripTop, &row.stripPitch, &row.stripHeight, &row.subPitch,
                                &row.subHeight, &row.rateTop, &row.rateHeight})
            *v = scaled(*v);
        if (row.stripCount > 1) { // strips never run into one another
            row.stripHeight = std::min(row.stripHeight, row.stripPitch - 1);
            row.subHeight = std::min(row.subHeight, row.subPitch - 1);
        }
    }
    layout.m_height = scaled(m_height);
    return layout;
}

std::size_t RowLayout::pinnedRows() const {
    std::size_t count = 0;
    while (count < m_rows.size() && m_rows[count].kind != RowKind::Note &&
           (m_rows[count].pinned || (count > 0 && m_rows[count].indent > 0)))
        ++count;
    return count;
}

std::int32_t RowLayout::pinnedHeight() const {
    const std::size_t count = pinnedRows();
    return count == 0 ? 0 : m_rows[count - 1].y + m_rows[count - 1].height;
}

RowLayout RowLayout::scrolledUnderPinned(std::int32_t scrollPx) const {
    RowLayout layout = *this;
    layout.m_stayingRows = pinnedRows();
    layout.m_coveredPx = pinnedHeight();
    for (std::size_t i = layout.m_stayingRows; i < layout.m_rows.size(); ++i)
        layout.m_rows[i].y -= scrollPx;
    return layout;
}

RowLayout RowLayout::pinnedOnly() const {
    RowLayout layout = *this;
    layout.m_rows.resize(pinnedRows());
    layout.m_height = pinnedHeight();
    for (std::vector<std::uint32_t>* of : {&layout.m_rowOfLane, &layout.m_groupOfLane})
        for (std::uint32_t& index : *of)
            if (index > layout.m_rows.size())
                index = 0;
    return layout;
}

std::optional<std::size_t> RowLayout::rowAt(std::int32_t y) const {
    // On the screen the others begin anew under the pinned ones.
    const auto first = m_rows.begin() + static_cast<std::ptrdiff_t>(y < m_coveredPx ? 0 : m_stayingRows);
    const auto end =
        y < m_coveredPx ? m_rows.begin() + static_cast<std::ptrdiff_t>(m_stayingRows) : m_rows.end();
    const auto after = std::ranges::upper_bound(first, end, y, {}, &TimelineRow::y);
    if (after == first)
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
