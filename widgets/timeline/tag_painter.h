#pragma once
// Words at events (TimelineScene::tags), such as what a row of the start-up is about: at the right end of a
// bar that has room for it, else behind it. A tag that would cover another one is left out; the tip of the
// event has it.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

struct TagPlace {
    QRectF rect; // logical pixels of the lanes
    QString text;
};
std::vector<TagPlace> tagPlaces(const PaintContext& context);

void paintTags(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
