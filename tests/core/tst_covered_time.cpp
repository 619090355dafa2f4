// Covered time before a moment, against a plain sum over all ranges.

#include "core/analysis/covered_time.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

namespace tst_covered_time {

using namespace lacuna;

class TstCoveredTime : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothing() {
        QCOMPARE(CoveredTime().before({5}), std::int64_t{0});
        QCOMPARE(CoveredTime(std::span<const TimeRange>{}).before({5}), std::int64_t{0});
    }
    void equalsThePlainSum() {
        std::mt19937 random(7);
        for (const std::size_t count : {std::size_t{1}, CoveredTime::kBlock - 1, CoveredTime::kBlock,
                                        CoveredTime::kBlock + 1, 10 * CoveredTime::kBlock + 3}) {
            std::vector<TimeRange> ranges;
            std::int64_t at = -50;
            while (ranges.size() < count) {
                const std::int64_t begin = at + 1 + static_cast<std::int64_t>(random() % 20);
                at = begin + 1 + static_cast<std::int64_t>(random() % 20);
                ranges.push_back({{begin}, {at}});
            }
            const CoveredTime covered(ranges);
            for (std::int64_t time = -60; time <= at + 10; ++time) {
                std::int64_t sum = 0;
                for (const TimeRange& range : ranges)
                    sum += std::max<std::int64_t>(0, std::min(range.end.v, time) - range.begin.v);
                QCOMPARE(covered.before({time}), sum);
                QCOMPARE(covered.in({{-7}, {time}}), sum - covered.before({-7}));
            }
        }
    }
};

LACUNA_TEST(TstCoveredTime, "tst_covered_time")

} // namespace tst_covered_time

#include "tst_covered_time.moc"
