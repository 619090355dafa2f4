#pragma once
// A plot as a list of lines, dots and texts in logical pixels, made once and painted by whoever needs it:
// QPainter for windows and PNG, text for SVG. Nothing in it depends on the machine.

#include "widgets/figure/figure_fonts.h"

#include <QPointF>
#include <QRectF>
#include <QRgb>
#include <QSize>
#include <QString>

#include <cstdint>
#include <variant>
#include <vector>

namespace lacuna::ui {

struct PlotLine {
    std::vector<QPointF> points; // an open line
    QRgb colour = 0;
    double width = 1;
    bool isDashed = false;
};

struct PlotDot {
    QPointF centre;
    double radius = 4;
    QRgb colour = 0;
    bool isFilled = true; // else a ring of 1.5 px, filled with the ground
    QString tip;          // SVG: <title>
};

struct PlotText {
    enum class Anchor : std::uint8_t { Left, Middle, Right };
    QPointF baseline;
    QString text;
    Face face = Face::Regular;
    double pixelSize = 12.5;
    QRgb colour = 0;
    Anchor anchor = Anchor::Left;
    double angle = 0; // degrees, clockwise, about the baseline point
};

struct PlotRect {
    QRectF rect;
    QRgb colour = 0;
};

struct PlotScene {
    QSize size;
    QRgb ground = 0;
    QString title, description; // for SVG and people who do not see it
    std::vector<std::variant<PlotRect, PlotLine, PlotDot, PlotText>> items; // in the order of painting
};

} // namespace lacuna::ui
