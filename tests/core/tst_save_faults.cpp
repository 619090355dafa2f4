// Saving a workspace when the disk fails: every single write, sync and rename, once each. The file that was
// there stays as it was, and no other file is left behind.

#include "core/document/workspace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace tst_save_faults {

using namespace lacuna;

namespace {

enum class Call { Write, Sync, Rename };

struct Faults {
    int failAt = -1; // number of the call that fails, from 0; -1: none
    int error = EIO;
    std::size_t most = SIZE_MAX; // bytes that one write takes
    std::vector<Call> calls;     // in order

    bool fails(Call call) {
        calls.push_back(call);
        const bool now = static_cast<int>(calls.size()) - 1 == failAt;
        if (now)
            errno = error;
        return now;
    }
    FileCalls asCalls() {
        return {[this](int file, const void* bytes, std::size_t size) -> std::ptrdiff_t {
                    return fails(Call::Write) ? -1 : ::write(file, bytes, std::min(size, most));
                },
                [this](int file) { return fails(Call::Sync) ? -1 : ::fsync(file); },
                [this](const char* from, const char* to) {
                    return fails(Call::Rename) ? -1 : std::rename(from, to);
                }};
    }
};

Workspace workspaceWith(int notes) {
    Workspace workspace;
    workspace.trace = {"a.json", "a.json", "", "0f", 12};
    for (int n = 1; n <= notes; ++n) {
        Callout callout;
        callout.number = n;
        callout.laneKey = "lane/gpu_stream/0/7";
        callout.text = "note " + std::to_string(n);
        workspace.callouts.push_back(callout);
    }
    return workspace;
}

std::size_t filesIn(const QTemporaryDir& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(folder.path().toStdString()))
        ++count;
    return count;
}

} // namespace

class TstSaveFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCallFailsOnce_data() {
        QTest::addColumn<int>("error");
        QTest::newRow("input or output") << EIO;
        QTest::newRow("no space") << ENOSPC;
    }
    void everyCallFailsOnce() {
        QFETCH(int, error);
        // Short writes, so that there are several.
        constexpr std::size_t kMost = 200;
        Faults none;
        none.most = kMost;
        {
            const QTemporaryDir folder;
            const auto file = std::filesystem::path(folder.path().toStdString()) / "notes.lacuna";
            QVERIFY(workspaceWith(8).write(file, {}, none.asCalls()));
        }
        QVERIFY(none.calls.size() > 6);
        QVERIFY(std::count(none.calls.begin(), none.calls.end(), Call::Rename) == 1);
        QVERIFY(std::count(none.calls.begin(), none.calls.end(), Call::Sync) == 2); // file and folder
        for (int failAt = 0; failAt < static_cast<int>(none.calls.size()); ++failAt) {
            const QTemporaryDir folder;
            const auto file = std::filesystem::path(folder.path().toStdString()) / "notes.lacuna";
            QVERIFY(workspaceWith(2).write(file));
            const std::string before = test::readFile(file);
            Faults faults;
            faults.failAt = failAt;
            faults.error = error;
            faults.most = kMost;
            const Status saved = workspaceWith(8).write(file, {}, faults.asCalls());
            const bool wasRenamed =
                failAt == static_cast<int>(none.calls.size()) - 1; // only the folder's sync
            QCOMPARE(static_cast<bool>(saved), wasRenamed);
            QCOMPARE(test::readFile(file) == before, !wasRenamed);
            QCOMPARE(Workspace::read(file)->callouts.size(), std::size_t{wasRenamed ? 8U : 2U});
            QCOMPARE(filesIn(folder), std::size_t{1});
            if (!saved) { // as the system says it, and what to do
                const bool isFull = error == ENOSPC;
                QVERIFY(saved.error().detail.ends_with(isFull ? ": No space left on device."
                                                              : ": Input/output error."));
                QCOMPARE(saved.error().remedy,
                         std::string(isFull ? "Free some space, or name a folder on another disk."
                                            : "Name another file."));
            }
        }
    }

    void anInterruptedWriteGoesOn() {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "notes.lacuna";
        Faults faults;
        faults.failAt = 0;
        faults.error = EINTR;
        QVERIFY(workspaceWith(3).write(file, {}, faults.asCalls()));
        QCOMPARE(Workspace::read(file)->callouts.size(), std::size_t{3});
    }
};

LACUNA_TEST(TstSaveFaults, "tst_save_faults")

} // namespace tst_save_faults

#include "tst_save_faults.moc"
