// settings: every threshold and setting with its value, for settings files and --set.

#include "core/report/builtin.h"
#include "core/report/report_settings.h"

#include <string>

namespace lacuna::reports {

namespace {

// Value of a setting that is no threshold; "" when it is not set.
std::string valueOf(const AnalysisSettings& settings, std::string_view key) {
    const std::string all = settingsText(settings);
    const std::string start = std::string(key) + " = ";
    for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
        if (all.compare(at, start.size(), start) == 0)
            return all.substr(at + start.size(), all.find('\n', at) - at - start.size());
    return {};
}

} // namespace

Result<ReportTable> settings(const ReportInput& input, JobControl& job) {
    if (job.cancelled())
        return cancelledError();
    const AnalysisSettings values = settingsOf(input);
    ReportTable table({textColumn("Setting"), textColumn("Value"), textColumn("Default"), textColumn("Unit"),
                       textColumn("Meaning"), textColumn("Source")});
    for (const SettingInfo& info : settingTable())
        table.addRow()
            .text(info.key)
            .text(valueOf(values, info.key))
            .text("")
            .text("")
            .text(info.meaning)
            .text("");
    for (const ThresholdInfo& info : thresholdTable())
        table.addRow()
            .text(info.key)
            .text(values.thresholds.text(info.id))
            .text(thresholdText(info.unit, info.standard))
            .text(unitTitle(info.unit))
            .text(info.meaning)
            .text(info.source);
    table.addNote(
        "Change one with --set KEY=VALUE, or many in a file of \"key = value\" lines with --settings FILE.");
    return table;
}

} // namespace lacuna::reports
