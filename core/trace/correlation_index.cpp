#include "core/trace/correlation_index.h"

#include <algorithm>

namespace lacuna {

namespace {

std::span<const EventId> slice(const Column<EventId>& members, std::uint32_t first, std::uint32_t last) {
    return std::span(members).subspan(first, last - first);
}

} // namespace

std::span<const EventId> CorrelationIndex::members(std::uint32_t group) const {
    return group == 0 ? std::span<const EventId>{} : slice(m_members, m_first[group], m_first[group + 1]);
}

std::span<const EventId> CorrelationIndex::hostCalls(std::uint32_t group) const {
    return group == 0 ? std::span<const EventId>{} : slice(m_members, m_first[group], m_firstDevice[group]);
}

std::span<const EventId> CorrelationIndex::deviceOps(std::uint32_t group) const {
    return group == 0 ? std::span<const EventId>{}
                      : slice(m_members, m_firstDevice[group], m_firstMarker[group]);
}

std::span<const EventId> CorrelationIndex::markers(std::uint32_t group) const {
    return group == 0 ? std::span<const EventId>{}
                      : slice(m_members, m_firstMarker[group], m_first[group + 1]);
}

std::uint32_t CorrelationIndex::find(std::uint32_t domain, std::uint32_t correlationId) const {
    const std::uint64_t wanted = (static_cast<std::uint64_t>(domain) << 32) | correlationId;
    if (m_keys.empty())
        return 0;
    const auto at = std::lower_bound(m_keys.begin() + 1, m_keys.end(), wanted);
    return at != m_keys.end() && *at == wanted ? static_cast<std::uint32_t>(at - m_keys.begin()) : 0;
}

std::optional<EventId> CorrelationIndex::launchOf(const EventTable& events, EventId deviceOp) const {
    const auto calls = hostCalls(events.correlation[deviceOp.v]);
    return calls.empty() ? std::nullopt : std::optional(calls.front());
}

} // namespace lacuna
