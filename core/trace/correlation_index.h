#pragma once
// Host call <-> device work. A group holds all rows with one correlation id of one process: the host calls
// first (file order), then device operations (by start), then sync markers. One call may own many operations
// (graph launch), one operation has at most one call.
//
// Memory: 4.5 bytes a group and 4 a member. Nearly every group is one call with at most one operation, under
// an id little above that of the group before. So 32 neighbours share a base and take one word each beside
// it; where one of them does not fit, all 32 are written out.

#include "core/base/column.h"
#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/trace/event_table.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lacuna {

class CorrelationIndex {
public:
    // Joins rows by the importer's keys (one per event, 0 = none) and fills events.correlation. Linear where
    // the ids of a domain are dense, as recorders count them; else O(n log n). Empty when the job was
    // cancelled.
    static std::optional<CorrelationIndex> join(EventTable& events, const Column<std::uint64_t>& keys,
                                                const JobControl& job);

    // Group number of a row, 0 = none; all functions below take a group number. O(1).
    std::span<const EventId> members(std::uint32_t group) const;
    std::span<const EventId> hostCalls(std::uint32_t group) const;
    std::span<const EventId> deviceOps(std::uint32_t group) const;
    std::span<const EventId> markers(std::uint32_t group) const;
    // The importer's key: (domain << 32) | correlation id. Domain is the process where ids are per process.
    // Keys ascend from group 1.
    std::uint64_t key(std::uint32_t group) const {
        return std::uint64_t{domain(group)} << 32 | correlationId(group);
    }
    std::uint32_t correlationId(std::uint32_t group) const;
    std::uint32_t domain(std::uint32_t group) const;
    // Group of (domain, correlation id), 0 when there is none. O(log n).
    std::uint32_t find(std::uint32_t domain, std::uint32_t correlationId) const;
    std::size_t groups() const { return m_packed.size() + 1; } // including the unused group 0

    // The host call that submitted a device operation (of several: the first in the file).
    std::optional<EventId> launchOf(const EventTable& events, EventId deviceOp) const;

private:
    friend class TraceArchive;
    friend class CorrelationJoin;   // correlation_join.cpp
    friend class CorrelationGroups; // correlation_groups.h

    struct Group {
        std::uint32_t domain = 0, id = 0;
        std::uint32_t first = 0, firstDevice = 0, firstMarker = 0; // of m_members
    };
    static constexpr std::uint32_t kBlock = 32;
    struct Block { // group b * kBlock + 1 and those behind it
        std::uint32_t domain = 0, id = 0, first = 0;
        std::uint32_t wide = 0; // 0: in m_packed; else where in m_wide they begin, + 1
    };
    Group at(std::uint32_t group) const;             // not 0
    std::uint32_t lastOf(std::uint32_t group) const; // end of its members

    Column<Block> m_blocks;
    // By group - 1, from the highest bit: id above the block's (16), first member above the block's (8),
    // calls (4), operations (4). Not read where the block is wide.
    Column<std::uint32_t> m_packed;
    Column<Group> m_wide;
    Column<EventId> m_members;
};

} // namespace lacuna
