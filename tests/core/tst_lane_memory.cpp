// The file that remembers lanes of projects.

#include "core/document/lane_memory.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <fstream>

namespace tst_lane_memory {

using namespace lacuna;

namespace {

ProjectLanes project(const std::string& folder, const std::string& pinned) {
    ProjectLanes lanes;
    lanes.folder = folder;
    lanes.lanes.pinned = {pinned};
    lanes.lanes.percent = {{"lane/gpu_stream/0/*", 150}};
    lanes.lanes.names = {{"gpu/0", "left"}};
    lanes.colourBy = ColourBy::Family;
    lanes.fullNames = true;
    return lanes;
}

} // namespace

class TstLaneMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWritten_isRead() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.path().toStdString() + "/new/lanes.json";
        LaneMemory memory = LaneMemory::read(file); // not there
        QVERIFY(memory.projects().empty());
        memory.set(project("/a", "gpu/0"));
        memory.set(project("/b", "gpu/1"));
        QVERIFY(memory.write(file));
        const LaneMemory read = LaneMemory::read(file);
        QCOMPARE(read.projects().size(), std::size_t{2});
        QCOMPARE(read.projects()[0].folder, std::string("/b")); // the latest first
        const ProjectLanes* a = read.find("/a");
        QVERIFY(a != nullptr);
        QCOMPARE(a->lanes, project("/a", "gpu/0").lanes);
        QCOMPARE(a->colourBy, ColourBy::Family);
        QVERIFY(a->fullNames);
        QVERIFY(read.find("/c") == nullptr);
    }

    void whatSaysNothing_isTakenOut() {
        LaneMemory memory;
        memory.set(project("/a", "gpu/0"));
        ProjectLanes nothing;
        nothing.folder = "/a";
        memory.set(nothing);
        QVERIFY(memory.projects().empty());
    }

    void oldest_isForgotten() {
        LaneMemory memory;
        for (std::size_t i = 0; i <= LaneMemory::kMaxProjects; ++i)
            memory.set(project("/" + std::to_string(i), "gpu/0"));
        QCOMPARE(memory.projects().size(), LaneMemory::kMaxProjects);
        QVERIFY(memory.find("/0") == nullptr);
        QVERIFY(memory.find("/1") != nullptr);
    }

    void damagedFile_remembersNothing_data() {
        QTest::addColumn<std::string>("text");
        QTest::newRow("empty") << std::string();
        QTest::newRow("cut") << std::string(R"({"format":"lacuna-lanes"})").substr(0, 20);
        QTest::newRow("other") << std::string(R"({"format":"x","version":1,"projects":[{"folder":"/a"}]})");
        QTest::newRow("newer") << std::string(
            R"({"format":"lacuna-lanes","version":2,"projects":[{"folder":"/a"}]})");
        QTest::newRow("types") << std::string(
            R"({"format":"lacuna-lanes","version":1,"projects":[1,[],{"folder":3},{"lanes":{}}]})");
    }
    void damagedFile_remembersNothing() {
        QFETCH(std::string, text);
        QTemporaryDir folder;
        const std::string file = folder.path().toStdString() + "/lanes.json";
        std::ofstream(file) << text;
        QVERIFY(LaneMemory::read(file).projects().empty());
    }

    void strangeMembers_countAsAbsent() {
        QTemporaryDir folder;
        const std::string file = folder.path().toStdString() + "/lanes.json";
        std::ofstream(file)
            << R"({"format":"lacuna-lanes","version":1,"projects":[{"folder":"/a","lanes":)"
            << R"({"pinned":[1,"gpu/0",null],"percent":{"x":9999,"y":"z"},"names":[1],"order":3},)"
            << R"("colour_by":"mood","full_names":"yes"}]})";
        const LaneMemory read = LaneMemory::read(file);
        QCOMPARE(read.projects().size(), std::size_t{1});
        QCOMPARE(read.projects()[0].lanes.pinned, std::vector<std::string>({"gpu/0"}));
        QCOMPARE(read.projects()[0].lanes.percent, (std::map<std::string, int>{{"x", kMostPercent}}));
        QCOMPARE(read.projects()[0].colourBy, ColourBy::Kind);
        QVERIFY(!read.projects()[0].fullNames);
    }
};

LACUNA_TEST(TstLaneMemory, "tst_lane_memory")

} // namespace tst_lane_memory

#include "tst_lane_memory.moc"
