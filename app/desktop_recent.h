#pragma once
// The desktop's list of recent files (Desktop Bookmark Specification), which file managers and other programs
// show. It belongs to all programs: what others wrote there is kept to the letter, a list that cannot be read
// is left alone, and it is replaced whole or not at all.

#include <QDateTime>
#include <QString>

namespace lacuna::ui {

// $XDG_DATA_HOME/recently-used.xbel; empty on systems without such a list.
QString desktopRecentList();

// False when the list could not be read or written.
bool addToDesktopRecent(const QString& list, const QString& file, const QDateTime& when);
// Entries of other programs for the same files stay.
bool removeFromDesktopRecent(const QString& list);

} // namespace lacuna::ui
