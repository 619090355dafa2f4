#include "widgets/figure/svg_engine.h"

#include <QPainterPath>

#include <cmath>

namespace lacuna::ui {

namespace {

QByteArray attribute(const char* name, const QByteArray& value) {
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray pair(const QPointF& point) {
    return svgNumber(point.x()) + ' ' + svgNumber(point.y());
}

} // namespace

QByteArray svgNumber(double value) {
    QByteArray text = QByteArray::number(value, 'f', 2);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray svgColour(const char* name, const QColor& colour) {
    QByteArray text = attribute(name, colour.name(QColor::HexRgb).toLatin1());
    if (colour.alpha() != 255)
        text += attribute((QByteArray(name) + "-opacity").constData(), svgNumber(colour.alphaF()));
    return text;
}

SvgEngine::SvgEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}

bool SvgEngine::begin(QPaintDevice*) {
    return true;
}

bool SvgEngine::end() {
    return true;
}

void SvgEngine::updateState(const QPaintEngineState& changedState) {
    const QPaintEngine::DirtyFlags changed = changedState.state();
    if (changed & DirtyPen)
        m_pen = changedState.pen();
    if (changed & DirtyBrush)
        m_brush = changedState.brush();
    if (changed & DirtyTransform)
        m_transform = changedState.transform();
    if (changed & DirtyHints)
        m_smooth = changedState.renderHints().testFlag(QPainter::Antialiasing);
}

QByteArray SvgEngine::strokeOf(const QPen& pen) const {
    const double scale = m_transform.m11();
    const double width = pen.widthF() > 0 ? pen.widthF() * scale : 1.0; // 0 is a cosmetic line
    QByteArray text = svgColour("stroke", pen.color()) + attribute("stroke-width", svgNumber(width));
    if (pen.capStyle() != Qt::FlatCap)
        text += attribute("stroke-linecap", pen.capStyle() == Qt::SquareCap ? "square" : "round");
    if (pen.joinStyle() == Qt::BevelJoin)
        text += attribute("stroke-linejoin", "bevel");
    else if (pen.joinStyle() == Qt::RoundJoin)
        text += attribute("stroke-linejoin", "round");
    if (pen.style() != Qt::SolidLine) {
        QByteArray dashes; // Qt measures them in pen widths
        const QList<qreal> pattern = pen.dashPattern();
        for (const qreal dash : pattern)
            dashes += (dashes.isEmpty() ? "" : " ") + svgNumber(dash * width);
        text += attribute("stroke-dasharray", dashes);
    }
    return text;
}

QByteArray SvgEngine::look(bool filled) const {
    QByteArray text = filled && m_brush.style() != Qt::NoBrush ? svgColour("fill", m_brush.color())
                                                               : attribute("fill", "none");
    if (m_pen.style() != Qt::NoPen)
        text += strokeOf(m_pen);
    if (m_smooth)
        text += attribute("shape-rendering", "geometricPrecision");
    return text;
}

void SvgEngine::add(const QByteArray& attributes, const QByteArray& element) {
    if (attributes != m_group) {
        if (!m_group.isEmpty())
            m_body += "</g>\n";
        m_group = attributes;
        m_body += "<g" + m_group + ">\n";
    }
    if (m_tip.isEmpty())
        m_body += element + '\n';
    else
        m_body += "<g><title>" + m_tip + "</title>" + element + "</g>\n";
    m_tip.clear();
}

QByteArray SvgEngine::body() const {
    return m_group.isEmpty() ? m_body : m_body + "</g>\n";
}

void SvgEngine::drawRects(const QRectF* rects, int count) {
    const QByteArray attributes = look(true);
    for (int i = 0; i < count; ++i) {
        const QRectF r = m_transform.mapRect(rects[i]);
        if (r.width() > 0 && r.height() > 0)
            add(attributes, "<rect" + attribute("x", svgNumber(r.x())) + attribute("y", svgNumber(r.y())) +
                                attribute("width", svgNumber(r.width())) +
                                attribute("height", svgNumber(r.height())) + "/>");
    }
}

// All lines of a call in one path: a hatch is one thing to move or to recolour.
void SvgEngine::drawLines(const QLineF* lines, int count) {
    if (count <= 0 || m_pen.style() == Qt::NoPen)
        return;
    QByteArray data;
    for (int i = 0; i < count; ++i)
        data += 'M' + pair(mapped(lines[i].p1())) + 'L' + pair(mapped(lines[i].p2()));
    add(look(false), "<path" + attribute("d", data) + "/>");
}

void SvgEngine::drawEllipse(const QRectF& rect) {
    const QRectF r = m_transform.mapRect(rect);
    add(look(true),
        "<ellipse" + attribute("cx", svgNumber(r.center().x())) + attribute("cy", svgNumber(r.center().y())) +
            attribute("rx", svgNumber(r.width() / 2)) + attribute("ry", svgNumber(r.height() / 2)) + "/>");
}

QByteArray SvgEngine::pathData(const QPainterPath& path) const {
    QByteArray data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        switch (element.type) {
        case QPainterPath::MoveToElement:
            data += 'M';
            break;
        case QPainterPath::LineToElement:
            data += 'L';
            break;
        case QPainterPath::CurveToElement:
            data += 'C';
            break;
        case QPainterPath::CurveToDataElement:
            data += ' ';
            break;
        }
        data += pair(mapped(QPointF(element.x, element.y)));
    }
    return data;
}

void SvgEngine::drawPath(const QPainterPath& path) {
    if (!path.isEmpty())
        add(look(true), "<path" + attribute("d", pathData(path)) + "/>");
}

void SvgEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) {
    QByteArray list;
    for (int i = 0; i < count; ++i)
        list += (i > 0 ? " " : "") + pair(mapped(points[i]));
    const bool closed = mode != PolylineMode;
    add(look(closed), (closed ? "<polygon" : "<polyline") + attribute("points", list) + "/>");
}

void SvgEngine::drawPixmap(const QRectF&, const QPixmap&, const QRectF&) {
    Q_ASSERT_X(false, "SvgEngine", "a figure holds no images");
}

void SvgEngine::drawTextItem(const QPointF&, const QTextItem&) {
    Q_ASSERT_X(false, "SvgEngine", "text goes through TextStyle");
}

} // namespace lacuna::ui
