#include "core/trace/flow_index.h"

#include <algorithm>

namespace lacuna {

std::span<const FlowLink> FlowIndex::outgoing(EventId event) const {
    const auto [first, last] =
        std::equal_range(m_links.begin(), m_links.end(), FlowLink{event, {}, {}},
                         [](const FlowLink& a, const FlowLink& b) { return a.from.v < b.from.v; });
    return {first, last};
}

std::span<const std::uint32_t> FlowIndex::incoming(EventId event) const {
    const auto first = std::lower_bound(
        m_byTarget.begin(), m_byTarget.end(), event.v,
        [this](std::uint32_t link, std::uint32_t target) { return m_links[link].to.v < target; });
    const auto last =
        std::upper_bound(first, m_byTarget.end(), event.v, [this](std::uint32_t target, std::uint32_t link) {
            return target < m_links[link].to.v;
        });
    return {first, last};
}

} // namespace lacuna
