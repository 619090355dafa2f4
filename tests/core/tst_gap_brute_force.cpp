// A second, slow and obvious implementation of gaps, cuts, pieces and the sync part: it works on the plain
// rows, unit by unit of time, with lists instead of indexes.

#include "core/analysis/gap_analysis.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>

namespace tst_gap_brute_force {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kUnit = 100;      // every time in the rows is a multiple
constexpr std::int64_t kEpsilon = 1'000; // drainEpsilonNs

using Row = RandomRow;

bool isHostCallRow(const Row& row) {
    return row.kind == EventKind::RuntimeApi || row.kind == EventKind::DriverApi;
}

struct SlowGap {
    std::int64_t begin = 0, end = 0;
    const Row *next = nullptr, *launch = nullptr, *drainedBy = nullptr;
    std::int64_t before = 0, inside = 0, after = 0, unknown = 0, lost = 0, sync = 0;
    bool sameLaunch = false;
    std::vector<PieceClass> classes; // per unit
};

class Slow {
public:
    explicit Slow(const RandomTrace& random) : m_rows(random.rows) {
        m_zero = INT64_MAX;
        for (const Row& row : m_rows)
            m_zero = std::min(m_zero, row.beginNs);
    }
    std::int64_t zero() const { return m_zero; }
    std::vector<SlowGap> gaps(int device) const;
    TimeRange span(int device) const;

private:
    std::vector<const Row*> opsOf(int device) const;
    const Row* callOf(const Row& op) const;
    std::vector<const Row*> opsOfCall(const Row& call) const;
    PieceClass classAt(int thread, std::int64_t time) const;
    PieceClass classOfRow(const Row& row) const;
    bool blocked(const Row& call) const;
    bool heldCopy(const Row& call) const;
    bool isOutermost(const Row& call) const;
    bool submitsTo(const Row& call, int device) const;
    void fillDrain(SlowGap& gap, int device) const;
    std::int64_t chainBefore(const Row& wait, int device) const;
    bool before(const Row& a, const Row& b) const { // nesting order
        return std::tuple(a.beginNs, -a.endNs, &a) < std::tuple(b.beginNs, -b.endNs, &b);
    }

    const std::vector<Row>& m_rows;
    std::int64_t m_zero = 0;
};

std::vector<const Row*> Slow::opsOf(int device) const {
    std::vector<const Row*> ops;
    for (const Row& row : m_rows)
        if (isDeviceOp(row.kind) && row.device == device)
            ops.push_back(&row);
    return ops;
}

TimeRange Slow::span(int device) const {
    TimeRange span{{INT64_MAX}, {INT64_MIN}};
    for (const Row* op : opsOf(device)) {
        span.begin.v = std::min(span.begin.v, op->beginNs);
        span.end.v = std::max(span.end.v, op->endNs);
    }
    return span;
}

const Row* Slow::callOf(const Row& op) const {
    for (const Row& row : m_rows)
        if (op.correlation != 0 && isHostCallRow(row) && row.correlation == op.correlation)
            return &row;
    return nullptr;
}

std::vector<const Row*> Slow::opsOfCall(const Row& call) const {
    std::vector<const Row*> ops;
    for (const Row& row : m_rows)
        if (isDeviceOp(row.kind) && row.correlation == call.correlation && call.correlation != 0)
            ops.push_back(&row);
    return ops;
}

bool Slow::submitsTo(const Row& call, int device) const {
    const auto ops = opsOfCall(call);
    return isHostCallRow(call) &&
           std::any_of(ops.begin(), ops.end(), [&](const Row* op) { return op->device == device; });
}

bool Slow::blocked(const Row& call) const {
    if (call.name.find("Synchronize") != std::string::npos)
        return true;
    std::int64_t last = INT64_MIN;
    bool pinned = false;
    for (const Row* op : opsOfCall(call))
        if (op->kind == EventKind::Memcpy) {
            last = std::max(last, op->endNs);
            pinned = pinned || op->src == MemKind::Pinned || op->dst == MemKind::Pinned;
        }
    return call.name == "cudaMemcpyAsync" && last != INT64_MIN && call.endNs >= last && !pinned;
}

bool Slow::heldCopy(const Row& call) const {
    std::int64_t all = 0, covered = 0;
    bool pageable = false;
    for (const Row* op : opsOfCall(call))
        for (std::int64_t t = op->beginNs; t < op->endNs && op->kind == EventKind::Memcpy; t += kUnit) {
            ++all;
            covered += t >= call.beginNs && t < call.endNs;
            pageable = pageable || op->src == MemKind::Pageable || op->dst == MemKind::Pageable;
        }
    return call.name == "cudaMemcpyAsync" && pageable && all > 0 && 2 * covered >= all;
}

// A call inside another one (of zero length at its begin, here) is a detail of that one.
bool Slow::isOutermost(const Row& call) const {
    return std::none_of(m_rows.begin(), m_rows.end(), [&](const Row& other) {
        return &other != &call && other.thread == call.thread && isHostCallRow(other) &&
               before(other, call) && other.endNs > call.beginNs;
    });
}

PieceClass Slow::classOfRow(const Row& row) const {
    switch (row.kind) {
    case EventKind::Range:
        return PieceClass::Range;
    case EventKind::Python:
        return PieceClass::Python;
    case EventKind::OsRuntime:
        return PieceClass::OsWait;
    case EventKind::CpuOp:
        return PieceClass::Operator;
    default:
        break;
    }
    if (row.name.find("Synchronize") != std::string::npos)
        return PieceClass::SyncApi;
    if (row.name == "cudaMalloc" || row.name == "cudaFree")
        return PieceClass::Allocation;
    if (row.name == "cudaMemcpyAsync")
        return blocked(row) ? PieceClass::BlockingCopy : PieceClass::Api;
    const bool launches = row.name.find("Launch") != std::string::npos || row.name == "cudaMemsetAsync";
    return launches ? PieceClass::Launch : PieceClass::Api;
}

// The last in nesting order of the rows that cover the time. The generator puts no OS row inside an API call.
PieceClass Slow::classAt(int thread, std::int64_t time) const {
    const Row* best = nullptr;
    for (const Row& row : m_rows)
        if (row.thread == thread && row.beginNs <= time && time < row.endNs && (!best || before(*best, row)))
            best = &row;
    return best ? classOfRow(*best) : PieceClass::Uncovered;
}

// Time in the calls that held the thread before `wait`, back to the last other submission.
std::int64_t Slow::chainBefore(const Row& wait, int device) const {
    std::vector<const Row*> calls;
    for (const Row& row : m_rows)
        if (row.thread == wait.thread && isHostCallRow(row))
            calls.push_back(&row);
    std::sort(calls.begin(), calls.end(), [this](const Row* a, const Row* b) { return before(*a, *b); });
    auto at = std::find(calls.begin(), calls.end(), &wait);
    std::int64_t sum = 0;
    while (at != calls.begin()) {
        const Row& call = **--at;
        const bool waited = blocked(call), frees = call.name == "cudaFree";
        if (isOutermost(call) && (waited || heldCopy(call)))
            sum += call.endNs - call.beginNs;
        else if (!frees && submitsTo(call, device))
            break;
    }
    return sum;
}

void Slow::fillDrain(SlowGap& gap, int device) const {
    const std::int64_t l0 = gap.launch->beginNs;
    for (const Row& row : m_rows) {
        if (row.thread != gap.launch->thread || !isHostCallRow(row))
            continue;
        if (!isOutermost(row))
            continue;
        const bool waits = blocked(row) || (row.name == "cudaFree" && row.endNs <= gap.begin + kEpsilon);
        if (!waits || row.endNs > l0 || row.beginNs >= gap.begin || row.endNs < gap.begin - kEpsilon)
            continue;
        const bool submitted = std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& other) {
            return other.thread == row.thread && submitsTo(other, device) && other.beginNs > row.endNs &&
                   other.beginNs < l0;
        });
        if (!submitted && (!gap.drainedBy || before(*gap.drainedBy, row)))
            gap.drainedBy = &row;
    }
    if (!gap.drainedBy)
        return;
    gap.lost = std::min(gap.drainedBy->endNs, gap.begin) - gap.drainedBy->beginNs +
               chainBefore(*gap.drainedBy, device);
    gap.sync = std::min(gap.before + gap.inside, gap.lost);
}

std::vector<SlowGap> Slow::gaps(int device) const {
    std::vector<SlowGap> found;
    const std::vector<const Row*> ops = opsOf(device);
    const TimeRange all = span(device);
    for (std::int64_t t = all.begin.v; t < all.end.v; t += kUnit) {
        const bool busy = std::any_of(ops.begin(), ops.end(),
                                      [t](const Row* op) { return op->beginNs <= t && t < op->endNs; });
        if (busy)
            continue;
        if (found.empty() || found.back().end != t)
            found.push_back({t, t, nullptr, nullptr, nullptr, 0, 0, 0, 0, 0, 0, false, {}});
        found.back().end = t + kUnit;
    }
    for (SlowGap& gap : found) {
        for (const bool empty : {false, true})
            for (const Row* op : ops)
                if (!gap.next && op->beginNs == gap.end && (op->beginNs == op->endNs) == empty)
                    gap.next = op;
        gap.launch = callOf(*gap.next);
        if (!gap.launch) {
            gap.unknown = gap.end - gap.begin;
            continue;
        }
        for (std::int64_t t = gap.begin; t < gap.end; t += kUnit) {
            (t < gap.launch->beginNs ? gap.before : t < gap.launch->endNs ? gap.inside : gap.after) += kUnit;
            if (t < gap.launch->beginNs)
                gap.classes.push_back(classAt(gap.launch->thread, t));
        }
        // Device operations alone: a group of markers is no launch.
        gap.sameLaunch = std::any_of(ops.begin(), ops.end(), [&](const Row* op) {
            return op->endNs == gap.begin && op->beginNs <= gap.begin &&
                   op->correlation == gap.next->correlation && op->correlation != 0;
        });
        if (!gap.sameLaunch && gap.before + gap.inside > 0)
            fillDrain(gap, device);
    }
    return found;
}

using Segments = std::array<std::int64_t, kPieceClasses>;

Segments segmentsIn(const SlowGap& gap, TimeRange window) {
    Segments sums{};
    for (std::int64_t t = gap.begin; t < gap.end; t += kUnit) {
        if (!window.contains({t}))
            continue;
        const auto unit = static_cast<std::size_t>((t - gap.begin) / kUnit);
        const PieceClass cls = !gap.launch                 ? PieceClass::Unknown
                               : unit < gap.classes.size() ? gap.classes[unit]
                               : t < gap.launch->endNs     ? PieceClass::Inside
                                                           : PieceClass::After;
        sums[static_cast<std::size_t>(cls)] += kUnit;
    }
    return sums;
}

QString differenceOf(const RandomTrace& random, const Gap& gap, const SlowGap& slow, std::int64_t zero) {
    const auto row = [&](EventId event) { return event ? &random.rowOf(event) : nullptr; };
    if (gap.range.begin.v != slow.begin - zero || gap.range.end.v != slow.end - zero)
        return QStringLiteral("range");
    if (row(gap.next) != slow.next || row(gap.launch) != slow.launch)
        return QStringLiteral("next or launch");
    if (gap.beforeNs != slow.before || gap.insideNs != slow.inside || gap.afterNs != slow.after ||
        gap.unknownNs() != slow.unknown)
        return QStringLiteral("cuts");
    if (gap.sameLaunch != slow.sameLaunch)
        return QStringLiteral("same launch");
    if (row(gap.drainedBy) != slow.drainedBy)
        return QStringLiteral("drained by");
    if (gap.lostRunAheadNs != slow.lost || gap.syncPartNs != slow.sync)
        return QStringLiteral("sync part %1 instead of %2").arg(gap.syncPartNs).arg(slow.sync);
    return {};
}

// Pieces of the story: tile the gap, and the class of every unit.
QString pieceDifference(const GapStory& story, const Gap& gap, const SlowGap& slow) {
    TimeNs at = gap.range.begin;
    for (const GapPiece& piece : story.pieces) {
        if (piece.range.begin != at || piece.range.isEmpty())
            return QStringLiteral("pieces do not tile");
        for (; at < piece.range.end; at.v += kUnit) {
            const auto unit = static_cast<std::size_t>((at - gap.range.begin).v / kUnit);
            if (unit < slow.classes.size() && piece.cls != slow.classes[unit])
                return QStringLiteral("class of a piece");
        }
        at = piece.range.end;
    }
    return at == gap.range.end ? QString() : QStringLiteral("pieces end early");
}

RandomTraceOptions optionsFor(std::uint64_t seed) {
    RandomTraceOptions options;
    options.unitNs = kUnit;
    options.devices = seed % 3 == 0 ? 2 : 1;
    options.streams = 1 + static_cast<int>(seed % 3);
    options.crossingRows = seed % 2 == 0;
    return options;
}

} // namespace

class TstGapBruteForce : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gapsCutsAndSyncParts_agree();
    void totals_agreeInRandomWindows();
    void largeGroups_areInOrder();
};

void TstGapBruteForce::gapsCutsAndSyncParts_agree() {
    std::size_t compared = 0, drained = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const RandomTrace random = makeRandomTrace(seed, optionsFor(seed));
        GapOptions options;
        options.handOff = false;
        JobControl job;
        const auto analysis = *GapAnalysis::run(random.trace, options, job);
        const Slow slow(random);
        for (std::uint32_t d = 0; d < random.trace->devices().size(); ++d) {
            const auto gaps = analysis->gapsOf(DeviceId{d});
            const auto expected = slow.gaps(static_cast<int>(random.trace->devices()[d].ordinal));
            QVERIFY2(gaps.size() == expected.size(), qPrintable(random.note()));
            for (std::size_t i = 0; i < gaps.size(); ++i) {
                QString difference = differenceOf(random, gaps[i], expected[i], slow.zero());
                if (difference.isEmpty())
                    difference = pieceDifference(analysis->explain(gaps[i]), gaps[i], expected[i]);
                QVERIFY2(
                    difference.isEmpty(),
                    qPrintable(QStringLiteral("%1, gap %2: %3").arg(random.note()).arg(i).arg(difference)));
                ++compared;
                drained += gaps[i].drainedBy ? std::size_t{1} : std::size_t{0};
            }
        }
    }
    QVERIFY2(compared > 1'000 && drained > 50,
             qPrintable(QStringLiteral("%1 %2").arg(compared).arg(drained)));
}

void TstGapBruteForce::totals_agreeInRandomWindows() {
    for (std::uint64_t seed = 500; seed <= 560; ++seed) {
        const RandomTrace random = makeRandomTrace(seed, optionsFor(seed));
        GapOptions options;
        options.handOff = seed % 2 == 0; // segments do not depend on it
        JobControl job;
        const auto analysis = *GapAnalysis::run(random.trace, options, job);
        const Slow slow(random);
        RandomSource source(seed);
        for (std::uint32_t d = 0; d < random.trace->devices().size(); ++d) {
            const int ordinal = static_cast<int>(random.trace->devices()[d].ordinal);
            const auto expected = slow.gaps(ordinal);
            const TimeRange span = slow.span(ordinal);
            for (int k = 0; k < 10; ++k) {
                const std::int64_t a = source.between(-20, 450), b = a + source.between(1, 200);
                const TimeRange window{{slow.zero() + a * kUnit}, {slow.zero() + b * kUnit}};
                const GapTotals totals = analysis->totals(DeviceId{d}, {{a * kUnit}, {b * kUnit}});
                Segments segments{};
                std::int64_t idle = 0, outside = 0;
                std::uint32_t count = 0;
                for (const SlowGap& gap : expected) {
                    const Segments part = segmentsIn(gap, window);
                    std::int64_t ns = 0;
                    for (std::size_t i = 0; i < kPieceClasses; ++i) {
                        segments[i] += part[i];
                        ns += part[i];
                    }
                    idle += ns;
                    count += ns > 0 ? 1 : 0;
                }
                for (std::int64_t t = window.begin.v; t < window.end.v; t += kUnit)
                    outside += span.contains({t}) ? 0 : kUnit;
                QVERIFY2(totals.segmentNs == segments && totals.idleNs == idle && totals.gaps == count &&
                             totals.edgeStartNs + totals.edgeEndNs == outside &&
                             totals.busyNs == totals.windowNs - idle - outside,
                         qPrintable(random.note()));
                std::int64_t parts = 0, causes = 0;
                for (std::size_t i = 0; i < kGapCauses; ++i) {
                    parts += totals.partNs[i];
                    causes += totals.causeNs[i];
                }
                QVERIFY2(parts == idle && causes == idle, qPrintable(random.note()));
            }
        }
    }
}

// Thousands of gaps of one cause, many of one length, some beyond 4 s, on one device and on three: the
// longest first, ties by start, then in the order of gaps.
void TstGapBruteForce::largeGroups_areInOrder() {
    for (const int devices : {1, 3}) {
        std::vector<RandomRow> rows;
        std::mt19937_64 random(static_cast<std::uint64_t>(devices));
        for (int device = 0; device < devices; ++device) {
            std::int64_t at = 0;
            for (int k = 0; k < 9'000; ++k) {
                RandomRow row;
                row.kind = EventKind::Kernel;
                row.name = "kernel";
                row.device = device;
                row.stream = 7;
                row.beginNs = at;
                row.endNs = at + 100;
                rows.push_back(row);
                const bool isLong = random() % 500 == 0;
                const auto gapNs = static_cast<std::int64_t>(1'000 + 1'000 * (random() % 40));
                at = row.endNs + gapNs + (isLong ? 4'294'967'000 + 100 * (k % 5) : 0);
            }
        }
        JobControl job;
        const auto analysis = *GapAnalysis::run(traceOfRows(rows), {}, job);
        QVERIFY(analysis->gaps().size() == static_cast<std::size_t>(8'999 * devices));
        std::size_t members = 0;
        for (const GapGroup& group : analysis->groups()) {
            std::vector<GapId> expected;
            std::int64_t total = 0;
            for (std::uint32_t g = 0; g < analysis->gaps().size(); ++g)
                if (&analysis->groups()[analysis->gaps()[g].group] == &group) {
                    expected.push_back({g});
                    total += analysis->gaps()[g].length().v;
                }
            std::sort(expected.begin(), expected.end(), [&](GapId a, GapId b) {
                const Gap &gapA = analysis->gap(a), &gapB = analysis->gap(b);
                return std::tuple(-gapA.length().v, gapA.range.begin.v, a.v) <
                       std::tuple(-gapB.length().v, gapB.range.begin.v, b.v);
            });
            QVERIFY(group.members == expected);
            QCOMPARE(group.totalNs, total);
            QCOMPARE(group.medianNs, analysis->gap(expected[expected.size() / 2]).length().v);
            members = std::max(members, expected.size());
        }
        QVERIFY(members > 8'000); // one group, or the test tests little
    }
}

LACUNA_TEST(TstGapBruteForce, "tst_gap_brute_force")

} // namespace tst_gap_brute_force

#include "tst_gap_brute_force.moc"
