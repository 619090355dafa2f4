// What the window tells about a file that is not whole: the badge, the list of notes, the place in the file,
// the report as text.

#include "core/base/text_format.h"
#include "core/output/check_output.h"
#include "core/output/text_sink.h"
#include "tests/support/json_trace.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/notes/note_texts.h"
#include "widgets/notes/notes_popover.h"
#include "widgets/notes/place_dialog.h"
#include "widgets/notes/place_view.h"

#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

#include <fstream>

namespace tst_notes {

using namespace lacuna;
using namespace lacuna::ui;
using test::objectForm;
using test::q;
using test::WindowFixture;

namespace {

std::string call(int ts, int id) {
    return q("{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':5,'tid':5,'dur':1,'ts':") +
           std::to_string(ts) + q(",'args':{'correlation':") + std::to_string(id) + "}}";
}

std::string kernel(int ts, int id) {
    return q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'dur':2,'ts':") + std::to_string(ts) +
           q(",'args':{'device':0,'stream':7,'correlation':") + std::to_string(id) + "}}";
}

// One kernel without its launch (kept), one element that is no event (dropped), one end without begin
// (dropped, a remark), one kernel that starts 2 us before its call.
std::string imperfect() {
    return objectForm(call(1, 1) + ",\n" + kernel(3, 1) + ",\n" + call(12, 2) + ",\n" + kernel(10, 2) +
                      ",\n" + call(20, 5) + ",\n" + kernel(22, 5) + ",\n" + kernel(30, 4) + ",\n5,\n" +
                      q("{'ph':'E','name':'x','pid':5,'tid':5,'ts':40}"));
}

std::string launchesOnly() {
    std::string events;
    for (int i = 0; i < 350; ++i)
        events += (i == 0 ? "" : ",\n") + call(10 * i, i + 1);
    return objectForm(events);
}

class NotesFixture : public WindowFixture {
public:
    bool openText(const std::string& text, const std::string& name = "trace.json") {
        file = folder().toStdString() + "/" + name;
        std::ofstream(file, std::ios::binary) << text;
        return open(file);
    }
    QPushButton* badge() { return window().findChild<QPushButton*>(QStringLiteral("notesButton")); }
    NotesPopover* list() {
        for (auto* popover : window().findChildren<NotesPopover*>()) // a closed one waits for its deletion
            if (popover->isVisible())
                return popover;
        return nullptr;
    }
    NotesPopover* openList() {
        QTest::mouseClick(badge(), Qt::LeftButton);
        return list();
    }
    // The row of a note in the list: its labels have the names of tst_notes' tests; index in the order shown.
    int rowOf(std::string_view code) {
        const auto& notes = session().document()->notes;
        for (std::size_t i = 0; i < notes.size(); ++i)
            if (notes[i].code == code)
                return static_cast<int>(i);
        return -1;
    }
    // "Show in file" of a note: links are in the order of the notes that have a place.
    QPushButton* linkOf(std::string_view code) {
        const auto links = list()->findChildren<QPushButton*>(QStringLiteral("notePlace"));
        qsizetype index = 0;
        for (const Issue& note : session().document()->notes) {
            if (note.code == code)
                return hasPlace(note) && index < links.size() ? links[index] : nullptr;
            index += hasPlace(note);
        }
        return nullptr;
    }
    PlaceDialog* dialog() {
        PlaceDialog* found = nullptr;
        (void)QTest::qWaitFor(
            [&] {
                found = window().findChild<PlaceDialog*>();
                const auto* event =
                    found == nullptr ? nullptr : found->findChild<QLabel*>(QStringLiteral("placeEvent"));
                return event != nullptr && !event->text().isEmpty();
            },
            10'000);
        return found;
    }
    std::filesystem::path file;
};

QStringList textsOf(const QWidget& widget, const char* name) {
    QStringList texts;
    for (const auto* label : widget.findChildren<QLabel*>(QString::fromLatin1(name)))
        if (!label->isHidden() && !label->parentWidget()->isHidden())
            texts << label->text();
    return texts;
}

std::string markedText(const QPlainTextEdit& view) {
    const auto marks = view.extraSelections();
    return marks.isEmpty() ? std::string() : marks.front().cursor.selectedText().toStdString();
}

Issue noteOf(Severity severity) {
    Issue note;
    note.severity = severity;
    return note;
}

} // namespace

class TstNotes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void badge_countsBySeverity_data();
    void badge_countsBySeverity();
    void badge_ofAnOpenFile();
    void list_tellsEveryNote();
    void list_tellsWhatTheCaptureHolds();
    void list_accountsForTheRows();
    void list_byKeyboardAlone();
    void doubtfulUnit_canBeReadAsNs();
    void overruns_canBeLeftOut();
    void missingDeviceActivity_isTheFirstThingToldAbout();
    void truncatedFile_leadsFromTheBannerToItsEnd();
    void placeOfAKeptRow_isShownAndSelected_data();
    void placeOfAKeptRow_isShownAndSelected();
    void placeOfADroppedRow_saysSo();
    void placeInAnExport_isItsRow();
    void placeInAFileThatIsGone_isAMessage();
    void reportIsCopied();
    void bytesThatAreNoText_areATable();
};

void TstNotes::badge_countsBySeverity_data() {
    QTest::addColumn<int>("errors");
    QTest::addColumn<int>("warnings");
    QTest::addColumn<int>("infos");
    QTest::addColumn<QString>("badge");
    QTest::addColumn<QString>("all");
    QTest::newRow("none") << 0 << 0 << 0 << QStringLiteral("No notes on this trace") << QString();
    QTest::newRow("one remark") << 0 << 0 << 1 << QStringLiteral("1 note on this trace")
                                << QStringLiteral("1 remark");
    QTest::newRow("remarks") << 0 << 0 << 2 << QStringLiteral("2 notes on this trace")
                             << QStringLiteral("2 remarks");
    QTest::newRow("one warning") << 0 << 1 << 0 << QStringLiteral("1 note: 1 warning")
                                 << QStringLiteral("1 warning");
    QTest::newRow("all") << 1 << 2 << 3 << QStringLiteral("6 notes: 1 error, 2 warnings")
                         << QStringLiteral("1 error, 2 warnings, 3 remarks");
}

void TstNotes::badge_countsBySeverity() {
    QFETCH(int, errors);
    QFETCH(int, warnings);
    QFETCH(int, infos);
    std::vector<Issue> notes;
    notes.insert(notes.end(), static_cast<std::size_t>(infos), noteOf(Severity::Info));
    notes.insert(notes.end(), static_cast<std::size_t>(errors), noteOf(Severity::Error));
    notes.insert(notes.end(), static_cast<std::size_t>(warnings), noteOf(Severity::Warning));
    const NoteCounts counts = NoteCounts::of(notes);
    QTEST(badgeText(counts), "badge");
    QTEST(countsText(counts), "all");
}

void TstNotes::badge_ofAnOpenFile() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    QStringList codes;
    for (const Issue& note : fixture.session().document()->notes)
        codes << QString::fromStdString(note.code);
    QCOMPARE(codes, QStringList({QStringLiteral("not_an_event"), QStringLiteral("work_without_launch"),
                                 QStringLiteral("work_before_launch"), QStringLiteral("end_without_begin")}));
    QCOMPARE(fixture.badge()->text(), QStringLiteral("4 notes: 3 warnings"));
    QVERIFY(!fixture.badge()->icon().isNull());
    QCOMPARE(fixture.state().recentFiles().front().notes, 4);
    QVERIFY(fixture.openText(objectForm(call(1, 1) + "," + kernel(3, 1)), "whole.json"));
    QCOMPARE(fixture.badge()->text(), QStringLiteral("No notes on this trace"));
    QVERIFY(fixture.badge()->icon().isNull());
}

void TstNotes::list_tellsEveryNote() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    const NotesPopover* list = fixture.openList();
    QVERIFY(list != nullptr);
    QStringList messages, counts, remedies;
    const auto& notes = fixture.session().document()->notes;
    for (const Issue& note : notes) {
        messages << QString::fromStdString(note.message);
        counts << QString::fromStdString(formatCount(note.count));
        if (!remedyOf(note).empty())
            remedies << QString::fromUtf8(remedyOf(note).data(), qsizetype(remedyOf(note).size()));
    }
    QCOMPARE(textsOf(*list, "noteMessage"), messages);
    QCOMPARE(textsOf(*list, "noteCount"), counts);
    QCOMPARE(textsOf(*list, "noteRemedy"), remedies);
    QVERIFY(remedies.size() >= 3);
    const std::string text = imperfect();
    const QStringList details = textsOf(*list, "noteDetail");
    QCOMPARE(details[0], QStringLiteral("not_an_event · warning · rows left out · first at byte %1")
                             .arg(QString::fromStdString(formatCount(text.find("\n5,") + 1))));
    QCOMPARE(details[1], QStringLiteral("work_without_launch · warning · first at byte %1")
                             .arg(QString::fromStdString(formatCount(text.find(kernel(30, 4))))));
    QCOMPARE(details[3], QStringLiteral("end_without_begin · remark · rows left out · first at byte %1")
                             .arg(QString::fromStdString(formatCount(text.find(q("{'ph':'E'"))))));
    QCOMPARE(textsOf(*list, "notesVerdict"),
             QStringList{QStringLiteral("Not complete: 3 notes tell what is missing or wrong.")});
}

void TstNotes::list_tellsWhatTheCaptureHolds() {
    NotesFixture fixture;
    QVERIFY(fixture.open(test::itemSync()));
    const NotesPopover* list = fixture.openList();
    QVERIFY(list != nullptr);
    QCOMPARE(textsOf(*list, "heldItem"),
             QStringList({QStringLiteral("Shapes"), QStringLiteral("Stacks"), QStringLiteral("Memory"),
                          QStringLiteral("Modules"), QStringLiteral("FLOPs"), QStringLiteral("Operators"),
                          QStringLiteral("CUDA calls"), QStringLiteral("Device activity")}));
    const QStringList all = [list] {
        QStringList texts;
        for (const auto* label : list->findChildren<QLabel*>())
            texts << label->text();
        return texts;
    }();
    QVERIFY(all.contains(QStringLiteral("torch.profiler.profile(profile_memory=True)")));
    QVERIFY(!all.contains(QStringLiteral("torch.profiler.profile(with_stack=True)"))); // was on
}

void TstNotes::list_accountsForTheRows() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    const NotesPopover* list = fixture.openList();
    QVERIFY(list != nullptr);
    QCOMPARE(textsOf(*list, "rowsSum"), QStringList{QStringLiteral("9 read = 7 kept + 2 left out")});
    QCOMPARE(textsOf(*list, "rowsOf"), QStringList({QStringLiteral("kernel"), QStringLiteral("runtime"),
                                                    QStringLiteral("events in the lanes")}));
    QCOMPARE(textsOf(*list, "rowsFigure"),
             QStringList({QStringLiteral("4"), QStringLiteral("3"), QStringLiteral("7")}));
}

// Where the unit is in doubt the list offers the other one, and the way back.
void TstNotes::doubtfulUnit_canBeReadAsNs() {
    NotesFixture fixture;
    const std::string kernel =
        q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':0,'dur':2000000,'args':{'device':0,"
          "'stream':7}}");
    QVERIFY(fixture.openText(objectForm(kernel)));
    const auto windowNs = [&] { return fixture.session().document()->trace().window().length().v; };
    for (const std::int64_t expected : {std::int64_t{2'000'000}, std::int64_t{2'000'000'000}}) {
        const NotesPopover* list = fixture.openList();
        QVERIFY(list != nullptr);
        const auto offers = list->findChildren<QPushButton*>(QStringLiteral("noteOffer"));
        QCOMPARE(offers.size(), qsizetype{1});
        QCOMPARE(offers[0]->text(), expected == 2'000'000 ? QStringLiteral("Read times as ns")
                                                          : QStringLiteral("Read times as µs again"));
        QTest::mouseClick(offers[0], Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(windowNs(), expected, 20'000);
        QVERIFY((fixture.rowOf("times_read_as_ns") >= 0) == (expected == 2'000'000));
    }
}

void TstNotes::overruns_canBeLeftOut() {
    NotesFixture fixture;
    const auto kernel = [](int ts, int dur) {
        return q("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':") + std::to_string(ts) +
               q(",'dur':") + std::to_string(dur) + q(",'args':{'device':0,'stream':7}}");
    };
    QVERIFY(
        fixture.openText(objectForm(kernel(0, 5'000) + ",\n" + kernel(10, 1) + ",\n" + kernel(6'020, 1))));
    const auto busyNs = [&] { return fixture.session().document()->busy[0].busyNs; };
    QCOMPARE(busyNs(), std::int64_t{5'001'000});
    for (const std::int64_t expected : {std::int64_t{2'000}, std::int64_t{5'001'000}}) {
        const NotesPopover* list = fixture.openList();
        QVERIFY(list != nullptr);
        const auto offers = list->findChildren<QPushButton*>(QStringLiteral("noteOffer"));
        QCOMPARE(offers.size(), qsizetype{1});
        QTest::mouseClick(offers[0], Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(busyNs(), expected, 20'000);
        QCOMPARE(fixture.session().document()->gaps->totals(DeviceId{0}).busyNs, expected);
    }
}

// Ctrl+I, Tab to the first link, Enter, Escape twice.
void TstNotes::list_byKeyboardAlone() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    QVERIFY(fixture.list() == nullptr);
    QTest::keyClick(&fixture.window(), Qt::Key_I, Qt::ControlModifier);
    NotesPopover* list = fixture.list();
    QVERIFY(list != nullptr);
    QTest::keyClick(list->focusWidget(), Qt::Key_Escape);
    QVERIFY(fixture.list() == nullptr);

    QTest::keyClick(&fixture.window(), Qt::Key_I, Qt::ControlModifier);
    list = fixture.list();
    QVERIFY(list != nullptr);
    QTest::keyClick(list->focusWidget(), Qt::Key_Tab);
    QCOMPARE(list->focusWidget(), fixture.linkOf("not_an_event"));
    QTest::keyClick(list->focusWidget(), Qt::Key_Return);
    QVERIFY(fixture.list() == nullptr);
    PlaceDialog* dialog = fixture.dialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void TstNotes::missingDeviceActivity_isTheFirstThingToldAbout() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(launchesOnly()));
    const QString message = QStringLiteral("Device activity is missing: 350 launches have no kernel.");
    QCOMPARE(textsOf(fixture.window(), "bannerMessage"), QStringList{message});
    QCOMPARE(fixture.badge()->text(), QStringLiteral("1 note: 1 error"));
    QCOMPARE(textsOf(*fixture.openList(), "noteMessage"), QStringList{message});
}

void TstNotes::truncatedFile_leadsFromTheBannerToItsEnd() {
    NotesFixture fixture;
    const std::string whole = imperfect();
    const std::string half = whole.substr(0, whole.find(kernel(30, 4)) + 40);
    QVERIFY(fixture.openText(half));
    QVERIFY(fixture.session().document()->trace().report().isPartial());
    for (auto* button :
         fixture.window().findChild<QWidget*>(QStringLiteral("banner"))->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("All notes"))
            QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(fixture.list() != nullptr);
    QPushButton* link = fixture.linkOf("truncated");
    QVERIFY(link != nullptr);
    QTest::mouseClick(link, Qt::LeftButton);
    PlaceDialog* dialog = fixture.dialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QPlainTextEdit*>()->toPlainText().endsWith(
        QString::fromStdString(half.substr(half.size() - 40))));
}

void TstNotes::placeOfAKeptRow_isShownAndSelected_data() {
    QTest::addColumn<bool>("isPacked");
    QTest::newRow("json") << false;
    QTest::newRow("json.gz") << true;
}

void TstNotes::placeOfAKeptRow_isShownAndSelected() {
    QFETCH(bool, isPacked);
    NotesFixture fixture;
    QVERIFY(isPacked ? fixture.openText(test::gzipped(imperfect()), "trace.json.gz")
                     : fixture.openText(imperfect()));
    QVERIFY(fixture.openList() != nullptr);
    QTest::mouseClick(fixture.linkOf("work_without_launch"), Qt::LeftButton);
    const PlaceDialog* dialog = fixture.dialog();
    QVERIFY(dialog != nullptr);
    const auto* view = dialog->findChild<QPlainTextEdit*>(QStringLiteral("placeBytes"));
    QVERIFY(view->isVisible());
    QVERIFY(view->isReadOnly());
    QCOMPARE(view->toPlainText(), QString::fromStdString(imperfect()));
    QCOMPARE(markedText(*view), kernel(30, 4));
    // The kernel without launch starts at 30 us; time zero is the first call's 1 us.
    const EventId event = fixture.session().selection().event();
    QVERIFY(static_cast<bool>(event));
    QCOMPARE(fixture.session().document()->trace().events().beginNs[event.v], std::int64_t{29'000});
    QCOMPARE(textsOf(*dialog, "placeEvent"),
             QStringList{QStringLiteral("The event made of it is selected in the timeline.")});
}

void TstNotes::placeOfADroppedRow_saysSo() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    QVERIFY(fixture.openList() != nullptr);
    QTest::mouseClick(fixture.linkOf("not_an_event"), Qt::LeftButton);
    const PlaceDialog* dialog = fixture.dialog();
    QVERIFY(dialog != nullptr);
    QCOMPARE(markedText(*dialog->findChild<QPlainTextEdit*>()), std::string("5"));
    QVERIFY(!fixture.session().selection().event());
    QCOMPARE(textsOf(*dialog, "placeEvent"),
             QStringList{QStringLiteral("It was left out, so no event of the timeline shows it.")});
}

void TstNotes::placeInAnExport_isItsRow() {
    const std::string thread = std::to_string(test::globalTid(7, 7));
    const std::string process = std::to_string(test::globalTid(7, 0));
    test::SqliteFixture made(test::nsysSchema());
    made.run(
        "INSERT INTO StringIds (id, value) VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'k');"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId, "
        "returnValue) VALUES (100, 110, 0, " +
        thread + ", 1, 1, 0), (120, 130, 0, " + thread + ", 2, 1, 0), (140, 150, 0, " + thread +
        ", 3, 1, 0)");
    for (const char* id : {"1", "3"})
        made.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
                 "correlationId, globalPid, demangledName, shortName) VALUES (20" +
                 std::string(id) + ", 20" + id + ", 0, 1, 7, " + id + ", " + process + ", 2, 2)");
    NotesFixture fixture;
    QVERIFY(fixture.open(made.file()));
    QVERIFY(fixture.openList() != nullptr);
    QPushButton* link = fixture.linkOf("launches_without_work");
    QVERIFY(link != nullptr);
    QTest::mouseClick(link, Qt::LeftButton);
    const PlaceDialog* dialog = fixture.dialog();
    QVERIFY(dialog != nullptr);
    const auto* row = dialog->findChild<QTreeWidget*>(QStringLiteral("placeRow"));
    QVERIFY(row->isVisible());
    QStringList columns;
    for (int i = 0; i < row->topLevelItemCount(); ++i)
        columns << row->topLevelItem(i)->text(0) + QLatin1Char('=') + row->topLevelItem(i)->text(1);
    QVERIFY(columns.contains(QStringLiteral("start=120")));
    QVERIFY(columns.contains(QStringLiteral("correlationId=2")));
    QVERIFY(columns.contains(QStringLiteral("callchainId=NULL")));
    const EventId event = fixture.session().selection().event();
    QVERIFY(static_cast<bool>(event));
    QCOMPARE(fixture.session().document()->trace().events().beginNs[event.v], std::int64_t{120});
}

void TstNotes::placeInAFileThatIsGone_isAMessage() {
    NotesFixture fixture;
    QVERIFY(fixture.openText(imperfect()));
    std::filesystem::remove(fixture.file);
    QVERIFY(fixture.openList() != nullptr);
    QTest::mouseClick(fixture.linkOf("not_an_event"), Qt::LeftButton);
    const auto* state =
        fixture.window().findChild<PlaceDialog*>()->findChild<QLabel*>(QStringLiteral("placeState"));
    QTRY_VERIFY(state->text().contains(QStringLiteral("No such file")));
    QVERIFY(state->isVisible());
}

void TstNotes::reportIsCopied() {
    NotesFixture fixture;
    QVERIFY(!fixture.window().commands().action(QStringLiteral("edit.copyReport"))->isEnabled());
    QVERIFY(fixture.openText(imperfect()));
    JobControl job;
    const auto loaded = loadTrace(fixture.file, builtinImporters(), job);
    QVERIFY(loaded);
    const auto completeness = checkCompleteness(*loaded->trace, loaded->details.get(), job);
    QVERIFY(completeness);
    StringSink expected;
    writeCheckText(*loaded->trace, *completeness, expected);
    QVERIFY(expected.text().find("Not complete: 3 notes") != std::string::npos);
    QApplication::clipboard()->clear();
    QTest::mouseClick(fixture.openList()->findChild<QPushButton*>(QStringLiteral("notesCopy")),
                      Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text().toStdString(), expected.text());
    QApplication::clipboard()->clear();
    QVERIFY(fixture.window().commands().run(QStringLiteral("edit.copyReport")));
    QCOMPARE(QApplication::clipboard()->text().toStdString(), expected.text());
}

void TstNotes::bytesThatAreNoText_areATable() {
    PlaceText place;
    place.begin = 32;
    place.text = std::string("SQLite\0\1\2\3\4\5\6\7\x0e\x0f"
                             "abc",
                             19);
    place.mark = 17;
    place.markEnd = 18;
    const ShownBytes table = shownBytes(place);
    QVERIFY(!table.isText);
    QCOMPARE(
        table.text,
        QStringLiteral("          32  53 51 4c 69 74 65 00 01 02 03 04 05 06 07 0e 0f  SQLite..........\n"
                       "          48  61 62 63                                         abc\n"));
    QCOMPARE(table.text.mid(table.mark, table.markEnd - table.mark),
             table.text.section(QLatin1Char('\n'), 1, 1));
    // A character that the cut goes through is left out, and the mark stays where it was.
    place.text = "\xa9"
                 "caf\xc3\xa9 {} \xc3";
    place.mark = 7;
    place.markEnd = 9;
    const ShownBytes text = shownBytes(place);
    QVERIFY(text.isText);
    QCOMPARE(text.text, QStringLiteral("café {} "));
    QCOMPARE(text.text.mid(text.mark, text.markEnd - text.mark), QStringLiteral("{}"));
}

LACUNA_TEST(TstNotes, "tst_notes")

} // namespace tst_notes

#include "tst_notes.moc"
