#pragma once
// The text of a callout: **bold**, *italic* and `code`, nothing else of Markdown, wrapped to a width. A sign
// that begins nothing or ends nothing stays as it is, so "float*" and "2 * 3" are plain; \* is a plain star.

#include "widgets/figure/figure_fonts.h"

#include <QRgb>
#include <QString>

#include <vector>

class QPainter;

namespace lacuna::ui {

struct TextSpan {
    QString text;
    bool bold = false, italic = false, code = false;
    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

std::vector<TextSpan> calloutSpans(const QString& paragraph);
// Without the signs: for tables, alt text and screen readers.
QString plainCalloutText(const QString& text);

// Lines of spans; words longer than a line are cut. `isPlain`: no signs are looked for (the verdict of a gap,
// whose names may hold stars).
class CalloutLines {
public:
    CalloutLines(const QString& text, bool isPlain, const FigureFonts& fonts, double pixelSize, double width,
                 std::size_t mostLines);
    std::size_t count() const { return m_lines.size(); }
    double width() const; // of the widest
    QString plainLine(std::size_t line) const;
    void removeFirst() { m_lines.erase(m_lines.begin()); }
    // The baseline of regular text centred on y.
    void draw(QPainter& painter, std::size_t line, double x, double y, QRgb colour) const;

private:
    TextStyle styleOf(const TextSpan& span) const;
    double widthOf(const std::vector<TextSpan>& line) const;
    void wrap(const std::vector<TextSpan>& spans, double width);

    const FigureFonts& m_fonts;
    double m_pixelSize;
    std::vector<std::vector<TextSpan>> m_lines;
};

} // namespace lacuna::ui
