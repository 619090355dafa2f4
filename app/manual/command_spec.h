#pragma once
// The command line as plain data, read from the very options that the program parses with: what the manual
// page and the completions of shells are written from. A new verb or option is in all of them with no more
// work.

#include <string>
#include <vector>

namespace lacuna::ui {

struct OptionSpec {
    std::vector<std::string> names;   // as typed: "-o", "--format"; empty: a word without a name
    std::string value;                // what it takes: "NAME"; empty: nothing
    std::string help;                 // a sentence without full stop
    std::vector<std::string> choices; // the values; empty: any
    bool required = false;
    bool several = false; // takes more than one word
};

struct CommandSpec {
    std::string name;                // of the verb; empty: the program without one
    std::string summary;             // a sentence without full stop
    std::string footer;              // text below the options in --help; lines
    std::vector<OptionSpec> options; // in the order of --help, without --help itself
};

// The program without a verb, then every verb in the order of --help.
std::vector<CommandSpec> commandSpecs();

// A word without a name, or an option, that takes the path of a file.
bool takesFile(const OptionSpec& option);

} // namespace lacuna::ui
