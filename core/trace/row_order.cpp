// A counting sort by lane, then lane by lane: sort where rows are out of order, stack into strips, order by
// strip. Lanes are independent, so threads take groups of them.

#include "core/trace/row_order.h"

#include "core/base/column.h"
#include "core/base/parallel.h"
#include "core/trace/merge_runs.h"
#include "core/trace/row_poll.h"
#include "core/trace/strip_stacker.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

namespace lacuna {

namespace {

constexpr std::int64_t kHostToleranceNs = 1'000; // chrome_json.md 10.4: crossing by rounding on host lanes
constexpr std::size_t kRowsPerGroup = std::size_t{1} << 15;

// Rows by lane, each lane in the order of the file: every part of the file counts its rows by lane, and then
// knows where its own go.
struct ByLane {
    Column<std::uint32_t> rows;
    std::vector<std::uint32_t> first; // lanes + 1 offsets
};

// Of no use once the job is cancelled.
ByLane splitByLane(const ChunkedColumn<std::uint32_t>& laneOf, std::size_t lanes, const JobControl& job,
                   unsigned threads) {
    const std::size_t rows = laneOf.size();
    const std::size_t parts = std::max(1u, threads);
    const auto partBegin = [&](std::size_t part) { return rows * part / parts; };
    std::vector<std::vector<std::uint32_t>> at(parts);
    parallelFor(threads, parts, [&](std::size_t part) {
        at[part].assign(lanes, 0);
        RowPoll poll(job);
        for (std::size_t i = partBegin(part); i < partBegin(part + 1) && poll.tick(); ++i)
            ++at[part][laneOf[i]];
    });
    ByLane result{{}, std::vector<std::uint32_t>(lanes + 1)};
    result.rows.resize(rows);
    std::uint32_t next = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        result.first[lane] = next;
        for (std::size_t part = 0; part < parts; ++part)
            next += std::exchange(at[part][lane], next);
    }
    result.first[lanes] = next;
    if (job.cancelled())
        return result;
    parallelFor(threads, parts, [&](std::size_t part) {
        RowPoll poll(job);
        for (std::size_t i = partBegin(part); i < partBegin(part + 1) && poll.tick(); ++i)
            result.rows[at[part][laneOf[i]]++] = static_cast<std::uint32_t>(i);
    });
    return result;
}

class LaneSorter {
public:
    LaneSorter(const RawRows& raw, const JobControl& job) : m_raw(raw), m_poll(job) {}

    // Puts the rows of a lane in their final order; the offsets of its strips, one more than there are. Empty
    // when the job was cancelled.
    std::vector<std::uint32_t> sort(std::span<std::uint32_t> rows, LaneKind kind) {
        if (!sortByTime(rows))
            return {};
        StripStacker stacker(isDeviceLane(kind) ? 0 : kHostToleranceNs, kind == LaneKind::Python);
        makeRoom(m_stripOf, rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_stripOf[i] = stacker.place(m_raw.begin[rows[i]], m_raw.end[rows[i]]);
            if (!m_poll.tick())
                return {};
        }
        std::vector<std::uint32_t> first(std::size_t{stacker.strips()} + 1, 0);
        for (const std::uint32_t strip : m_stripOf)
            ++first[strip + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        if (stacker.strips() == 1)
            return first;
        makeRoom(m_keys, rows.size()); // done with, and of a lane out of order touched already
        m_at.assign(first.begin(), first.end());
        for (std::size_t i = 0; i < rows.size(); ++i)
            m_keys[m_at[m_stripOf[i]]++].row = rows[i];
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = m_keys[i].row;
        return first;
    }

private:
    // Whatever it held.
    template <class Space> static void makeRoom(Space& space, std::size_t count) {
        if (space.capacity() < count)
            space.clear();
        space.resize(count);
    }

    // A row with its begin: most comparisons need no more.
    struct Key {
        std::int64_t begin = 0;
        std::uint32_t row = 0;
    };

    // By begin, longer rows first, then as in the file.
    bool isBefore(const Key& a, const Key& b) const {
        if (a.begin != b.begin)
            return a.begin < b.begin;
        if (m_raw.end[a.row] != m_raw.end[b.row])
            return m_raw.end[a.row] > m_raw.end[b.row];
        return m_raw.source[a.row] != m_raw.source[b.row] ? m_raw.source[a.row] < m_raw.source[b.row]
                                                          : a.row < b.row;
    }

    // False: cancelled.
    bool sortByTime(std::span<std::uint32_t> rows) {
        std::size_t inOrder = 1;
        for (; inOrder < rows.size(); ++inOrder) {
            const std::uint32_t a = rows[inOrder - 1], b = rows[inOrder];
            if (isBefore({m_raw.begin[b], b}, {m_raw.begin[a], a}))
                break;
            if (!m_poll.tick())
                return false;
        }
        if (inOrder >= rows.size())
            return true;
        makeRoom(m_keys, rows.size());
        m_spare.clear();
        m_spare.reserve(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            m_keys[i] = {m_raw.begin[rows[i]], rows[i]};
        if (!mergeRuns(
                m_keys, m_spare, [this](const Key& a, const Key& b) { return isBefore(a, b); },
                [this](std::size_t moved) { return m_poll.tick(static_cast<std::uint32_t>(moved)); }))
            return false;
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = m_keys[i].row;
        return true;
    }

    const RawRows& m_raw;
    RowPoll m_poll;
    WorkColumn<Key> m_keys, m_spare;
    WorkColumn<std::uint32_t> m_stripOf;
    std::vector<std::uint32_t> m_at;
};

// Sorters that are not at work: the next group of lanes finds work space that is touched already.
class IdleSorters {
public:
    std::unique_ptr<LaneSorter> take(const RawRows& raw, const JobControl& job) {
        const std::lock_guard hold(m_lock);
        if (m_idle.empty())
            return std::make_unique<LaneSorter>(raw, job);
        std::unique_ptr<LaneSorter> sorter = std::move(m_idle.back());
        m_idle.pop_back();
        return sorter;
    }
    void giveBack(std::unique_ptr<LaneSorter> sorter) {
        const std::lock_guard hold(m_lock);
        m_idle.push_back(std::move(sorter));
    }

private:
    std::mutex m_lock;
    std::vector<std::unique_ptr<LaneSorter>> m_idle;
};

// Lanes [first, last) of about equal work.
std::vector<std::size_t> groupsOfLanes(const std::vector<std::uint32_t>& laneFirst) {
    std::vector<std::size_t> groups{0};
    const std::size_t lanes = laneFirst.size() - 1;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        if (laneFirst[lane + 1] - laneFirst[groups.back()] >= kRowsPerGroup || lane + 1 == lanes)
            groups.push_back(lane + 1);
    return groups;
}

} // namespace

std::optional<RowOrder> orderRows(RawRows& raw, std::span<Lane> lanes, JobControl& job, unsigned threads) {
    ByLane byLane = splitByLane(raw.lane, lanes.size(), job, threads);
    raw.lane.clear();
    if (job.cancelled())
        return std::nullopt;
    std::vector<std::vector<std::uint32_t>> stripsOf(lanes.size());
    const std::vector<std::size_t> groups = groupsOfLanes(byLane.first);
    std::atomic<bool> stopped = false;
    IdleSorters idle;
    parallelFor(threads, groups.size() - 1, [&](std::size_t group) {
        std::unique_ptr<LaneSorter> sorter = idle.take(raw, job);
        for (std::size_t l = groups[group]; l < groups[group + 1] && !stopped; ++l) {
            const auto part =
                std::span(byLane.rows).subspan(byLane.first[l], byLane.first[l + 1] - byLane.first[l]);
            if (part.empty())
                continue;
            stripsOf[l] = sorter->sort(part, lanes[l].kind);
            if (stripsOf[l].empty())
                stopped = true;
        }
        if (job.cancelled())
            stopped = true;
        idle.giveBack(std::move(sorter));
    });
    if (stopped)
        return std::nullopt;
    RowOrder order{std::move(byLane.rows), {}};
    for (std::uint32_t l = 0; l < lanes.size(); ++l) {
        lanes[l].firstStrip = {static_cast<std::uint32_t>(order.strips.size())};
        lanes[l].depth = stripsOf[l].empty() ? 0 : static_cast<std::uint32_t>(stripsOf[l].size() - 1);
        for (std::uint32_t s = 0; s < lanes[l].depth; ++s)
            order.strips.push_back(
                {{byLane.first[l] + stripsOf[l][s]}, {byLane.first[l] + stripsOf[l][s + 1]}, {l}});
    }
    return order;
}

} // namespace lacuna
