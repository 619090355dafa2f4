#include "widgets/timeline/tag_painter.h"

#include <QPainter>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr double kPad = 4, kHeight = 14, kAir = 2;
constexpr double kRoomFactor = 2; // a bar of so many tags' width keeps its own label

TextStyle tagStyle(const FigureFonts& fonts) {
    return fonts.style(Face::Regular, 10.5);
}

} // namespace

std::vector<TagPlace> tagPlaces(const PaintContext& context) {
    std::vector<TagPlace> places;
    if (context.scene.tags == nullptr)
        return places;
    const TextStyle style = tagStyle(context.fonts);
    const double viewWidth = context.frame().viewport.widthPx / context.scale();
    const double viewHeight = context.frame().heightPx / context.scale();
    for (const RowTag& tag : *context.scene.tags) {
        const QRect device = context.rectOf(tag.event);
        if (device.isNull())
            continue;
        const QRectF bar = logical(device, context.scale());
        const double left = std::max(0.0, bar.left()), right = std::min(viewWidth, bar.right());
        if (right <= left || bar.bottom() <= 0 || bar.top() >= viewHeight)
            continue;
        const double width = style.width(tag.text) + 2 * kPad;
        const bool fits = right - left >= kRoomFactor * width;
        const double x = std::min(fits ? right - width - kAir : right + kAir, viewWidth - width);
        const QRectF rect(std::max(0.0, x), bar.center().y() - kHeight / 2, width, kHeight);
        if (std::ranges::none_of(places,
                                 [&rect](const TagPlace& other) { return other.rect.intersects(rect); }))
            places.push_back({rect, tag.text});
    }
    return places;
}

void paintTags(QPainter& painter, const PaintContext& context) {
    const TextStyle style = tagStyle(context.fonts);
    for (const TagPlace& tag : tagPlaces(context)) {
        painter.fillRect(tag.rect, context.palette.color(Ink::Ground));
        strokeInside(painter, tag.rect, 1, context.palette.ink(Ink::TextSecondary));
        style.draw(painter, {tag.rect.left() + kPad, style.baselineCentredOn(tag.rect.center().y())},
                   tag.text, context.palette.ink(Ink::Text));
    }
}

} // namespace lacuna::ui
