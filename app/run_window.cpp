#include "app/run_window.h"

#include "app/main_window.h"
#include "app/status_line.h"
#include "widgets/text.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

namespace lacuna::ui {

namespace {

constexpr int kNoDisplay = 3;

bool hasDisplay() {
#ifdef Q_OS_UNIX
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name))
            return true;
    return false;
#else
    return true;
#endif
}

// The pictures that an installation puts into the icon theme, so that it shows without one too.
QIcon windowIcon() {
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addFile(u":/lacuna/icons/png/lacuna-%1.png"_s.arg(size), QSize(size, size));
    return icon;
}

} // namespace

int runWindow(int& argc, char** argv, const WindowOptions& options) {
    if (!hasDisplay()) { // Qt would abort
        std::fprintf(stderr, "lacuna: no display to open a window on.\n"
                             "Set DISPLAY or WAYLAND_DISPLAY, or use a verb: lacuna --help lists them.\n");
        return kNoDisplay;
    }
    QApplication application(argc, argv);
    // Desktops find the entry of a window by its class on X11 (StartupWMClass), which Qt takes from the name
    // of the application when the first window is made; people and screen readers get the short name.
    QApplication::setApplicationName(QStringLiteral(LACUNA_APP_ID));
    QApplication::setApplicationVersion(QStringLiteral(LACUNA_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral(LACUNA_APP_ID));
    QApplication::setWindowIcon(windowIcon());
    ThemeControl theme;
    MainWindow window(WindowState::standard(), theme);
    window.show();
    QApplication::setApplicationName(u"lacuna"_s);
    if (options.files.size() > 1)
        window.statusLine().showMessage(
            MainWindow::tr("The first of %1 files is opened.").arg(options.files.size()));
    const QString file = options.files.empty() ? QString() : QString::fromStdString(options.files.front());
    const QString member = QString::fromStdString(options.member);
    if (!options.workspace.empty())
        window.openWorkspace(QString::fromStdString(options.workspace), file, options.goTo, member);
    else if (!file.isEmpty())
        window.open(file, options.goTo, member);
    return QApplication::exec();
}

} // namespace lacuna::ui
