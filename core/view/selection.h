#pragma once
#include "core/base/ids.h"
#include "core/base/time.h"

#include <variant>

namespace lacuna {

using Selection = std::variant<std::monostate, EventId, GapId, LaneId, TimeRange>;

} // namespace lacuna
