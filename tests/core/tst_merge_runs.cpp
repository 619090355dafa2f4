// The sort of nearly sorted rows gives what std::stable_sort gives.

#include "core/analysis/event_numbers.h"
#include "core/base/column.h"
#include "core/trace/merge_runs.h"
#include "core/trace/union_of.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tst_merge_runs {

using namespace lacuna;
using namespace lacuna::test;

namespace {

using Item = std::pair<std::int64_t, int>; // key, place before the sort

bool byKey(const Item& a, const Item& b) {
    return a.first < b.first;
}

bool sortsLikeStableSort(std::vector<Item> items) {
    std::vector<Item> expected = items, spare;
    Column<Item> column(items.begin(), items.end()), columnSpare;
    std::stable_sort(expected.begin(), expected.end(), byKey);
    const auto goesOn = [](std::size_t) { return true; };
    return mergeRuns(items, spare, byKey, goesOn) && items == expected &&
           mergeRuns(column, columnSpare, byKey, goesOn) &&
           std::equal(column.begin(), column.end(), expected.begin(), expected.end());
}

std::vector<Item> itemsOf(const std::vector<std::int64_t>& keys) {
    std::vector<Item> items;
    items.reserve(keys.size());
    for (const std::int64_t key : keys)
        items.emplace_back(key, static_cast<int>(items.size()));
    return items;
}

} // namespace

class TstMergeRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What the sort stands behind: as IntervalSet has it, and stopped at each of its polls.
    void unionOf_isThatOfTheSet_andStops() {
        RandomSource random(1);
        std::vector<TimeRange> ranges;
        for (int i = 0; i < 50'000; ++i) {
            const std::int64_t begin = random.between(0, 200'000);
            ranges.push_back({{begin}, {begin + random.between(0, 6)}});
        }
        JobControl counting;
        RowPoll all(counting);
        const auto united = unionOf(ranges, all);
        QVERIFY(united && *united == IntervalSet::fromUnsorted(ranges));
        QVERIFY(counting.polls() >= ranges.size() / RowPoll::kRows);
        for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
            JobControl job;
            job.cancelAtPoll(poll);
            RowPoll stopping(job);
            QVERIFY(!unionOf(ranges, stopping));
        }
    }

    void eventNumbers_theLastOfAnEventCounts() {
        EventNumbers numbers;
        const std::vector<std::pair<std::uint32_t, std::uint32_t>> added{
            {7, 1}, {3, 2}, {7, 3}, {9, 4}, {7, 2}};
        for (const auto& [event, number] : added)
            numbers.add(EventId{event}, number);
        const JobControl job;
        RowPoll poll(job);
        QVERIFY(numbers.finish(poll));
        QCOMPARE(numbers.find(EventId{3}), std::optional(2u));
        QCOMPARE(numbers.find(EventId{7}), std::optional(2u));
        QCOMPARE(numbers.find(EventId{9}), std::optional(4u));
        for (const std::uint32_t absent : {0u, 8u, 10u})
            QVERIFY(!numbers.find(EventId{absent}));
        QVERIFY(!numbers.find(EventId{}) && !EventNumbers().find(EventId{7}));
    }

    void order_isThatOfAStableSort() {
        QVERIFY(sortsLikeStableSort({}));
        QVERIFY(sortsLikeStableSort(itemsOf({7})));
        QVERIFY(sortsLikeStableSort(itemsOf({2, 1})));
        QVERIFY(sortsLikeStableSort(itemsOf({5, 4, 3, 2, 1, 0})));
        QVERIFY(sortsLikeStableSort(itemsOf({1, 1, 0, 0, 1, 1})));
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            RandomSource random(seed);
            std::vector<std::int64_t> keys;
            // From nearly sorted to random, with many ties.
            const std::int64_t spread = random.between(0, 200);
            for (std::int64_t i = 0; i < 400; ++i)
                keys.push_back(i / 2 + random.between(0, spread));
            QVERIFY2(sortsLikeStableSort(itemsOf(keys)), std::to_string(seed).c_str());
        }
    }

    // Ranges by their ends, as recorders write them: what contains others comes after them.
    void nestedRanges_takeFewMoves() {
        std::vector<std::int64_t> keys;
        for (std::int64_t step = 0; step < 1000; ++step) {
            for (std::int64_t child = 1; child < 10; ++child)
                keys.push_back(step * 10 + child);
            keys.push_back(step * 10); // begins before its children
        }
        std::vector<Item> items = itemsOf(keys), spare;
        std::size_t moved = 0;
        QVERIFY(mergeRuns(items, spare, byKey, [&](std::size_t n) {
            moved += n;
            return true;
        }));
        QVERIFY(std::is_sorted(items.begin(), items.end(), byKey));
        QCOMPARE(moved, std::size_t{20'000}); // the scan for runs, then every step once
    }

    // Two long runs: told of in parts, and every item is there however far the merge came.
    void longMerge_isToldInParts() {
        constexpr std::int64_t kEach = 50'000;
        std::vector<std::int64_t> keys;
        for (const std::int64_t first : {1, 0})
            for (std::int64_t k = 0; k < kEach; ++k)
                keys.push_back(2 * k + first);
        std::size_t moved = 0, largest = 0, calls = 0;
        std::vector<Item> items = itemsOf(keys), spare;
        QVERIFY(mergeRuns(items, spare, byKey, [&](std::size_t n) {
            moved += n;
            largest = std::max(largest, n);
            ++calls;
            return true;
        }));
        QVERIFY(std::is_sorted(items.begin(), items.end(), byKey));
        QCOMPARE(moved, std::size_t{4 * kEach}); // the scan for runs, then every item once
        QVERIFY2(largest <= 2 * kItemsPerPart, std::to_string(largest).c_str());
        for (std::size_t stop = 1; stop <= calls; ++stop) {
            std::vector<Item> cut = itemsOf(keys);
            std::size_t asked = 0;
            QVERIFY(!mergeRuns(cut, spare, byKey, [&](std::size_t) { return ++asked < stop; }));
            QCOMPARE(asked, stop);
            std::sort(cut.begin(), cut.end(), byKey);
            for (std::size_t k = 0; k < cut.size(); ++k)
                if (cut[k].first != items[k].first)
                    QFAIL(std::to_string(k).c_str());
        }
    }

    void sort_stopsWhenAsked() {
        std::vector<Item> items = itemsOf({3, 2, 1, 0}), spare;
        int calls = 0;
        QVERIFY(!mergeRuns(items, spare, byKey, [&](std::size_t) { return ++calls < 2; }));
        QCOMPARE(calls, 2);
    }
};

LACUNA_TEST(TstMergeRuns, "tst_merge_runs")

} // namespace tst_merge_runs

#include "tst_merge_runs.moc"
