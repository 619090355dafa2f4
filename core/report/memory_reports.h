#pragma once
// Reports about memory, for the list of reports (builtin.cpp).

#include "core/report/report.h"

namespace lacuna::reports {

ReportFunction memory, memoryPeak;

inline constexpr std::int64_t kMebibyte = 1 << 20;

} // namespace lacuna::reports
