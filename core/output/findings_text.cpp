#include "core/output/findings_text.h"

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/output/text_table.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::size_t kPartWidth = 16;

std::string_view titleOfFinding(std::string_view code) {
    const auto all = builtinFindings();
    const auto at =
        std::find_if(all.begin(), all.end(), [code](const FindingSpec& spec) { return spec.code == code; });
    return at == all.end() ? code : at->title;
}

std::string_view markOfState(std::string_view state) {
    if (state == "found")
        return "! ";
    if (state == "unknown")
        return "? ";
    return state == "clear" ? "\u2713 " : "  ";
}

// " [start..end]" as --range takes it; "" without evidence that opens.
std::string placeOfRow(const ReportTable& table, std::size_t row, std::size_t start, std::size_t end) {
    if (table.isEmpty(row, start))
        return {};
    return " [" + std::to_string(table.number(row, start)) + ".." + std::to_string(table.number(row, end)) +
           "]";
}

} // namespace

void writeFindingsText(const ReportTable& table, TextSink& sink, std::size_t width) {
    const auto column = [&](std::string_view title) { return table.findColumn(title).value_or(0); };
    const std::size_t code = column("Finding"), state = column("State"), part = column("Part"),
                      words = column("Text"), start = column("Start (ns)"), end = column("End (ns)");
    std::string_view last;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string_view now = table.text(row, code);
        const bool isNew = row == 0 || now != last;
        if (isNew) {
            const std::string_view how = table.text(row, state);
            sink.write(std::string(row == 0 ? "" : "\n") + std::string(markOfState(how)) +
                       std::string(titleOfFinding(now)) + " (" + std::string(how) + ")\n");
        }
        last = now;
        const std::string_view what = table.text(row, part);
        const bool repeats = !isNew && row != 0 && table.text(row - 1, part) == what;
        std::string head = "  " + std::string(repeats ? "" : what);
        head.resize(std::max(head.size() + 1, kPartWidth + 2), ' ');
        writeParagraph(sink, head, std::string(table.text(row, words)) + placeOfRow(table, row, start, end),
                       width);
    }
}

} // namespace lacuna
