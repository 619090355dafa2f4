#include "widgets/session/user_settings.h"

#include "widgets/session/settings_store.h"
#include "widgets/text.h"

namespace lacuna::ui {

QString userSettingsFile() {
    return configFile(u"analysis.conf"_s);
}

UserSettings readUserSettings() {
    UserSettings settings{std::make_shared<const AnalysisSettings>(), {}};
    const auto read = readSettings(readConfig(userSettingsFile()));
    if (read)
        settings.values = std::make_shared<const AnalysisSettings>(*read);
    else
        settings.problem =
            u"%1, %2: %3"_s.arg(userSettingsFile(), text(read.error().place), text(read.error().detail));
    return settings;
}

} // namespace lacuna::ui
