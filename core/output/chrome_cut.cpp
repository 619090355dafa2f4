#include "core/output/chrome_cut.h"

#include "core/import/detail/json_text.h"
#include "core/output/chrome_text.h"

#include <functional>
#include <tuple>

namespace lacuna::chrome {

void CutScan::event(const json::Event& event) {
    if (const auto row = m_rows.at(event.offset)) {
        std::vector<LaneId>& lanes = m_lanes[threadOf(event)];
        const LaneId lane = m_trace.laneOf(*row);
        const LaneKind kind = m_trace.lane(lane).kind;
        if (kind == LaneKind::Marks || kind == LaneKind::Async)
            return; // arrows bind to slices
        if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end())
            lanes.push_back(lane);
        return;
    }
    const char phase = event.ph.text.size() == 1 ? event.ph.text[0] : '\0';
    const bool isFlow = phase == 's' || phase == 't' || phase == 'f';
    if (!isFlow && phase != 'C')
        return;
    const auto time = json::microsAsNs(event.ts.text);
    if (!time)
        return;
    if (isFlow)
        flow(event, *time - m_zeroNs);
    else if (*time - m_zeroNs < m_cut.begin.v)
        counter(event, *time - m_zeroNs);
}

std::uint32_t CutScan::threadOf(const json::Event& event) {
    m_key.assign(event.pid.text).push_back('\0');
    m_key.append(event.tid.text);
    const auto [at, isNew] = m_threads.try_emplace(m_key, static_cast<std::uint32_t>(m_lanes.size()));
    if (isNew)
        m_lanes.emplace_back();
    return at->second;
}

void CutScan::flow(const json::Event& event, std::int64_t timeNs) {
    FlowMark mark;
    mark.thread = threadOf(event);
    m_key.clear();
    for (const json::Value* part : {&event.cat, &event.name, &event.id, &event.id2, &event.scope})
        m_key.append(part->text).push_back('\0');
    mark.key = std::hash<std::string>{}(m_key);
    mark.offset = event.offset;
    mark.timeNs = timeNs;
    mark.phase = event.ph.text[0];
    mark.bindsToNext = mark.phase == 'f' && !event.bindsEnclosing;
    m_flows.push_back(mark);
}

void CutScan::counter(const json::Event& event, std::int64_t timeNs) {
    if (event.args.type != json::ValueType::Object)
        return;
    json::Members members(event.args.text);
    std::string_view series;
    json::Value value;
    while (members.next(series, value)) {
        m_key.clear();
        for (const std::string_view part : {event.pid.text, event.name.text, event.id.text, series})
            m_key.append(part).push_back('\0');
        Sample& last = m_before[m_key];
        if (timeNs >= last.timeNs)
            last = {timeNs, event.offset};
    }
}

// The slice that the mark belongs to (chrome_json.md 2.4) touches the cut.
bool CutScan::isBound(const FlowMark& mark) const {
    const EventTable& rows = m_trace.events();
    std::optional<EventId> bound;
    for (const LaneId lane : m_lanes[mark.thread])
        for (const Strip& strip : m_trace.strips(lane)) {
            const auto first = rows.beginNs.begin() + strip.first.v,
                       last = rows.beginNs.begin() + strip.last.v;
            auto at = mark.bindsToNext ? std::lower_bound(first, last, mark.timeNs)
                                       : std::upper_bound(first, last, mark.timeNs);
            if (at == (mark.bindsToNext ? last : first))
                continue;
            if (!mark.bindsToNext)
                --at;
            const EventId row{static_cast<std::uint32_t>(at - rows.beginNs.begin())};
            if (!mark.bindsToNext && rows.endNs[row.v] < mark.timeNs)
                continue;
            const bool isCloser =
                !bound || (mark.bindsToNext ? rows.beginNs[row.v] < rows.beginNs[bound->v]
                                            : std::tuple(rows.beginNs[row.v], -rows.endNs[row.v]) >
                                                  std::tuple(rows.beginNs[bound->v], -rows.endNs[bound->v]));
            if (isCloser)
                bound = row;
        }
    return bound && touches(m_cut, rows.beginNs[bound->v], rows.endNs[bound->v]);
}

// One start with what follows it: every end whose start and steps are kept. Without a kept end, nothing.
void CutScan::keepWhole(std::vector<FlowMark>::iterator first, std::vector<FlowMark>::iterator last,
                        std::vector<std::uint64_t>& kept) {
    const auto isEnd = [](const FlowMark& mark) { return mark.phase == 'f'; };
    const bool hasStart = std::any_of(first, last, [](const FlowMark& m) { return m.phase == 's'; });
    const bool isWhole = std::all_of(first, last, [&](const FlowMark& m) { return isEnd(m) || m.isKept; });
    const bool hasEnd = std::any_of(first, last, [&](const FlowMark& m) { return isEnd(m) && m.isKept; });
    if (!hasStart || !isWhole || !hasEnd)
        return;
    for (auto mark = first; mark != last; ++mark)
        if (mark->isKept)
            kept.push_back(mark->offset);
}

std::vector<std::uint64_t> CutScan::keptOffsets() {
    for (FlowMark& mark : m_flows)
        mark.isKept = isBound(mark);
    std::sort(m_flows.begin(), m_flows.end(), [](const FlowMark& a, const FlowMark& b) {
        return std::tie(a.key, a.timeNs, a.offset) < std::tie(b.key, b.timeNs, b.offset);
    });
    std::vector<std::uint64_t> kept;
    for (auto first = m_flows.begin(); first != m_flows.end();) {
        auto last =
            std::find_if(first, m_flows.end(), [&](const FlowMark& m) { return m.key != first->key; });
        const auto isStart = [](const FlowMark& mark) { return mark.phase == 's'; };
        // An id that is used again begins a new arrow at every start. With one start the clocks may disagree.
        if (std::count_if(first, last, isStart) > 1)
            last = std::find_if(first + 1, last, isStart);
        keepWhole(first, last, kept);
        first = last;
    }
    for (const auto& [series, sample] : m_before)
        kept.push_back(sample.offset);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    m_flows = {};
    return kept;
}

} // namespace lacuna::chrome
