#include "core/analysis/flame_graph.h"

#include "core/base/poll.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lacuna {

namespace {

class FlameMaker {
public:
    FlameMaker(const Trace& trace, const HostTree& tree, FlameOrder order, JobControl& job)
        : m_trace(trace), m_tree(tree), m_order(order), m_job(job) {}

    Result<FlameGraph> run(ThreadId thread, TimeRange window) {
        m_graph.thread = thread;
        m_graph.window = window;
        m_graph.nodes.emplace_back();
        addHostTime();
        if (!m_isCancelled)
            addDeviceTime();
        if (m_isTooLarge)
            return Error{Errc::TooLarge,
                         "The range holds too many events for this view.",
                         {},
                         "Choose a shorter range, or the aggregated order."};
        if (m_isCancelled)
            return Error{Errc::Cancelled, "cancelled", {}, {}};
        addUp();
        return std::move(m_graph);
    }

private:
    bool goesOn() {
        if (++m_steps % kRowsPerPoll == 0) {
            m_job.countEvents(kRowsPerPoll);
            m_isCancelled = m_isCancelled || m_job.cancelled();
        }
        return !m_isCancelled && !m_isTooLarge;
    }

    // Leaves come in time order, so the rows of a path come parents first.
    void addHostTime() {
        m_tree.visitLeaves(m_graph.thread, m_graph.window, [this](TimeRange part, HostRow row) {
            if (goesOn())
                m_graph.nodes[nodeOf(row)].selfNs += part.length().v;
        });
    }

    // Node of a row, made with those above it where it is new; the root for none.
    std::uint32_t nodeOf(HostRow row) {
        std::vector<HostRow> fresh;
        std::uint32_t node = 0;
        for (; row; row = m_tree.parent(row)) {
            const auto known = m_nodeOfRow.find(row.v);
            if (known != m_nodeOfRow.end()) {
                node = known->second;
                break;
            }
            fresh.push_back(row);
        }
        std::for_each(fresh.rbegin(), fresh.rend(), [&](HostRow next) {
            node = childOf(node, next);
            m_nodeOfRow.emplace(next.v, node);
            addRow(node, next);
        });
        return node;
    }

    void addRow(std::uint32_t node, HostRow row) {
        FlameNode& into = m_graph.nodes[node];
        const EventTable& events = m_trace.events();
        const EventId event = m_tree.event(row);
        ++into.rows;
        if (!into.longest || events.duration(event) > events.duration(into.longest))
            into.longest = event;
    }

    std::uint32_t childOf(std::uint32_t parent, HostRow row) {
        const EventId event = m_tree.event(row);
        const StringId name = m_trace.events().name[event.v];
        const EventKind kind = m_tree.kind(row);
        const auto next = static_cast<std::uint32_t>(m_graph.nodes.size());
        if (m_order == FlameOrder::Aggregated) {
            const auto [at, isNew] = m_childOf.try_emplace(std::tuple(parent, name, kind), next);
            if (!isNew)
                return at->second;
        }
        if (m_graph.nodes.size() >= FlameGraph::kMostNodes) {
            m_isTooLarge = true;
            return parent;
        }
        FlameNode node;
        node.name = name;
        node.kind = kind;
        node.parent = parent;
        node.depth = m_graph.nodes[parent].depth + 1;
        m_graph.nodes.push_back(node);
        return next;
    }

    // A call that begins in the window has a leaf there, and so a node, unless it takes no time: such a call
    // gets one here.
    void addDeviceTime() {
        const EventTable& events = m_trace.events();
        for (const Strip& strip : m_trace.strips()) {
            if (m_trace.lane(strip.lane).kind != LaneKind::GpuStream)
                continue;
            for (EventId op = strip.first; op < strip.last && goesOn(); ++op.v) {
                if (!isDeviceOp(events.kind[op.v]))
                    continue;
                const auto call = m_trace.correlations().launchOf(events, op);
                if (!call || !m_graph.window.contains(events.range(*call).begin) ||
                    m_tree.threadOf(*call) != m_graph.thread)
                    continue;
                if (const HostRow row = m_tree.find(*call))
                    m_graph.nodes[nodeOf(row)].deviceSelfNs += events.duration(op).v;
            }
        }
    }

    void addUp() {
        for (FlameNode& node : m_graph.nodes) {
            node.hostNs += node.selfNs;
            node.deviceNs += node.deviceSelfNs;
        }
        for (std::size_t n = m_graph.nodes.size(); n-- > 1;) {
            const FlameNode& node = m_graph.nodes[n];
            m_graph.nodes[node.parent].hostNs += node.hostNs;
            m_graph.nodes[node.parent].deviceNs += node.deviceNs;
        }
    }

    const Trace& m_trace;
    const HostTree& m_tree;
    FlameOrder m_order;
    JobControl& m_job;
    FlameGraph m_graph;
    std::unordered_map<std::uint32_t, std::uint32_t> m_nodeOfRow;
    std::map<std::tuple<std::uint32_t, StringId, EventKind>, std::uint32_t> m_childOf;
    std::size_t m_steps = 0;
    bool m_isCancelled = false, m_isTooLarge = false;
};

} // namespace

std::int64_t FlameGraph::weight(std::uint32_t node, FlameWeight by) const {
    const FlameNode& of = nodes[node];
    if (by == FlameWeight::Device)
        return of.deviceNs;
    return by == FlameWeight::Self && node == 0 ? of.hostNs - of.selfNs : of.hostNs;
}

Result<FlameGraph> makeFlameGraph(const Trace& trace, const HostTree& tree, ThreadId thread, TimeRange window,
                                  FlameOrder order, JobControl& job) {
    return FlameMaker(trace, tree, order, job).run(thread, window);
}

std::vector<FlameBox> layOutFlames(const FlameGraph& graph, FlameWeight by, std::uint32_t focus,
                                   double widthPx, double minPx, bool widestFirst) {
    std::vector<FlameBox> boxes;
    const auto whole = static_cast<double>(graph.weight(focus, by));
    if (focus >= graph.nodes.size() || whole <= 0)
        return boxes;
    // Children of each node, in order: node numbers ascend with their first rows.
    std::vector<std::vector<std::uint32_t>> children(graph.nodes.size());
    for (std::uint32_t n = 1; n < graph.nodes.size(); ++n)
        children[graph.nodes[n].parent].push_back(n);
    boxes.push_back({focus, 0, widthPx, 0});
    for (std::size_t b = 0; b < boxes.size(); ++b) { // grows while it goes
        const FlameBox box = boxes[b];
        std::vector<std::uint32_t>& below = children[box.node];
        if (widestFirst)
            std::stable_sort(below.begin(), below.end(), [&](std::uint32_t x, std::uint32_t y) {
                return graph.weight(x, by) > graph.weight(y, by);
            });
        double x = box.x0;
        for (const std::uint32_t child : below) {
            const double width = widthPx * static_cast<double>(graph.weight(child, by)) / whole;
            if (width >= minPx)
                boxes.push_back({child, x, x + width, box.level + 1});
            x += width;
        }
    }
    return boxes;
}

} // namespace lacuna
