#include "core/trace/strip_query.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_strip_query {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// Linear answers; each takes the plain columns and looks at every row of the strip.
bool touches(TimeRange row, TimeRange window) {
    return row.isEmpty() ? window.contains(row.begin) : !intersection(row, window).isEmpty();
}

std::vector<EventId> rowsTouching(const Trace& trace, const Strip& strip, TimeRange window) {
    std::vector<EventId> rows;
    for (EventId e = strip.first; e < strip.last; ++e.v)
        if (touches(trace.events().range(e), window))
            rows.push_back(e);
    return rows;
}

std::int64_t busyIn(const Trace& trace, const Strip& strip, TimeRange window) {
    std::int64_t sum = 0;
    for (EventId e = strip.first; e < strip.last; ++e.v)
        sum += intersection(trace.events().range(e), window).length().v;
    return sum;
}

// The row that covers [t, t + 1), else a row of zero length at t (the last one).
std::optional<EventId> rowAt(const Trace& trace, const Strip& strip, TimeNs t) {
    std::optional<EventId> found;
    for (EventId e = strip.first; e < strip.last; ++e.v) {
        const TimeRange range = trace.events().range(e);
        if (range.contains(t) || (range.isEmpty() && range.begin == t))
            found = e;
    }
    return found;
}

EventId longest(const Trace& trace, EventId first, EventId last) {
    EventId best = first;
    for (EventId e = first; e < last; ++e.v)
        if (trace.events().duration(e) > trace.events().duration(best))
            best = e;
    return best;
}

// All rows of a lane in the order (begin, strip).
std::vector<EventId> laneOrder(const Trace& trace, LaneId lane) {
    std::vector<EventId> rows;
    for (const Strip& strip : trace.strips(lane))
        for (EventId e = strip.first; e < strip.last; ++e.v)
            rows.push_back(e);
    std::stable_sort(rows.begin(), rows.end(), [&](EventId a, EventId b) {
        return trace.events().beginNs[a.v] < trace.events().beginNs[b.v];
    });
    return rows;
}

bool contains(TimeRange outer, TimeRange inner) {
    if (inner.isEmpty())
        return outer.contains(inner.begin) || outer == inner;
    return outer.begin <= inner.begin && inner.end <= outer.end;
}

// The nearest strip above that has a row around the event.
std::optional<EventId> parentAbove(const Trace& trace, EventId event) {
    const StripId own = trace.stripOf(event);
    const Lane& lane = trace.lane(trace.strip(own).lane);
    for (std::uint32_t k = own.v; k-- > lane.firstStrip.v;)
        for (EventId e = trace.strip({k}).first; e < trace.strip({k}).last; ++e.v)
            if (contains(trace.events().range(e), trace.events().range(event)))
                return e;
    return std::nullopt;
}

// One lane, one strip, many rows: the block indexes get several levels.
std::shared_ptr<const Trace> longStrip(std::uint64_t seed, int rows) {
    RandomSource random(seed);
    std::vector<RandomRow> all;
    std::int64_t at = 0;
    for (int k = 0; k < rows; ++k) {
        RandomRow row;
        row.kind = EventKind::Kernel;
        row.device = 0;
        row.stream = 1;
        row.beginNs = at;
        row.endNs = at + random.between(0, 30);
        at = row.endNs + random.between(0, 10) + (row.endNs == row.beginNs ? 1 : 0);
        all.push_back(row);
    }
    return traceOfRows(all);
}

// Compares every query on one strip; empty when all agree.
QString compareStrip(const Trace& trace, StripId id, RandomSource& random, int windows) {
    const Strip& strip = trace.strip(id);
    const std::int64_t low = trace.window().begin.v - 3, high = trace.window().end.v + 3;
    for (int k = 0; k < windows; ++k) {
        const std::int64_t a = random.between(low, high), b = random.between(low, high);
        const TimeRange window{{std::min(a, b)}, {std::max(a, b)}};
        const QString where =
            QStringLiteral("strip %1 window %2..%3").arg(id.v).arg(window.begin.v).arg(window.end.v);
        const auto [first, last] = eventsTouching(trace, id, window);
        const std::vector<EventId> rows = rowsTouching(trace, strip, window);
        if (last.v - first.v != rows.size() ||
            (!rows.empty() && (first != rows.front() || last.v != rows.back().v + 1)))
            return where + QStringLiteral(" eventsTouching");
        if (busyWithin(trace, id, window).v != busyIn(trace, strip, window))
            return where + QStringLiteral(" busyWithin");
        if (eventAt(trace, id, {a}) != rowAt(trace, strip, {a}))
            return where + QStringLiteral(" eventAt %1").arg(a);
        const std::uint32_t size = strip.size();
        const auto from = static_cast<std::uint32_t>(random.between(0, size - 1));
        const auto to = static_cast<std::uint32_t>(random.between(from + 1, size));
        const EventId firstRow{strip.first.v + from}, lastRow{strip.first.v + to};
        if (longestAmong(trace, id, firstRow, lastRow) != longest(trace, firstRow, lastRow))
            return QStringLiteral("longestAmong %1..%2").arg(firstRow.v).arg(lastRow.v);
    }
    return {};
}

} // namespace

class TstStripQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void queries_agreeWithLinearSearch();
    void queries_agreeOnLongStrips();
    void neighbours_agreeWithSortedRows();
    void parent_isTheContainingRowAbove();
    void touching_countsRowsOfZeroLength();
};

void TstStripQuery::queries_agreeWithLinearSearch() {
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        RandomSource source(seed);
        for (std::uint32_t k = 0; k < random.trace->strips().size(); ++k) {
            const QString difference = compareStrip(*random.trace, {k}, source, 40);
            QVERIFY2(difference.isEmpty(), qPrintable(random.note() + QLatin1Char(' ') + difference));
        }
    }
}

void TstStripQuery::queries_agreeOnLongStrips() {
    for (const int rows : {1, 15, 16, 17, 255, 256, 257, 5000}) {
        const auto trace = longStrip(static_cast<std::uint64_t>(rows), rows);
        QCOMPARE(trace->strips().size(), std::size_t{1});
        RandomSource source(7);
        const QString difference = compareStrip(*trace, {0}, source, 400);
        QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("%1 rows ").arg(rows) + difference));
    }
}

void TstStripQuery::neighbours_agreeWithSortedRows() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const Trace& trace = *random.trace;
        for (std::uint32_t l = 0; l < trace.lanes().size(); ++l) {
            const std::vector<EventId> order = laneOrder(trace, {l});
            for (std::size_t k = 0; k < order.size(); ++k) {
                const EventId at = order[k];
                const EventId next = k + 1 < order.size() ? order[k + 1] : EventId{};
                const EventId previous = k > 0 ? order[k - 1] : EventId{};
                QVERIFY2(nextInLane(trace, at).value_or(EventId{}) == next, qPrintable(random.note()));
                QVERIFY2(previousInLane(trace, at).value_or(EventId{}) == previous,
                         qPrintable(random.note()));
                const Strip& strip = trace.strip(trace.stripOf(at));
                const EventId after = at.v + 1 < strip.last.v ? EventId{at.v + 1} : EventId{};
                const EventId before = at > strip.first ? EventId{at.v - 1} : EventId{};
                QVERIFY(nextInStrip(trace, at).value_or(EventId{}) == after);
                QVERIFY(previousInStrip(trace, at).value_or(EventId{}) == before);
            }
        }
    }
}

void TstStripQuery::parent_isTheContainingRowAbove() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        for (EventId e{0}; e.v < random.trace->events().size(); ++e.v)
            QVERIFY2(parentOf(*random.trace, e) == parentAbove(*random.trace, e),
                     qPrintable(random.note() + QStringLiteral(" row %1").arg(e.v)));
    }
}

void TstStripQuery::touching_countsRowsOfZeroLength() {
    std::vector<RandomRow> rows(3);
    const std::int64_t times[3][2] = {{0, 10}, {10, 10}, {20, 30}};
    for (std::size_t k = 0; k < 3; ++k) {
        rows[k].kind = EventKind::Kernel;
        rows[k].device = 0;
        rows[k].beginNs = times[k][0];
        rows[k].endNs = times[k][1];
    }
    const auto trace = traceOfRows(rows);
    QCOMPARE(trace->strips().size(), std::size_t{1});
    const auto count = [&](std::int64_t a, std::int64_t b) {
        const auto [first, last] = eventsTouching(*trace, {0}, {{a}, {b}});
        return last.v - first.v;
    };
    QCOMPARE(count(10, 20), 1u); // only the row of zero length at 10
    QCOMPARE(count(9, 10), 1u);  // only the first row
    QCOMPARE(count(11, 20), 0u);
    QCOMPARE(count(0, 21), 3u);
    QCOMPARE(count(10, 10), 0u); // an empty window touches nothing
    QVERIFY(eventAt(*trace, {0}, {10}) == EventId{1});
    QVERIFY(eventAt(*trace, {0}, {9}) == EventId{0});
    QVERIFY(!eventAt(*trace, {0}, {15}));
    QVERIFY(!eventAt(*trace, {0}, {30}));
}

LACUNA_TEST(TstStripQuery, "tst_strip_query")

} // namespace tst_strip_query

#include "tst_strip_query.moc"
