#pragma once
// The bundled faces. They are painted with pixel sizes, without hinting and subpixel antialiasing, so that a
// picture is the same on every machine; their family names belong to Lacuna, so no system font takes their
// place.

#include <QFont>
#include <QPointF>
#include <QRgb>
#include <QString>

class QPainter;

namespace lacuna::ui {

enum class Face : std::uint8_t { Regular, Medium, SemiBold, Mono };

// A face at a size of any half pixel. QFont has whole pixel sizes only, so the font is twice as large as
// wanted and drawn at half scale; without hinting that is exact.
class TextStyle {
public:
    TextStyle(const QFont& doubled, double pixelSize) : m_font(doubled), m_pixelSize(pixelSize) {}
    double pixelSize() const { return m_pixelSize; }
    // The same leaning to the right: the bundled faces have no italic of their own.
    TextStyle slanted() const {
        TextStyle style = *this;
        style.m_isSlanted = true;
        return style;
    }
    double width(const QString& text) const;
    // Baseline that centres capitals and digits on y.
    double baselineCentredOn(double y) const { return y + kCapHeight / 2 * m_pixelSize; }
    void draw(QPainter& painter, QPointF baseline, const QString& text, QRgb colour) const;
    void drawRight(QPainter& painter, QPointF baselineEnd, const QString& text, QRgb colour) const;
    void drawCentred(QPainter& painter, QPointF baselineMiddle, const QString& text, QRgb colour) const;
    // The text, or cut at its end with an ellipsis so that it fits; empty when not even that fits.
    QString elided(const QString& text, double widthPx) const;

private:
    static constexpr double kCapHeight = 0.727; // of the pixel size; Inter and JetBrains Mono (0.73)
    QFont m_font;
    double m_pixelSize;
    bool m_isSlanted = false;
};

class FigureFonts {
public:
    // Registers the faces with Qt; needs a QGuiApplication. Cheap when they are registered already. Call it
    // once at the start of the program, so that widgets may name the families, too.
    static FigureFonts load();
    static QString sansFamily(); // "Lacuna Sans"
    static QString monoFamily(); // "Lacuna Mono"

    bool isComplete() const { return m_complete; } // false: the resources are missing from the binary
    TextStyle style(Face face, double pixelSize) const;
    // For widgets: a plain QFont of whole pixels.
    QFont font(Face face, int pixelSize) const;

private:
    bool m_complete = false;
};

} // namespace lacuna::ui
