#pragma once
// The final order of the rows: by lane, inside a lane by strip, inside a strip by begin.

#include "core/base/job_control.h"
#include "core/trace/lane.h"
#include "core/trace/raw_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

struct RowOrder {
    Column<std::uint32_t> rows; // raw row of every event
    std::vector<Strip> strips;
};

// Fills firstStrip and depth of the lanes and frees raw.lane. O(n log n), linear where lanes are in order.
// The result does not depend on the number of threads. Empty when the job was cancelled.
std::optional<RowOrder> orderRows(RawRows& raw, std::span<Lane> lanes, JobControl& job, unsigned threads);

} // namespace lacuna
