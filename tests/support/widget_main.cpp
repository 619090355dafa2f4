// Application of the widget tests: no display, settings and folders of tests.

#include "widgets/english_plurals.h"

#include <QApplication>
#include <QStandardPaths>

#include <memory>

namespace lacuna::test {

std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    auto application = std::make_unique<QApplication>(argc, argv);
    ui::installEnglishPlurals(*application);
    return application;
}

} // namespace lacuna::test
