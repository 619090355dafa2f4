#include "core/analysis/busy_devices.h"
#include "core/analysis/device_states.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <numeric>

namespace tst_device_busy {

using namespace lacuna;
using namespace lacuna::test;

namespace {

RandomRow op(EventKind kind, std::int64_t begin, std::int64_t end, std::string name,
             std::int64_t stream = 7) {
    RandomRow row;
    row.kind = kind;
    row.beginNs = begin;
    row.endNs = end;
    row.name = std::move(name);
    row.device = 0;
    row.stream = stream;
    return row;
}

RandomRow kernel(std::int64_t begin, std::int64_t end, std::string name = "gemm", std::int64_t stream = 7) {
    return op(EventKind::Kernel, begin, end, std::move(name), stream);
}

// One mask per ns of the span, by asking every row.
std::array<std::int64_t, 16> statesByNs(const std::vector<RandomRow>& rows, int device) {
    std::vector<const RandomRow*> ops;
    for (const RandomRow& row : rows)
        if (isDeviceOp(row.kind) && row.device == device)
            ops.push_back(&row);
    std::array<std::int64_t, 16> states{};
    if (ops.empty())
        return states;
    std::int64_t begin = INT64_MAX, end = INT64_MIN;
    for (const RandomRow* row : ops) {
        begin = std::min(begin, row->beginNs);
        end = std::max(end, row->endNs);
    }
    for (std::int64_t t = begin; t < end; ++t) {
        unsigned mask = 0;
        for (const RandomRow* row : ops)
            if (row->beginNs <= t && t < row->endNs)
                mask |= row->kind == EventKind::Memcpy   ? 4u
                        : row->kind == EventKind::Memset ? 8u
                        : row->name.starts_with("nccl")  ? 2u
                                                         : 1u;
        ++states[mask];
    }
    return states;
}

} // namespace

class TstDeviceBusy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomTraces_agreeWithEveryNanosecond();
    void statesWithin_agreeWithEveryNanosecond();
    void states_areExclusiveAndSumToTheSpan();
    void wholeGraphRows_countAsCompute();
    void markersAndRanges_areNoDeviceWork();
    void zeroLength_countsAndDefinesTheSpan();
    void touchingOperations_leaveNoGap();
    void deviceOps_areInOrderOfStartThenFile();
    void deviceOps_ofSeveralDevices();
    void communicationNames_ignoreCase();
    void stateNames_followTheContract();
    void noOperations_giveAnEmptyResult();
    void job_isPolled();
};

void TstDeviceBusy::randomTraces_agreeWithEveryNanosecond() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        RandomTraceOptions options;
        options.devices = 1 + static_cast<int>(seed % 2);
        const RandomTrace random = makeRandomTrace(seed, options);
        BusyDevices devices(*random.trace);
        for (std::uint32_t d = 0; d < random.trace->devices().size(); ++d) {
            JobControl job;
            const DeviceBusy busy = devices.busy({d}, job);
            const auto states = statesByNs(random.rows, static_cast<int>(random.trace->devices()[d].ordinal));
            QVERIFY2(busy.stateNs == states, qPrintable(random.note()));
            QVERIFY2(devices.extent({d}).busyNs == busy.busyNs, qPrintable(random.note()));
            QVERIFY2(devices.extent({d}).span == busy.span, qPrintable(random.note()));
            const std::int64_t span = std::accumulate(states.begin(), states.end(), std::int64_t{0});
            QCOMPARE(busy.span.length().v, span);
            QCOMPARE(busy.busyNs, span - states[0]);
            QCOMPARE(busy.busy.measure().v, busy.busyNs);
            std::int64_t exposedCommunication = 0, exposedCopy = 0;
            for (unsigned mask = 0; mask < 16; ++mask) {
                exposedCommunication += (mask & 2) != 0 && (mask & 1) == 0 ? states[mask] : 0;
                exposedCopy += (mask & 12) != 0 && (mask & 3) == 0 ? states[mask] : 0;
            }
            QCOMPARE(busy.exposedCommunicationNs(), exposedCommunication);
            QCOMPARE(busy.exposedCopyNs(), exposedCopy);
            for (unsigned work = 0; work < 4; ++work) {
                std::int64_t unionNs = 0;
                for (unsigned mask = 0; mask < 16; ++mask)
                    unionNs += (mask >> work & 1u) != 0 ? states[mask] : 0;
                QCOMPARE(busy.byWork[work].measure().v, unionNs);
            }
        }
    }
}

void TstDeviceBusy::statesWithin_agreeWithEveryNanosecond() {
    const std::vector<RandomRow> rows{kernel(10, 40), kernel(30, 60, "nccl", 8),
                                      op(EventKind::Memcpy, 35, 50, "Memcpy HtoD", 9), kernel(80, 90),
                                      op(EventKind::Memset, 85, 110, "Memset", 9)};
    const auto trace = traceOfRows(rows);
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    for (std::int64_t begin = 0; begin < 120; begin += 3)
        for (std::int64_t end = begin; end < 120; end += 2) {
            std::array<std::int64_t, 16> expected{};
            for (std::int64_t t = begin; t < end; ++t) {
                unsigned mask = 0;
                for (const RandomRow& row : rows)
                    if (row.beginNs <= t && t < row.endNs)
                        mask |= row.kind == EventKind::Memcpy   ? 4u
                                : row.kind == EventKind::Memset ? 8u
                                : row.name == "nccl"            ? 2u
                                                                : 1u;
                ++expected[mask];
            }
            const std::int64_t zero = trace->fileZeroNs();
            const TimeRange window{{begin - zero}, {end - zero}};
            QCOMPARE(statesWithin(busy, window, job), expected);
            QCOMPARE(busyWithin(busy, window, job).stateNs, expected);
        }
}

void TstDeviceBusy::states_areExclusiveAndSumToTheSpan() {
    // M15 of analysis.md section 6, in ns.
    const auto trace = traceOfRows({kernel(0, 10), kernel(5, 20, "ncclDevKernel_AllReduce", 20),
                                    op(EventKind::Memcpy, 18, 30, "Memcpy DtoH", 24)});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.ops, std::uint64_t{3});
    QCOMPARE(busy.busyNs, 30);
    QCOMPARE(busy.sumNs, 37);
    QCOMPARE(busy.stateNs[kCompute], 5);
    QCOMPARE(busy.stateNs[kCompute | kCommunication], 5);
    QCOMPARE(busy.stateNs[kCommunication], 8);
    QCOMPARE(busy.stateNs[kCommunication | kCopy], 2);
    QCOMPARE(busy.stateNs[kCopy], 10);
    QCOMPARE(busy.idleNs(), 0);
    QCOMPARE(busy.exposedCommunicationNs(), 10);
    QCOMPARE(busy.exposedCopyNs(), 10);
}

void TstDeviceBusy::wholeGraphRows_countAsCompute() {
    // A graph that happens to be called like a collective is still a graph.
    const auto trace = traceOfRows({op(EventKind::GraphLaunch, 0, 10, "nccl graph"), kernel(20, 25)});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.ops, std::uint64_t{2});
    QCOMPARE(busy.stateNs[kCompute], 15);
    QCOMPARE(busy.idleNs(), 10);
}

void TstDeviceBusy::markersAndRanges_areNoDeviceWork() {
    const auto trace = traceOfRows({kernel(10, 20), op(EventKind::Sync, 0, 50, "Stream Sync"),
                                    op(EventKind::GpuRange, 0, 50, "forward")});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.ops, std::uint64_t{1});
    QVERIFY((busy.span == TimeRange{{10}, {20}}));
}

void TstDeviceBusy::zeroLength_countsAndDefinesTheSpan() {
    // M10: the gap [10, 15) is not split by the memset at 12.
    const auto trace = traceOfRows(
        {kernel(0, 10), op(EventKind::Memset, 12, 12, "Memset (Device)"), kernel(15, 20), kernel(30, 30)});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.ops, std::uint64_t{4});
    QCOMPARE(busy.busyNs, 15);
    QVERIFY((busy.span == TimeRange{{0}, {30}}));
    QCOMPARE(busy.idleNs(), 15);
    QCOMPARE(busy.busy.ranges().size(), std::size_t{2});
}

void TstDeviceBusy::touchingOperations_leaveNoGap() {
    const auto trace = traceOfRows({kernel(0, 10), kernel(10, 20)});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.busy.ranges().size(), std::size_t{1});
    QCOMPARE(busy.idleNs(), 0);
}

void TstDeviceBusy::deviceOps_areInOrderOfStartThenFile() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        RandomTraceOptions options;
        options.streams = 5;
        const RandomTrace random = makeRandomTrace(seed, options);
        std::vector<std::size_t> expected;
        for (std::size_t k = 0; k < random.rows.size(); ++k)
            if (isDeviceOp(random.rows[k].kind))
                expected.push_back(k);
        std::stable_sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
            return random.rows[a].beginNs < random.rows[b].beginNs;
        });
        std::vector<std::size_t> actual;
        if (!random.trace->devices().empty())
            for (const EventId e : deviceOps(*random.trace, {0}))
                actual.push_back(random.trace->events().source[e.v]);
        QVERIFY2(actual == expected, qPrintable(random.note()));
    }
}

void TstDeviceBusy::deviceOps_ofSeveralDevices() {
    std::vector<RandomRow> rows;
    for (std::int64_t k = 0; k < 60; ++k) {
        RandomRow row = kernel(k * 10, k * 10 + 25); // two rows of a stream overlap: more than one strip
        row.device = static_cast<int>(k * 7 % 3);
        row.stream = 7 + k % 2;
        rows.push_back(row);
    }
    const auto trace = traceOfRows(rows);
    QCOMPARE(trace->devices().size(), std::size_t{3});
    const BusyDevices devices(*trace);
    for (std::uint32_t d = 0; d < 3; ++d) {
        std::vector<std::uint64_t> expected, actual;
        for (std::uint64_t k = 0; k < rows.size(); ++k)
            if (rows[k].device == trace->devices()[d].ordinal)
                expected.push_back(k);
        for (const EventId op : devices.ops({d}))
            actual.push_back(trace->events().source[op.v]);
        QCOMPARE(actual, expected);
        std::size_t rowsOfStrips = 0;
        for (const StripId strip : devices.strips({d}))
            rowsOfStrips += trace->strip(strip).size();
        QCOMPARE(rowsOfStrips, expected.size());
    }
}

void TstDeviceBusy::communicationNames_ignoreCase() {
    QVERIFY(isCommunicationName("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    QVERIFY(isCommunicationName("void vllm::cross_device_reduce_1stage<half, 2>(...)"));
    QVERIFY(isCommunicationName("RCCL_broadcast"));
    QVERIFY(isCommunicationName("void deep_ep::intranode::dispatch<...>"));
    QVERIFY(isCommunicationName("NVSHMEMI_put"));
    QVERIFY(!isCommunicationName("gemm"));
    QVERIFY(!isCommunicationName("ncc"));
    QVERIFY(!isCommunicationName(""));
    QCOMPARE(communicationNames().size(), std::size_t{5});
}

void TstDeviceBusy::stateNames_followTheContract() {
    QCOMPARE(stateName(0), std::string("idle"));
    QCOMPARE(stateName(kCompute), std::string("compute"));
    QCOMPARE(stateName(kCompute | kCopy), std::string("compute+memcpy"));
    QCOMPARE(stateName(15), std::string("compute+communication+memcpy+memset"));
}

void TstDeviceBusy::noOperations_giveAnEmptyResult() {
    const auto trace = traceOfRows({op(EventKind::Sync, 0, 50, "Stream Sync")});
    JobControl job;
    const DeviceBusy busy = deviceBusy(*trace, {0}, job);
    QCOMPARE(busy.ops, std::uint64_t{0});
    QVERIFY(busy.span.isEmpty());
    QCOMPARE(busy.idleNs(), 0);
}

void TstDeviceBusy::job_isPolled() {
    std::vector<RandomRow> rows;
    for (std::int64_t k = 0; k < 20'000; ++k)
        rows.push_back(kernel(k * 10, k * 10 + 5));
    const auto trace = traceOfRows(rows);
    JobControl job;
    QCOMPARE(deviceBusy(*trace, {0}, job).busyNs, 100'000);
    QVERIFY(job.polls() >= 20'000 / 4096);
    QVERIFY(job.maxEventsBetweenPolls() <= 4096);
    JobControl cancelled;
    cancelled.requestCancel();
    QCOMPARE(deviceBusy(*trace, {0}, cancelled).busyNs, 0);
    QCOMPARE(cancelled.polls(), std::uint64_t{1});
}

LACUNA_TEST(TstDeviceBusy, "tst_device_busy")

} // namespace tst_device_busy

#include "tst_device_busy.moc"
