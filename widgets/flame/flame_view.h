#pragma once
// A flame graph on screen: the root on top, what ran inside below. A click chooses a box, a double click or
// Enter makes it the whole width, Backspace goes back out; arrow keys walk. Boxes narrower than a pixel are
// not drawn, with what is inside them.

#include "core/analysis/flame_graph.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace lacuna::ui {

class FlameView : public QWidget {
    Q_OBJECT
public:
    explicit FlameView(QWidget* parent = nullptr);

    void setThemePalette(const ThemePalette& palette);
    // Null: nothing to show. The trace gives the names.
    void setGraph(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameGraph> graph);
    void setWeight(FlameWeight by, bool widestFirst);
    void setRootTitle(const QString& title); // "python3 483, 8.000 ms"
    const FlameGraph* graph() const { return m_graph.get(); }
    const std::vector<FlameBox>& boxes();
    std::uint32_t focusNode() const { return m_focus; }
    std::uint32_t currentNode() const { return m_current; }
    void focusOn(std::uint32_t node);
    void focusOut() { focusOn(m_graph != nullptr ? m_graph->nodes[m_focus].parent : 0); }
    // Name, times with their shares of the root, number of rows.
    QString describe(std::uint32_t node) const;
    QRectF rectOf(const FlameBox& box) const;

Q_SIGNALS:
    void chosen(std::uint32_t node); // by mouse or key

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void invalidate();
    const FlameBox* boxAt(QPointF at);
    const FlameBox* boxOf(std::uint32_t node);
    void choose(std::uint32_t node);
    void walk(int key);
    QString nameOf(std::uint32_t node) const;
    void paintBox(QPainter& painter, const FlameBox& box) const;

    ThemePalette m_palette = ThemePalette::of(Theme::Light);
    FigureFonts m_fonts = FigureFonts::load();
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const FlameGraph> m_graph;
    FlameWeight m_weight = FlameWeight::Host;
    bool m_widestFirst = false, m_valid = false;
    QString m_rootTitle;
    std::vector<FlameBox> m_boxes;
    std::uint32_t m_focus = 0, m_current = 0;
};

} // namespace lacuna::ui
