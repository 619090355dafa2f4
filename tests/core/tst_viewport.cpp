#include "core/view/pixel_grid.h"
#include "core/view/viewport.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <limits>
#include <random>

namespace tst_viewport {

using namespace lacuna;

namespace {
constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000; // Unix time in ns
}

class TstViewport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timeAt_isExactAtAnyEpoch();
    void zoom_keepsTimeUnderCursor_data();
    void zoom_keepsTimeUnderCursor();
    void zoom_stopsAtOneSixtyFourth();
    void pan_movesByPixels();
    void clamped_staysInExtentAndMargin();
    void clamped_tinyExtentIsCentred();
    void fitting_showsTheWholeRange_data();
    void fitting_showsTheWholeRange();
    void extremes_doNotOverflow();
    void snapped_isIdempotentAndNear();
    void grid_edgesAreAbsolute();
    void grid_columnOfAgreesWithEdges();
};

void TstViewport::timeAt_isExactAtAnyEpoch() {
    const Viewport v{{kEpoch + 1}, 2.5, 1000};
    QCOMPARE(v.timeAt(0).v, kEpoch + 1);
    QCOMPARE(v.timeAt(3).v, kEpoch + 8); // 7.5 ns, floor
    QCOMPARE(v.timeAt(-1).v, kEpoch - 2);
    QCOMPARE(v.xOf({kEpoch + 6}), 2.0);
    QCOMPARE(v.range().end.v, kEpoch + 2501);
}

void TstViewport::zoom_keepsTimeUnderCursor_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<double>("x");
    QTest::newRow("in, left edge") << 2.0 << 0.0;
    QTest::newRow("in, middle") << 1.2 << 960.5;
    QTest::newRow("in, right edge") << 7.3 << 1920.0;
    QTest::newRow("far in") << 1e6 << 333.3;
    QTest::newRow("out") << 0.5 << 100.0;
    QTest::newRow("far out") << 1e-9 << 1000.0;
}

void TstViewport::zoom_keepsTimeUnderCursor() {
    QFETCH(double, factor);
    QFETCH(double, x);
    const Viewport v{{kEpoch}, 3.25, 1920};
    QCOMPARE(v.zoomed(factor, x).timeAt(x).v, v.timeAt(x).v);
    QCOMPARE(v.zoomed(factor, x).widthPx, 1920);
}

void TstViewport::zoom_stopsAtOneSixtyFourth() {
    QCOMPARE(Viewport({{0}, 1.0, 100}).zoomed(1e9, 50).nsPerPx, 1.0 / 64.0);
}

void TstViewport::pan_movesByPixels() {
    const Viewport v{{kEpoch}, 10.0, 100};
    QCOMPARE(v.panned(7).begin.v, kEpoch + 70);
    QCOMPARE(v.panned(-0.5).begin.v, kEpoch - 5);
}

void TstViewport::clamped_staysInExtentAndMargin() {
    const TimeRange extent{{1000}, {11'000}}; // margin 200 on either side
    const Viewport wide = Viewport{{-50'000}, 1000.0, 100}.clampedTo(extent);
    QCOMPARE(wide.nsPerPx, 104.0);
    QCOMPARE(wide.begin.v, 800);
    QCOMPARE(Viewport({{-50'000}, 10.0, 100}).clampedTo(extent).begin.v, 800);
    QCOMPARE(Viewport({{50'000}, 10.0, 100}).clampedTo(extent).begin.v, 10'200);
    const Viewport inside{{5000}, 10.0, 100};
    QVERIFY(inside.clampedTo(extent) == inside);
}

void TstViewport::clamped_tinyExtentIsCentred() {
    const Viewport v = Viewport{{0}, 5.0, 1920}.clampedTo({{500}, {500}}); // one instant: 30 ns at 1/64 ns/px
    QCOMPARE(v.nsPerPx, 1.0 / 64.0);
    QVERIFY(std::abs(v.xOf({500}) - 960.0) <= 64.0);
}

void TstViewport::fitting_showsTheWholeRange_data() {
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("length");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("margin");
    QTest::newRow("plain") << qint64{0} << qint64{19'200} << 1920 << 0.0;
    QTest::newRow("margin") << qint64{kEpoch} << qint64{2'490'986} << 1320 << 0.1;
    QTest::newRow("odd") << qint64{kEpoch} << qint64{25'537'001} << 1319 << 0.02;
    QTest::newRow("short") << qint64{7} << qint64{1} << 1920 << 0.0;
    QTest::newRow("an hour") << qint64{kEpoch} << qint64{3'600'000'000'007} << 1921 << 0.0;
}

void TstViewport::fitting_showsTheWholeRange() {
    QFETCH(qint64, begin);
    QFETCH(qint64, length);
    QFETCH(int, width);
    QFETCH(double, margin);
    const TimeRange range{{begin}, {begin + length}};
    const Viewport v = Viewport::fitting(range, width, margin);
    QVERIFY(v.begin <= range.begin);
    QVERIFY(v.timeAt(width) >= range.end);
    const PixelGrid grid(snapped(v)); // the frame shows it too, wherever its grid lies
    QVERIFY(grid.range().begin <= range.begin && grid.range().end >= range.end);
    const double before = v.xOf(range.begin) / width, after = 1.0 - v.xOf(range.end) / width;
    QVERIFY(std::abs(before - after) * width < 65.0); // in the middle, to the ns
    QVERIFY(v.nsPerPx == 1.0 / 64.0 || before - margin < 0.02);
}

void TstViewport::extremes_doNotOverflow() {
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(),
                           kMax = std::numeric_limits<std::int64_t>::max();
    const TimeRange all{{kMin / 4}, {kMax / 4}};
    const Viewport v = Viewport::fitting(all, 1920).clampedTo(all);
    QVERIFY(v.begin <= all.begin);
    QVERIFY(v.range().end >= all.end);
    QCOMPARE(Viewport({{kMax - 5}, 1e6, 100}).timeAt(100).v, kMax);
    QCOMPARE(Viewport({{kMin + 5}, 1e6, 100}).timeAt(-100).v, kMin);
    const PixelGrid grid(snapped(v));
    QVERIFY(grid.range().begin <= all.begin && grid.range().end >= all.end);
}

void TstViewport::snapped_isIdempotentAndNear() {
    std::mt19937_64 rng(1);
    std::uniform_real_distribution<double> exponent(-6.0, 40.0);
    std::uniform_int_distribution<std::int64_t> begin(-kEpoch, kEpoch);
    for (int k = 0; k < 2000; ++k) {
        const Viewport v{{begin(rng)}, std::exp2(exponent(rng)), 1920};
        const Viewport s = snapped(v);
        QVERIFY(snapped(s) == s);
        QVERIFY(std::abs(static_cast<double>(s.begin.v - v.begin.v)) <= v.nsPerPx / 2.0 + 1.0);
        if (v.nsPerPx >= 1.0)
            QCOMPARE(s.nsPerPx, v.nsPerPx);
        else
            QCOMPARE(1.0 / s.nsPerPx, std::round(1.0 / v.nsPerPx));
    }
}

// Two views of one zoom that overlap agree on every edge they share.
void TstViewport::grid_edgesAreAbsolute() {
    for (const double nsPerPx : {1.3, 3.75, 10.1, 12'345.678}) {
        const Viewport v = snapped({{kEpoch}, nsPerPx, 400});
        const PixelGrid grid(v);
        for (const int shift : {1, 7, 133}) {
            const auto at = static_cast<std::size_t>(shift);
            const Viewport other = snapped({{grid.edges()[at]}, nsPerPx, 200});
            QCOMPARE(other.begin.v, grid.edges()[at]);
            const PixelGrid moved(other);
            for (std::size_t x = 0; x <= 200; ++x)
                QCOMPARE(moved.edges()[x], grid.edges()[x + at]);
        }
    }
}

void TstViewport::grid_columnOfAgreesWithEdges() {
    for (const double nsPerPx : {0.25, 1.0, 1.7, 33.3}) {
        const PixelGrid grid(snapped({{kEpoch}, nsPerPx, 64}));
        const TimeRange view = grid.range();
        QCOMPARE(grid.columnOf(view.begin.v - 1), -1);
        QCOMPARE(grid.columnOf(view.end.v), 64);
        QCOMPARE(grid.columnAfter(view.begin.v), 0);
        for (std::int64_t t = view.begin.v; t < view.end.v; ++t) {
            const int x = grid.columnOf(t), after = grid.columnAfter(t + 1);
            QVERIFY(grid.columnRange(x).contains({t}));
            QVERIFY(x == 0 || grid.isSubNs() || !grid.columnRange(x - 1).contains({t}));
            QVERIFY(after > x && grid.columnRange(after - 1).contains({t}));
            if (grid.isSubNs())
                QCOMPARE(after - x, 4);
        }
    }
}

LACUNA_TEST(TstViewport, "tst_viewport")

} // namespace tst_viewport

#include "tst_viewport.moc"
