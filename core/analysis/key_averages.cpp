// The rows come in nesting order, parents before children: one sweep forward finds parents and merges only
// children, one backward adds device time to parents.

#include "core/analysis/key_averages.h"

#include "core/base/column.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lacuna {

namespace {

constexpr std::string_view kStepPrefix = "ProfilerStep#", kStepName = "ProfilerStep*";

class AverageMaker {
public:
    AverageMaker(const Trace& trace, const HostTree& tree, const KeyAverageOptions& options, JobControl& job)
        : m_trace(trace), m_events(trace.events()), m_tree(tree), m_options(options), m_poll(job),
          m_parent(tree.size()), m_merged(tree.size(), false), m_children(tree.size(), 0),
          m_childNs(tree.size(), 0), m_deviceNs(tree.size(), 0), m_selfDeviceNs(tree.size(), 0) {
        for (auto& sums : m_bytesBefore)
            sums.assign(1, 0);
        for (const MemoryChange& change : options.memory)
            for (const bool isOnDevice : {false, true})
                m_bytesBefore[isOnDevice].push_back(saturatingAdd(
                    m_bytesBefore[isOnDevice].back(), change.isOnDevice == isOnDevice ? change.bytes : 0));
    }

    bool run() { return nest() && followInside() && addDeviceRows() && sumDevice() && addHostRows(); }

    KeyAverages take() {
        std::sort(m_result.rows.begin(), m_result.rows.end(),
                  [&](const KeyAverage& a, const KeyAverage& b) { return isBefore(a.first, b.first); });
        return std::move(m_result);
    }

private:
    // Kineto writes projected ranges 1 ns longer at both ends, so that viewers nest their work; in PyTorch's
    // order they follow the work that they span.
    bool isBefore(EventId a, EventId b) const {
        const auto key = [&](EventId e) {
            const int grown = m_events.kind[e.v] == EventKind::GpuRange ? 1 : 0;
            return std::tuple(m_events.beginNs[e.v] + grown, grown - m_events.endNs[e.v], grown,
                              m_events.source[e.v]);
        };
        return key(a) < key(b);
    }
    // Files with whole us have another padding, which PyTorch's figures of that time had too.
    std::int64_t padding(EventId e) const {
        constexpr std::int64_t kBothEnds = 2, kWholeUs = 1'000;
        const std::int64_t duration = m_events.duration(e).v;
        return m_events.kind[e.v] == EventKind::GpuRange && m_isKineto && duration >= kBothEnds &&
                       (duration % kWholeUs != 0 || m_events.beginNs[e.v] % kWholeUs != 0)
                   ? kBothEnds
                   : 0;
    }
    bool isSelected(EventId e) const {
        if (!m_options.window)
            return true;
        const TimeRange range = m_events.range(e);
        return range.begin < m_options.window->end &&
               (range.end > m_options.window->begin || m_options.window->contains(range.begin));
    }
    StringId nameOf(HostRow row) const { return m_events.name[m_tree.event(row).v]; }

    bool nest() {
        for (std::uint32_t t = 0; t < m_trace.threads().size(); ++t) {
            const HostTree::ThreadPart& part = m_tree.part({t});
            std::vector<HostRow> open;
            for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
                if (!m_poll.tick())
                    return false;
                const TimeRange range = m_tree.range(row);
                while (!open.empty() && (range.begin >= m_tree.range(open.back()).end ||
                                         range.end > m_tree.range(open.back()).end))
                    open.pop_back();
                if (!open.empty())
                    m_parent[row.v] = open.back();
                open.push_back(row);
                if (m_parent[row.v])
                    ++m_children[m_parent[row.v].v];
            }
        }
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return false;
            mergeOnlyChild(row);
        }
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return false;
            if (const HostRow parent = m_parent[row.v]; parent && !m_merged[row.v])
                m_childNs[parent.v] = saturatingAdd(m_childNs[parent.v], m_tree.range(row).length().v);
        }
        return true;
    }

    // Parents first, so that a chain of equal names collapses into its outermost row.
    void mergeOnlyChild(HostRow row) {
        HostRow& parent = m_parent[row.v];
        if (!parent)
            return;
        if (m_merged[parent.v])
            parent = m_parent[parent.v]; // of a merged row: the row that took it in
        if (m_children[parent.v] != 1 || nameOf(parent) != nameOf(row))
            return;
        m_merged[row.v] = true;
        m_children[parent.v] = m_children[row.v];
    }

    bool isNamed(HostRow row, std::size_t step) {
        const AverageParent& wanted = m_options.inside[step];
        const bool isRange = m_tree.kind(row) == EventKind::Range;
        if (wanted.isRange && *wanted.isRange != isRange)
            return false;
        const std::string_view name = m_trace.strings().view(nameOf(row));
        return name == wanted.name || (isRange && wanted.name == kStepName && name.starts_with(kStepPrefix));
    }

    // Per row: which first steps of the way it is the end of, a bit each. Parents come first.
    bool followInside() {
        const std::size_t steps = m_options.inside.size();
        if (steps == 0)
            return true;
        m_way.assign(m_tree.size(), 0);
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return false;
            const std::uint32_t above = m_parent[row.v] ? m_way[m_parent[row.v].v] : 0;
            for (std::size_t k = 0; k < steps; ++k)
                if ((k == 0 || (above >> (k - 1) & 1U) != 0) && isNamed(row, k))
                    m_way[row.v] |= 1U << k;
        }
        return true;
    }
    // Whether something that stands directly in `row` is asked for.
    bool isAsked(HostRow row) const {
        const std::size_t steps = m_options.inside.size();
        return steps == 0 || (row && (m_way[row.v] >> (steps - 1) & 1U) != 0);
    }

    // The operator a launching call belongs to; none.
    HostRow operatorOf(EventId call) const {
        HostRow row = m_tree.find(call);
        while (row && m_tree.kind(row) != EventKind::CpuOp)
            row = m_parent[row.v];
        return row && m_merged[row.v] ? m_parent[row.v] : row;
    }

    KeyAverage& averageOf(EventId e, bool isDevice, bool isRange, std::uint32_t label) {
        StringId name = m_events.name[e.v];
        const bool isStep = isRange && m_trace.strings().view(name).starts_with(kStepPrefix);
        if (isStep)
            name = m_stepName = m_stepName ? m_stepName : name;
        const std::uint64_t key = std::uint64_t{name.v} << 2 | (isDevice ? 2u : 0u) | (isRange ? 1u : 0u);
        if (m_rowOf.size() <= label)
            m_rowOf.resize(std::size_t{label} + 1);
        const auto [at, isNew] = m_rowOf[label].try_emplace(key, m_result.rows.size());
        if (isNew)
            m_result.rows.push_back({name, e, isDevice, isRange, isStep, false, label});
        KeyAverage& average = m_result.rows[at->second];
        if (isBefore(e, average.first))
            average.first = e;
        ++average.calls;
        if (m_options.visit)
            m_options.visit(e, at->second);
        return average;
    }

    bool addDeviceRows() {
        for (const Strip& strip : m_trace.strips())
            for (EventId e = strip.first; e < strip.last; ++e.v) {
                if (!m_poll.tick())
                    return false;
                const EventKind kind = m_events.kind[e.v];
                const bool isWork = isDeviceOp(kind);
                if (!isWork && kind != EventKind::GpuRange && kind != EventKind::Sync)
                    continue;
                const std::int64_t duration = m_events.duration(e).v - padding(e);
                const HostRow launcher = isWork ? addToOperator(e, duration) : HostRow{};
                if (!isSelected(e))
                    continue;
                if (kind != EventKind::GpuRange)
                    m_result.deviceNs = saturatingAdd(m_result.deviceNs, duration);
                if (!isAsked(launcher))
                    continue;
                KeyAverage& average =
                    averageOf(e, true, kind == EventKind::GpuRange,
                              m_options.labels == nullptr ? 0 : m_options.labels->ofDeviceRow(e));
                average.selfDeviceNs = saturatingAdd(average.selfDeviceNs, duration);
                average.deviceNs = average.selfDeviceNs;
            }
        return true;
    }

    HostRow addToOperator(EventId op, std::int64_t duration) {
        const auto call = m_trace.correlations().launchOf(m_events, op);
        const HostRow row = call ? operatorOf(*call) : HostRow{};
        if (!row)
            return row;
        m_selfDeviceNs[row.v] = saturatingAdd(m_selfDeviceNs[row.v], duration);
        m_deviceNs[row.v] = saturatingAdd(m_deviceNs[row.v], duration);
        return row;
    }

    bool sumDevice() {
        for (auto next = static_cast<std::uint32_t>(m_tree.size()); next-- > 0;) {
            if (!m_poll.tick())
                return false;
            if (const HostRow parent = m_parent[next]; parent && !m_merged[next])
                m_deviceNs[parent.v] = saturatingAdd(m_deviceNs[parent.v], m_deviceNs[next]);
        }
        return true;
    }

    bool addHostRows() {
        m_placeOf.resize(m_options.memory.empty() ? 0 : m_tree.size());
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return false;
            const EventId e = m_tree.event(row);
            if (m_merged[row.v] || !isSelected(e) || m_tree.kind(row) == EventKind::Other)
                continue; // Other: the profiler's own span, rows of foreign writers
            const std::int64_t duration = m_tree.range(row).length().v;
            const std::int64_t self = duration - m_childNs[row.v];
            m_result.selfHostNs = saturatingAdd(m_result.selfHostNs, self);
            if (!isAsked(m_parent[row.v]))
                continue;
            KeyAverage& average =
                averageOf(e, false, m_tree.kind(row) == EventKind::Range,
                          m_options.labels == nullptr ? 0 : m_options.labels->ofHostRow[row.v]);
            if (!m_options.memory.empty())
                m_placeOf[row.v] = static_cast<std::uint32_t>(&average - m_result.rows.data());
            average.hasInside = average.hasInside || m_children[row.v] != 0 || m_selfDeviceNs[row.v] != 0;
            average.hostNs = saturatingAdd(average.hostNs, duration);
            average.selfHostNs = saturatingAdd(average.selfHostNs, self);
            average.selfDeviceNs = saturatingAdd(average.selfDeviceNs, m_selfDeviceNs[row.v]);
            average.deviceNs = saturatingAdd(average.deviceNs, m_deviceNs[row.v]);
        }
        return m_options.memory.empty() || addMemory();
    }

    // Bytes of the marks in the row, its ends included.
    std::int64_t bytesIn(HostRow row, bool isOnDevice) const {
        const TimeRange range = m_tree.range(row);
        const auto& marks = m_options.memory;
        const auto first =
            std::lower_bound(marks.begin(), marks.end(), range.begin.v,
                             [](const MemoryChange& mark, std::int64_t t) { return mark.timeNs < t; });
        const auto last =
            std::upper_bound(first, marks.end(), range.end.v,
                             [](std::int64_t t, const MemoryChange& mark) { return t < mark.timeNs; });
        const auto& before = m_bytesBefore[isOnDevice];
        return before[static_cast<std::size_t>(last - marks.begin())] -
               before[static_cast<std::size_t>(first - marks.begin())];
    }

    bool addMemory() {
        std::array<std::vector<std::int64_t>, 2> ofChildren;
        for (auto& bytes : ofChildren)
            bytes.assign(m_tree.size(), 0);
        for (auto next = static_cast<std::uint32_t>(m_tree.size()); next-- > 0;) {
            if (!m_poll.tick())
                return false;
            const HostRow row{next};
            if (m_merged[next])
                continue;
            std::array<std::int64_t, 2> bytes{bytesIn(row, false), bytesIn(row, true)};
            if (const HostRow parent = m_parent[next])
                for (const std::size_t side : {0U, 1U})
                    ofChildren[side][parent.v] += bytes[side];
            if (!isSelected(m_tree.event(row)) || m_tree.kind(row) == EventKind::Other ||
                !isAsked(m_parent[next]))
                continue;
            KeyAverage& average = m_result.rows[m_placeOf[next]];
            average.hostBytes += bytes[0];
            average.selfHostBytes += bytes[0] - ofChildren[0][next];
            average.deviceBytes += bytes[1];
            average.selfDeviceBytes += bytes[1] - ofChildren[1][next];
        }
        return true;
    }

    const Trace& m_trace;
    const EventTable& m_events;
    const HostTree& m_tree;
    const KeyAverageOptions& m_options;
    bool m_isKineto = m_trace.facts().format == "kineto-json";
    RowPoll m_poll;
    KeyAverages m_result;
    // By label: name, side, range -> place in the result.
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> m_rowOf;
    StringId m_stepName;
    Column<HostRow> m_parent;
    std::vector<bool> m_merged;
    Column<std::uint32_t> m_children;
    std::vector<std::uint32_t> m_way;
    Column<std::int64_t> m_childNs, m_deviceNs, m_selfDeviceNs;
    std::vector<std::uint32_t> m_placeOf; // of host rows in the result, where memory is known
    std::array<std::vector<std::int64_t>, 2> m_bytesBefore; // sums of the marks before each; host, device
};

} // namespace

Result<KeyAverages> keyAverages(const Trace& trace, const HostTree& tree, const KeyAverageOptions& options,
                                JobControl& job) {
    AverageMaker maker(trace, tree, options, job);
    if (!maker.run())
        return cancelledError();
    return maker.take();
}

} // namespace lacuna
