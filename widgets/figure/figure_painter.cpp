#include "widgets/figure/figure_painter.h"

#include "widgets/figure/figure_composition.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {
constexpr int kMinWidth = 480, kMinHeight = 360;
}

Status checkFigure(const FigureInput& input) {
    const auto wrong = [](std::string detail, std::string remedy) {
        return Error{Errc::Unsupported, std::move(detail), {}, std::move(remedy)};
    };
    if (input.scale < 0.5 || input.scale > 8.0)
        return wrong("The scale is not between 0.5 and 8.", "Choose a scale between 0.5 and 8.");
    if (input.size.width() < kMinWidth || (input.size.height() != 0 && input.size.height() < kMinHeight))
        return wrong("The picture is too small to hold its text.", "Make it at least 480x360.");
    if (std::max(input.size.width(), input.size.height()) * input.scale > kMaxFigureSide)
        return wrong("The picture would be more than 16384 pixels wide or high.",
                     "Choose a smaller size or scale.");
    if (input.range.isEmpty())
        return wrong("The range holds no time.", "Choose a range whose end lies after its start.");
    return ok();
}

QImage paintFigure(const FigureInput& input, const FigureFonts& fonts) {
    const FigureComposition figure(input, fonts);
    QImage image(QSize(static_cast<int>(std::lround(figure.size().width() * input.scale)),
                       static_cast<int>(std::lround(figure.size().height() * input.scale))),
                 QImage::Format_ARGB32_Premultiplied);
    // Qt takes these from the screen otherwise, and writes them into the file.
    constexpr double kDotsPerMetre = 96 / 0.0254;
    image.setDotsPerMeterX(static_cast<int>(std::lround(kDotsPerMetre * input.scale)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(ThemePalette::of(input.theme).color(Ink::Ground));
    image.setDevicePixelRatio(input.scale);
    QPainter painter(&image);
    figure.paint(painter);
    painter.end();
    image.convertTo(QImage::Format_ARGB32);
    return image;
}

} // namespace lacuna::ui
