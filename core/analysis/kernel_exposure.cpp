#include "core/analysis/kernel_exposure.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lacuna {

using namespace gaps;

namespace {

// Names of one device; the numbers of what runs now are kept as count and exclusive or, so that the last one
// is known without a list.
class ExposureSweep {
public:
    ExposureSweep(const ReplayModel& model, DeviceId device, RowPoll& poll)
        : m_events(model.trace().events()), m_ops(model.index().device(device).ops), m_device(device),
          m_poll(poll) {}

    // False: cancelled.
    bool run(std::optional<TimeRange> window) { return addOps(window) && sweep(); }

    NameExposure& named(EventId op) {
        NameExposure& name = m_names[m_events.name[op.v].v];
        name.name = m_events.name[op.v];
        name.device = m_device;
        return name;
    }
    void moveTo(std::vector<NameExposure>& all) const {
        for (const auto& [id, name] : m_names)
            all.push_back(name);
    }

private:
    struct Edge {
        std::int64_t timeNs = 0;
        std::uint32_t op = 0;
        bool isBegin = false;
    };

    bool addOps(std::optional<TimeRange> window) {
        m_edges.reserve(2 * m_ops.size());
        for (const EventId op : m_ops) {
            if (!m_poll.tick())
                return false;
            const TimeRange range = window ? intersection(m_events.range(op), *window) : m_events.range(op);
            if (range.isEmpty() && window && !window->contains(m_events.range(op).begin))
                continue;
            NameExposure& name = named(op);
            ++name.count;
            name.totalNs = saturatingAdd(name.totalNs, range.length().v);
            if (range.isEmpty())
                continue;
            m_edges.push_back({range.begin.v, op.v, true});
            m_edges.push_back({range.end.v, op.v, false});
        }
        return true;
    }

    bool sweep() {
        if (!sortRows(m_edges, m_poll, [](const Edge& a, const Edge& b) { return a.timeNs < b.timeNs; }))
            return false;
        std::size_t running = 0;
        std::uint32_t which = 0;
        std::int64_t since = 0;
        for (const Edge& edge : m_edges) {
            if (!m_poll.tick())
                return false;
            if (running == 1 && edge.timeNs > since)
                named(EventId{which}).exposedNs += edge.timeNs - since;
            since = edge.timeNs;
            which ^= edge.op;
            running += edge.isBegin ? std::size_t{1} : ~std::size_t{0};
        }
        return true;
    }

    const EventTable& m_events;
    std::span<const EventId> m_ops;
    DeviceId m_device;
    RowPoll& m_poll;
    Column<Edge> m_edges;
    std::unordered_map<std::uint32_t, NameExposure> m_names;
};

} // namespace

Result<std::vector<NameExposure>> kernelExposure(const ReplayModel& model, const CriticalPath& path,
                                                 JobControl& job, std::optional<TimeRange> window) {
    const Trace& trace = model.trace();
    RowPoll poll(job);
    std::vector<NameExposure> all;
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d) {
        ExposureSweep sweep(model, DeviceId{d}, poll);
        if (!sweep.run(window))
            return cancelledError();
        LaneCursor lanes(trace);
        for (const PathPiece& piece : path.pieces) {
            if (!poll.tick())
                return cancelledError();
            if (isDeviceWork(piece.kind) && trace.lane(lanes.of(piece.event)).device == DeviceId{d})
                sweep.named(piece.event).pathNs +=
                    window ? intersection(piece.range, *window).length().v : piece.range.length().v;
        }
        sweep.moveTo(all);
    }
    if (job.cancelled())
        return cancelledError();
    std::sort(all.begin(), all.end(), [&](const NameExposure& a, const NameExposure& b) {
        return std::tuple(-a.pathNs, -a.exposedNs, -a.totalNs, a.device, trace.strings().view(a.name)) <
               std::tuple(-b.pathNs, -b.exposedNs, -b.totalNs, b.device, trace.strings().view(b.name));
    });
    return all;
}

} // namespace lacuna
