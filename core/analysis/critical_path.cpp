#include "core/analysis/critical_path.h"

#include "core/analysis/device_busy.h"
#include "core/trace/grow_rows.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lacuna {

using namespace gaps;

namespace {

constexpr std::array<std::string_view, kPathKinds> kPathKindNames{
    "host",   "data_loading",  "api",  "os_wait", "overhead", "between_rows", "launch_call", "launch_latency",
    "kernel", "communication", "copy", "memset",  "queue",    "dependency",   "wait_return"};

PathKind kindOfHostRow(PieceClass cls) {
    switch (cls) {
    case PieceClass::SyncApi:
    case PieceClass::BlockingCopy:
    case PieceClass::Allocation:
    case PieceClass::Module:
    case PieceClass::Api:
        return PathKind::Api;
    case PieceClass::Launch:
        return PathKind::LaunchCall;
    case PieceClass::DataLoading:
        return PathKind::DataLoading;
    case PieceClass::OsWait:
        return PathKind::OsWait;
    case PieceClass::Overhead:
        return PathKind::Overhead;
    case PieceClass::Uncovered:
        return PathKind::Uncovered;
    default:
        return PathKind::Host;
    }
}

class PathWalk {
public:
    PathWalk(const ReplayModel& model, JobControl& job, TimeNs from)
        : m_model(model), m_index(model.index()), m_tree(m_index.tree()), m_events(model.trace().events()),
          m_poll(job), m_from(from), m_waits(model.hosts()), m_hostBegin(model.hosts(), TimeNs{INT64_MAX}),
          m_threads(model.hosts()) {
        for (std::uint32_t t = 0; t < model.trace().threads().size(); ++t)
            if (model.submits(ThreadId{t})) {
                const std::uint32_t host = model.hostOf(ThreadId{t});
                const HostTree::ThreadPart& part = m_tree.part(ThreadId{t});
                m_threads[host].push_back(ThreadId{t});
                if (!part.isEmpty())
                    m_hostBegin[host] = std::min(m_hostBegin[host], m_tree.leafBegin(part.firstLeaf));
            }
    }

    // False: cancelled.
    bool run(std::uint32_t last) {
        if (!listWaits())
            return false;
        TimeNs until = endOf(last);
        std::uint32_t op = last;
        while (op != kNoReplayItem && until > m_from) {
            op = throughOp(op, until);
            if (!m_poll.tick())
                return false;
        }
        return m_poll.tick();
    }

    std::optional<CriticalPath> finish() { // none: cancelled
        Column<PathPiece>& pieces = m_path.pieces;
        for (std::size_t i = 0; i < pieces.size() / 2; ++i) {
            if (!m_poll.tick())
                return std::nullopt;
            std::swap(pieces[i], pieces[pieces.size() - 1 - i]);
        }
        for (const PathPiece& piece : pieces) {
            if (!m_poll.tick())
                return std::nullopt;
            m_path.ns[static_cast<std::size_t>(piece.kind)] += piece.range.length().v;
        }
        return std::move(m_path);
    }

private:
    bool listWaits() {
        const auto waits = m_model.waits();
        for (std::uint32_t i = 0; i < waits.size(); ++i) {
            if (!m_poll.tick())
                return false;
            if (waits[i].released != kNoReplayItem)
                m_waits[waits[i].host].push_back(i);
        }
        const auto before = [&](std::uint32_t a, std::uint32_t b) {
            return waits[a].range.end != waits[b].range.end ? waits[a].range.end < waits[b].range.end : a < b;
        };
        return std::all_of(m_waits.begin(), m_waits.end(),
                           [&](std::vector<std::uint32_t>& list) { return sortRows(list, m_poll, before); });
    }

    TimeNs beginOf(std::uint32_t op) const { return {m_events.beginNs[m_model.ops()[op].event.v]}; }
    TimeNs endOf(std::uint32_t op) const { return {m_events.endNs[m_model.ops()[op].event.v]}; }

    // Pieces come from the last to the first: [begin, until) is in front of what there is; until moves.
    void add(TimeNs begin, TimeNs& until, PathKind kind, EventId event, ThreadId thread = {}) {
        begin = std::max(begin, m_from);
        if (begin < until) {
            pushRow(m_path.pieces, {{begin, until}, kind, event, thread}, m_poll);
            until = begin;
        }
    }

    PathKind kindOfOp(EventId op) const {
        switch (workOf(m_model.trace(), op)) {
        case kCommunication:
            return PathKind::Communication;
        case kCopy:
            return PathKind::Copy;
        case kSet:
            return PathKind::Set;
        default:
            return PathKind::Kernel;
        }
    }

    // The operation that op waited for; none at the path's begin.
    std::uint32_t throughOp(std::uint32_t number, TimeNs& until) {
        const ReplayOp& op = m_model.ops()[number];
        add(beginOf(number), until, kindOfOp(op.event), op.event);
        if (op.call != kNoReplayItem && !op.isQueued)
            return throughLaunch(op, until);
        // Queued, or not known when it was submitted.
        const bool isHeld = op.source != kNoReplayItem &&
                            (op.before == kNoReplayItem || endOf(op.source) > endOf(op.before)) &&
                            beginOf(op.source) < beginOf(number);
        const std::uint32_t held = isHeld ? op.source : op.before;
        if (held != kNoReplayItem)
            add(endOf(held), until, isHeld ? PathKind::Dependency : PathKind::Queue, op.event);
        return held;
    }

    std::uint32_t throughLaunch(const ReplayOp& op, TimeNs& until) {
        const ReplayCall& call = m_model.calls()[op.call];
        const TimeRange range = m_events.range(call.event);
        add(range.end, until, PathKind::LaunchLatency, op.event);
        add(range.begin, until, PathKind::LaunchCall, call.event, call.thread);
        return throughHost(call.host, call.thread, until);
    }

    // From the host's last wait in the sequence; then what that wait was for.
    std::uint32_t throughHost(std::uint32_t host, ThreadId thread, TimeNs& until) {
        const std::vector<std::uint32_t>& waits = m_waits[host];
        const auto after =
            std::upper_bound(waits.begin(), waits.end(), until, [&](TimeNs t, std::uint32_t wait) {
                return t < m_model.waits()[wait].range.end;
            });
        if (after == waits.begin()) {
            addHost(thread, host, std::min(m_hostBegin[host], until), until);
            return kNoReplayItem;
        }
        const ReplayWait& wait = m_model.waits()[*std::prev(after)];
        addHost(thread, host, wait.range.end, until);
        add(endOf(wait.released), until, PathKind::WaitReturn, wait.event, wait.thread);
        return wait.released;
    }

    // The thread's leaves; where it had no row those of the other threads of the sequence, one after another.
    void addHost(ThreadId thread, std::uint32_t host, TimeNs begin, TimeNs& until) {
        begin = std::max(begin, m_from);
        if (begin >= until)
            return;
        Column<PathPiece> pieces;
        Column<TimeRange> open{{begin, until}};
        const auto cover = [&](ThreadId by) {
            Column<TimeRange> left;
            for (const TimeRange window : open)
                m_tree.visitLeaves(by, window, [&](TimeRange range, HostRow leaf) {
                    const HostRow row = leaf ? m_index.rows().shown(m_tree, leaf) : HostRow{};
                    if (row)
                        pushRow(pieces,
                                {range, kindOfHostRow(m_index.rows().cls(row)), m_tree.event(row), by},
                                m_poll);
                    else
                        pushRow(left, range, m_poll);
                    return m_poll.tick();
                });
            open = std::move(left);
        };
        cover(thread);
        for (std::size_t i = 0; i < m_threads[host].size() && i < ActiveThreads::kFew && !open.empty(); ++i)
            if (m_threads[host][i] != thread)
                cover(m_threads[host][i]);
        for (const TimeRange range : open)
            pushRow(pieces, {range, PathKind::Uncovered, {}, thread}, m_poll);
        const bool isSorted = sortRows(pieces, m_poll, [](const PathPiece& a, const PathPiece& b) {
            return a.range.begin < b.range.begin;
        });
        for (std::size_t i = pieces.size(); isSorted && i-- > 0 && m_poll.tick();)
            pushRow(m_path.pieces, pieces[i], m_poll);
        until = begin;
    }

    const ReplayModel& m_model;
    const GapIndex& m_index;
    const HostTree& m_tree;
    const EventTable& m_events;
    RowPoll m_poll;
    TimeNs m_from;
    std::vector<std::vector<std::uint32_t>> m_waits; // by host sequence: those that waited, by end
    std::vector<TimeNs> m_hostBegin;                 // first row of its submitting threads
    std::vector<std::vector<ThreadId>> m_threads;
    CriticalPath m_path;
};

} // namespace

std::string_view pathKindName(PathKind kind) {
    return kPathKindNames[static_cast<std::size_t>(kind)];
}

Result<CriticalPath> criticalPath(const ReplayModel& model, JobControl& job,
                                  std::optional<TimeRange> window) {
    const EventTable& events = model.trace().events();
    std::uint32_t last = kNoReplayItem;
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < model.ops().size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        const std::int64_t end = events.endNs[model.ops()[i].event.v];
        if (window && (end > window->end.v || end <= window->begin.v))
            continue;
        if (last == kNoReplayItem || end > events.endNs[model.ops()[last].event.v])
            last = i;
    }
    if (last == kNoReplayItem)
        return CriticalPath{};
    PathWalk walk(model, job, window ? window->begin : TimeNs{INT64_MIN});
    if (!walk.run(last))
        return cancelledError();
    auto path = walk.finish();
    if (!path)
        return cancelledError();
    return *std::move(path);
}

} // namespace lacuna
