#include "core/view/event_look.h"

#include "core/analysis/kernel_family.h"
#include "core/trace/strip_query.h"
#include "core/view/short_name.h"

#include <array>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, kColourings> kColourNames{"kind",   "name",  "family",
                                                                 "stream", "range", "duration"};
constexpr std::array<std::string_view, kDurationSteps> kDurationTitles{
    "below 1 \u00b5s", "1 to 10 \u00b5s", "10 to 100 \u00b5s", "0.1 to 1 ms", "1 to 10 ms", "10 ms and more"};

int durationStep(std::int64_t ns) {
    constexpr std::int64_t kFirst = 1'000, kFactor = 10;
    int step = 0;
    for (std::int64_t limit = kFirst; step + 1 < kDurationSteps && ns >= limit; limit *= kFactor)
        ++step;
    return step;
}

// FNV-1a: the same everywhere, which std::hash is not.
std::uint64_t codeOf(std::string_view text) {
    constexpr std::uint64_t kBasis = 14'695'981'039'346'656'037u, kPrime = 1'099'511'628'211u;
    std::uint64_t code = kBasis;
    for (const char c : text)
        code = (code ^ static_cast<unsigned char>(c)) * kPrime;
    return code;
}

// "aten" of "aten::linear", "module.py" of "dir/module.py(17): call", else the kind.
std::string hostFamily(std::string_view name, EventKind kind) {
    if (const std::size_t colons = name.find("::");
        colons != std::string_view::npos && colons > 0 && colons < 40)
        return std::string(name.substr(0, colons));
    if (kind == EventKind::Python)
        if (const std::size_t line = name.find('('); line != std::string_view::npos) {
            const std::size_t folder = name.substr(0, line).rfind('/');
            return std::string(name.substr(folder == std::string_view::npos ? 0 : folder + 1,
                                           line - (folder == std::string_view::npos ? 0 : folder + 1)));
        }
    return std::string(kindName(kind));
}

} // namespace

std::string_view colourByName(ColourBy by) {
    return kColourNames[static_cast<std::size_t>(by)];
}

std::optional<ColourBy> colourByOf(std::string_view name) {
    for (std::size_t i = 0; i < kColourings; ++i)
        if (kColourNames[i] == name)
            return static_cast<ColourBy>(i);
    return std::nullopt;
}

std::uint32_t EventGroups::numberOf(std::string title, int step) {
    if (const auto at = m_numberOf.find(title); at != m_numberOf.end())
        return at->second;
    const auto number = static_cast<std::uint32_t>(m_groups.size());
    const std::uint64_t code = codeOf(title);
    m_numberOf.emplace(title, number);
    m_groups.push_back({std::move(title), code, step});
    return number;
}

std::string EventGroups::familyTitle(EventId event) const {
    const EventKind kind = m_trace->events().kind[event.v];
    return kind == EventKind::Kernel ? std::string(familyName(classifyKernel(m_trace->nameOf(event)).family))
                                     : hostFamily(m_trace->nameOf(event), kind);
}

std::string EventGroups::laneTitle(EventId event) const {
    const Lane& lane = m_trace->lane(m_trace->laneOf(event));
    if (lane.device)
        return "GPU " + std::to_string(m_trace->devices()[lane.device.v].ordinal) + ", stream " +
               std::to_string(lane.sourceId);
    return lane.thread ? m_trace->threadTitle(lane.thread) : std::string(laneKindName(lane.kind));
}

std::uint32_t EventGroups::byName(EventId event) {
    const EventKind kind = m_trace->events().kind[event.v];
    const std::vector<std::string> forms = shortNames(m_trace->nameOf(event), kind);
    return numberOf(forms.empty() ? std::string(kindName(kind)) : forms.front());
}

EventId EventGroups::rangeOf(EventId event) {
    EventId host = event;
    const std::uint32_t correlation = m_trace->events().correlation[event.v];
    if (m_trace->lane(m_trace->laneOf(event)).device && correlation != 0)
        host = m_trace->correlations().launchOf(m_trace->events(), event).value_or(event);
    const ThreadId thread = m_trace->lane(m_trace->laneOf(host)).thread;
    if (!thread)
        return {};
    if (m_rangesOf.empty()) {
        m_rangesOf.resize(m_trace->threads().size());
        for (std::uint32_t k = 0; k < m_trace->lanes().size(); ++k)
            if (const Lane& lane = m_trace->lane({k}); lane.thread && lane.kind == LaneKind::Range)
                m_rangesOf[lane.thread.v].push_back({k});
    }
    const TimeRange range = m_trace->events().range(host);
    EventId innermost;
    for (const LaneId lane : m_rangesOf[thread.v])
        for (std::uint32_t s = 0; s < m_trace->lane(lane).depth; ++s) {
            const auto at = eventAt(*m_trace, {m_trace->lane(lane).firstStrip.v + s}, range.begin);
            if (!at)
                continue;
            const TimeRange held = m_trace->events().range(*at);
            const bool holds = held.begin <= range.begin && range.end <= held.end;
            if (holds && (!innermost || m_trace->events().range(innermost).begin <= held.begin))
                innermost = *at;
        }
    return innermost;
}

std::uint32_t EventGroups::groupOf(EventId event) {
    const EventTable& events = m_trace->events();
    if (m_by == ColourBy::Duration) {
        const int step = durationStep(events.duration(event).v);
        return numberOf(std::string(kDurationTitles[static_cast<std::size_t>(step)]), step);
    }
    if (m_by == ColourBy::Range) {
        const EventId range = rangeOf(event);
        return numberOf(range ? std::string(m_trace->nameOf(range)) : std::string("outside of ranges"));
    }
    if (m_by == ColourBy::Kind)
        return numberOf("kind");
    const std::uint64_t key = m_by == ColourBy::Stream ? m_trace->laneOf(event).v
                                                       : std::uint64_t{events.name[event.v].v} << 8 |
                                                             static_cast<std::uint64_t>(events.kind[event.v]);
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    const std::uint32_t number = m_by == ColourBy::Stream   ? numberOf(laneTitle(event))
                                 : m_by == ColourBy::Family ? numberOf(familyTitle(event))
                                                            : byName(event);
    return m_known[key] = number;
}

} // namespace lacuna
