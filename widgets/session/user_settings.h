#pragma once
// Thresholds and settings of steps and findings that a user keeps for the window: the file analysis.conf in
// the configuration folder, as `lacuna stats --settings` reads it.

#include "core/settings/analysis_settings.h"

#include <QString>

#include <memory>

namespace lacuna::ui {

QString userSettingsFile();

struct UserSettings {
    std::shared_ptr<const AnalysisSettings> values; // the defaults where there is no file; never null
    QString problem;                                // what is wrong with the file; then the defaults hold
};
UserSettings readUserSettings();

} // namespace lacuna::ui
