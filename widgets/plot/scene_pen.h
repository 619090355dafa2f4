#pragma once
// Adds lines, rectangles and texts of a theme to a scene.

#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

#include <utility>

namespace lacuna::ui {

class ScenePen {
public:
    ScenePen(const ThemePalette& palette, const FigureFonts& fonts, QSize size)
        : m_palette(palette), m_fonts(fonts) {
        scene.size = size;
        scene.ground = palette.ink(Ink::Ground);
    }

    PlotScene scene;

    void line(std::vector<QPointF> points, Ink ink, double width = 1, bool isDashed = false) {
        scene.items.emplace_back(PlotLine{std::move(points), m_palette.ink(ink), width, isDashed});
    }
    void rect(const QRectF& area, Ink ink) { scene.items.emplace_back(PlotRect{area, m_palette.ink(ink)}); }
    void dot(QPointF centre, double radius, Ink ink, QString tip = {}) {
        scene.items.emplace_back(PlotDot{centre, radius, m_palette.ink(ink), true, std::move(tip)});
    }
    void text(QPointF baseline, QString what, Ink ink = Ink::TextSecondary,
              PlotText::Anchor anchor = PlotText::Anchor::Left, double size = 11.5,
              Face face = Face::Regular) {
        scene.items.emplace_back(
            PlotText{baseline, std::move(what), face, size, m_palette.ink(ink), anchor, 0});
    }
    // Text beside a horizontal line.
    void textAt(double x, double y, QString what, PlotText::Anchor anchor, Ink ink = Ink::TextSecondary) {
        text({x, style().baselineCentredOn(y)}, std::move(what), ink, anchor);
    }
    TextStyle style(double size = 11.5) const { return m_fonts.style(Face::Regular, size); }
    double widthOf(const QString& what) const { return style().width(what); }
    const ThemePalette& palette() const { return m_palette; }

private:
    ThemePalette m_palette;
    const FigureFonts& m_fonts;
};

} // namespace lacuna::ui
