#pragma once
// Two operations on two streams that a person can move: their sum beside the time in which at least one ran
// (features.md C24). The moving bars of the help page "Sum and busy".

#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <array>
#include <cstddef>
#include <cstdint>

class QPainter;

namespace lacuna::ui {

class SumSandbox : public QWidget {
    Q_OBJECT
public:
    // Half milliseconds, so that everything is a whole number.
    static constexpr int kWindow = 24, kLength = 8;

    struct Figures {
        int sum = 0, busy = 0, idle = 0; // half milliseconds of the window
    };

    explicit SumSandbox(QWidget* parent = nullptr);
    Figures figures() const;
    QString figuresText() const; // "Sum 8 ms   Busy (union) 6 ms   Idle 6 ms of 12 ms"
    // Cut to the window.
    void moveBar(std::size_t bar, int begin);
    int beginOf(std::size_t bar) const { return m_begins[bar]; }
    QRect barRect(std::size_t bar) const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ThemePalette themeOf() const { return ThemePalette::of(ThemePalette::systemTheme(palette())); }
    double xOf(int time) const;
    void paintBar(QPainter& painter, const QRect& area, Ink ink, const QString& label) const;
    void tell();

    std::array<int, 2> m_begins{0, 4}; // [0, 4] and [2, 6] ms
    std::size_t m_current = 1;
    bool m_isHeld = false;
    double m_grip = 0; // px from the bar's left edge
};

} // namespace lacuna::ui
