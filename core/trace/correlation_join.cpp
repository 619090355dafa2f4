// Recorders count correlation ids up, so the keys of a domain fill a range nearly without holes: a counting
// sort over that range joins host and device rows in two linear passes. Where ids are sparse (hostile or
// hashed) the keys are sorted.

#include "core/base/column.h"
#include "core/trace/correlation_groups.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

struct JoinCancelled {};

// The ids of each domain as a range of slots, ascending by key.
class KeySlots {
public:
    // False when the ranges are too sparse for `members` keys.
    bool lay(const Column<std::uint64_t>& keys, std::size_t members) {
        constexpr std::size_t kMaxDomains = 4096;
        Range* last = nullptr;
        std::uint32_t lastDomain = 0;
        for (const std::uint64_t key : keys) {
            if (key == 0)
                continue;
            const auto domain = static_cast<std::uint32_t>(key >> 32), id = static_cast<std::uint32_t>(key);
            if (last == nullptr || domain != lastDomain) {
                last = &m_ranges[domain];
                lastDomain = domain;
                if (m_ranges.size() > kMaxDomains)
                    return false;
            }
            last->min = std::min(last->min, id);
            last->max = std::max(last->max, id);
        }
        for (auto& [domain, range] : m_ranges) {
            range.firstSlot = m_slots;
            m_slots += std::size_t{range.max} - range.min + 1;
        }
        return m_slots <= 4 * members + 1024;
    }
    std::size_t slots() const { return m_slots; }
    std::size_t slotOf(std::uint64_t key) {
        const auto domain = static_cast<std::uint32_t>(key >> 32), id = static_cast<std::uint32_t>(key);
        if (m_last == nullptr || domain != m_lastDomain) {
            m_last = &m_ranges[domain];
            m_lastDomain = domain;
        }
        return m_last->firstSlot + (id - m_last->min);
    }

private:
    struct Range {
        std::uint32_t min = UINT32_MAX, max = 0;
        std::size_t firstSlot = 0;
    };
    std::map<std::uint32_t, Range> m_ranges; // by domain; nodes stay where they are
    std::size_t m_slots = 0;
    const Range* m_last = nullptr;
    std::uint32_t m_lastDomain = 0;
};

} // namespace

class CorrelationJoin {
public:
    CorrelationJoin(EventTable& events, const Column<std::uint64_t>& keys, const JobControl& job)
        : m_events(events), m_keys(keys), m_job(job), m_poll(job) {}

    std::optional<CorrelationIndex> run() {
        m_events.correlation.assign(m_events.size(), 0);
        const auto members = static_cast<std::size_t>(
            std::count_if(m_keys.begin(), m_keys.end(), [](std::uint64_t key) { return key != 0; }));
        m_index.m_members.resize(members);
        KeySlots slots;
        const bool grouped = slots.lay(m_keys, members) ? countingSort(slots) : sort();
        if (!grouped || !group())
            return std::nullopt;
        return std::move(m_index);
    }

private:
    // Members by key, each group in the order of the rows.
    bool countingSort(KeySlots& slots) {
        WorkColumn<std::uint32_t> at(slots.slots() + 1, 0);
        for (const std::uint64_t key : m_keys)
            if (key != 0)
                ++at[slots.slotOf(key) + 1];
        if (m_job.cancelled())
            return false;
        for (std::size_t slot = 1; slot < at.size(); ++slot)
            at[slot] += at[slot - 1];
        for (std::uint32_t row = 0; row < m_keys.size(); ++row) {
            if (m_keys[row] != 0)
                m_index.m_members[at[slots.slotOf(m_keys[row])]++] = EventId{row};
            if (!m_poll.tick())
                return false;
        }
        return true;
    }

    bool sort() {
        std::size_t next = 0;
        for (std::uint32_t row = 0; row < m_keys.size(); ++row)
            if (m_keys[row] != 0)
                m_index.m_members[next++] = EventId{row};
        try {
            std::sort(m_index.m_members.begin(), m_index.m_members.end(), [this](EventId a, EventId b) {
                if (!m_poll.tick())
                    throw JoinCancelled{};
                return m_keys[a.v] != m_keys[b.v] ? m_keys[a.v] < m_keys[b.v] : a < b;
            });
        } catch (const JoinCancelled&) {
            return false;
        }
        return true;
    }

    unsigned roleOf(EventId event) const {
        const EventKind kind = m_events.kind[event.v];
        return isHostCall(kind) ? 0u : isDeviceOp(kind) ? 1u : 2u;
    }

    // Host calls in the order of the file, then device operations, then markers, both by begin.
    bool before(EventId a, EventId b) {
        if (!m_poll.tick())
            throw JoinCancelled{};
        const unsigned roleA = roleOf(a), roleB = roleOf(b);
        if (roleA != roleB)
            return roleA < roleB;
        if (roleA != 0 && m_events.beginNs[a.v] != m_events.beginNs[b.v])
            return m_events.beginNs[a.v] < m_events.beginNs[b.v];
        return m_events.source[a.v] != m_events.source[b.v] ? m_events.source[a.v] < m_events.source[b.v]
                                                            : a < b;
    }

    bool group() {
        auto& members = m_index.m_members;
        const auto keyAt = [&](std::size_t i) { return m_keys[members[i].v]; };
        std::size_t count = 0;
        for (std::size_t i = 0; i < members.size(); ++i)
            if (i == 0 || keyAt(i) != keyAt(i - 1))
                ++count;
        CorrelationGroups groups(m_index, count);
        try {
            for (std::size_t first = 0, last = 0; first < members.size(); first = last) {
                for (last = first + 1; last < members.size() && keyAt(last) == keyAt(first);)
                    ++last;
                std::sort(members.begin() + static_cast<std::ptrdiff_t>(first),
                          members.begin() + static_cast<std::ptrdiff_t>(last),
                          [this](EventId a, EventId b) { return before(a, b); });
                addGroup(keyAt(first), first, last, groups);
                if (!m_poll.tick(static_cast<std::uint32_t>(last - first)))
                    return false;
            }
        } catch (const JoinCancelled&) {
            return false;
        }
        groups.finish();
        return true;
    }

    // Of the members [first, last), which are in their order.
    void addGroup(std::uint64_t key, std::size_t first, std::size_t last, CorrelationGroups& groups) {
        const auto& members = m_index.m_members;
        std::size_t device = first;
        while (device < last && roleOf(members[device]) == 0)
            ++device;
        std::size_t marker = device;
        while (marker < last && roleOf(members[marker]) == 1)
            ++marker;
        const std::uint32_t number =
            groups.add({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key),
                        static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(device),
                        static_cast<std::uint32_t>(marker)});
        for (std::size_t i = first; i < last; ++i)
            m_events.correlation[members[i].v] = number;
    }

    EventTable& m_events;
    const Column<std::uint64_t>& m_keys;
    const JobControl& m_job;
    RowPoll m_poll;
    CorrelationIndex m_index;
};

std::optional<CorrelationIndex> CorrelationIndex::join(EventTable& events, const Column<std::uint64_t>& keys,
                                                       const JobControl& job) {
    return CorrelationJoin(events, keys, job).run();
}

} // namespace lacuna
