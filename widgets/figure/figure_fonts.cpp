#include "widgets/figure/figure_fonts.h"

#include "widgets/figure/svg_device.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <cmath>

void initLacunaResources() {
    Q_INIT_RESOURCE(lacuna);
} // outside any namespace, as the macro demands

namespace lacuna::ui {

namespace {
constexpr double kHalf = 0.5;
constexpr double kSlant = -0.2; // about 11 degrees
} // namespace

QString FigureFonts::sansFamily() {
    return QStringLiteral("Lacuna Sans");
}
QString FigureFonts::monoFamily() {
    return QStringLiteral("Lacuna Mono");
}

FigureFonts FigureFonts::load() {
    initLacunaResources();
    FigureFonts fonts;
    const QStringList families = QFontDatabase::families();
    if (families.contains(sansFamily()) && families.contains(monoFamily())) {
        fonts.m_complete = true;
        return fonts;
    }
    fonts.m_complete = true;
    for (const QString& file :
         {QStringLiteral("LacunaSans-Regular.otf"), QStringLiteral("LacunaSans-Medium.otf"),
          QStringLiteral("LacunaSans-SemiBold.otf"), QStringLiteral("LacunaMono-Regular.ttf")})
        if (QFontDatabase::addApplicationFont(QStringLiteral(":/lacuna/fonts/") + file) < 0)
            fonts.m_complete = false;
    return fonts;
}

QFont FigureFonts::font(Face face, int pixelSize) const {
    QFont font(face == Face::Mono ? monoFamily() : sansFamily());
    font.setWeight(face == Face::Medium     ? QFont::Medium
                   : face == Face::SemiBold ? QFont::DemiBold
                                            : QFont::Normal);
    font.setPixelSize(pixelSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(static_cast<QFont::StyleStrategy>(
        QFont::PreferAntialias | QFont::NoSubpixelAntialias | QFont::NoFontMerging));
    return font;
}

TextStyle FigureFonts::style(Face face, double pixelSize) const {
    return {font(face, static_cast<int>(2 * pixelSize + 0.5)), pixelSize};
}

double TextStyle::width(const QString& text) const {
    return QFontMetricsF(m_font).horizontalAdvance(text) * kHalf;
}

void TextStyle::draw(QPainter& painter, QPointF baseline, const QString& text, QRgb colour) const {
    if (text.isEmpty())
        return;
    if (SvgDevice* svg = SvgDevice::of(painter)) {
        constexpr double kDegrees = 57.29577951308232;
        const QTransform toDevice = painter.transform();
        const double scale = std::hypot(toDevice.m11(), toDevice.m12());
        svg->addText({toDevice.map(baseline), text, m_font.family() == FigureFonts::monoFamily(),
                      m_font.weight(), m_pixelSize * scale, width(text) * scale, colour,
                      std::atan2(toDevice.m12(), toDevice.m11()) * kDegrees, m_isSlanted});
        return;
    }
    const QTransform before = painter.transform();
    painter.translate(baseline);
    painter.scale(kHalf, kHalf);
    if (m_isSlanted)
        painter.shear(kSlant, 0);
    painter.setFont(m_font);
    painter.setPen(QColor::fromRgb(colour));
    painter.drawText(QPointF(0, 0), text);
    painter.setTransform(before);
}

void TextStyle::drawRight(QPainter& painter, QPointF baselineEnd, const QString& text, QRgb colour) const {
    draw(painter, baselineEnd - QPointF(width(text), 0), text, colour);
}

void TextStyle::drawCentred(QPainter& painter, QPointF baselineMiddle, const QString& text,
                            QRgb colour) const {
    draw(painter, baselineMiddle - QPointF(width(text) / 2, 0), text, colour);
}

QString TextStyle::elided(const QString& text, double widthPx) const {
    if (width(text) <= widthPx)
        return text;
    static constexpr QChar kEllipsis(0x2026);
    qsizetype low = 0, high = text.size(); // longest head that fits with the ellipsis
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        if (width(text.first(middle) + kEllipsis) <= widthPx)
            low = middle;
        else
            high = middle - 1;
    }
    if (low > 0 && text.at(low - 1).isHighSurrogate())
        --low;
    return low == 0 ? QString() : text.first(low) + kEllipsis;
}

} // namespace lacuna::ui
