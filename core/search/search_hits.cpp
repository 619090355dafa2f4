#include "core/search/search_hits.h"

#include <algorithm>
#include <utility>

namespace lacuna {

SearchHits::SearchHits(std::shared_ptr<const Trace> trace, std::vector<EventId> rows)
    : m_trace(std::move(trace)), m_rows(std::move(rows)) {
    countNames();
    cutIntoStrips();
    fillColumns();
}

void SearchHits::countNames() {
    const EventTable& events = m_trace->events();
    std::vector<std::uint64_t> counts(m_trace->strings().size());
    for (const EventId row : m_rows)
        ++counts[events.name[row.v].v];
    for (std::uint32_t name = 0; name < counts.size(); ++name)
        if (counts[name] != 0)
            m_names.push_back({StringId{name}, counts[name]});
    std::stable_sort(m_names.begin(), m_names.end(),
                     [](const NameHits& a, const NameHits& b) { return a.count > b.count; });
}

void SearchHits::cutIntoStrips() {
    std::size_t at = 0;
    while (at < m_rows.size()) {
        const EventId last = m_trace->strip(m_trace->stripOf(m_rows[at])).last;
        const auto end =
            std::lower_bound(m_rows.begin() + static_cast<std::ptrdiff_t>(at), m_rows.end(), last);
        m_strips.push_back({at, static_cast<std::size_t>(end - m_rows.begin())});
        at = m_strips.back().last;
    }
}

void SearchHits::fillColumns() {
    const TimeRange window = m_trace->window();
    const std::int64_t length = std::max<std::int64_t>(1, window.length().v);
    const double perNs = static_cast<double>(kColumns) / static_cast<double>(length);
    const EventTable& events = m_trace->events();
    for (const EventId row : m_rows) {
        const auto column =
            static_cast<std::int64_t>(static_cast<double>(events.beginNs[row.v] - window.begin.v) * perNs);
        m_columns.set(static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, kColumns - 1)));
    }
}

bool SearchHits::holds(EventId event) const {
    return std::binary_search(m_rows.begin(), m_rows.end(), event);
}

bool SearchHits::anyAmong(EventId first, std::uint32_t count) const {
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), first);
    return at != m_rows.end() && at->v - first.v < count;
}

// Rows of a strip are disjoint, so they ascend by begin and row at once; rows of no length may share a begin.
std::size_t SearchHits::firstNotBefore(const StripHits& strip, const Place& place) const {
    const auto& begins = m_trace->events().beginNs;
    const auto from = m_rows.begin() + static_cast<std::ptrdiff_t>(strip.first);
    const auto to = m_rows.begin() + static_cast<std::ptrdiff_t>(strip.last);
    const auto at = std::lower_bound(from, to, place, [&](EventId row, const Place& wanted) {
        return std::pair(begins[row.v], row.v) < std::pair(wanted.begin, wanted.row);
    });
    return static_cast<std::size_t>(at - m_rows.begin());
}

std::optional<EventId> SearchHits::firstFrom(const Place& place) const {
    const auto& begins = m_trace->events().beginNs;
    std::optional<EventId> best;
    for (const StripHits& strip : m_strips) {
        const std::size_t at = firstNotBefore(strip, place);
        if (at == strip.last)
            continue;
        const EventId row = m_rows[at];
        if (!best || std::pair(begins[row.v], row.v) < std::pair(begins[best->v], best->v))
            best = row;
    }
    return best;
}

std::optional<EventId> SearchHits::lastBefore(const Place& place) const {
    const auto& begins = m_trace->events().beginNs;
    std::optional<EventId> best;
    for (const StripHits& strip : m_strips) {
        const std::size_t at = firstNotBefore(strip, place);
        if (at == strip.first)
            continue;
        const EventId row = m_rows[at - 1];
        if (!best || std::pair(begins[row.v], row.v) > std::pair(begins[best->v], best->v))
            best = row;
    }
    return best;
}

std::optional<EventId> SearchHits::beside(EventId from, int direction) const {
    if (isEmpty())
        return std::nullopt;
    const std::int64_t begin = m_trace->events().beginNs[from.v];
    return direction > 0 ? firstFrom({begin, from.v + 1}) : lastBefore({begin, from.v});
}

std::optional<EventId> SearchHits::atOrAfter(TimeNs t) const {
    return firstFrom({t.v, 0});
}

std::optional<EventId> SearchHits::before(TimeNs t) const {
    return lastBefore({t.v, 0});
}

std::uint64_t SearchHits::placeOf(EventId event) const {
    std::uint64_t before = 0;
    if (isEmpty())
        return 0;
    const Place place{m_trace->events().beginNs[event.v], event.v};
    for (const StripHits& strip : m_strips)
        before += firstNotBefore(strip, place) - strip.first;
    return before;
}

std::vector<EventId> SearchHits::firstInTime(std::size_t limit) const {
    std::vector<EventId> rows = m_rows;
    if (rows.empty())
        return rows;
    const auto& begins = m_trace->events().beginNs;
    const auto earlier = [&](EventId a, EventId b) {
        return std::pair(begins[a.v], a.v) < std::pair(begins[b.v], b.v);
    };
    if (rows.size() > limit) {
        std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(limit), rows.end(),
                         earlier);
        rows.resize(limit);
        rows.shrink_to_fit();
    }
    std::sort(rows.begin(), rows.end(), earlier);
    return rows;
}

} // namespace lacuna
