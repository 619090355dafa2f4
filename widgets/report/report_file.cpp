#include "widgets/report/report_file.h"

#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_view.h"

namespace lacuna::ui {

namespace {

constexpr int kFigureWidth = 1100; // logical pixels; as high as the lanes need
constexpr double kPixelScale = 2;  // of pictures in pixels

Result<QByteArray> figureOf(const WriteUpInput& input, GapId gap, const FigureFonts& fonts,
                            FigureFormat format) {
    FigureInput figure;
    figure.trace = input.loaded.trace.get();
    figure.gaps = input.gaps.get();
    figure.gap = gap;
    figure.range = viewOfGap(*figure.trace, input.gaps->gap(gap));
    figure.size = {kFigureWidth, 0};
    figure.scale = format == FigureFormat::Png ? kPixelScale : 1.0;
    figure.showTitle = figure.showProvenance = false; // the report has both
    figure.embedView = false;
    if (const Status checked = checkFigure(figure); !checked)
        return checked.error();
    return figureBytes(figure, fonts, format);
}

Status paintFigures(const WriteUpInput& input, FigureFormat format, WriteUp& document, JobControl& job) {
    const FigureFonts fonts = FigureFonts::load();
    for (WriteUpBlock& block : document.blocks) {
        if (block.kind != WriteUpBlock::Kind::Figure)
            continue;
        if (job.cancelled())
            return Error{Errc::Cancelled, "cancelled", {}, {}};
        const auto picture = figureOf(input, block.gap, fonts, format);
        if (!picture)
            return picture.error();
        block.image = picture->toStdString();
        block.imageType = format == FigureFormat::Png ? "image/png" : "image/svg+xml";
    }
    return ok();
}

} // namespace

std::optional<ReportFormat> reportFormatOf(const QString& fileName) {
    const auto ends = [&fileName](const char* ending) {
        return fileName.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
    };
    if (ends(".html") || ends(".htm"))
        return ReportFormat::Html;
    if (ends(".pdf"))
        return ReportFormat::Pdf;
    if (ends(".md") || ends(".markdown"))
        return ReportFormat::Markdown;
    return std::nullopt;
}

Result<QByteArray> reportBytes(const WriteUpInput& input, ReportFormat format, JobControl& job) {
    auto document = makeWriteUp(input, job);
    if (!document)
        return document.error();
    const FigureFormat pictures = format == ReportFormat::Html ? FigureFormat::Svg : FigureFormat::Png;
    if (const Status painted = paintFigures(input, pictures, *document, job); !painted)
        return painted.error();
    if (format == ReportFormat::Pdf)
        return reportPdf(*document);
    StringSink sink;
    if (format == ReportFormat::Html)
        writeUpHtml(*document, sink);
    else
        writeUpMarkdown(*document, sink);
    return QByteArray::fromStdString(sink.text());
}

} // namespace lacuna::ui
