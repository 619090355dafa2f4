#include "app/run_window.h"

#include "app/main_window.h"
#include "app/status_line.h"
#include "widgets/text.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>

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

// Two blocks of work with a gap between them.
QIcon windowIcon() {
    QIcon icon;
    const ThemePalette palette = ThemePalette::of(Theme::Light);
    for (const int size : {16, 32, 64, 128}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const double u = size / 16.0;
        painter.setBrush(palette.color(Ink::Kernel));
        painter.drawRoundedRect(QRectF(u, 4 * u, 4 * u, 8 * u), u, u);
        painter.drawRoundedRect(QRectF(11 * u, 4 * u, 4 * u, 8 * u), u, u);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette.color(Ink::Gap), 1.2 * u));
        painter.drawRect(QRectF(6 * u, 4.6 * u, 4 * u, 6.8 * u));
        painter.end();
        icon.addPixmap(pixmap);
    }
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
    QApplication::setApplicationName(u"lacuna"_s);
    QApplication::setApplicationVersion(QStringLiteral(LACUNA_VERSION));
    QGuiApplication::setDesktopFileName(u"io.github.lacuna_viewer.Lacuna"_s);
    QApplication::setWindowIcon(windowIcon());
    ThemeControl theme;
    MainWindow window(WindowState::standard(), theme);
    window.show();
    if (options.files.size() > 1)
        window.statusLine().showMessage(
            MainWindow::tr("The first of %1 files is opened.").arg(options.files.size()));
    if (!options.files.empty())
        window.open(QString::fromStdString(options.files.front()), options.goTo,
                    QString::fromStdString(options.member));
    return QApplication::exec();
}

} // namespace lacuna::ui
