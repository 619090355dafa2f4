#include "core/analysis/hta_graph.h"

#include <algorithm>
#include <set>

namespace lacuna {

void HtaGraph::setNodes(const std::vector<Span>& spans) {
    struct Moment {
        std::int64_t timeNs = 0;
        bool isEnd = false;
        std::uint32_t span = 0;
    };
    std::vector<Moment> moments;
    moments.reserve(2 * spans.size());
    for (const bool isEnd : {false, true})
        for (std::uint32_t i = 0; i < spans.size(); ++i)
            moments.push_back({isEnd ? spans[i].endNs : spans[i].beginNs, isEnd, i});
    std::stable_sort(moments.begin(), moments.end(),
                     [](const Moment& a, const Moment& b) { return a.timeNs < b.timeNs; });
    m_nodes.reserve(moments.size());
    for (const Moment& moment : moments) {
        const EventId event = spans[moment.span].event;
        (moment.isEnd ? m_end : m_begin)[event.v] = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back({moment.timeNs, event});
    }
}

void HtaGraph::add(std::uint32_t from, std::uint32_t to, HtaEdge type, bool isWeightless) {
    const bool isFree = isWeightless || type == HtaEdge::Dependency || type == HtaEdge::SyncDependency;
    const std::int64_t weight = isFree ? 0 : m_nodes[to].timeNs - m_nodes[from].timeNs;
    const Edge edge{from, to, type, std::max<std::int64_t>(0, weight)};
    const auto [at, fresh] =
        m_byEnds.try_emplace(std::uint64_t{from} << 32 | to, static_cast<std::uint32_t>(m_edges.size()));
    if (fresh)
        m_edges.push_back(edge);
    else
        m_edges[at->second] = edge;
}

// Nodes in topological order, generation after generation; of equal ways the first edge that was added.
std::vector<std::uint32_t> HtaGraph::longestPath(RowPoll& poll) const {
    std::vector<std::vector<std::uint32_t>> out(m_nodes.size()), in(m_nodes.size());
    std::vector<std::size_t> open(m_nodes.size());
    for (std::uint32_t e = 0; e < m_edges.size(); ++e) {
        out[m_edges[e].from].push_back(e);
        in[m_edges[e].to].push_back(e);
        ++open[m_edges[e].to];
    }
    std::vector<std::uint32_t> order;
    order.reserve(m_nodes.size());
    for (std::uint32_t n = 0; n < m_nodes.size(); ++n)
        if (open[n] == 0)
            order.push_back(n);
    std::vector<std::int64_t> length(m_nodes.size(), 0);
    std::vector<std::uint32_t> by(m_nodes.size(), kNone);
    std::uint32_t farthest = kNone;
    for (std::size_t i = 0; i < order.size() && poll.tick(); ++i) {
        const std::uint32_t node = order[i];
        for (const std::uint32_t e : in[node])
            if (const std::int64_t way = length[m_edges[e].from] + m_edges[e].weightNs;
                by[node] == kNone || way > length[node]) {
                length[node] = way;
                by[node] = e;
            }
        if (farthest == kNone || length[node] > length[farthest])
            farthest = node;
        for (const std::uint32_t e : out[node])
            if (--open[m_edges[e].to] == 0)
                order.push_back(m_edges[e].to);
    }
    std::vector<std::uint32_t> path;
    for (std::uint32_t node = farthest; node != kNone && by[node] != kNone; node = m_edges[path.back()].from)
        path.push_back(by[node]);
    std::reverse(path.begin(), path.end());
    return path;
}

HtaBound HtaGraph::boundOf(const Trace& trace, const Edge& edge) const {
    switch (edge.type) {
    case HtaEdge::KernelDelay:
        return HtaBound::KernelDelay;
    case HtaEdge::LaunchDelay:
        return HtaBound::LaunchDelay;
    case HtaEdge::Dependency:
    case HtaEdge::SyncDependency:
        return HtaBound::None;
    case HtaEdge::Operator:
        break;
    }
    const EventId event = m_nodes[edge.from].event;
    if (!isDeviceOp(trace.events().kind[event.v]))
        return HtaBound::Cpu;
    return htaClassOf(trace, event) == HtaClass::Communication ? HtaBound::GpuCommunication
                                                               : HtaBound::GpuCompute;
}

HtaCriticalPath HtaGraph::result(const Trace& trace, RowPoll& poll) const {
    HtaCriticalPath result;
    result.nodes = m_nodes.size();
    result.edges = m_edges.size();
    for (const Edge& edge : m_edges)
        ++result.edgesByType[static_cast<std::size_t>(edge.type)];
    const std::vector<std::uint32_t> path = longestPath(poll);
    std::set<EventId> events;
    for (const std::uint32_t number : path) {
        const Edge& edge = m_edges[number];
        const auto type = static_cast<std::size_t>(edge.type);
        const auto bound = static_cast<std::size_t>(boundOf(trace, edge));
        ++result.pathEdgesByType[type];
        result.pathNs[type] += edge.weightNs;
        ++result.edgesByBound[bound];
        result.boundNs[bound] += edge.weightNs;
        events.insert({m_nodes[edge.from].event, m_nodes[edge.to].event});
    }
    result.pathNodes = path.empty() ? 0 : path.size() + 1;
    result.pathEvents = events.size();
    return result;
}

} // namespace lacuna
