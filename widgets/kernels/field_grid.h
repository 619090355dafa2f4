#pragma once
// Labels and figures in two columns, as the statistics of a kernel.

#include "widgets/text.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/theme/widget_fonts.h"

#include <QGridLayout>
#include <QLabel>
#include <QWidget>

#include <functional>
#include <utility>

namespace lacuna::ui {

class FieldGrid {
public:
    explicit FieldGrid(const ThemePalette& palette) : m_palette(palette), m_widget(new QWidget) {
        m_layout = new QGridLayout(m_widget);
        m_layout->setContentsMargins(0, 2, 0, 2);
        m_layout->setHorizontalSpacing(8);
        m_layout->setVerticalSpacing(3);
        m_layout->setColumnStretch(0, 1);
        m_layout->setColumnStretch(3, 1);
        m_layout->setColumnMinimumWidth(2, 20);
    }
    // Fields without a figure are left out. One that opens something is a link.
    void left(const QString& name, const QString& figure, std::function<void()> open = {}) {
        add(0, m_left, name, figure, std::move(open));
    }
    void right(const QString& name, const QString& figure, std::function<void()> open = {}) {
        add(3, m_right, name, figure, std::move(open));
    }
    QWidget* take() { return m_widget; }

private:
    void add(int column, int& row, const QString& name, const QString& figure, std::function<void()> open) {
        if (figure.isEmpty())
            return;
        m_layout->addWidget(label(name, Ink::TextSecondary), row, column);
        QLabel* right = label(figure, Ink::Text);
        right->setAccessibleName(name);
        right->setTextInteractionFlags(Qt::TextSelectableByMouse);
        if (open) {
            right->setTextFormat(Qt::RichText);
            right->setText(u"<a href=\"#\" style=\"color: %1; text-decoration: none\">%2</a>"_s.arg(
                m_palette.color(Ink::Selection).name(), figure.toHtmlEscaped()));
            right->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                           Qt::LinksAccessibleByKeyboard);
            right->setFocusPolicy(Qt::TabFocus);
            QObject::connect(right, &QLabel::linkActivated, right, [run = std::move(open)] { run(); });
        }
        m_layout->addWidget(right, row, column + 1, Qt::AlignRight);
        ++row;
    }
    QLabel* label(const QString& what, Ink ink) const {
        auto* made = new QLabel;
        made->setTextFormat(Qt::PlainText);
        made->setFont(uiFont(Face::Regular, 12));
        made->setText(what);
        made->setStyleSheet(u"color: %1"_s.arg(m_palette.color(ink).name()));
        return made;
    }

    ThemePalette m_palette;
    QWidget* m_widget;
    QGridLayout* m_layout;
    int m_left = 0, m_right = 0;
};

} // namespace lacuna::ui
