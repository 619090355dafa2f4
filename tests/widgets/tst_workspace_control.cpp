// Saving, opening and dropping of workspaces in the window.

#include "app/read_choice.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/export/export_dialog.h"

#include <QFile>
#include <QFileInfo>

#include <cstdlib>
#include <fstream>

namespace tst_workspace_control {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

constexpr const char* kTrace = "captured/torch/item_sync.pt.trace.json.gz";

Callout noteAt(std::int64_t ns) {
    Callout note;
    note.laneKey = "lane/gpu_stream/0/7";
    note.time = {ns};
    note.title = "A note";
    return note;
}

void addNote(WindowFixture& fixture, std::int64_t ns) {
    fixture.session().annotations().apply(AnnotationEdit::add(noteAt(ns)));
    fixture.session().notifyAnnotations();
}

bool saved(WindowFixture& fixture, const QString& file) {
    QSignalSpy done(&fixture.window().workspace(), &WorkspaceControl::saved);
    fixture.window().workspace().save(file);
    return done.wait(20'000) && QFile::exists(file);
}

// Own copy of the trace, so that workspaces can stand beside it.
QString copied(const WindowFixture& fixture, const QString& name) {
    const QString path = fixture.folder() + u'/' + name;
    return QFile::copy(QString::fromStdString(test::fixture(kTrace).string()), path) ? path : QString();
}

// One kernel of 2 s as the format has it, of 2 ms when its times are ns.
QString doubtful(const WindowFixture& fixture) {
    const QString path = fixture.folder() + QStringLiteral("/ns.json");
    std::ofstream(path.toStdString())
        << test::objectForm(test::q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':0,'dur':"
                                    "2000000,'args':{'device':0,'stream':7}}"));
    return path;
}

std::int64_t windowNs(WindowFixture& fixture) {
    return fixture.session().document()->trace().window().length().v;
}

bool readAgain(WindowFixture& fixture, const ReadAs& how) {
    QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
    ReadChoice::of(fixture.session()).readAgain(how);
    return ended.wait(20'000);
}

} // namespace

class TstWorkspaceControl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void workspaceComesBack() {
        WindowFixture fixture;
        const QString trace = copied(fixture, QStringLiteral("a.json.gz"));
        QVERIFY(fixture.open(trace.toStdString()));
        TimelineViewModel& view = fixture.view();
        const GapId gap = fixture.session().document()->gaps->byRank().front();
        view.goTo(gap, Origin::Command);
        view.fit({{5'000'000}, {9'000'000}}, 0.0);
        const auto rows = view.layout().rows();
        const auto foldable = std::find_if(
            rows.begin(), rows.end(), [](const TimelineRow& row) { return row.foldable && !row.folded; });
        QVERIFY(foldable != rows.end());
        view.toggleFold(*foldable);
        const auto folded = view.layoutOptions().folded;
        QVERIFY(!folded.empty());
        addNote(fixture, 7'000'000);
        const AnnotationSet notes = fixture.session().annotations();
        const TimeRange range = view.viewport().range();
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QVERIFY(saved(fixture, file));
        QCOMPARE(fixture.window().workspace().file(), file);
        QVERIFY(fixture.session().undoStack().isClean());

        WindowFixture other;
        QVERIFY(other.open(file.toStdString()));
        QCOMPARE(other.session().document()->path, trace);
        QVERIFY(other.session().annotations() == notes);
        QVERIFY(other.session().selection().gap() == gap);
        QVERIFY(other.view().layoutOptions().folded == folded);
        QTRY_VERIFY(std::abs(other.view().viewport().range().begin.v - range.begin.v) <= 2);
        QVERIFY(std::abs(other.view().viewport().range().end.v - range.end.v) <= 4);
        QCOMPARE(other.window().workspace().file(), file);
        // Saved again at once: what was not changed stays.
        QVERIFY(saved(other, other.folder() + QStringLiteral("/b.lacuna")));
        QVERIFY(test::readFile(file.toStdString()).find("A note") != std::string::npos);
    }

    void unknownMembersSurviveTheWindow() {
        WindowFixture fixture;
        QVERIFY(!copied(fixture, QStringLiteral("a.json.gz")).isEmpty());
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(R"({"format":"lacuna-workspace","version":1,"trace":{"name":"a.json.gz"},"goal":{"x":1}})");
        out.close();
        QVERIFY(fixture.open(file.toStdString()));
        addNote(fixture, 1);
        QVERIFY(saved(fixture, file));
        const std::string text = test::readFile(file.toStdString());
        QVERIFY(text.find(R"("goal":{"x":1})") != std::string::npos);
        QVERIFY(text.find(R"("path":"a.json.gz")") != std::string::npos);
        QVERIFY(text.find("A note") != std::string::npos);
    }

    // A file that was read otherwise than usual is read so again: the notes stand in those times.
    void anotherReadingComesBack() {
        WindowFixture fixture;
        const QString trace = doubtful(fixture);
        QVERIFY(fixture.open(trace.toStdString()));
        QCOMPARE(windowNs(fixture), std::int64_t{2'000'000'000});
        QVERIFY(readAgain(fixture, {true, false}));
        QCOMPARE(windowNs(fixture), std::int64_t{2'000'000});
        addNote(fixture, 1'500'000);
        const QString file = fixture.folder() + QStringLiteral("/ns.lacuna");
        QVERIFY(saved(fixture, file));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        const QString picture = fixture.folder() + QStringLiteral("/ns.svg");
        QVERIFY(static_cast<bool>(dialog.writeTo(picture)));

        for (const QString& kept : {file, picture}) {
            WindowFixture other;
            QVERIFY(other.open(kept.toStdString()));
            QCOMPARE(windowNs(other), std::int64_t{2'000'000});
            QVERIFY(other.session().annotations() == fixture.session().annotations());
            QVERIFY(readAgain(other, {})); // the way back stays
            QCOMPARE(windowNs(other), std::int64_t{2'000'000'000});
            QVERIFY(other.open(kept.toStdString())); // over the same trace, read otherwise
            QCOMPARE(windowNs(other), std::int64_t{2'000'000});
        }
        // Another file is read as usual, and so is this one where no workspace brings it.
        WindowFixture plain;
        QVERIFY(plain.open(file.toStdString()));
        QVERIFY(plain.open(test::itemSync()));
        QVERIFY(ReadChoice::of(plain.session()).now() == ReadAs{});
        QVERIFY(plain.open(trace.toStdString()));
        QCOMPARE(windowNs(plain), std::int64_t{2'000'000'000});
    }

    // A workspace whose trace does not open leaves nothing behind.
    void readingOfAFailedOpen_isForgotten() {
        WindowFixture fixture;
        const QString trace = doubtful(fixture), file = fixture.folder() + QStringLiteral("/ns.lacuna");
        const std::string good = test::readFile(trace.toStdString());
        std::ofstream(file.toStdString())
            << R"({"format":"lacuna-workspace","version":1,"trace":{"name":"ns.json","read_as":{"times_ns":true}}})";
        std::ofstream(trace.toStdString()) << "no trace";
        QVERIFY(!fixture.open(file.toStdString()));
        std::ofstream(trace.toStdString()) << good;
        QVERIFY(fixture.open(trace.toStdString()));
        QCOMPARE(windowNs(fixture), std::int64_t{2'000'000'000});
        QVERIFY(fixture.open(file.toStdString()));
        QCOMPARE(windowNs(fixture), std::int64_t{2'000'000});
    }

    void pictureOpensAgain_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"png", "svg", "pdf"})
            QTest::newRow(ending) << QString::fromLatin1(ending);
    }
    void pictureOpensAgain() {
        QFETCH(QString, ending);
        WindowFixture fixture;
        const QString trace = copied(fixture, QStringLiteral("item.json.gz"));
        QVERIFY(fixture.open(trace.toStdString()));
        fixture.view().fit({{5'000'000}, {9'000'000}}, 0.0);
        addNote(fixture, 7'000'000);
        const TimeRange range = fixture.view().viewport().range();
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        const QString picture = fixture.folder() + QStringLiteral("/figure.") + ending;
        QVERIFY(static_cast<bool>(dialog.writeTo(picture)));

        WindowFixture other;
        QVERIFY(other.open(picture.toStdString())); // as a drop does
        QVERIFY(other.session().document() != nullptr);
        QCOMPARE(other.session().document()->path, trace);
        QVERIFY(other.session().annotations() == fixture.session().annotations());
        const auto pixel = static_cast<std::int64_t>(fixture.view().viewport().nsPerPx) + 1;
        QVERIFY(std::abs(other.view().viewport().range().begin.v - range.begin.v) <= pixel);
        QTRY_VERIFY(std::abs(other.view().viewport().range().end.v - range.end.v) <= pixel);
        QVERIFY(other.window().workspace().file().isEmpty()); // a picture is not written to
    }

    void missingTraceIsSaid() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::fixture(kTrace)));
        const Document* before = fixture.session().document();
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(R"({"format":"lacuna-workspace","version":1,"trace":{"name":"gone.json","size":5}})");
        out.close();
        fixture.window().open(file);
        QVERIFY(!fixture.session().isLoading());
        QCOMPARE(fixture.session().document(), before);
        QVERIFY(!fixture.window().workspace().read(file, {}, {}));
        for (const char* text : {"{", "[]"}) {
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text);
            out.close();
            QVERIFY(!fixture.window().workspace().read(file, {}, {}));
        }
    }

    void traceThatIsAskedForGoesFirst() {
        WindowFixture fixture;
        const QString trace = copied(fixture, QStringLiteral("renamed.gz"));
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(
            R"({"format":"lacuna-workspace","version":1,"views":[{"begin_ns":5000000,"end_ns":9000000}]})");
        out.close();
        WorkspaceControl& control = fixture.window().workspace();
        QVERIFY(!control.read(file, {}, {trace})); // it names none
        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        fixture.window().openWorkspace(file, trace);
        QVERIFY(!ended.isEmpty() || ended.wait(20'000));
        QVERIFY(fixture.session().document() != nullptr);
        QCOMPARE(fixture.session().document()->path, trace);
        QVERIFY(std::abs(fixture.view().viewport().range().begin.v - 5'000'000) < 10'000); // two pixels
    }

    void anotherTraceOfTheSameNameIsSaid() {
        WindowFixture fixture;
        QVERIFY(!copied(fixture, QStringLiteral("a.json.gz")).isEmpty());
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(
            R"({"format":"lacuna-workspace","version":1,"trace":{"name":"a.json.gz","sha256":"00ff"}})");
        out.close();
        QSignalSpy said(&fixture.window().workspace(), &WorkspaceControl::isOfAnotherTrace);
        QVERIFY(fixture.open(file.toStdString()));
        QVERIFY(!said.isEmpty() || said.wait(20'000));
    }

    // A trace under another name is found by its hash, never by its size alone.
    void renamedTraceIsFoundByItsHash() {
        WindowFixture fixture;
        const QString trace = copied(fixture, QStringLiteral("a.json.gz"));
        QVERIFY(fixture.open(trace.toStdString()));
        const QString file = fixture.folder() + QStringLiteral("/a.lacuna");
        QVERIFY(saved(fixture, file));
        const QString renamed = fixture.folder() + QStringLiteral("/renamed.json.gz");
        QVERIFY(QFile::rename(trace, renamed));
        QFile other(fixture.folder() + QStringLiteral("/same_size.json.gz"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(QByteArray(QFileInfo(renamed).size(), ' '));
        other.close();
        WindowFixture second;
        const auto found = second.window().workspace().read(file, {}, {});
        QVERIFY(static_cast<bool>(found));
        QCOMPARE(QFileInfo(found->path).fileName(), QStringLiteral("renamed.json.gz"));
        QVERIFY(QFile::remove(renamed));
        QVERIFY(!second.window().workspace().read(file, {}, {}));
    }

    // Two windows on one workspace: the second may look and save under another name only.
    void secondWindowOnAWorkspaceIsReadOnly() {
        WindowFixture first;
        const QString trace = copied(first, QStringLiteral("a.json.gz"));
        QVERIFY(first.open(trace.toStdString()));
        const QString file = first.folder() + QStringLiteral("/a.lacuna");
        QVERIFY(saved(first, file));
        QVERIFY(!first.window().workspace().isReadOnly());
        MainWindow second(first.state(), first.theme());
        QSignalSpy said(&second.workspace(), &WorkspaceControl::openedReadOnly);
        QSignalSpy ended(&second.session(), &AnalysisSession::loadEnded);
        second.open(file);
        QVERIFY(!ended.isEmpty() || ended.wait(60'000));
        QCOMPARE(said.size(), 1);
        QVERIFY(second.workspace().isReadOnly());
        const std::string before = test::readFile(file.toStdString());
        QSignalSpy failed(&second.workspace(), &WorkspaceControl::failed);
        second.workspace().save(file);
        QCOMPARE(failed.size(), 1);
        QVERIFY(test::readFile(file.toStdString()) == before);
        QSignalSpy savedElsewhere(&second.workspace(), &WorkspaceControl::saved);
        second.workspace().save(first.folder() + QStringLiteral("/b.lacuna"));
        QVERIFY(savedElsewhere.wait(20'000));
        QVERIFY(!second.workspace().isReadOnly());
    }

    void failedSaveIsSaid_andTheTraceIsNeverReplaced() {
        WindowFixture fixture;
        const QString trace = copied(fixture, QStringLiteral("a.json.gz"));
        QVERIFY(fixture.open(trace.toStdString()));
        const std::string before = test::readFile(trace.toStdString());
        for (const QString& file : {trace, fixture.folder() + QStringLiteral("/missing/a.lacuna")}) {
            QSignalSpy failed(&fixture.window().workspace(), &WorkspaceControl::failed);
            fixture.window().workspace().save(file);
            QVERIFY(failed.wait(20'000));
        }
        QVERIFY(test::readFile(trace.toStdString()) == before);
        QVERIFY(fixture.window().workspace().file().isEmpty());
    }
};

LACUNA_TEST(TstWorkspaceControl, "tst_workspace_control")

} // namespace tst_workspace_control

#include "tst_workspace_control.moc"
