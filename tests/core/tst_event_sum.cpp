// The report event_sum against brute force over every event.

#include "core/base/interval_set.h"
#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>

namespace tst_event_sum {

using namespace lacuna;
using namespace lacuna::test;

class TstEventSum : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRow_isWhatTheEventsSay_data() {
        QTest::addColumn<bool>("isCut");
        QTest::newRow("whole trace") << false;
        QTest::newRow("range") << true;
    }
    void everyRow_isWhatTheEventsSay() {
        QFETCH(bool, isCut);
        JobControl job;
        const auto loaded =
            loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        ReportOptions options;
        if (isCut)
            options.range = TimeRange{{8'000'000}, {9'000'000}};
        std::map<std::pair<std::string, std::string>, std::vector<TimeRange>> groups;
        for (std::uint32_t e = 0; e < trace.events().size(); ++e) {
            const TimeRange range = trace.events().range({e});
            const bool touches = !isCut || (range.begin < options.range->end &&
                                            (range.end > options.range->begin ||
                                             (range.isEmpty() && range.begin >= options.range->begin)));
            if (touches)
                groups[{std::string(kindName(trace.events().kind[e])), std::string(trace.nameOf({e}))}]
                    .push_back(range);
        }
        const ReportTable table = reportOf(trace, "event_sum", options);
        QCOMPARE(table.rows(), groups.size());
        std::int64_t last = std::numeric_limits<std::int64_t>::max();
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto group = groups.find({cellOf(table, row, "Kind"), cellOf(table, row, "Name")});
            QVERIFY(group != groups.end());
            std::vector<std::int64_t> lengths;
            for (const TimeRange& range : group->second)
                lengths.push_back(range.length().v);
            std::ranges::sort(lengths);
            std::int64_t total = 0;
            for (const std::int64_t length : lengths)
                total += length;
            const auto n = static_cast<std::int64_t>(lengths.size());
            QCOMPARE(numberOf(table, row, "Count"), n);
            QCOMPARE(numberOf(table, row, "Total Time (ns)"), total);
            QCOMPARE(numberOf(table, row, "Union (ns)"),
                     IntervalSet::fromUnsorted(group->second).measure().v);
            QCOMPARE(numberOf(table, row, "Min (ns)"), lengths.front());
            QCOMPARE(numberOf(table, row, "Max (ns)"), lengths.back());
            // Nearest rank: the smallest value that 95 % do not exceed.
            const auto p95 = std::ranges::find_if(lengths, [&](std::int64_t v) {
                return 100 * std::ranges::count_if(lengths, [v](std::int64_t w) { return w <= v; }) >= 95 * n;
            });
            QCOMPARE(numberOf(table, row, "P95 (ns)"), *p95);
            QVERIFY(total <= last);
            last = total;
        }
    }

    // Two kernels at once: 30 + 20 us in sum, 40 us in union.
    void sumAndUnion_differWhereRowsOverlap() {
        const auto kernel = [](double ts, double dur, int stream) {
            return rowText("kernel", "k", ts, dur, "{'device':0,'stream':" + std::to_string(stream) + "}",
                           stream);
        };
        const auto trace = traceOfText({kernel(0, 30, 7), kernel(20, 20, 8)});
        QVERIFY(trace);
        const ReportTable table = reportOf(*trace, "event_sum");
        QCOMPARE(table.rows(), std::size_t{1});
        QCOMPARE(numberOf(table, 0, "Total Time (ns)"), std::int64_t{50'000});
        QCOMPARE(numberOf(table, 0, "Union (ns)"), std::int64_t{40'000});
        QCOMPARE(cellOf(table, 0, "Med (ns)"), std::string("25000.0"));
        QCOMPARE(cellOf(table, 0, "Avg (ns)"), std::string("25000.0"));
    }
};

LACUNA_TEST(TstEventSum, "tst_event_sum")

} // namespace tst_event_sum

#include "tst_event_sum.moc"
