#include "core/report/report_options.h"

#include "core/settings/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lacuna {

namespace {

using Form = ReportOptionInfo::Form;
using O = ReportOption;

constexpr std::array<std::string_view, 2> kDefinitions{"lacuna", "hta"}; // as ReportDefinition
constexpr std::array<std::string_view, 6> kGroups{"name",  "shape",  "stack",
                                                  "range", "stream", "thread"}; // as AverageGroup

constexpr std::array kOptions{
    ReportOptionInfo{O::Device, "device", "GPU", "Only this device", "N", Form::Number, {}},
    ReportOptionInfo{O::Definition, "definition", "Definition", "lacuna, hta (default lacuna)", "NAME",
                     Form::Choice, kDefinitions},
    ReportOptionInfo{O::Corrected,
                     "corrected",
                     "with Lacuna's corrections",
                     "Vendor rules with Lacuna's corrections",
                     "",
                     Form::Switch,
                     {}},
    ReportOptionInfo{O::GroupBy, "group-by", "Group by",
                     "key_averages: name, shape, stack, ... (default name)", "WHAT", Form::Choice, kGroups},
    ReportOptionInfo{O::Inside,
                     "inside",
                     "Inside",
                     "key_averages: rows directly in NAME, or in \"A > B\"",
                     "NAME",
                     Form::Text,
                     {}},
    ReportOptionInfo{O::Operator,
                     "operator",
                     "Operator",
                     "kernel sequences: only of operators with TEXT",
                     "TEXT",
                     Form::Text,
                     {}},
    ReportOptionInfo{O::Sites,
                     "site",
                     "Call sites with",
                     "whatif: only call sites and ranges that hold TEXT",
                     "TEXT",
                     Form::Text,
                     {}},
    ReportOptionInfo{
        O::Together, "together", "all at once", "whatif: also all of them at once", "", Form::Switch, {}},
    ReportOptionInfo{O::PinnedBandwidth,
                     "pinned-bandwidth",
                     "Pinned copies, GB/s",
                     "whatif: of pinned copies (default the best seen)",
                     "GB/s",
                     Form::Number,
                     {}},
    ReportOptionInfo{O::Sort,
                     "sort",
                     "Sort by",
                     "Numbers of this column from the largest, texts from A",
                     "COLUMN",
                     Form::Text,
                     {}},
    ReportOptionInfo{O::Limit, "limit", "First rows", "Only the first N rows", "N", Form::Number, {}},
};

constexpr bool isInOrderOfIds() {
    for (std::size_t i = 0; i < kOptions.size(); ++i)
        if (static_cast<std::size_t>(kOptions[i].id) != i)
            return false;
    return true;
}
static_assert(isInOrderOfIds());

Error noSuchOptionValue(const ReportOptionInfo& info, std::string_view value, std::string_view expected) {
    return {Errc::Unsupported,
            "'" + std::string(value) + "' is no value of " + std::string(info.name) + "; it is " +
                std::string(expected),
            {},
            {}};
}

template <class Number> std::optional<Number> wholeNumber(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end)
        return std::nullopt;
    return number;
}

std::optional<std::size_t> choiceOf(const ReportOptionInfo& info, std::string_view value) {
    if (value.empty())
        return 0;
    const auto at = std::find(info.choices.begin(), info.choices.end(), value);
    return at == info.choices.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(at - info.choices.begin()));
}

Status setChoiceOption(ReportOptions& options, const ReportOptionInfo& info, std::string_view value) {
    const auto choice = choiceOf(info, value);
    if (!choice) {
        std::string list;
        for (const std::string_view one : info.choices)
            list.append(list.empty() ? "" : ", ").append(one);
        return noSuchOptionValue(info, value, "one of " + list);
    }
    if (info.id == O::GroupBy)
        options.groupBy = static_cast<AverageGroup>(*choice);
    else
        options.definition = static_cast<ReportDefinition>(*choice);
    return ok();
}

Status setSwitchOption(ReportOptions& options, const ReportOptionInfo& info, std::string_view value) {
    if (!value.empty() && value != "on" && value != "off")
        return noSuchOptionValue(info, value, "on or off");
    (info.id == O::Corrected ? options.corrected : options.together) = value == "on";
    return ok();
}

// "aten::linear > aten::addmm".
Status setInside(ReportOptions& options, const ReportOptionInfo& info, std::string_view value) {
    constexpr std::string_view kInto = " > ";
    options.inside.clear();
    for (std::string_view rest = value; !rest.empty();) {
        const std::size_t at = rest.find(kInto);
        options.inside.push_back({std::string(trimmed(rest.substr(0, at))), std::nullopt});
        rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + kInto.size());
    }
    if (options.inside.size() > kMostInside)
        return noSuchOptionValue(info, value, "at most " + std::to_string(kMostInside) + " names");
    return ok();
}

Status setNumberOption(ReportQuery& query, const ReportOptionInfo& info, std::string_view value) {
    constexpr double kBytesPerGB = 1e9;
    if (info.id == O::PinnedBandwidth) {
        const auto number = value.empty() ? std::optional(0.0) : parseNumber(value);
        if (!number || *number < 0 || (*number == 0 && !value.empty()))
            return noSuchOptionValue(info, value, "a number above 0");
        query.options.pinnedBytesPerSecond = *number * kBytesPerGB;
        return ok();
    }
    if (info.id == O::Device) {
        query.options.device = value.empty() ? std::nullopt : wholeNumber<std::int64_t>(value);
        if (!query.options.device && !value.empty())
            return noSuchOptionValue(info, value, "the number of a device");
        return ok();
    }
    query.limit = value.empty() ? std::nullopt : wholeNumber<std::size_t>(value);
    if (!query.limit && !value.empty())
        return noSuchOptionValue(info, value, "a number of rows");
    return ok();
}

} // namespace

std::span<const ReportOptionInfo> reportOptions() {
    return kOptions;
}

const ReportOptionInfo& reportOption(ReportOption option) {
    return kOptions[static_cast<std::size_t>(option)];
}

bool takes(const ReportSpec& report, ReportOption option) {
    switch (option) {
    case O::Device:
        return report.byDevice;
    case O::Definition:
        return report.hasDefinitions;
    case O::Corrected:
        return report.isRule;
    case O::GroupBy:
    case O::Inside:
        return report.hasGroups;
    case O::Operator:
        return report.byOperator;
    case O::Sites:
    case O::Together:
    case O::PinnedBandwidth:
        return report.asksWhatIf;
    case O::Sort:
    case O::Limit:
        break;
    }
    return true;
}

Status setOption(ReportQuery& query, ReportOption option, std::string_view value) {
    const ReportOptionInfo& info = reportOption(option);
    value = trimmed(value);
    switch (info.form) {
    case Form::Choice:
        return setChoiceOption(query.options, info, value);
    case Form::Switch:
        return setSwitchOption(query.options, info, value);
    case Form::Number:
        return setNumberOption(query, info, value);
    case Form::Text:
        break;
    }
    if (option == O::Inside)
        return setInside(query.options, info, value);
    if (option == O::Sites) {
        query.options.sites.clear();
        if (!value.empty())
            query.options.sites.emplace_back(value);
    } else {
        (option == O::Operator ? query.options.operatorName : query.sort) = value;
    }
    return ok();
}

} // namespace lacuna
