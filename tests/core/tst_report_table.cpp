#include "core/output/report_output.h"
#include "core/report/statistics.h"
#include "tests/support/test_main.h"

#include <array>

namespace tst_report_table {

using namespace lacuna;

namespace {

ReportTable sample() {
    ReportTable table({nsColumn("Start (ns)"), decimalColumn("Avg (ns)", 1), textColumn("Name")});
    table.addRow().ns(-5).ratio(1, 4).text("b, \"x\"");
    table.addRow().ns(3'000'000'000).ratio(-1, 4).text("a");
    table.addRow().empty().empty().text("c");
    return table;
}

QString csvOf(const ReportTable& table) {
    StringSink sink;
    JobControl job;
    writeReportCsv(table, sink, job);
    return QString::fromStdString(sink.text());
}

} // namespace

class TstReportTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void csv_quotesWhatItMust();
    void sort_numbersDown_textsUp_emptyLast();
    void limit_keepsTheFirst();
    void column_isFoundByAnySpelling();
    void ratio_roundsAsTheVendorDoes_data();
    void ratio_roundsAsTheVendorDoes();
    void json_hasSortedKeys();
    void statistics_areExact();
    void groups_areByKey();
    void groups_stopAtEveryPoll();
    void narrowColumn_growsAndCopies();
};

void TstReportTable::csv_quotesWhatItMust() {
    QCOMPARE(csvOf(sample()), QStringLiteral("Start (ns),Avg (ns),Name\n"
                                             "-5,0.3,\"b, \"\"x\"\"\"\n"
                                             "3000000000,-0.3,a\n"
                                             ",,c\n"));
}

void TstReportTable::sort_numbersDown_textsUp_emptyLast() {
    ReportTable table = sample();
    table.sortBy(0);
    QCOMPARE(table.cellText(0, 0), "3000000000");
    QCOMPARE(table.cellText(1, 0), "-5");
    QVERIFY(table.isEmpty(2, 0));
    table.sortBy(2);
    QCOMPARE(table.cellText(0, 2), "a");
    QCOMPARE(table.cellText(2, 2), "c");
}

void TstReportTable::limit_keepsTheFirst() {
    ReportTable table = sample();
    table.sortBy(2);
    table.limitTo(1);
    QCOMPARE(table.rows(), std::size_t{1});
    table.limitTo(7);
    QCOMPARE(csvOf(table), QStringLiteral("Start (ns),Avg (ns),Name\n3000000000,-0.3,a\n"));
}

void TstReportTable::column_isFoundByAnySpelling() {
    ReportTable table({textColumn("Name"), nsColumn("Total Time (ns)"), decimalColumn("Time (%)", 1)});
    for (const char* name : {"Total Time (ns)", "total time", "total_time_ns", "TOTAL_TIME"})
        QCOMPARE(table.findColumn(name), std::optional<std::size_t>(1));
    QCOMPARE(table.findColumn("time"), std::optional<std::size_t>(2));
    QCOMPARE(table.findColumn("total"), std::nullopt);
}

void TstReportTable::ratio_roundsAsTheVendorDoes_data() {
    QTest::addColumn<qint64>("above");
    QTest::addColumn<qint64>("below");
    QTest::addColumn<QString>("text");
    // The vendor's averages of 18610878 / 24 = 775453.25 and 55839 / 28 = 1994.25.
    QTest::newRow("quarter") << qint64{18'610'878} << qint64{24} << QStringLiteral("775453.3");
    QTest::newRow("quarter, small") << qint64{55'839} << qint64{28} << QStringLiteral("1994.3");
    // 34990.45, which is a little less as a double: the vendor's average of two_processes,
    // cuda_kern_exec_sum.
    QTest::newRow("no true half") << qint64{10'497'135} << qint64{300} << QStringLiteral("34990.4");
    QTest::newRow("third") << qint64{1} << qint64{3} << QStringLiteral("0.3");
    QTest::newRow("minus twentieth") << qint64{-1} << qint64{20} << QStringLiteral("-0.1");
    QTest::newRow("minus one") << qint64{-2} << qint64{2} << QStringLiteral("-1.0");
    QTest::newRow("nothing below") << qint64{1} << qint64{0} << QString();
}

void TstReportTable::ratio_roundsAsTheVendorDoes() {
    QFETCH(qint64, above);
    QFETCH(qint64, below);
    QFETCH(QString, text);
    ReportTable table({decimalColumn("Avg", 1)});
    table.addRow().ratio(above, below);
    QCOMPARE(QString::fromStdString(table.cellText(0, 0)), text);
}

void TstReportTable::json_hasSortedKeys() {
    ReportTable table = sample();
    table.limitTo(1);
    StringSink sink;
    JobControl job;
    writeReportJson("sample", table, sink, job);
    const char* const should =
        R"json({ "columns": [ "Start (ns)", "Avg (ns)", "Name" ], "report": "sample", )json"
        R"json("rows": [ { "Avg (ns)": 0.3, "Name": "b, \"x\"", "Start (ns)": -5 } ] })json";
    QCOMPARE(QString::fromStdString(sink.text()).simplified(), QString::fromLatin1(should));
}

void TstReportTable::statistics_areExact() {
    std::array<std::int64_t, 4> values{4, 1, 3, 10};
    const Statistics s = statisticsOf(values);
    QCOMPARE(s.total, std::int64_t{18});
    QCOMPARE(s.medianTwice, std::int64_t{7});
    QCOMPARE(s.min, std::int64_t{1});
    QCOMPARE(s.max, std::int64_t{10});
    QCOMPARE(s.deviation * s.deviation, 15.0); // (0.5^2 + 3.5^2 + 1.5^2 + 5.5^2) / 3
    std::array<std::int64_t, 1> one{7};
    QCOMPARE(statisticsOf(one).deviation, 0.0);
    QCOMPARE(statisticsOf(one).medianTwice, std::int64_t{14});
}

void TstReportTable::groups_areByKey() {
    GroupedValues values;
    values.add(5, 10);
    values.add(0, 1);
    values.add(5, 20);
    const auto groups = values.take();
    QCOMPARE(groups.size(), std::size_t{2});
    QCOMPARE(groups[0].key, 0u);
    QCOMPARE(groups[1].values.total, std::int64_t{30});
    QVERIFY(values.take().empty());
}

void TstReportTable::groups_stopAtEveryPoll() {
    const auto filled = [] {
        GroupedValues values;
        for (std::uint32_t i = 0; i < 50'000; ++i)
            values.add(i % 7, i);
        return values;
    };
    JobControl counting;
    QCOMPARE(filled().take(counting).size(), std::size_t{7});
    QVERIFY(counting.polls() >= 2 * (50'000 / 4'096) + 7); // counted, moved; one a group
    for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
        JobControl job;
        job.cancelAtPoll(poll);
        QVERIFY(filled().take(job).empty());
    }
}

// Over the limits of its chunks, and wide from the middle of one on; a copy is of its own.
void TstReportTable::narrowColumn_growsAndCopies() {
    constexpr std::int64_t kRows = 200'000, kWideFrom = 150'000, kWide = std::int64_t{1} << 40;
    NarrowColumn column(3);
    for (std::int64_t i = 3; i < kRows; ++i)
        column.push(i < kWideFrom ? i : i + kWide);
    NarrowColumn copy = column;
    copy.set(1, -5);
    copy.push(7);
    QCOMPARE(column.size(), static_cast<std::size_t>(kRows));
    QCOMPARE(copy.size(), static_cast<std::size_t>(kRows) + 1);
    QCOMPARE(copy.at(1), std::int64_t{-5});
    QCOMPARE(copy.at(static_cast<std::size_t>(kRows)), std::int64_t{7});
    for (std::int64_t i = 0; i < kRows; ++i) {
        const std::int64_t expected = i < 3 ? NarrowColumn::kEmpty : i < kWideFrom ? i : i + kWide;
        QVERIFY2(column.at(static_cast<std::size_t>(i)) == expected, qPrintable(QString::number(i)));
    }
    NarrowColumn narrow(2);
    NarrowColumn other = narrow;
    other.set(0, 1);
    QCOMPARE(narrow.at(0), NarrowColumn::kEmpty);
    narrow = other;
    other.set(0, 2);
    QCOMPARE(narrow.at(0), std::int64_t{1});
}

LACUNA_TEST(TstReportTable, "tst_report_table")

} // namespace tst_report_table

#include "tst_report_table.moc"
