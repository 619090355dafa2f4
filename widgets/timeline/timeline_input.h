#pragma once
// Gestures -> intents. Knows pixels and buttons, nothing of traces or widgets, so it is tested without a
// window. A gesture that a mouse can start with the left button alone has a modifier for every meaning (ux.md
// section 11); a press becomes a drag after kDragPx.

#include <QPointF>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace lacuna::ui {

enum class TimelineZone : std::uint8_t { Lanes, Ruler, Heads, Callout };

struct PointerInput {
    QPointF at; // logical px of the timeline's viewport
    TimelineZone zone = TimelineZone::Lanes;
    Qt::MouseButton button = Qt::NoButton;
    Qt::KeyboardModifiers modifiers = Qt::NoModifier;
    // x of the edges of the selected range, when there is one.
    std::optional<double> rangeLeft, rangeRight;
    bool outside = false;   // of the whole window
    bool atRowEdge = false; // on the lower edge of a lane's head, where its height is pulled
};

struct WheelInput {
    QPointF at;
    QPointF pixels;  // of a touchpad; null when the device has none
    QPointF degrees; // in eighths of a degree, 120 = one notch
    Qt::KeyboardModifiers modifiers = Qt::NoModifier;
};

// Intents, all in logical px of the timeline's viewport.
struct HoverAt {
    QPointF at;
};
struct SelectAt {
    QPointF at;
    bool adds = false; // to what is selected
};
struct FitAt {
    QPointF at;
};
struct PanBy {
    double dx = 0, dy = 0;
};
struct ZoomAt {
    double factor = 1, x = 0;
};
struct MarkRange {
    double from = 0, to = 0;
};                    // rubber band of a time range, live
struct CarryRange {}; // a drag that began in the marked range has left the window
struct RangeDrawn {}; // with the callout tool: the end of that drag
struct ZoomBand {
    double from = 0, to = 0;
}; // rubber band of a zoom, live
struct ZoomToBand {
    double from = 0, to = 0;
}; // and its end
struct ToggleHead {
    QPointF at;
};
struct DragHead { // a head is carried to another place
    QPointF from, at;
    bool last = false;
};
struct ResizeHead { // its lower edge is pulled
    QPointF from, at;
    bool last = false;
};
struct MoveCallout {
    double dx = 0, dy = 0;
    bool last = false;
};
struct SelectCallout {
    QPointF at;
};
struct EditCallout {
    QPointF at;
};
struct CancelGesture {}; // rubber band gone, nothing changed
using TimelineIntent = std::variant<HoverAt, SelectAt, FitAt, PanBy, ZoomAt, MarkRange, CarryRange,
                                    RangeDrawn, ZoomBand, ZoomToBand, ToggleHead, DragHead, ResizeHead,
                                    MoveCallout, SelectCallout, EditCallout, CancelGesture>;
using TimelineIntents = std::vector<TimelineIntent>;

enum class PointerShape : std::uint8_t { Arrow, Cross, ResizeRange, ResizeRow, Hand, ClosedHand };

class TimelineInput {
public:
    TimelineIntents press(const PointerInput& input);
    TimelineIntents move(const PointerInput& input);
    TimelineIntents release(const PointerInput& input);
    TimelineIntents doubleClick(const PointerInput& input);
    TimelineIntents wheel(const WheelInput& input);
    // The next drag over the lanes ends with RangeDrawn.
    void setCalloutTool(bool on) { m_calloutTool = on; }
    bool hasCalloutTool() const { return m_calloutTool; }
    // The wheel alone zooms, as in Tracy and Optiq; with Ctrl it scrolls the lanes then.
    void setPlainWheelZooms(bool zooms) { m_plainWheelZooms = zooms; }
    // Space held: a drag pans.
    void setSpaceHeld(bool held) { m_space = held; }
    // Escape or loss of the mouse during a gesture. False when there was none.
    bool cancel();
    bool isDragging() const { return m_gesture != Gesture::None && m_dragging; }
    PointerShape shape(const PointerInput& input) const;

    static constexpr double kDragPx = 4.0;
    static constexpr double kEdgePx = 4.0; // a range edge is caught this far away

private:
    enum class Gesture : std::uint8_t { None, Click, Range, RangeEdge, Pan, Zoom, Head, RowEdge, Callout };
    static bool nearEdge(const PointerInput& input, double& otherEdge);

    Gesture m_gesture = Gesture::None;
    QPointF m_pressed, m_last;
    double m_fixedX = 0;    // RangeEdge: the edge that stays
    bool m_inRange = false; // Range: it began in the marked one
    bool m_dragging = false, m_space = false, m_calloutTool = false, m_plainWheelZooms = false,
         m_middle = false;
};

} // namespace lacuna::ui
