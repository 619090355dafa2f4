#pragma once
// Cells of the gaps table: pins, class swatches, share bars and the strip that shows where in the trace the
// gaps are. Colours come from the theme alone.

#include "core/base/time.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"

#include <QStyledItemDelegate>

#include <vector>

namespace lacuna::ui {

class GapTableModel;

class GapTableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    GapTableDelegate(const GapTableModel& model, const FigureFonts& fonts, QObject* parent = nullptr);
    void setThemePalette(const ThemePalette& palette) { m_palette = palette; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    static constexpr int kRowHeight = 22;

private:
    void paintNumber(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintCause(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintWhere(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintShare(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintStrip(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    std::vector<bool> pixelsOfGaps(const QModelIndex& index, int width, TimeRange window) const;
    void paintText(QPainter& painter, const QRect& cell, const QModelIndex& index) const;

    const GapTableModel& m_model;
    ThemePalette m_palette;
    FigureFonts m_fonts;
};

} // namespace lacuna::ui
