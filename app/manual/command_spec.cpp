#include "app/manual/command_spec.h"

#include "app/program_options.h"
#include "app/verbs/builtin.h"
#include "app/verbs/choices.h"

#include <CLI/CLI.hpp>

namespace lacuna::ui {

namespace {

OptionSpec specOf(CLI::Option& option) {
    OptionSpec spec;
    for (const std::string& name : option.get_snames())
        spec.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        spec.names.push_back("--" + name);
    if (spec.names.empty())
        spec.value = option.get_single_name();
    else if (option.get_expected_max() > 0 && option.get_type_size() > 0)
        spec.value = option.get_type_name();
    spec.help = option.get_description();
    spec.choices = choicesOf(option);
    spec.required = option.get_required();
    spec.several = option.get_expected_max() > 1;
    return spec;
}

std::vector<OptionSpec> optionsOf(CLI::App& app) {
    std::vector<OptionSpec> specs;
    const auto* const help = app.get_help_ptr();
    for (CLI::Option* option : app.get_options(std::function<bool(CLI::Option*)>()))
        if (option != help)
            specs.push_back(specOf(*option));
    return specs;
}

} // namespace

std::vector<CommandSpec> commandSpecs() {
    std::vector<CommandSpec> specs;
    CLI::App program;
    ProgramOptions options;
    declareProgram(program, options);
    specs.push_back({"", "", "", optionsOf(program)});
    for (const auto& verb : builtinVerbs()) {
        CLI::App app;
        verb->declare(app);
        specs.push_back({verb->name(), verb->summary(), app.get_footer(), optionsOf(app)});
    }
    return specs;
}

bool takesFile(const OptionSpec& option) {
    return option.choices.empty() && (option.value == "FILE" || option.value == "OUT");
}

} // namespace lacuna::ui
