// Gaps of one stream: what the device ran meanwhile against counting unit by unit, and a job that is
// cancelled at each of its polls.

#include "core/analysis/gap_meanwhile.h"
#include "core/output/gaps_output.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>

namespace tst_gap_stream {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// Two kernels of s7 with a gap of 100 ms, queued in time, in which s8 runs `kernels` of 7 us in 8; then
// `gaps` short gaps on s7.
std::string twoStreams(int kernels, int gaps) {
    const auto range = [](double begin, double end) {
        return " " + std::to_string(begin) + ".." + std::to_string(end) + " ";
    };
    std::string text = "main call cudaLaunchKernel 0..1 #1\ns7 kernel A 2..10 #1\n"
                       "main call cudaLaunchKernel 3..4 #2\ns7 kernel B 100000..100010 #2\n";
    for (int i = 0; i < kernels; ++i)
        text += "s8 kernel C" + range(20 + 8 * i, 27 + 8 * i) + "#" + std::to_string(100 + i) + "\n";
    for (int i = 0; i < gaps; ++i)
        text += "s7 kernel D" + range(100'020 + 8 * i, 100'024 + 8 * i) + "\n";
    return text;
}

LaneId streamOf(const Trace& trace, std::int64_t id) {
    for (std::uint32_t i = 0; i < trace.lanes().size(); ++i)
        if (trace.lanes()[i].kind == LaneKind::GpuStream && trace.lanes()[i].sourceId == id)
            return {i};
    return {};
}

} // namespace

class TstGapStream : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void meanwhile_matchesCounting();
    void streamGaps_pollsAndCancels();
    void report_cancels();
};

void TstGapStream::meanwhile_matchesCounting() {
    int asked = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const Trace& trace = *random.trace;
        const std::int64_t zero =
            std::min_element(random.rows.begin(), random.rows.end(), [](const auto& a, const auto& b) {
                return a.beginNs < b.beginNs;
            })->beginNs;
        JobControl job;
        const auto index = *gaps::GapIndex::build(random.trace, {}, job);
        const gaps::DeviceMeanwhile meanwhile(*index, DeviceId{0});
        RandomSource places(seed);
        const TimeRange span = index->device(DeviceId{0}).span;
        for (int k = 0; k < 20; ++k) {
            const std::int64_t begin = places.between(span.begin.v - 5, span.end.v);
            const TimeRange window{{begin}, {begin + places.between(1, 60)}};
            std::int64_t busy = 0, longest = 0;
            for (std::int64_t t = window.begin.v; t < window.end.v; ++t)
                busy += std::any_of(random.rows.begin(), random.rows.end(), [&](const RandomRow& row) {
                    return isDeviceOp(row.kind) && row.beginNs - zero <= t && t < row.endNs - zero;
                });
            for (std::uint32_t e = 0; e < trace.events().size(); ++e)
                if (isDeviceOp(trace.events().kind[e]))
                    longest =
                        std::max(longest, intersection(trace.events().range(EventId{e}), window).length().v);
            RowPoll poll(job);
            const auto share = meanwhile.within(window, poll);
            QVERIFY(share);
            QVERIFY2(share->busyNs == busy, qPrintable(random.note()));
            const std::vector<EventId> running = meanwhile.operations(window);
            QCOMPARE(share->longest, running.empty() ? EventId{} : running.front());
            QCOMPARE(bool(share->longest), longest > 0);
            if (share->longest)
                QCOMPARE(intersection(trace.events().range(share->longest), window).length().v, longest);
            asked += busy > 0 && busy < window.length().v;
        }
    }
    QVERIFY(asked > 100);
}

void TstGapStream::streamGaps_pollsAndCancels() {
    const auto trace = traceOf(twoStreams(9'000, 9'000));
    JobControl whole;
    const auto analysis = *GapAnalysis::run(trace, {}, whole);
    const LaneId s7 = streamOf(*trace, 7);
    JobControl job;
    const auto gaps = analysis->streamGaps(s7, job);
    QVERIFY(gaps);
    QCOMPARE(gaps->size(), std::size_t{9'001});
    QCOMPARE(gaps->front().cause, GapCause::OtherStreamRunning); // 63 of 99.99 ms
    QVERIFY2(job.polls() >= 12, qPrintable(QString::number(job.polls())));
    for (std::uint64_t poll = 1; poll <= job.polls(); ++poll) {
        JobControl stopped;
        stopped.cancelAtPoll(poll);
        const auto result = analysis->streamGaps(s7, stopped);
        QVERIFY2(!result && result.error().code == Errc::Cancelled, qPrintable(QString::number(poll)));
    }
}

void TstGapStream::report_cancels() {
    const auto trace = traceOf(twoStreams(5'000, 5'000));
    JobControl whole;
    const auto analysis = *GapAnalysis::run(trace, {}, whole);
    GapQuery query;
    query.stream = 7;
    JobControl job;
    QVERIFY(reportGaps(analysis, {}, query, job));
    for (std::uint64_t poll = 1; poll <= job.polls(); ++poll) {
        JobControl stopped;
        stopped.cancelAtPoll(poll);
        const auto report = reportGaps(analysis, {}, query, stopped);
        QVERIFY2(!report && report.error().code == Errc::Cancelled, qPrintable(QString::number(poll)));
    }
}

LACUNA_TEST(TstGapStream, "tst_gap_stream")

} // namespace tst_gap_stream

#include "tst_gap_stream.moc"
