#include "widgets/figure/figure_formats.h"

#include "core/output/output_file.h"
#include "widgets/figure/figure_alt_text.h"
#include "widgets/figure/figure_composition.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/figure/pdf_canonical.h"
#include "widgets/figure/png_text.h"
#include "widgets/figure/svg_device.h"

#include <QBuffer>
#include <QImageWriter>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kOverlapPx = 1;

QString programName() {
    return QStringLiteral("Lacuna " LACUNA_VERSION);
}

QByteArray svgBytes(const FigureInput& input, const FigureFonts& fonts) {
    const FigureComposition figure(input, fonts);
    const QSize units(static_cast<int>(std::lround(figure.size().width() * input.scale)),
                      static_cast<int>(std::lround(figure.size().height() * input.scale)));
    SvgDevice device(units, figure.size());
    QPainter painter(&device);
    painter.scale(input.scale, input.scale);
    figure.draw(painter, kOverlapPx);
    painter.end();
    SvgDevice::Head head;
    if (input.altText)
        head = {figureTitle(input), figureAltText(input), {}};
    if (input.holdsView())
        head.metadata = svgMetadataOf(workspaceOf(input).text());
    return device.document(head);
}

// Each text unless it is empty. A chunk is put in front of those before.
Result<QByteArray> pngWith(const QImage& image, const QString& workspace, const QString& title,
                           const QString& altText) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        return Error{Errc::Io, "The PNG could not be made: " + writer.errorString().toStdString(), {}, {}};
    QByteArray png = buffer.data();
    if (!workspace.isEmpty())
        png = withPngText(png, kPngKeyOfWorkspace, workspace);
    png = withPngText(png, "Software", programName());
    if (!altText.isEmpty())
        png = withPngText(png, "Description", altText);
    if (!title.isEmpty())
        png = withPngText(png, "Title", title);
    return png;
}

// Title and description for programs that read no document information.
QByteArray xmpOf(const FigureInput& input) {
    const auto alternative = [](const char* name, const QString& text) {
        return QByteArray("<dc:") + name + R"(><rdf:Alt><rdf:li xml:lang="x-default">)" + escapedXml(text) +
               "</rdf:li></rdf:Alt></dc:" + name + ">\n";
    };
    return QByteArray("<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n") +
           R"(<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF )"
           R"(xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">)"
           R"(<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" )"
           R"(xmlns:xmp="http://ns.adobe.com/xap/1.0/">)"
           "\n" +
           (input.altText
                ? alternative("title", figureTitle(input)) + alternative("description", figureAltText(input))
                : QByteArray()) +
           "<xmp:CreatorTool>" + escapedXml(programName()) + "</xmp:CreatorTool>\n" +
           "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n";
}

Result<QByteArray> pdfBytes(const FigureInput& input, const FigureFonts& fonts) {
    // Fine enough that lines on "whole device pixels" stand where they stand in the other formats.
    constexpr int kUnitsPerPixel = 100, kDotsPerInch = 96;
    constexpr double kPointsPerPixel = 0.75;
    const FigureComposition figure(input, fonts);
    const QSizeF page = QSizeF(figure.size()) * kPointsPerPixel;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kDotsPerInch * kUnitsPerPixel);
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
        if (input.altText)
            writer.setTitle(figureTitle(input));
        writer.setCreator(programName());
        writer.setDocumentXmpMetadata(xmpOf(input));
        if (input.holdsView())
            writer.addFileAttachment(QString::fromLatin1(kPdfNameOfWorkspace),
                                     QByteArray::fromStdString(workspaceOf(input).text()),
                                     QStringLiteral("application/json"));
        QPainter painter;
        if (!painter.begin(&writer))
            return Error{Errc::Io, "The PDF could not be begun.", {}, {}};
        painter.scale(kUnitsPerPixel, kUnitsPerPixel);
        figure.draw(painter, kOverlapPx);
    }
    return canonicalPdf(buffer.data(), {page, input.altText ? figureAltText(input) : QString()});
}

} // namespace

std::optional<FigureFormat> figureFormatOf(const QString& fileName) {
    for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf})
        if (fileName.endsWith(endingOf(format), Qt::CaseInsensitive))
            return format;
    return std::nullopt;
}

QString endingOf(FigureFormat format) {
    switch (format) {
    case FigureFormat::Png:
        break;
    case FigureFormat::Svg:
        return QStringLiteral(".svg");
    case FigureFormat::Pdf:
        return QStringLiteral(".pdf");
    }
    return QStringLiteral(".png");
}

Result<QByteArray> pngBytes(const QImage& image, const FigureInput& input) {
    return pngWith(image, input.holdsView() ? QString::fromStdString(workspaceOf(input).text()) : QString(),
                   input.altText ? figureTitle(input) : QString(),
                   input.altText ? figureAltText(input) : QString());
}

Result<QByteArray> pngBytes(const QImage& image, const QString& title, const QString& altText, bool hasText) {
    return pngWith(image, {}, hasText ? title : QString(), hasText ? altText : QString());
}

Result<QByteArray> figureBytes(const FigureInput& input, const FigureFonts& fonts, FigureFormat format) {
    switch (format) {
    case FigureFormat::Png:
        break;
    case FigureFormat::Svg:
        return svgBytes(input, fonts);
    case FigureFormat::Pdf:
        return pdfBytes(input, fonts);
    }
    return pngBytes(paintFigure(input, fonts), input);
}

Status writeBytes(const QByteArray& bytes, const QString& path) {
    OutputFile::Options how;
    how.replace = true;
    const auto file = OutputFile::create(path.toStdString(), how);
    if (!file)
        return file.error();
    (*file)->write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return (*file)->commit();
}

} // namespace lacuna::ui
