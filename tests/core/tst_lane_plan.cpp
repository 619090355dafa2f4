// What a person made of the lanes: order, pins, hidden ones, heights, names, filter; patterns; colour groups.

#include "core/import/load_trace.h"
#include "core/view/event_look.h"
#include "core/view/lane_patterns.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <set>

namespace tst_lane_plan {

using namespace lacuna;

#ifndef Q_MOC_RUN // it does not know raw strings
namespace {

std::shared_ptr<const Trace> traceOf(const std::string& json) {
    JobControl job;
    auto loaded = loadTraceFromMemory(json, "test.json", builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

// Two threads and two streams of one GPU, a range, a launch with its kernel. Numbers are those of one run.
std::string runJson(const std::string& pid, const std::string& main, const std::string& helper,
                    const std::string& busy, const std::string& quiet) {
    const auto row = [&](const std::string& cat, const std::string& name, const std::string& process,
                         const std::string& thread, int ts, int dur, const std::string& args) {
        return R"({"ph":"X","cat":")" + cat + R"(","name":")" + name + R"(","pid":)" + process +
               R"(,"tid":)" + thread + R"(,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) +
               R"(,"args":{)" + args + "}},\n";
    };
    const auto gpu = [&](const std::string& name, const std::string& stream, int ts, int dur,
                         int correlation) {
        return row("kernel", name, "0", stream, ts, dur,
                   R"("device":0,"stream":)" + stream + R"(,"correlation":)" + std::to_string(correlation));
    };
    return R"({"deviceProperties":[{"id":0,"name":"G"}],"traceEvents":[)" + std::string("\n") +
           row("cpu_op", "aten::mm", pid, main, 100, 50, "") +
           row("user_annotation", "forward", pid, main, 90, 100, "") +
           row("cuda_runtime", "cudaLaunchKernel", pid, main, 110, 5, R"("correlation":1)") +
           row("cuda_runtime", "cudaLaunchKernel", pid, helper, 210, 5, R"("correlation":2)") +
           row("cpu_op", "aten::add", pid, helper, 205, 20, "") +
           gpu("ampere_sgemm_128x64_nn", busy, 120, 300, 1) + gpu("my_kernel", quiet, 220, 10, 2) +
           R"({"ph":"M","name":"thread_name","pid":)" + pid + R"(,"tid":)" + helper +
           R"(,"args":{"name":"pt_autograd_0"}}]})";
}

std::shared_ptr<const Trace> firstRun() {
    return traceOf(runJson("4711", "4711", "4722", "7", "13"));
}
std::shared_ptr<const Trace> secondRun() {
    return traceOf(runJson("90", "90", "91", "20", "31"));
}

RowLayout laidOut(const Trace& trace, const LanePlan& plan) {
    LayoutOptions options;
    options.plan = plan;
    return RowLayout::build(trace, options);
}

std::vector<std::string> keysOf(const RowLayout& layout) {
    std::vector<std::string> keys;
    for (const TimelineRow& row : layout.rows())
        keys.push_back(row.key);
    return keys;
}

const TimelineRow& rowOf(const RowLayout& layout, std::string_view key) {
    const auto at = std::ranges::find(layout.rows(), key, &TimelineRow::key);
    if (at == layout.rows().end())
        qFatal("no row %s", std::string(key).c_str());
    return *at;
}

std::size_t placeOf(const RowLayout& layout, std::string_view key) {
    return static_cast<std::size_t>(&rowOf(layout, key) - layout.rows().data());
}

// Rows tile the content, and every lane finds its row.
bool isConsistent(const Trace& trace, const RowLayout& layout) {
    std::int32_t y = 0;
    for (const TimelineRow& row : layout.rows()) {
        if (row.y != y || row.height <= 0)
            return false;
        y += row.height;
    }
    if (y != layout.height())
        return false;
    for (std::size_t i = 0; i < layout.rows().size(); ++i)
        if (layout.rows()[i].lane && layout.rowOf(layout.rows()[i].lane) != i)
            return false;
    for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane)
        if (const auto row = layout.visibleRowOf({lane}); row && layout.rows()[*row].kind == RowKind::Note)
            return false;
    return true;
}

std::vector<std::string> sorted(std::vector<std::string> keys) {
    std::ranges::sort(keys);
    return keys;
}

using Strings = std::vector<std::string>;

} // namespace
#endif

class TstLanePlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void order_keepsWhatIsNotNamedBehindItsNeighbour() {
        const auto named = [](const Strings& defaults, const Strings& wanted) {
            Strings out;
            for (const std::size_t i : orderedLike(defaults, wanted))
                out.push_back(defaults[i]);
            return out;
        };
        QCOMPARE(named({"a", "b", "c"}, {}), Strings({"a", "b", "c"}));
        QCOMPARE(named({"a", "b", "c"}, {"c", "a"}), Strings({"c", "a", "b"}));
        QCOMPARE(named({"x", "a", "y", "b"}, {"b", "a"}), Strings({"x", "b", "a", "y"}));
        QCOMPARE(named({"a", "b"}, {"gone", "b", "also gone", "a"}), Strings({"b", "a"}));
        QCOMPARE(named({}, {"a"}), Strings());
    }

    void plan_ofNothing_changesNothing() {
        const auto trace = firstRun();
        QVERIFY(trace);
        QCOMPARE(keysOf(laidOut(*trace, {})), keysOf(RowLayout::build(*trace, {})));
        QVERIFY(rowOf(laidOut(*trace, {}), "lane/range/4711/4711").pinned);
        QVERIFY(!rowOf(laidOut(*trace, {}), "gpu/0").pinned);
    }

    void pinnedLane_standsOnTopAndSaysWhoseItIs() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.pinned = {"lane/gpu_stream/0/13", "lane/cuda_api/4711/4722"};
        const RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(placeOf(layout, "lane/gpu_stream/0/13"), std::size_t{0});
        QCOMPARE(placeOf(layout, "lane/cuda_api/4711/4722"), std::size_t{1});
        QCOMPARE(placeOf(layout, "lane/range/4711/4711"), std::size_t{2}); // on top by itself
        QVERIFY(rowOf(layout, "lane/gpu_stream/0/13").pinned);
        QVERIFY(rowOf(layout, "lane/gpu_stream/0/13").subtitle.starts_with("GPU 0"));
        QVERIFY(rowOf(layout, "lane/cuda_api/4711/4722").subtitle.find("pt_autograd_0") != std::string::npos);
        QCOMPARE(sorted(keysOf(layout)), sorted(keysOf(laidOut(*trace, {})))); // nothing is lost or doubled
    }

    void pinnedGroup_comesWithItsLanes() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.pinned = {"gpu/0"};
        const RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(placeOf(layout, "gpu/0"), std::size_t{0});
        QCOMPARE(placeOf(layout, "lane/gpu_stream/0/7"), std::size_t{1});
        QCOMPARE(sorted(keysOf(layout)), sorted(keysOf(laidOut(*trace, {}))));
        plan.pinned = {"gpu/0", "lane/gpu_stream/0/13", "no/such", ""};
        const RowLayout both = laidOut(*trace, plan);
        QCOMPARE(sorted(keysOf(both)), sorted(keysOf(layout)));
    }

    void unpinnedLane_goesToItsGroup() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.unpinned = {"lane/range/4711/4711"};
        const RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QVERIFY(!rowOf(layout, "lane/range/4711/4711").pinned);
        QCOMPARE(rowOf(layout, "lane/range/4711/4711").indent, 1);
        QCOMPARE(placeOf(layout, "lane/range/4711/4711"), placeOf(layout, "thread/4711/4711") + 1);
    }

    void hiddenLanes_areCounted() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.hidden = {"lane/gpu_stream/0/13", "thread/4711/4722"};
        const RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        const Strings keys = keysOf(layout);
        QVERIFY(std::ranges::find(keys, "lane/gpu_stream/0/13") == keys.end());
        QVERIFY(std::ranges::find(keys, "thread/4711/4722") == keys.end());
        QCOMPARE(rowOf(layout, "note/hidden").title,
                 std::string("3 lanes hidden by you"));                 // stream, operators, calls
        QVERIFY(std::ranges::find(keys, "note/threads") == keys.end()); // it has events all the same
    }

    void filter_leavesWhatHoldsTheText() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.filter = "STREAM 7";
        RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(keysOf(layout), Strings({"gpu/0", "lane/gpu_stream/0/7", "note/filter"}));
        plan.filter = "autograd"; // of the group: all of its lanes
        layout = laidOut(*trace, plan);
        QCOMPARE(keysOf(layout), Strings({"thread/4711/4722", "lane/cpu_thread/4711/4722",
                                          "lane/cuda_api/4711/4722", "note/filter"}));
        plan.filter = "nothing has this";
        QCOMPARE(keysOf(laidOut(*trace, plan)), Strings({"note/filter"}));
        plan.filter = "mine"; // of the user's name
        plan.names = {{"lane/gpu_stream/0/13", "That is mine"}};
        QCOMPARE(keysOf(laidOut(*trace, plan)), Strings({"gpu/0", "lane/gpu_stream/0/13", "note/filter"}));
    }

    void names_replaceTitlesAndKeepTheRecordedOne() {
        const auto trace = firstRun();
        LanePlan plan;
        plan.names = {{"lane/gpu_stream/0/7", "decode"}, {"gpu/0", "left card"}};
        const RowLayout layout = laidOut(*trace, plan);
        QCOMPARE(rowOf(layout, "lane/gpu_stream/0/7").title, std::string("decode"));
        QCOMPARE(rowOf(layout, "lane/gpu_stream/0/7").recordedTitle, std::string("stream 7"));
        QCOMPARE(rowOf(layout, "gpu/0").title, std::string("left card"));
        QVERIFY(rowOf(layout, "lane/gpu_stream/0/13").recordedTitle.empty());
    }

    void heights_scaleTheStripsAndMoveWhatIsBelow() {
        const auto trace = firstRun();
        const RowLayout usual = laidOut(*trace, {});
        LanePlan plan;
        plan.percent = {{"lane/gpu_stream/0/7", 200}, {"gpu/0", 300}, {"lane/cpu_thread/4711/4711", 100'000}};
        const RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(rowOf(layout, "lane/gpu_stream/0/7").stripHeight, 104); // 52 in the mock-ups
        QCOMPARE(rowOf(layout, "lane/gpu_stream/0/7").height,
                 rowOf(usual, "lane/gpu_stream/0/7").height + 52);
        QCOMPARE(rowOf(layout, "gpu/0").height, rowOf(usual, "gpu/0").height);    // heads keep theirs
        QCOMPARE(rowOf(layout, "lane/cpu_thread/4711/4711").stripHeight, 17 * 4); // at most
    }

    void moves_stayAmongSiblings() {
        const auto trace = firstRun();
        const RowLayout usual = laidOut(*trace, {});
        const auto rows = usual.rows();
        QCOMPARE(siblingsOf(rows, "lane/gpu_stream/0/7").size(), std::size_t{2});
        QCOMPARE(siblingsOf(rows, "gpu/0").size(), std::size_t{3}); // two threads and the GPU
        QCOMPARE(siblingsOf(rows, "lane/range/4711/4711").size(), std::size_t{1});
        QVERIFY(siblingsOf(rows, "no/such").empty());
        // The GPU before everything.
        LanePlan plan = movedTo({}, rows, "gpu/0", 0);
        RowLayout layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(placeOf(layout, "gpu/0"), placeOf(layout, "lane/range/4711/4711") + 1);
        QCOMPARE(placeOf(layout, "lane/gpu_stream/0/7"), placeOf(layout, "gpu/0") + 1);
        // And its streams the other way round, without losing the first move.
        plan = movedTo(plan, layout.rows(), "lane/gpu_stream/0/13", 0);
        layout = laidOut(*trace, plan);
        QVERIFY(isConsistent(*trace, layout));
        QCOMPARE(placeOf(layout, "lane/gpu_stream/0/13"), placeOf(layout, "gpu/0") + 1);
        QCOMPARE(placeOf(layout, "gpu/0"), placeOf(layout, "lane/range/4711/4711") + 1);
        // To where it stands: nothing.
        QCOMPARE(movedTo(plan, layout.rows(), "lane/gpu_stream/0/13", 0), plan);
        QCOMPARE(movedTo(plan, layout.rows(), "lane/gpu_stream/0/13", 1), plan);
        // Beyond the end: last.
        QCOMPARE(movedTo({}, rows, "lane/gpu_stream/0/7", 99), movedTo({}, rows, "lane/gpu_stream/0/7", 2));
    }

    void drop_isBeforeTheSiblingWhoseMiddleIsBelow() {
        const auto trace = firstRun();
        const RowLayout layout = laidOut(*trace, {});
        const TimelineRow& first = rowOf(layout, "lane/gpu_stream/0/7");
        const TimelineRow& second = rowOf(layout, "lane/gpu_stream/0/13");
        const auto at = [&](std::int32_t y) { return dropPlaceOf(layout.rows(), first.key, y); };
        QCOMPARE(at(0).n, std::optional<std::size_t>(0));
        QCOMPARE(at(0).y, first.y);
        QCOMPARE(at(first.y + first.height / 2 - 1).n, std::optional<std::size_t>(0));
        QCOMPARE(at(first.y + first.height / 2).n, std::optional<std::size_t>(1));
        QCOMPARE(at(first.y + first.height / 2).y, second.y);
        QCOMPARE(at(second.y + second.height).n, std::optional<std::size_t>(2));
        QCOMPARE(at(second.y + second.height).y, second.y + second.height);
        // A group counts with its lanes.
        const TimelineRow& gpu = rowOf(layout, "gpu/0");
        QCOMPARE(dropPlaceOf(layout.rows(), gpu.key, gpu.y + gpu.height).n, std::optional<std::size_t>(2));
        QVERIFY(!dropPlaceOf(layout.rows(), "note/gpus", 0).n);
    }

    void foldedGroup_keepsItsPlaceInAPlan() {
        const auto trace = firstRun();
        LayoutOptions options;
        options.folded = {"thread/4711/4722"};
        options.plan.order = {"gpu/0", "thread/4711/4722"};
        const RowLayout layout = RowLayout::build(*trace, options);
        QVERIFY(isConsistent(*trace, layout));
        const LaneId hidden = laneOfKey(*trace, "lane/cuda_api/4711/4722");
        QCOMPARE(layout.visibleRowOf(hidden), std::optional(placeOf(layout, "thread/4711/4722")));
    }

    // What was arranged in one run holds in the next, where all numbers are others.
    void patterns_carryAPlanToTheNextRun() {
        const auto first = firstRun(), second = secondRun();
        QVERIFY(first && second);
        LanePlan plan;
        plan.pinned = {"lane/gpu_stream/0/13"}; // the less busy stream
        plan.hidden = {"thread/4711/4722"};
        plan.order = {"gpu/0", "thread/4711/4711"};
        plan.unpinned = {"lane/range/4711/4711"};
        plan.percent = {{"lane/gpu_stream/0/7", 150}};
        plan.names = {{"lane/gpu_stream/0/7", "decode"}};
        plan.filter = "not kept";
        const LanePlan patterns = LanePatterns::of(*first, nullptr).toPatterns(plan);
        QCOMPARE(patterns.pinned, Strings({"lane/gpu_stream/0/*#2"}));
        QCOMPARE(patterns.hidden, std::set<std::string>({"thread/pt_autograd_* *"}));
        QVERIFY(patterns.filter.empty());
        const LanePlan keys = LanePatterns::of(*second, nullptr).toKeys(patterns);
        QCOMPARE(keys.pinned, Strings({"lane/gpu_stream/0/31"}));
        QCOMPARE(keys.hidden, std::set<std::string>({"thread/90/91"}));
        QCOMPARE(keys.order, Strings({"gpu/0", "thread/90/90"}));
        QCOMPARE(keys.unpinned, std::set<std::string>({"lane/range/90/90"}));
        QCOMPARE(keys.percent, (std::map<std::string, int>{{"lane/gpu_stream/0/20", 150}}));
        QCOMPARE(keys.names, (std::map<std::string, std::string>{{"lane/gpu_stream/0/20", "decode"}}));
        // Keys that a trace does not have are left out.
        LanePlan strange;
        strange.hidden = {"lane/gpu_stream/3/1"};
        QVERIFY(LanePatterns::of(*first, nullptr).toPatterns(strange).isEmpty());
    }

    void patterns_areUniqueInEveryCapture() {
        for (const char* file : {"captured/torch/item_sync.pt.trace.json.gz"}) {
            JobControl job;
            const auto loaded = loadTrace(test::fixture(file), builtinImporters(), job);
            QVERIFY(loaded);
            const LanePatterns patterns = LanePatterns::of(*loaded->trace, nullptr);
            const RowLayout layout = RowLayout::build(*loaded->trace, {});
            for (const TimelineRow& row : layout.rows())
                if (row.kind != RowKind::Note)
                    QCOMPARE(patterns.keyOf(patterns.patternOf(row.key)), row.key);
        }
    }

    void numbers_becomeStars() {
        QCOMPARE(withoutNumbers("python3 4711"), std::string("python* *"));
        QCOMPARE(withoutNumbers(""), std::string());
        QCOMPARE(withoutNumbers("7a77b"), std::string("*a*b"));
    }

    void groups_ofEvents() {
        const auto trace = firstRun();
        const auto eventNamed = [&](std::string_view name, int nth = 0) {
            for (std::uint32_t e = 0; e < trace->events().size(); ++e)
                if (trace->nameOf({e}) == name && nth-- == 0)
                    return EventId{e};
            qFatal("no such event");
        };
        const auto title = [&](ColourBy by, EventId event) {
            EventGroups groups(*trace, by);
            return groups.group(groups.groupOf(event)).title;
        };
        const EventId gemm = eventNamed("ampere_sgemm_128x64_nn"), own = eventNamed("my_kernel");
        QCOMPARE(title(ColourBy::Family, gemm), std::string("gemm"));
        QCOMPARE(title(ColourBy::Family, eventNamed("aten::mm")), std::string("aten"));
        QCOMPARE(title(ColourBy::Stream, gemm), std::string("GPU 0, stream 7"));
        QVERIFY(title(ColourBy::Stream, eventNamed("aten::add")).find("pt_autograd_0") != std::string::npos);
        QCOMPARE(title(ColourBy::Range, gemm), std::string("forward")); // by its launch
        QCOMPARE(title(ColourBy::Range, eventNamed("aten::mm")), std::string("forward"));
        QCOMPARE(title(ColourBy::Range, own), std::string("outside of ranges"));
        QCOMPARE(title(ColourBy::Duration, gemm), std::string("0.1 to 1 ms")); // 300 us
        QCOMPARE(title(ColourBy::Duration, own),
                 std::string("10 to 100 µs")); // 10 us: the bound belongs above
        QCOMPARE(title(ColourBy::Name, own), std::string("my_kernel"));
        // The code depends on the title alone.
        EventGroups here(*trace, ColourBy::Name);
        const auto other = secondRun();
        EventGroups there(*other, ColourBy::Name);
        for (std::uint32_t e = 0; e < other->events().size(); ++e)
            if (other->nameOf({e}) == "my_kernel")
                QCOMPARE(there.group(there.groupOf({e})).code, here.group(here.groupOf(own)).code);
        for (std::size_t i = 0; i < kColourings; ++i)
            QCOMPARE(colourByOf(colourByName(static_cast<ColourBy>(i))),
                     std::optional(static_cast<ColourBy>(i)));
        QVERIFY(!colourByOf("mood"));
    }
};

LACUNA_TEST(TstLanePlan, "tst_lane_plan")

} // namespace tst_lane_plan

#include "tst_lane_plan.moc"
