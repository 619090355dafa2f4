#pragma once
// What a person can tell a report beside the trace and the range: one list for the command line, the window
// and the help, so that a new option is a line here. Which of them a report heeds is what its ReportSpec
// says.

#include "core/report/builtin.h"

#include <span>
#include <string>
#include <string_view>

namespace lacuna {

enum class ReportOption : std::uint8_t {
    Device,
    Definition,
    Corrected,
    GroupBy,
    Inside,
    Operator,
    Sites,
    Together,
    PinnedBandwidth,
    Sort,
    Limit,
};

struct ReportOptionInfo {
    enum class Form : std::uint8_t { Text, Number, Choice, Switch };
    ReportOption id;
    std::string_view name;  // "group-by": of the command line, behind two dashes
    std::string_view title; // for people, in a window: "Group by"
    std::string_view help;  // one line
    std::string_view type;  // "WHAT", "GB/s"; empty: a switch
    Form form = Form::Text;
    std::span<const std::string_view> choices; // Choice: the first is the default
};

std::span<const ReportOptionInfo> reportOptions(); // in the order of ReportOption
const ReportOptionInfo& reportOption(ReportOption option);

// Sorting and limits are for all.
bool takes(const ReportSpec& report, ReportOption option);

// As the command line takes the value; empty: the default, for a switch off. Error: Unsupported with a detail
// for people when it is no such value. Whether there is such a device or column only the report can tell.
Status setOption(ReportQuery& query, ReportOption option, std::string_view value);

} // namespace lacuna
