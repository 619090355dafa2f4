#pragma once
// A plot scene as a picture.

#include "widgets/plot/plot_scene.h"

#include <QByteArray>
#include <QImage>

class QPainter;

namespace lacuna::ui {

void paintPlot(QPainter& painter, const PlotScene& scene, const FigureFonts& fonts);
// scale: device pixels per logical pixel. Equal scenes give equal pixels on every machine.
QImage plotImage(const PlotScene& scene, const FigureFonts& fonts, double scale);
// With title and description as text chunks.
QByteArray plotPng(const PlotScene& scene, const FigureFonts& fonts, double scale);
// By SvgDevice, as figures are: text stays text, in the figure's face where it is installed, else a similar
// one.
QByteArray plotSvg(const PlotScene& scene, const FigureFonts& fonts);

} // namespace lacuna::ui
