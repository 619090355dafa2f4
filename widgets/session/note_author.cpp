#include "widgets/session/note_author.h"

#include <QDateTime>

#ifdef Q_OS_UNIX
#include <pwd.h>
#include <unistd.h>
#endif

namespace lacuna::ui {

void sign(Callout& note) {
    sign(note.author, note.written);
}

void sign(std::string& author, std::string& written) {
    for (const char* name : {"LOGNAME", "USER", "USERNAME"})
        if (author.empty())
            author = qEnvironmentVariable(name).toStdString();
#ifdef Q_OS_UNIX
    if (author.empty())
        if (const passwd* user = getpwuid(getuid()); user != nullptr)
            author = user->pw_name;
#endif
    written = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

} // namespace lacuna::ui
