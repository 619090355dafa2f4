#include "core/base/string_pool.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

namespace tst_string_pool {

using namespace lacuna;

class TstStringPool : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void intern_givesOneIdPerText();
    void idZero_isTheEmptyString();
    void find_knowsOnlyInternedTexts();
    void views_stayValidWhileThePoolGrowsAndMoves();
    void texts_areBytes();
};

void TstStringPool::intern_givesOneIdPerText() {
    StringPool pool;
    const StringId a = pool.intern("aten::add");
    const StringId b = pool.intern("aten::mul");
    QVERIFY(a != b);
    QCOMPARE(a.v, 1u); // dense from 0, which is the empty string
    QCOMPARE(b.v, 2u);
    QVERIFY(pool.intern(std::string("aten::") + "add") == a);
    QCOMPARE(pool.size(), std::size_t{3});
    QCOMPARE(pool.bytes(), std::size_t{18});
}

void TstStringPool::idZero_isTheEmptyString() {
    StringPool pool;
    QCOMPARE(pool.intern("").v, 0u);
    QVERIFY(pool.view(StringId{0}).empty());
    QVERIFY(pool.view(StringId{}).empty()); // none
    QCOMPARE(pool.size(), std::size_t{1});
}

void TstStringPool::find_knowsOnlyInternedTexts() {
    StringPool pool;
    const StringId id = pool.intern("cudaLaunchKernel");
    QVERIFY(pool.find("cudaLaunchKernel") == id);
    QVERIFY(pool.find("") == StringId{0});
    QVERIFY(!pool.find("cudaLaunch"));
    QVERIFY(!pool.find("cudaLaunchKernelExC"));
}

void TstStringPool::views_stayValidWhileThePoolGrowsAndMoves() {
    StringPool pool;
    const auto text = [](std::size_t k) {
        // Lengths 1 .. 2000 and a few beyond one block of the pool.
        return std::to_string(k) + std::string(k % 50'000 == 7 ? 400'000 : (k * 31) % 40, 'x');
    };
    std::vector<std::string_view> views;
    constexpr std::size_t kTexts = 60'000;
    for (std::size_t k = 0; k < kTexts; ++k)
        views.push_back(pool.view(pool.intern(text(k))));
    const StringPool moved = std::move(pool);
    QCOMPARE(moved.size(), kTexts + 1);
    for (std::size_t k = 0; k < kTexts; ++k) {
        QVERIFY(views[k] == text(k));
        QVERIFY(moved.find(text(k)) == StringId{static_cast<std::uint32_t>(k + 1)});
        QVERIFY(moved.view(StringId{static_cast<std::uint32_t>(k + 1)}).data() == views[k].data());
    }
}

void TstStringPool::texts_areBytes() {
    using namespace std::string_view_literals;
    StringPool pool;
    const StringId withNul = pool.intern("a\0b"sv);
    QVERIFY(pool.view(withNul) == "a\0b"sv);
    QVERIFY(pool.intern("a\0c"sv) != withNul);
    QVERIFY(pool.intern("a"sv) != withNul);
    const StringId utf8 = pool.intern("Größe µs ✓");
    QVERIFY(pool.view(utf8) == "Größe µs ✓");
}

LACUNA_TEST(TstStringPool, "tst_string_pool")

} // namespace tst_string_pool

#include "tst_string_pool.moc"
