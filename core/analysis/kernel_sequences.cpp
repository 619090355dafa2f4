#include "core/analysis/kernel_sequences.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace lacuna {

namespace {

struct LaunchedOperation {
    HostRow under;
    std::int64_t beginNs;
    std::uint64_t source;
    EventId op;
};

class SequenceFinder {
public:
    SequenceFinder(const Trace& trace, const HostTree& tree, const KernelSequenceOptions& options,
                   JobControl& job)
        : m_trace(trace), m_events(trace.events()), m_tree(tree), m_options(options), m_poll(job),
          m_outermost(tree.size()) {}

    bool run() { return findOperators() && collect() && sort() && group(); }

    std::vector<KernelSequence> take() {
        std::vector<KernelSequence> sequences;
        sequences.reserve(m_groups.size());
        for (auto& [names, sequence] : m_groups) {
            sequence.names = names;
            sequences.push_back(std::move(sequence));
        }
        std::sort(sequences.begin(), sequences.end(), [&](const KernelSequence& a, const KernelSequence& b) {
            return a.count != b.count
                       ? a.count > b.count
                       : std::lexicographical_compare(a.names.begin(), a.names.end(), b.names.begin(),
                                                      b.names.end(), [&](StringId x, StringId y) {
                                                          return m_trace.strings().view(x) <
                                                                 m_trace.strings().view(y);
                                                      });
        });
        return sequences;
    }

private:
    bool matches(HostRow row) const {
        if (m_tree.kind(row) != EventKind::CpuOp ||
            m_trace.nameOf(m_tree.event(row)).find(m_options.contains) == std::string_view::npos)
            return false;
        if (!m_options.window)
            return true;
        const TimeRange range = m_tree.range(row);
        return range.begin < m_options.window->end &&
               (range.end > m_options.window->begin || m_options.window->contains(range.begin));
    }

    // Parents come first, so each row takes over what its parent found.
    bool findOperators() {
        std::vector<std::uint32_t> depth(m_tree.size(), 0);
        std::uint32_t shallowest = std::numeric_limits<std::uint32_t>::max();
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return false;
            const HostRow parent = m_tree.parent(row);
            depth[row.v] = parent ? depth[parent.v] + 1 : 0;
            m_outermost[row.v] = parent ? m_outermost[parent.v] : HostRow{};
            if (m_outermost[row.v] || !matches(row))
                continue;
            m_outermost[row.v] = row;
            shallowest = std::min(shallowest, depth[row.v]);
        }
        for (HostRow& row : m_outermost) {
            if (!m_poll.tick())
                return false;
            if (m_options.shallowestOnly && row && depth[row.v] != shallowest)
                row = HostRow{};
        }
        return true;
    }

    bool collect() {
        for (const Strip& strip : m_trace.strips()) {
            if (m_trace.lane(strip.lane).kind != LaneKind::GpuStream)
                continue;
            for (EventId e = strip.first; e < strip.last; ++e.v) {
                if (!m_poll.tick())
                    return false;
                const auto call = m_trace.correlations().launchOf(m_events, e);
                const HostRow row = call ? m_tree.find(*call) : HostRow{};
                if (row && m_outermost[row.v])
                    m_launched.push_back(
                        {m_outermost[row.v], m_events.beginNs[e.v], m_events.source[e.v], e});
            }
        }
        return true;
    }

    bool sort() {
        return sortRows(m_launched, m_poll, [](const LaunchedOperation& a, const LaunchedOperation& b) {
            return std::tie(a.under, a.beginNs, a.source) < std::tie(b.under, b.beginNs, b.source);
        });
    }

    bool group() {
        std::vector<StringId> names;
        for (std::size_t first = 0, last = 0; first < m_launched.size(); first = last) {
            const HostRow under = m_launched[first].under;
            names.assign(1, m_events.name[m_tree.event(under).v]);
            std::int64_t deviceNs = 0;
            for (; last < m_launched.size() && m_launched[last].under == under; ++last) {
                if (!m_poll.tick())
                    return false;
                names.push_back(m_events.name[m_launched[last].op.v]);
                deviceNs = saturatingAdd(deviceNs, m_events.duration(m_launched[last].op).v);
            }
            if (last - first < m_options.atLeast)
                continue;
            KernelSequence& sequence = m_groups[names];
            const EventId op = m_tree.event(under);
            if (sequence.count++ == 0 || m_events.beginNs[op.v] < m_events.beginNs[sequence.first.v])
                sequence.first = op;
            sequence.deviceNs = saturatingAdd(sequence.deviceNs, deviceNs);
            sequence.hostNs = saturatingAdd(sequence.hostNs, m_tree.range(under).length().v);
        }
        return true;
    }

    const Trace& m_trace;
    const EventTable& m_events;
    const HostTree& m_tree;
    const KernelSequenceOptions& m_options;
    RowPoll m_poll;
    std::vector<HostRow> m_outermost; // matching operator around each host row; none
    std::vector<LaunchedOperation> m_launched;
    std::map<std::vector<StringId>, KernelSequence> m_groups;
};

} // namespace

Result<std::vector<KernelSequence>> kernelSequences(const Trace& trace, const HostTree& tree,
                                                    const KernelSequenceOptions& options, JobControl& job) {
    SequenceFinder finder(trace, tree, options, job);
    if (!finder.run())
        return cancelledError();
    return finder.take();
}

} // namespace lacuna
