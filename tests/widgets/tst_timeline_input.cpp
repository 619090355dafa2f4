// Gestures of the timeline, without a window: what a hand does and what is meant by it.

#include "tests/support/test_main.h"
#include "widgets/timeline/timeline_input.h"

namespace tst_timeline_input {

using namespace lacuna::ui;

namespace {

PointerInput at(double x, double y, Qt::MouseButton button = Qt::LeftButton,
                Qt::KeyboardModifiers modifiers = Qt::NoModifier, TimelineZone zone = TimelineZone::Lanes) {
    PointerInput input;
    input.at = {x, y};
    input.button = button;
    input.modifiers = modifiers;
    input.zone = zone;
    return input;
}

template <class T> const T* only(const TimelineIntents& intents) {
    return intents.size() == 1 ? std::get_if<T>(&intents.front()) : nullptr;
}

} // namespace

class TstTimelineInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void clickSelectsWhereItWasReleased() {
        TimelineInput input;
        QVERIFY(input.press(at(300, 100)).empty());
        QVERIFY(input.move(at(302, 101)).empty()); // below the drag distance
        const auto intents = input.release(at(302, 101));
        const auto* select = only<SelectAt>(intents);
        QVERIFY(select != nullptr);
        QCOMPARE(select->at, QPointF(302, 101));
    }

    void dragMarksARange() {
        TimelineInput input;
        input.press(at(300, 100));
        const auto intents = input.move(at(340, 104));
        const auto* mark = only<MarkRange>(intents);
        QVERIFY(mark != nullptr);
        QCOMPARE(mark->from, 300.0);
        QCOMPARE(mark->to, 340.0);
        QVERIFY(input.isDragging());
        QVERIFY(input.release(at(340, 104)).empty()); // the range stands already
    }

    void dragFromTheMarkedRangeOutOfTheWindow_carriesIt() {
        TimelineInput input;
        const auto with = [](PointerInput pointer, bool outside) {
            pointer.rangeLeft = 280;
            pointer.rangeRight = 400;
            pointer.outside = outside;
            return pointer;
        };
        input.press(with(at(300, 100), false));
        QVERIFY(only<MarkRange>(input.move(with(at(340, 300), false))) != nullptr); // still a new range
        QVERIFY(only<CarryRange>(input.move(with(at(360, 900), true))) != nullptr);
        QVERIFY(!input.isDragging());
        QVERIFY(input.release(with(at(360, 900), true)).empty());
        // Beside the marked range, or with the callout tool, a drag marks to the edge as ever.
        input.press(with(at(500, 100), false));
        QVERIFY(only<MarkRange>(input.move(with(at(560, 900), true))) != nullptr);
        input.release(with(at(560, 900), true));
        input.setCalloutTool(true);
        input.press(with(at(300, 100), false));
        QVERIFY(only<MarkRange>(input.move(with(at(560, 900), true))) != nullptr);
    }

    void edgeOfTheRangeMovesAlone() {
        TimelineInput input;
        PointerInput press = at(402, 100);
        press.rangeLeft = 300;
        press.rangeRight = 400;
        QCOMPARE(input.shape(press), PointerShape::ResizeRange);
        input.press(press);
        const auto intents = input.move(at(460, 100));
        const auto* mark = only<MarkRange>(intents);
        QVERIFY(mark != nullptr);
        QCOMPARE(mark->from, 300.0); // the left edge stays
        QCOMPARE(mark->to, 460.0);
    }

    void pans_data() {
        QTest::addColumn<int>("button");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<bool>("space");
        QTest::newRow("shift+drag") << int(Qt::LeftButton) << int(Qt::ShiftModifier) << false;
        QTest::newRow("middle drag") << int(Qt::MiddleButton) << int(Qt::NoModifier) << false;
        QTest::newRow("space+drag") << int(Qt::LeftButton) << int(Qt::NoModifier) << true;
    }
    void pans() {
        QFETCH(int, button);
        QFETCH(int, modifiers);
        QFETCH(bool, space);
        TimelineInput input;
        input.setSpaceHeld(space);
        const auto pointer = [&](double x, double y) {
            return at(x, y, static_cast<Qt::MouseButton>(button), Qt::KeyboardModifiers(modifiers));
        };
        input.press(pointer(300, 100));
        const auto first = input.move(pointer(320, 90));
        const auto* pan = only<PanBy>(first);
        QVERIFY(pan != nullptr);
        QCOMPARE(pan->dx, -20.0); // the picture follows the hand
        QCOMPARE(pan->dy, 10.0);
        const auto second = input.move(pointer(330, 90));
        QVERIFY(only<PanBy>(second) != nullptr);
        QCOMPARE(only<PanBy>(second)->dx, -10.0); // steps, not the way since the press
        QVERIFY(input.release(pointer(330, 90)).empty());
    }

    void altDragAndRulerDragZoom_data() {
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("zone");
        QTest::newRow("alt+drag") << int(Qt::AltModifier) << int(TimelineZone::Lanes);
        QTest::newRow("ruler") << int(Qt::NoModifier) << int(TimelineZone::Ruler);
    }
    void altDragAndRulerDragZoom() {
        QFETCH(int, modifiers);
        QFETCH(int, zone);
        TimelineInput input;
        const auto pointer = [&](double x) {
            return at(x, 10, Qt::LeftButton, Qt::KeyboardModifiers(modifiers),
                      static_cast<TimelineZone>(zone));
        };
        input.press(pointer(500));
        QVERIFY(only<ZoomBand>(input.move(pointer(420))) != nullptr);
        const auto intents = input.release(pointer(410));
        QVERIFY(only<ZoomToBand>(intents) != nullptr);
        QCOMPARE(only<ZoomToBand>(intents)->from, 500.0);
        QCOMPARE(only<ZoomToBand>(intents)->to, 410.0);
    }

    void clickOnTheRulerDoesNothing() {
        TimelineInput input;
        input.press(at(500, 10, Qt::LeftButton, Qt::NoModifier, TimelineZone::Ruler));
        QVERIFY(input.release(at(500, 10, Qt::LeftButton, Qt::NoModifier, TimelineZone::Ruler)).empty());
    }

    void doubleClickFits() {
        TimelineInput input;
        QVERIFY(only<FitAt>(input.doubleClick(at(10, 10))) != nullptr);
        QVERIFY(input.doubleClick(at(10, 10, Qt::RightButton)).empty());
    }

    void headsFold() {
        TimelineInput input;
        input.press(at(10, 90, Qt::LeftButton, Qt::NoModifier, TimelineZone::Heads));
        QVERIFY(
            only<ToggleHead>(input.release(at(10, 90, Qt::LeftButton, Qt::NoModifier, TimelineZone::Heads))));
    }

    void headsAreCarriedAndPulled() {
        TimelineInput input;
        const auto pointer = [](double x, double y, bool atEdge = false) {
            PointerInput head = at(x, y, Qt::LeftButton, Qt::NoModifier, TimelineZone::Heads);
            head.atRowEdge = atEdge;
            return head;
        };
        input.press(pointer(60, 100));
        const auto carried = input.move(pointer(60, 140));
        QVERIFY(only<DragHead>(carried) != nullptr);
        QCOMPARE(only<DragHead>(carried)->from, QPointF(60, 100));
        QCOMPARE(only<DragHead>(carried)->at, QPointF(60, 140));
        QVERIFY(!only<DragHead>(carried)->last);
        QCOMPARE(input.shape(pointer(60, 140)), PointerShape::ClosedHand);
        const auto dropped = input.release(pointer(60, 150));
        QVERIFY(only<DragHead>(dropped) != nullptr && only<DragHead>(dropped)->last);
        // The lower edge pulls, and a click on it does nothing.
        QCOMPARE(input.shape(pointer(60, 99, true)), PointerShape::ResizeRow);
        input.press(pointer(60, 99, true));
        QVERIFY(only<ResizeHead>(input.move(pointer(60, 120))) != nullptr);
        const auto pulled = input.release(pointer(60, 130));
        QVERIFY(only<ResizeHead>(pulled) != nullptr && only<ResizeHead>(pulled)->last);
        input.press(pointer(60, 99, true));
        QVERIFY(input.release(pointer(60, 99, true)).empty());
        // Escape: nothing was carried.
        input.press(pointer(60, 100));
        input.move(pointer(60, 140));
        QVERIFY(input.cancel());
        QVERIFY(input.release(pointer(60, 140)).empty());
    }

    void calloutsMoveAndOpen() {
        TimelineInput input;
        const auto pointer = [&](double x, double y) {
            return at(x, y, Qt::LeftButton, Qt::NoModifier, TimelineZone::Callout);
        };
        input.press(pointer(100, 100));
        const auto moving = input.move(pointer(130, 80));
        QVERIFY(only<MoveCallout>(moving) != nullptr);
        QVERIFY(!only<MoveCallout>(moving)->last);
        const auto end = input.release(pointer(140, 70));
        QVERIFY(only<MoveCallout>(end) != nullptr);
        QVERIFY(only<MoveCallout>(end)->last);
        QCOMPARE(only<MoveCallout>(end)->dx, 40.0);
        QCOMPARE(only<MoveCallout>(end)->dy, -30.0);
        input.press(pointer(100, 100));
        QVERIFY(only<SelectCallout>(input.release(pointer(101, 100))) != nullptr);
        QVERIFY(only<EditCallout>(input.doubleClick(pointer(100, 100))) != nullptr);
    }

    void wheel() {
        TimelineInput input;
        WheelInput notch;
        notch.at = {200, 50};
        notch.degrees = {0, 120};
        const auto scroll = input.wheel(notch);
        QVERIFY(only<PanBy>(scroll) != nullptr);
        QCOMPARE(only<PanBy>(scroll)->dx, 0.0);
        QCOMPARE(only<PanBy>(scroll)->dy, -60.0);
        notch.modifiers = Qt::ShiftModifier;
        QCOMPARE(only<PanBy>(input.wheel(notch))->dx, -60.0);
        QCOMPARE(only<PanBy>(input.wheel(notch))->dy, 0.0);
        notch.modifiers = Qt::ControlModifier;
        const auto zoom = input.wheel(notch);
        QVERIFY(only<ZoomAt>(zoom) != nullptr);
        QCOMPARE(only<ZoomAt>(zoom)->factor, 1.25);
        QCOMPARE(only<ZoomAt>(zoom)->x, 200.0);
        // A high-resolution wheel sends parts of a notch, a touchpad pixels.
        notch.degrees = {0, 30};
        QVERIFY(std::abs(only<ZoomAt>(input.wheel(notch))->factor - std::pow(1.25, 0.25)) < 1e-12);
        notch.modifiers = Qt::NoModifier;
        notch.pixels = {-7, 12};
        QCOMPARE(only<PanBy>(input.wheel(notch))->dx, 7.0);
        QCOMPARE(only<PanBy>(input.wheel(notch))->dy, -12.0);
    }

    void plainWheelZooms_whereItIsWished() {
        TimelineInput input;
        input.setPlainWheelZooms(true);
        WheelInput wheel;
        wheel.at = {100, 100};
        wheel.degrees = {0, 120};
        const auto zoomed = input.wheel(wheel);
        QVERIFY(only<ZoomAt>(zoomed) != nullptr);
        QVERIFY(only<ZoomAt>(zoomed)->factor > 1);
        wheel.modifiers = Qt::ControlModifier;
        const auto scrolled = input.wheel(wheel);
        QVERIFY(only<PanBy>(scrolled) != nullptr);
        QCOMPARE(only<PanBy>(scrolled)->dx, 0.0);
        QVERIFY(only<PanBy>(scrolled)->dy < 0);
        wheel.modifiers = Qt::ShiftModifier;
        const auto panned = input.wheel(wheel);
        QVERIFY(only<PanBy>(panned) != nullptr);
        QVERIFY(only<PanBy>(panned)->dx < 0);
    }

    void controlClickAdds() {
        TimelineInput input;
        input.press(at(300, 100, Qt::LeftButton, Qt::ControlModifier));
        const auto intents = input.release(at(300, 100, Qt::LeftButton, Qt::ControlModifier));
        QVERIFY(only<SelectAt>(intents) != nullptr);
        QVERIFY(only<SelectAt>(intents)->adds);
    }

    void middleClickFitsAndDragPans() {
        TimelineInput input;
        input.press(at(300, 100, Qt::MiddleButton));
        const auto fit = input.release(at(301, 100, Qt::MiddleButton));
        QVERIFY(only<FitAt>(fit) != nullptr);
        input.press(at(300, 100, Qt::MiddleButton));
        const auto pan = input.move(at(340, 100));
        QVERIFY(only<PanBy>(pan) != nullptr);
        QVERIFY(input.release(at(340, 100, Qt::MiddleButton)).empty());
    }

    void calloutToolDrawsARange() {
        TimelineInput input;
        input.setCalloutTool(true);
        QCOMPARE(input.shape(at(300, 100)), PointerShape::Cross);
        input.press(at(300, 100));
        const auto mark = input.move(at(400, 100));
        QVERIFY(only<MarkRange>(mark) != nullptr);
        const auto drawn = input.release(at(400, 100));
        QVERIFY(only<RangeDrawn>(drawn) != nullptr);
        input.setCalloutTool(false);
        input.press(at(300, 100));
        input.move(at(400, 100));
        QVERIFY(input.release(at(400, 100)).empty());
    }

    void escapeEndsAGesture() {
        TimelineInput input;
        QVERIFY(!input.cancel());
        input.press(at(300, 100));
        input.move(at(350, 100));
        QVERIFY(input.cancel());
        QVERIFY(input.release(at(350, 100)).empty());
    }
};

LACUNA_TEST(TstTimelineInput, "tst_timeline_input")

} // namespace tst_timeline_input

#include "tst_timeline_input.moc"
