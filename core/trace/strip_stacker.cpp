#include "core/trace/strip_stacker.h"

#include <algorithm>

namespace lacuna {

namespace {
// How far down the open rows a container is looked for once rows cross: bounds hostile input.
constexpr std::size_t kMaxLook = 64;
} // namespace

std::uint32_t StripStacker::place(std::int64_t begin, std::int64_t end) {
    while (!m_open.empty() && m_open.back().end <= begin)
        m_open.pop_back();
    std::uint32_t from = 0;
    std::size_t looked = 0;
    if (m_mayLackReturn && !m_open.empty() && end > m_open.back().end + m_toleranceNs) {
        const Open caller = m_open.back();
        const std::uint32_t strip = firstFree(caller.strip + 1, begin);
        setEnd(strip, end);
        m_open.push_back({caller.end, strip});
        return strip;
    }
    for (std::size_t i = m_open.size(); i-- > 0 && looked < kMaxLook; ++looked) {
        if (m_open[i].end <= begin) { // buried under a longer row that crosses it
            m_open.erase(m_open.begin() + static_cast<std::ptrdiff_t>(i));
            continue;
        }
        if (end <= m_open[i].end + m_toleranceNs) {
            from = m_open[i].strip + 1;
            break;
        }
    }
    const std::uint32_t strip = firstFree(from, begin);
    setEnd(strip, end);
    m_open.push_back({end, strip});
    return strip;
}

// Leftmost strip >= from whose last row ended at or before begin: descent in a minimum tree.
std::uint32_t StripStacker::firstFree(std::uint32_t from, std::int64_t begin) {
    for (std::uint32_t strip = from; strip < std::min(m_strips, from + 8); ++strip)
        if (m_tree[m_leaves + strip] <= begin)
            return strip;
    if (from + 8 < m_strips) {
        std::uint32_t node = m_leaves + from + 8;
        while (m_tree[node] > begin) { // climb to the next subtree on the right that has room
            while ((node & 1) != 0)
                node /= 2;
            if (node == 0)
                return std::max(m_strips, from);
            ++node;
        }
        while (node < m_leaves)
            node = m_tree[node * 2] <= begin ? node * 2 : node * 2 + 1;
        if (node - m_leaves < m_strips)
            return node - m_leaves;
    }
    return std::max(m_strips, from);
}

void StripStacker::setEnd(std::uint32_t strip, std::int64_t end) {
    if (strip >= m_leaves) {
        std::uint32_t leaves = std::max<std::uint32_t>(16, m_leaves);
        while (leaves <= strip)
            leaves *= 2;
        std::vector<std::int64_t> tree(std::size_t{2} * leaves, INT64_MIN);
        std::copy(m_tree.begin() + m_leaves, m_tree.begin() + m_leaves + m_strips, tree.begin() + leaves);
        for (std::uint32_t node = leaves; node-- > 1;)
            tree[node] = std::min(tree[std::size_t{2} * node], tree[std::size_t{2} * node + 1]);
        m_tree = std::move(tree);
        m_leaves = leaves;
    }
    m_strips = std::max(m_strips, strip + 1);
    std::uint32_t node = m_leaves + strip;
    m_tree[node] = end;
    while ((node /= 2) >= 1)
        m_tree[node] = std::min(m_tree[std::size_t{2} * node], m_tree[std::size_t{2} * node + 1]);
}

} // namespace lacuna
