#include "widgets/session/document_title.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace lacuna::ui {

QString titleOf(const Document& document) {
    const QString name = displayName(document.path);
    return document.member.isEmpty() ? name
                                     : QCoreApplication::translate("DocumentTabs", "%1 (%2)")
                                           .arg(QFileInfo(document.member).fileName(), name);
}

} // namespace lacuna::ui
