// The memory that a trace will need, and that there is.

#include "core/base/free_memory.h"
#include "core/import/memory_need.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

namespace tst_memory_need {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::filesystem::path pathOf(const QTemporaryDir& folder) {
    return folder.path().toStdString();
}

} // namespace

class TstMemoryNeed : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNearestLimitCounts() {
        QTemporaryDir folder;
        const std::filesystem::path root = pathOf(folder);
        QVERIFY(!freeMemory(root));
        write(root / "proc/meminfo",
              "MemTotal:       16000000 kB\nMemFree:   1 kB\nMemAvailable:   8000 kB\n");
        QCOMPARE(*freeMemory(root), 8000 * kKiB);
        write(root / "proc/self/cgroup", "0::/outer/inner\n");
        write(root / "sys/fs/cgroup/outer/inner/memory.max", "max\n");
        QCOMPARE(*freeMemory(root), 8000 * kKiB);
        // 6 MiB, of which 5 are used; 2 of those hold files and are given back.
        write(root / "sys/fs/cgroup/outer/memory.max", std::to_string(6 * kMiB) + "\n");
        write(root / "sys/fs/cgroup/outer/memory.current", std::to_string(5 * kMiB) + "\n");
        write(root / "sys/fs/cgroup/outer/memory.stat",
              "anon 7\nactive_file 9\ninactive_file " + std::to_string(2 * kMiB) + "\n");
        QCOMPARE(*freeMemory(root), 3 * kMiB);
        write(root / "sys/fs/cgroup/outer/inner/memory.max", "4096\n");
        write(root / "sys/fs/cgroup/outer/inner/memory.current", "5000\n");
        QCOMPARE(*freeMemory(root), std::uint64_t{0});
        QVERIFY(freeMemory().value_or(1) > 0); // of this machine
    }
    void byTheTextInTheFile() {
        QTemporaryDir folder;
        const std::filesystem::path plain = pathOf(folder) / "a.json", packed = pathOf(folder) / "a.json.gz";
        std::string events;
        while (events.size() < 10 * kMiB)
            events += q("{'ph':'X','name':'op','pid':1,'tid':1,'ts':1,'dur':2},\n");
        events.resize(10 * kMiB - 1);
        write(plain, "[" + events);
        const JobControl job;
        const auto need = memoryNeed(plain, {}, job);
        QVERIFY(need);
        QCOMPARE(need->storedBytes, 10 * kMiB);
        QCOMPARE(need->bytes, std::uint64_t(60 * kMiB + 4'718'592));
        QVERIFY(need->canBePart);
        write(packed, gzipped("[" + events));
        const auto ofPacked = memoryNeed(packed, {}, job);
        QVERIFY(ofPacked);
        QVERIFY(ofPacked->storedBytes < kMiB);
        // The first pieces tell how far it unpacks: equal rows, so they are right within what zlib holds
        // back.
        QVERIFY2(ofPacked->bytes > need->bytes * 9 / 10 && ofPacked->bytes < need->bytes * 11 / 10,
                 std::to_string(ofPacked->bytes).c_str());
    }
    void tablesAreReadWhole() {
        const JobControl job;
        const auto need = memoryNeed(fixture("captured/nsys/stall.sqlite"), {}, job);
        QVERIFY(need);
        QVERIFY(!need->canBePart);
        QCOMPARE(need->bytes, 60 * kMiB + need->storedBytes);
    }
    void nothingIsToldOfOtherFiles() {
        QTemporaryDir folder;
        const JobControl job;
        write(pathOf(folder) / "a.txt", "hello");
        QVERIFY(!memoryNeed(pathOf(folder) / "a.txt", {}, job));
        QVERIFY(!memoryNeed(pathOf(folder) / "none.json", {}, job));
        QVERIFY(!memoryNeed("-", {}, job));
    }
    void smallFilesAreNotLookedAt() {
        QVERIFY(!mayNeed(100 * kMiB, 8'000 * kMiB));
        QVERIFY(mayNeed(300 * kMiB, 8'000 * kMiB)); // of 7,940 MiB at 40 a byte
        QVERIFY(mayNeed(1, kMiB));
    }
};

LACUNA_TEST(TstMemoryNeed, "tst_memory_need")

} // namespace tst_memory_need

#include "tst_memory_need.moc"
