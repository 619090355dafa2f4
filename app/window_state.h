#pragma once
// What the window remembers between runs: the only user of QSettings. Geometry and layout lie in the
// configuration folder, the list of recent files in the state folder. Per-trace state is never kept here.
//
// A file that was opened is written down by a thread of its own, one after the other: two lists are replaced
// and synced, which a busy disk makes longer than a frame. Whatever reads or clears the list waits for that,
// and so does the last copy of the state before it goes.

#include "widgets/states/start_page.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSize>
#include <QString>
#include <QThreadPool>

#include <array>
#include <memory>
#include <vector>

namespace lacuna::ui {

enum class ThemeChoice : std::uint8_t { Follow, Light, Dark, HighContrast };

struct WindowLayout {
    QByteArray geometry;
    QList<int> rows, columns; // sizes of the splitters; empty: default
    bool inspectorShown = true, bottomShown = true;
    ThemeChoice theme = ThemeChoice::Follow;
    int textPercent = 100; // size of everything, kTextSizes
    bool reducedMotion = false, plainWheelZooms = false, frameTimes = true;
};

// 960 x 600; larger text leaves fewer of its pixels on the same screen.
QSize leastWindowSize(int textPercent);

inline constexpr std::array kTextSizes{75, 90, 100, 110, 125, 150, 175, 200};

class WindowState {
public:
    // Files in $XDG_CONFIG_HOME/lacuna and $XDG_STATE_HOME/lacuna.
    static WindowState standard();
    // Both files in one folder, for tests.
    static WindowState inFolder(const QString& folder);

    // Of another version: the defaults.
    WindowLayout layout() const;
    void saveLayout(const WindowLayout& layout) const;

    // Where lanes of projects are remembered (core/document/lane_memory.h).
    QString lanesFile() const;
    // Keys that a person chose: id of a command -> keys as text.
    QMap<QString, QString> keys() const;
    void saveKeys(const QMap<QString, QString>& keys) const;

    bool hintsDone() const; // of the first run
    void setHintsDone() const;

    // Where unsaved notes are kept for a crash.
    QString autosaveFolder() const;
    // Where it is noted which program has a workspace open.
    QString lockFolder() const;

    std::vector<RecentFile> recentFiles() const;  // latest first
    void addRecent(const RecentFile& file) const; // nothing while they are not to be remembered
    void clearRecent() const;
    bool remembersRecent() const;
    void setRemembersRecent(bool on) const; // off: forgets those that are there

    // Program that exports reports; empty: the one that is found.
    QString nsysProgram() const;
    void setNsysProgram(const QString& program) const;

    static constexpr std::size_t kMaxRecent = 12;

private:
    WindowState(QString configFile, QString stateFile);
    QString m_configFile, m_stateFile;
    std::shared_ptr<QThreadPool> m_writing; // one thread; shared by copies
};

} // namespace lacuna::ui
