#pragma once
// Reports about memory, for the list of reports (builtin.cpp).

#include "core/report/report.h"

namespace lacuna::reports {

ReportFunction memory, memoryPeak;

} // namespace lacuna::reports
