#pragma once
// Host call <-> device work. A group holds all rows with one correlation id of one process: the host calls
// first (file order), then device operations (by start), then sync markers. One call may own many operations
// (graph launch), one operation has at most one call. Compressed rows: offsets and members.

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

    // Group number of a row, 0 = none; all functions below take a group number.
    std::span<const EventId> members(std::uint32_t group) const;
    std::span<const EventId> hostCalls(std::uint32_t group) const;
    std::span<const EventId> deviceOps(std::uint32_t group) const;
    std::span<const EventId> markers(std::uint32_t group) const;
    // The importer's key: (domain << 32) | correlation id. Domain is the process where ids are per process.
    std::uint64_t key(std::uint32_t group) const { return m_keys[group]; }
    std::uint32_t correlationId(std::uint32_t group) const { return static_cast<std::uint32_t>(key(group)); }
    std::uint32_t domain(std::uint32_t group) const { return static_cast<std::uint32_t>(key(group) >> 32); }
    // Group of (domain, correlation id), 0 when there is none. O(log n).
    std::uint32_t find(std::uint32_t domain, std::uint32_t correlationId) const;
    std::size_t groups() const { return m_keys.size(); } // including the unused group 0

    // The host call that submitted a device operation (of several: the first in the file).
    std::optional<EventId> launchOf(const EventTable& events, EventId deviceOp) const;

private:
    friend class TraceArchive;
    friend class CorrelationJoin;  // correlation_join.cpp
    Column<std::uint64_t> m_keys;  // ascending from group 1
    Column<std::uint32_t> m_first; // groups + 1 offsets into m_members
    Column<std::uint32_t> m_firstDevice, m_firstMarker;
    Column<EventId> m_members;
};

} // namespace lacuna
