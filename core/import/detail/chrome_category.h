#pragma once
// What the category of a Chrome trace event means: kind of row and of lane. Kineto's names of all periods
// (chrome_json.md 4.1), the vendors' *_runtime and *_driver; every other category is an ordinary row of its
// thread.

#include "core/trace/event_table.h"
#include "core/trace/lane.h"

#include <cstdint>
#include <string_view>

namespace lacuna::chrome {

struct Category {
    EventKind kind = EventKind::Other;
    LaneKind lane = LaneKind::CpuThread;
    bool isKineto = false; // a category that only the PyTorch profiler writes
    bool isOld = false;    // a spelling of PyTorch 1.8 to 1.11
};

// CUPTI records that were never filled in, and event records of CUDA before 12.8, have time 0.
constexpr bool isUnfilledRecord(EventKind kind, std::int64_t fileBeginNs, std::int64_t durationNs) {
    return fileBeginNs == 0 && ((isDeviceOp(kind) && durationNs == 0) || kind == EventKind::Sync);
}

Category categoryOf(std::string_view cat);

} // namespace lacuna::chrome
