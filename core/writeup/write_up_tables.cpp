// The tables of `lacuna stats` in a report: the same numbers, in units for people.

#include "core/base/text_format.h"
#include "core/report/builtin.h"
#include "core/writeup/write_up_parts.h"

#include <algorithm>
#include <array>

namespace lacuna::writeup {

namespace {

struct ChosenTable {
    std::string_view report, caption;
};

constexpr std::string_view kStepsReport = "steps";

constexpr std::array kTables{
    ChosenTable{kStepsReport, "Steps"},
    ChosenTable{"idle", "Idle time by cause"},
    ChosenTable{"phases", "Phases"},
    ChosenTable{"cuda_gpu_kern_sum", "Kernels, most time first"},
    ChosenTable{"ops", "Operators, most own GPU time first"},
    ChosenTable{"copies", "Copies"},
    ChosenTable{"cuda_api_sum", "CUDA calls, most time first"},
};

// "Total Time (ns)" in the unit of its largest value.
struct NsStyle {
    TimeUnit unit = TimeUnit::Ns;
    int decimals = 0;
};

NsStyle styleOf(const ReportTable& table, std::size_t column) {
    std::int64_t largest = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (!table.isEmpty(row, column))
            largest = std::max(largest, std::abs(table.number(row, column)));
    const TimeUnit unit = unitFor({largest});
    return {unit, unit == TimeUnit::Ns ? 0 : 3};
}

std::string titleIn(const std::string& title, TimeUnit unit) {
    const std::size_t at = title.rfind("(ns)");
    return (at == std::string::npos ? title + " " : title.substr(0, at)) + "(" + std::string(unitName(unit)) +
           ")";
}

std::string cellOf(const ReportTable& table, std::size_t row, std::size_t column, const NsStyle& style) {
    if (table.isEmpty(row, column))
        return {};
    switch (table.columns()[column].type) {
    case ReportColumn::Type::Ns:
        return formatIn({table.number(row, column)}, style.unit, style.decimals);
    case ReportColumn::Type::Integer:
        if (table.number(row, column) >= 0)
            return formatCount(static_cast<std::uint64_t>(table.number(row, column)));
        break;
    case ReportColumn::Type::Text:
        return oneLine(table.text(row, column));
    case ReportColumn::Type::Decimal:
        break;
    }
    return table.cellText(row, column);
}

WriteUpBlock blockOf(const ReportTable& table, std::string caption) {
    WriteUpBlock block;
    block.kind = WriteUpBlock::Kind::Table;
    block.text = std::move(caption);
    std::vector<NsStyle> styles;
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
        const ReportColumn& column = table.columns()[c];
        const bool isTime = column.type == ReportColumn::Type::Ns;
        styles.push_back(isTime ? styleOf(table, c) : NsStyle{});
        block.columns.push_back(isTime ? titleIn(column.title, styles.back().unit) : column.title);
        block.isNumber.push_back(column.type != ReportColumn::Type::Text);
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::vector<std::string>& cells = block.rows.emplace_back();
        for (std::size_t c = 0; c < styles.size(); ++c)
            cells.push_back(cellOf(table, row, c, styles[c]));
    }
    return block;
}

std::string notesOf(const ReportTable& table) {
    std::string text;
    for (const std::string& note : table.notes())
        text += (text.empty() ? "" : " ") + oneLine(note);
    return text;
}

} // namespace

Status addTables(const WriteUpInput& input, Blocks& blocks, JobControl& job) {
    blocks.heading(2, "Tables");
    for (const ChosenTable& chosen : kTables) {
        ReportQuery query;
        query.name = chosen.report;
        query.options.settings = input.settings;
        auto table = runReport(*input.loaded.trace, input.loaded.details.get(), query, job);
        if (!table)
            return table.error();
        const std::size_t all = table->rows();
        if (all == 0) {
            blocks.text(std::string(chosen.caption) + ": none. " + notesOf(*table));
            continue;
        }
        table->limitTo(kTableRows);
        blocks.add(
            blockOf(*table, std::string(chosen.caption) + " (lacuna stats --report " + query.name + ")"));
        if (all > kTableRows)
            blocks.text("and " + formatCount(all - kTableRows) + " more rows.");
        if (chosen.report == kStepsReport) // whose steps they are, and what is left out
            blocks.text(notesOf(*table));
    }
    return ok();
}

} // namespace lacuna::writeup
