// Puts the parts of a cache file together and checks every number against what it points to.

#include "core/base/poll.h"
#include "core/cache/trace_archive.h"
#include "core/trace/strip_indexes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lacuna {

namespace {

// Importers accept smaller times only; differences and sums within a strip stay inside 64 bits.
constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 62;

bool isTime(std::int64_t t) {
    return t >= -kMaxTimeNs && t <= kMaxTimeNs;
}

bool needsDevice(LaneKind kind) {
    return kind == LaneKind::GpuRange || kind == LaneKind::GpuStream || kind == LaneKind::GpuSync;
}

template <class T> bool sparseRowsAreValid(const Column<T>& rows, std::size_t events) {
    return std::is_sorted(rows.begin(), rows.end(),
                          [](const T& a, const T& b) { return a.event < b.event; }) &&
           (rows.empty() || rows.back().event.v < events);
}

} // namespace

// Interning gives the ids back in the order in which they were made, unless a name stands there twice.
bool TraceArchive::restoreNames(const Parts& parts, Trace& trace, JobControl& job) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < parts.nameLengths.size(); ++i) {
        const std::size_t size = parts.nameLengths[i];
        if (size > parts.nameBytes.size() - at || (i % kRowsPerPoll == 0 && job.cancelled()))
            return false;
        if (trace.m_strings.intern({parts.nameBytes.data() + at, size}).v != i)
            return false;
        at += size;
    }
    return at == parts.nameBytes.size() && trace.m_strings.size() == parts.nameLengths.size();
}

bool TraceArchive::referencesAreValid(const Trace& trace) {
    for (const Lane& lane : trace.m_lanes)
        if ((needsDevice(lane.kind) && !lane.device) ||
            (lane.kind == LaneKind::Counter && (!lane.counter || lane.depth != 0)))
            return false;
    std::uint64_t rows = 0; // read = kept + dropped has a value
    for (const std::uint64_t kept : trace.m_report.m_kept)
        if (__builtin_add_overflow(rows, kept, &rows))
            return false;
    for (const Issue& issue : trace.m_report.m_issues)
        if (__builtin_add_overflow(rows, issue.count, &rows))
            return false;
    return isTime(trace.m_window.begin.v) && isTime(trace.m_window.end.v) &&
           trace.m_window.begin <= trace.m_window.end;
}

bool TraceArchive::restoreSamples(const Parts& parts, Trace& trace, JobControl& job) {
    const std::size_t all = parts.sampleTimes.size();
    if (parts.sampleValues.size() != all)
        return false;
    std::size_t at = 0;
    for (std::size_t k = 0; k < trace.m_counters.size(); ++k) {
        if (parts.sampleCounts[k] > all - at || job.cancelled())
            return false;
        const auto count = static_cast<std::size_t>(parts.sampleCounts[k]);
        const std::span<const std::int64_t> times = std::span(parts.sampleTimes).subspan(at, count);
        const std::span<const double> values = std::span(parts.sampleValues).subspan(at, count);
        if (!std::is_sorted(times.begin(), times.end()) ||
            (count != 0 && (!isTime(times.front()) || !isTime(times.back()))) ||
            !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
            return false;
        trace.m_counters[k].timeNs.assign(times.begin(), times.end());
        trace.m_counters[k].value.assign(values.begin(), values.end());
        at += count;
    }
    return at == all;
}

// Strips tile the rows in the order of the lanes; inside one, rows are sorted and disjoint.
bool TraceArchive::restoreStrips(const Parts& parts, Trace& trace, JobControl& job) {
    const EventTable& e = trace.m_events;
    const std::size_t rows = e.size();
    if (rows >= UINT32_MAX || e.endNs.size() != rows || e.name.size() != rows || e.kind.size() != rows ||
        e.source.size() != rows)
        return false;
    trace.m_strips.reserve(parts.stripRows.size());
    std::uint32_t row = 0, sincePoll = 0;
    const std::size_t names = trace.m_strings.size();
    for (std::uint32_t l = 0; l < trace.m_lanes.size(); ++l) {
        Lane& lane = trace.m_lanes[l];
        lane.firstStrip = {static_cast<std::uint32_t>(trace.m_strips.size())};
        if (lane.depth > parts.stripRows.size() - trace.m_strips.size())
            return false;
        for (std::uint32_t depth = 0; depth < lane.depth; ++depth) {
            const std::uint32_t size = parts.stripRows[trace.m_strips.size()];
            if (size == 0 || size > rows - row || !isTime(e.beginNs[row]) || !isTime(e.endNs[row + size - 1]))
                return false;
            trace.m_strips.push_back({{row}, {row + size}, {l}});
            std::int64_t last = e.beginNs[row];
            for (const std::uint32_t end = row + size; row < end; ++row) {
                const EventKind kind = e.kind[row];
                if (e.beginNs[row] < last || e.endNs[row] < e.beginNs[row] || e.name[row].v >= names ||
                    kind > EventKind::Other || kind == EventKind::Counter ||
                    (isDeviceOp(kind) && !lane.device) || (isHostCall(kind) && !lane.thread))
                    return false;
                last = e.endNs[row];
                if (kind != EventKind::Instant && kind != EventKind::Async &&
                    (e.beginNs[row] < trace.m_window.begin.v || last > trace.m_window.end.v))
                    return false;
                if (++sincePoll == kRowsPerPoll) {
                    sincePoll = 0;
                    if (job.cancelled())
                        return false;
                }
            }
        }
    }
    return row == rows && trace.m_strips.size() == parts.stripRows.size() &&
           buildStripIndexes(e, trace.m_strips,
                             {trace.m_busy, trace.m_busyFirst, trace.m_longest, trace.m_longestFirst}, job);
}

// Every group can be read, and found by its block.
bool TraceArchive::areBlocksValid(const CorrelationIndex& index) {
    constexpr std::size_t kBlock = CorrelationIndex::kBlock;
    const std::size_t groups = index.m_packed.size();
    if (groups >= UINT32_MAX - 1 || index.m_blocks.size() != (groups + kBlock - 1) / kBlock ||
        index.m_members.size() > UINT32_MAX)
        return false;
    for (std::size_t b = 0; b < index.m_blocks.size(); ++b) {
        const CorrelationIndex::Block& block = index.m_blocks[b];
        if (block.wide != 0 && block.wide - 1 + std::min(kBlock, groups - b * kBlock) > index.m_wide.size())
            return false;
        const CorrelationIndex::Group first = index.at(static_cast<std::uint32_t>(b * kBlock + 1));
        if (first.domain != block.domain || first.id != block.id)
            return false;
    }
    return true;
}

// The groups of rows are not stored: every member of a group gets its number here.
bool TraceArchive::restoreCorrelations(Trace& trace, JobControl& job) {
    EventTable& e = trace.m_events;
    const CorrelationIndex& index = trace.m_correlations;
    if (!areBlocksValid(index))
        return false;
    e.correlation.assign(e.size(), 0);
    std::uint32_t next = 0; // first member of the group
    for (std::uint32_t g = 1; g < index.groups(); ++g) {
        const CorrelationIndex::Group group = index.at(g);
        const std::uint32_t device = group.firstDevice, marker = group.firstMarker, last = index.lastOf(g);
        if (index.key(g) <= index.key(g - 1) || group.first != next || next >= last ||
            last > index.m_members.size() || device < next || marker < device || last < marker)
            return false;
        for (std::uint32_t m = next; m < last; ++m) {
            const std::uint32_t row = index.m_members[m].v;
            if (row >= e.size() || e.correlation[row] != 0 || isHostCall(e.kind[row]) != (m < device) ||
                isDeviceOp(e.kind[row]) != (m >= device && m < marker) ||
                (m > device && m != marker && e.beginNs[row] < e.beginNs[index.m_members[m - 1].v]))
                return false;
            e.correlation[row] = g;
        }
        next = last;
        if (g % kRowsPerPoll == 0 && job.cancelled())
            return false;
    }
    return next == index.m_members.size();
}

bool TraceArchive::flowsAreValid(const Trace& trace, JobControl& job) {
    static_assert(std::has_unique_object_representations_v<FlowLink>);
    const Column<FlowLink>& links = trace.m_flows.m_links;
    const Column<std::uint32_t>& byTarget = trace.m_flows.m_byTarget;
    if (byTarget.size() != links.size())
        return false;
    const auto isBefore = [](const FlowLink& a, const FlowLink& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    };
    std::vector<bool> isSeen(links.size(), false);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const FlowLink& link = links[i];
        if (link.from.v >= trace.m_events.size() || link.to.v >= trace.m_events.size() ||
            (link.name && link.name.v >= trace.m_strings.size()) || (i != 0 && isBefore(link, links[i - 1])))
            return false;
        const std::uint32_t place = byTarget[i];
        if (place >= links.size() || isSeen[place] ||
            (i != 0 && (links[place].to != links[byTarget[i - 1]].to
                            ? links[place].to < links[byTarget[i - 1]].to
                            : links[place].from < links[byTarget[i - 1]].from)))
            return false;
        isSeen[place] = true;
        if (i % kRowsPerPoll == 0 && job.cancelled())
            return false;
    }
    return true;
}

bool TraceArchive::hotArgsAreValid(const Trace& trace) {
    const std::size_t rows = trace.m_events.size();
    return sparseRowsAreValid(trace.m_hotArgs.copies.rows(), rows) &&
           sparseRowsAreValid(trace.m_hotArgs.syncs.rows(), rows) &&
           sparseRowsAreValid(trace.m_hotArgs.graphs.rows(), rows);
}

} // namespace lacuna
