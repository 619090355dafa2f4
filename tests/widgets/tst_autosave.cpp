// Notes survive a crash: a program that makes notes is killed at random moments.

#include "app/autosave_control.h"
#include "app/read_choice.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/states/banner.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QPushButton>

#include <csignal>
#include <fstream>

namespace tst_autosave {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

constexpr qint64 kIntervalMs = 200; // of the child

// What a killed child told.
struct Told {
    std::size_t notes = 0, autosaved = 0, saved = 0;
    std::vector<qint64> noteAt; // ms of the child, by note
    qint64 longestPause = 0;    // between two lines: how late its timers were
};

Told toldBy(const QByteArray& output) {
    Told told;
    qint64 last = -1;
    for (const QByteArray& line : output.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() != 3 || !output.contains(line + '\n'))
            continue; // the line that the kill cut
        const auto count = static_cast<std::size_t>(words[1].toULongLong());
        const qint64 at = words[2].toLongLong();
        if (last >= 0)
            told.longestPause = std::max(told.longestPause, at - last);
        last = at;
        if (words[0] == "note") {
            told.notes = count;
            told.noteAt.resize(count, at);
        }
        if (words[0] == "autosaved")
            told.autosaved = count;
        if (words[0] == "saved")
            told.saved = count;
    }
    return told;
}

std::size_t notesIn(const QString& file) {
    const auto workspace = Workspace::read(file.toStdString());
    return workspace ? workspace->callouts.size() : 0;
}

QStringList autosaves(const QString& folder) {
    return QDir(folder + QStringLiteral("/autosave")).entryList({QStringLiteral("*.lacuna")}, QDir::Files);
}

void addNote(AnalysisSession& session, const char* text) {
    Callout callout;
    callout.laneKey = laneKey(session.document()->trace(), LaneId{0});
    callout.text = text;
    session.undoStack().push(
        new EditAnnotations(session, AnnotationEdit::add(callout), QStringLiteral("note")));
}

QString visibleBar(MainWindow& window) {
    return window.autosave().bar()->isVisible()
               ? window.autosave().bar()->findChild<QLabel*>(QStringLiteral("bannerMessage"))->text()
               : QString();
}

} // namespace

class TstAutosave : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // LACUNA_KILLS: how often; a run by hand or of the slow tests does a hundred.
    void killedAtRandomMoments() {
        const int kills = std::max(1, qEnvironmentVariableIntValue("LACUNA_KILLS"));
        const int rounds = qEnvironmentVariableIsSet("LACUNA_KILLS") ? kills : 5;
        test::RandomSource random(static_cast<std::uint64_t>(QDateTime::currentMSecsSinceEpoch()));
        std::size_t lostMost = 0;
        for (int round = 0; round < rounds; ++round) {
            const QTemporaryDir folder;
            const QString trace = folder.filePath(QStringLiteral("M1.json"));
            const QString saved = folder.filePath(QStringLiteral("notes.lacuna"));
            QVERIFY(QFile::copy(QString::fromStdString(test::fixture("micro/M1.json").string()), trace));
            QProcess child;
            child.start(QStringLiteral(LACUNA_AUTOSAVE_CHILD), {folder.path(), trace, saved});
            QByteArray output;
            while (!output.contains("note") && child.waitForReadyRead(60'000))
                output += child.readAllStandardOutput();
            QVERIFY2(output.contains("note"), child.readAllStandardError().constData());
            QTest::qWait(static_cast<int>(random.between(0, 1'500)));
            child.kill();
            QVERIFY(child.waitForFinished(60'000));
            const Told told = toldBy(output + child.readAllStandardOutput());

            // A saved file is whole, and holds what was saved.
            if (told.saved > 0)
                QVERIFY(notesIn(saved) >= told.saved);
            std::size_t kept = notesIn(saved);
            for (const QString& file : autosaves(folder.path())) {
                const QString path = folder.path() + QStringLiteral("/autosave/") + file;
                QVERIFY(Workspace::read(path.toStdString()));
                kept = std::max(kept, notesIn(path));
            }
            QVERIFY(kept >= std::max(told.autosaved, told.saved));
            // Lost is at most what was made in one interval, and while the child was late.
            lostMost = std::max(lostMost, told.notes - std::min(told.notes, kept));
            if (kept < told.notes)
                QVERIFY2(told.noteAt.back() - told.noteAt[kept] <= kIntervalMs + 2 * told.longestPause,
                         qPrintable(QStringLiteral("lost %1 notes").arg(told.notes - kept)));
            if (round + 1 == rounds)
                offersThem(folder.path(), trace, kept, notesIn(saved));
        }
        qInfo("at most %zu notes lost", lostMost);
    }

    // Interval of 30 s: what is kept was written because of the signal, to the last note.
    void signalsKeepEverything_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void signalsKeepEverything() {
        QFETCH(int, number);
        const QTemporaryDir folder;
        const QString trace = QString::fromStdString(test::fixture("micro/M1.json").string());
        QProcess child;
        child.start(QStringLiteral(LACUNA_AUTOSAVE_CHILD), {folder.path(), trace});
        QByteArray output;
        while (!output.contains("note 3 ") && child.waitForReadyRead(60'000))
            output += child.readAllStandardOutput();
        QVERIFY2(output.contains("note 3 "), child.readAllStandardError().constData());
        QVERIFY(autosaves(folder.path()).isEmpty());
        QCOMPARE(::kill(static_cast<pid_t>(child.processId()), number), 0);
        QVERIFY(child.waitForFinished(60'000));
        QCOMPARE(child.exitStatus(), QProcess::NormalExit);
        QCOMPARE(child.exitCode(), 130);
        const Told told = toldBy(output + child.readAllStandardOutput());
        QCOMPARE(autosaves(folder.path()).size(), qsizetype(1));
        QCOMPARE(notesIn(folder.path() + QStringLiteral("/autosave/") + autosaves(folder.path()).front()),
                 told.notes);
    }

    // Notes on a file that was read otherwise come back in those times.
    void notesOfAnotherReading_bringItBack() {
        QTemporaryDir folder;
        const QString trace = folder.filePath(QStringLiteral("ns.json"));
        std::ofstream(trace.toStdString()) << test::objectForm(
            test::q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':0,'dur':2000000,"
                    "'args':{'device':0,'stream':7}}"));
        const auto lengthNs = [](MainWindow& window) {
            const Document* document = window.session().document();
            return document == nullptr ? std::int64_t{0} : document->trace().window().length().v;
        };
        ThemeControl theme;
        QString kept;
        QByteArray text;
        {
            MainWindow window(WindowState::inFolder(folder.path()), theme);
            window.setLossQuestion([] { return true; });
            window.show();
            window.open(trace);
            QTRY_COMPARE_WITH_TIMEOUT(lengthNs(window), std::int64_t{2'000'000'000}, 20'000);
            ReadChoice::of(window.session()).readAgain({true, false});
            QTRY_COMPARE_WITH_TIMEOUT(lengthNs(window), std::int64_t{2'000'000}, 20'000);
            window.autosave().setInterval(10);
            addNote(window.session(), "one");
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder.path()).size(), qsizetype(1), 20'000);
            kept = folder.path() + QStringLiteral("/autosave/") + autosaves(folder.path()).front();
            QFile file(kept);
            QVERIFY(file.open(QIODevice::ReadOnly));
            text = file.readAll();
        }
        QFile crashed(kept); // as a crash leaves it
        QVERIFY(crashed.open(QIODevice::WriteOnly));
        crashed.write(text);
        crashed.close();
        MainWindow window(WindowState::inFolder(folder.path()), theme);
        window.show();
        window.open(trace);
        QTRY_COMPARE_WITH_TIMEOUT(lengthNs(window), std::int64_t{2'000'000}, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(window.session().annotations().callouts().size(), std::size_t{1}, 20'000);
        QVERIFY(visibleBar(window).startsWith(QStringLiteral("Unsaved notes from today ")));
    }

    void savedAndGivenUpNotesAreNotKept() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::fixture("micro/M1.json")));
        fixture.window().autosave().setInterval(10);
        addNote(fixture.session(), "one");
        QTRY_COMPARE(autosaves(fixture.folder()).size(), qsizetype(1));
        QSignalSpy saved(&fixture.window().workspace(), &WorkspaceControl::saved);
        fixture.window().workspace().save(fixture.folder() + QStringLiteral("/a.lacuna"));
        QVERIFY(saved.wait(60'000));
        QVERIFY(autosaves(fixture.folder()).isEmpty());
        addNote(fixture.session(), "two");
        QTRY_COMPARE(autosaves(fixture.folder()).size(), qsizetype(1));
        fixture.session().close(); // the window has asked before
        QVERIFY(autosaves(fixture.folder()).isEmpty());
    }

    void nothingIsWrittenWithoutNotes() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::fixture("micro/M1.json")));
        fixture.window().autosave().writeNow();
        fixture.view().zoomAt(2, 10);
        fixture.window().autosave().writeNow();
        QVERIFY(!QDir(fixture.folder() + QStringLiteral("/autosave")).exists());
    }

    void focusLossWrites() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::fixture("micro/M1.json")));
        addNote(fixture.session(), "one");
        const auto lose = [&] { // until the hash of the file is known
            QEvent away(QEvent::WindowDeactivate);
            QApplication::sendEvent(&fixture.window(), &away);
            return autosaves(fixture.folder()).size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(lose(), qsizetype(1), 60'000);
        QCOMPARE(
            notesIn(fixture.folder() + QStringLiteral("/autosave/") + autosaves(fixture.folder()).front()),
            std::size_t{1});
    }

    void whatAnotherWindowHasUnsavedStaysItsOwn() {
        WindowFixture first;
        QVERIFY(first.open(test::fixture("micro/M1.json")));
        first.window().autosave().setInterval(10);
        addNote(first.session(), "mine");
        QTRY_COMPARE(autosaves(first.folder()).size(), qsizetype(1));
        MainWindow second(first.state(), first.theme());
        QSignalSpy ended(&second.session(), &AnalysisSession::loadEnded);
        second.show();
        second.open(QString::fromStdString(test::fixture("micro/M1.json").string()));
        QVERIFY(ended.wait(60'000));
        QTest::qWait(200);
        QVERIFY(second.session().annotations().isEmpty());
        second.autosave().setInterval(10);
        addNote(second.session(), "other");
        QTRY_COMPARE(autosaves(first.folder()).size(), qsizetype(2));
    }

    void whenIsSaidInWords() {
        const QDateTime now(QDate(2026, 11, 30), QTime(9, 5));
        QCOMPARE(recoveredWhen(QDateTime(QDate(2026, 11, 30), QTime(8, 42)), now),
                 QStringLiteral("today 08:42"));
        QCOMPARE(recoveredWhen(QDateTime(QDate(2026, 11, 29), QTime(18, 42)), now),
                 QStringLiteral("yesterday 18:42"));
        QCOMPARE(recoveredWhen(QDateTime(QDate(2026, 11, 27), QTime(18, 42)), now),
                 QStringLiteral("2026-11-27 18:42"));
    }

private:
    // The next start offers the notes, once: keep and save them, or discard them.
    static void offersThem(const QString& folder, const QString& trace, std::size_t kept,
                           std::size_t inFile) {
        if (kept <= inFile)
            return; // all was saved
        ThemeControl theme;
        const auto open = [&](MainWindow& window) {
            QSignalSpy ended(&window.session(), &AnalysisSession::loadEnded);
            window.setLossQuestion([] { return true; });
            window.show();
            window.open(trace);
            while (ended.isEmpty() && ended.wait(60'000)) {
            }
        };
        {
            MainWindow window(WindowState::inFolder(folder), theme);
            open(window);
            QTRY_VERIFY(visibleBar(window).startsWith(QStringLiteral("Unsaved notes from today ")));
            QCOMPARE(window.session().annotations().callouts().size(), kept);
            QVERIFY(!window.session().undoStack().isClean());
            window.autosave().bar()->findChildren<QPushButton*>().back()->click(); // discard
            QVERIFY(window.session().annotations().isEmpty());
            QVERIFY(window.session().undoStack().isClean());
            QVERIFY(autosaves(folder).isEmpty());
        }
        MainWindow window(WindowState::inFolder(folder), theme);
        open(window);
        QTest::qWait(100);
        QVERIFY(visibleBar(window).isEmpty());
    }
};

LACUNA_TEST(TstAutosave, "tst_autosave")

} // namespace tst_autosave

#include "tst_autosave.moc"
