#pragma once
// A graph of moments: two nodes a row, edges weighted by the time between them.

#include "core/analysis/hta_critical_path.h"
#include "core/trace/row_poll.h"

#include <unordered_map>
#include <vector>

namespace lacuna {

class HtaGraph {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Span {
        EventId event;
        std::int64_t beginNs = 0, endNs = 0;
    };

    // Once: two nodes for each span, numbered by time, of the same time as they come, begins first.
    void setNodes(const std::vector<Span>& spans);
    std::uint32_t beginOf(EventId event) const { return find(m_begin, event); }
    std::uint32_t endOf(EventId event) const { return find(m_end, event); }
    std::int64_t timeOf(std::uint32_t node) const { return m_nodes[node].timeNs; }

    // One edge between two nodes: a later one takes its place. Dependencies weigh nothing.
    void add(std::uint32_t from, std::uint32_t to, HtaEdge type, bool isWeightless = false);

    // Longest path; the first of several as that tool's library finds it. O(nodes + edges).
    HtaCriticalPath result(const Trace& trace, RowPoll& poll) const;

private:
    struct Node {
        std::int64_t timeNs = 0;
        EventId event;
    };
    struct Edge {
        std::uint32_t from = 0, to = 0;
        HtaEdge type = HtaEdge::Operator;
        std::int64_t weightNs = 0;
    };
    static std::uint32_t find(const std::unordered_map<std::uint32_t, std::uint32_t>& nodes, EventId event) {
        const auto at = event ? nodes.find(event.v) : nodes.end();
        return at == nodes.end() ? kNone : at->second;
    }
    std::vector<std::uint32_t> longestPath(RowPoll& poll) const; // edges
    HtaBound boundOf(const Trace& trace, const Edge& edge) const;

    std::vector<Node> m_nodes;
    std::vector<Edge> m_edges;
    std::unordered_map<std::uint32_t, std::uint32_t> m_begin, m_end; // by event
    std::unordered_map<std::uint64_t, std::uint32_t> m_byEnds;       // from and to -> edge
};

} // namespace lacuna
