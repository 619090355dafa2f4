#include "core/document/log_entry.h"

#include "core/base/markdown_text.h"

#include <algorithm>

namespace lacuna {

namespace {

// Inside a cell of a table.
std::string cell(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return escapedMarkdown(text);
}

} // namespace

std::string_view logStateName(LogState state) {
    switch (state) {
    case LogState::Observed:
        return "observed";
    case LogState::Hypothesis:
        return "hypothesis";
    case LogState::Changed:
        return "changed";
    case LogState::Remeasured:
        return "re-measured";
    case LogState::Rejected:
        break;
    }
    return "rejected";
}

LogState LogEntry::state() const {
    return isRejected            ? LogState::Rejected
           : !measured.empty()   ? LogState::Remeasured
           : !changed.empty()    ? LogState::Changed
           : !hypothesis.empty() ? LogState::Hypothesis
                                 : LogState::Observed;
}

std::string logMarkdown(const std::vector<LogEntry>& entries) {
    std::string text = "| state | observed | hypothesis | changed | re-measured | written |\n"
                       "|---|---|---|---|---|---|\n";
    for (const LogEntry& entry : entries) {
        text.append("| ").append(logStateName(entry.state())).append(" |");
        for (const std::string* part :
             {&entry.observed, &entry.hypothesis, &entry.changed, &entry.measured, &entry.written})
            text.append(" ").append(cell(*part)).append(" |");
        text += '\n';
    }
    return text;
}

} // namespace lacuna
