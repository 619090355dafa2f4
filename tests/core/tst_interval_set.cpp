#include "core/base/interval_set.h"
#include "tests/support/test_main.h"

#include <random>

namespace tst_interval_set {

using namespace lacuna;

namespace {

// Brute force over a small universe: one bool per ns.
std::vector<bool> bitsOf(const IntervalSet& set) {
    std::vector<bool> bits(64, false);
    for (const TimeRange& r : set.ranges())
        for (std::int64_t t = r.begin.v; t < r.end.v; ++t)
            bits[static_cast<std::size_t>(t)] = true;
    return bits;
}

IntervalSet randomSet(std::mt19937& rng) {
    std::uniform_int_distribution<int> count(0, 8), at(0, 63);
    std::vector<TimeRange> ranges;
    for (int i = count(rng); i > 0; --i) {
        const int a = at(rng), b = at(rng);
        ranges.push_back({{std::min(a, b)}, {std::max(a, b)}});
    }
    return IntervalSet::fromUnsorted(ranges);
}

} // namespace

class TstIntervalSet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fromUnsorted_mergesTouchingAndDropsEmpty();
    void algebra_agreesWithBruteForce();
};

void TstIntervalSet::fromUnsorted_mergesTouchingAndDropsEmpty() {
    const auto set = IntervalSet::fromUnsorted({{{10}, {20}}, {{0}, {10}}, {{30}, {30}}});
    QCOMPARE(set.ranges().size(), std::size_t{1});
    QCOMPARE(set.measure().v, 20);
}

void TstIntervalSet::algebra_agreesWithBruteForce() {
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 rng(seed);
        const IntervalSet a = randomSet(rng), b = randomSet(rng);
        const auto bitsA = bitsOf(a), bitsB = bitsOf(b);
        const TimeRange window{{3}, {50}};
        const auto u = bitsOf(a.united(b)), i = bitsOf(a.intersected(b)), m = bitsOf(a.minus(b)),
                   c = bitsOf(a.complementIn(window));
        std::int64_t in = 0;
        for (std::size_t t = 0; t < 64; ++t) {
            const bool inside = t >= 3 && t < 50;
            QVERIFY2(u[t] == (bitsA[t] || bitsB[t]), qPrintable(QString::number(seed)));
            QVERIFY2(i[t] == (bitsA[t] && bitsB[t]), qPrintable(QString::number(seed)));
            QVERIFY2(m[t] == (bitsA[t] && !bitsB[t]), qPrintable(QString::number(seed)));
            QVERIFY2(c[t] == (inside && !bitsA[t]), qPrintable(QString::number(seed)));
            in += inside && bitsA[t];
        }
        QCOMPARE(a.measureIn(window).v, in);
        QCOMPARE(a.united(b).measure().v + a.intersected(b).measure().v, a.measure().v + b.measure().v);
        QVERIFY(a.minus(b).united(a.intersected(b)) == a);
        QVERIFY(a.complementIn(window).complementIn(window) ==
                a.intersected(IntervalSet::fromUnsorted({window})));
    }
}

LACUNA_TEST(TstIntervalSet, "tst_interval_set")

} // namespace tst_interval_set

#include "tst_interval_set.moc"
