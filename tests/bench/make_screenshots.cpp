// make_screenshots FOLDER: the pictures of README, help and metainfo, of the window as it is. Needs no
// display; what is on them comes from the fixtures of this checkout. `mogrify +dither -colors 256` makes
// those of the window a third as large.

#include "tests/support/paths.h"
#include "tests/support/window_fixture.h"
#include "widgets/english_plurals.h"
#include "widgets/figure/render_verb.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPainter>
#include <QStandardPaths>
#include <QTreeWidget>

#include <cstdio>
#include <cstdlib>

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

constexpr QSize kWindow(1600, 900);
QDir folder;

void settle() {
    QTest::qWait(1'500); // jobs of panels have ended long before
}

void save(const QPixmap& picture, const QString& name) {
    if (!picture.toImage().convertToFormat(QImage::Format_RGB32).save(folder.filePath(name), "png", 0)) {
        std::fprintf(stderr, "make_screenshots: %s could not be written\n", qPrintable(name));
        std::exit(1);
    }
}

class Shots {
public:
    Shots(ThemeChoice theme, const std::filesystem::path& trace)
        : m_suffix(theme == ThemeChoice::Dark ? u"_dark.png"_s : u"_light.png"_s) {
        m_fixture.theme().choose(theme);
        m_fixture.window().resize(kWindow);
        if (!m_fixture.open(trace))
            std::fprintf(stderr, "make_screenshots: %s is read in part only\n", trace.c_str());
        settle();
    }
    WindowFixture& fixture() { return m_fixture; }
    void run(const char* command) {
        m_fixture.window().commands().run(QString::fromLatin1(command));
        settle();
    }
    void window(const QString& name) { save(m_fixture.window().grab(), name + m_suffix); }
    void crop(const QString& name, const QRect& area) {
        save(m_fixture.window().grab(area), name + m_suffix);
    }
    void inspector(const QString& name) {
        const QWidget* panel = m_fixture.window().panel(u"inspector"_s);
        crop(name, {panel->mapTo(&m_fixture.window(), QPoint(0, 0)), panel->size()});
    }
    void bottom(const QString& name, int height) {
        crop(name, {0, kWindow.height() - height, kWindow.width(), height});
    }
    // A dialog or popover that a command opens, alone.
    void dialog(const char* command, const QString& name) {
        run(command);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->isVisible() && top != &m_fixture.window()) {
                save(top->grab(), name + m_suffix);
                top->close();
                return;
            }
    }

private:
    QString m_suffix;
    WindowFixture m_fixture;
};

void fromTorch(ThemeChoice theme) {
    Shots shots(theme, test::itemSync());
    MainWindow& window = shots.fixture().window();
    shots.inspector(u"findings"_s);
    shots.run("gaps.next");
    shots.window(u"window"_s);
    shots.inspector(u"verdict"_s);
    shots.dialog("file.export", u"export"_s);
    shots.fixture().showTab(u"Flame graph"_s);
    settle();
    shots.bottom(u"flame"_s, 260);
    shots.fixture().showTab(u"Reports"_s);
    auto* names = window.findChild<QTreeWidget*>(u"reportNames"_s);
    for (QTreeWidgetItem* item : names->findItems(u"cuda_gpu_kern_sum"_s, Qt::MatchExactly))
        names->setCurrentItem(item);
    settle();
    shots.bottom(u"reports"_s, 260);
    shots.fixture().showTab(u"Kernels"_s);
    settle();
    auto* table = window.findChild<ReportTableView*>(u"kernelTable"_s);
    table->setCurrentIndex(table->model()->index(0, 0));
    shots.run("view.kernel");
    shots.window(u"kernel"_s);
}

// The gap, the sleep inside it, and the chip of the range.
void fromNsight() {
    Shots shots(ThemeChoice::Dark, test::fixture("captured/nsys/stall.sqlite"));
    shots.run("gaps.next");
    shots.window(u"stall"_s);
}

// A file that was cut: the list of notes lies over the window.
void damaged() {
    QTemporaryDir place;
    const QString cut = place.filePath(u"cut.json"_s);
    QFile whole(QString::fromStdString(test::fixture("micro/M1.json").string())), part(cut);
    if (!whole.open(QIODevice::ReadOnly) || !part.open(QIODevice::WriteOnly))
        return;
    part.write(whole.readAll().chopped(60));
    part.close();
    Shots shots(ThemeChoice::Light, cut.toStdString());
    shots.run("view.notes");
    MainWindow& window = shots.fixture().window();
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* top : QApplication::topLevelWidgets())
        if (top->isVisible() && top != &window)
            painter.drawPixmap(window.mapFromGlobal(top->mapToGlobal(QPoint())), top->grab());
    painter.end();
    save(picture, u"notes_light.png"_s);
}

void figure() {
    RenderOptions options;
    options.file = test::itemSync().string();
    options.output = folder.filePath(u"figure.png"_s).toStdString();
    options.gap = 2;
    options.size = "1600x690";
    std::string messages;
    if (renderVerb(options, messages) != 0)
        std::fprintf(stderr, "%s", messages.c_str());
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_screenshots FOLDER\n");
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("LACUNA_CACHE", "off");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    installEnglishPlurals(application);
    folder = QDir(QString::fromLocal8Bit(argv[1]));
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark})
        fromTorch(theme);
    fromNsight();
    damaged();
    figure();
    return 0;
}
