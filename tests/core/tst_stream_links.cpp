#include "core/analysis/gap_analysis.h"
#include "core/analysis/stream_links.h"
#include "core/import/load_trace.h"
#include "core/view/arrows.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <set>

namespace tst_stream_links {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Analysed {
    explicit Analysed(std::string_view file) {
        JobControl job;
        if (auto loaded = loadTrace(fixture(std::string(file)), builtinImporters(), job))
            trace = loaded->trace;
        if (trace != nullptr)
            if (auto result = GapAnalysis::run(trace, {}, job))
                gaps = *result;
    }
    std::vector<Arrow> dependencies(const Selection& selection) const {
        const RowLayout layout = RowLayout::build(*trace, {});
        std::vector<Arrow> arrows = buildArrows(*trace, layout, {{0}, 1'000.0, 2'000}, selection,
                                                {layout.height(), 0, 1.0, gaps.get(), {}});
        std::erase_if(arrows, [](const Arrow& arrow) { return arrow.style != ArrowStyle::Dependency; });
        return arrows;
    }
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> gaps;
};

} // namespace

class TstStreamLinks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void b26_aWaitBetweenTwoStreams_isOneDashedArrow();
    void recordedWaits_linkBothWays();
};

// Without markers what the gap's verdict rests on is drawn, and nothing of the operations alone: the order of
// calls is no record.
void TstStreamLinks::b26_aWaitBetweenTwoStreams_isOneDashedArrow() {
    const Analysed m("micro/M6.json");
    QVERIFY(m.gaps && m.gaps->gaps().size() == 1);
    const Gap& gap = m.gaps->gaps()[0];
    const auto arrows = m.dependencies(GapId{0});
    QCOMPARE(arrows.size(), std::size_t{1});
    QCOMPARE(m.trace->nameOf(arrows[0].from), std::string_view("K1"));
    QCOMPARE(m.trace->nameOf(arrows[0].to), std::string_view("K2"));
    QCOMPARE(arrows[0].to, gap.next);
    const std::int64_t end = m.trace->events().endNs[arrows[0].from.v];
    QCOMPARE(arrows[0].x0, static_cast<std::int32_t>(end / 1'000)); // from its end
    QCOMPARE(arrows[0].x1, static_cast<std::int32_t>(gap.range.end.v / 1'000));
    QVERIFY(m.dependencies(gap.next).empty());
}

// Beside a plain search: the last operation of the recorded stream before the record, and the first of the
// waiting stream behind the wait.
void TstStreamLinks::recordedWaits_linkBothWays() {
    const Analysed m("captured/nsys/stall.sqlite");
    QVERIFY(m.gaps);
    const gaps::GapIndex& index = *m.gaps->index();
    const EventTable& events = m.trace->events();
    const auto callBegin = [&](EventId op) {
        const EventId call = index.launchOf(op);
        return call ? events.beginNs[call.v] : INT64_MIN;
    };
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (const gaps::StreamWait& wait : index.streamWaits()) {
        QVERIFY(wait.source && wait.recordCall);
        EventId next;
        for (std::uint32_t e = 0; e < events.size(); ++e) {
            const Lane& lane = m.trace->lane(m.trace->laneOf({e}));
            if (lane.kind == LaneKind::GpuStream && lane.device == wait.device &&
                lane.sourceId == wait.stream && callBegin({e}) >= wait.callBegin &&
                (!next || callBegin({e}) < callBegin(next)))
                next = {e};
        }
        if (next)
            expected.emplace(wait.source.v, next.v);
    }
    QCOMPARE(expected.size(), std::size_t{3}); // calls of cudaStreamWaitEvent
    for (const auto& [source, next] : expected) {
        const auto has = [&, from = EventId{source}, to = EventId{next}](EventId selected) {
            const auto arrows = m.dependencies(selected);
            return std::ranges::count_if(arrows,
                                         [&](const Arrow& a) { return a.from == from && a.to == to; });
        };
        QCOMPARE(has({source}), 1);
        QCOMPARE(has({next}), 1);
        const auto ends = arrowEnds(*m.trace, m.gaps.get(), EventId{source}, true);
        QVERIFY(std::ranges::find(ends, EventId{next}) != ends.end());
    }
    std::size_t found = 0;
    for (std::uint32_t e = 0; e < events.size(); ++e)
        if (isDeviceOp(events.kind[e]))
            found += gaps::waitedFor(index, {e}).size();
    QCOMPARE(found, expected.size()); // and no other
}

LACUNA_TEST(TstStreamLinks, "tst_stream_links")

} // namespace tst_stream_links

#include "tst_stream_links.moc"
