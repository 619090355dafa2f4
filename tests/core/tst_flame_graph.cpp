// [B03] Flame graphs, against a walk over every ns, the window's length, and the operator table.

#include "core/analysis/flame_graph.h"
#include "core/analysis/op_attribution.h"
#include "core/import/load_trace.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>

namespace tst_flame_graph {

using namespace lacuna;
using namespace lacuna::test;

namespace {

using Path = std::vector<std::string>;

Path pathOf(const Trace& trace, const FlameGraph& graph, std::uint32_t node) {
    Path path;
    for (; node != 0; node = graph.nodes[node].parent)
        path.insert(path.begin(), std::string(trace.strings().view(graph.nodes[node].name)));
    return path;
}

// Rows of a thread around a time, outer first, from the plain rows.
Path rowsAround(const RandomTrace& random, int thread, std::int64_t fileTime) {
    std::vector<const RandomRow*> around;
    for (const RandomRow& row : random.rows)
        if (row.device < 0 && row.thread == thread && row.kind != EventKind::Instant &&
            row.beginNs <= fileTime && fileTime < row.endNs)
            around.push_back(&row);
    std::stable_sort(around.begin(), around.end(), [](const RandomRow* a, const RandomRow* b) {
        return std::pair(a->beginNs, -a->endNs) < std::pair(b->beginNs, -b->endNs);
    });
    Path path;
    for (const RandomRow* row : around)
        path.push_back(row->name);
    return path;
}

FlameGraph graphOf(const Trace& trace, ThreadId thread, TimeRange window, FlameOrder order,
                   HostTreeOptions options = {}) {
    JobControl job;
    const auto tree = HostTree::build(trace, options, job);
    auto graph = makeFlameGraph(trace, *tree, thread, window, order, job);
    return graph ? std::move(*graph) : FlameGraph{};
}

const char* const kLoop = R"(
{'ph':'X','cat':'cpu_op','name':'outer','pid':1,'tid':1,'ts':0,'dur':100},
{'ph':'X','cat':'cpu_op','name':'inner','pid':1,'tid':1,'ts':10,'dur':20},
{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,'ts':15,'dur':5,'args':{'correlation':7}},
{'ph':'X','cat':'cpu_op','name':'inner','pid':1,'tid':1,'ts':50,'dur':30},
{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':200,'dur':44,'args':{'device':0,'stream':7,'correlation':7}})";

} // namespace

class TstFlameGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void b03_workedByHand() {
        const auto trace = jsonTrace(objectForm(q(kLoop)));
        const TimeRange window{{0}, {120'000}};
        const FlameGraph whole = graphOf(*trace, ThreadId{0}, window, FlameOrder::Aggregated);
        QCOMPARE(whole.nodes.size(), std::size_t{4}); // root, outer, inner, call
        const FlameNode &root = whole.nodes[0], &outer = whole.nodes[1], &inner = whole.nodes[2],
                        &call = whole.nodes[3];
        QCOMPARE(root.hostNs, std::int64_t{120'000});
        QCOMPARE(root.selfNs, std::int64_t{20'000});
        QCOMPARE(outer.hostNs, std::int64_t{100'000});
        QCOMPARE(outer.selfNs, std::int64_t{50'000});
        QCOMPARE(inner.rows, std::uint64_t{2});
        QCOMPARE(inner.hostNs, std::int64_t{50'000});
        QCOMPARE(inner.selfNs, std::int64_t{45'000});
        QCOMPARE(trace->events().duration(inner.longest).v, std::int64_t{30'000});
        QCOMPARE(call.deviceSelfNs, std::int64_t{44'000});
        QCOMPARE(root.deviceNs, std::int64_t{44'000});
        QCOMPARE(inner.deviceSelfNs, std::int64_t{0});
        QCOMPARE(inner.deviceNs, std::int64_t{44'000});
        QCOMPARE(whole.weight(0, FlameWeight::Self), std::int64_t{100'000});
        // In time: two nodes of the name, and a window that cuts the second.
        const FlameGraph cut = graphOf(*trace, ThreadId{0}, {{20'000}, {60'000}}, FlameOrder::Time);
        QCOMPARE(cut.nodes.size(), std::size_t{4}); // the call ended before
        QCOMPARE(cut.nodes[0].hostNs, std::int64_t{40'000});
        QCOMPARE(cut.nodes[1].hostNs, std::int64_t{40'000});
        QCOMPARE(cut.nodes[2].hostNs, std::int64_t{10'000});
        QCOMPARE(cut.nodes[3].hostNs, std::int64_t{10'000});
        QCOMPARE(cut.nodes[0].deviceNs, std::int64_t{0}); // launched before the window
    }

    void b03_hostTimeAgreesWithEveryNs() {
        RandomTraceOptions options;
        options.crossingRows = false;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const RandomTrace random = makeRandomTrace(seed, options);
            const Trace& trace = *random.trace;
            const std::int64_t zero = trace.fileZeroNs();
            RandomSource source(seed);
            for (std::uint32_t t = 0; t < trace.threads().size(); ++t) {
                const auto number = static_cast<int>(trace.threads()[t].tid) - 1;
                const std::int64_t from = source.between(-20, 200), to = from + source.between(1, 300);
                std::map<Path, std::int64_t> expected;
                for (std::int64_t ns = from; ns < to; ++ns)
                    ++expected[rowsAround(random, number, ns + zero)];
                for (const FlameOrder order : {FlameOrder::Aggregated, FlameOrder::Time}) {
                    const FlameGraph graph = graphOf(trace, ThreadId{t}, {{from}, {to}}, order);
                    std::map<Path, std::int64_t> found;
                    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
                        if (graph.nodes[n].selfNs > 0)
                            found[pathOf(trace, graph, n)] += graph.nodes[n].selfNs;
                    QVERIFY2(found == expected, qPrintable(random.note()));
                    QCOMPARE(graph.nodes[0].hostNs, to - from); // the root is the window
                }
            }
        }
    }

    // The operator table of the same trace: sums by name, where recursion counts the outermost only.
    void b03_totalsMatchTheTable() {
        JobControl job;
        const auto loaded =
            loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        const auto tree = HostTree::build(trace, {false, false}, job);
        const auto table = attributeOperators(trace, *tree, job);
        QVERIFY(tree && table);
        std::map<StringId, std::int64_t> self, device;
        std::int64_t deviceAll = 0;
        for (std::uint32_t t = 0; t < trace.threads().size(); ++t) {
            const auto graph =
                makeFlameGraph(trace, *tree, ThreadId{t}, {{-1'000'000'000}, {100'000'000'000}},
                               FlameOrder::Aggregated, job);
            QVERIFY(graph);
            deviceAll += graph->nodes[0].deviceNs;
            for (std::uint32_t n = 1; n < graph->nodes.size(); ++n) {
                const FlameNode& node = graph->nodes[n];
                if (node.kind != EventKind::CpuOp)
                    continue;
                self[node.name] += node.selfNs;
                bool isOutermost = true;
                for (std::uint32_t up = node.parent; up != 0; up = graph->nodes[up].parent)
                    isOutermost = isOutermost && !(graph->nodes[up].name == node.name &&
                                                   graph->nodes[up].kind == EventKind::CpuOp);
                if (isOutermost)
                    device[node.name] += node.deviceNs;
            }
        }
        QVERIFY(table->rows.size() > 20);
        for (const OperatorTime& row : table->rows) {
            const auto name = QString::fromStdString(std::string(trace.strings().view(row.name)));
            QVERIFY2(self[row.name] == row.hostSelfNs, qPrintable(name));
            QVERIFY2(device[row.name] == row.deviceTotalNs, qPrintable(name));
        }
        std::int64_t operations = table->outside.ns;
        for (const OperatorTime& row : table->rows)
            operations += row.deviceSelfNs;
        QCOMPARE(deviceAll, operations); // but those without a recorded launch
    }

    void b03_boxesTileTheirParents() {
        const RandomTrace random = makeRandomTrace(3);
        const FlameGraph graph =
            graphOf(*random.trace, ThreadId{0}, random.trace->window(), FlameOrder::Aggregated);
        for (const FlameWeight by : {FlameWeight::Host, FlameWeight::Self, FlameWeight::Device})
            for (const bool widest : {false, true}) {
                const auto boxes = layOutFlames(graph, by, 0, 1000, 0.0, widest);
                if (graph.weight(0, by) == 0)
                    continue;
                QCOMPARE(boxes.front().x1, 1000.0);
                std::map<std::uint32_t, const FlameBox*> byNode;
                for (const FlameBox& box : boxes)
                    byNode[box.node] = &box;
                std::map<std::uint32_t, double> last;
                for (const FlameBox& box : boxes) {
                    if (box.node == 0)
                        continue;
                    const FlameBox& parent = *byNode.at(graph.nodes[box.node].parent);
                    QVERIFY(box.x0 >= parent.x0 - 1e-6 && box.x1 <= parent.x1 + 1e-6);
                    QCOMPARE(box.level, parent.level + 1);
                    const double share = double(graph.weight(box.node, by)) / double(graph.weight(0, by));
                    QVERIFY(std::abs((box.x1 - box.x0) - 1000 * share) < 1e-6);
                    auto& end = last.try_emplace(parent.node, parent.x0).first->second;
                    QVERIFY(std::abs(box.x0 - end) < 1e-6); // one after the other
                    end = box.x1;
                }
            }
        QVERIFY(layOutFlames(graph, FlameWeight::Host, 0, 1000, 30.0, false).size() <
                layOutFlames(graph, FlameWeight::Host, 0, 1000, 0.0, false).size());
    }

    void cancelled() {
        const RandomTrace random = makeRandomTrace(1);
        JobControl job;
        const auto tree = HostTree::build(*random.trace, {}, job);
        job.requestCancel();
        // Few rows: the first poll may lie beyond them, and then there is a result.
        const auto graph =
            makeFlameGraph(*random.trace, *tree, ThreadId{0}, random.trace->window(), FlameOrder::Time, job);
        QVERIFY(graph || graph.error().code == Errc::Cancelled);
    }
};

LACUNA_TEST(TstFlameGraph, "tst_flame_graph")

} // namespace tst_flame_graph

#include "tst_flame_graph.moc"
