#pragma once
// What a widget writes when it is painted: for widgets that draw their own texts.

#include <QPaintDevice>
#include <QStringList>

#include <memory>

class QWidget;

namespace lacuna::test {

class TextRecorder final : public QPaintDevice {
public:
    explicit TextRecorder(QSize size);
    ~TextRecorder() override;
    QPaintEngine* paintEngine() const override;
    // In the order of painting; a text in two fonts comes in two pieces.
    const QStringList& texts() const { return m_texts; }

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    QSize m_size;
    QStringList m_texts;
    std::unique_ptr<QPaintEngine> m_engine;
};

// Of the widget alone, without its children.
QStringList paintedTexts(QWidget& widget);

} // namespace lacuna::test
