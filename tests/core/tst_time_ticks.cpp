#include "core/view/time_ticks.h"
#include "tests/support/test_main.h"

namespace tst_time_ticks {

using namespace lacuna;

namespace {

QStringList labelsOf(const Viewport& v, double minLabelPx = 90.0) {
    QStringList labels;
    for (const Tick& tick : timeTicks(v, minLabelPx))
        if (tick.major)
            labels << QString::fromStdString(tick.label);
    return labels;
}

QStringList list(const char* text) {
    return QString::fromUtf8(text).split(QLatin1Char('|'));
}

} // namespace

class TstTimeTicks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void labels_ofTheMock();
    void labels_relativeWhenDeep();
    void labels_absoluteWhenNoAnchorIsInView();
    void labels_negativeTimes();
    void steps_areOneTwoFiveAndFarEnough();
    void minorTicks_betweenMajorOnes();
    void emptyView_hasNone();
};

void TstTimeTicks::labels_ofTheMock() {
    // 3.75 ... 10.35 ms on 1320 px.
    QCOMPARE(
        labelsOf({{3'750'000}, 5000.0, 1320}),
        list("4.0 ms|4.5 ms|5.0 ms|5.5 ms|6.0 ms|6.5 ms|7.0 ms|7.5 ms|8.0 ms|8.5 ms|9.0 ms|9.5 ms|10.0 ms"));
    QCOMPARE(labelsOf({{0}, 100.0, 400}), list("0 \u00b5s|10 \u00b5s|20 \u00b5s|30 \u00b5s|40 \u00b5s"));
    QCOMPARE(labelsOf({{0}, 1e7, 500}), list("0 s|1 s|2 s|3 s|4 s|5 s"));
}

void TstTimeTicks::labels_relativeWhenDeep() {
    // 12 s into the trace at 10 ns a pixel: the tick on a whole ms says where, the others how far from it.
    QCOMPARE(labelsOf({{12'345'999'000}, 10.0, 400}),
             list("+999 \u00b5s|12.346 s|+1 \u00b5s|+2 \u00b5s|+3 \u00b5s"));
}

void TstTimeTicks::labels_absoluteWhenNoAnchorIsInView() {
    QCOMPARE(labelsOf({{12'345'500'100}, 10.0, 350}),
             list("12.345\u2009501 s|+502 \u00b5s|+503 \u00b5s")
                 .replaceInStrings(QStringLiteral("\u2009"), QString()));
}

void TstTimeTicks::labels_negativeTimes() {
    QCOMPARE(labelsOf({{-250'000}, 1000.0, 400}), list("-200 \u00b5s|-100 \u00b5s|0 \u00b5s|100 \u00b5s"));
}

void TstTimeTicks::steps_areOneTwoFiveAndFarEnough() {
    for (double nsPerPx = 1.0 / 64; nsPerPx < 1e12; nsPerPx *= 1.37) {
        std::vector<Tick> majors;
        for (const Tick& tick : timeTicks({{1'000'000'007}, nsPerPx, 1920}))
            if (tick.major)
                majors.push_back(tick);
        for (std::size_t k = 1; k < majors.size(); ++k) {
            const std::int64_t step = (majors[k].time - majors[k - 1].time).v;
            QVERIFY(majors[k].x - majors[k - 1].x >= 90.0 - 1e-6);
            const std::string digits = std::to_string(step);
            QVERIFY(digits[0] == '1' || digits[0] == '2' || digits[0] == '5');
            QVERIFY(digits.find_first_not_of('0', 1) == std::string::npos);
            QVERIFY(majors[k].time.v % step == 0);
            QVERIFY(!majors[k].label.empty());
            // A step of 1-2-5 is never more than 2.5 times too far; below 1 ns there is none smaller.
            QVERIFY(step == 1 || majors[k].x - majors[k - 1].x < 90.0 * 2.5 + 1e-6);
        }
    }
}

void TstTimeTicks::minorTicks_betweenMajorOnes() {
    int minor = 0, majors = 0;
    for (const Tick& tick : timeTicks({{0}, 100.0, 201})) { // 20.1 us, major every 10 us
        majors += tick.major;
        minor += !tick.major;
        QVERIFY(tick.major || tick.label.empty());
        QCOMPARE(tick.time.v % 2000, 0);
        QCOMPARE(tick.x, static_cast<double>(tick.time.v) / 100.0);
    }
    QCOMPARE(majors, 3);
    QCOMPARE(minor, 8);
}

void TstTimeTicks::emptyView_hasNone() {
    QVERIFY(timeTicks({{0}, 1.0, 0}).empty());
}

LACUNA_TEST(TstTimeTicks, "tst_time_ticks")

} // namespace tst_time_ticks

#include "tst_time_ticks.moc"
