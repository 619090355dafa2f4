#include "tests/support/text_recorder.h"

#include <QPaintEngine>
#include <QWidget>

namespace lacuna::test {

namespace {

class Engine final : public QPaintEngine {
public:
    explicit Engine(QStringList& texts) : QPaintEngine(AllFeatures), m_texts(texts) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState&) override {}
    using QPaintEngine::drawEllipse;
    using QPaintEngine::drawLines;
    using QPaintEngine::drawPoints;
    using QPaintEngine::drawPolygon;
    using QPaintEngine::drawRects;
    void drawRects(const QRectF*, int) override {}
    void drawLines(const QLineF*, int) override {}
    void drawEllipse(const QRectF&) override {}
    void drawPoints(const QPointF*, int) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override { m_texts << item.text(); }

private:
    QStringList& m_texts;
};

} // namespace

TextRecorder::TextRecorder(QSize size) : m_size(size), m_engine(std::make_unique<Engine>(m_texts)) {}

TextRecorder::~TextRecorder() = default;

QPaintEngine* TextRecorder::paintEngine() const {
    return m_engine.get();
}

int TextRecorder::metric(PaintDeviceMetric metric) const {
    constexpr int kDotsPerInch = 96, kDepth = 32;
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDotsPerInch;
    case PdmDepth:
        return kDepth;
    default:
        return QPaintDevice::metric(metric);
    }
}

QStringList paintedTexts(QWidget& widget) {
    TextRecorder recorder(widget.size());
    widget.render(&recorder, {}, {}, QWidget::RenderFlags());
    return recorder.texts();
}

} // namespace lacuna::test
