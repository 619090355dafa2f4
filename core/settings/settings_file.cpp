#include "core/settings/settings_file.h"

#include "core/settings/number_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna {

namespace {

struct GroupOfKey {
    std::string_view start, group; // of keys that begin so
};

// The first line that fits decides.
constexpr std::array kGroups = {
    GroupOfKey{"samples_per_step", "Throughput"},
    GroupOfKey{"flops_", "Throughput"},
    GroupOfKey{"peak_flops", "Throughput"},
    GroupOfKey{"gaps.", "Idle time and waits"},
    GroupOfKey{"long_waits.", "Idle time and waits"},
    GroupOfKey{"wait_cost.", "Idle time and waits"},
    GroupOfKey{"launch_bound.", "Idle time and waits"},
    GroupOfKey{"copies.", "Copies and streams"},
    GroupOfKey{"streams.", "Copies and streams"},
    GroupOfKey{"dominating_kernel.", "Kernels"},
    GroupOfKey{"tiny_kernels.", "Kernels"},
    GroupOfKey{"kernel_class.", "Kernels"},
    GroupOfKey{"conversions.", "Kernels"},
    GroupOfKey{"drift.", "Kernels"},
    GroupOfKey{"limiter.", "What limits"},
    GroupOfKey{"input_bound.", "What limits"},
    GroupOfKey{"annotation.", "Ranges and memory"},
    GroupOfKey{"memory.", "Ranges and memory"},
};

std::string_view groupOf(std::string_view key) {
    const auto at = std::find_if(kGroups.begin(), kGroups.end(),
                                 [key](const GroupOfKey& entry) { return key.starts_with(entry.start); });
    return at == kGroups.end() ? "Steps" : at->group;
}

// The key of a line; empty for comments, blank lines and what is no assignment.
std::string_view keyOfLine(std::string_view line) {
    line = trimmed(line);
    const std::size_t equals = line.find('=');
    return line.empty() || line.front() == '#' || equals == std::string_view::npos
               ? std::string_view{}
               : trimmed(line.substr(0, equals));
}

} // namespace

std::vector<SettingEntry> settingEntries() {
    std::vector<SettingEntry> entries;
    entries.reserve(settingTable().size() + thresholdTable().size());
    const AnalysisSettings defaults;
    for (const SettingInfo& info : settingTable())
        entries.push_back(
            {info.key, info.meaning, {}, {}, settingText(defaults, info.key), groupOf(info.key)});
    for (const ThresholdInfo& info : thresholdTable())
        entries.push_back({info.key, info.meaning, unitTitle(info.unit), info.source,
                           thresholdText(info.unit, info.standard), groupOf(info.key)});
    return entries;
}

std::string settingText(const AnalysisSettings& settings, std::string_view key) {
    const auto numberOf = [](const std::optional<double>& value) {
        return value ? numberText(*value) : std::string();
    };
    if (key == "warm_up")
        return settings.includeWarmUp ? "include" : "exclude";
    if (key == "start_up")
        return settings.startUpIsTarget ? "target" : "leave-out";
    if (key == "steps.range")
        return settings.stepRange;
    if (key == "steps.pattern")
        return settings.pattern ? settings.pattern->meaning + ":" + std::to_string(settings.pattern->number)
                                : std::string();
    if (key == "samples_per_step")
        return numberOf(settings.samplesPerStep);
    if (key == "flops_per_sample")
        return numberOf(settings.flopsPerSample);
    if (key == "flops_per_step")
        return numberOf(settings.flopsPerStep);
    if (key == "peak_flops")
        return numberOf(settings.peakFlops);
    if (key == "outside_step")
        return settings.outsideNs ? thresholdText(ThresholdUnit::Ns, *settings.outsideNs) : std::string();
    if (key == "outside_steps")
        return loggedStepsText(settings.outsideLog);
    if (key == "schedule")
        return settings.schedule;
    for (const ThresholdInfo& info : thresholdTable())
        if (info.key == key)
            return settings.thresholds.text(info.id);
    return {};
}

std::string withSetting(std::string_view file, std::string_view key,
                        const std::optional<std::string>& value) {
    std::vector<std::string> lines;
    std::optional<std::size_t> place;
    while (!file.empty()) {
        const std::size_t end = std::min(file.find('\n'), file.size());
        const std::string_view line = file.substr(0, end);
        file.remove_prefix(std::min(end + 1, file.size()));
        if (keyOfLine(line) != key) {
            lines.emplace_back(line);
            continue;
        }
        if (place) // the last one counts, as it does for readers
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(*place));
        place = lines.size();
        lines.emplace_back();
    }
    if (!place && value) {
        place = lines.size();
        lines.emplace_back();
    }
    if (place && value)
        lines[*place] = std::string(key) + " = " + *value;
    else if (place)
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(*place));
    std::string text;
    for (const std::string& line : lines)
        text.append(line).append("\n");
    return text;
}

AnalysisSettings withSettingTexts(AnalysisSettings base, const SettingTexts& texts) {
    for (const auto& [key, value] : texts) {
        AnalysisSettings changed = base;
        if (changeSetting(changed, key, value))
            base = std::move(changed);
    }
    return base;
}

} // namespace lacuna
