#include "widgets/figure/contact_sheet.h"

#include "widgets/figure/figure_alt_text.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_view.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// Figures in a row: one, two up to four figures, then three.
int columnsOf(std::size_t figures) {
    return figures <= 1 ? 1 : figures <= 4 ? 2 : 3;
}

int rowsOf(std::size_t figures) {
    const auto columns = static_cast<std::size_t>(columnsOf(figures));
    return static_cast<int>((figures + columns - 1) / columns);
}

FigureInput figureOf(const FigureInput& input, GapId gap) {
    FigureInput figure = input;
    figure.gap = gap;
    figure.range = viewOfGap(*input.trace, input.gaps->gap(gap));
    figure.title.clear();
    figure.subtitle.clear();
    if (figure.size.height() == 0)
        figure.size.setHeight(figure.size.width() * 9 / 16);
    return figure;
}

int pixels(int logical, double scale) {
    return static_cast<int>(std::lround(logical * scale));
}

} // namespace

std::vector<GapId> gapsOfSheet(const GapAnalysis& gaps, std::size_t most) {
    const auto ranked = gaps.byRank(); // first every group's worst
    const std::size_t count = std::min({most, gaps.groups().size(), ranked.size()});
    return {ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count)};
}

Status checkSheet(const FigureInput& input, const std::vector<GapId>& gaps) {
    if (gaps.empty())
        return Error{Errc::Unsupported, "There is no gap to make a picture of.", {}, {}};
    const FigureInput figure = figureOf(input, gaps.front());
    if (const Status one = checkFigure(figure); !one)
        return one;
    const int side = std::max(pixels(figure.size.width(), figure.scale) * columnsOf(gaps.size()),
                              pixels(figure.size.height(), figure.scale) * rowsOf(gaps.size()));
    if (side > kMaxFigureSide)
        return Error{Errc::Unsupported,
                     "The sheet would be more than 16384 pixels wide or high.",
                     {},
                     "Choose a smaller size or scale."};
    return ok();
}

QImage paintSheet(const FigureInput& input, const std::vector<GapId>& gaps, const FigureFonts& fonts) {
    const int columns = columnsOf(gaps.size());
    QImage sheet;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        QImage figure = paintFigure(figureOf(input, gaps[i]), fonts);
        figure.setDevicePixelRatio(1);
        if (sheet.isNull()) {
            sheet = QImage(figure.width() * columns, figure.height() * rowsOf(gaps.size()), figure.format());
            sheet.setDotsPerMeterX(figure.dotsPerMeterX());
            sheet.setDotsPerMeterY(figure.dotsPerMeterY());
            sheet.fill(ThemePalette::of(input.theme).color(Ink::Ground));
        }
        const auto at = static_cast<int>(i);
        QPainter painter(&sheet);
        painter.drawImage(figure.width() * (at % columns), figure.height() * (at / columns), figure);
    }
    sheet.setDevicePixelRatio(input.scale);
    return sheet;
}

QString sheetAltText(const FigureInput& input, const std::vector<GapId>& gaps) {
    QStringList texts;
    for (const GapId gap : gaps)
        texts << figureAltText(figureOf(input, gap));
    return texts.join(QStringLiteral("\n\n"));
}

Result<QByteArray> sheetBytes(const QImage& image, const FigureInput& input, const std::vector<GapId>& gaps) {
    return pngBytes(image, QStringLiteral("The worst gaps"), sheetAltText(input, gaps), input.altText);
}

} // namespace lacuna::ui
