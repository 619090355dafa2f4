#pragma once
// The calls that held a submitting thread for the device, and the operation that let each of them return.

#include "core/analysis/replay_model.h"

namespace lacuna {

// The model has its operations and calls. Per thread O(operations that ended while it waited). None:
// cancelled.
std::optional<std::vector<ReplayWait>> replayWaits(const ReplayModel& model, JobControl& job);

} // namespace lacuna
