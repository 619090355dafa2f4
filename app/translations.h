#pragma once
// The language of the window: lacuna_<language>.qm in a folder lacuna/translations below the data folders
// ($XDG_DATA_HOME, $XDG_DATA_DIRS). README says how to make one. Command line and figures stay English.

#include <QLocale>
#include <QStringList>

class QCoreApplication;

namespace lacuna::ui {

// Where translations are looked for, the user's own first.
QStringList translationFolders();
// Installs the first that fits one of the locale's languages, and Qt's own texts with it. False: there is
// none, and all stays English. The application owns what is installed.
bool installTranslations(QCoreApplication& application, const QStringList& folders, const QLocale& locale);

} // namespace lacuna::ui
