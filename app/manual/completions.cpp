#include "app/manual/completions.h"

#include <string_view>

namespace lacuna::ui {

namespace {

// Names that traces usually have; where none matches, any file is offered, since the content decides.
constexpr std::string_view kTraceSuffixes[] = {"json",     "json.gz", "json.zst", "sqlite",
                                               "nsys-rep", "qdrep",   "qdstrm",   "zip"};

const char* const kMadeBy = "completion for lacuna, written by its build from the program's own options\n";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : " ").append(word);
    return text;
}

std::vector<std::string> optionNames(const CommandSpec& command) {
    std::vector<std::string> names;
    for (const OptionSpec& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    names.emplace_back("--help");
    return names;
}

// In single quotes, for bash and zsh.
std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// ---- bash

std::string bashValue(const OptionSpec& option) {
    if (!option.choices.empty())
        return "_lacuna_words " + quoted(joined(option.choices));
    if (option.value == "FILE")
        return "_lacuna_traces";
    return takesFile(option) ? "_lacuna_files" : "true"; // a number or a time: nothing to offer
}

std::string bashCase(const CommandSpec& command) {
    std::string text = "    " + (command.name.empty() ? std::string("*") : command.name) + ")\n";
    text += "        case $previous in\n";
    for (const OptionSpec& option : command.options) {
        if (option.names.empty() || option.value.empty())
            continue;
        std::string pattern;
        for (const std::string& name : option.names)
            pattern.append(pattern.empty() ? "" : " | ").append(name);
        text += "        " + pattern + ") " + bashValue(option) + " ;;\n";
    }
    text += "        *) _lacuna_word " + quoted(joined(optionNames(command))) + " ;;\n";
    return text + "        esac\n        ;;\n";
}

constexpr std::string_view kBashHelpers = R"sh(
_lacuna_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_lacuna_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

_lacuna_traces() {
    local suffix names=()
    for suffix in "${_lacuna_suffixes[@]}"; do
        mapfile -t -O ${#names[@]} names < <(compgen -f -X "!*.$suffix" -- "$current")
    done
    if [ ${#names[@]} -eq 0 ]; then
        _lacuna_files
        return
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t -O ${#names[@]} names < <(compgen -d -- "$current")
    COMPREPLY=("${names[@]}")
}

_lacuna_word() {
    case $current in
    -*) _lacuna_words "$1" ;;
    *) _lacuna_traces ;;
    esac
}

_lacuna() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
    COMPREPLY=()
    # --format=json is three words to bash
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
)sh";

} // namespace

std::string bashCompletion(const std::vector<CommandSpec>& commands) {
    std::string text = std::string("# bash ") + kMadeBy + "_lacuna_suffixes=(";
    for (const std::string_view suffix : kTraceSuffixes)
        text.append(text.back() == '(' ? "" : " ").append(suffix);
    text.append(")\n").append(kBashHelpers);
    std::vector<std::string> verbs;
    for (const CommandSpec& command : commands)
        if (!command.name.empty())
            verbs.push_back(command.name);
    text += "    if [ \"$COMP_CWORD\" -eq 1 ] && [[ $current != -* ]]; then\n"
            "        _lacuna_traces\n"
            "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W " +
            quoted(joined(verbs)) + " -- \"$current\")\n        return\n    fi\n    case $verb in\n";
    for (std::size_t i = 1; i < commands.size(); ++i)
        text += bashCase(commands[i]);
    return text + bashCase(commands.front()) + "    esac\n}\ncomplete -F _lacuna lacuna\n";
}

namespace {

// ---- zsh

std::string zshAction(const OptionSpec& option) {
    if (!option.choices.empty())
        return "(" + joined(option.choices) + ")";
    if (option.value == "FILE")
        return "_lacuna_traces";
    return takesFile(option) ? "_files" : " "; // " ": a value, but nothing to offer
}

// Brackets and colons separate the parts of what _arguments reads.
std::string zshText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

std::string zshArguments(const CommandSpec& command, const char* indent) {
    std::string text = std::string(indent) + "_arguments";
    for (const OptionSpec& option : command.options) {
        const std::string value =
            option.value.empty() ? "" : ":" + zshText(option.value) + ":" + zshAction(option);
        if (option.names.empty())
            text += " \\\n" + std::string(indent) + "    " + quoted((option.several ? "*" : "") + value);
        for (const std::string& name : option.names) {
            // --format=json as well as --format json
            const bool equals = name.size() > 2 && !option.value.empty();
            text += " \\\n" + std::string(indent) + "    " +
                    quoted(name + (equals ? "=" : "") + "[" + zshText(option.help) + "]" + value);
        }
    }
    return text + " \\\n" + indent + "    '--help[Print the options]'\n";
}

} // namespace

std::string zshCompletion(const std::vector<CommandSpec>& commands) {
    std::string text = std::string("#compdef lacuna\n# zsh ") + kMadeBy;
    text += "\n# _files offers any file where no name matches, since the content decides\n"
            "_lacuna_traces() {\n    _files -g '*.(";
    for (const std::string_view suffix : kTraceSuffixes)
        text.append(text.back() == '(' ? "" : "|").append(suffix);
    text += ")(-.)'\n}\n\n_lacuna() {\n    local -a verbs=(\n";
    for (const CommandSpec& command : commands)
        if (!command.name.empty())
            text += "        " + quoted(command.name + ":" + zshText(command.summary)) + "\n";
    text += "    )\n"
            "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
            "        _describe -t verbs verb verbs\n"
            "        _lacuna_traces\n"
            "        return\n"
            "    fi\n"
            "    case $words[2] in\n";
    for (const CommandSpec& command : commands)
        if (!command.name.empty())
            text += "    " + command.name + ")\n        shift words\n        (( CURRENT-- ))\n" +
                    zshArguments(command, "        ") + "        ;;\n";
    text += "    *)\n" + zshArguments(commands.front(), "        ") + "        ;;\n    esac\n}\n\n";
    return text + "_lacuna \"$@\"\n";
}

namespace {

// ---- fish

std::string fishQuoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fishOption(const std::string& condition, const OptionSpec& option) {
    std::string line = "complete -c lacuna -n " + condition;
    for (const std::string& name : option.names)
        line += name.substr(0, 2) == "--" ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.choices.empty())
        line += " -x -a " + fishQuoted(joined(option.choices));
    else if (option.value == "FILE")
        line += " -x -k -a '(__lacuna_traces)'";
    else if (takesFile(option))
        line += " -r -F";
    else if (!option.value.empty())
        line += " -x";
    return line + " -d " + fishQuoted(option.help) + "\n";
}

} // namespace

std::string fishCompletion(const std::vector<CommandSpec>& commands) {
    std::string text = std::string("# fish ") + kMadeBy;
    text += "\nfunction __lacuna_verb\n"
            "    set -l words (commandline -opc)\n"
            "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
            "end\n\n"
            "function __lacuna_no_verb\n"
            "    set -l words (commandline -opc)\n"
            "    test (count $words) -lt 2; or not contains -- $words[2]";
    for (const CommandSpec& command : commands)
        text.append(command.name.empty() ? "" : " ").append(command.name);
    text += "\nend\n\n"
            "function __lacuna_first_word\n"
            "    test (count (commandline -opc)) -eq 1\n"
            "end\n\n"
            "# Traces first, then other files, since the content decides\n"
            "function __lacuna_traces\n"
            "    __fish_complete_suffix";
    for (const std::string_view suffix : kTraceSuffixes)
        text.append(" .").append(suffix);
    text += "\nend\n\ncomplete -c lacuna -f -k -a '(__lacuna_traces)'\n"
            "complete -c lacuna -f -l help -d 'Print the options'\n";
    for (const CommandSpec& command : commands) {
        const std::string condition =
            command.name.empty() ? "__lacuna_no_verb" : fishQuoted("__lacuna_verb " + command.name);
        if (!command.name.empty())
            text += "complete -c lacuna -n __lacuna_first_word -f -a " + command.name + " -d " +
                    fishQuoted(command.summary) + "\n";
        for (const OptionSpec& option : command.options)
            if (!option.names.empty())
                text += fishOption(condition, option);
    }
    return text;
}

} // namespace lacuna::ui
