#pragma once
// A settings file as people keep it: one setting is changed at a time, and their comments, blank lines and
// order stay. The keys, what each is now, by default and in which group an editor shows it.

#include "core/settings/analysis_settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// Of settingTable() and thresholdTable(), in their order.
struct SettingEntry {
    std::string_view key, meaning;
    std::string_view unit;   // "share", "time", "count", "factor"; empty: no threshold
    std::string_view source; // of the default; empty: no threshold
    std::string standard;    // the default as a settings file has it; empty: not set
    std::string_view group;  // "Steps", "Kernels"
};
std::vector<SettingEntry> settingEntries();

// The value as a settings file has it; empty when it is not set. Nothing for an unknown key.
std::string settingText(const AnalysisSettings& settings, std::string_view key);

// The text of a settings file in which `key` has this value: its last line is changed, others of that key are
// dropped, or one is added at the end; none takes the key out. Everything else stays as it is.
std::string withSetting(std::string_view file, std::string_view key, const std::optional<std::string>& value);

// Values by key, as a workspace keeps them, over `base`. What this version does not take is left out: it was
// written by another one.
using SettingTexts = std::map<std::string, std::string, std::less<>>;
AnalysisSettings withSettingTexts(AnalysisSettings base, const SettingTexts& texts);

} // namespace lacuna
