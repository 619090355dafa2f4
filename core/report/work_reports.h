#pragma once
// Reports about expected work and compiled code, for the list of reports (builtin.cpp).

#include "core/report/report.h"

namespace lacuna::reports {

ReportFunction compiledCode, expectedWorkTable, workQuestions;

} // namespace lacuna::reports
