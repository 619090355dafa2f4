#include "widgets/figure/svg_device.h"

#include "widgets/figure/svg_engine.h"

#include <QPainter>

#include <cmath>

namespace lacuna::ui {

namespace {

// The bundled faces are Inter and JetBrains Mono under names of their own; a reader has one of the list.
constexpr const char* kSansFamilies =
    "Inter, 'Lacuna Sans', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
constexpr const char* kMonoFamilies =
    "'JetBrains Mono', 'Lacuna Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
constexpr int kDotsPerInch = 96;
constexpr double kMmPerInch = 25.4;

} // namespace

QByteArray escapedXml(const QString& text) {
    static constexpr QChar kReplacement(0xfffd);
    QString clean;
    clean.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            clean += c;
            clean += text[++i];
        } else if (c.isSurrogate() || c.unicode() >= 0xfffe ||
                   (c.unicode() < 0x20 && c != u'\t' && c != u'\n')) {
            clean += kReplacement;
        } else if (c == u'\'') {
            clean += QStringLiteral("&apos;");
        } else {
            clean += QString(c).toHtmlEscaped();
        }
    }
    return clean.toUtf8();
}

SvgDevice::SvgDevice(QSize viewBox, QSize size)
    : m_viewBox(viewBox), m_size(size), m_engine(std::make_unique<SvgEngine>()) {}

SvgDevice::~SvgDevice() = default;

SvgDevice* SvgDevice::of(const QPainter& painter) {
    return dynamic_cast<SvgDevice*>(painter.device());
}

QPaintEngine* SvgDevice::paintEngine() const {
    return m_engine.get();
}

void SvgDevice::addText(const Text& text) {
    QByteArray look =
        svgColour("fill", QColor::fromRgb(text.colour)) + " font-size=\"" + svgNumber(text.size) + '"';
    if (text.weight != 400)
        look += " font-weight=\"" + QByteArray::number(text.weight) + '"';
    if (text.isSlanted)
        look += " font-style=\"italic\"";
    if (text.mono)
        look += QByteArray(" font-family=\"") + kMonoFamilies + '"';
    QByteArray turn;
    if (std::abs(text.angle) > 0.005)
        turn = " transform=\"rotate(" + svgNumber(text.angle) + ' ' + svgNumber(text.baseline.x()) + ' ' +
               svgNumber(text.baseline.y()) + ")\"";
    m_engine->add(look, "<text x=\"" + svgNumber(text.baseline.x()) + "\" y=\"" +
                            svgNumber(text.baseline.y()) + "\" textLength=\"" + svgNumber(text.width) +
                            R"(" lengthAdjust="spacingAndGlyphs")" + turn + '>' + escapedXml(text.text) +
                            "</text>");
}

void SvgDevice::setTip(const QString& tip) {
    m_engine->setTip(escapedXml(tip));
}

QByteArray SvgDevice::document(const Head& head) const {
    QByteArray labels; // what a screen reader says
    QByteArray out = R"(<?xml version="1.0" encoding="UTF-8"?>)"
                     "\n"
                     R"(<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width=")";
    out += QByteArray::number(m_size.width()) + "\" height=\"" + QByteArray::number(m_size.height()) +
           "\" viewBox=\"0 0 " + QByteArray::number(m_viewBox.width()) + ' ' +
           QByteArray::number(m_viewBox.height()) + '"';
    if (!head.title.isEmpty())
        labels += "title";
    if (!head.description.isEmpty())
        labels += labels.isEmpty() ? "desc" : " desc";
    out += R"( role="img")";
    if (!labels.isEmpty())
        out += " aria-labelledby=\"" + labels + '"';
    out += QByteArray(" font-family=\"") + kSansFamilies +
           R"(" shape-rendering="crispEdges" text-rendering="geometricPrecision" xml:space="preserve">)" +
           '\n';
    if (!head.title.isEmpty())
        out += R"(<title id="title">)" + escapedXml(head.title) + "</title>\n";
    if (!head.description.isEmpty())
        out += R"(<desc id="desc">)" + escapedXml(head.description) + "</desc>\n";
    if (!head.metadata.isEmpty())
        out += "<metadata>" + head.metadata + "</metadata>\n";
    return out + m_engine->body() + "</svg>\n";
}

int SvgDevice::metric(PaintDeviceMetric metric) const {
    const auto mm = [](int units) { return static_cast<int>(units * kMmPerInch / kDotsPerInch); };
    switch (metric) {
    case PdmWidth:
        return m_viewBox.width();
    case PdmHeight:
        return m_viewBox.height();
    case PdmWidthMM:
        return mm(m_viewBox.width());
    case PdmHeightMM:
        return mm(m_viewBox.height());
    case PdmNumColors:
        return 1 << 24;
    case PdmDepth:
        return 32;
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDotsPerInch;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace lacuna::ui
