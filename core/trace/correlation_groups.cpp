#include "core/trace/correlation_groups.h"

#include <algorithm>

namespace lacuna {

CorrelationGroups::CorrelationGroups(CorrelationIndex& into, std::size_t groups) : m_into(into) {
    m_into.m_packed.reserve(groups);
    m_into.m_blocks.reserve((groups + CorrelationIndex::kBlock - 1) / CorrelationIndex::kBlock);
    m_open.reserve(CorrelationIndex::kBlock);
}

std::uint32_t CorrelationGroups::add(const Group& group) {
    m_open.push_back(group);
    const auto number = static_cast<std::uint32_t>(m_into.m_packed.size() + m_open.size());
    if (m_open.size() == CorrelationIndex::kBlock)
        closeBlock();
    return number;
}

void CorrelationGroups::finish() {
    if (!m_open.empty())
        closeBlock();
}

void CorrelationGroups::closeBlock() {
    const Group base = m_open.front();
    const auto fits = [&base](const Group& g) {
        return g.domain == base.domain && g.id - base.id <= 0xffffu && g.first - base.first <= 0xffu &&
               g.firstDevice - g.first <= 0xfu && g.firstMarker - g.firstDevice <= 0xfu;
    };
    const bool areNarrow = std::all_of(m_open.begin(), m_open.end(), fits);
    const auto wide = areNarrow ? 0u : static_cast<std::uint32_t>(m_into.m_wide.size() + 1);
    m_into.m_blocks.push_back({base.domain, base.id, base.first, wide});
    for (const Group& g : m_open)
        m_into.m_packed.push_back(areNarrow
                                      ? (g.id - base.id) << 16 | (g.first - base.first) << 8 |
                                            (g.firstDevice - g.first) << 4 | (g.firstMarker - g.firstDevice)
                                      : 0u);
    if (!areNarrow)
        m_into.m_wide.insert(m_into.m_wide.end(), m_open.begin(), m_open.end());
    m_open.clear();
}

} // namespace lacuna
