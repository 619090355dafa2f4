#pragma once
// What the timeline shows: viewport, layout, scroll position and the frame made of them, with the history of
// views. No pixels are painted here, so everything is tested without a window. Coordinates are logical pixels
// of the lanes area (right of the heads, below the ruler) unless a name says device.

#include "core/analysis/launch_density.h"
#include "core/base/crew.h"
#include "core/view/arrows.h"
#include "core/view/build_frame.h"
#include "core/view/hit_test.h"
#include "widgets/session/analysis_session.h"
#include "widgets/timeline/paint_context.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QSize>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::ui {

class TimelineViewModel : public QObject {
    Q_OBJECT
public:
    static constexpr double kFitMargin = 0.06; // share of the width that stays free beside a fitted range

    explicit TimelineViewModel(AnalysisSession& session, QObject* parent = nullptr);

    AnalysisSession& session() const { return m_session; }
    const Trace* trace() const;
    // While held, a document that is told again changes nothing here.
    void setHeld(bool held) { m_isHeld = held; }
    bool isHeld() const { return m_isHeld; }
    // Where the view may go: the trace's window.
    TimeRange extent() const;

    void setArea(QSize lanes, double ratio);
    QSize area() const { return m_area; }
    // As painted: on the pixel grid of the frame.
    const Viewport& viewport() const { return m_visible; }
    const RowLayout& layout() const { return m_layout; }
    const LayoutOptions& layoutOptions() const { return m_options; }
    int scrollY() const { return m_scrollY; }
    int maxScrollY() const;
    // Height of the pinned rows while they stay on top of scrolled ones; 0 at the top of the content, and
    // where they would leave less than two fifths of the area.
    int coveredPx() const;
    // Between y of the content, as in layout(), and y of the lanes area.
    int screenY(int contentY) const;
    int contentY(int screenY) const;
    int topOf(const TimelineRow& row) const; // on the screen; negative or covered: out of view
    bool beginsInView(const TimelineRow& row) const;
    // Rebuilt after an invalidation, else cached; another selection only makes other arrows.
    const Frame& frame();
    // Whether frame() has nothing to do.
    bool isFrameReady() const { return m_frameValid && m_arrowsValid; }
    // Of layout(): another number, other rows.
    std::uint64_t layoutNumber() const { return m_layoutNumber; }
    // Which arrows are drawn. Hops and open fans are of what is selected and end with it; the range is that
    // of the session.
    const ArrowOptions& arrows() const { return m_arrows; }
    void setArrowScope(ArrowScope scope);
    void setArrowHops(std::uint32_t hops); // cut to 1 to kMostHops
    void openFans();
    // Those of an event that is pointed at, one hop; none where they are drawn already, where arrows are off,
    // and where finding them would take longer than a frame may.
    std::vector<Arrow> arrowsOf(EventId event);
    // All that a painter needs; the pointers are valid until the next change.
    TimelineScene scene();
    // While coveredPx() > 0: the pinned rows alone, coveredPx() high, to be painted over scene().
    TimelineScene pinnedScene();
    // Number of frames built so far: tests see that nothing is rebuilt without need.
    std::uint64_t framesBuilt() const { return m_framesBuilt; }

    Selection at(QPointF lanes) const;
    // The bar of several events under a point; null when there is none or it holds one event.
    const Bar* denseBarAt(QPointF lanes);
    // Launches of the ms under a point of the strip over CUDA API calls; none elsewhere.
    std::optional<LaunchCell> launchCellAt(QPointF lanes);
    // Row under a y of the lanes area.
    const TimelineRow* rowAt(double y) const;
    // Time range of what is selected, else the selected range.
    std::optional<TimeRange> selectedTime() const;
    // Between the two events that are selected; none unless there are exactly two.
    const std::optional<Measurement>& measurement() const { return m_measurement; }
    // Lane of what is selected: of an event its own, of a gap that of the operation after it.
    LaneId selectedLane() const;

    // Continuous movements; a burst of them is one step of the history.
    void panBy(double dx);
    void scrollBy(double dy);
    void zoomAt(double factor, double x);
    // Jumps, each a step of the history.
    void fit(TimeRange range, double margin);
    void centre(TimeRange range);
    void showWhole();
    // Selects something and brings it into view, as one step of the history.
    void goTo(const Selection& what, Origin origin);
    // Scrolls and pans as little as needed to have the range and the lane in view; zooms only when the range
    // is wider than the view or narrower than three pixels.
    void reveal(TimeRange range, LaneId lane);
    void revealLane(LaneId lane);
    // Centres the selection; when it is centred already, fits it. False when nothing is selected.
    bool focusSelection();
    // The view that a document opens with: its median step, else all of it.
    void showFirstView();
    void showWorstLane();
    // Window of the minimap: exact edges.
    void setRange(TimeRange range, bool burst);

    // What a click on the head of a foldable row does.
    void toggleFold(const TimelineRow& row);
    // Folds or unfolds every group.
    void foldGroups(bool folded);

    // Order, pins, heights, names and what is hidden; the row at the top of the view stays there. Undo is the
    // caller's (lane_control.h).
    const LanePlan& lanePlan() const { return m_options.plan; }
    void setLanePlan(const LanePlan& plan);
    // What colours and labels say.
    const EventLook& look() const { return m_look; }
    void setLook(const EventLook& look);
    // The row that lane commands act on: the one set last, until something else is selected; then the row of
    // the selection. Null: none.
    const TimelineRow* currentRow() const;
    void setCurrentRow(const std::string& key);
    // Brings a row into view.
    void revealRow(const std::string& key);

    // What times count from, in every view of this document. Steps and the selection move the zero: the step
    // in the middle of the view, the begin of what is selected last.
    const TimeAxis& axis() const { return m_axis; }
    bool hasTimeBase(TimeBase base) const;
    void setTimeBase(TimeBase base);
    // As a workspace says; the zone is that of the wall clock, in seconds east of UTC.
    void restoreAxis(TimeBase base, TimeNs zero, std::int32_t zoneS);

    // The range that fit(range, 0) shows as this very view: a pixel is kept to spare, half on either side.
    TimeRange rangeToFit() const;

    struct Bookmark {
        TimeRange range;
        int scrollY = 0;
    };
    static constexpr int kBookmarks = 9; // keys 1 to 9
    const std::map<int, Bookmark>& bookmarks() const { return m_bookmarks; }
    void storeBookmark(int key);
    bool goToBookmark(int key); // a step of the history; false when there is none
    void setBookmarks(std::map<int, Bookmark> bookmarks) { m_bookmarks = std::move(bookmarks); }

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void goBack();
    void goForward();

    // Hits of a search in this trace, to be marked; null: none.
    void setSearchHits(std::shared_ptr<const SearchHits> hits);
    const SearchHits* searchHits() const { return m_search.get(); }

    void setSelectedCallout(std::uint32_t id);
    std::uint32_t selectedCallout() const { return m_selectedCallout; }
    // The chain that is drawn over the lanes; null: none.
    // Words at events, in the order in which they take the room; the region in which events are told as of
    // the start-up; none.
    void setStartUp(std::optional<TimeRange> region, std::vector<RowTag> tags);
    const std::optional<TimeRange>& startUp() const { return m_startUp; }
    void setPath(std::shared_ptr<const CriticalPath> path);
    const CriticalPath* path() const { return m_path.get(); }

Q_SIGNALS:
    void invalidated(); // the picture changes
    void viewChanged(); // time range or scroll position changed
    void historyChanged();
    void lanesChanged();  // plan or look
    void arrowsChanged(); // scope or hops
    void currentRowChanged();
    void axisChanged();
    void searchChanged();

private:
    struct View {
        TimeNs begin;
        double nsPerPx = 1;
        int scrollY = 0;
        Selection selection;
        friend bool operator==(const View&, const View&) = default;
    };
    View currentView() const;
    void restore(const View& view);
    void remember();      // a jump follows
    void rememberBurst(); // a continuous movement follows
    void resetDocument();
    void continueFromPart(std::int64_t partZeroNs);
    void rebuildLayout();
    void setViewport(const Viewport& viewport);
    void bringIntoView(TimeRange range, LaneId lane);
    void invalidate();        // other bars
    void invalidatePicture(); // the same bars look different
    FrameOptions frameOptions(const Document& document);
    void selectionChanged();
    void refreshAxis();
    bool mayCover(int pinnedPx) const;
    void refreshScreenLayout();
    const TimelineRow* firstScrolledRow() const;
    int scrollToShow(const TimelineRow& row) const;
    TimelineScene sceneOf(const Frame& frame, const RowLayout& layout);

    AnalysisSession& m_session;
    QSize m_area{800, 400};
    double m_ratio = 1.0;
    Viewport m_wanted, m_visible; // wanted: free of the pixel grid, so that small movements add up
    RowLayout m_layout;
    RowLayout m_onScreen, m_pinnedRows; // while coveredPx() > 0: m_layout scrolled, and its pinned part
    std::optional<std::pair<std::uint64_t, int>> m_screenOf; // layout and scroll position of those
    LayoutOptions m_options;
    int m_scrollY = 0;
    Frame m_frame, m_pinnedFrame;
    bool m_frameValid = false, m_arrowsValid = false;
    std::uint64_t m_layoutNumber = 0;
    Crew m_crew; // of frames and pictures
    std::uint64_t m_framesBuilt = 0;
    std::vector<GapPin> m_pins;
    Emphasis m_emphasis;
    std::optional<Measurement> m_measurement;
    EventLook m_look;
    TimeBase m_timeBase = TimeBase::TraceStart; // wished; m_axis is what there is
    TimeAxis m_axis;
    TimeNs m_selectionZero; // of the last selection
    bool m_hasSelectionZero = false;
    std::optional<std::int32_t> m_zoneS; // of a workspace; none: this machine's at the time of the trace
    std::string m_currentRow;
    std::map<int, Bookmark> m_bookmarks;
    std::uint32_t m_selectedCallout = 0;
    std::optional<TimeRange> m_startUp;
    std::vector<RowTag> m_tags;
    std::shared_ptr<const CriticalPath> m_path;
    std::shared_ptr<const SearchHits> m_search;
    std::vector<View> m_back, m_forward;
    QElapsedTimer m_burst;
    bool m_isHeld = false, m_restoring = false, m_firstViewPending = false;
    struct Part {
        QString path, member;
        std::int64_t zeroNs = 0; // time zero in the time of the file
    };
    std::optional<Part> m_part; // set while what is shown is the beginning of a file: its rest may follow
    ArrowOptions m_arrows;
    Selection m_arrowsOf; // what the hops are of
};

} // namespace lacuna::ui
