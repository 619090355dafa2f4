// settings: every threshold and setting with its value, for settings files and --set.

#include "core/report/builtin.h"
#include "core/report/report_settings.h"
#include "core/settings/settings_file.h"

namespace lacuna::reports {

Result<ReportTable> settings(const ReportInput& input, JobControl& job) {
    if (job.cancelled())
        return cancelledError();
    const AnalysisSettings values = settingsOf(input);
    ReportTable table({textColumn("Setting"), textColumn("Value"), textColumn("Default"), textColumn("Unit"),
                       textColumn("Meaning"), textColumn("Source")});
    for (const SettingEntry& entry : settingEntries())
        table.addRow()
            .text(entry.key)
            .text(settingText(values, entry.key))
            .text(entry.standard)
            .text(entry.unit)
            .text(entry.meaning)
            .text(entry.source);
    table.addNote(
        "Change one with --set KEY=VALUE, or many in a file of \"key = value\" lines with --settings FILE.");
    return table;
}

} // namespace lacuna::reports
