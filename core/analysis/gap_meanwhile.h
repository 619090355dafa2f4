#pragma once
// What a device ran in a window while one of its streams (or another process's share of it) stood still.

#include "core/analysis/gap_index.h"
#include "core/trace/row_poll.h"

#include <optional>
#include <span>
#include <vector>

namespace lacuna::gaps {

// The index must outlive it.
class DeviceMeanwhile {
public:
    struct Share {
        std::int64_t busyNs = 0; // union of the operations' time in the window
        EventId longest;         // longest in the window, ties: the first row; none when nothing ran
    };
    DeviceMeanwhile(const GapIndex& index, DeviceId device);

    // None once the job of `poll` is cancelled. O(strips log n + operations in the window), no memory.
    std::optional<Share> within(TimeRange window, RowPoll& poll) const;
    // Operations that overlap the window, the longest overlap first, ties in order of rows.
    std::vector<EventId> operations(TimeRange window) const;

private:
    const GapIndex& m_index;
    std::span<const EventId> m_ops; // by (begin, file order)
    std::span<const StripId> m_strips;
};

} // namespace lacuna::gaps
