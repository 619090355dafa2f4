#pragma once
// Arrows that the file itself records between two rows (Chrome flow events, both versions), kept only where
// no better key exists: launches are joined by correlation id, see CorrelationIndex. A flow with steps is one
// link from each part to the next.

#include "core/base/column.h"
#include "core/base/ids.h"

#include <cstdint>
#include <span>

namespace lacuna {

struct FlowLink {
    EventId from, to;
    StringId name;
    friend bool operator==(const FlowLink&, const FlowLink&) = default;
};

class FlowIndex {
public:
    // Ascending by (from, to).
    std::span<const FlowLink> links() const { return m_links; }
    std::span<const FlowLink> outgoing(EventId event) const; // O(log links)
    // Numbers into links(), ascending by their `from`.
    std::span<const std::uint32_t> incoming(EventId event) const; // O(log links)
    std::size_t size() const { return m_links.size(); }

private:
    friend class TraceBuilder;
    friend class TraceArchive;
    Column<FlowLink> m_links;
    Column<std::uint32_t> m_byTarget; // numbers into m_links by (to, from)
};

} // namespace lacuna
