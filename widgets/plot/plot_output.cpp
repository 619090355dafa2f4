#include "widgets/plot/plot_output.h"

#include "widgets/figure/svg_device.h"

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
    if (SvgDevice* svg = SvgDevice::of(painter))
        svg->setTip(item.tip);
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

QByteArray plotSvg(const PlotScene& scene, const FigureFonts& fonts) {
    SvgDevice device(scene.size, scene.size);
    QPainter painter(&device);
    paintPlot(painter, scene, fonts);
    painter.end();
    return device.document({scene.title, scene.description, {}});
}

} // namespace lacuna::ui
