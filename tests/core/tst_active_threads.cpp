// Which threads a rule gets to see: all of few; of many those with rows near the window, and never too many.

#include "core/analysis/active_threads.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

namespace tst_active_threads {

using namespace lacuna;
using namespace lacuna::gaps;
using namespace lacuna::test;

namespace {

std::vector<std::uint32_t> visited(const ActiveThreads& threads, TimeRange window) {
    std::vector<std::uint32_t> found;
    threads.visitActive(window, [&](ThreadId thread) {
        found.push_back(thread.v);
        return true;
    });
    return found;
}

} // namespace

class TstActiveThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void few_areAllVisited() {
        ActiveThreads threads;
        for (std::uint32_t i = 0; i < ActiveThreads::kFew; ++i)
            threads.add({i}, {{std::int64_t{i} * 1'000'000'000}, {std::int64_t{i} * 1'000'000'000 + 1}});
        threads.finish();
        QCOMPARE(visited(threads, {{0}, {1}}).size(), ActiveThreads::kFew);
    }
    void many_areThoseNearTheWindow() {
        RandomSource random(7);
        ActiveThreads threads;
        std::vector<TimeRange> rows;
        for (std::uint32_t i = 0; i < 500; ++i) {
            const std::int64_t begin = random.between(0, 1'000'000'000);
            rows.push_back({{begin}, {begin + random.between(0, 20'000'000)}});
            threads.add({i}, rows.back());
        }
        threads.finish();
        for (int k = 0; k < 200; ++k) {
            const std::int64_t begin = random.between(-5'000'000, 1'010'000'000);
            const TimeRange window{{begin}, {begin + random.between(1, 10'000'000)}};
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < rows.size(); ++i)
                if (rows[i].begin.v <= window.end.v + ActiveThreads::kReachNs &&
                    rows[i].end.v >= window.begin.v - ActiveThreads::kReachNs)
                    expected.push_back(i);
            QVERIFY(visited(threads, window) == expected);
        }
    }
    void visiting_stopsWhenAsked_andAtTheMost() {
        ActiveThreads threads;
        for (std::uint32_t i = 0; i < 3 * ActiveThreads::kMost; ++i)
            threads.add({i}, {{0}, {100}});
        threads.finish();
        QCOMPARE(visited(threads, {{10}, {20}}).size(), ActiveThreads::kMost);
        int calls = 0;
        threads.visitActive({{10}, {20}}, [&](ThreadId) { return ++calls < 5; });
        QCOMPARE(calls, 5);
    }
    void times_atTheEndsOfTheScale_doNotOverflow() {
        ActiveThreads threads;
        for (std::uint32_t i = 0; i < 100; ++i)
            threads.add({i}, {{INT64_MIN}, {INT64_MAX}});
        threads.finish();
        QCOMPARE(visited(threads, {{INT64_MIN}, {INT64_MAX}}).size(), std::size_t{100});
    }
};

LACUNA_TEST(TstActiveThreads, "tst_active_threads")

} // namespace tst_active_threads

#include "tst_active_threads.moc"
