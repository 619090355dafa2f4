#pragma once
// Counter tracks from "[memory]" marks (chrome_json.md 9.1): the running totals of each device; where the
// allocator does not report them (absent or always 0) the sum of the changes, whose origin is unknown. The
// marks themselves are rows of kind Instant and counted there.

#include "core/import/detail/chrome_args.h"
#include "core/import/detail/chrome_lanes.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <vector>

namespace lacuna::chrome {

struct MemorySample {
    std::int64_t timeNs = 0;
    ProcessId process;
    MemoryMark mark;
};

class MemoryTracks {
public:
    void add(const MemorySample& sample) { m_samples.push_back(sample); }
    // After the last row, when the devices are known.
    void addTracks(TraceBuilder& builder, const Lanes& lanes);

private:
    std::vector<MemorySample> m_samples;
};

} // namespace lacuna::chrome
