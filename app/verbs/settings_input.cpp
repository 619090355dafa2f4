#include "app/verbs/settings_input.h"

#include <CLI/CLI.hpp>

#include <fstream>

namespace lacuna::ui {

void declareSettings(CLI::App& options, SettingsInput& input) {
    options.add_option("--settings", input.file, "Thresholds and settings, one KEY = VALUE a line")
        ->type_name("FILE");
    options.add_option("--set", input.changes, "Change a setting; --report settings lists them")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<AnalysisSettings> readSettingsInput(const SettingsInput& input) {
    constexpr std::streamsize kMostBytes = 1 << 20;
    AnalysisSettings settings;
    if (!input.file.empty()) {
        std::ifstream file(input.file, std::ios::binary);
        std::string text(static_cast<std::size_t>(kMostBytes), '\0');
        file.read(text.data(), kMostBytes);
        if (file.bad() || (!file.is_open()))
            return Error{Errc::Io, "the settings file " + input.file + " cannot be read", {}, {}};
        text.resize(static_cast<std::size_t>(file.gcount()));
        auto read = readSettings(text);
        if (!read)
            return Error{Errc::Unsupported,
                         input.file + ", " + read.error().place + ": " + read.error().detail,
                         {},
                         {}};
        settings = *std::move(read);
    }
    for (const std::string& change : input.changes)
        if (const Status changed = changeSetting(settings, change); !changed)
            return changed.error();
    return settings;
}

} // namespace lacuna::ui
