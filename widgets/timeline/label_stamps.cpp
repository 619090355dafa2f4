#include "widgets/timeline/label_stamps.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lacuna::ui {

namespace {

// Glyph positions are sums of 1/64 of a pixel of the doubled font, times half the scale; Qt rounds them to
// 1/64 of a device pixel. Where the scale is a multiple of 1/64 they can change their rounding only at
// multiples of this share of a pixel.
constexpr double kSteps = 64.0 * 128.0;
constexpr double kScaleSteps = 64.0;
constexpr double kClear = 1e-3; // of a step: far above what floating point loses

// Number of the step that holds a place within a pixel; none where two labels of one number could round
// apart.
std::optional<std::int32_t> stepOf(double within) {
    constexpr double kParts = 64.0; // of a step: places of one number are as good as equal
    const double steps = within * kSteps, beside = std::abs(steps - std::round(steps));
    if (beside != 0.0 && beside < kClear)
        return std::nullopt;
    return static_cast<std::int32_t>(std::floor(steps * kParts));
}

QRect inkOn(const QImage& image, QRgb fill) {
    QRect ink;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        const auto* end = line + image.width();
        const auto isInk = [fill](QRgb pixel) { return pixel != fill; };
        const auto* first = std::find_if(line, end, isInk);
        if (first == end)
            continue;
        const auto* last = end - 1;
        while (!isInk(*last))
            --last;
        ink |= QRect(static_cast<int>(first - line), y, static_cast<int>(last - first) + 1, 1);
    }
    return ink;
}

} // namespace

void LabelStamps::clear() {
    m_stamps.clear();
    m_bytes = 0;
}

LabelStamps::Stamp LabelStamps::made(const Label& label, double scale, QPointF within) const {
    const auto air = static_cast<int>(std::ceil(m_style.pixelSize() * scale));
    const QSize size(static_cast<int>(std::ceil(label.widthPx * scale)) + 2 * air, 3 * air);
    const QPoint origin(air, 2 * air);
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(label.fill);
    QPainter painter(&image);
    // One product with the scale, as on the canvas.
    painter.setTransform(QTransform(scale, 0, 0, scale, within.x() + origin.x(), within.y() + origin.y()));
    m_style.draw(painter, {0, 0}, label.text, label.ink);
    painter.end();
    const QRect ink = inkOn(image, label.fill);
    Stamp stamp;
    stamp.isUsable = image.rect().adjusted(1, 1, -1, -1).contains(ink) || ink.isEmpty();
    if (!ink.isEmpty() && stamp.isUsable)
        stamp.pixels = image.copy(ink);
    stamp.corner = ink.topLeft() - origin;
    return stamp;
}

bool LabelStamps::isPlain(const Canvas& canvas, const QRect& area, QRgb fill) {
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const QRgb* line = canvas.line(y) + area.left();
        QRgb differs = 0;
        for (int x = 0; x < area.width(); ++x)
            differs |= line[x] ^ fill;
        if (differs != 0)
            return false;
    }
    return true;
}

void LabelStamps::draw(QPainter& painter, const Canvas& canvas, double scale, QPointF baseline,
                       const Label& label) {
    const QPointF at = baseline * scale, whole(std::floor(at.x()), std::floor(at.y()));
    const auto x = stepOf(at.x() - whole.x()), y = stepOf(at.y() - whole.y());
    const double scaleSteps = scale * kScaleSteps;
    if (!x || !y || scaleSteps != std::round(scaleSteps)) {
        m_style.draw(painter, baseline, label.text, label.ink);
        return;
    }
    const Key key{label.text, label.ink, label.fill, static_cast<std::int32_t>(scaleSteps), *x, *y};
    auto stamp = m_stamps.constFind(key);
    if (stamp == m_stamps.constEnd()) {
        if (m_bytes > kMostBytes)
            clear();
        stamp = m_stamps.insert(key, made(label, scale, at - whole));
        m_bytes += stamp->pixels.sizeInBytes() + qsizetype{sizeof(Key)} + 2 * label.text.size();
    }
    const QRect area(stamp->corner + QPoint(static_cast<int>(whole.x()), static_cast<int>(whole.y())),
                     stamp->pixels.size());
    if (!stamp->isUsable || !QRect(0, 0, canvas.width, canvas.height).contains(area) ||
        !isPlain(canvas, area, label.fill)) {
        m_style.draw(painter, baseline, label.text, label.ink);
        return;
    }
    ++m_copies;
    for (int row = 0; row < area.height(); ++row)
        std::memcpy(canvas.line(area.top() + row) + area.left(), stamp->pixels.constScanLine(row),
                    static_cast<std::size_t>(area.width()) * sizeof(QRgb));
}

} // namespace lacuna::ui
