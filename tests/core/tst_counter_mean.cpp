// Mean of a counter over a range, by hand: features.md E05.

#include "core/analysis/counter_mean.h"
#include "tests/support/test_main.h"

namespace tst_counter_mean {

using namespace lacuna;

namespace {

CounterTrack track(std::initializer_list<std::pair<std::int64_t, double>> samples) {
    CounterTrack counter;
    for (const auto& [time, value] : samples) {
        counter.timeNs.push_back(time);
        counter.value.push_back(value);
    }
    return counter;
}

} // namespace

class TstCounterMean : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void e05_isWeightedByTime() {
        const CounterTrack counter = track({{100, 10.0}, {200, 40.0}, {300, 0.0}});
        // 10 for 50 ns, 40 for 100 ns, 0 for 50 ns
        const auto mean = counterMean(counter, {{150}, {350}});
        QVERIFY(mean);
        QCOMPARE(mean->mean, 22.5);
        QCOMPARE(mean->least, 0.0);
        QCOMPARE(mean->most, 40.0);
        QCOMPARE(mean->knownNs, std::int64_t{200});
    }

    void beforeTheFirstSampleThereIsNone() {
        const CounterTrack counter = track({{100, 10.0}, {200, 40.0}});
        QVERIFY(!counterMean(counter, {{0}, {100}}));
        const auto mean = counterMean(counter, {{50}, {150}});
        QCOMPARE(mean->mean, 10.0);
        QCOMPARE(mean->knownNs, std::int64_t{50});
        QVERIFY(!counterMean(track({}), {{0}, {100}}));
        QVERIFY(!counterMean(counter, {{150}, {150}}));
    }

    void theLastSampleHolds() {
        const auto mean = counterMean(track({{100, 7.0}}), {{500}, {600}});
        QCOMPARE(mean->mean, 7.0);
        QCOMPARE(mean->knownNs, std::int64_t{100});
    }

    void ofSamplesAtOneTimeTheLastHolds() {
        const auto mean = counterMean(track({{100, 7.0}, {100, 9.0}}), {{100}, {200}});
        QCOMPARE(mean->mean, 9.0);
        QCOMPARE(mean->least, 9.0);
    }
};

LACUNA_TEST(TstCounterMean, "tst_counter_mean")

} // namespace tst_counter_mean

#include "tst_counter_mean.moc"
