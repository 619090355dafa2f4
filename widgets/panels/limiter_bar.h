#pragma once
// What limits a device as one bar: kernel execution, communication, data movement and idle time, whose shares
// sum to 100.0 % of the time from its first to its last operation (features.md E16).

#include "core/analysis/device_part.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <utility>

namespace lacuna::ui {

Ink inkOfPart(DevicePart part);
QString shareText(std::int64_t tenths); // "62.1 %"

class LimiterBar : public QWidget {
    Q_OBJECT
public:
    LimiterBar(const DeviceParts& parts, const ThemePalette& palette, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    // Left and right edge of a part, in widget pixels: the parts tile the bar.
    std::pair<int, int> edgesOf(DevicePart part) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    DeviceParts m_parts;
    ThemePalette m_palette;
};

} // namespace lacuna::ui
