#include "widgets/theme/widget_fonts.h"

#include <QGuiApplication>
#include <QScreen>

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

} // namespace lacuna::ui
