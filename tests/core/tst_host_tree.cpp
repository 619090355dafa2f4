#include "core/analysis/host_tree.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>
#include <map>

namespace tst_host_tree {

using namespace lacuna;
using namespace lacuna::test;

namespace {

HostTree treeOf(const Trace& trace, const HostTreeOptions& options = {}) {
    JobControl job;
    auto tree = HostTree::build(trace, options, job);
    return tree ? std::move(*tree) : HostTree{};
}

std::int64_t selfNs(const Trace& trace, const HostTree& tree, std::string_view name) {
    return tree.selfTimes()[tree.find(rowNamed(trace, name)).v];
}

// Leaves of the first thread as "name length" in us.
QStringList leavesOf(const Trace& trace, const HostTree& tree, TimeRange window) {
    QStringList leaves;
    tree.visitLeaves(ThreadId{0}, window, [&](TimeRange range, HostRow row) {
        const std::string_view name = row ? trace.nameOf(tree.event(row)) : std::string_view("-");
        leaves.push_back(QStringLiteral("%1 %2")
                             .arg(QString::fromUtf8(name.data(), static_cast<int>(name.size())))
                             .arg(range.length().v / 1000));
    });
    return leaves;
}

// Second implementation: per ns, the innermost of the rows that a stack would hold.
struct Naive {
    std::vector<EventId> order;
    std::vector<int> parent;
    std::vector<std::int64_t> self;
    std::map<std::int64_t, int> leafAt;
};

Naive naiveOf(const RandomTrace& random, int thread) {
    const EventTable& events = random.trace->events();
    Naive naive;
    for (EventId e{0}; e.v < events.size(); ++e.v)
        if (random.rowOf(e).thread == thread)
            naive.order.push_back(e);
    std::sort(naive.order.begin(), naive.order.end(), [&](EventId a, EventId b) {
        return std::tuple(events.beginNs[a.v], -events.endNs[a.v], events.source[a.v]) <
               std::tuple(events.beginNs[b.v], -events.endNs[b.v], events.source[b.v]);
    });
    std::vector<int> open;
    for (std::size_t i = 0; i < naive.order.size(); ++i) {
        const TimeRange range = events.range(naive.order[i]);
        while (!open.empty() &&
               events.range(naive.order[static_cast<std::size_t>(open.back())]).end <= range.begin)
            open.pop_back();
        naive.parent.push_back(open.empty() ? -1 : open.back());
        naive.self.push_back(range.length().v);
        if (!open.empty()) {
            const auto up = static_cast<std::size_t>(open.back());
            const TimeNs clip = std::min(range.end, events.range(naive.order[up]).end);
            naive.self[up] -= (clip - range.begin).v;
        }
        open.push_back(static_cast<int>(i));
    }
    // Innermost at t: the last in nesting order among the rows that cover t and were open when it began.
    for (std::size_t i = 0; i < naive.order.size(); ++i)
        for (TimeNs t = events.range(naive.order[i]).begin; t < events.range(naive.order[i]).end; ++t.v)
            naive.leafAt[t.v] = static_cast<int>(i);
    return naive;
}

} // namespace

class TstHostTree : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selfTimes_ofNestedRows();
    void selfTimes_clipPartialOverlap();
    void leaves_tileTheWindow();
    void leaves_joinAcrossZeroLengthRows();
    void order_isBeginThenLongerThenFile();
    void options_leaveRowsOut();
    void enclosing_mustContainWhole();
    void leaf_afterADeepNestIsFound();
    void build_polls();
    void build_agreesWithBruteForce();
};

void TstHostTree::selfTimes_ofNestedRows() { // M16
    const auto trace = traceOf(R"(
        main op A 0..100
        main op B 10..40
        main op C 20..30
        main op D 40..60)");
    const HostTree tree = treeOf(*trace);
    QCOMPARE(selfNs(*trace, tree, "A"), us(50));
    QCOMPARE(selfNs(*trace, tree, "B"), us(20));
    QCOMPARE(selfNs(*trace, tree, "C"), us(10));
    QCOMPARE(selfNs(*trace, tree, "D"), us(20));
    QCOMPARE(tree.partialOverlaps(), std::uint64_t{0});
}

void TstHostTree::selfTimes_clipPartialOverlap() { // M18
    const auto trace = traceOf("main op A 0..10\nmain op B 5..15");
    const HostTree tree = treeOf(*trace);
    const HostRow b = tree.find(rowNamed(*trace, "B"));
    QCOMPARE(selfNs(*trace, tree, "A"), us(5));
    QCOMPARE(selfNs(*trace, tree, "B"), us(10));
    QCOMPARE(tree.partialOverlaps(), std::uint64_t{1});
    QVERIFY(tree.parent(b) == tree.find(rowNamed(*trace, "A")));
}

void TstHostTree::leaves_tileTheWindow() {
    const auto trace = traceOf(R"(
        main op A 10..30
        main op B 15..20
        main op C 40..50)");
    const HostTree tree = treeOf(*trace);
    QCOMPARE(leavesOf(*trace, tree, {{0}, {us(60)}}),
             (QStringList{QStringLiteral("- 10"), QStringLiteral("A 5"), QStringLiteral("B 5"),
                          QStringLiteral("A 10"), QStringLiteral("- 10"), QStringLiteral("C 10"),
                          QStringLiteral("- 10")}));
    QCOMPARE(leavesOf(*trace, tree, {{us(16)}, {us(18)}}), QStringList{QStringLiteral("B 2")});
    QCOMPARE(leavesOf(*trace, tree, {{us(52)}, {us(58)}}), QStringList{QStringLiteral("- 6")});
    QCOMPARE(leavesOf(*trace, tree, {{us(2)}, {us(8)}}), QStringList{QStringLiteral("- 6")});
}

void TstHostTree::leaves_joinAcrossZeroLengthRows() {
    const auto trace = traceOf("main op A 0..10\nmain op mark 5..5");
    const HostTree tree = treeOf(*trace);
    QCOMPARE(leavesOf(*trace, tree, {{0}, {us(10)}}), QStringList{QStringLiteral("A 10")});
}

void TstHostTree::order_isBeginThenLongerThenFile() {
    const auto trace = traceOf(R"(
        main op   short 0..5
        main range long 0..10
        main op   twin  0..5)");
    const HostTree tree = treeOf(*trace);
    QCOMPARE(tree.find(rowNamed(*trace, "long")).v, 0u);
    QCOMPARE(tree.find(rowNamed(*trace, "short")).v, 1u);
    QVERIFY(tree.parent(tree.find(rowNamed(*trace, "twin"))) == tree.find(rowNamed(*trace, "short")));
}

void TstHostTree::options_leaveRowsOut() {
    const auto trace = traceOf(R"(
        main py frame 0..10
        main os poll  2..4
        main op aten  4..6
        s7 kernel K   1..2)");
    QCOMPARE(treeOf(*trace).size(), std::size_t{3});
    const HostTree tree = treeOf(*trace, {false, false});
    QCOMPARE(tree.size(), std::size_t{1});
    QVERIFY(!tree.find(rowNamed(*trace, "frame")));
    QVERIFY(!tree.find(rowNamed(*trace, "K")));
    QVERIFY(!tree.threadOf(rowNamed(*trace, "K")));
}

void TstHostTree::enclosing_mustContainWhole() {
    const auto trace = traceOf(R"(
        main range whole 0..100
        main range ends  0..10
        main op    late  5..15)");
    const HostTree tree = treeOf(*trace);
    const HostRow late = tree.find(rowNamed(*trace, "late"));
    QVERIFY(tree.parent(late) == tree.find(rowNamed(*trace, "ends")));
    QVERIFY(tree.enclosing(late, EventKind::Range) == tree.find(rowNamed(*trace, "whole")));
    QVERIFY(!tree.enclosing(late, EventKind::Python));
}

// Three hundred rows that end at once inside of one that goes on: the way from the edge to it is long.
void TstHostTree::leaf_afterADeepNestIsFound() {
    std::string text = "main op whole 0..2000\n";
    for (int i = 1; i <= 300; ++i)
        text += "main op inner " + std::to_string(i) + "..1000\n";
    const auto trace = traceOf(text);
    const HostTree tree = treeOf(*trace);
    const HostRow whole = tree.find(rowNamed(*trace, "whole"));
    QVERIFY(whole && tree.size() == 301);
    QVERIFY(tree.leafRow(tree.leafAt(ThreadId{0}, {1'500'000})) == whole);
    QCOMPARE(leavesOf(*trace, tree, {{999'000}, {2'001'000}}),
             QStringList({QStringLiteral("inner 1"), QStringLiteral("whole 1000"), QStringLiteral("- 1")}));
}

void TstHostTree::build_polls() {
    std::string text;
    for (int i = 0; i < 9000; ++i)
        text += "main op A " + std::to_string(i) + ".." + std::to_string(i + 1) + "\n";
    const auto trace = traceOf(text);
    JobControl job;
    QVERIFY(HostTree::build(*trace, {}, job));
    QVERIFY2(job.maxEventsBetweenPolls() <= 4'096, qPrintable(QString::number(job.maxEventsBetweenPolls())));
    JobControl stopped;
    stopped.cancelAtPoll(2);
    const auto result = HostTree::build(*trace, {}, stopped);
    QVERIFY(!result && result.error().code == Errc::Cancelled);
}

void TstHostTree::build_agreesWithBruteForce() {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        RandomTraceOptions options;
        options.threads = 1;
        const RandomTrace random = makeRandomTrace(seed, options);
        const HostTree tree = treeOf(*random.trace);
        const Naive naive = naiveOf(random, 0);
        QVERIFY2(tree.size() == naive.order.size(), qPrintable(random.note()));
        const auto self = tree.selfTimes();
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            QVERIFY2(tree.event(HostRow{i}) == naive.order[i], qPrintable(random.note()));
            const HostRow parent = tree.parent(HostRow{i});
            QVERIFY2((parent ? static_cast<int>(parent.v) : -1) == naive.parent[i],
                     qPrintable(random.note()));
            QVERIFY2(self[i] == naive.self[i], qPrintable(random.note()));
        }
        const TimeRange window{{random.trace->window().begin.v - 5}, {random.trace->window().end.v + 5}};
        TimeNs at = window.begin;
        tree.visitLeaves(ThreadId{0}, window, [&](TimeRange range, HostRow row) {
            QVERIFY2(range.begin == at && !range.isEmpty(), qPrintable(random.note()));
            at = range.end;
            for (TimeNs t = range.begin; t < range.end; ++t.v) {
                const auto leaf = naive.leafAt.find(t.v);
                const int expected = leaf == naive.leafAt.end() ? -1 : leaf->second;
                QVERIFY2((row ? static_cast<int>(row.v) : -1) == expected, qPrintable(random.note()));
            }
        });
        QVERIFY2(at == window.end, qPrintable(random.note()));
        // A visit that answers false is the last, wherever it is.
        std::size_t all = 0;
        tree.visitLeaves(ThreadId{0}, window, [&](TimeRange, HostRow) { ++all; });
        for (const std::size_t last : {std::size_t{1}, all / 2, all}) {
            std::size_t seen = 0;
            tree.visitLeaves(ThreadId{0}, window, [&](TimeRange, HostRow) { return ++seen < last; });
            QVERIFY2(seen == std::max<std::size_t>(1, last), qPrintable(random.note()));
        }
    }
}

LACUNA_TEST(TstHostTree, "tst_host_tree")

} // namespace tst_host_tree

#include "tst_host_tree.moc"
