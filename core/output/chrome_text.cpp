#include "core/output/chrome_text.h"

#include "core/output/strict_json.h"

#include <array>
#include <charconv>

namespace lacuna::chrome {

void appendMicros(std::int64_t ns, std::string& out) {
    std::array<char, 24> digits{};
    const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    if (ns < 0)
        out += '-';
    const auto whole = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude / 1000);
    out.append(digits.data(), whole.ptr);
    const auto rest = static_cast<unsigned>(magnitude % 1000);
    out += '.';
    out += static_cast<char>('0' + rest / 100);
    out += static_cast<char>('0' + rest / 10 % 10);
    out += static_cast<char>('0' + rest % 10);
}

void appendProvenance(const Trace& trace, const ChromeExport& options, bool hasTimeZero, std::string& out) {
    const TraceFacts& facts = trace.facts();
    const auto text = [&out](std::string_view key, std::string_view value) {
        ((out += '"') += key) += "\":";
        appendQuotedText(value, out);
    };
    const auto flag = [&out](std::string_view key, bool value) {
        (((out += '"') += key) += "\":") += value ? "true" : "false";
    };
    out += "\"version\":1,";
    text("format", facts.format);
    out += ',';
    text("writer", facts.writer.empty() && facts.format == "nsys-sqlite" ? "Nsight Systems" : facts.writer);
    out += ",\"source\":{";
    text("name", facts.fileName);
    (out += ",\"size\":") += std::to_string(facts.fileSize);
    out += ',';
    text("sha256", options.sha256);
    out += "},\"recorded\":{";
    flag("python", facts.pythonRecorded);
    out += ',';
    flag("os_runtime", facts.osRuntimeRecorded);
    out += ',';
    flag("sync", facts.syncRowsRecorded);
    out += "},\"notes\":[";
    bool isFirst = true;
    for (const Issue& issue : trace.report().issues()) {
        out += isFirst ? "{" : ",{";
        isFirst = false;
        text("code", issue.code);
        ((out += ",\"count\":") += std::to_string(issue.count)) += ',';
        flag("dropped", issue.dropsRows);
        out += ',';
        text("message", issue.message);
        out += '}';
    }
    out += ']';
    if (hasTimeZero)
        out += ",\"time_zero_ns\":0";
    if (options.cut)
        out += R"(,"cut":{"start_ns":)" + std::to_string(options.cut->begin.v) +
               ",\"end_ns\":" + std::to_string(options.cut->end.v) + "}";
}

} // namespace lacuna::chrome
