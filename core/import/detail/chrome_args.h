#pragma once
// The arguments that analyses need, from the args object of one element (chrome_json.md 4.3).

#include "core/import/detail/json_scan.h"
#include "core/trace/hot_args.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna::chrome {

struct RowArgs {
    std::optional<std::int64_t> device, stream; // -1: device-wide
    std::uint64_t correlation = 0;              // 0: none
    std::optional<std::int64_t> bytes;
    std::uint64_t graph = 0, graphNode = 0;
    std::string_view syncKind;
    std::int64_t waitStream = -1, recordCorrelation = -1, eventId = -1;
    bool hasOccupancyObject = false, hasGraphNode = false; // signs of the writer's version
};

// Of a device row. `args` may be anything but must be followed by json::kPadding readable bytes.
RowArgs deviceArgs(const json::Value& args);
// Of a host call: the correlation id only.
std::uint64_t correlationOf(const json::Value& args);

// "Memcpy HtoD (Pageable -> Device)", "Memset (Device)".
CopyArgs copyArgs(std::string_view name, std::int64_t bytes);
SyncArgs syncArgs(std::string_view name, const RowArgs& args);

// Arguments of a "[memory]" mark.
struct MemoryMark {
    std::int64_t deviceType = 0, device = -1, bytes = 0;
    std::optional<std::int64_t> allocated, reserved;
};
std::optional<MemoryMark> memoryMark(const json::Value& args);

} // namespace lacuna::chrome
