#include "widgets/theme/widget_fonts.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QScreen>

#include <utility>

namespace lacuna::ui {

QFont uiFont(Face face, double pixelSize) {
    constexpr double kPointsPerInch = 72.0, kDefaultDpi = 96.0;
    const QScreen* screen = QGuiApplication::primaryScreen();
    const double dpi = screen != nullptr ? screen->logicalDotsPerInchY() : kDefaultDpi;
    QFont font(face == Face::Mono ? FigureFonts::monoFamily() : FigureFonts::sansFamily());
    font.setWeight(face == Face::Medium     ? QFont::Medium
                   : face == Face::SemiBold ? QFont::DemiBold
                                            : QFont::Normal);
    font.setPointSizeF(pixelSize * kPointsPerInch / dpi);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

void warmFonts() {
    const QString text = QStringLiteral("0");
    for (const auto& [face, size] :
         {std::pair(Face::Regular, 12.0), std::pair(Face::Regular, 12.5), std::pair(Face::Medium, 11.5),
          std::pair(Face::SemiBold, 12.5), std::pair(Face::SemiBold, 13.0), std::pair(Face::Mono, 11.5)})
        (void)QFontMetricsF(uiFont(face, size)).horizontalAdvance(text);
    const FigureFonts fonts = FigureFonts::load();
    for (const auto& [face, size] :
         {std::pair(Face::Regular, 11.5), std::pair(Face::Regular, 12.0), std::pair(Face::Regular, 12.5),
          std::pair(Face::Medium, 11.0), std::pair(Face::Medium, 11.5), std::pair(Face::SemiBold, 11.0),
          std::pair(Face::SemiBold, 12.0), std::pair(Face::SemiBold, 12.5), std::pair(Face::SemiBold, 13.0)})
        (void)fonts.style(face, size).width(text);
}

} // namespace lacuna::ui
