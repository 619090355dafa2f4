#pragma once
// The engine of SvgDevice: QPainter's calls to elements, collected in groups of equal look.

#include <QByteArray>
#include <QPaintEngine>
#include <QPen>

namespace lacuna::ui {

class SvgEngine final : public QPaintEngine {
public:
    SvgEngine();
    bool begin(QPaintDevice* device) override;
    bool end() override;
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& changedState) override;

    using QPaintEngine::drawEllipse;
    using QPaintEngine::drawLines;
    using QPaintEngine::drawPolygon;
    using QPaintEngine::drawRects;
    void drawRects(const QRectF* rects, int count) override;
    void drawLines(const QLineF* lines, int count) override;
    void drawEllipse(const QRectF& rect) override;
    void drawPath(const QPainterPath& path) override;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    // Figures hold neither; both would be missing from the document.
    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override;
    void drawTextItem(const QPointF& baseline, const QTextItem& item) override;

    // An element that stands alone or in the group of `attributes`.
    void add(const QByteArray& attributes, const QByteArray& element);
    void setTip(const QByteArray& tip) { m_tip = tip; } // of the next element; escaped
    QByteArray body() const;                            // all groups closed

private:
    QByteArray look(bool filled) const;
    QByteArray strokeOf(const QPen& pen) const;
    QByteArray pathData(const QPainterPath& path) const;
    QPointF mapped(const QPointF& point) const { return m_transform.map(point); }

    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    bool m_smooth = false;
    QByteArray m_tip;
    QByteArray m_body, m_group; // attributes of the open group; empty: none is open
};

// Shortest decimal with at most two places, in the C locale.
QByteArray svgNumber(double value);
// fill="#rrggbb" with opacity where it is not opaque; name is fill or stroke.
QByteArray svgColour(const char* name, const QColor& colour);

} // namespace lacuna::ui
