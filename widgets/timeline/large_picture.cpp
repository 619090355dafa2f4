#include "widgets/timeline/large_picture.h"

#include "core/base/column.h"

#include <algorithm>
#include <memory>

namespace lacuna::ui {

QImage largePicture(QSize size) {
    using Pixels = Column<QRgb>;
    const auto width = static_cast<std::size_t>(std::max(0, size.width())),
               height = static_cast<std::size_t>(std::max(0, size.height()));
    auto pixels = std::make_unique<Pixels>(width * height);
    auto* const at = reinterpret_cast<uchar*>(pixels->data());
    const auto free = [](void* owner) { delete static_cast<Pixels*>(owner); };
    QImage picture(at, size.width(), size.height(), size.width() * qsizetype{sizeof(QRgb)},
                   QImage::Format_ARGB32_Premultiplied, free, pixels.get());
    if (!picture.isNull())
        (void)pixels.release(); // the picture owns them now
    return picture;
}

} // namespace lacuna::ui
