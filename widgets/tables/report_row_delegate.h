#pragma once
// Cells of report tables: numbers in the interface face with tabular digits, texts of the trace monospaced.

#include "widgets/theme/theme_palette.h"

#include <QStyledItemDelegate>

namespace lacuna::ui {

class ReportRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ReportRowDelegate(QObject* parent = nullptr);
    void setThemePalette(const ThemePalette& palette) { m_palette = palette; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Width that a text needs in a cell, padding included.
    int widthOf(const QString& text, bool isNumber) const;

    static constexpr int kRowHeight = 22;

private:
    ThemePalette m_palette;
    QFont m_numbers, m_texts;
};

} // namespace lacuna::ui
