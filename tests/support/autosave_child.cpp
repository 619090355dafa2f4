// The program that tst_autosave kills: makes a note every few milliseconds, autosaves every 0.2 s, saves the
// workspace now and then, and tells on standard output what it has done. Times are its own clock's. Without a
// workspace it neither saves nor autosaves, and leaves by a signal as the program does.

#include "app/autosave_control.h"
#include "app/leave_watch.h"
#include "app/main_window.h"
#include "app/theme_control.h"
#include "core/view/row_layout.h"
#include "widgets/session/annotation_commands.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <cstdio>

using namespace lacuna;
using namespace lacuna::ui;

namespace {

constexpr int kIntervalMs = 200, kNoteMs = 11, kNotesPerSave = 60, kInterrupted = 130;

void tell(const char* what, std::size_t notes, qint64 ms) {
    std::printf("%s %zu %lld\n", what, notes, static_cast<long long>(ms));
    std::fflush(stdout);
}

} // namespace

// Arguments: folder of the state, trace, workspace file if any.
int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc != 3 && argc != 4)
        return 2;
    const bool saves = argc == 4;
    ThemeControl theme;
    MainWindow window(WindowState::inFolder(QString::fromLocal8Bit(argv[1])), theme);
    window.setLossQuestion([] { return true; });
    if (saves)
        window.autosave().setInterval(kIntervalMs);
    QTimer timer;
    const LeaveWatch signals;
    QObject::connect(&signals, &LeaveWatch::asked, &window, [&] {
        timer.stop(); // nobody writes notes while the program leaves
        window.leave();
        QApplication::exit(kInterrupted);
    });
    window.show();
    AnalysisSession& session = window.session();
    const QString file = saves ? QString::fromLocal8Bit(argv[3]) : QString();
    QElapsedTimer clock;
    clock.start();
    const auto notes = [&session] { return session.annotations().callouts().size(); };
    std::size_t asked = 0; // notes when the save was asked for
    QObject::connect(&window.autosave(), &AutosaveControl::written, &window,
                     [&] { tell("autosaved", notes(), clock.elapsed()); });
    QObject::connect(&window.workspace(), &WorkspaceControl::saved, &window,
                     [&] { tell("saved", notes(), clock.elapsed()); });
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        Callout callout;
        callout.laneKey = laneKey(session.document()->trace(), LaneId{0});
        callout.time = {static_cast<std::int64_t>(notes()) * 10};
        callout.text = "note " + std::to_string(notes() + 1);
        session.undoStack().push(
            new EditAnnotations(session, AnnotationEdit::add(callout), QStringLiteral("note")));
        tell("note", notes(), clock.elapsed());
        if (saves && notes() - asked >= kNotesPerSave) {
            asked = notes();
            window.workspace().save(file);
        }
    });
    QObject::connect(&session, &AnalysisSession::loadEnded, &window, [&] { timer.start(kNoteMs); });
    window.open(QString::fromLocal8Bit(argv[2]));
    return QApplication::exec();
}
