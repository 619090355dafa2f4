// The workspace file: exact text, what is not known survives, hostile members, failed writes.

#include "core/document/workspace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

namespace tst_workspace {

using namespace lacuna;

namespace {

Workspace sampleWorkspace() {
    Workspace workspace;
    workspace.trace = {"a.json", "../a.json", "", "0f", 12};
    workspace.view.range = TimeRange{{-5}, {1'000}};
    workspace.view.folded = {"gpu/0", "thread/1/1"};
    workspace.view.scrollPx = 30;
    workspace.view.gap = WorkspaceGap{1, {{10}, {20}}};
    Callout callout;
    callout.number = 1;
    callout.laneKey = "lane/gpu_stream/0/7";
    callout.time = {10};
    callout.end = TimeNs{20};
    callout.title = "The gap";
    callout.text = "two\nlines \xc2\xb5";
    callout.boxDx = 24.5;
    workspace.callouts.push_back(callout);
    return workspace;
}

constexpr const char* kSampleText = R"({
"annotations":[
{"box_dx":24.5,"box_dy":-96.0,"end_ns":20,"kind":"callout","lane":"lane/gpu_stream/0/7","number":1,"strip":0,"text":"two\nlines µ","time_ns":10,"title":"The gap"}
],
"format":"lacuna-workspace",
"trace":{"name":"a.json","path":"../a.json","sha256":"0f","size":12},
"version":1,
"views":[
{"begin_ns":-5,"end_ns":1000,"folded":["gpu/0","thread/1/1"],"gap":{"begin_ns":10,"device":1,"end_ns":20},"scroll_px":30,"unfolded":[]}
]
}
)";

std::filesystem::path in(const QTemporaryDir& folder, const char* name) {
    return std::filesystem::path(folder.path().toStdString()) / name;
}

std::string wrapped(const std::string& members) {
    return R"({"format":"lacuna-workspace","version":1)" + members + "}";
}

} // namespace

class TstWorkspace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void text_isExact() { QCOMPARE(sampleWorkspace().text(), std::string(kSampleText)); }

    void text_readsBack() {
        const auto read = Workspace::parse(kSampleText);
        QVERIFY(read);
        const Workspace sample = sampleWorkspace();
        QCOMPARE(read->trace, sample.trace);
        QCOMPARE(read->view, sample.view);
        QVERIFY(read->callouts == sample.callouts);
        QCOMPARE(read->text(), std::string(kSampleText));
        const AnnotationSet set = read->annotations();
        QCOMPARE(set.callouts().size(), std::size_t{1});
        QCOMPARE(set.callouts()[0].number, 1);
    }

    void unknownMembers_survive() {
        const std::string text = R"({
"annotations":[
{"author":"me","box_dx":0.0,"box_dy":0.0,"kind":"callout","lane":"l","number":2,"strip":0,"text":"","time_ns":1,"title":"t"},
{"from":3,"kind":"arrow","to":4},
{"kind":"callout","lane":"l"}
],
"bookmarks":[
{"key":1},
2
],
"format":"lacuna-workspace",
"goal":{"metric":"step"},
"trace":{"mtime":"x","name":"a","size":1},
"version":1,
"views":[
{"colour_by":"name","folded":[],"scroll_px":0,"unfolded":[]},
{"second":true}
]
}
)";
        auto read = Workspace::parse(text);
        QVERIFY(read);
        QCOMPARE(read->callouts.size(), std::size_t{1});
        QCOMPARE(read->text(), text);
        // A changed callout keeps what is not known of it; a removed one goes, and others stay.
        read->callouts[0].title = "new";
        QVERIFY(read->text().find(R"({"author":"me",)") != std::string::npos);
        QVERIFY(read->text().find(R"("title":"new")") != std::string::npos);
        read->callouts.clear();
        QVERIFY(read->text().find("author") == std::string::npos);
        QVERIFY(read->text().find(R"({"from":3,"kind":"arrow","to":4})") != std::string::npos);
    }

    // A colour of a later version stays in the file until another one is chosen.
    void unknownColour_survives() {
        auto read = Workspace::parse(
            R"({"format":"lacuna-workspace","version":1,"annotations":[{"colour":"new","kind":"pin","lane":"l","number":1,"time_ns":1}]})");
        QVERIFY(read);
        QCOMPARE(read->callouts[0].colour, NoteColour::Annotation);
        QVERIFY(read->text().find(R"("colour":"new")") != std::string::npos);
        read->callouts[0].colour = NoteColour::Gap;
        QVERIFY(read->text().find(R"("colour":"gap")") != std::string::npos);
        read->callouts[0].colour = NoteColour::Annotation;
        QVERIFY(read->text().find("colour") != std::string::npos); // what stood there
    }

    // What is rejected stays; what this version does not know of an entry stays too.
    void c80_log_survivesTheFile() {
        const std::string log = R"("log":[
{"author":"me","begin_ns":5,"changed":"item() every 50th step","end_ns":9,"hypothesis":"the read waits","measured":"6.1 ms a step","observed":"2.49 ms idle","written":"2026-11-30T22:00:00Z"},
{"hypothesis":"the loader","mood":7,"observed":"","rejected":true},
{"from":"another program"}
],
)";
        const auto read = Workspace::parse(wrapped("," + log.substr(0, log.rfind(','))));
        QVERIFY(read);
        QCOMPARE(read->log.size(), std::size_t{2});
        QCOMPARE(read->log[0].state(), LogState::Remeasured);
        QVERIFY(read->log[0].range == (TimeRange{{5}, {9}}));
        QCOMPARE(read->log[1].state(), LogState::Rejected);
        QVERIFY(read->text().find(log) != std::string::npos);
        QCOMPARE(
            logMarkdown(read->log),
            std::string("| state | observed | hypothesis | changed | re-measured | written |\n"
                        "|---|---|---|---|---|---|\n"
                        "| re-measured | 2.49 ms idle | the read waits | item() every 50th step | 6.1 ms a "
                        "step | 2026-11-30T22:00:00Z |\n"
                        "| rejected |  | the loader |  |  |  |\n"));
    }

    // Entries are not left out in silence, to be gone after the next save.
    void aLogThatIsTooLong_isRefused() {
        std::string entries = R"({"observed":"x"})";
        for (std::size_t i = 1; i < Workspace::kMaxCallouts; ++i)
            entries += R"(,{"observed":"x"})";
        const auto read = Workspace::parse(wrapped(R"(,"log":[)" + entries + "]"));
        QVERIFY(read);
        QCOMPARE(read->log.size(), Workspace::kMaxCallouts);
        const auto refused = Workspace::parse(wrapped(R"(,"log":[{},)" + entries + "]"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::TooLarge);
    }

    // Only a figure that somebody has written makes an entry re-measured.
    void b01_states() {
        LogEntry entry;
        entry.observed = "slow";
        QCOMPARE(entry.state(), LogState::Observed);
        entry.hypothesis = "a|b\nc";
        QCOMPARE(entry.state(), LogState::Hypothesis);
        entry.changed = "x";
        QCOMPARE(entry.state(), LogState::Changed);
        entry.measured = "5 ms";
        QCOMPARE(entry.state(), LogState::Remeasured);
        entry.isRejected = true;
        QCOMPARE(entry.state(), LogState::Rejected);
        QVERIFY(logMarkdown({entry}).find(R"(| a\|b c |)") != std::string::npos);
        entry.hypothesis = R"(a\|_b_)"; // what Markdown would take for its own shows as it was written
        QVERIFY(logMarkdown({entry}).find(R"(| a\\\|\_b\_ |)") != std::string::npos);
    }

    // Lanes, colours, names, bookmarks and every kind of annotation come back.
    void whatAPersonMade_readsBack() {
        Workspace workspace = sampleWorkspace();
        workspace.view.colourBy = ColourBy::Duration;
        workspace.view.fullNames = true;
        workspace.lanes.pinned = {"gpu/0"};
        workspace.lanes.unpinned = {"lane/steps/1"};
        workspace.lanes.hidden = {"thread/1/2"};
        workspace.lanes.order = {"b", "a"};
        workspace.lanes.percent = {{"gpu/0", 150}};
        workspace.lanes.names = {{"gpu/0", "left"}};
        workspace.names = {{"kernel<int>", "ours"}};
        workspace.bookmarks = {{3, {{5}, {9}}, 40}};
        for (std::size_t i = 1; i < kAnnotationKinds; ++i) {
            Callout note;
            note.kind = static_cast<AnnotationKind>(i);
            note.laneKey = "lane/gpu_stream/0/7";
            note.time = {static_cast<std::int64_t>(i)};
            note.end = TimeNs{100};
            note.number = note.isNumbered() ? 4 : 0;
            note.text = "text";
            note.author = "me";
            note.written = "2026-11-30T06:00:00Z";
            note.isShown = i != 2;
            note.isLive = i == 1;
            note.colour = static_cast<NoteColour>(i % kNoteColours);
            if (note.kind == AnnotationKind::Arrow) {
                note.toLaneKey = "lane/cuda_api/1/1";
                note.toTime = {77};
                note.toStrip = 1;
            }
            workspace.callouts.push_back(note);
        }
        const std::string text = workspace.text();
        const auto read = Workspace::parse(text);
        QVERIFY(read);
        QCOMPARE(read->view, workspace.view);
        QCOMPARE(read->lanes, workspace.lanes);
        QVERIFY(read->names == workspace.names);
        QVERIFY(read->bookmarks == workspace.bookmarks);
        QVERIFY(read->callouts == workspace.callouts);
        QCOMPARE(read->text(), text);
        // Taken back, they leave nothing behind.
        Workspace bare = *read;
        bare.lanes = {};
        bare.names.clear();
        bare.bookmarks.clear();
        bare.view.colourBy = ColourBy::Kind;
        bare.view.fullNames = false;
        bare.callouts.resize(1);
        QCOMPARE(bare.text(), std::string(kSampleText));
    }

    void unknownMembers_ofLanesAndBookmarksSurvive() {
        const std::string text =
            wrapped(R"(,"lanes":{"pinned":["gpu/0"],"widths":[3]},)"
                    R"("bookmarks":[{"key":2,"begin_ns":1,"end_ns":5,"name":"here"},{"key":77}])");
        auto read = Workspace::parse(text);
        QVERIFY(read);
        QCOMPARE(read->bookmarks.size(), std::size_t{1});
        read->lanes.pinned.clear();
        read->bookmarks[0].range.end = {6};
        const std::string again = read->text();
        QVERIFY(again.find(R"("lanes":{"widths":[3]})") != std::string::npos);
        QVERIFY(again.find(R"({"begin_ns":1,"end_ns":6,"key":2,"name":"here","scroll_px":0})") !=
                std::string::npos);
        QVERIFY(again.find(R"({"key":77})") != std::string::npos);
    }

    void hostileMembers_countAsAbsent_data() {
        QTest::addColumn<std::string>("members");
        QTest::newRow("nothing") << std::string();
        QTest::newRow("types") << std::string(R"(,"trace":[],"views":{"a":1},"annotations":"x")");
        QTest::newRow("deep types") << std::string(
            R"(,"trace":{"name":1,"size":-3},"views":[[]],"annotations":[1,null,{"kind":1,"lane":"l","time_ns":1}])");
        QTest::newRow("times") << std::string(
            R"(,"views":[{"begin_ns":9223372036854775807,"end_ns":9223372036854775807}],)"
            R"("annotations":[{"kind":"callout","lane":"l","time_ns":1e300},)"
            R"({"kind":"callout","lane":"l","time_ns":18446744073709551615}])");
        QTest::newRow("empty range") << std::string(R"(,"views":[{"begin_ns":5,"end_ns":5}])");
    }
    void hostileMembers_countAsAbsent() {
        QFETCH(std::string, members);
        const auto read = Workspace::parse(wrapped(members));
        QVERIFY(read);
        QCOMPARE(read->view, WorkspaceView{});
        QCOMPARE(read->trace, WorkspaceTrace{});
        QVERIFY(read->callouts.empty());
        QVERIFY(Workspace::parse(read->text()));
    }

    void hugeNumbers_areCut() {
        const auto read = Workspace::parse(
            wrapped(R"(,"annotations":[{"kind":"callout","lane":"l","time_ns":-4000000000000000000,)"
                    R"("end_ns":4000000000000000000,"box_dx":1e300,"strip":99999999999,"number":-7}])"));
        QVERIFY(read);
        QCOMPARE(read->callouts.size(), std::size_t{1});
        const Callout& callout = read->callouts[0];
        QCOMPARE(callout.anchorTime().v, 0);
        QCOMPARE(callout.boxDx, 1e6);
        QCOMPARE(callout.strip, 10'000U);
        QCOMPARE(callout.number, 0);
    }

    void others_areRefused_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("code");
        QTest::newRow("empty") << std::string() << static_cast<int>(Errc::Malformed);
        QTest::newRow("cut") << std::string(kSampleText).substr(0, 200) << static_cast<int>(Errc::Malformed);
        QTest::newRow("bytes") << std::string("{\"a\":\"\xff\"}") << static_cast<int>(Errc::Malformed);
        QTest::newRow("other JSON") << std::string("[1]") << static_cast<int>(Errc::NotRecognised);
        QTest::newRow("a trace") << std::string(R"({"traceEvents":[]})")
                                 << static_cast<int>(Errc::NotRecognised);
        QTest::newRow("newer") << std::string(R"({"format":"lacuna-workspace","version":2})")
                               << static_cast<int>(Errc::Unsupported);
        QTest::newRow("deep") << std::string(100'000, '[') << static_cast<int>(Errc::Malformed);
    }
    void others_areRefused() {
        QFETCH(std::string, text);
        QFETCH(int, code);
        const auto read = Workspace::parse(text);
        QVERIFY(!read);
        QCOMPARE(static_cast<int>(read.error().code), code);
        QVERIFY(!read.error().detail.empty());
    }

    // What a person said of the steps; members of other types are of another version and stay.
    void c43_steps_surviveTheFile() {
        const auto read = Workspace::parse(
            R"({"format":"lacuna-workspace","version":1,"steps":{"steps.pattern":"token:1","of":{"a":1}}})");
        QVERIFY(read);
        Workspace workspace = *read;
        QCOMPARE(workspace.settings.size(), std::size_t{1});
        QCOMPARE(workspace.settings["steps.pattern"], std::string("token:1"));
        workspace.settings["samples_per_step"] = "128";
        workspace.settings.erase("steps.pattern");
        const auto again = Workspace::parse(workspace.text());
        QVERIFY(again);
        QVERIFY(again->settings == workspace.settings);
        QVERIFY(workspace.text().find(R"("of":{"a":1})") != std::string::npos);
        workspace.settings.clear();
        QVERIFY(Workspace::parse(workspace.text())->settings.empty());
        QVERIFY(Workspace().text().find("steps") == std::string::npos);
    }

    // Another reading of a doubtful file: the times of views and notes follow it.
    void readAs_survivesTheFile() {
        for (const ReadAs how : {ReadAs{true, false}, ReadAs{false, true}, ReadAs{true, true}}) {
            Workspace workspace = sampleWorkspace();
            workspace.trace.readAs = how;
            const auto read = Workspace::parse(workspace.text());
            QVERIFY(read);
            QVERIFY(read->trace.readAs == how);
            QCOMPARE(read->text(), workspace.text());
        }
        Workspace workspace = sampleWorkspace();
        workspace.trace.readAs.timesAreNs = true;
        QVERIFY(workspace.text().find(R"("path":"../a.json","read_as":{"times_ns":true},"sha256":"0f")") !=
                std::string::npos);
        const auto other = Workspace::parse(wrapped(
            R"(,"trace":{"name":"a","read_as":{"times_ns":true,"without_overruns":"yes","of":{"a":1}}})"));
        QVERIFY(other);
        QVERIFY(other->trace.readAs == (ReadAs{true, false}));
        Workspace usual = *other;
        usual.trace.readAs = {};
        QVERIFY(usual.text().find(R"("read_as":{"of":{"a":1}})") != std::string::npos);
        QVERIFY(Workspace::parse(wrapped(R"(,"trace":{"read_as":[true]})"))->trace.readAs == ReadAs{});
    }

    void file_isWrittenWhole_orStays() {
        const QTemporaryDir folder;
        const auto file = in(folder, "a.lacuna");
        QVERIFY(sampleWorkspace().write(file));
        QCOMPARE(test::readFile(file), std::string(kSampleText));
        QVERIFY(sampleWorkspace().write(file)); // replaces
        const auto read = Workspace::read(file);
        QVERIFY(read);
        QCOMPARE(read->text(), std::string(kSampleText));
        QVERIFY(!sampleWorkspace().write(in(folder, "missing/a.lacuna")));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path().toStdString()), {}), 1);
        const auto missing = Workspace::read(in(folder, "b.lacuna"));
        QVERIFY(!missing);
        QCOMPARE(static_cast<int>(missing.error().code), static_cast<int>(Errc::Io));
    }
};

LACUNA_TEST(TstWorkspace, "tst_workspace")

} // namespace tst_workspace

#include "tst_workspace.moc"
