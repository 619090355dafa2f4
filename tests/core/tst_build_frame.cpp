#include "core/trace/trace_builder.h"
#include "core/view/build_frame.h"
#include "core/view/gap_marks.h"
#include "core/view/hit_test.h"
#include "core/view/strip_bars.h"
#include "core/view/strip_metrics.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tst_build_frame {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// A pixel column on another route than PixelGrid: long double products of small numbers, exact here.
struct Column {
    std::int64_t begin = 0, end = 0; // ns, or columns of a sub-ns view
};

class ColumnOracle {
public:
    explicit ColumnOracle(const Viewport& v) : m_view(v) {
        if (v.nsPerPx < 1.0) {
            m_perNs = std::llround(1.0 / v.nsPerPx);
            return;
        }
        m_first = static_cast<std::int64_t>(std::floor(static_cast<long double>(v.begin.v) / v.nsPerPx)) - 2;
        while (edge(m_first) < v.begin.v)
            ++m_first;
    }
    // Everything in units of 1/m_perNs ns.
    Column column(int x) const {
        if (m_perNs > 1)
            return {m_view.begin.v * m_perNs + x, m_view.begin.v * m_perNs + x + 1};
        if (m_view.nsPerPx < 1.0)
            return {m_view.begin.v + x, m_view.begin.v + x + 1};
        return {edge(m_first + x), edge(m_first + x + 1)};
    }
    std::int64_t unit() const { return m_perNs; }

private:
    std::int64_t edge(std::int64_t k) const {
        return static_cast<std::int64_t>(std::floor(static_cast<long double>(k) * m_view.nsPerPx));
    }
    Viewport m_view;
    std::int64_t m_perNs = 1, m_first = 0;
};

struct PixelTruth {
    std::vector<std::uint32_t> rows; // that touch it
    std::int64_t covered = 0, length = 1;
};

std::vector<PixelTruth> truthOf(const Trace& trace, const Strip& strip, const Viewport& v) {
    const ColumnOracle oracle(v);
    std::vector<PixelTruth> pixels(static_cast<std::size_t>(v.widthPx));
    for (int x = 0; x < v.widthPx; ++x) {
        PixelTruth& pixel = pixels[static_cast<std::size_t>(x)];
        const Column c = oracle.column(x);
        pixel.length = c.end - c.begin;
        for (std::uint32_t row = strip.first.v; row < strip.last.v; ++row) {
            const std::int64_t b = trace.events().beginNs[row] * oracle.unit();
            const std::int64_t e = trace.events().endNs[row] * oracle.unit();
            const bool touches = b == e ? c.begin <= b && b < c.end : b < c.end && e > c.begin;
            if (!touches)
                continue;
            pixel.rows.push_back(row);
            pixel.covered += std::min(e, c.end) - std::max(b, c.begin);
        }
    }
    return pixels;
}

bool sameShare(float share, std::int64_t covered, std::int64_t length) {
    if ((share == 0.0f) != (covered == 0) || (share == 1.0f) != (covered == length))
        return false;
    return std::abs(static_cast<double>(share) - static_cast<double>(covered) / static_cast<double>(length)) <
           1e-6;
}

QString checkBar(const Trace& trace, const Bar& bar, const std::vector<PixelTruth>& truth) {
    std::int64_t covered = 0, length = 0;
    for (int x = bar.x0; x < bar.x1; ++x) {
        const PixelTruth& pixel = truth[static_cast<std::size_t>(x)];
        if (pixel.rows.size() != bar.count || pixel.rows.front() != bar.first.v)
            return QStringLiteral("pixel %1: other events than the bar's").arg(x);
        covered += pixel.covered;
        length += pixel.length;
        if (x > bar.x0 && x + 1 < bar.x1 && pixel.covered != pixel.length)
            return QStringLiteral("pixel %1 inside a bar is not full").arg(x);
    }
    if (bar.count > 1 && bar.x1 != bar.x0 + 1)
        return QStringLiteral("dense bar of more than one column");
    const PixelTruth& head = truth[static_cast<std::size_t>(bar.x0)];
    const PixelTruth& tail = truth[static_cast<std::size_t>(bar.x1 - 1)];
    if (!sameShare(bar.coverage, covered, length) || !sameShare(bar.head, head.covered, head.length) ||
        !sameShare(bar.tail, tail.covered, tail.length))
        return QStringLiteral("coverage at %1").arg(bar.x0);
    const auto duration = [&](std::uint32_t row) { return trace.events().duration({row}); };
    const auto longest = std::ranges::max_element(head.rows, {}, duration);
    if (bar.longest.v != *longest)
        return QStringLiteral("longest at %1").arg(bar.x0);
    return {};
}

// Everything that performance.md asks of the bars of a strip; empty when it holds.
QString checkStrip(const Trace& trace, StripId id, const std::vector<Bar>& bars, const Viewport& v) {
    const Strip& strip = trace.strip(id);
    const auto truth = truthOf(trace, strip, v);
    std::vector<bool> drawn(truth.size(), false);
    std::set<std::uint32_t> counted;
    int right = 0;
    for (const Bar& bar : bars) {
        if (bar.x0 < right || bar.x1 <= bar.x0 || bar.x1 > v.widthPx)
            return QStringLiteral("bars overlap or leave the view at %1").arg(bar.x0);
        right = bar.x1;
        std::fill(drawn.begin() + bar.x0, drawn.begin() + bar.x1, true);
        for (std::uint32_t row = bar.first.v; row < bar.first.v + bar.count; ++row)
            counted.insert(row);
        const QString wrong = checkBar(trace, bar, truth);
        if (!wrong.isEmpty())
            return wrong;
    }
    std::set<std::uint32_t> touching;
    for (std::size_t x = 0; x < truth.size(); ++x) {
        if (drawn[x] != !truth[x].rows.empty())
            return QStringLiteral("pixel %1: drawn %2").arg(x).arg(drawn[x]);
        touching.insert(truth[x].rows.begin(), truth[x].rows.end());
    }
    return counted == touching ? QString() : QStringLiteral("counts do not sum to the events in the window");
}

// Parts of a dense column: the covered time of each kind, in the order kernels, copies, sets.
QString checkParts(const Trace& trace, const LaneFrame& lane, const PixelGrid& grid) {
    for (const Bar& bar : lane.bars) {
        std::array<std::int64_t, 3> time{};
        std::int64_t all = 0;
        bool device = true;
        for (std::uint32_t row = bar.first.v; row < bar.first.v + bar.count; ++row) {
            const EventKind kind = trace.events().kind[row];
            device = device && isDeviceOp(kind);
            const std::int64_t ns =
                intersection(trace.events().range({row}), grid.columnRange(bar.x0)).length().v;
            time[kind == EventKind::Memcpy ? 1 : kind == EventKind::Memset ? 2 : 0] += ns;
            all += ns;
        }
        const auto kinds = std::ranges::count_if(time, [](std::int64_t ns) { return ns > 0; });
        const bool mixed = device && bar.count > 1 && kinds > 1 && !grid.isSubNs();
        if (bar.partCount != (mixed ? kinds : 0))
            return QStringLiteral("number of parts at %1").arg(bar.x0);
        std::size_t next = bar.firstPart;
        for (std::size_t k = 0; mixed && k < time.size(); ++k) {
            if (time[k] == 0)
                continue;
            const BarPart& part = lane.parts[next++];
            const EventKind kind = trace.events().kind[part.event.v];
            if ((kind == EventKind::Memcpy   ? 1u
                 : kind == EventKind::Memset ? 2u
                                             : 0u) != k ||
                !sameShare(part.share, time[k], all))
                return QStringLiteral("part at %1").arg(bar.x0);
        }
    }
    return {};
}

const std::vector<double>& zooms() {
    static const std::vector<double> list{1.0 / 64, 1.0 / 3, 1.0, 1.25, 2.0, 3.75, 7.0, 33.5, 400.0};
    return list;
}

Viewport randomView(RandomSource& random, const Trace& trace) {
    const TimeRange w = trace.window();
    Viewport v;
    v.nsPerPx = zooms()[static_cast<std::size_t>(random.between(0, 8))];
    v.widthPx = static_cast<int>(random.between(1, 120));
    v.begin.v = random.between(w.begin.v - 40, w.end.v + 10);
    return snapped(v);
}

LayoutOptions everything() {
    LayoutOptions options;
    options.maxStrips = 1000;
    return options;
}

std::shared_ptr<const Trace> traceOf(const std::vector<std::pair<std::int64_t, std::int64_t>>& kernels) {
    std::vector<RandomRow> rows;
    for (const auto& [begin, end] : kernels) {
        RandomRow row;
        row.kind = EventKind::Kernel;
        row.device = 0;
        row.stream = 7;
        row.name = "k" + std::to_string(rows.size());
        row.beginNs = begin;
        row.endNs = end;
        rows.push_back(row);
    }
    return traceOfRows(rows);
}

std::vector<Bar> barsOf(const Trace& trace, const Viewport& v) {
    LaneFrame lane;
    appendStripBars(trace, {0}, PixelGrid(snapped(v)), 0, lane);
    return lane.bars;
}

std::vector<Gap> gapsOfLength(RandomSource& random, int count, std::int64_t longest) {
    std::vector<Gap> gaps;
    std::int64_t t = 0;
    for (int k = 0; k < count; ++k) {
        t += random.between(1, 30);
        Gap gap;
        gap.range.begin.v = t;
        t += random.between(1, random.chance(10) ? longest : 5);
        gap.range.end.v = t;
        gaps.push_back(gap);
    }
    return gaps;
}

} // namespace

class TstBuildFrame : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bars_agreeWithBruteForce();
    void bars_agreeWithBruteForceWhenDense();
    void barCentre_hitsAnEventOfTheBar();
    void pan_movesEveryBarByWholePixels();
    void oneNs_showsInAnEmptySecondAtFullZoomOut();
    void sameInput_sameFrame();
    void rowsOutsideTheScrolledView_areNotBuilt();
    void scale_multipliesGeometry();
    void gapMarks_everyGapOfAPixelAndNoOther();
    void gapMarks_hideNoOperation();
    void gapAtColumn_agreesWithMarks();
    void counters_minAndMaxPerColumn();
};

void TstBuildFrame::bars_agreeWithBruteForce() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomTraceOptions options;
        options.unitNs = seed % 3 == 0 ? 7 : 1;
        const RandomTrace random = makeRandomTrace(seed, options);
        RandomSource source(seed);
        for (int k = 0; k < 6; ++k) {
            const Viewport v = randomView(source, *random.trace);
            const PixelGrid grid(v);
            for (std::uint32_t s = 0; s < random.trace->strips().size(); ++s) {
                LaneFrame lane;
                appendStripBars(*random.trace, {s}, grid, 0, lane);
                QString wrong = checkStrip(*random.trace, {s}, lane.bars, v);
                if (wrong.isEmpty())
                    wrong = checkParts(*random.trace, lane, grid);
                QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1, strip %2, %3 ns/px from %4: %5")
                                                         .arg(random.note())
                                                         .arg(s)
                                                         .arg(v.nsPerPx)
                                                         .arg(v.begin.v)
                                                         .arg(wrong)));
            }
        }
    }
}

// Hundreds of events a column: prefix sums and the pyramid of longest rows are used.
void TstBuildFrame::bars_agreeWithBruteForceWhenDense() {
    RandomSource random(11);
    std::vector<std::pair<std::int64_t, std::int64_t>> kernels;
    std::int64_t t = 0;
    for (int k = 0; k < 20'000; ++k) {
        t += random.chance(1) ? random.between(0, 4000) : random.between(0, 9);
        const std::int64_t end = t + (random.chance(1) ? random.between(0, 900) : random.between(0, 12));
        kernels.emplace_back(t, end);
        t = end + (t == end ? 1 : 0);
    }
    const auto trace = traceOf(kernels);
    QCOMPARE(trace->strips().size(), std::size_t{1});
    for (const double nsPerPx : {3.0, 57.25, 411.0, 3000.5}) {
        Viewport v{{random.between(-50, t / 2)}, nsPerPx, 150};
        v = snapped(v);
        const QString wrong = checkStrip(*trace, {0}, barsOf(*trace, v), v);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1 ns/px: %2").arg(nsPerPx).arg(wrong)));
    }
}

void TstBuildFrame::barCentre_hitsAnEventOfTheBar() {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const RowLayout layout = RowLayout::build(*random.trace, everything());
        RandomSource source(seed);
        const Viewport v = randomView(source, *random.trace);
        FrameOptions options;
        options.heightPx = 700;
        options.scrollPx = static_cast<std::int32_t>(source.between(0, 60));
        options.scale = seed % 2 == 0 ? 1.0 : 1.5;
        const Frame frame = buildFrame(*random.trace, layout, v, options);
        const HitInput input{options.scrollPx, options.scale, nullptr, 2.0};
        for (const LaneFrame& lane : frame.lanes)
            for (const Bar& bar : lane.bars) {
                const int x = (bar.x0 + bar.x1) / 2,
                          y = lane.stripY(bar.strip) + lane.heightOf(bar.strip) / 2;
                const Selection hit = hitTest(*random.trace, layout, frame.viewport, input, x, y);
                const auto* event = std::get_if<EventId>(&hit);
                QVERIFY2(event != nullptr, qPrintable(random.note()));
                QVERIFY2(event->v >= bar.first.v && event->v < bar.first.v + bar.count,
                         qPrintable(random.note()));
            }
    }
}

void TstBuildFrame::pan_movesEveryBarByWholePixels() {
    const RandomTrace random = makeRandomTrace(5);
    const std::int64_t epoch = random.trace->window().begin.v;
    for (const double nsPerPx : {5.0, 7.3, 19.77}) {
        const Viewport v = snapped({{epoch - 3}, nsPerPx, 60});
        for (std::uint32_t s = 0; s < random.trace->strips().size(); ++s) {
            LaneFrame before, after;
            appendStripBars(*random.trace, {s}, PixelGrid(v), 0, before);
            appendStripBars(*random.trace, {s}, PixelGrid(snapped(v.panned(4))), 0, after);
            for (const Bar& bar : before.bars) {
                if (bar.x0 <= 5 || bar.x1 >= 60)
                    continue; // cut by an edge in one of the two
                const auto same = std::ranges::find_if(after.bars, [&](const Bar& b) {
                    return b.x0 == bar.x0 - 4 && b.x1 == bar.x1 - 4 && b.first == bar.first &&
                           b.count == bar.count && b.coverage == bar.coverage;
                });
                QVERIFY2(same != after.bars.end(), qPrintable(QString::number(nsPerPx)));
            }
        }
    }
}

void TstBuildFrame::oneNs_showsInAnEmptySecondAtFullZoomOut() {
    const auto trace = traceOf({{0, 10}, {500'000'000, 500'000'001}, {100'000'000'000, 100'000'000'010}});
    const auto bars = barsOf(*trace, Viewport::fitting(trace->window(), 1920));
    QCOMPARE(bars.size(), std::size_t{3});
    QCOMPARE(bars[1].first.v, 1u);
    QCOMPARE(bars[1].x1 - bars[1].x0, 1);
    QVERIFY(bars[1].coverage > 0.0f);
}

void TstBuildFrame::sameInput_sameFrame() {
    const RandomTrace random = makeRandomTrace(3);
    const RowLayout layout = RowLayout::build(*random.trace, {});
    FrameOptions options;
    options.heightPx = 800;
    const Viewport v = Viewport::fitting(random.trace->window(), 300);
    QCOMPARE(dumpFrame(*random.trace, layout, buildFrame(*random.trace, layout, v, options)),
             dumpFrame(*random.trace, layout, buildFrame(*random.trace, layout, v, options)));
}

void TstBuildFrame::rowsOutsideTheScrolledView_areNotBuilt() {
    const RandomTrace random = makeRandomTrace(8);
    const RowLayout layout = RowLayout::build(*random.trace, everything());
    const auto lanes = std::ranges::count(layout.rows(), RowKind::Lane, &TimelineRow::kind);
    QVERIFY(lanes > 4);
    const Viewport v = Viewport::fitting(random.trace->window(), 300);
    FrameOptions options;
    options.heightPx = layout.height();
    QCOMPARE(static_cast<std::ptrdiff_t>(buildFrame(*random.trace, layout, v, options).lanes.size()), lanes);
    options.heightPx = 30;
    options.scrollPx = 100;
    for (const LaneFrame& lane : buildFrame(*random.trace, layout, v, options).lanes) {
        QVERIFY(lane.y < 30);
        QVERIFY(lane.y + lane.height > 0);
    }
}

void TstBuildFrame::scale_multipliesGeometry() {
    const RandomTrace random = makeRandomTrace(8);
    const RowLayout layout = RowLayout::build(*random.trace, everything());
    const Viewport v = Viewport::fitting(random.trace->window(), 300);
    FrameOptions options;
    options.heightPx = layout.height();
    const Frame one = buildFrame(*random.trace, layout, v, options);
    options.heightPx *= 2;
    options.scale = 2.0;
    Viewport dense = v;
    dense.nsPerPx /= 2.0;
    dense.widthPx *= 2;
    const Frame two = buildFrame(*random.trace, layout, dense, options);
    QCOMPARE(two.lanes.size(), one.lanes.size());
    for (std::size_t k = 0; k < one.lanes.size(); ++k) {
        QCOMPARE(two.lanes[k].y, one.lanes[k].y * 2);
        QCOMPARE(two.lanes[k].height, one.lanes[k].height * 2);
        QCOMPARE(two.lanes[k].stripY(1), one.lanes[k].stripY(1) * 2);
    }
}

void TstBuildFrame::gapMarks_everyGapOfAPixelAndNoOther() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomSource random(seed);
        const auto gaps = gapsOfLength(random, seed % 2 == 0 ? 30 : 3000, 300);
        for (const double nsPerPx : {0.25, 1.0, 4.0, 7.5, 60.0}) {
            const Viewport v = snapped({{random.between(-20, 300)}, nsPerPx, 200});
            const PixelGrid grid(v);
            const TimeRange view = grid.range();
            const auto marks = gapColumns(gaps, {5}, grid);
            std::size_t next = 0;
            for (std::uint32_t k = 0; k < gaps.size(); ++k) {
                const TimeRange range = gaps[k].range;
                const bool pixel = static_cast<double>(range.length().v) >= nsPerPx;
                const TimeRange shown = intersection(range, view);
                if (next < marks.size() && marks[next].gap.v == 5 + k) {
                    const GapMark& mark = marks[next++];
                    QVERIFY2(pixel, qPrintable(QString::number(seed)));
                    QVERIFY(0 <= mark.x0 && mark.x0 < mark.x1 && mark.x1 <= 200);
                    // Each marked column holds a part of the gap.
                    QVERIFY(!intersection(grid.columnRange(mark.x0), range).isEmpty());
                    QVERIFY(!intersection(grid.columnRange(mark.x1 - 1), range).isEmpty());
                } else {
                    // Only what is cut by the edge of the view to less than a pixel may go unmarked.
                    QVERIFY2(
                        !pixel || static_cast<double>(shown.length().v) < nsPerPx,
                        qPrintable(
                            QStringLiteral("seed %1, gap %2 at %3 ns/px").arg(seed).arg(k).arg(nsPerPx)));
                }
            }
            QCOMPARE(next, marks.size());
        }
    }
}

// A mark over whole idle columns only; one that has none says so.
void TstBuildFrame::gapMarks_hideNoOperation() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        RandomSource random(seed);
        const auto gaps = gapsOfLength(random, 200, 200);
        const PixelGrid grid(snapped({{0}, 6.5, 300}));
        for (const GapMark& mark : gapColumns(gaps, {0}, grid)) {
            const TimeRange range = gaps[mark.gap.v].range;
            const TimeRange first = grid.columnRange(mark.x0), last = grid.columnRange(mark.x1 - 1);
            const bool whole = first.begin >= range.begin && last.end <= range.end;
            QCOMPARE(whole, !mark.overBar);
            if (mark.overBar) { // the column that holds more of the gap
                const auto part = [&](int x) { return intersection(grid.columnRange(x), range).length().v; };
                QCOMPARE(mark.x1, mark.x0 + 1);
                if (mark.x0 > 0)
                    QVERIFY(part(mark.x0) >= part(mark.x0 - 1));
                if (mark.x0 + 1 < grid.width())
                    QVERIFY(part(mark.x0) >= part(mark.x0 + 1));
            } else { // no whole idle column is left out
                QVERIFY(mark.x0 == 0 || grid.columnRange(mark.x0 - 1).begin < range.begin);
                QVERIFY(mark.x1 == grid.width() || grid.columnRange(mark.x1).end > range.end);
            }
        }
    }
}

void TstBuildFrame::gapAtColumn_agreesWithMarks() {
    RandomSource random(4);
    const auto gaps = gapsOfLength(random, 300, 100);
    for (const double nsPerPx : {0.5, 2.0, 9.5}) {
        const PixelGrid grid(snapped({{13}, nsPerPx, 250}));
        std::vector<std::optional<GapId>> expected(250);
        for (const GapMark& mark : gapColumns(gaps, {0}, grid))
            for (int x = mark.x0; x < mark.x1; ++x)
                if (!expected[static_cast<std::size_t>(x)])
                    expected[static_cast<std::size_t>(x)] = mark.gap;
        for (int x = 0; x < 250; ++x)
            QVERIFY(gapAtColumn(gaps, {0}, grid, x) == expected[static_cast<std::size_t>(x)]);
    }
}

void TstBuildFrame::counters_minAndMaxPerColumn() {
    TraceBuilder builder;
    const CounterId counter = builder.counter("Allocated", {}, {}, "bytes");
    for (const auto& [t, value] : {std::pair{5, 1.0}, {15, 9.0}, {17, 3.0}, {40, 4.0}, {95, 8.0}})
        builder.addSample(counter, t, value);
    JobControl job;
    const auto trace = std::move(builder).finish(job);
    QVERIFY(trace);
    const RowLayout layout = RowLayout::build(**trace, {});
    QCOMPARE(layout.rows().size(), std::size_t{1});
    FrameOptions options;
    options.heightPx = 100;
    const std::int64_t zero = (*trace)->counters()[0].timeNs[0] - 5;
    const Frame frame = buildFrame(**trace, layout, {{zero + 10}, 10.0, 5}, options);
    const auto& points = frame.lanes[0].counter;
    QCOMPARE(points.size(), std::size_t{2});
    QCOMPARE(points[0].x, 0); // holds 1 from the left, then 9, then 3
    QCOMPARE(points[0].min, 1.0);
    QCOMPARE(points[0].max, 9.0);
    QCOMPARE(points[0].last, 3.0);
    QCOMPARE(points[1].x, 3);
    QCOMPARE(points[1].last, 4.0);
    QCOMPARE(frame.lanes[0].counterMin, 1.0);
    QCOMPARE(frame.lanes[0].counterMax, 9.0);
}

LACUNA_TEST(TstBuildFrame, "tst_build_frame")

} // namespace tst_build_frame

#include "tst_build_frame.moc"
