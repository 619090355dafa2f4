#include "app/verbs/settings_input.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <optional>

namespace lacuna::ui {

namespace {

// At most so many bytes; none when it cannot be read.
std::optional<std::string> textOfFile(const std::string& path, std::streamsize most) {
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(most), '\0');
    file.read(text.data(), most);
    if (file.bad() || !file.is_open())
        return std::nullopt;
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

Status readLog(const std::string& path, AnalysisSettings& settings) {
    constexpr std::streamsize kMostLogBytes = 8 << 20;
    const auto text = textOfFile(path, kMostLogBytes);
    if (!text)
        return Error{Errc::Io, "the log " + path + " cannot be read", {}, {}};
    settings.outsideLog = readTimingLog(*text).steps;
    if (settings.outsideLog.empty())
        return Error{Errc::Unsupported,
                     "no line of " + path + " tells the time of a step, with its unit: step 3: 18.0 ms",
                     {},
                     {}};
    return ok();
}

} // namespace

void declareSettings(CLI::App& options, SettingsInput& input) {
    options.add_option("--settings", input.file, "Thresholds and settings, one KEY = VALUE a line")
        ->type_name("FILE");
    options.add_option("--set", input.changes, "Change a setting; --report settings lists them")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options.add_option("--step-log", input.log, "Step times printed without a profiler, a line each")
        ->type_name("FILE");
}

Result<AnalysisSettings> readSettingsInput(const SettingsInput& input) {
    constexpr std::streamsize kMostBytes = 1 << 20;
    AnalysisSettings settings;
    if (!input.file.empty()) {
        const auto text = textOfFile(input.file, kMostBytes);
        if (!text)
            return Error{Errc::Io, "the settings file " + input.file + " cannot be read", {}, {}};
        auto read = readSettings(*text);
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
    if (!input.log.empty())
        if (const Status read = readLog(input.log, settings); !read)
            return read.error();
    return settings;
}

} // namespace lacuna::ui
