#include "widgets/session/note_author.h"

#include <QDateTime>

#ifdef Q_OS_UNIX
#include <pwd.h>
#include <unistd.h>
#endif

namespace lacuna::ui {

void sign(Callout& note) {
    for (const char* name : {"LOGNAME", "USER", "USERNAME"})
        if (note.author.empty())
            note.author = qEnvironmentVariable(name).toStdString();
#ifdef Q_OS_UNIX
    if (note.author.empty())
        if (const passwd* user = getpwuid(getuid()); user != nullptr)
            note.author = user->pw_name;
#endif
    note.written = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

} // namespace lacuna::ui
