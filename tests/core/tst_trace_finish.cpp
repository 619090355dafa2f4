// finish() on several threads, correlation ids of every kind, snapshots on the way.

#include "core/trace/strip_query.h"
#include "core/trace/trace_builder.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace tst_trace_finish {

using namespace lacuna;
using namespace lacuna::test;

namespace {

template <class Values> void addTo(QCryptographicHash& hash, const Values& values) {
    const auto bytes = std::as_bytes(std::span(values));
    hash.addData(
        QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
    hash.addData("|");
}

// Every column and index of a trace.
QByteArray fingerprint(const Trace& trace) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const EventTable& e = trace.events();
    addTo(hash, e.beginNs);
    addTo(hash, e.endNs);
    addTo(hash, e.name);
    addTo(hash, e.kind);
    addTo(hash, e.correlation);
    addTo(hash, e.source);
    for (const Strip& strip : trace.strips())
        addTo(hash, std::array{strip.first.v, strip.last.v, strip.lane.v});
    for (const Lane& lane : trace.lanes())
        addTo(hash, std::array{lane.firstStrip.v, lane.depth, lane.process.v, lane.title.v});
    for (std::uint32_t s = 0; s < trace.strips().size(); ++s) {
        addTo(hash, trace.busyBlocks({s}));
        for (unsigned level = 1; !trace.longestBlocks({s}, level).empty(); ++level)
            addTo(hash, trace.longestBlocks({s}, level));
    }
    const CorrelationIndex& index = trace.correlations();
    for (std::uint32_t group = 1; group < index.groups(); ++group) {
        addTo(hash, std::array{index.key(group)});
        addTo(hash, index.hostCalls(group));
        addTo(hash, index.deviceOps(group));
        addTo(hash, index.markers(group));
    }
    for (const CopyArgs& copy : trace.hotArgs().copies.rows())
        addTo(hash, std::array{std::int64_t{copy.event.v}, copy.bytes});
    return hash.result();
}

struct Lanes {
    LaneId host, stream;
};

Lanes addLanes(TraceBuilder& builder) {
    const ProcessId process = builder.process("100");
    LaneKey host;
    host.process = process;
    host.thread = builder.thread(process, "1");
    LaneKey stream;
    stream.kind = LaneKind::GpuStream;
    stream.device = builder.device({}, 0);
    stream.sourceId = 7;
    return {builder.lane(host), builder.lane(stream)};
}

// Host rows out of order and nested, launches joined to kernels by ids that come `idStep` apart. Returns the
// keys.
std::vector<std::uint64_t> fill(TraceBuilder& builder, std::uint64_t seed, int rows, std::uint64_t idStep,
                                std::uint32_t domains) {
    RandomSource random(seed);
    const Lanes lanes = addLanes(builder);
    const StringId name = builder.strings().intern("launch"), kernel = builder.strings().intern("kernel");
    builder.setTimeZero(TimeZero::FirstDuration);
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < rows; ++i) {
        const std::int64_t begin = 1'000 * i + random.between(-20'000, 0);
        const std::uint64_t id = 1 + static_cast<std::uint64_t>(i / 2) * idStep % 4'000'000'000u;
        const std::uint64_t domain = static_cast<std::uint64_t>(random.between(0, domains - 1)) << 32;
        RawEvent event{lanes.host,
                       begin,
                       begin + random.between(0, 15'000),
                       name,
                       EventKind::RuntimeApi,
                       random.chance(80) ? domain | id : 0,
                       SourceRef::offset(static_cast<std::uint64_t>(i))};
        if (i % 2 == 1) {
            event.lane = lanes.stream;
            event.name = kernel;
            event.kind = EventKind::Kernel;
        }
        const std::uint32_t row = builder.add(event);
        if (random.chance(5)) {
            CopyArgs copy;
            copy.bytes = i;
            builder.setCopy(row, copy);
        }
        keys.push_back(event.correlation);
    }
    return keys;
}

std::shared_ptr<const Trace> finished(TraceBuilder builder, unsigned threads) {
    JobControl job;
    auto trace = std::move(builder).finish(job, threads);
    return trace ? *trace : nullptr;
}

// Collects snapshots; add() waits until the one that is due has come, so that none is skipped.
struct Receiver {
    std::mutex lock;
    std::condition_variable came;
    std::vector<std::shared_ptr<const Trace>> traces;

    void take(std::shared_ptr<const Trace> trace) {
        const std::lock_guard guard(lock);
        traces.push_back(std::move(trace));
        came.notify_all();
    }
    void waitFor(std::size_t count) {
        std::unique_lock guard(lock);
        came.wait(guard, [&] { return traces.size() >= count; });
    }
};

} // namespace

class TstTraceFinish : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void threads_giveTheSameTrace_data() {
        QTest::addColumn<qulonglong>("idStep");
        QTest::addColumn<uint>("domains");
        QTest::newRow("dense ids") << qulonglong{1} << 1u;
        QTest::newRow("three domains") << qulonglong{1} << 3u;
        QTest::newRow("sparse ids") << qulonglong{77'777} << 1u;
        QTest::newRow("many domains") << qulonglong{3} << 5'000u;
    }
    void threads_giveTheSameTrace() {
        QFETCH(qulonglong, idStep);
        QFETCH(uint, domains);
        QByteArray first;
        for (const unsigned threads : {1u, 2u, 5u}) {
            TraceBuilder builder;
            fill(builder, 11, 60'000, idStep, domains);
            const auto trace = finished(std::move(builder), threads);
            QVERIFY(trace);
            QCOMPARE(trace->events().size(), std::size_t{60'000});
            if (first.isEmpty())
                first = fingerprint(*trace);
            QCOMPARE(fingerprint(*trace), first);
        }
    }

    // Dense ids are counted, sparse ones sorted: both must join what an ordered map joins.
    void correlations_equalAnOrderedMap_data() { threads_giveTheSameTrace_data(); }
    void correlations_equalAnOrderedMap() {
        QFETCH(qulonglong, idStep);
        QFETCH(uint, domains);
        TraceBuilder builder;
        const std::vector<std::uint64_t> keys = fill(builder, 5, 3'000, idStep, domains);
        std::map<std::uint64_t, std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>> expected;
        for (std::size_t row = 0; row < keys.size(); ++row)
            if (keys[row] != 0)
                (row % 2 == 0 ? expected[keys[row]].first : expected[keys[row]].second).push_back(row);
        const auto trace = finished(std::move(builder), 2);
        const CorrelationIndex& index = trace->correlations();
        QCOMPARE(index.groups(), expected.size() + 1);
        std::uint32_t group = 1;
        for (const auto& [key, rows] : expected) {
            QCOMPARE(index.key(group), key);
            std::vector<std::uint64_t> calls, ops;
            for (const EventId e : index.hostCalls(group))
                calls.push_back(trace->events().source[e.v]);
            for (const EventId e : index.deviceOps(group))
                ops.push_back(trace->events().source[e.v]);
            std::sort(ops.begin(), ops.end());
            QCOMPARE(calls, rows.first);
            QCOMPARE(ops, rows.second);
            ++group;
        }
    }

    void everyPollOfFinish_canCancelIt() {
        for (const std::uint64_t poll : {1u, 2u, 5u, 20u, 40u}) {
            TraceBuilder builder;
            fill(builder, 3, 60'000, 1, 1);
            JobControl job;
            job.cancelAtPoll(poll);
            const auto trace = std::move(builder).finish(job, 2);
            QVERIFY(!trace);
            QVERIFY(trace.error().code == Errc::Cancelled);
        }
    }

    void snapshots_holdWhatWasThere_atSizesThatTreble() {
        Receiver receiver;
        JobControl job;
        TraceBuilder builder;
        builder.setSnapshotReceiver(
            [&](std::shared_ptr<const Trace> trace) { receiver.take(std::move(trace)); }, job);
        const Lanes lanes = addLanes(builder);
        const StringId name = builder.strings().intern("first"), later = builder.strings().intern("later");
        builder.setTimeZero(TimeZero::FirstDuration);
        std::vector<std::size_t> sizes;
        for (std::uint32_t i = 0; i < 70'000; ++i) {
            if (builder.isSnapshotDue()) {
                sizes.push_back(builder.size());
                builder.offerSnapshot();
                // What is corrected from now on must not change the snapshot that is in work.
                builder.setEnd(0, 10'000'070);
                builder.setName(0, later);
                receiver.waitFor(sizes.size());
                while (builder.isSnapshotInWork()) // its copy is given back after the receiver has it
                    std::this_thread::yield();
            }
            // The later rows lie before the earlier ones: time zero moves.
            const std::int64_t begin = 10'000'000 - std::int64_t{i} * 100;
            builder.add({lanes.host, begin, begin + 50, name, EventKind::CpuOp, 0, SourceRef::offset(i)});
        }
        QCOMPARE(sizes, (std::vector<std::size_t>{20'000, 60'000}));
        const auto whole = finished(std::move(builder), 2);
        QCOMPARE(receiver.traces.size(), std::size_t{2});
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const Trace& trace = *receiver.traces[k];
            QCOMPARE(trace.events().size(), sizes[k]);
            QCOMPARE(trace.fileZeroNs(), 10'000'000 - (static_cast<std::int64_t>(sizes[k]) - 1) * 100);
            // The same row in the whole, found by its place in the file.
            const auto row = eventFromSource(trace, 1'000, TimeNs{9'900'000 - trace.fileZeroNs()});
            QVERIFY(row);
            const auto same = eventFromSource(
                *whole, 1'000,
                TimeNs{trace.events().beginNs[row->v] + trace.fileZeroNs() - whole->fileZeroNs()});
            QVERIFY(same);
            QCOMPARE(whole->events().source[same->v], std::uint64_t{1'000});
        }
        const Trace& first = *receiver.traces.front();
        const auto corrected = eventFromSource(first, 0, TimeNs{10'000'000 - first.fileZeroNs()});
        QVERIFY(corrected);
        QVERIFY(first.nameOf(*corrected) == "first");
        QCOMPARE(first.events().duration(*corrected).v, std::int64_t{50});
    }

    void withoutReceiver_noSnapshotIsDue() {
        TraceBuilder builder;
        fill(builder, 1, 30'000, 1, 1);
        QVERIFY(!builder.isSnapshotDue());
    }

    // Near the end of a large file the whole comes soon: no memory for a picture of most of it.
    void lateInTheFile_noLargeSnapshotIsMade() {
        Receiver receiver;
        JobControl job;
        job.setTotal(100);
        job.advance(40);
        TraceBuilder builder;
        builder.setSnapshotReceiver(
            [&](std::shared_ptr<const Trace> trace) { receiver.take(std::move(trace)); }, job);
        fill(builder, 1, 120'000, 1, 1);
        QVERIFY(builder.isSnapshotDue());
        builder.offerSnapshot();
        QVERIFY(!builder.isSnapshotDue());
        QVERIFY(finished(std::move(builder), 1));
        QVERIFY(receiver.traces.empty());
    }
};

LACUNA_TEST(TstTraceFinish, "tst_trace_finish")

} // namespace tst_trace_finish

#include "tst_trace_finish.moc"
