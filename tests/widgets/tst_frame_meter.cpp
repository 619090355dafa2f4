// Frames per second of what moves.

#include "tests/support/test_main.h"
#include "widgets/timeline/frame_meter.h"

namespace tst_frame_meter {

using lacuna::ui::FrameMeter;

class TstFrameMeter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void needsThreeFrames() {
        FrameMeter meter;
        QVERIFY(!meter.facts());
        meter.painted(0, 1);
        meter.painted(10'000'000, 1);
        QVERIFY(!meter.facts());
        meter.painted(20'000'000, 1);
        QVERIFY(meter.facts().has_value());
    }

    // Four frames 20 ms apart: three intervals in 60 ms.
    void countsIntervals() {
        FrameMeter meter;
        const std::int64_t took[] = {4'000'000, 2'000'000, 9'000'000, 3'000'000};
        for (int i = 0; i < 4; ++i)
            meter.painted(i * 20'000'000, took[i]);
        const FrameMeter::Facts facts = *meter.facts();
        QCOMPARE(facts.perSecond, 50.0);
        QCOMPARE(facts.medianNs, 3'000'000);
        QCOMPARE(facts.longestNs, 9'000'000);
        QCOMPARE(facts.frames, std::size_t{4});
    }

    // What stood still between two movements is in neither.
    void aPauseBeginsAnotherMovement() {
        FrameMeter meter;
        for (int i = 0; i < 5; ++i)
            meter.painted(i * 10'000'000, 1);
        meter.painted(5'000'000'000, 7); // one frame: the last movement is told
        QCOMPARE(meter.facts()->perSecond, 100.0);
        meter.painted(5'025'000'000, 7);
        meter.painted(5'050'000'000, 7);
        QCOMPARE(meter.facts()->perSecond, 40.0);
        QCOMPARE(meter.facts()->longestNs, 7);
    }

    void onlyTheLastSecondCounts() {
        FrameMeter meter;
        for (std::int64_t i = 0; i <= 20; ++i)
            meter.painted(i * 200'000'000, i == 0 ? 1'000 : 5); // 4 s at 5 a second
        QCOMPARE(meter.facts()->frames, std::size_t{6});
        QCOMPARE(meter.facts()->perSecond, 5.0);
        QCOMPARE(meter.facts()->longestNs, 5);
    }
};

LACUNA_TEST(TstFrameMeter, "tst_frame_meter")

} // namespace tst_frame_meter

#include "tst_frame_meter.moc"
