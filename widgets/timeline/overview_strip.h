#pragma once
// The whole trace in two strips of one column per pixel: GPU activity and idle share, with the pins of the
// worst groups and the window of the timeline. Dragging the window pans, dragging an edge zooms, a click
// elsewhere jumps, a click on a pin selects its gap. The columns are computed when width or document change:
// O(busy intervals + pixels).

#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QImage>
#include <QWidget>

#include <array>
#include <cstdint>
#include <vector>

namespace lacuna::ui {

class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    OverviewStrip(TimelineViewModel& model, const ThemePalette& palette, const FigureFonts& fonts,
                  QWidget* parent = nullptr);

    void setThemePalette(const ThemePalette& palette);
    QSize sizeHint() const override;

    // Share of a column's time in which the devices work, and in which they are idle; means over the devices.
    struct ColumnShare {
        float busy = 0, idle = 0;
        bool edge = true; // before the first or after the last operation of every device
    };
    const std::vector<ColumnShare>& columns();
    QRectF windowRect() const; // of the timeline's view, in widget coordinates
    QRectF stripsRect() const; // both strips
    QPointF pinCentre(GapId gap) const;

Q_SIGNALS:
    void gapClicked(lacuna::GapId gap);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Window, Left, Right };
    void computeColumns();
    void addDevice(const DeviceBusy& device, const CoveredTime& busy);
    double xOf(TimeNs t) const;
    TimeNs timeAt(double x) const;
    Drag partAt(QPointF at) const;
    void paintHeads(QPainter& painter) const;
    void paintColumns(QPainter& painter);
    void paintStrips(QPainter& painter, bool isInside);
    const std::array<QImage, 2>& stripPictures();
    void paintPins(QPainter& painter) const;
    void paintHits(QPainter& painter) const;
    void moveTo(double x);

    TimelineViewModel& m_model;
    ThemePalette m_palette;
    FigureFonts m_fonts;
    std::vector<ColumnShare> m_columns;
    std::array<QImage, 2> m_pictures; // of m_columns: outside and inside of the view; null: to be painted
    double m_picturesRatio = 1;
    Theme m_picturesTheme = Theme::Light;
    std::vector<GapPin> m_pins;
    bool m_valid = false;
    Drag m_drag = Drag::None;
    double m_grab = 0; // Window: pointer to the window's left edge, px
    TimeRange m_dragged;
};

} // namespace lacuna::ui
