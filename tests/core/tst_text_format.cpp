#include "core/base/text_format.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <limits>

namespace tst_text_format {

using namespace lacuna;
using namespace lacuna::test;

namespace {

QString text(const std::string& utf8) {
    // Thin spaces as underscores, so that expectations can be read.
    return QString::fromStdString(utf8).replace(QChar(0x2009), QLatin1Char('_'));
}

} // namespace

class TstTextFormat : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void duration_hasFourSignificantDigits_data();
    void duration_hasFourSignificantDigits();
    void fixedUnit_groupsThousands();
    void exact_showsEveryDigit();
    void unit_isTheLargestThatFits();
    void bytesCountsShares();
    void rate_isBytesPerSecond();
    void parseTime_readsUnits_data();
    void parseTime_readsUnits();
    void parseTime_refusesOtherText_data();
    void parseTime_refusesOtherText();
    void parseTime_readsWhatFormatInWrites();
    void parseRange_needsAnOrderedPair();
    void elide_keepsBothEnds();
};

void TstTextFormat::duration_hasFourSignificantDigits_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("expected");
    const std::pair<qint64, const char*> cases[] = {{0, "0 ns"},
                                                    {1, "1 ns"},
                                                    {412, "412 ns"},
                                                    {999, "999 ns"},
                                                    {1'000, "1.000 µs"},
                                                    {-3'500, "-3.500 µs"},
                                                    {12'345, "12.35 µs"}, // half away from zero
                                                    {999'949, "999.9 µs"},
                                                    {999'950, "1.000 ms"}, // never 1000.0 us
                                                    {1'240'000, "1.240 ms"},
                                                    {9'999'600, "10.00 ms"},
                                                    {123'456'789, "123.5 ms"},
                                                    {1'000'000'000, "1.000 s"},
                                                    {13'250'121'000, "13.25 s"}};
    for (const auto& [ns, expected] : cases)
        QTest::newRow(expected) << ns << QString::fromUtf8(expected);
}

void TstTextFormat::duration_hasFourSignificantDigits() {
    QFETCH(qint64, ns);
    QFETCH(QString, expected);
    QCOMPARE(text(formatDuration({ns})), expected);
}

void TstTextFormat::fixedUnit_groupsThousands() {
    QCOMPARE(text(formatIn({2'490'986}, TimeUnit::Us, 3)), QStringLiteral("2_490.986"));
    QCOMPARE(text(formatIn({2'490'986}, TimeUnit::Ms, 1)), QStringLiteral("2.5"));
    QCOMPARE(text(formatIn({-1'500}, TimeUnit::Us, 0)), QStringLiteral("-2"));
    QCOMPARE(text(formatIn({-400}, TimeUnit::Us, 0)), QStringLiteral("0")); // no minus zero
    QCOMPARE(text(formatIn({1'234'567'890}, TimeUnit::Ns, 0)), QStringLiteral("1_234_567_890"));
    QCOMPARE(text(formatIn({5}, TimeUnit::S, 9)), QStringLiteral("0.000000005"));
    QCOMPARE(text(formatIn({999'999}, TimeUnit::Ms, 3)), QStringLiteral("1.000"));
}

void TstTextFormat::exact_showsEveryDigit() {
    QCOMPARE(text(formatExact({2'490'986})), QStringLiteral("2_490_986 ns"));
    QCOMPARE(text(formatExact({-17})), QStringLiteral("-17 ns"));
    QCOMPARE(text(formatExact({std::numeric_limits<std::int64_t>::max()})),
             QStringLiteral("9_223_372_036_854_775_807 ns"));
    QCOMPARE(text(formatExact({std::numeric_limits<std::int64_t>::min()})),
             QStringLiteral("-9_223_372_036_854_775_808 ns"));
}

void TstTextFormat::unit_isTheLargestThatFits() {
    QVERIFY(unitFor({999}) == TimeUnit::Ns);
    QVERIFY(unitFor({-1'000}) == TimeUnit::Us);
    QVERIFY(unitFor({999'999}) == TimeUnit::Us);
    QVERIFY(unitFor({1'000'000}) == TimeUnit::Ms);
    QVERIFY(unitFor({1'000'000'000}) == TimeUnit::S);
    QVERIFY(unitFor({0}) == TimeUnit::Ns);
    QCOMPARE(unitName(TimeUnit::Us), std::string_view("µs"));
}

void TstTextFormat::bytesCountsShares() {
    QCOMPARE(text(formatBytes(512)), QStringLiteral("512 B"));
    QCOMPARE(text(formatBytes(std::uint64_t{16} << 20)), QStringLiteral("16.0 MiB"));
    QCOMPARE(text(formatBytes((std::uint64_t{1} << 20) - 1)), QStringLiteral("1.0 MiB")); // not 1024.0 KiB
    QCOMPARE(text(formatBytes(3'328'599'654)), QStringLiteral("3.1 GiB"));
    QCOMPARE(text(formatCount(1'284'553)), QStringLiteral("1_284_553"));
    QCOMPARE(text(formatCount(999)), QStringLiteral("999"));
    QCOMPARE(text(formatPercent(0.691)), QStringLiteral("69.1 %"));
    QCOMPARE(text(formatPercent(1.0)), QStringLiteral("100.0 %"));
    QCOMPARE(text(formatPercent(0.0)), QStringLiteral("0.0 %"));
}

void TstTextFormat::rate_isBytesPerSecond() {
    QCOMPARE(text(formatRate(55'200, {1'000})), QStringLiteral("55.2 GB/s"));
    QVERIFY(formatRate(100, {0}).empty());
}

void TstTextFormat::parseTime_readsUnits_data() {
    QTest::addColumn<qint64>("ns");
    const std::pair<const char*, qint64> cases[] = {
        {"17", 17},
        {"1.2ms", 1'200'000},
        {"350us", 350'000},
        {"350µs", 350'000},
        {"2s", 2'000'000'000},
        {"-3ms", -3'000'000},
        {"0", 0},
        {"1.234567ms", 1'234'567},
        {"5ns", 5},
        {"9223372036854775807", std::numeric_limits<qint64>::max()}};
    for (const auto& [input, ns] : cases)
        QTest::newRow(input) << ns;
}

void TstTextFormat::parseTime_readsUnits() {
    QFETCH(qint64, ns);
    const auto value = parseTime(QTest::currentDataTag());
    QVERIFY(value);
    QCOMPARE(*value, ns);
}

void TstTextFormat::parseTime_refusesOtherText_data() {
    QTest::addColumn<int>("unused");
    for (const char* const input : {"", "-", "ms", "1.2.3ms", "1e3", "5 minutes", "0x10", "--3",
                                    "99999999999s", "9223372036854775808", "1,5ms", "nan", ".", "5m", "+ 5"})
        QTest::newRow(input) << 0;
}

void TstTextFormat::parseTime_refusesOtherText() {
    QVERIFY(!parseTime(QTest::currentDataTag()));
}

void TstTextFormat::parseTime_readsWhatFormatInWrites() {
    RandomSource random(3);
    for (int k = 0; k < 2'000; ++k) {
        const std::int64_t ns = random.between(-1'000'000'000'000, 1'000'000'000'000);
        for (const auto& [unit, decimals, suffix] :
             std::vector<std::tuple<TimeUnit, int, const char*>>{{TimeUnit::Ns, 0, ""},
                                                                 {TimeUnit::Us, 3, "us"},
                                                                 {TimeUnit::Ms, 6, "ms"},
                                                                 {TimeUnit::S, 9, "s"}}) {
            const QString written =
                QString::fromStdString(formatIn({ns}, unit, decimals)).remove(QChar(0x2009));
            const auto read = parseTime(written.toStdString() + suffix);
            QVERIFY2(read && *read == ns, qPrintable(written));
        }
    }
}

void TstTextFormat::parseRange_needsAnOrderedPair() {
    QVERIFY((parseRange("1.2ms..3.5ms") == TimeRange{{1'200'000}, {3'500'000}}));
    QVERIFY((parseRange("-5..7") == TimeRange{{-5}, {7}}));
    for (const char* const bad : {"3..3", "4..3", "..5", "5..", "5", "a..b", "1.2ms-3ms", ""})
        QVERIFY2(!parseRange(bad), bad);
}

void TstTextFormat::elide_keepsBothEnds() {
    QCOMPARE(text(elideMiddle("kernel", 6)), QStringLiteral("kernel"));
    const QString shortened = text(elideMiddle("void at::native::vectorized_elementwise_kernel", 18));
    QCOMPARE(shortened.size(), qsizetype{18});
    QVERIFY(shortened.startsWith(QStringLiteral("void at::")));
    QVERIFY(shortened.contains(QChar(0x2026)));
    QVERIFY(shortened.endsWith(QStringLiteral("rnel")));
    // Code points, not bytes.
    QCOMPARE(text(elideMiddle("ääääääääää", 10)), QStringLiteral("ääääääääää"));
    QCOMPARE(text(elideMiddle("ääääääääää", 4)).size(), qsizetype{4});
    QCOMPARE(text(elideMiddle("abcdef", 1)), QString(QChar(0x2026)));
    QVERIFY(elideMiddle("abc", 0).empty());
}

LACUNA_TEST(TstTextFormat, "tst_text_format")

} // namespace tst_text_format

#include "tst_text_format.moc"
