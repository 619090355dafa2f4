#pragma once
// Labels as pixels. A label is drawn by Qt once for every colour pair and place within a pixel, and copied
// from then on: laying out and blending text takes most of the time of a sparse frame. A copy is made only
// where Qt would give the same pixels, which holds while everything below the text has one colour and
// positions round alike; elsewhere Qt draws.

#include "widgets/figure/figure_fonts.h"
#include "widgets/timeline/canvas.h"

#include <QHash>
#include <QImage>
#include <QString>

#include <cstdint>
#include <optional>

class QPainter;

namespace lacuna::ui {

class LabelStamps {
public:
    struct Label {
        const QString& text;
        double widthPx = 0; // logical
        QRgb ink = 0, fill = 0;
    };

    explicit LabelStamps(const TextStyle& style) : m_style(style) {}
    // As style.draw(): baseline in logical pixels of the painter, which paints on the canvas at `scale` with
    // no other transform and no clip. The fill is what is expected to be below; nothing is lost where it is
    // not.
    void draw(QPainter& painter, const Canvas& canvas, double scale, QPointF baseline, const Label& label);
    void clear();
    std::size_t size() const { return static_cast<std::size_t>(m_stamps.size()); }
    std::uint64_t copies() const { return m_copies; } // draws that were copied

private:
    struct Key {
        QString text;
        QRgb ink = 0, fill = 0;
        std::int32_t scale = 0, x = 0, y = 0; // place within a pixel
        friend bool operator==(const Key&, const Key&) = default;
        friend size_t qHash(const Key& key, size_t seed) {
            return qHashMulti(seed, key.text, key.ink, key.fill, key.scale, key.x, key.y);
        }
    };
    struct Stamp { // what text changes, cut to its ink
        QImage pixels;
        QPoint corner; // relative to the pixel of the baseline's begin
        bool isUsable = false;
    };

    Stamp made(const Label& label, double scale, QPointF within) const;
    static bool isPlain(const Canvas& canvas, const QRect& area, QRgb fill);

    static constexpr qsizetype kMostBytes = 8 << 20;
    TextStyle m_style;
    QHash<Key, Stamp> m_stamps;
    qsizetype m_bytes = 0;
    std::uint64_t m_copies = 0;
};

} // namespace lacuna::ui
