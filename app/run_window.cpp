#include "app/run_window.h"

#include "app/desktop_motion.h"
#include "app/document_tabs.h"
#include "app/leave_watch.h"
#include "app/open_work.h"
#include "app/theme_control.h"
#include "app/translations.h"
#include "app/window_state.h"
#include "widgets/english_plurals.h"
#include "widgets/text.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>

#include <cstdio>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kNoDisplay = 3, kInterrupted = 130;
constexpr int kAgain = -1; // no exit code of the process

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

// Text with all that is measured by it, on top of what the desktop asks for. Qt reads it when an application
// begins.
void scaleText(const QByteArray& given, int percent) {
    constexpr int kWhole = 100;
    bool isNumber = false;
    const double asked = given.toDouble(&isNumber);
    if (percent == kWhole && given.isEmpty())
        qunsetenv("QT_SCALE_FACTOR");
    else
        qputenv("QT_SCALE_FACTOR",
                QByteArray::number((isNumber && asked > 0 ? asked : 1.0) * percent / kWhole));
}

// Absolute, since another process has another folder.
QString absolutePath(const std::string& file) {
    return file.empty() || file == "-" ? QString::fromStdString(file)
                                       : QFileInfo(QString::fromStdString(file)).absoluteFilePath();
}

Handover handoverOf(const WindowOptions& options) {
    Handover handover;
    for (const std::string& file : options.files)
        handover.files << absolutePath(file);
    handover.workspace = absolutePath(options.workspace);
    handover.goTo = QString::fromStdString(options.goTo);
    handover.member = QString::fromStdString(options.member);
    return handover;
}

// One life of the application. With another text size it ends with kAgain, and `work` holds what was open.
int runOnce(int& argc, char** argv, const WindowOptions& options, bool isFirst, DocumentTabs::Work& work) {
    QApplication application(argc, argv);
    // Desktops find the entry of a window by its class on X11 (StartupWMClass), which Qt takes from the name
    // of the application when the first window is made; people and screen readers get the short name.
    QApplication::setApplicationName(QStringLiteral(LACUNA_APP_ID));
    QApplication::setApplicationVersion(QStringLiteral(LACUNA_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral(LACUNA_APP_ID));
    QApplication::setWindowIcon(windowIcon());
    installEnglishPlurals(application);
    installTranslations(application, translationFolders(), QLocale::system());
    const Handover handover = handoverOf(options);
    SingleInstance instance(SingleInstance::standardName());
    const bool isAlone = options.newWindow || handover.files.contains(u"-"_s); // only we can read our input
    if (isFirst && !isAlone && instance.handOver(handover))
        return 0;
    ThemeControl theme;
    const DesktopMotion motion;
    QObject::connect(&motion, &DesktopMotion::changed, &theme,
                     [&] { theme.setDesktopMotion(motion.isReduced()); });
    DocumentTabs window(WindowState::standard(), theme, std::exchange(work, {}));
    QObject::connect(&window, &DocumentTabs::textSizeChanged, &window, [] { QApplication::exit(kAgain); });
    const LeaveWatch signals;
    QObject::connect(&signals, &LeaveWatch::asked, &window, [&window] {
        window.leave();
        QApplication::exit(kInterrupted);
    });
    window.QWidget::show();
    QApplication::setApplicationName(u"lacuna"_s);
    if (!isAlone && instance.listen())
        QObject::connect(&instance, &SingleInstance::received, &window, &DocumentTabs::take);
    if (isFirst && (!handover.files.isEmpty() || !handover.workspace.isEmpty()))
        window.take(handover);
    const int code = QApplication::exec();
    if (code == kAgain)
        work = window.takeWork();
    return code;
}

} // namespace

int runWindow(int& argc, char** argv, const WindowOptions& options) {
    if (!hasDisplay()) { // Qt would abort
        std::fprintf(stderr, "lacuna: no display to open a window on.\n"
                             "Set DISPLAY or WAYLAND_DISPLAY, or use a verb: lacuna --help lists them.\n");
        return kNoDisplay;
    }
    const QByteArray givenScale = qgetenv("QT_SCALE_FACTOR");
    DocumentTabs::Work work;
    int code = kAgain;
    for (bool isFirst = true; code == kAgain; isFirst = false) {
        scaleText(givenScale, WindowState::standard().layout().textPercent);
        code = runOnce(argc, argv, options, isFirst, work);
    }
    return code;
}

} // namespace lacuna::ui
