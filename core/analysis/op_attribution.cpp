// Nesting order puts parents before children. So a forward sweep finds for every row the nearest operator and
// whether an ancestor has the same name (open names are counted on a stack), and a backward sweep adds the
// device time of every row to its parent. A name's total device time is then the sum over its outermost rows:
// the same as adding every device operation once per distinct name in its chain.

#include "core/analysis/op_attribution.h"

#include "core/base/poll.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace lacuna {

namespace {

class Attribution {
public:
    Attribution(const Trace& trace, const HostTree& tree, JobControl& job, std::optional<TimeRange> window)
        : m_trace(trace), m_tree(tree), m_job(job), m_window(window) {}

    // Without operators, as in most Nsight exports, nothing is kept by row. Times of rows are kept one kind
    // after the other: each takes 8 bytes a row.
    bool run() {
        if (!findOperators())
            return false;
        if (!m_hasOperators)
            return addDeviceOps();
        m_nearest.resize(m_tree.size());
        m_outermost.resize(m_tree.size(), false);
        if (!nest() || !addHostTimes())
            return false;
        m_deviceNs.resize(m_tree.size(), 0);
        return addDeviceOps() && addDeviceTotals();
    }
    OpAttribution take() {
        std::sort(m_result.rows.begin(), m_result.rows.end(),
                  [](const OperatorTime& a, const OperatorTime& b) { return a.name < b.name; });
        return std::move(m_result);
    }

private:
    bool poll(std::size_t index) {
        if (index % kRowsPerPoll != 0)
            return true;
        m_job.countEvents(kRowsPerPoll);
        return !m_job.cancelled();
    }
    bool isSelected(EventId e) const {
        if (!m_window)
            return true;
        const TimeRange range = m_trace.events().range(e);
        return range.begin < m_window->end &&
               (range.end > m_window->begin || m_window->contains(range.begin));
    }
    StringId nameOf(HostRow row) const { return m_trace.events().name[m_tree.event(row).v]; }
    OperatorTime& timeOf(HostRow row) {
        const StringId name = nameOf(row);
        const auto [at, isNew] = m_rowOfName.try_emplace(name, m_result.rows.size());
        if (isNew)
            m_result.rows.emplace_back().name = name;
        return m_result.rows[at->second];
    }

    bool findOperators() {
        for (HostRow row{0}; row.v < m_tree.size() && !m_hasOperators; ++row.v) {
            if (!poll(row.v))
                return false;
            m_hasOperators = m_tree.kind(row) == EventKind::CpuOp;
        }
        return true;
    }

    bool nest() {
        std::vector<HostRow> open; // operators only
        std::unordered_map<StringId, std::uint32_t> openNames;
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!poll(row.v))
                return false;
            const HostRow parent = m_tree.parent(row);
            const HostRow above = parent ? m_nearest[parent.v] : HostRow{};
            while (!open.empty() && open.back() != above) {
                --openNames[nameOf(open.back())];
                open.pop_back();
            }
            m_nearest[row.v] = above;
            if (m_tree.kind(row) != EventKind::CpuOp)
                continue;
            m_nearest[row.v] = row;
            m_outermost[row.v] = openNames[nameOf(row)]++ == 0;
            open.push_back(row);
        }
        return true;
    }

    bool addHostTimes() {
        const Column<std::int64_t> self = m_tree.selfTimes(m_job);
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!poll(row.v))
                return false;
            if (m_tree.kind(row) != EventKind::CpuOp || !isSelected(m_tree.event(row)))
                continue;
            OperatorTime& time = timeOf(row);
            const std::int64_t duration = m_tree.range(row).length().v;
            ++time.calls;
            time.hostSelfNs = saturatingAdd(time.hostSelfNs, self[row.v]);
            time.hostTotalNs = saturatingAdd(time.hostTotalNs, duration);
            if (m_outermost[row.v])
                time.hostOnceNs = saturatingAdd(time.hostOnceNs, duration);
        }
        return true;
    }

    bool addDeviceOps() {
        const EventTable& events = m_trace.events();
        for (const Strip& strip : m_trace.strips()) {
            if (m_trace.lane(strip.lane).kind != LaneKind::GpuStream)
                continue;
            for (EventId op = strip.first; op < strip.last; ++op.v) {
                if (!poll(op.v))
                    return false;
                if (isDeviceOp(events.kind[op.v]))
                    addDeviceOp(op);
            }
        }
        return true;
    }

    void add(DeviceShare& share, EventId op, bool isKernel) const {
        if (!isSelected(op))
            return;
        ++share.ops;
        share.kernels += isKernel ? 1 : 0;
        share.ns = saturatingAdd(share.ns, m_trace.events().duration(op).v);
    }

    void addDeviceOp(EventId op) {
        const EventTable& events = m_trace.events();
        const std::int64_t duration = events.duration(op).v;
        const EventKind kind = events.kind[op.v];
        const bool isKernel = kind == EventKind::Kernel || kind == EventKind::GraphLaunch;
        const auto call = m_trace.correlations().launchOf(events, op);
        if (!call)
            return add(m_result.unlaunched, op, isKernel);
        const HostRow row = m_hasOperators ? m_tree.find(*call) : HostRow{};
        const HostRow nearest = row ? m_nearest[row.v] : HostRow{};
        if (!nearest)
            return add(m_result.outside, op, isKernel);
        m_deviceNs[nearest.v] = saturatingAdd(m_deviceNs[nearest.v], duration);
        if (!isSelected(m_tree.event(nearest)))
            return;
        OperatorTime& time = timeOf(nearest);
        time.deviceSelfNs = saturatingAdd(time.deviceSelfNs, duration);
        ++time.deviceOps;
        time.kernels += isKernel ? 1 : 0;
    }

    bool addDeviceTotals() {
        for (auto next = static_cast<std::uint32_t>(m_tree.size()); next-- > 0;) {
            if (!poll(next))
                return false;
            const HostRow row{next};
            const std::int64_t ns = m_deviceNs[next];
            if (ns == 0)
                continue;
            if (const HostRow parent = m_tree.parent(row))
                m_deviceNs[parent.v] = saturatingAdd(m_deviceNs[parent.v], ns);
            if (m_outermost[next] && isSelected(m_tree.event(row))) {
                OperatorTime& time = timeOf(row);
                time.deviceTotalNs = saturatingAdd(time.deviceTotalNs, ns);
            }
        }
        return true;
    }

    const Trace& m_trace;
    const HostTree& m_tree;
    JobControl& m_job;
    std::optional<TimeRange> m_window;
    OpAttribution m_result;
    std::unordered_map<StringId, std::size_t> m_rowOfName;
    bool m_hasOperators = false;
    Column<std::int64_t> m_deviceNs; // first of the row itself, in the end of its subtree
    Column<HostRow> m_nearest;       // the row itself when it is an operator, else the nearest one above
    std::vector<bool> m_outermost;   // operators without an ancestor of the same name
};

} // namespace

Result<OpAttribution> attributeOperators(const Trace& trace, const HostTree& tree, JobControl& job,
                                         std::optional<TimeRange> window) {
    Attribution attribution(trace, tree, job, window);
    if (!attribution.run())
        return cancelledError();
    return attribution.take();
}

} // namespace lacuna
