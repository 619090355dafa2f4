// The large recorded traces, cut at 1,000 random places together: always a message or a partial trace.

#include "core/import/load_trace.h"
#include "tests/fuzz/check_model.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <unistd.h>

namespace tst_truncation_large {

using namespace lacuna;
using namespace lacuna::test;
namespace fs = std::filesystem;

class TstTruncationLarge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cutAnywhere_opensOrSaysWhy();
};

void TstTruncationLarge::cutAnywhere_opensOrSaysWhy() {
    std::vector<fs::path> files = sharedFiles("traces/captured");
    std::erase_if(files, [](const fs::path& f) { return fs::file_size(f) < 200'000; });
    if (files.empty())
        LACUNA_SKIP("the shared traces are not here");
    QTemporaryDir folder;
    RandomSource random(1);
    const std::size_t cuts = 1000 / files.size() + 1;
    int partial = 0, messages = 0;
    for (const fs::path& file : files) {
        const fs::path copy = fs::path(folder.path().toStdString()) / file.filename();
        fs::copy_file(file, copy);
        fs::permissions(copy, fs::perms::owner_all);
        std::vector<std::int64_t> sizes(cuts);
        for (std::int64_t& size : sizes)
            size = random.between(1, static_cast<std::int64_t>(fs::file_size(file)) - 1);
        std::sort(sizes.rbegin(), sizes.rend());
        for (const std::int64_t size : sizes) { // from the largest: the copy only shrinks
            QCOMPARE(::truncate(copy.c_str(), size), 0);
            JobControl job;
            const auto loaded = loadTrace(copy, builtinImporters(), job);
            if (loaded) {
                fuzz::requireModel(loaded->trace, true);
                partial += loaded->trace->report().isPartial();
            } else {
                QVERIFY(!loaded.error().detail.empty() && !loaded.error().remedy.empty());
                ++messages;
            }
        }
        fs::remove(copy);
    }
    qInfo("%zu files, %zu cuts each: %d partial traces, %d messages", files.size(), cuts, partial, messages);
    QVERIFY(partial > 0);
}

LACUNA_TEST(TstTruncationLarge, "tst_truncation_large")

} // namespace tst_truncation_large

#include "tst_truncation_large.moc"
