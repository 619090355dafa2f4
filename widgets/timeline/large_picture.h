#pragma once

#include <QImage>

namespace lacuna::ui {

// ARGB32 premultiplied, of any content. A picture as large as a window lies in huge pages: two thousand small
// ones would be touched for the first time by whoever paints it first, which takes longer than to paint it.
// Throws std::bad_alloc.
QImage largePicture(QSize size);

} // namespace lacuna::ui
