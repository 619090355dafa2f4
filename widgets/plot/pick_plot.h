#pragma once
// A plot whose bars can be chosen: by click, or with left, right and Enter.

#include "widgets/plot/plot_view.h"
#include "widgets/plot/step_plots.h"

#include <functional>
#include <memory>

namespace lacuna::ui {

class PickPlot : public PlotView {
    Q_OBJECT
public:
    using PickMaker = std::function<PickScene(QSize size, const FigureFonts& fonts)>;
    PickPlot(PickMaker make, int height, QWidget* parent = nullptr);
    const std::vector<PlotPick>& picks(); // as the widget is now

Q_SIGNALS:
    void picked(std::size_t item);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    using Picks = std::shared_ptr<std::vector<PlotPick>>;
    PickPlot(PickMaker make, const Picks& picks, int height, QWidget* parent);
    const PlotPick* pickAt(QPointF at);
    Picks m_picks;                      // filled by the maker
    std::optional<std::size_t> m_place; // in picks(), of the keyboard
};

} // namespace lacuna::ui
