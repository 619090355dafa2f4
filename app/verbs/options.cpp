#include "app/verbs/options.h"

#include "app/verbs/choices.h"
#include "app/verbs/input.h"
#include "core/base/text_format.h"

#include <CLI/CLI.hpp>

#include <cstdlib>

namespace lacuna::ui {

std::string checkRange(const std::string& text) {
    return parseRange(text) ? std::string() : "'" + text + "' is no range A..B of times with A before B";
}

void declareInput(CLI::App& options, Input& input) {
    options.add_option("FILE", input.file, "Trace: JSON or .sqlite, packed or not; - reads stdin")
        ->type_name("")
        ->required();
    declareMember(options, input.member);
}

void declareMember(CLI::App& options, std::string& member) {
    options.add_option("--member", member, "Trace of a zip or tar archive that has several")
        ->type_name("NAME");
}

void declareCache(CLI::App& options) {
    options.add_flag_callback(
        "--no-cache", [] { ::setenv("LACUNA_CACHE", "off", 1); },
        "Read the file itself, and keep nothing of it");
}

void declareFormat(CLI::App& options, std::string& format, const std::vector<std::string>& names) {
    format = names.front();
    CLI::Option* option = options.add_option(
        "--format", format, CLI::detail::join(names, ", ") + " (default " + names.front() + ")");
    acceptOnly(*option->type_name("NAME"), names);
}

void declareDuration(CLI::App& options, const std::string& name, std::int64_t& ns, const std::string& help) {
    options
        .add_option_function<std::string>(
            name, [&ns](const std::string& text) { ns = parseTime(text).value_or(ns); }, help)
        ->type_name("TIME")
        ->check(CLI::Validator(
            [](const std::string& text) {
                const auto parsed = parseTime(text);
                return parsed && *parsed >= 0 ? std::string() : "'" + text + "' is no length of time";
            },
            ""));
}

void declareRange(CLI::App& options, std::optional<TimeRange>& range) {
    options
        .add_option_function<std::string>(
            "--range", [&range](const std::string& text) { range = parseRange(text); },
            "Only this part of the time axis: 1.2ms..3.5ms")
        ->type_name("A..B")
        ->check(checkRange);
}

} // namespace lacuna::ui
