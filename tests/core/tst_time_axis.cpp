// Bases of the time axis: what is shown for a time, and ticks that are round on each of them.

#include "core/view/time_axis.h"
#include "core/view/time_ticks.h"
#include "tests/support/test_main.h"

#include <QTest>

namespace tst_time_axis {

using namespace lacuna;

namespace {

constexpr std::int64_t kMs = 1'000'000, kS = 1'000'000'000;
// 2026-11-30 13:47:05.250 UTC
constexpr std::int64_t kStart = 1'796'046'425LL * kS + 250 * kMs;

QString qt(const std::string& text) {
    return QString::fromStdString(text).replace(QChar(0x2009), QLatin1Char('_'));
}

QStringList labels(const Viewport& view, const TimeAxis& axis) {
    QStringList all;
    for (const Tick& tick : timeTicks(view, 90, axis))
        if (tick.major)
            all << qt(tick.label);
    return all;
}

} // namespace

class TstTimeAxis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void texts_data() {
        QTest::addColumn<int>("base");
        QTest::addColumn<qint64>("zero");
        QTest::addColumn<qint64>("time");
        QTest::addColumn<QString>("shortText");
        QTest::addColumn<QString>("exact");
        const auto row = [](const char* name, TimeBase base, qint64 zero, qint64 time, const char* text,
                            const char* exact) {
            QTest::newRow(name) << static_cast<int>(base) << zero << time << QString::fromUtf8(text)
                                << QString::fromUtf8(exact);
        };
        row("trace", TimeBase::TraceStart, 0, 1'098'312'004, "1.098 s", "1_098_312_004 ns");
        row("step", TimeBase::StepStart, 1'000'000'000, 1'002'300'000, "2.300 ms", "2_300_000 ns");
        row("before the step", TimeBase::StepStart, 1'000'000'000, 999'000'000, "-1.000 ms", "-1_000_000 ns");
        row("selection itself", TimeBase::SelectionStart, 42, 42, "0 ns", "0 ns");
        row("wall", TimeBase::WallClock, 0, 0, "13:47:05.250_000", "2026-11-30 13:47:05.250_000_000 UTC");
        row("wall, over midnight", TimeBase::WallClock, 0, 36'774 * kS + 750 * kMs + 1, "00:00:00.000_000",
            "2026-12-01 00:00:00.000_000_001 UTC");
        row("wall, before the trace", TimeBase::WallClock, 0, -300 * kMs, "13:47:04.950_000",
            "2026-11-30 13:47:04.950_000_000 UTC");
    }
    void texts() {
        QFETCH(int, base);
        QFETCH(qint64, zero);
        QFETCH(qint64, time);
        QFETCH(QString, shortText);
        QFETCH(QString, exact);
        TimeAxis axis;
        axis.base = static_cast<TimeBase>(base);
        axis.zero = {zero};
        axis.unixNs = kStart;
        QCOMPARE(qt(timeText({time}, axis)), shortText);
        QCOMPARE(qt(exactTimeText({time}, axis)), exact);
    }

    void zoneMovesTheClock() {
        TimeAxis axis;
        axis.base = TimeBase::WallClock;
        axis.unixNs = kStart;
        axis.zoneS = 5 * 3'600 + 1'800;
        QCOMPARE(qt(timeText({0}, axis)), QStringLiteral("19:17:05.250_000"));
        QCOMPARE(qt(axisTitle(axis)), QStringLiteral("wall clock, UTC+05:30"));
        axis.zoneS = -3'600;
        QCOMPARE(qt(exactTimeText({0}, axis)), QStringLiteral("2026-11-30 12:47:05.250_000_000 UTC-01:00"));
    }

    // Whatever the base, ticks are where the times of the trace say, and their labels are round.
    void ticksAreRoundOnTheAxis() {
        const Viewport view{{1'000'300'000}, 1'000, 1'000}; // a millisecond
        TimeAxis step{TimeBase::StepStart, {1'000'123'000}, 1, 0, 0};
        const auto ticks = timeTicks(view, 90, step);
        QVERIFY(!ticks.empty());
        for (const Tick& tick : ticks) {
            QCOMPARE(tick.x, view.xOf(tick.time));
            if (tick.major)
                QCOMPARE((tick.time - step.zero).v % 100'000, 0);
        }
        QCOMPARE(labels(view, step).front(), QStringLiteral("0.2 ms"));
        QCOMPARE(labels(view, {}).front(), QStringLiteral("1.0003 s")); // in the unit of the largest time
    }

    void wallTicks_data() {
        QTest::addColumn<double>("nsPerPx");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("minutes") << 0.2 * kS << QStringLiteral("13:47:30") << QStringLiteral("13:48:00");
        QTest::newRow("seconds") << 0.01 * kS << QStringLiteral("13:47:06") << QStringLiteral("13:47:07");
        QTest::newRow("100 ms") << 0.001 * kS << QStringLiteral("+300 ms") << QStringLiteral("+400 ms");
    }
    void wallTicks() {
        QFETCH(double, nsPerPx);
        QFETCH(QString, first);
        QFETCH(QString, second);
        TimeAxis axis;
        axis.base = TimeBase::WallClock;
        axis.unixNs = kStart;
        const QStringList all = labels({{0}, nsPerPx, 1'000}, axis);
        QVERIFY2(all.size() > 2, qPrintable(all.join(u' ')));
        if (all[0] != first) // no whole second is in view: the first label tells the time
            QCOMPARE(all[0], QStringLiteral("13:47:05.300"));
        QCOMPARE(all[1], second);
    }

    void namesReadBack() {
        for (const TimeBase base : kTimeBases)
            QCOMPARE(timeBaseOf(timeBaseName(base)), std::optional(base));
        QVERIFY(!timeBaseOf("noon"));
    }

    void rangesHaveOneUnit() {
        QCOMPARE(qt(rangeText({{1'104'000'000}, {1'110'000'000}}, {})), QStringLiteral("1.104–1.110 s"));
        TimeAxis step{TimeBase::StepStart, {1'104'000'000}, 1, 0, 0};
        QCOMPARE(qt(rangeText({{1'104'000'000}, {1'110'000'000}}, step)), QStringLiteral("0.000–6.000 ms"));
    }
};

LACUNA_TEST(TstTimeAxis, "tst_time_axis")

} // namespace tst_time_axis

#include "tst_time_axis.moc"
