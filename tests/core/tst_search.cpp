// Queries as typed, rows found by name and by argument, walks through the hits: against plain loops.

#include "core/import/load_trace.h"
#include "core/search/search.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_search {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::uint32_t bit(EventKind kind) {
    return 1U << static_cast<unsigned>(kind);
}

SearchQuery parsed(std::string_view typed) {
    const auto query = parseQuery(typed, {});
    return query ? *query : SearchQuery{};
}

SearchHits found(const std::shared_ptr<const Trace>& trace, std::string_view typed) {
    JobControl job;
    auto hits = searchNames(trace, parsed(typed), job);
    return hits ? std::move(*hits) : SearchHits{};
}

QStringList namesOf(const SearchHits& hits) {
    QStringList names;
    for (const EventId row : hits.rows()) {
        const std::string_view name = hits.trace()->nameOf(row);
        names << QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    names.sort();
    return names;
}

const char* const kFive = R"(
{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':1,'tid':1,'ts':0,'dur':10,'args':{'Input Dims':'[[2, 3], [3, 2]]'}},
{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,'ts':2,'dur':1,'args':{'correlation':7}},
{'ph':'X','cat':'kernel','name':'sgemm','pid':0,'tid':7,'ts':5,'dur':4,'args':{'device':0,'stream':7,'correlation':7,'grid':[32, 8, 1]}},
{'ph':'X','cat':'kernel','name':'Sgemm_2','pid':0,'tid':7,'ts':12,'dur':4,'args':{'device':0,'stream':7,'grid':[4, 1, 1]}},
{'ph':'X','cat':'user_annotation','name':'sgemm phase','pid':1,'tid':1,'ts':20,'dur':4})";

} // namespace

class TstSearch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void queries() {
        QCOMPARE(parsed("gemm 2").text, std::string("gemm 2"));
        QCOMPARE(parsed("  gemm ").text, std::string("gemm"));
        QVERIFY(parsed("   ").isEmpty());
        QCOMPARE(parsed("aten::mm").text, std::string("aten::mm")); // two colons make a name
        QVERIFY(!parsed("aten::mm").wantsArgs);
        QVERIFY(parsed("/a.b/").options.isRegex);
        QCOMPARE(parsed("/a.b/").text, std::string("a.b"));
        QCOMPARE(parsed("//").text, std::string("//"));
        QCOMPARE(parsed("cat:kernel,memcpy gemm").kinds, bit(EventKind::Kernel) | bit(EventKind::Memcpy));
        QCOMPARE(parsed("cat:kernel,memcpy gemm").text, std::string("gemm"));
        QCOMPARE(parsed("kind:cuda_runtime").kinds, bit(EventKind::RuntimeApi));
        QCOMPARE(parsed("range:forward").kinds, bit(EventKind::Range) | bit(EventKind::GpuRange));
        QCOMPARE(parsed("range:forward").text, std::string("forward"));
        QCOMPARE(parsed("name:\"cat:x y\"").text, std::string("cat:x y"));
        const SearchQuery grid = parsed("grid:\"[32, 8, 1]\" gemm");
        QVERIFY(grid.wantsArgs);
        QCOMPARE(grid.argName, std::string("grid"));
        QCOMPARE(grid.argValue, std::string("[32, 8, 1]"));
        QCOMPARE(grid.text, std::string("gemm"));
        QCOMPARE(grid.orName, std::string());
        QCOMPARE(parsed("nccl:all_reduce").orName, std::string("nccl:all_reduce")); // may be a name as well
        QCOMPARE(parsed("args:/^3/").argValue, std::string("^3"));
        QVERIFY(parsed("args:/^3/").argOptions.isRegex);
        QCOMPARE(parsed("step: 3").text, std::string("step: 3"));
        for (const char* wrong : {"cat:", "cat:nothing", "name:", "args: x"})
            QVERIFY2(!parseQuery(wrong, {}), wrong);
        QVERIFY(parseQuery("cat:nothing", {}).error().detail.find("nothing") != std::string::npos);
    }

    void everyCategoryIsKnownByItsName() {
        for (unsigned k = 0; k < kEventKinds; ++k)
            QCOMPARE(kindsOfCategory(kindName(static_cast<EventKind>(k))), 1U << k);
    }

    void namesCategoriesRanges() {
        const auto trace = jsonTrace(objectForm(q(kFive)));
        QCOMPARE(
            namesOf(found(trace, "sgemm")),
            QStringList({QStringLiteral("Sgemm_2"), QStringLiteral("sgemm"), QStringLiteral("sgemm phase")}));
        QCOMPARE(namesOf(found(trace, "/^sgemm$/")), QStringList({QStringLiteral("sgemm")}));
        QCOMPARE(namesOf(found(trace, "cat:kernel")),
                 QStringList({QStringLiteral("Sgemm_2"), QStringLiteral("sgemm")}));
        QCOMPARE(namesOf(found(trace, "cat:kernel 2")), QStringList({QStringLiteral("Sgemm_2")}));
        QCOMPARE(namesOf(found(trace, "range:gemm")), QStringList({QStringLiteral("sgemm phase")}));
        QVERIFY(found(trace, "nothing of that name").isEmpty());
        QVERIFY(found(trace, "").isEmpty());
    }

    void argumentsAreReadFromTheFile() {
        const auto loaded = loadText(objectForm(q(kFive)));
        QVERIFY(loaded && loaded->details);
        const auto args = [&](std::string_view typed) {
            JobControl job;
            ArgSearchState state;
            auto hits = searchArgs(loaded->trace, parsed(typed), *loaded->details, state, job);
            return hits ? namesOf(hits->hits) : QStringList{QString::fromStdString(hits.error().detail)};
        };
        QCOMPARE(args("grid:\"[32, 8, 1]\""), QStringList({QStringLiteral("sgemm")}));
        QCOMPARE(args("correlation:7"),
                 QStringList({QStringLiteral("cudaLaunchKernel"), QStringLiteral("sgemm")}));
        QCOMPARE(args("correlation:7 cuda"), QStringList({QStringLiteral("cudaLaunchKernel")}));
        QCOMPARE(args("args:\"/^\\[\\[2, 3/\""), QStringList({QStringLiteral("aten::mm")}));
        QCOMPARE(args("grid:/^.4/"), QStringList({QStringLiteral("Sgemm_2")}));
        QCOMPARE(args("grid:99"), QStringList());
    }

    void argumentsOfAnNsightExport() {
        JobControl job;
        const auto loaded = loadTrace(fixture("captured/nsys/stall.sqlite"), builtinImporters(), job);
        QVERIFY(loaded && loaded->details);
        ArgSearchState state;
        auto hits = searchArgs(loaded->trace, parsed("streamId:14 cat:kernel"), *loaded->details, state, job);
        QVERIFY(hits);
        QVERIFY(hits->isComplete());
        QCOMPARE(hits->unreadable, std::uint64_t{0});
        // select count(*) from CUPTI_ACTIVITY_KIND_KERNEL [where streamId = 14]
        QCOMPARE(hits->hits.size(), std::size_t{6});
        QCOMPARE(hits->rowsTotal, std::uint64_t{1'337});
        for (const EventId row : hits->hits.rows())
            QCOMPARE(loaded->trace->lane(loaded->trace->laneOf(row)).sourceId, std::int64_t{14});
        QCOMPARE(state.rowsRead.load(), hits->rowsTotal);
    }

    void enoughKeepsWhatWasFound() {
        const auto loaded = loadText(objectForm(q(kFive)));
        JobControl job;
        ArgSearchState state;
        state.enough = true;
        auto hits = searchArgs(loaded->trace, parsed("correlation:7"), *loaded->details, state, job);
        QVERIFY(hits);
        QVERIFY(!hits->isComplete());
        QCOMPARE(hits->rowsTotal, std::uint64_t{5});
    }

    void cancelledAtAnyPoll() {
        const auto loaded = loadText(objectForm(q(kFive)));
        for (std::uint64_t poll = 1; poll < 6; ++poll) {
            JobControl job;
            job.cancelAtPoll(poll);
            ArgSearchState state;
            const auto hits =
                searchArgs(loaded->trace, parsed("correlation:7"), *loaded->details, state, job);
            if (hits)
                QVERIFY(job.polls() < poll);
            else
                QCOMPARE(hits.error().code, Errc::Cancelled);
        }
        JobControl job;
        job.requestCancel();
        const auto hits = searchNames(loaded->trace, parsed("a"), job);
        QVERIFY(!hits && hits.error().code == Errc::Cancelled);
    }

    void walksAgreeWithASortedList() {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const RandomTrace random = makeRandomTrace(seed);
            const EventTable& events = random.trace->events();
            for (const char* typed : {"a", "/[05]/", "cat:kernel", "e"}) {
                const SearchHits hits = found(random.trace, typed);
                std::vector<std::pair<std::int64_t, std::uint32_t>> sorted;
                for (const EventId row : hits.rows())
                    sorted.emplace_back(events.beginNs[row.v], row.v);
                std::sort(sorted.begin(), sorted.end());
                for (std::uint32_t row = 0; row < events.size(); ++row) {
                    const std::pair here(events.beginNs[row], row);
                    const auto after = std::upper_bound(sorted.begin(), sorted.end(), here);
                    const auto at = std::lower_bound(sorted.begin(), sorted.end(), here);
                    const auto next = hits.beside(EventId{row}, 1), previous = hits.beside(EventId{row}, -1);
                    QVERIFY2(after == sorted.end() ? !next : next && next->v == after->second,
                             qPrintable(random.note()));
                    QVERIFY2(at == sorted.begin() ? !previous : previous && previous->v == (at - 1)->second,
                             qPrintable(random.note()));
                    QCOMPARE(hits.placeOf(EventId{row}), std::uint64_t(at - sorted.begin()));
                    QCOMPARE(hits.holds(EventId{row}), at != sorted.end() && at->second == row);
                    QCOMPARE(hits.anyAmong(EventId{row}, 3), hits.holds(EventId{row}) ||
                                                                 hits.holds(EventId{row + 1}) ||
                                                                 hits.holds(EventId{row + 2}));
                }
                std::uint64_t counted = 0;
                for (const NameHits& name : hits.names())
                    counted += name.count;
                QCOMPARE(counted, std::uint64_t(hits.size()));
                if (!sorted.empty()) {
                    QCOMPARE(hits.atOrAfter({INT64_MIN})->v, sorted.front().second);
                    QCOMPARE(hits.before({INT64_MAX})->v, sorted.back().second);
                    QVERIFY(hits.columns().any());
                } else {
                    QVERIFY(!hits.columns().any());
                }
            }
        }
    }

    // The rows of a name query are those that a loop over all rows and their texts finds.
    void namesAgreeWithALoop() {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const RandomTrace random = makeRandomTrace(seed);
            std::vector<EventId> expected;
            for (std::uint32_t row = 0; row < random.trace->events().size(); ++row)
                if (random.trace->nameOf(EventId{row}).find_first_of("kK") != std::string_view::npos)
                    expected.push_back(EventId{row});
            const SearchHits hits = found(random.trace, "k");
            QVERIFY(std::equal(hits.rows().begin(), hits.rows().end(), expected.begin(), expected.end()));
        }
    }
};

LACUNA_TEST(TstSearch, "tst_search")

} // namespace tst_search

#include "tst_search.moc"
