#pragma once
// Several figures in one picture: the worst gap of each of the first groups, in rows from the worst.

#include "core/base/result.h"
#include "widgets/figure/figure_painter.h"

#include <QByteArray>

#include <vector>

namespace lacuna::ui {

inline constexpr std::size_t kMostOnSheet = 6;

// The worst of each group, at most `most`; none where there are no gaps.
std::vector<GapId> gapsOfSheet(const GapAnalysis& gaps, std::size_t most = kMostOnSheet);

// `input` tells all but gap, range and title, which are of each gap; its size is that of one figure, height
// 0: 9/16 of the width. Checks as checkFigure(), also that the whole is not too large.
Status checkSheet(const FigureInput& input, const std::vector<GapId>& gaps);
// Of a checked input; needs a QGuiApplication. Equal input gives equal pixels.
QImage paintSheet(const FigureInput& input, const std::vector<GapId>& gaps, const FigureFonts& fonts);
// One text for all, in their order.
QString sheetAltText(const FigureInput& input, const std::vector<GapId>& gaps);
// The PNG of an image that paintSheet() made of these; it holds the alt texts of all, and no view.
Result<QByteArray> sheetBytes(const QImage& image, const FigureInput& input, const std::vector<GapId>& gaps);

} // namespace lacuna::ui
