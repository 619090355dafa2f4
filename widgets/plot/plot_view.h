#pragma once
// A plot in the window: a scene that is made anew for the width it has.

#include "widgets/plot/plot_scene.h"

#include <QWidget>

#include <functional>

namespace lacuna::ui {

class PlotView : public QWidget {
    Q_OBJECT
public:
    using Maker = std::function<PlotScene(QSize size, const FigureFonts& fonts)>;
    // Takes the width it is given; the height is fixed. Tips of dots are shown on hover; the description is
    // what a screen reader says.
    PlotView(Maker make, int height, QWidget* parent = nullptr);
    const PlotScene& scene();
    void remake(); // what the maker draws from has changed
    QSize sizeHint() const override { return {320, height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    Maker m_make;
    FigureFonts m_fonts;
    PlotScene m_scene;
};

} // namespace lacuna::ui
