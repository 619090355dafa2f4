#pragma once
// The pixels of a picture as plain memory, so that several threads may write different lines of it: QImage's
// own functions look after sharing and belong to one thread.

#include <QImage>
#include <QRect>
#include <QRgb>

#include <algorithm>
#include <cstddef>

namespace lacuna::ui {

struct Canvas {
    QRgb* pixels = nullptr;
    std::ptrdiff_t stride = 0; // pixels from one line to the next
    int width = 0, height = 0;

    Canvas() = default;
    // Of an image of 32 bits a pixel, which must outlive it and not be shared meanwhile.
    explicit Canvas(QImage& image)
        : pixels(reinterpret_cast<QRgb*>(image.bits())),
          stride(image.bytesPerLine() / qsizetype{sizeof(QRgb)}), width(image.width()),
          height(image.height()) {}

    QRgb* line(int y) const { return pixels + stride * y; }
    // Opaque, cut to the picture.
    void fill(QRect rect, QRgb colour) const {
        rect &= QRect(0, 0, width, height);
        for (int y = rect.top(); y <= rect.bottom(); ++y)
            std::fill_n(line(y) + rect.left(), rect.width(), colour);
    }
};

} // namespace lacuna::ui
