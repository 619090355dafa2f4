#include "app/verbs/offscreen_application.h"

#include <QLoggingCategory>

namespace lacuna::ui {

OffscreenApplication::OffscreenApplication() {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    m_application.emplace(m_argc, m_argv.data());
}

} // namespace lacuna::ui
