#include "core/output/csv.h"

#include "core/output/utf8.h"

namespace lacuna {

std::string csvField(std::string_view text) {
    std::string valid = validUtf8(text);
    const bool outerBlank = !valid.empty() && (valid.front() == ' ' || valid.back() == ' ');
    if (!outerBlank && valid.find_first_of(",\"\r\n") == std::string::npos)
        return valid;
    std::string quoted = "\"";
    for (const char c : valid) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

void writeCsvRow(TextSink& sink, std::span<const std::string> fields) {
    std::string row;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0)
            row += ',';
        row += csvField(fields[i]);
    }
    row += '\n';
    sink.write(row);
}

} // namespace lacuna
