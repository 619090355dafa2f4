#include "widgets/session/user_settings.h"

#include "widgets/text.h"

#include <QFile>
#include <QStandardPaths>

namespace lacuna::ui {

QString userSettingsFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/lacuna/analysis.conf"_s;
}

UserSettings readUserSettings() {
    constexpr qint64 kMostBytes = 1 << 20;
    UserSettings settings{std::make_shared<const AnalysisSettings>(), {}};
    QFile file(userSettingsFile());
    if (!file.open(QIODevice::ReadOnly))
        return settings;
    const auto read = readSettings(file.read(kMostBytes).toStdString());
    if (read)
        settings.values = std::make_shared<const AnalysisSettings>(*read);
    else
        settings.problem =
            u"%1, %2: %3"_s.arg(file.fileName(), text(read.error().place), text(read.error().detail));
    return settings;
}

} // namespace lacuna::ui
