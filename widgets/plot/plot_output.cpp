#include "widgets/plot/plot_output.h"

#include <QBuffer>
#include <QPainter>
#include <QPen>
#include <QPolygonF>

#include <cmath>

namespace lacuna::ui {

namespace {

void paintItem(QPainter& painter, const PlotRect& item, const PlotScene&, const FigureFonts&) {
    painter.fillRect(item.rect, QColor::fromRgb(item.colour));
}

void paintItem(QPainter& painter, const PlotLine& item, const PlotScene&, const FigureFonts&) {
    QPen pen(QColor::fromRgb(item.colour), item.width, item.isDashed ? Qt::DashLine : Qt::SolidLine,
             Qt::FlatCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF(QList<QPointF>(item.points.begin(), item.points.end())));
}

void paintItem(QPainter& painter, const PlotDot& item, const PlotScene& scene, const FigureFonts&) {
    const QColor colour = QColor::fromRgb(item.colour);
    painter.setPen(QPen(item.isFilled ? QColor::fromRgb(scene.ground) : colour, 1.5));
    painter.setBrush(item.isFilled ? colour : QColor::fromRgb(scene.ground));
    painter.drawEllipse(item.centre, item.radius, item.radius);
}

void paintItem(QPainter& painter, const PlotText& item, const PlotScene&, const FigureFonts& fonts) {
    const TextStyle style = fonts.style(item.face, item.pixelSize);
    painter.save();
    painter.translate(item.baseline);
    painter.rotate(item.angle);
    const QPointF origin(0, 0);
    if (item.anchor == PlotText::Anchor::Left)
        style.draw(painter, origin, item.text, item.colour);
    else if (item.anchor == PlotText::Anchor::Right)
        style.drawRight(painter, origin, item.text, item.colour);
    else
        style.drawCentred(painter, origin, item.text, item.colour);
    painter.restore();
}

// Two decimals, no exponent, independent of the locale.
QString coordinate(double value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith(u'0'))
        text.chop(1);
    if (text.endsWith(u'.'))
        text.chop(1);
    return text;
}

QString hexColour(QRgb colour) {
    return QStringLiteral("#%1").arg(colour & 0xffffffU, 6, 16, QLatin1Char('0'));
}

// XML 1.0 allows no control characters but line ends and tabs, not even escaped.
QString xmlText(const QString& text) {
    QString clean;
    for (const QChar c : text)
        clean += c.unicode() < 0x20 || c.unicode() == 0xfffe || c.unicode() == 0xffff ? QChar(u' ') : c;
    return clean.toHtmlEscaped();
}

QString svgItem(const PlotRect& item, const PlotScene&) {
    return QStringLiteral(R"(<rect x="%1" y="%2" width="%3" height="%4" fill="%5"/>)")
        .arg(coordinate(item.rect.x()), coordinate(item.rect.y()), coordinate(item.rect.width()),
             coordinate(item.rect.height()), hexColour(item.colour));
}

QString svgItem(const PlotLine& item, const PlotScene&) {
    QString points;
    for (const QPointF& point : item.points)
        points += (points.isEmpty() ? QString() : QStringLiteral(" ")) + coordinate(point.x()) + u',' +
                  coordinate(point.y());
    return QStringLiteral(R"(<polyline points="%1" fill="none" stroke="%2" stroke-width="%3"%4/>)")
        .arg(points, hexColour(item.colour), coordinate(item.width),
             item.isDashed ? QStringLiteral(R"( stroke-dasharray="4 2")") : QString());
}

QString svgItem(const PlotDot& item, const PlotScene& scene) {
    const QString fill = hexColour(item.isFilled ? item.colour : scene.ground);
    const QString stroke = hexColour(item.isFilled ? scene.ground : item.colour);
    return QStringLiteral(
               R"(<circle cx="%1" cy="%2" r="%3" fill="%4" stroke="%5" stroke-width="1.5"><title>%6</title></circle>)")
        .arg(coordinate(item.centre.x()), coordinate(item.centre.y()), coordinate(item.radius), fill, stroke,
             xmlText(item.tip));
}

QString svgItem(const PlotText& item, const PlotScene&) {
    const QString anchor = item.anchor == PlotText::Anchor::Left    ? QStringLiteral("start")
                           : item.anchor == PlotText::Anchor::Right ? QStringLiteral("end")
                                                                    : QStringLiteral("middle");
    const QString weight = item.face == Face::SemiBold ? QStringLiteral("600")
                           : item.face == Face::Medium ? QStringLiteral("500")
                                                       : QStringLiteral("400");
    const QString turn = item.angle == 0 ? QString()
                                         : QStringLiteral(R"x( transform="rotate(%1 %2 %3)")x")
                                               .arg(coordinate(item.angle), coordinate(item.baseline.x()),
                                                    coordinate(item.baseline.y()));
    const QString family = item.face == Face::Mono ? QStringLiteral(R"( class="mono")") : QString();
    return QStringLiteral(
               R"(<text x="%1" y="%2" font-size="%3" font-weight="%4" fill="%5" text-anchor="%6"%7%8>%9</text>)")
        .arg(coordinate(item.baseline.x()), coordinate(item.baseline.y()), coordinate(item.pixelSize), weight,
             hexColour(item.colour), anchor, family, turn, xmlText(item.text));
}

} // namespace

void paintPlot(QPainter& painter, const PlotScene& scene, const FigureFonts& fonts) {
    painter.fillRect(QRectF(QPointF(0, 0), QSizeF(scene.size)), QColor::fromRgb(scene.ground));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& item : scene.items)
        std::visit([&](const auto& one) { paintItem(painter, one, scene, fonts); }, item);
}

QImage plotImage(const PlotScene& scene, const FigureFonts& fonts, double scale) {
    QImage image((QSizeF(scene.size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    constexpr double kDotsPerMetre = 96 / 0.0254; // else Qt takes it from the screen
    image.setDotsPerMeterX(static_cast<int>(std::lround(kDotsPerMetre * scale)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(QColor::fromRgb(scene.ground));
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintPlot(painter, scene, fonts);
    painter.end();
    image.convertTo(QImage::Format_ARGB32);
    return image;
}

QByteArray plotPng(const PlotScene& scene, const FigureFonts& fonts, double scale) {
    QImage image = plotImage(scene, fonts, scale);
    image.setText(QStringLiteral("Title"), scene.title);
    image.setText(QStringLiteral("Description"), scene.description);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "png");
    return buffer.data();
}

QByteArray plotSvg(const PlotScene& scene) {
    const QString width = QString::number(scene.size.width()), height = QString::number(scene.size.height());
    QString svg = QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" "
                                 "viewBox=\"0 0 %1 %2\" role=\"img\">\n")
                      .arg(width, height);
    svg += QStringLiteral("<title>%1</title>\n<desc>%2</desc>\n")
               .arg(xmlText(scene.title), xmlText(scene.description));
    svg += QStringLiteral("<style>text{font-family:'Lacuna Sans',Inter,'Helvetica Neue',Arial,sans-serif}"
                          ".mono{font-family:'Lacuna Mono','JetBrains Mono','DejaVu Sans Mono',monospace}"
                          "</style>\n");
    svg += QStringLiteral("<rect width=\"%1\" height=\"%2\" fill=\"%3\"/>\n")
               .arg(width, height, hexColour(scene.ground));
    for (const auto& item : scene.items)
        svg += std::visit([&](const auto& one) { return svgItem(one, scene); }, item) + u'\n';
    return (svg + QStringLiteral("</svg>\n")).toUtf8();
}

} // namespace lacuna::ui
