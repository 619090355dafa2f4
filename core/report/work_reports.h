#pragma once
// Reports about expected work, compiled code and launches, for the list of reports (builtin.cpp).

#include "core/report/report.h"

namespace lacuna::reports {

ReportFunction compiledCode, expectedWorkTable, launchDensity, workQuestions;

} // namespace lacuna::reports
