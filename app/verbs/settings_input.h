#pragma once
// --settings FILE, --set KEY=VALUE and --step-log FILE: thresholds of findings, what a step is, sizes that no
// trace records.

#include "core/settings/analysis_settings.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lacuna::ui {

struct SettingsInput {
    std::string file;
    std::vector<std::string> changes; // after the file, in order
    std::string log;                  // what a training script printed
};

void declareSettings(CLI::App& options, SettingsInput& input);
// Error: a detail for people that names file and line, or the option.
Result<AnalysisSettings> readSettingsInput(const SettingsInput& input);

} // namespace lacuna::ui
