#pragma once
// A figure as the bytes of a file: PNG, SVG or PDF. Equal input gives equal bytes; no time is in them. All
// three carry title and alt text (PNG text chunks Title and Description, SVG <title> and <desc>, PDF title,
// subject and XMP) and the view (figure_workspace.h), each unless the input says no.
//
// SVG and PDF show the same frame as the PNG: one device pixel of the figure's scale is one unit of the SVG's
// view box, and bars are joined to columns at that grain, so a larger scale means finer bars, not a larger
// picture.

#include "core/base/result.h"
#include "widgets/figure/figure_painter.h"

#include <QByteArray>

#include <optional>

namespace lacuna::ui {

enum class FigureFormat : std::uint8_t { Png, Svg, Pdf };

// By the ending of a file's name, in any case; none when it is another one.
std::optional<FigureFormat> figureFormatOf(const QString& fileName);
QString endingOf(FigureFormat format); // ".png"

// Of a checked input; needs a QGuiApplication.
Result<QByteArray> figureBytes(const FigureInput& input, const FigureFonts& fonts, FigureFormat format);
// The PNG of an image that paintFigure() made of this input.
Result<QByteArray> pngBytes(const QImage& image, const FigureInput& input);
// The same of any image, with a text that stands for it (unless hasText says no) and without a view.
Result<QByteArray> pngBytes(const QImage& image, const QString& title, const QString& altText, bool hasText);
// Replaces the file through a temporary one in the same folder. The error tells why and what to do, not the
// path.
Status writeBytes(const QByteArray& bytes, const QString& path);

} // namespace lacuna::ui
