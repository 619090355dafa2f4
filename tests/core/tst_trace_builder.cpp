#include "core/trace/trace_builder.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tst_trace_builder {

using namespace lacuna;
using namespace lacuna::test;

namespace {

RandomRow hostRow(std::int64_t begin, std::int64_t end, std::string name, EventKind kind = EventKind::CpuOp,
                  std::uint64_t correlation = 0, int thread = 0) {
    RandomRow row;
    row.kind = kind;
    row.beginNs = begin;
    row.endNs = end;
    row.name = std::move(name);
    row.correlation = correlation;
    row.thread = thread;
    return row;
}

RandomRow deviceRow(std::int64_t begin, std::int64_t end, std::string name, std::uint64_t correlation = 0,
                    std::int64_t stream = 7, EventKind kind = EventKind::Kernel) {
    RandomRow row = hostRow(begin, end, std::move(name), kind, correlation, -1);
    row.device = 0;
    row.stream = stream;
    return row;
}

// "A[0,100) | B[10,40) D[40,60) | C[20,30)": the strips of a lane from the top.
QString stripsOf(const Trace& trace, LaneKind kind) {
    QStringList strips;
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        if (trace.lanes()[k].kind != kind)
            continue;
        for (const Strip& strip : trace.strips(LaneId{k})) {
            QStringList rows;
            for (EventId e = strip.first; e < strip.last; ++e.v)
                rows << QStringLiteral("%1[%2,%3)")
                            .arg(QString::fromUtf8(trace.nameOf(e).data(),
                                                   static_cast<qsizetype>(trace.nameOf(e).size())))
                            .arg(trace.events().beginNs[e.v])
                            .arg(trace.events().endNs[e.v]);
            strips << rows.join(QLatin1Char(' '));
        }
    }
    return strips.join(QStringLiteral(" | "));
}

EventId eventOfRow(const Trace& trace, std::size_t row) {
    for (EventId e{0}; e.v < trace.events().size(); ++e.v)
        if (trace.events().source[e.v] == row)
            return e;
    return {};
}

QString namesOf(const Trace& trace, std::span<const EventId> events) {
    QStringList names;
    for (const EventId e : events)
        names << QString::fromUtf8(trace.nameOf(e).data(), static_cast<qsizetype>(trace.nameOf(e).size()));
    return names.join(QLatin1Char(' '));
}

} // namespace

class TstTraceBuilder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nestedRows_lieByDepth();
    void overlapsWithoutNesting_getTheirOwnStrip();
    void deviceRows_overlapByOneNs_spill();
    void equalRanges_keepTheOrderOfTheFile();
    void randomTraces_keepEveryRowExactly();
    void randomTraces_haveSortedDisjointStrips();
    void timeZero_isTheFirstRowWithDuration();
    void timeZero_ofTheFileIsKept();
    void deviceOwner_isTheLaunchingProcess();
    void correlation_oneCallOwnsManyOperations();
    void correlation_severalCalls_firstInTheFileLaunches();
    void correlation_domainsAreApart();
    void arguments_followTheirRows();
    void counters_areSortedByTime();
    void cancelledFinish_givesNoTrace();
    void emptyBuilder_givesAnEmptyTrace();
};

void TstTraceBuilder::nestedRows_lieByDepth() {
    const auto trace = traceOfRows({hostRow(20, 30, "C"), hostRow(0, 100, "A"), hostRow(40, 60, "D"),
                                    hostRow(10, 40, "B"), hostRow(100, 120, "E")});
    QCOMPARE(stripsOf(*trace, LaneKind::CpuThread),
             QStringLiteral("A[0,100) E[100,120) | B[10,40) D[40,60) | C[20,30)"));
    QCOMPARE(trace->lanes()[0].depth, 3u);
}

void TstTraceBuilder::overlapsWithoutNesting_getTheirOwnStrip() {
    // 5 us past the parent's end is no rounding: B crosses A.
    const auto trace =
        traceOfRows({hostRow(0, 10'000, "A"), hostRow(5'000, 15'000, "B"), hostRow(16'000, 17'000, "C")});
    QCOMPARE(stripsOf(*trace, LaneKind::CpuThread),
             QStringLiteral("A[0,10000) C[16000,17000) | B[5000,15000)"));
}

void TstTraceBuilder::deviceRows_overlapByOneNs_spill() {
    const auto trace = traceOfRows({deviceRow(0, 10, "K1"), deviceRow(9, 20, "K2"), deviceRow(10, 25, "K3")});
    QCOMPARE(stripsOf(*trace, LaneKind::GpuStream), QStringLiteral("K1[0,10) K3[10,25) | K2[9,20)"));
}

void TstTraceBuilder::equalRanges_keepTheOrderOfTheFile() {
    const auto trace =
        traceOfRows({hostRow(0, 10, "first"), hostRow(0, 10, "second"), hostRow(0, 10, "third")});
    QCOMPARE(stripsOf(*trace, LaneKind::CpuThread),
             QStringLiteral("first[0,10) | second[0,10) | third[0,10)"));
}

void TstTraceBuilder::randomTraces_keepEveryRowExactly() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        RandomTraceOptions options;
        options.devices = 1 + static_cast<int>(seed % 2);
        const RandomTrace random = makeRandomTrace(seed, options);
        QVERIFY(random.trace);
        const Trace& trace = *random.trace;
        const EventTable& events = trace.events();
        QVERIFY2(events.size() == random.rows.size(), qPrintable(random.note()));
        QCOMPARE(trace.report().rowsKept(), std::uint64_t{random.rows.size()});
        const auto first =
            std::min_element(random.rows.begin(), random.rows.end(),
                             [](const RandomRow& a, const RandomRow& b) { return a.beginNs < b.beginNs; });
        std::vector<bool> seen(random.rows.size(), false);
        for (EventId e{0}; e.v < events.size(); ++e.v) {
            const RandomRow& row = random.rowOf(e);
            QVERIFY2(!seen[events.source[e.v]], qPrintable(random.note()));
            seen[events.source[e.v]] = true;
            QCOMPARE(events.beginNs[e.v], row.beginNs - first->beginNs);
            QCOMPARE(events.endNs[e.v], row.endNs - first->beginNs);
            QVERIFY(events.kind[e.v] == row.kind);
            QVERIFY(trace.nameOf(e) == row.name);
            const Lane& lane = trace.lane(trace.laneOf(e));
            if (row.device >= 0) {
                QCOMPARE(trace.devices()[lane.device.v].ordinal, std::int64_t{row.device});
                QCOMPARE(lane.sourceId, row.stream);
            } else {
                QCOMPARE(trace.threads()[lane.thread.v].tid, std::int64_t{row.thread + 1});
            }
        }
    }
}

void TstTraceBuilder::randomTraces_haveSortedDisjointStrips() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const Trace& trace = *random.trace;
        const EventTable& events = trace.events();
        std::uint32_t next = 0, nextStrip = 0;
        for (std::uint32_t l = 0; l < trace.lanes().size(); ++l) {
            QCOMPARE(trace.lanes()[l].firstStrip.v, nextStrip);
            for (const Strip& strip : trace.strips(LaneId{l})) {
                QVERIFY(strip.lane == LaneId{l});
                QCOMPARE(strip.first.v, next); // strips tile the rows
                QVERIFY(strip.size() > 0);
                next = strip.last.v;
                for (std::uint32_t e = strip.first.v; e < strip.last.v; ++e) {
                    QVERIFY(trace.stripOf({e}) == StripId{nextStrip});
                    QVERIFY2(e == strip.first.v || events.endNs[e - 1] <= events.beginNs[e],
                             qPrintable(random.note()));
                }
                ++nextStrip;
            }
        }
        QCOMPARE(std::size_t{next}, events.size());
        QCOMPARE(std::size_t{nextStrip}, trace.strips().size());
    }
}

void TstTraceBuilder::timeZero_isTheFirstRowWithDuration() {
    TraceBuilder builder;
    builder.setTimeZero(TimeZero::FirstDuration);
    builder.facts().baseNs = 1'000'000;
    const ProcessId process = builder.process("100");
    const LaneId marks = builder.lane({LaneKind::Marks, process, {}, {}, 0, "mark"});
    const LaneId ops = builder.lane({LaneKind::CpuThread, process, builder.thread(process, "1"), {}, 1, {}});
    builder.add(
        {marks, 400, 400, builder.strings().intern("mark"), EventKind::Instant, 0, SourceRef::offset(0)});
    builder.add({ops, 500, 700, builder.strings().intern("op"), EventKind::CpuOp, 0, SourceRef::offset(1)});
    JobControl job;
    const auto trace = std::move(builder).finish(job);
    QVERIFY(trace);
    QCOMPARE((*trace)->events().beginNs[eventOfRow(**trace, 0).v], -100); // a mark before time zero
    QCOMPARE((*trace)->events().beginNs[eventOfRow(**trace, 1).v], 0);
    QVERIFY(((*trace)->window() == TimeRange{{0}, {200}}));
    QVERIFY((*trace)->facts().baseNs == 1'000'500);
}

void TstTraceBuilder::timeZero_ofTheFileIsKept() {
    TraceBuilder builder;
    builder.setTimeZero(TimeZero::FileZero);
    builder.facts().baseNs = 77;
    const ProcessId process = builder.process("100");
    const LaneId ops = builder.lane({LaneKind::CpuThread, process, builder.thread(process, "1"), {}, 1, {}});
    builder.add({ops, -500, 700, builder.strings().intern("op"), EventKind::CpuOp, 0, SourceRef::offset(0)});
    JobControl job;
    const auto trace = std::move(builder).finish(job);
    QVERIFY(trace);
    QVERIFY(((*trace)->window() == TimeRange{{-500}, {700}}));
    QVERIFY((*trace)->facts().baseNs == 77);
}

void TstTraceBuilder::deviceOwner_isTheLaunchingProcess() {
    const auto trace =
        traceOfRows({hostRow(0, 5, "cudaLaunchKernel", EventKind::RuntimeApi, 3), deviceRow(6, 9, "K", 3)});
    QCOMPARE(trace->devices().size(), std::size_t{1});
    QVERIFY(trace->devices()[0].process);
    QVERIFY(trace->processes()[trace->devices()[0].process.v].osPid == 100);
    for (const Lane& lane : trace->lanes())
        QVERIFY(lane.process == trace->devices()[0].process);

    const auto alone = traceOfRows({deviceRow(6, 9, "K", 3)});
    QVERIFY(!alone->devices()[0].process); // nothing tells: unknown
}

void TstTraceBuilder::correlation_oneCallOwnsManyOperations() {
    const auto trace = traceOfRows(
        {deviceRow(30, 35, "late", 9), hostRow(0, 20, "cudaGraphLaunch", EventKind::RuntimeApi, 9),
         deviceRow(25, 28, "early", 9), deviceRow(40, 41, "alone", 10), deviceRow(50, 51, "none", 0),
         deviceRow(0, 20, "marker", 9, 7, EventKind::Sync)});
    const CorrelationIndex& index = trace->correlations();
    QCOMPARE(index.groups(), std::size_t{3}); // unused 0, and ids 9 and 10
    const std::uint32_t nine = index.find(0, 9);
    QVERIFY(nine != 0);
    QCOMPARE(index.correlationId(nine), 9u);
    QCOMPARE(namesOf(*trace, index.members(nine)), QStringLiteral("cudaGraphLaunch early late marker"));
    QCOMPARE(namesOf(*trace, index.hostCalls(nine)), QStringLiteral("cudaGraphLaunch"));
    QCOMPARE(namesOf(*trace, index.deviceOps(nine)), QStringLiteral("early late"));
    QCOMPARE(namesOf(*trace, index.markers(nine)), QStringLiteral("marker"));
    QCOMPARE(index.find(0, 11), 0u);
    QCOMPARE(index.find(1, 9), 0u);
    QVERIFY(index.members(0).empty());
    const EventTable& events = trace->events();
    QVERIFY(index.launchOf(events, eventOfRow(*trace, 0)) == eventOfRow(*trace, 1));
    QVERIFY(index.launchOf(events, eventOfRow(*trace, 2)) == eventOfRow(*trace, 1));
    QVERIFY(!index.launchOf(events, eventOfRow(*trace, 3))); // its call is not recorded
    QVERIFY(!index.launchOf(events, eventOfRow(*trace, 4)));
    QCOMPARE(events.correlation[eventOfRow(*trace, 4).v], 0u);
}

void TstTraceBuilder::correlation_severalCalls_firstInTheFileLaunches() {
    // The later call stands first in the file.
    const auto trace =
        traceOfRows({hostRow(50, 60, "second", EventKind::RuntimeApi, 4),
                     hostRow(0, 10, "first", EventKind::DriverApi, 4), deviceRow(70, 80, "K", 4)});
    const CorrelationIndex& index = trace->correlations();
    QCOMPARE(namesOf(*trace, index.hostCalls(index.find(0, 4))), QStringLiteral("second first"));
    QVERIFY(index.launchOf(trace->events(), eventOfRow(*trace, 2)) == eventOfRow(*trace, 0));
}

void TstTraceBuilder::correlation_domainsAreApart() {
    constexpr std::uint64_t kDomain = std::uint64_t{2} << 32;
    const auto trace = traceOfRows({hostRow(0, 10, "a", EventKind::RuntimeApi, 4),
                                    hostRow(0, 10, "b", EventKind::RuntimeApi, kDomain | 4, 1),
                                    deviceRow(20, 30, "K", kDomain | 4)});
    const CorrelationIndex& index = trace->correlations();
    QVERIFY(index.launchOf(trace->events(), eventOfRow(*trace, 2)) == eventOfRow(*trace, 1));
    QCOMPARE(index.domain(index.find(2, 4)), 2u);
}

void TstTraceBuilder::arguments_followTheirRows() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        std::size_t copies = 0;
        for (EventId e{0}; e.v < random.trace->events().size(); ++e.v) {
            const RandomRow& row = random.rowOf(e);
            const CopyArgs* args = random.trace->hotArgs().copies.find(e);
            QCOMPARE(args != nullptr, row.kind == EventKind::Memcpy || row.kind == EventKind::Memset);
            if (args == nullptr)
                continue;
            ++copies;
            QCOMPARE(args->bytes, row.bytes);
            QVERIFY(args->kind == row.copyKind && args->src == row.src && args->dst == row.dst);
        }
        QCOMPARE(random.trace->hotArgs().copies.rows().size(), copies);
    }
}

void TstTraceBuilder::counters_areSortedByTime() {
    TraceBuilder builder;
    const ProcessId process = builder.process("100");
    const CounterId counter = builder.counter("memory", process, {}, "bytes");
    QVERIFY(builder.counter("memory", process, {}, "bytes") == counter);
    for (const auto& [time, value] :
         std::vector<std::pair<std::int64_t, double>>{{30, 3}, {10, 1}, {20, 2}, {20, 4}})
        builder.addSample(counter, time, value);
    JobControl job;
    const auto trace = std::move(builder).finish(job);
    QVERIFY(trace);
    const CounterTrack& track = (*trace)->counters()[0];
    QVERIFY((std::vector<std::int64_t>(track.timeNs.begin(), track.timeNs.end()) ==
             std::vector<std::int64_t>{10, 20, 20, 30}));
    QVERIFY((std::vector<double>(track.value.begin(), track.value.end()) == std::vector<double>{1, 2, 4, 3}));
}

void TstTraceBuilder::cancelledFinish_givesNoTrace() {
    TraceBuilder builder;
    const ProcessId process = builder.process("100");
    const LaneId ops = builder.lane({LaneKind::CpuThread, process, builder.thread(process, "1"), {}, 1, {}});
    for (std::int64_t k = 0; k < 50'000; ++k)
        builder.add({ops, (k * 7919) % 50'000, (k * 7919) % 50'000 + 1, StringId{0}, EventKind::CpuOp, 0,
                     SourceRef::offset(static_cast<std::uint64_t>(k))});
    JobControl job;
    job.cancelAtPoll(5);
    const auto trace = std::move(builder).finish(job);
    QVERIFY(!trace);
    QVERIFY(trace.error().code == Errc::Cancelled);
    QVERIFY(job.polls() <= 8); // it stops at once: the other part, and each caller, looks once more
}

void TstTraceBuilder::emptyBuilder_givesAnEmptyTrace() {
    JobControl job;
    const auto trace = TraceBuilder().finish(job);
    QVERIFY(trace);
    QCOMPARE((*trace)->events().size(), std::size_t{0});
    QVERIFY((*trace)->window().isEmpty());
    QCOMPARE((*trace)->correlations().find(0, 1), 0u);
}

LACUNA_TEST(TstTraceBuilder, "tst_trace_builder")

} // namespace tst_trace_builder

#include "tst_trace_builder.moc"
