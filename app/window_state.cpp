#include "app/window_state.h"

#include "app/desktop_recent.h"
#include "widgets/text.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kLayoutVersion = 1;
const QString kVersion = u"version"_s, kGeometry = u"window/geometry"_s, kRows = u"window/rows"_s,
              kColumns = u"window/columns"_s, kInspector = u"window/inspector"_s,
              kBottom = u"window/bottom"_s, kTheme = u"window/theme"_s, kKeys = u"keys"_s,
              kHints = u"window/hintsDone"_s, kMotion = u"window/reducedMotion"_s,
              kWheel = u"window/plainWheelZooms"_s, kFrames = u"window/frameTimes"_s,
              kText = u"window/textPercent"_s, kRecent = u"recent"_s, kNsys = u"programs/nsys"_s,
              kRemembers = u"window/rememberRecent"_s;

// Qt 6.4 has no state location.
QString stateFolder() {
    const QString given = qEnvironmentVariable("XDG_STATE_HOME");
    const QString base = QDir::isAbsolutePath(given) ? given : QDir::homePath() + u"/.local/state"_s;
    return base + u"/lacuna"_s;
}

// The desktop's list of recent files; state that is kept in another folder, as tests do, has its own there.
QString desktopListFor(const QString& stateFile) {
    return stateFile == stateFolder() + u"/recent.ini"_s
               ? desktopRecentList()
               : QFileInfo(stateFile).absolutePath() + u"/recently-used.xbel"_s;
}

QList<int> toSizes(const QVariant& value) {
    QList<int> sizes;
    for (const QVariant& one : value.toList())
        sizes << one.toInt();
    return sizes;
}

QVariantList fromSizes(const QList<int>& sizes) {
    QVariantList list;
    for (const int size : sizes)
        list << size;
    return list;
}

std::vector<RecentFile> readRecent(const QString& stateFile) {
    QSettings settings(stateFile, QSettings::IniFormat);
    std::vector<RecentFile> files;
    const int count = settings.beginReadArray(kRecent);
    for (int i = 0; i < count && files.size() < WindowState::kMaxRecent; ++i) {
        settings.setArrayIndex(i);
        files.push_back({settings.value(u"path"_s).toString(), settings.value(u"opened"_s).toDateTime(),
                         settings.value(u"notes"_s, -1).toInt()});
    }
    settings.endArray();
    return files;
}

// Ours, then the desktop's.
void writeRecent(const QString& stateFile, const RecentFile& file) {
    std::vector<RecentFile> files = readRecent(stateFile);
    std::erase_if(files, [&](const RecentFile& old) { return old.path == file.path; });
    files.insert(files.begin(), file);
    files.resize(std::min(files.size(), WindowState::kMaxRecent));
    {
        QSettings settings(stateFile, QSettings::IniFormat);
        settings.beginWriteArray(kRecent, static_cast<int>(files.size()));
        for (std::size_t i = 0; i < files.size(); ++i) {
            settings.setArrayIndex(static_cast<int>(i));
            settings.setValue(u"path"_s, files[i].path);
            settings.setValue(u"opened"_s, files[i].opened);
            settings.setValue(u"notes"_s, files[i].notes);
        }
        settings.endArray();
    }
    if (const QString list = desktopListFor(stateFile); !list.isEmpty() && QFileInfo::exists(file.path))
        addToDesktopRecent(list, file.path, file.opened); // nothing is lost where it fails
}

} // namespace

WindowState::WindowState(QString configFile, QString stateFile)
    : m_configFile(std::move(configFile)), m_stateFile(std::move(stateFile)),
      m_writing(std::make_shared<QThreadPool>()) {
    m_writing->setMaxThreadCount(1);
}

WindowState WindowState::standard() {
    const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    return {config + u"/lacuna/window.ini"_s, stateFolder() + u"/recent.ini"_s};
}

WindowState WindowState::inFolder(const QString& folder) {
    return {folder + u"/window.ini"_s, folder + u"/recent.ini"_s};
}

QSize leastWindowSize(int textPercent) {
    constexpr QSize kLeast(960, 600);
    constexpr int kWhole = 100;
    return kLeast * kWhole / std::max(kWhole, textPercent);
}

WindowLayout WindowState::layout() const {
    const QSettings settings(m_configFile, QSettings::IniFormat);
    WindowLayout layout;
    if (settings.value(kVersion).toInt() != kLayoutVersion)
        return layout;
    layout.geometry = settings.value(kGeometry).toByteArray();
    layout.rows = toSizes(settings.value(kRows));
    layout.columns = toSizes(settings.value(kColumns));
    layout.inspectorShown = settings.value(kInspector, true).toBool();
    layout.bottomShown = settings.value(kBottom, true).toBool();
    layout.textPercent =
        std::clamp(settings.value(kText, layout.textPercent).toInt(), kTextSizes.front(), kTextSizes.back());
    layout.reducedMotion = settings.value(kMotion, false).toBool();
    layout.plainWheelZooms = settings.value(kWheel, false).toBool();
    layout.frameTimes = settings.value(kFrames, true).toBool();
    const int theme = settings.value(kTheme, 0).toInt();
    if (theme >= 0 && theme <= static_cast<int>(ThemeChoice::HighContrast))
        layout.theme = static_cast<ThemeChoice>(theme);
    return layout;
}

void WindowState::saveLayout(const WindowLayout& layout) const {
    QSettings settings(m_configFile, QSettings::IniFormat);
    settings.setValue(kVersion, kLayoutVersion);
    settings.setValue(kGeometry, layout.geometry);
    settings.setValue(kRows, fromSizes(layout.rows));
    settings.setValue(kColumns, fromSizes(layout.columns));
    settings.setValue(kInspector, layout.inspectorShown);
    settings.setValue(kBottom, layout.bottomShown);
    settings.setValue(kTheme, static_cast<int>(layout.theme));
    settings.setValue(kText, layout.textPercent);
    settings.setValue(kMotion, layout.reducedMotion);
    settings.setValue(kWheel, layout.plainWheelZooms);
    settings.setValue(kFrames, layout.frameTimes);
}

QString WindowState::lanesFile() const {
    return QFileInfo(m_configFile).absolutePath() + u"/lanes.json"_s;
}

QMap<QString, QString> WindowState::keys() const {
    QSettings settings(m_configFile, QSettings::IniFormat);
    settings.beginGroup(kKeys);
    QMap<QString, QString> keys;
    for (const QString& id : settings.childKeys())
        keys[id] = settings.value(id).toString();
    return keys;
}

void WindowState::saveKeys(const QMap<QString, QString>& keys) const {
    QSettings settings(m_configFile, QSettings::IniFormat);
    settings.remove(kKeys);
    settings.beginGroup(kKeys);
    for (auto key = keys.cbegin(); key != keys.cend(); ++key)
        settings.setValue(key.key(), key.value());
}

bool WindowState::hintsDone() const {
    return QSettings(m_configFile, QSettings::IniFormat).value(kHints).toBool();
}

void WindowState::setHintsDone() const {
    QSettings(m_configFile, QSettings::IniFormat).setValue(kHints, true);
}

QString WindowState::autosaveFolder() const {
    return QFileInfo(m_stateFile).absolutePath() + u"/autosave"_s;
}

QString WindowState::lockFolder() const {
    return QFileInfo(m_stateFile).absolutePath() + u"/locks"_s;
}

std::vector<RecentFile> WindowState::recentFiles() const {
    m_writing->waitForDone();
    return readRecent(m_stateFile);
}

void WindowState::addRecent(const RecentFile& file) const {
    if (remembersRecent())
        m_writing->start([stateFile = m_stateFile, file] { writeRecent(stateFile, file); });
}

QString WindowState::nsysProgram() const {
    return QSettings(m_configFile, QSettings::IniFormat).value(kNsys).toString();
}

void WindowState::setNsysProgram(const QString& program) const {
    QSettings settings(m_configFile, QSettings::IniFormat);
    if (program.isEmpty())
        settings.remove(kNsys);
    else
        settings.setValue(kNsys, program);
}

void WindowState::clearRecent() const {
    m_writing->waitForDone();
    QSettings settings(m_stateFile, QSettings::IniFormat);
    settings.remove(kRecent);
    if (const QString list = desktopListFor(m_stateFile); !list.isEmpty())
        removeFromDesktopRecent(list);
}

bool WindowState::remembersRecent() const {
    return QSettings(m_configFile, QSettings::IniFormat).value(kRemembers, true).toBool();
}

void WindowState::setRemembersRecent(bool on) const {
    QSettings settings(m_configFile, QSettings::IniFormat);
    if (on) {
        settings.remove(kRemembers);
        return;
    }
    settings.setValue(kRemembers, false);
    clearRecent();
}

} // namespace lacuna::ui
