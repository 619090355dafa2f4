// Vectors and columns that ask for huge pages hold what plain ones would, at every size that they grow
// through.

#include "core/base/column.h"
#include "core/base/huge_pages.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tst_huge_pages {

using namespace lacuna;

class TstHugePages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aColumn_keepsEveryItem();
    void reserveHuge_leavesAnEmptyVectorEmpty();
};

void TstHugePages::aColumn_keepsEveryItem() {
    constexpr std::uint32_t kItems = 900'000; // 14 MB: through several huge pages
    Column<std::pair<std::uint32_t, std::uint64_t>> items;
    for (std::uint32_t i = 0; i < kItems; ++i)
        items.push_back({i, std::uint64_t{i} * i});
    QCOMPARE(items.size(), std::size_t{kItems});
    for (std::uint32_t i = 0; i < kItems; ++i)
        QVERIFY(items[i].first == i && items[i].second == std::uint64_t{i} * i);
}

void TstHugePages::reserveHuge_leavesAnEmptyVectorEmpty() {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{3} << 20}) {
        std::vector<std::uint32_t> items;
        reserveHuge(items, count);
        QVERIFY(items.empty());
        QVERIFY(items.capacity() >= count);
        items.resize(count);
        QVERIFY(std::all_of(items.begin(), items.end(), [](std::uint32_t item) { return item == 0; }));
    }
}

LACUNA_TEST(TstHugePages, "tst_huge_pages")

} // namespace tst_huge_pages

#include "tst_huge_pages.moc"
