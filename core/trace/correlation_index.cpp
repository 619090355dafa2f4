#include "core/trace/correlation_index.h"

#include <algorithm>
#include <utility>

namespace lacuna {

CorrelationIndex::Group CorrelationIndex::at(std::uint32_t group) const {
    const std::uint32_t place = group - 1;
    const Block& block = m_blocks[place / kBlock];
    if (block.wide != 0)
        return m_wide[block.wide - 1 + place % kBlock];
    const std::uint32_t bits = m_packed[place];
    const std::uint32_t first = block.first + (bits >> 8 & 0xffu);
    const std::uint32_t firstDevice = first + (bits >> 4 & 0xfu);
    return {block.domain, block.id + (bits >> 16), first, firstDevice, firstDevice + (bits & 0xfu)};
}

std::uint32_t CorrelationIndex::lastOf(std::uint32_t group) const {
    return group < m_packed.size() ? at(group + 1).first : static_cast<std::uint32_t>(m_members.size());
}

std::span<const EventId> CorrelationIndex::members(std::uint32_t group) const {
    if (group == 0)
        return {};
    const std::uint32_t first = at(group).first;
    return std::span(m_members).subspan(first, lastOf(group) - first);
}

std::span<const EventId> CorrelationIndex::hostCalls(std::uint32_t group) const {
    if (group == 0)
        return {};
    const Group found = at(group);
    return std::span(m_members).subspan(found.first, found.firstDevice - found.first);
}

std::span<const EventId> CorrelationIndex::deviceOps(std::uint32_t group) const {
    if (group == 0)
        return {};
    const Group found = at(group);
    return std::span(m_members).subspan(found.firstDevice, found.firstMarker - found.firstDevice);
}

std::span<const EventId> CorrelationIndex::markers(std::uint32_t group) const {
    if (group == 0)
        return {};
    const std::uint32_t first = at(group).firstMarker;
    return std::span(m_members).subspan(first, lastOf(group) - first);
}

std::uint32_t CorrelationIndex::correlationId(std::uint32_t group) const {
    return group == 0 ? 0 : at(group).id;
}

std::uint32_t CorrelationIndex::domain(std::uint32_t group) const {
    return group == 0 ? 0 : at(group).domain;
}

std::uint32_t CorrelationIndex::find(std::uint32_t domain, std::uint32_t correlationId) const {
    const auto wanted = std::pair(domain, correlationId);
    const auto block =
        std::upper_bound(m_blocks.begin(), m_blocks.end(), wanted,
                         [](const auto& key, const Block& b) { return key < std::pair(b.domain, b.id); });
    if (block == m_blocks.begin())
        return 0;
    const auto first = static_cast<std::uint32_t>(block - m_blocks.begin() - 1) * kBlock + 1;
    const auto last = std::min(first + kBlock, static_cast<std::uint32_t>(groups()));
    for (std::uint32_t group = first; group < last; ++group)
        if (const Group found = at(group); std::pair(found.domain, found.id) == wanted)
            return group;
    return 0;
}

std::optional<EventId> CorrelationIndex::launchOf(const EventTable& events, EventId deviceOp) const {
    const auto calls = hostCalls(events.correlation[deviceOp.v]);
    return calls.empty() ? std::nullopt : std::optional(calls.front());
}

} // namespace lacuna
