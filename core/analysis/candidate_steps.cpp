#include "core/analysis/candidate_steps.h"

#include "core/analysis/busy_devices.h"
#include "core/base/lower_median.h"
#include "core/base/text_format.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::size_t kLeastRepeats = 3;
constexpr std::size_t kMostNamesTried = 32;
constexpr double kLeastCovered = 0.5; // share of all operations

// splitmix64's finaliser: sums of it tell multisets apart.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class RepeatFinder {
public:
    RepeatFinder(const Trace& trace, DeviceId device, JobControl& job)
        : m_events(trace.events()), m_device(device), m_ops(BusyDevices(trace).ops(device, job)),
          m_poll(job) {
        m_counts.resize(trace.strings().size());
        for (const EventId op : m_ops)
            ++m_counts[m_events.name[op.v].v];
    }

    std::vector<CandidateSteps> find(double leastAlike) {
        std::vector<CandidateSteps> found;
        std::vector<std::size_t> taken; // counts of names of candidates
        std::size_t tried = 0;
        for (const StringId name : namesFromRarest()) {
            const std::size_t count = m_counts[name.v];
            // A name that is missing at one edge of the recording belongs to the same repeat.
            const bool isTaken = std::any_of(taken.begin(), taken.end(), [count](std::size_t other) {
                return count + 1 >= other && count <= other + 1;
            });
            if (isTaken)
                continue;
            if (found.size() == kMostCandidates || ++tried > kMostNamesTried || !m_poll.tick(0))
                break;
            auto candidate = cutAt(name, leastAlike);
            if (!candidate)
                continue;
            if (const StringId first = nameBehindIdle(*candidate, count); first != name)
                if (auto turned = cutAt(first, leastAlike);
                    turned && turned->ranges.size() + 1 >= candidate->ranges.size())
                    candidate = std::move(turned);
            taken.push_back(count);
            found.push_back(*std::move(candidate));
        }
        return found;
    }

private:
    std::vector<StringId> namesFromRarest() const {
        std::vector<StringId> names;
        std::vector<bool> seen(m_counts.size());
        for (const EventId op : m_ops) {
            const StringId name = m_events.name[op.v];
            if (!seen[name.v] && m_counts[name.v] >= kLeastRepeats)
                names.push_back(name);
            seen[name.v] = true;
        }
        std::stable_sort(names.begin(), names.end(),
                         [&](StringId a, StringId b) { return m_counts[a.v] < m_counts[b.v]; });
        return names;
    }

    // Places of the anchor, with one behind the last operation.
    std::vector<std::size_t> placesOf(StringId anchor) {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < m_ops.size() && m_poll.tick(); ++i)
            if (m_events.name[m_ops[i].v] == anchor)
                places.push_back(i);
        places.push_back(m_ops.size());
        return places;
    }

    std::uint64_t hashOf(std::size_t first, std::size_t last) {
        std::uint64_t hash = 0;
        for (std::size_t i = first; i < last && m_poll.tick(); ++i)
            hash += mixed(m_events.name[m_ops[i].v].v);
        return hash;
    }

    std::optional<CandidateSteps> cutAt(StringId anchor, double leastAlike) {
        const std::vector<std::size_t> places = placesOf(anchor);
        std::unordered_map<std::uint64_t, std::size_t> repeats;
        std::vector<std::uint64_t> hashes;
        hashes.reserve(places.size());
        std::uint64_t commonest = 0;
        for (std::size_t k = 0; k + 2 < places.size(); ++k) {
            hashes.push_back(hashOf(places[k], places[k + 1]));
            const std::size_t count = ++repeats[hashes.back()];
            if (count > repeats[commonest] || hashes.size() == 1)
                commonest = hashes.back();
        }
        if (hashes.size() + 1 < kLeastRepeats)
            return std::nullopt;
        CandidateSteps candidate;
        candidate.device = m_device;
        candidate.anchor = anchor;
        const std::size_t typical = typicalOf(hashes, commonest, places.front() == 0);
        candidate.operations = places[typical + 1] - places[typical];
        m_typicalFirst = places[typical];
        candidate.alike = repeats[commonest];
        const double share = static_cast<double>(candidate.alike) / static_cast<double>(hashes.size());
        const double covered =
            static_cast<double>(candidate.alike * candidate.operations) / static_cast<double>(m_ops.size());
        if (share < leastAlike || covered < kLeastCovered)
            return std::nullopt;
        addRanges(candidate, places, commonest);
        return candidate;
    }

    // The first repeat of that kind. What lies before the first operation of all is not known: then another
    // one.
    static std::size_t typicalOf(const std::vector<std::uint64_t>& hashes, std::uint64_t commonest,
                                 bool beginsTheTrace) {
        const auto first = std::find(hashes.begin(), hashes.end(), commonest);
        const auto other = beginsTheTrace && first == hashes.begin()
                               ? std::find(first + 1, hashes.end(), commonest)
                               : hashes.end();
        return static_cast<std::size_t>((other == hashes.end() ? first : other) - hashes.begin());
    }

    // The last repeat has no next anchor: it counts when all its operations are there.
    void addRanges(CandidateSteps& candidate, const std::vector<std::size_t>& places,
                   std::uint64_t commonest) {
        for (std::size_t k = 0; k + 2 < places.size(); ++k)
            candidate.ranges.push_back({beginOf(places[k]), beginOf(places[k + 1])});
        const std::size_t first = places[places.size() - 2], last = first + candidate.operations;
        if (last <= m_ops.size() && hashOf(first, last) == commonest) {
            std::int64_t end = 0;
            for (std::size_t i = first; i < last; ++i)
                end = std::max(end, m_events.endNs[m_ops[i].v]);
            candidate.ranges.push_back({beginOf(first), {end}});
            ++candidate.alike;
        }
        std::vector<std::int64_t> lengths;
        lengths.reserve(candidate.ranges.size());
        for (const TimeRange& range : candidate.ranges)
            lengths.push_back(range.length().v);
        candidate.medianNs = lowerMedian(lengths);
    }

    TimeNs beginOf(std::size_t place) const { return {m_events.beginNs[m_ops[place].v]}; }

    // Of the names that occur once in the typical repeat: the one with the longest idle time before it.
    StringId nameBehindIdle(const CandidateSteps& candidate, std::size_t count) const {
        const auto repeat = std::span(m_ops).subspan(m_typicalFirst, candidate.operations);
        std::unordered_map<std::uint32_t, std::size_t> inRepeat;
        for (const EventId op : repeat)
            ++inRepeat[m_events.name[op.v].v];
        StringId best = candidate.anchor;
        std::int64_t longest = m_typicalFirst == 0 ? 0 : idleBefore(m_typicalFirst);
        for (std::size_t i = 1; i < repeat.size(); ++i) {
            const StringId name = m_events.name[repeat[i].v];
            const std::size_t times = m_counts[name.v];
            if (inRepeat[name.v] != 1 || times + 1 < count || times > count + 1)
                continue;
            if (const std::int64_t idle = idleBefore(m_typicalFirst + i); idle > longest) {
                longest = idle;
                best = name;
            }
        }
        return best;
    }

    // From the end of the last operations before it; enough of them to see other streams.
    std::int64_t idleBefore(std::size_t place) const {
        constexpr std::size_t kLookedAt = 64;
        std::int64_t end = INT64_MIN;
        for (std::size_t i = place > kLookedAt ? place - kLookedAt : 0; i < place; ++i)
            end = std::max(end, m_events.endNs[m_ops[i].v]);
        return end == INT64_MIN ? 0 : beginOf(place).v - end;
    }

    const EventTable& m_events;
    DeviceId m_device;
    std::vector<EventId> m_ops;        // by start
    std::vector<std::size_t> m_counts; // by StringId
    std::size_t m_typicalFirst = 0;    // first place of the last cut's commonest repeat
    RowPoll m_poll;
};

DeviceId busiestDevice(const Trace& trace) {
    std::vector<std::uint64_t> rows(trace.devices().size());
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (lane.kind == LaneKind::GpuStream && lane.device)
            rows[lane.device.v] += strip.size();
    }
    const auto most = std::max_element(rows.begin(), rows.end());
    return most == rows.end() || *most == 0 ? DeviceId{}
                                            : DeviceId{static_cast<std::uint32_t>(most - rows.begin())};
}

} // namespace

Result<std::vector<CandidateSteps>> findCandidateSteps(const Trace& trace, const Thresholds& thresholds,
                                                       JobControl& job) {
    std::vector<CandidateSteps> found;
    if (const DeviceId device = busiestDevice(trace))
        found = RepeatFinder(trace, device, job).find(thresholds[Threshold::PatternShare]);
    if (job.cancelled())
        return cancelledError();
    return found;
}

std::string candidateSentence(const Trace& trace, const CandidateSteps& candidate) {
    constexpr std::size_t kNameLength = 60;
    return formatCount(candidate.ranges.size()) + " repeats of " + formatCount(candidate.operations) +
           (candidate.operations == 1 ? " operation, " : " operations, ") + formatCount(candidate.alike) +
           " alike, median " + formatDuration({candidate.medianNs}) + ", each begun by \u2039" +
           elideMiddle(trace.strings().view(candidate.anchor), kNameLength) + "\u203a";
}

} // namespace lacuna
