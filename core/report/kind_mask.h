#pragma once
// Sets of kinds of rows.

#include "core/trace/event_table.h"

#include <cstdint>

namespace lacuna {

using KindMask = std::uint32_t;
constexpr KindMask kindBit(EventKind kind) {
    return KindMask{1} << static_cast<unsigned>(kind);
}
inline constexpr KindMask kApiKinds = kindBit(EventKind::RuntimeApi) | kindBit(EventKind::DriverApi);
inline constexpr KindMask kMemoryKinds = kindBit(EventKind::Memcpy) | kindBit(EventKind::Memset);
inline constexpr KindMask kGpuKinds = kindBit(EventKind::Kernel) | kMemoryKinds;

} // namespace lacuna
