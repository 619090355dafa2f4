#pragma once
// The timeline on screen: lane heads, ruler and lanes in one viewport. Two layers: the base picture is
// repainted when view, layout, theme or selection change; the pointer's marks are drawn over one blit.
// Gestures become intents in TimelineInput; what a click means is decided by the view model. Keys beyond the
// arrows are commands.

#include "core/findings/start_up_classes.h"
#include "widgets/timeline/frame_meter.h"
#include "widgets/timeline/timeline_input.h"
#include "widgets/timeline/timeline_renderer.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QAbstractScrollArea>
#include <QImage>
#include <QRegion>

#include <optional>

namespace lacuna::ui {

class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    TimelineView(TimelineViewModel& model, const ThemePalette& palette, const FigureFonts& fonts,
                 QWidget* parent = nullptr);

    void setThemePalette(const ThemePalette& palette);
    const ThemePalette& themePalette() const { return m_renderer.palette(); }
    TimelineViewModel& model() const { return m_model; }
    // Lanes area inside the viewport.
    QRect lanesRect() const;
    // Anchor of zoom by key: the pointer while it is over the lanes, else the middle.
    double zoomAnchor() const;
    // Time under the pointer, while it is over the lanes.
    std::optional<TimeNs> cursorTime() const;
    // Escape during a drag: the gesture ends without effect. False when there was none.
    bool cancelGesture();
    const FrameMeter& meter() const { return m_meter; }
    // What the tooltip says about a point of the viewport; empty over nothing.
    QString tipAt(QPoint viewportPoint);
    void setPlainWheelZooms(bool zooms) { m_input.setPlainWheelZooms(zooms); }
    // The next drag over the lanes draws the range of a callout; a press of Escape ends it.
    void setCalloutTool(bool on);
    bool hasCalloutTool() const { return m_input.hasCalloutTool(); }
    // Place of a callout's box in viewport coordinates, for the editor; null when it is out of view.
    QRect calloutBox(std::uint32_t id);

Q_SIGNALS:
    void cursorMoved();
    void framePainted();
    void calloutMoved(std::uint32_t id, double dx, double dy); // logical px, at the end of a drag
    void calloutEditRequested(std::uint32_t id);
    void calloutPlaceChosen(const std::string& laneKey, lacuna::TimeNs time); // double click beside events
    void rangeCarriedOut();   // dragged out of the window; the range is the selected one, as it was before
    void calloutRangeDrawn(); // with the callout tool; the range is the selected one
    void calloutToolChanged();
    // Heads; keys as TimelineRow::key. The owner changes the plan, with undo.
    void rowDropped(const std::string& key, std::size_t place); // as movedTo()
    void rowResized(const std::string& key, int percent);
    void starClicked(const std::string& key);
    void noteClicked(const std::string& key);  // of a row that counts what is hidden
    void timeBaseMenuRequested(QPoint global); // a click on the corner beside the ruler
    // A right click, or the key for it; the row under it is the current one and what is under it is selected.
    void menuRequested(QPoint global, bool onHeads);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void syncScrollBars();
    void paintAll();
    void paintBase();
    void paintBaseLanes(const TimelineScene& scene);
    void paintCorner(QPainter& painter) const;
    // What the pointer's marks cover now; all of the viewport while there is no picture to be kept.
    QRegion marksRegion();
    void paintPinned(QPainter& painter, const TimelineScene& scene, int covered);
    PointerInput inputOf(const QMouseEvent& event);
    TimelineZone zoneAt(QPointF at, std::uint32_t* callout);
    void apply(const TimelineIntents& intents);
    void applyOne(const TimelineIntent& intent);
    void hover(QPointF at);
    void selectAt(QPointF at, bool adds = false);
    void fitAt(QPointF at);
    void clickHead(QPointF at);
    void dragHead(const DragHead& drag);
    void resizeHead(const ResizeHead& drag);
    bool isAtRowEdge(QPointF at) const;
    void paintHeadMarks(QPainter& painter);
    TimeRange bandOf(double from, double to) const;
    QPointF toLanes(QPointF at) const;
    QString eventTip(EventId event, QPointF lanes);
    findings::StartUpClass startUpClassOf(EventId event) const;
    QString launchTip(const LaunchCell& cell) const;
    QString gapTip(GapId gap) const;
    QString startText(TimeNs begin) const;
    void updateShape(const PointerInput& input);
    void describeSelection();

    TimelineViewModel& m_model;
    TimelineRenderer m_renderer;
    TimelineInput m_input;
    QImage m_base;
    // What the heads in m_base were painted for: they stay while the view moves in time.
    struct HeadsKey {
        std::uint64_t layout = 0;
        int scrollY = 0;
        Theme theme = Theme::Light;
        std::string currentRow;
        friend bool operator==(const HeadsKey&, const HeadsKey&) = default;
    };
    std::optional<HeadsKey> m_headsKey;
    bool m_baseValid = false, m_syncing = false;
    bool m_focusRing = false;         // the focus came by keyboard
    std::optional<QPointF> m_pointer; // in the viewport
    std::uint32_t m_pressedCallout = 0;
    std::optional<TimeRange> m_pressedRange; // what was marked then
    std::optional<std::int32_t> m_dropY;     // content y of the place that a dragged head would get
    std::optional<LanePlan> m_planBefore;    // while a head's height is pulled
    std::optional<QPointF> m_calloutShift;   // while a callout's box is dragged
    HoverMarks m_marks;
    FrameMeter m_meter;
};

} // namespace lacuna::ui
