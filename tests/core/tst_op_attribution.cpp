// Operators, launch pairs, streams and kernels: hand-made cases, and random traces against slow answers that
// work on the plain rows.

#include "core/analysis/kernel_summary.h"
#include "core/analysis/launch_pairs.h"
#include "core/analysis/op_attribution.h"
#include "core/analysis/stream_summary.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <set>

namespace tst_op_attribution {

using namespace lacuna;
using namespace lacuna::test;

namespace {

RandomRow host(EventKind kind, std::int64_t begin, std::int64_t end, std::string name,
               std::uint64_t correlation = 0) {
    RandomRow row;
    row.kind = kind;
    row.beginNs = begin;
    row.endNs = end;
    row.name = std::move(name);
    row.correlation = correlation;
    row.thread = 0;
    return row;
}
RandomRow oper(std::int64_t begin, std::int64_t end, std::string name) {
    return host(EventKind::CpuOp, begin, end, std::move(name));
}
RandomRow launch(std::int64_t begin, std::int64_t end, std::uint64_t correlation) {
    return host(EventKind::RuntimeApi, begin, end, "cudaLaunchKernel", correlation);
}
RandomRow kernel(std::int64_t begin, std::int64_t end, std::uint64_t correlation, std::int64_t stream = 7) {
    RandomRow row = host(EventKind::Kernel, begin, end, "K", correlation);
    row.thread = -1;
    row.device = 0;
    row.stream = stream;
    return row;
}

OpAttribution attribute(const Trace& trace, bool pythonRows = true) {
    JobControl job;
    auto tree = HostTree::build(trace, {pythonRows, true}, job);
    auto result = attributeOperators(trace, *tree, job);
    return *std::move(result);
}

OperatorTime timeOf(const Trace& trace, const OpAttribution& result, std::string_view name) {
    for (const OperatorTime& row : result.rows)
        if (trace.strings().view(row.name) == name)
            return row;
    return {};
}

bool isTreeRow(const RandomRow& row) {
    return row.thread >= 0;
}

// Slow nesting of one thread: the parent is the last row in nesting order that is still open.
struct SlowNesting {
    std::vector<std::size_t> order;
    std::map<std::size_t, std::size_t> parent; // by row number; absent: none
};

SlowNesting nestSlowly(const std::vector<RandomRow>& rows, int thread) {
    SlowNesting nesting;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (isTreeRow(rows[k]) && rows[k].thread == thread)
            nesting.order.push_back(k);
    std::stable_sort(nesting.order.begin(), nesting.order.end(), [&](std::size_t a, std::size_t b) {
        if (rows[a].beginNs != rows[b].beginNs)
            return rows[a].beginNs < rows[b].beginNs;
        return rows[a].endNs > rows[b].endNs;
    });
    std::vector<std::size_t> stack;
    for (const std::size_t k : nesting.order) {
        while (!stack.empty() && rows[stack.back()].endNs <= rows[k].beginNs)
            stack.pop_back();
        if (!stack.empty())
            nesting.parent[k] = stack.back();
        stack.push_back(k);
    }
    return nesting;
}

// Every figure by its definition, row by row.
std::map<std::string, OperatorTime> attributeSlowly(const std::vector<RandomRow>& rows, int threads,
                                                    DeviceShare& outside, DeviceShare& unlaunched) {
    std::map<std::string, OperatorTime> result;
    std::map<std::size_t, std::size_t> parent;
    for (int t = 0; t < threads; ++t)
        parent.merge(nestSlowly(rows, t).parent);
    std::map<std::size_t, std::int64_t> childNs;
    for (const auto& [child, above] : parent)
        childNs[above] += std::min(rows[child].endNs, rows[above].endNs) - rows[child].beginNs;
    const auto chainOf = [&](std::size_t row) {
        std::vector<std::size_t> chain;
        for (auto at = parent.find(row); at != parent.end(); at = parent.find(at->second))
            chain.push_back(at->second);
        return chain;
    };
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].kind != EventKind::CpuOp)
            continue;
        OperatorTime& time = result[rows[k].name];
        const std::int64_t duration = rows[k].endNs - rows[k].beginNs;
        ++time.calls;
        time.hostTotalNs += duration;
        time.hostSelfNs += duration - childNs[k];
        const auto chain = chainOf(k);
        if (std::none_of(chain.begin(), chain.end(), [&](std::size_t above) {
                return rows[above].kind == EventKind::CpuOp && rows[above].name == rows[k].name;
            }))
            time.hostOnceNs += duration;
    }
    for (const RandomRow& op : rows) {
        if (!isDeviceOp(op.kind))
            continue;
        const std::int64_t duration = op.endNs - op.beginNs;
        const auto call = std::find_if(rows.begin(), rows.end(), [&](const RandomRow& row) {
            return isHostCall(row.kind) && op.correlation != 0 && row.correlation == op.correlation;
        });
        if (call == rows.end()) {
            ++unlaunched.ops;
            unlaunched.ns += duration;
            continue;
        }
        std::set<std::string> names;
        bool first = true;
        for (const std::size_t above : chainOf(static_cast<std::size_t>(call - rows.begin()))) {
            if (rows[above].kind != EventKind::CpuOp)
                continue;
            OperatorTime& time = result[rows[above].name];
            if (first) {
                time.deviceSelfNs += duration;
                ++time.deviceOps;
                time.kernels += op.kind == EventKind::Kernel ? 1 : 0;
            }
            first = false;
            if (names.insert(rows[above].name).second)
                time.deviceTotalNs += duration;
        }
        if (first) {
            ++outside.ops;
            outside.ns += duration;
        }
    }
    return result;
}

} // namespace

class TstOpAttribution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selfTimes_ofNestedOperators();
    void recursion_isCountedOnce();
    void partialOverlap_isClipped();
    void deviceTime_goesToTheNearestOperator();
    void deviceTime_countsEveryNameOnce();
    void deviceTime_withoutOperatorOrCall_isKept();
    void randomTraces_agreeWithTheDefinitions();
    void cancelled_isAnError();
    void launchPairs_measureStartToStart();
    void launchPairs_emptyTrace();
    void streams_depthAndOverlaps();
    void streams_startBeforeSubmissionAtEqualTimes();
    void kernels_areSortedBySum();
};

void TstOpAttribution::selfTimes_ofNestedOperators() {
    // M16
    const auto trace =
        traceOfRows({oper(0, 100, "A"), oper(10, 40, "B"), oper(20, 30, "C"), oper(40, 60, "D")});
    const OpAttribution result = attribute(*trace);
    QCOMPARE(timeOf(*trace, result, "A").hostSelfNs, 50);
    QCOMPARE(timeOf(*trace, result, "B").hostSelfNs, 20);
    QCOMPARE(timeOf(*trace, result, "C").hostSelfNs, 10);
    QCOMPARE(timeOf(*trace, result, "D").hostSelfNs, 20);
    QCOMPARE(timeOf(*trace, result, "A").hostTotalNs, 100);
}

void TstOpAttribution::recursion_isCountedOnce() {
    // M17
    const auto trace = traceOfRows({oper(0, 10, "f"), oper(2, 8, "f")});
    const OperatorTime f = timeOf(*trace, attribute(*trace), "f");
    QCOMPARE(f.calls, std::uint64_t{2});
    QCOMPARE(f.hostTotalNs, 16);
    QCOMPARE(f.hostOnceNs, 10);
    QCOMPARE(f.hostSelfNs, 10);
}

void TstOpAttribution::partialOverlap_isClipped() {
    // M18
    const auto trace = traceOfRows({oper(0, 10, "A"), oper(5, 15, "B")});
    const OpAttribution result = attribute(*trace);
    QCOMPARE(timeOf(*trace, result, "A").hostSelfNs, 5);
    QCOMPARE(timeOf(*trace, result, "B").hostSelfNs, 10);
}

void TstOpAttribution::deviceTime_goesToTheNearestOperator() {
    const auto trace = traceOfRows({oper(0, 100, "outer"), oper(10, 50, "inner"), launch(20, 30, 1),
                                    launch(60, 70, 2), kernel(100, 150, 1), kernel(150, 157, 2)});
    const OpAttribution result = attribute(*trace);
    const OperatorTime outer = timeOf(*trace, result, "outer"), inner = timeOf(*trace, result, "inner");
    QCOMPARE(inner.deviceSelfNs, 50);
    QCOMPARE(inner.deviceTotalNs, 50);
    QCOMPARE(outer.deviceSelfNs, 7);
    QCOMPARE(outer.deviceTotalNs, 57);
    QCOMPARE(outer.kernels, std::uint64_t{1});
    QCOMPARE(outer.deviceOps, std::uint64_t{1});
}

void TstOpAttribution::deviceTime_countsEveryNameOnce() {
    const auto trace = traceOfRows(
        {oper(0, 100, "f"), oper(10, 90, "g"), oper(20, 80, "f"), launch(30, 40, 1), kernel(100, 150, 1)});
    const OpAttribution result = attribute(*trace);
    QCOMPARE(timeOf(*trace, result, "f").deviceSelfNs, 50);
    QCOMPARE(timeOf(*trace, result, "f").deviceTotalNs, 50);
    QCOMPARE(timeOf(*trace, result, "g").deviceTotalNs, 50);
    QCOMPARE(timeOf(*trace, result, "g").deviceSelfNs, 0);
}

void TstOpAttribution::deviceTime_withoutOperatorOrCall_isKept() {
    const auto trace = traceOfRows(
        {host(EventKind::Range, 0, 50, "range"), launch(10, 20, 1), kernel(30, 35, 1), kernel(40, 47, 99)});
    const OpAttribution result = attribute(*trace);
    QVERIFY(result.rows.empty()); // a range is no operator
    QCOMPARE(result.outside.ops, std::uint64_t{1});
    QCOMPARE(result.outside.ns, 5);
    QCOMPARE(result.unlaunched.ops, std::uint64_t{1});
    QCOMPARE(result.unlaunched.ns, 7);
}

void TstOpAttribution::randomTraces_agreeWithTheDefinitions() {
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const OpAttribution result = attribute(*random.trace);
        DeviceShare outside, unlaunched;
        const auto expected = attributeSlowly(random.rows, 2, outside, unlaunched);
        QVERIFY2(result.rows.size() == expected.size(), qPrintable(random.note()));
        for (const auto& [name, slow] : expected) {
            const OperatorTime fast = timeOf(*random.trace, result, name);
            const QString where = random.note() + QLatin1Char(' ') + QString::fromStdString(name);
            QVERIFY2(fast.calls == slow.calls, qPrintable(where));
            QVERIFY2(fast.hostSelfNs == slow.hostSelfNs, qPrintable(where));
            QVERIFY2(fast.hostTotalNs == slow.hostTotalNs, qPrintable(where));
            QVERIFY2(fast.hostOnceNs == slow.hostOnceNs, qPrintable(where));
            QVERIFY2(fast.deviceSelfNs == slow.deviceSelfNs, qPrintable(where));
            QVERIFY2(fast.deviceTotalNs == slow.deviceTotalNs, qPrintable(where));
            QVERIFY2(fast.kernels == slow.kernels && fast.deviceOps == slow.deviceOps, qPrintable(where));
        }
        QCOMPARE(result.outside.ops, outside.ops);
        QCOMPARE(result.outside.ns, outside.ns);
        QCOMPARE(result.unlaunched.ops, unlaunched.ops);
        QCOMPARE(result.unlaunched.ns, unlaunched.ns);
    }
}

void TstOpAttribution::cancelled_isAnError() {
    const RandomTrace random = makeRandomTrace(1);
    JobControl job;
    const auto tree = HostTree::build(*random.trace, {}, job);
    job.requestCancel();
    QVERIFY(attributeOperators(*random.trace, *tree, job).error().code == Errc::Cancelled);
    QVERIFY(launchPairs(*random.trace, job).error().code == Errc::Cancelled);
    QVERIFY(summariseStreams(*random.trace, {0}, job).error().code == Errc::Cancelled);
}

void TstOpAttribution::launchPairs_measureStartToStart() {
    const auto trace = traceOfRows({launch(0, 10, 1), launch(20, 30, 2), launch(40, 50, 3), launch(60, 70, 5),
                                    kernel(15, 18, 1), kernel(25, 28, 2), kernel(38, 39, 3),
                                    kernel(80, 81, 3), kernel(90, 91, 4)});
    JobControl job;
    const auto result = launchPairs(*trace, job);
    QVERIFY(result);
    QCOMPARE(result->pairs.size(), std::size_t{4}); // the operation of id 4 has no call, call 5 no operation
    QCOMPARE(result->minNs(), -2);
    QCOMPARE(result->lowerMedianNs(), 5); // -2 5 15 40: the lower of the two in the middle
    QCOMPARE(result->maxNs(), 40);
    QCOMPARE(result->startToStartSumNs, 58);
    QCOMPARE(result->delaySumNs, 5 + 30);
    QCOMPARE(result->startedBeforeReturn, std::uint64_t{2});
    QCOMPARE(result->startedBeforeCall, std::uint64_t{1});
    QCOMPARE(result->callsWithManyOps, std::uint64_t{1});
    QVERIFY((result->apiNames ==
             std::vector<std::pair<std::string_view, std::uint64_t>>{{"cudaLaunchKernel", 4}}));
}

void TstOpAttribution::launchPairs_emptyTrace() {
    JobControl job;
    QVERIFY(launchPairs(*traceOfRows({}), job)->isEmpty());
}

void TstOpAttribution::streams_depthAndOverlaps() {
    // Three launches before the first kernel starts; K3 overlaps K2 on the same stream.
    const auto trace = traceOfRows({launch(0, 1, 1), launch(2, 3, 2), launch(4, 5, 3), kernel(10, 20, 1),
                                    kernel(20, 30, 2), kernel(28, 40, 3), kernel(50, 55, 0, 9)});
    JobControl job;
    const auto streams = summariseStreams(*trace, {0}, job);
    QVERIFY(streams);
    QCOMPARE(streams->size(), std::size_t{2});
    const StreamSummary& seven = (*streams)[0];
    QCOMPARE(seven.stream, 7);
    QCOMPARE(seven.ops, std::uint64_t{3});
    QVERIFY((seven.span == TimeRange{{10}, {40}}));
    QCOMPARE(seven.busyNs, 30);
    QCOMPARE(seven.idleNs, 0);
    QCOMPARE(seven.overlappingStarts, std::uint64_t{1});
    QCOMPARE(seven.maxQueueDepth, 3);
    QCOMPARE((*streams)[1].stream, 9);
    QCOMPARE((*streams)[1].maxQueueDepth, 0); // no recorded call
}

void TstOpAttribution::streams_startBeforeSubmissionAtEqualTimes() {
    const auto trace = traceOfRows({launch(0, 1, 1), launch(5, 6, 2), kernel(5, 8, 1), kernel(9, 10, 2)});
    JobControl job;
    QCOMPARE(summariseStreams(*trace, {0}, job)->front().maxQueueDepth, 1);
}

void TstOpAttribution::kernels_areSortedBySum() {
    std::vector<RandomRow> rows{kernel(0, 5, 0), kernel(10, 12, 0), kernel(20, 27, 0), kernel(30, 37, 0),
                                kernel(40, 50, 0)};
    rows[2].name = "B";
    rows[3].name = "A";
    rows[4].kind = EventKind::Memcpy;
    rows[4].name = "Memcpy HtoD (Pageable -> Device)";
    rows[4].bytes = 4096;
    JobControl job;
    const auto trace = traceOfRows(rows);
    const auto result = summariseKernels(*trace, {0}, job);
    QVERIFY(result);
    QCOMPARE(result->kernels.size(), std::size_t{3});
    const auto nameOf = [&](StringId name) { return std::string(trace->strings().view(name)); };
    QCOMPARE(nameOf(result->kernels[0].name), std::string("A")); // 7, 7, 7: by name
    QCOMPARE(nameOf(result->kernels[1].name), std::string("B"));
    QCOMPARE(nameOf(result->kernels[2].name), std::string("K"));
    QCOMPARE(result->kernels[2].count, std::uint64_t{2});
    QCOMPARE(result->kernels[2].minNs, 2);
    QCOMPARE(result->kernels[2].maxNs, 5);
    QCOMPARE(result->memoryOps.size(), std::size_t{1});
    QCOMPARE(result->memoryOps[0].bytes, 4096);
    QCOMPARE(result->memoryOps[0].sumNs, 10);
}

LACUNA_TEST(TstOpAttribution, "tst_op_attribution")

} // namespace tst_op_attribution

#include "tst_op_attribution.moc"
