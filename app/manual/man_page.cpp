#include "app/manual/man_page.h"

#include <algorithm>
#include <set>

namespace lacuna::ui {

namespace {

// What scdoc would take for markup.
std::string plain(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '*' || c == '_' || c == '\\' || c == '`' || c == '[' || c == '#' || c == '|')
            out += '\\';
        out += c;
    }
    return out;
}

std::string bold(std::string_view text) {
    return "*" + plain(text) + "*";
}

std::string underlined(std::string_view text) {
    return "_" + plain(text) + "_";
}

std::string valueOf(const OptionSpec& option) {
    if (option.choices.empty() || option.choices.size() > 5) // a longer list does not belong into a line
        return underlined(option.value);
    std::string text;
    for (const std::string& choice : option.choices)
        text.append(text.empty() ? "" : "\\|").append(plain(choice));
    return text;
}

// "*--format* table|csv|json", "_FILE_"
std::string callOf(const OptionSpec& option) {
    const std::string value = option.value.empty() ? std::string() : valueOf(option);
    if (option.names.empty())
        return value;
    return bold(option.names.back()) + (value.empty() ? "" : " " + value);
}

std::string callOf(const CommandSpec& command) {
    std::string line = bold(command.name.empty() ? "lacuna" : "lacuna " + command.name);
    for (const bool required : {true, false}) // what cannot be left out first
        for (const OptionSpec& option : command.options) {
            if (option.required != required)
                continue;
            const std::string call = callOf(option) + (option.several ? " ..." : "");
            line += required ? " " + call : " \\[" + call + "]";
        }
    return line;
}

std::string optionsText(const CommandSpec& command) {
    std::string text;
    for (const OptionSpec& option : command.options) {
        std::string line;
        for (const std::string& name : option.names)
            line.append(line.empty() ? "" : ", ").append(bold(name));
        if (!option.value.empty())
            line.append(line.empty() ? "" : " ").append(underlined(option.value));
        text.append(line).append("\n\t").append(plain(option.help)).append(".\n\n");
    }
    if (!command.footer.empty())
        text.append("```\n").append(command.footer).append("\n```\n\n");
    return text;
}

std::string headOf(const CommandSpec& verb) {
    return "## lacuna " + verb.name + "\n\n" + callOf(verb) + "\n";
}

class Filler {
public:
    explicit Filler(const std::vector<CommandSpec>& commands) : m_commands(commands) {}

    Status line(std::string_view line) {
        constexpr std::string_view kVerb = "@verb ";
        if (line.substr(0, kVerb.size()) == kVerb && line.back() == '@')
            return verb(line.substr(kVerb.size(), line.size() - kVerb.size() - 1));
        if (line.substr(0, 2) == "# ")
            endVerbs();
        if (line == "@synopsis@")
            synopsis();
        else if (line == "@options@")
            m_out += optionsText(m_commands.front());
        else
            m_out.append(line).append("\n");
        return ok();
    }
    std::string take() {
        endVerbs();
        return std::move(m_out);
    }

private:
    Status verb(std::string_view name) {
        endVerb();
        const auto found =
            std::find_if(m_commands.begin(), m_commands.end(), [name](const CommandSpec& command) {
                return !command.name.empty() && command.name == name;
            });
        if (found == m_commands.end())
            return Error{Errc::Malformed, "there is no verb '" + std::string(name) + "'", {}, {}};
        m_verb = &*found;
        m_seen.insert(found->name);
        m_out += headOf(*found);
        return ok();
    }

    void endVerb() {
        if (m_verb == nullptr)
            return;
        if (m_out.size() >= 2 && m_out.substr(m_out.size() - 2) != "\n\n")
            m_out += '\n';
        m_out += optionsText(*m_verb);
        m_verb = nullptr;
    }

    void endVerbs() {
        if (m_verb == nullptr)
            return;
        endVerb();
        for (const CommandSpec& command : m_commands)
            if (!command.name.empty() && m_seen.insert(command.name).second)
                m_out += headOf(command) + "\n" + plain(command.summary) + ".\n\n" + optionsText(command);
    }

    void synopsis() {
        for (const CommandSpec& command : m_commands)
            m_out += callOf(command) + "++\n";
        m_out += "*lacuna* [_VERB_] *--help*\n";
    }

    const std::vector<CommandSpec>& m_commands;
    const CommandSpec* m_verb = nullptr; // the one whose prose is being copied
    std::set<std::string> m_seen;
    std::string m_out;
};

} // namespace

Result<std::string> manualPage(std::string_view page, const std::vector<CommandSpec>& commands) {
    Filler filler(commands);
    while (!page.empty()) {
        const std::size_t end = std::min(page.find('\n'), page.size());
        if (const Status filled = filler.line(page.substr(0, end)); !filled)
            return filled.error();
        page.remove_prefix(std::min(end + 1, page.size()));
    }
    return filler.take();
}

} // namespace lacuna::ui
