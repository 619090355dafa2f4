// Application of the widget tests: no display, settings and folders of tests.

#include <QApplication>
#include <QStandardPaths>

#include <memory>

namespace lacuna::test {

std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    return std::make_unique<QApplication>(argc, argv);
}

} // namespace lacuna::test
