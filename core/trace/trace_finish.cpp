// TraceBuilder::finish(): orders the rows by (lane, strip, begin) and writes the final columns one by one,
// freeing the raw ones as it goes, so that the peak stays near one copy of the data.

#include "core/base/column.h"
#include "core/base/parallel.h"
#include "core/trace/row_order.h"
#include "core/trace/row_poll.h"
#include "core/trace/snapshot_maker.h"
#include "core/trace/stream_checks.h"
#include "core/trace/strip_indexes.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>

namespace lacuna {

namespace {

constexpr std::size_t kRowsPerPiece = std::size_t{1} << 16; // of a column, for threads to share

// Fills a column in the final order and frees the raw one. False once the job is cancelled; the column is
// then half written and nobody reads it.
template <class T, class ValueAt>
bool moveColumn(ChunkedColumn<T>& raw, Column<T>& column, const Column<std::uint32_t>& order,
                const ValueAt& valueAt, const JobControl& job, unsigned threads) {
    column.resize(order.size());
    std::atomic<bool> stopped = false;
    parallelFor(threads, (order.size() + kRowsPerPiece - 1) / kRowsPerPiece, [&](std::size_t piece) {
        RowPoll poll(job);
        const std::size_t end = std::min(order.size(), (piece + 1) * kRowsPerPiece);
        for (std::size_t first = piece * kRowsPerPiece; first < end && !stopped; first += RowPoll::kRows) {
            const std::size_t last = std::min(end, first + RowPoll::kRows);
            for (std::size_t i = first; i < last; ++i)
                column[i] = valueAt(raw[order[i]]);
            if (!poll.tick(RowPoll::kRows))
                stopped = true;
        }
    });
    raw.clear();
    return !stopped;
}

template <class Args>
void moveArgs(WorkColumn<std::pair<std::uint32_t, Args>>& raw, SparseArgs<Args>& args,
              std::span<const std::uint32_t> rowOf) {
    args.rows().reserve(raw.size());
    for (auto& [row, value] : raw) {
        value.event = EventId{rowOf[row]};
        args.push(value);
    }
    raw = {};
    args.sort();
}

} // namespace

// File time of time zero. Zero and window over the rows with a duration: instants have none, async pairs are
// no X, B or E rows.
std::int64_t TraceBuilder::findZero() {
    std::int64_t first = INT64_MAX, last = INT64_MIN, firstAny = INT64_MAX, lastAny = INT64_MIN;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const std::int64_t begin = m_rows.begin[i], end = m_rows.end[i];
        firstAny = std::min(firstAny, begin);
        lastAny = std::max(lastAny, end);
        if (m_rows.kind[i] == EventKind::Instant || m_rows.kind[i] == EventKind::Async)
            continue;
        first = std::min(first, begin);
        last = std::max(last, end);
    }
    for (const CounterTrack& track : m_trace.m_counters)
        for (const std::int64_t t : track.timeNs) {
            firstAny = std::min(firstAny, t);
            lastAny = std::max(lastAny, t);
        }
    if (first > last) { // nothing but marks and counters
        first = firstAny == INT64_MAX ? 0 : firstAny;
        last = lastAny == INT64_MIN ? 0 : lastAny;
    }
    const std::int64_t zero = m_timeZero == TimeZero::FirstDuration ? first : 0;
    m_trace.m_window = {{first - zero}, {last - zero}};
    m_trace.m_fileZeroNs = zero;
    if (m_trace.m_facts.baseNs)
        *m_trace.m_facts.baseNs += zero;
    return zero;
}

bool TraceBuilder::moveRows(const Column<std::uint32_t>& order, std::int64_t zero,
                            Column<std::uint64_t>& keys, JobControl& job, unsigned threads) {
    EventTable& e = m_trace.m_events;
    const auto same = [](const auto& value) { return value; };
    const auto shifted = [zero](std::int64_t ns) { return ns - zero; };
    if (!moveColumn(m_rows.begin, e.beginNs, order, shifted, job, threads) ||
        !moveColumn(m_rows.end, e.endNs, order, shifted, job, threads) ||
        !moveColumn(m_rows.name, e.name, order, same, job, threads) ||
        !moveColumn(m_rows.kind, e.kind, order, same, job, threads) ||
        !moveColumn(m_rows.source, e.source, order, same, job, threads) ||
        !moveColumn(m_rows.correlation, keys, order, same, job, threads))
        return false;
    moveAllArgs(order);
    return true;
}

void TraceBuilder::moveAllArgs(const Column<std::uint32_t>& order) {
    if (m_rows.copies.empty() && m_rows.syncs.empty() && m_rows.graphs.empty())
        return;
    WorkColumn<std::uint32_t> rowOf(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        rowOf[order[i]] = static_cast<std::uint32_t>(i);
    moveArgs(m_rows.copies, m_trace.m_hotArgs.copies, rowOf);
    moveArgs(m_rows.syncs, m_trace.m_hotArgs.syncs, rowOf);
    moveArgs(m_rows.graphs, m_trace.m_hotArgs.graphs, rowOf);
}

// Correlations beside the indexes of the strips: neither reads what the other writes.
bool TraceBuilder::buildIndexes(const Column<std::uint64_t>& keys, JobControl& job, unsigned threads) {
    const StripIndexes into{m_trace.m_busy, m_trace.m_busyFirst, m_trace.m_longest, m_trace.m_longestFirst};
    layStripIndexes(m_trace.m_strips, into);
    const auto pieces = stripPieces(m_trace.m_strips);
    std::optional<CorrelationIndex> joined;
    std::atomic<bool> stopped = false;
    parallelFor(threads, pieces.size() + 1, [&](std::size_t piece) {
        if (stopped)
            return;
        if (piece == 0)
            joined = CorrelationIndex::join(m_trace.m_events, keys, job);
        else if (!buildStripPiece(m_trace.m_events, m_trace.m_strips, pieces[piece - 1], into, job))
            stopped = true;
    });
    if (stopped || !joined)
        return false;
    m_trace.m_correlations = std::move(*joined);
    return true;
}

bool TraceBuilder::bindRecordedFlows(std::int64_t zero, JobControl& job) {
    for (FlowEnd& end : m_flows.ends)
        if (end.binding != FlowBinding::Row)
            end.at -= zero;
    BoundFlows bound = bindFlows(std::move(m_flows), m_trace, job);
    m_trace.m_flows.m_links = std::move(bound.links);
    m_trace.m_flows.m_byTarget = std::move(bound.byTarget);
    report().note(
        "flow_ends_unbound",
        "Ends of recorded arrows have no row or no other end, as is usual at the edges of a capture: "
        "they are not drawn.",
        {}, Severity::Info, bound.unbound);
    return !bound.isCancelled;
}

// A device without owner belongs to the process whose host call launched its work (first joined operation).
void TraceBuilder::findDeviceOwners() {
    std::vector<Device>& devices = m_trace.m_devices;
    const CorrelationIndex& index = m_trace.m_correlations;
    auto missing = std::count_if(devices.begin(), devices.end(), [](const Device& d) { return !d.process; });
    for (std::uint32_t group = 1; group < index.groups() && missing > 0; ++group) {
        const auto calls = index.hostCalls(group);
        if (calls.empty())
            continue;
        for (const EventId op : index.deviceOps(group)) {
            const DeviceId device = m_trace.lane(m_trace.laneOf(op)).device;
            if (!device || devices[device.v].process)
                continue;
            devices[device.v].process = m_trace.lane(m_trace.laneOf(calls.front())).process;
            --missing;
        }
    }
    for (Lane& lane : m_trace.m_lanes)
        if (lane.device && !lane.process)
            lane.process = devices[lane.device.v].process;
}

void TraceBuilder::finishCounters(std::int64_t zero) {
    for (CounterTrack& track : m_trace.m_counters) {
        for (std::int64_t& t : track.timeNs)
            t -= zero;
        if (std::is_sorted(track.timeNs.begin(), track.timeNs.end()))
            continue;
        std::vector<std::uint32_t> sorted(track.timeNs.size());
        std::iota(sorted.begin(), sorted.end(), 0u);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return track.timeNs[a] < track.timeNs[b]; });
        Column<std::int64_t> times(sorted.size());
        Column<double> values(sorted.size());
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            times[i] = track.timeNs[sorted[i]];
            values[i] = track.value[sorted[i]];
        }
        track.timeNs = std::move(times);
        track.value = std::move(values);
    }
}

Result<std::shared_ptr<const Trace>> TraceBuilder::finish(JobControl& job, unsigned threads) && {
    m_snapshots.reset(); // the whole comes now
    job.setPhase(JobControl::Phase::Indexing);
    threads = size() < kRowsForThreads ? 1 : threadsFor(threads);
    const std::int64_t zero = findZero();
    if (job.cancelled())
        return cancelledError();
    auto order = orderRows(m_rows, m_trace.m_lanes, job, threads);
    if (!order)
        return cancelledError();
    m_trace.m_strips = std::move(order->strips);
    Column<std::uint64_t> keys;
    if (!moveRows(order->rows, zero, keys, job, threads))
        return cancelledError();
    order.reset();
    if (!buildIndexes(keys, job, threads) || !bindRecordedFlows(zero, job) ||
        !noteOverruns(m_trace, report(), job))
        return cancelledError();
    findDeviceOwners();
    finishCounters(zero);
    return std::shared_ptr<const Trace>(new Trace(std::move(m_trace)));
}

} // namespace lacuna
