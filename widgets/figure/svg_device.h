#pragma once
// A paint device that writes SVG 1.1. Qt's own generator knows no list of families, splits a text into runs
// and writes a group with all attributes for every state; this one writes one <text> per string with the
// width it was laid out for, plain <rect>s in groups of equal look, and only what figures use: no clipping,
// no gradients, no images, and transforms that scale and move; only texts may be turned.

#include <QByteArray>
#include <QPaintDevice>
#include <QRgb>
#include <QSize>
#include <QString>

#include <memory>

class QPainter;

namespace lacuna::ui {

class SvgEngine;

class SvgDevice final : public QPaintDevice {
public:
    // What stands in the head of the document; plain text, escaped here.
    struct Head {
        QString title, description; // <title> and <desc>; empty: left out
        QByteArray metadata;        // well-formed XML inside <metadata>; empty: left out
    };
    struct Text {
        QPointF baseline; // of its start, device units
        QString text;
        bool mono = false;
        int weight = 400; // 100 to 900
        double size = 12; // device units
        double width = 0; // as measured; the reader's font is fitted to it
        QRgb colour = 0xff000000;
        double angle = 0; // degrees, clockwise, about the baseline's start
        bool isSlanted = false;
    };

    // One device unit is one unit of the view box; `size` is that of the picture in CSS pixels.
    SvgDevice(QSize viewBox, QSize size);
    ~SvgDevice() override;

    // The device that a painter paints on; null when it is another kind.
    static SvgDevice* of(const QPainter& painter);
    void addText(const Text& text);
    // Of the next element: what a reader shows while the pointer is on it.
    void setTip(const QString& tip);
    // Complete document; nothing in it depends on machine, time or locale.
    QByteArray document(const Head& head) const;

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    QSize m_viewBox, m_size;
    std::unique_ptr<SvgEngine> m_engine;
};

// Text for the content of an element or an attribute in double quotes: the five signs escaped, what XML
// forbids (control characters, halves of pairs) replaced by U+FFFD.
QByteArray escapedXml(const QString& text);

} // namespace lacuna::ui
