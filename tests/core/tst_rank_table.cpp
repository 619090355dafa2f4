// Ranks of a run beside each other: who the others waited for, told without clocks.

#include "core/document/world.h"
#include "core/import/load_trace.h"
#include "core/report/late_rank.h"
#include "core/report/rank_table.h"
#include "tests/support/event_text.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_rank_table {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string collective(double ts, double dur, std::string_view name = "ncclDevKernel_AllReduce_Sum_f32") {
    return rowText("kernel", name, ts, dur, "{'device':0,'stream':20}", 20);
}

ReportTable tableOf(const std::vector<RankInput>& ranks) {
    JobControl job;
    auto table = rankTable(ranks, job);
    return table ? *std::move(table) : ReportTable({});
}

World worldIn(const char* members) {
    const auto trace =
        jsonTrace(objectForm(q("{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':1}"), q(members)));
    return trace ? worldOf(trace->facts()).value_or(World{-1, -1, {}}) : World{};
}

} // namespace

class TstRankTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Clocks that are hours apart play no part: rank 1 comes last twice, rank 0 once, and nobody at a tie.
    void c53_whoCameLast() {
        const auto first = traceOfText({collective(0, 30), collective(100, 5), collective(200, 20),
                                        collective(300, 7), collective(400, 50, "nccl only here")});
        const auto second = traceOfText({collective(1e9, 10), collective(1e9 + 90, 45),
                                         collective(1e9 + 200, 12), collective(1e9 + 300, 7)});
        const ReportTable table = tableOf({{0, "zero", first.get()}, {1, "one", second.get()}});
        QCOMPARE(table.rows(), std::size_t{2});
        QCOMPARE(numberOf(table, 0, "Rank"), 1); // the straggler first
        QCOMPARE(cellOf(table, 0, "File"), std::string("one"));
        for (const std::size_t row : {0u, 1u})
            QCOMPARE(numberOf(table, row, "Collectives"), 4);
        QCOMPARE(numberOf(table, 0, "Last Arrivals"), 2);
        QCOMPARE(numberOf(table, 1, "Last Arrivals"), 1);
        QCOMPARE(numberOf(table, 0, "Wait (ns)"), 40'000);           // 45 - 5
        QCOMPARE(numberOf(table, 1, "Wait (ns)"), (20 + 8) * 1'000); // 30 - 10, 20 - 12
        QCOMPARE(numberOf(table, 1, "Communication (ns)"), 112'000);
        QVERIFY(table.notes().back().starts_with("1 collective has no counterpart"));
    }
    // The same traces: at one collective, seen from each rank.
    void c53_whoCameLastAtOneCollective() {
        const auto first = traceOfText({collective(0, 30), collective(100, 5), collective(200, 20),
                                        collective(300, 7), collective(400, 50, "nccl only here")});
        const auto second = traceOfText({collective(1e9, 10), collective(1e9 + 90, 45),
                                         collective(1e9 + 200, 12), collective(1e9 + 300, 7)});
        const auto third =
            traceOfText({collective(0, 31), collective(100, 6), collective(200, 12), collective(300, 9)});
        const auto at = [](const Trace& own, std::size_t k, const std::vector<const Trace*>& others) {
            std::vector<EventId> ops;
            for (std::uint32_t e = 0; e < own.events().size(); ++e)
                if (own.events().kind[e] == EventKind::Kernel)
                    ops.push_back(EventId{e});
            std::sort(ops.begin(), ops.end(), [&own](EventId a, EventId b) {
                return own.events().beginNs[a.v] < own.events().beginNs[b.v];
            });
            JobControl job;
            const auto late = lateRank(own, ops[k], others, job);
            if (!late)
                return std::string("error");
            return *late ? std::to_string((*late)->rank) + ", " + std::to_string((*late)->waitedNs)
                         : std::string("none");
        };
        QCOMPARE(at(*first, 0, {second.get(), third.get()}), std::string("0, 20000")); // 30 - 10
        QCOMPARE(at(*third, 0, {first.get(), second.get()}), std::string("1, 21000")); // 31 - 10
        QCOMPARE(at(*first, 1, {second.get(), third.get()}), std::string("none"));     // it came last itself
        QCOMPARE(at(*second, 1, {first.get(), third.get()}), std::string("0, 40000")); // 45 - 5
        QCOMPARE(at(*first, 2, {second.get(), third.get()}), std::string("none")); // two were last at once
        QCOMPARE(at(*first, 3, {second.get(), third.get()}), std::string("none")); // equal to the shortest
        QCOMPARE(at(*first, 4, {second.get(), third.get()}), std::string("none")); // others have none of it
        QCOMPARE(at(*first, 0, {}), std::string("none"));
    }
    void oneRankWaitsForNobodyThatIsKnown() {
        const auto trace = traceOfText({collective(0, 30)});
        const ReportTable table = tableOf({{3, "three", trace.get()}});
        QCOMPARE(table.rows(), std::size_t{1});
        QCOMPARE(cellOf(table, 0, "Wait (ns)"), std::string());
        QCOMPARE(numberOf(table, 0, "Busy (ns)"), 30'000);
        QCOMPARE(cellOf(table, 0, "Share of span (%)"), std::string("100.0"));
    }
    // Seven of the eight ranks of a public run; figures by a script of its own over the text of the files.
    void ranksOfAPublicRun() {
        std::vector<std::shared_ptr<const Trace>> traces;
        std::vector<RankInput> inputs;
        for (const char* worker :
             {"0_step_12.1694128201545", "2_step_12.1694128201554", "3_step_12.1694128201557",
              "4_step_12.1694128201547", "5_step_12.1694128201549", "6_step_12.1694128201553",
              "7_step_12.1694128201553"}) {
            const auto file = shared("traces/public/json/param__et_replay~tests~inputs~dlrm_kineto.tar.gz~"
                                     "dlrm_kineto~worker" +
                                     std::string(worker) + ".pt.trace.json");
            if (!file)
                LACUNA_SKIP("the public traces are not here");
            JobControl job;
            auto loaded = loadTrace(*file, builtinImporters(), job);
            QVERIFY(loaded);
            traces.push_back(loaded->trace);
            const auto world = worldOf(loaded->trace->facts());
            QVERIFY(world && world->size == 8 && world->backend == "nccl");
            inputs.push_back({world->rank, worker, loaded->trace.get()});
        }
        const ReportTable table = tableOf(inputs);
        struct Wanted {
            int rank, last, waitNs, busyNs;
            const char* share;
        };
        const Wanted wanted[] = {{7, 5, 1'529'000, 2'659'000, "24.2"}, {5, 2, 6'034'000, 7'271'000, "44.4"},
                                 {4, 1, 6'370'000, 7'702'000, "46.4"}, {0, 0, 5'581'000, 6'590'000, "50.7"},
                                 {2, 0, 3'275'000, 4'304'000, "37.9"}, {3, 0, 9'557'000, 10'708'000, "56.8"},
                                 {6, 0, 3'341'000, 4'359'000, "38.2"}};
        QCOMPARE(table.rows(), std::size(wanted));
        for (std::size_t row = 0; row < table.rows(); ++row) {
            QCOMPARE(numberOf(table, row, "Rank"), wanted[row].rank);
            QCOMPARE(numberOf(table, row, "Collectives"), 8);
            QCOMPARE(numberOf(table, row, "Last Arrivals"), wanted[row].last);
            QCOMPARE(numberOf(table, row, "Wait (ns)"), wanted[row].waitNs);
            QCOMPARE(numberOf(table, row, "Busy (ns)"), wanted[row].busyNs);
            QCOMPARE(cellOf(table, row, "Share of span (%)"), std::string(wanted[row].share));
        }
    }
    void c52_worldOfTheFile() {
        QCOMPARE(worldIn("'distributedInfo': {'backend': 'nccl', 'rank': 3, 'world_size': 16},"),
                 (World{3, 16, "nccl"}));
        QCOMPARE(worldIn("'distributedInfo': {'rank': 3},").size, std::int64_t{-1});
        QCOMPARE(worldIn("'distributedInfo': {'rank': 16, 'world_size': 16},").size, std::int64_t{-1});
        QCOMPARE(worldIn("'distributedInfo': {'rank': -1, 'world_size': 16},").size, std::int64_t{-1});
    }
    void rankByName() {
        const auto named = [](const char* name) {
            TraceFacts facts;
            facts.fileName = name;
            return rankOf(facts);
        };
        QCOMPARE(named("worker5_step_12.1694128201549.pt.trace.json"), std::optional<std::int64_t>(5));
        QCOMPARE(named("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"), std::optional<std::int64_t>(34));
        QCOMPARE(named("node_4711.pt.trace.json"), std::optional<std::int64_t>());
        QCOMPARE(named("run.sqlite"), std::optional<std::int64_t>());
        TraceFacts told;
        told.fileName = "worker5_step_12.pt.trace.json";
        told.metadata = {{"distributedInfo.rank", "2"}}; // the file knows better than its name
        QCOMPARE(rankOf(told), std::optional<std::int64_t>(2));
    }
};

LACUNA_TEST(TstRankTable, "tst_rank_table")

} // namespace tst_rank_table

#include "tst_rank_table.moc"
