#include "widgets/timeline/timeline_input.h"

#include <cmath>

namespace lacuna::ui {

namespace {
constexpr double kNotch = 120.0;       // eighths of a degree
constexpr double kNotchPx = 60.0;      // scroll and pan of one notch
constexpr double kZoomPerNotch = 1.25; // one notch; a touchpad's pixel counts as 1 / kNotchPx notch
} // namespace

bool TimelineInput::nearEdge(const PointerInput& input, double& otherEdge) {
    if (!input.rangeLeft || !input.rangeRight)
        return false;
    const double x = input.at.x();
    const double toLeft = std::abs(x - *input.rangeLeft), toRight = std::abs(x - *input.rangeRight);
    if (std::min(toLeft, toRight) > kEdgePx)
        return false;
    otherEdge = toLeft <= toRight ? *input.rangeRight : *input.rangeLeft;
    return true;
}

TimelineIntents TimelineInput::press(const PointerInput& input) {
    m_pressed = m_last = input.at;
    m_dragging = false;
    m_inRange = !m_calloutTool && input.rangeLeft && input.rangeRight && input.at.x() > *input.rangeLeft &&
                input.at.x() < *input.rangeRight;
    m_middle = input.button == Qt::MiddleButton && input.zone == TimelineZone::Lanes;
    const bool left = input.button == Qt::LeftButton, middle = input.button == Qt::MiddleButton;
    m_gesture = Gesture::None;
    if (!left && !middle)
        return {};
    if (input.zone == TimelineZone::Heads)
        m_gesture = !left ? Gesture::Pan : input.atRowEdge ? Gesture::RowEdge : Gesture::Head;
    else if (middle || m_space || (input.modifiers & Qt::ShiftModifier) != 0)
        m_gesture = Gesture::Pan;
    else if (input.zone == TimelineZone::Callout)
        m_gesture = Gesture::Callout;
    else if (input.zone == TimelineZone::Ruler || (input.modifiers & Qt::AltModifier) != 0)
        m_gesture = Gesture::Zoom;
    else if (!m_calloutTool && nearEdge(input, m_fixedX))
        m_gesture = Gesture::RangeEdge;
    else
        m_gesture = Gesture::Range;
    return {};
}

TimelineIntents TimelineInput::move(const PointerInput& input) {
    if (m_gesture == Gesture::None)
        return {HoverAt{input.at}};
    if (!m_dragging) {
        const QPointF way = input.at - m_pressed;
        if (std::abs(way.x()) < kDragPx && std::abs(way.y()) < kDragPx)
            return {};
        m_dragging = true;
    }
    const QPointF step = input.at - m_last;
    m_last = input.at;
    switch (m_gesture) {
    case Gesture::Pan:
        return {PanBy{-step.x(), -step.y()}};
    case Gesture::Range:
        if (m_inRange && input.outside) {
            cancel();
            return {CarryRange{}};
        }
        return {MarkRange{m_pressed.x(), input.at.x()}};
    case Gesture::RangeEdge:
        return {MarkRange{m_fixedX, input.at.x()}};
    case Gesture::Zoom:
        return {ZoomBand{m_pressed.x(), input.at.x()}};
    case Gesture::Head:
        return {DragHead{m_pressed, input.at, false}};
    case Gesture::RowEdge:
        return {ResizeHead{m_pressed, input.at, false}};
    case Gesture::Callout:
        return {MoveCallout{input.at.x() - m_pressed.x(), input.at.y() - m_pressed.y(), false}};
    default:
        return {};
    }
}

TimelineIntents TimelineInput::release(const PointerInput& input) {
    const Gesture gesture = m_gesture;
    const bool dragged = m_dragging;
    m_gesture = Gesture::None;
    m_dragging = false;
    if (gesture == Gesture::Callout)
        return {dragged ? TimelineIntent{MoveCallout{input.at.x() - m_pressed.x(),
                                                     input.at.y() - m_pressed.y(), true}}
                        : TimelineIntent{SelectCallout{input.at}}};
    if (gesture == Gesture::Range && dragged && m_calloutTool)
        return {RangeDrawn{}};
    if (gesture == Gesture::Zoom && dragged)
        return {ZoomToBand{m_pressed.x(), input.at.x()}};
    if (gesture == Gesture::Head && dragged)
        return {DragHead{m_pressed, input.at, true}};
    if (gesture == Gesture::RowEdge && dragged)
        return {ResizeHead{m_pressed, input.at, true}};
    if (gesture == Gesture::Pan && m_middle && !dragged)
        return {FitAt{input.at}};
    if (dragged || gesture == Gesture::None || gesture == Gesture::Pan || gesture == Gesture::RowEdge)
        return {};
    if (gesture == Gesture::Head)
        return {ToggleHead{input.at}};
    return input.zone == TimelineZone::Lanes
               ? TimelineIntents{SelectAt{input.at, (input.modifiers & Qt::ControlModifier) != 0}}
               : TimelineIntents{};
}

TimelineIntents TimelineInput::doubleClick(const PointerInput& input) {
    m_gesture = Gesture::None;
    if (input.button != Qt::LeftButton)
        return {};
    if (input.zone == TimelineZone::Lanes)
        return {FitAt{input.at}};
    if (input.zone == TimelineZone::Callout)
        return {EditCallout{input.at}};
    return {};
}

TimelineIntents TimelineInput::wheel(const WheelInput& input) {
    const bool touch = !input.pixels.isNull();
    const QPointF notches = touch ? input.pixels / kNotchPx : input.degrees / kNotch;
    const double dominant = std::abs(notches.y()) >= std::abs(notches.x()) ? notches.y() : notches.x();
    const bool hasControl = (input.modifiers & Qt::ControlModifier) != 0;
    const bool isPlain = (input.modifiers & (Qt::ShiftModifier | Qt::AltModifier)) == 0;
    if (m_plainWheelZooms ? isPlain && !hasControl : hasControl)
        return {ZoomAt{std::pow(kZoomPerNotch, dominant), input.at.x()}};
    if ((input.modifiers & (Qt::ShiftModifier | Qt::AltModifier)) != 0)
        return {PanBy{-dominant * kNotchPx, 0}};
    return {PanBy{-notches.x() * kNotchPx, -notches.y() * kNotchPx}};
}

bool TimelineInput::cancel() {
    const bool active = m_gesture != Gesture::None;
    m_gesture = Gesture::None;
    m_dragging = false;
    return active;
}

PointerShape TimelineInput::shape(const PointerInput& input) const {
    if (m_gesture == Gesture::Pan)
        return PointerShape::ClosedHand;
    if (m_space)
        return PointerShape::Hand;
    if (m_gesture == Gesture::RowEdge ||
        (m_gesture == Gesture::None && input.zone == TimelineZone::Heads && input.atRowEdge))
        return PointerShape::ResizeRow;
    if (m_gesture == Gesture::Head && m_dragging)
        return PointerShape::ClosedHand;
    if (m_calloutTool && input.zone == TimelineZone::Lanes)
        return PointerShape::Cross;
    double other = 0;
    if (m_gesture == Gesture::RangeEdge ||
        (m_gesture == Gesture::None && input.zone == TimelineZone::Lanes && nearEdge(input, other)))
        return PointerShape::ResizeRange;
    if (input.zone == TimelineZone::Callout)
        return PointerShape::Hand;
    return PointerShape::Arrow;
}

} // namespace lacuna::ui
