#pragma once
// What programs do once before they run steadily, by the names of rows.

#include "core/findings/context.h"

#include <array>

namespace lacuna::findings {

enum class StartUpClass : std::uint8_t {
    CudaInit,
    LazyLoading,
    AllocatorGrowth,
    Heuristics,
    Jit,
    Autotuning,
    GraphBuild,
    InputInit,
    None
};
inline constexpr std::size_t kStartUpClasses = static_cast<std::size_t>(StartUpClass::None);
std::string_view startUpTitle(StartUpClass cls); // "lazy loading of code"
// By the name alone. O(length).
StartUpClass startUpClassOf(std::string_view name);

struct StartUpUse {
    std::size_t rows = 0;
    std::int64_t ns = 0; // union over all threads
    EventId longest;
};
// Host rows that begin in the window, by class. O(strips log n + rows of the window).
std::array<StartUpUse, kStartUpClasses> startUpUses(const Trace& trace, TimeRange window, JobControl& job);

} // namespace lacuna::findings
