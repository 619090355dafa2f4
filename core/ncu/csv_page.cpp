#include "core/ncu/csv_page.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lacuna::ncu {

namespace {

// Columns that describe the launch; every other one of a raw page is a metric.
bool isBaseColumn(std::string_view name) {
    constexpr std::array<std::string_view, 14> kBase{
        "ID",     "Process ID", "Process Name", "Host Name",   "Kernel Name", "Kernel Time", "Context",
        "Stream", "Block Size", "Grid Size",    "Invocations", "Device",      "CC",          "Range Name"};
    return std::find(kBase.begin(), kBase.end(), name) != kBase.end() ||
           name.find("Push/Pop_Range") != std::string_view::npos ||
           name.find("Start/End_Range") != std::string_view::npos;
}

} // namespace

char headerSeparator(std::string_view line) {
    for (const std::string_view head : {std::string_view("\"ID\""), std::string_view("ID"),
                                        std::string_view("\"Process ID\""), std::string_view("Process ID")})
        if (line.starts_with(head) && head.size() < line.size() &&
            std::string_view(",;\t").find(line[head.size()]) != std::string_view::npos)
            return line[head.size()];
    return '\0';
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

Dim3 dimsOf(std::string_view text) {
    std::array<std::uint32_t, 3> sides{};
    std::size_t used = 0;
    for (const char* at = text.data(); at != text.data() + text.size() && used < 3;) {
        const auto [end, error] = std::from_chars(at, text.data() + text.size(), sides[used]);
        if (error == std::errc{}) {
            at = end;
            ++used;
        } else {
            ++at;
        }
    }
    return used == 3 ? Dim3{sides[0], sides[1], sides[2]} : Dim3{};
}

bool isNoValue(std::string_view text) {
    constexpr std::array<std::string_view, 7> kWords{"n/a",     "N/A",  "nan", "no data",
                                                     "(!) n/a", "-nan", "inf"};
    return text.empty() || std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

std::size_t CsvPage::column(std::string_view name) const {
    const auto at = std::find(header.begin(), header.end(), name);
    return at == header.end() ? kNoColumn : static_cast<std::size_t>(at - header.begin());
}

std::size_t CsvPage::fieldsNeeded() const {
    return isRaw() ? header.size() : std::min(value, header.size());
}

NcuFormat CsvPage::format() const {
    if (isRaw())
        return NcuFormat::RawCsv;
    return id == kNoColumn ? NcuFormat::SummaryCsv : NcuFormat::DetailsCsv;
}

std::optional<CsvPage> CsvPage::of(const std::vector<std::string>& fields, StringPool& strings) {
    CsvPage page;
    page.header = fields;
    page.kernelName = page.column("Kernel Name");
    if (page.kernelName == kNoColumn)
        return std::nullopt;
    page.id = page.column("ID");
    page.process = page.column("Process ID");
    page.section = page.column("Section Name");
    page.label = page.column("Metric Name");
    page.unit = page.column("Metric Unit");
    page.rule = page.column("Rule Name");
    page.invocations = page.column("Invocations");
    page.value = page.column("Metric Value");
    if (page.value == kNoColumn)
        page.value = page.column("Average");
    if (page.isRaw())
        for (const std::string& name : page.header)
            page.names.push_back(isBaseColumn(name) ? StringId{} : strings.intern(name));
    return page;
}

} // namespace lacuna::ncu
