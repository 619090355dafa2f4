#pragma once
// Which part of a training or inference step a range is about, by its name. A guess from words; the name is
// always shown beside it.

#include <array>
#include <cstdint>
#include <string_view>

namespace lacuna {

enum class PhaseKind : std::uint8_t {
    Data, // loading: what the step waits for
    Transfer,
    Forward,
    Loss,
    Backward,
    GradientSync,
    Optimizer,
    Logging, // checkpoints too
    None
};
inline constexpr std::size_t kPhaseKinds = static_cast<std::size_t>(PhaseKind::None);
std::string_view phaseTitle(PhaseKind phase); // "gradient sync"

// Words are runs of letters, split at changes to upper case: "zero_grad", "gradSync", "Optimizer.step#SGD".
// O(length).
PhaseKind phaseOfRange(std::string_view name);
// Operators of PyTorch's autograd engine, one per node of the graph: backward where no range says so.
bool isBackwardOperator(std::string_view name);

// The seven phases that annotation should cover; data loading counts as transfer.
inline constexpr std::array kCoveredPhases = {
    PhaseKind::Transfer,     PhaseKind::Forward,   PhaseKind::Loss,   PhaseKind::Backward,
    PhaseKind::GradientSync, PhaseKind::Optimizer, PhaseKind::Logging};

} // namespace lacuna
