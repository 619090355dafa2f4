#include "app/translations.h"

#include "widgets/text.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QStandardPaths>
#include <QTranslator>

#include <memory>

namespace lacuna::ui {

QStringList translationFolders() {
    return QStandardPaths::locateAll(QStandardPaths::GenericDataLocation, u"lacuna/translations"_s,
                                     QStandardPaths::LocateDirectory);
}

bool installTranslations(QCoreApplication& application, const QStringList& folders, const QLocale& locale) {
    const auto install = [&](const QString& name, const QString& folder) {
        auto translator = std::make_unique<QTranslator>(&application);
        if (!translator->load(locale, name, u"_"_s, folder))
            return false;
        QCoreApplication::installTranslator(translator.release()); // a child of the application
        return true;
    };
    for (const QString& folder : folders)
        if (install(u"lacuna"_s, folder)) {
            install(u"qtbase"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)); // where it is installed
            return true;
        }
    return false;
}

} // namespace lacuna::ui
