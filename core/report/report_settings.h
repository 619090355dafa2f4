#pragma once
// What the user set for a report; the defaults where nothing was.

#include "core/report/report.h"
#include "core/settings/analysis_settings.h"

namespace lacuna {

inline AnalysisSettings settingsOf(const ReportInput& input) {
    return input.options.settings != nullptr ? *input.options.settings : AnalysisSettings{};
}

} // namespace lacuna
