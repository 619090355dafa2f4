#include "widgets/figure/figure_workspace.h"

#include "widgets/figure/pdf_canonical.h"
#include "widgets/figure/png_text.h"
#include "widgets/figure/svg_device.h"
#include "widgets/timeline/annotation_painter.h"

#include <QFile>
#include <QXmlStreamReader>

namespace lacuna::ui {

namespace {

constexpr const char* kNamespace = "urn:lacuna:workspace";
constexpr qint64 kMostDrawingBytes = qint64{64} << 20; // SVG and PDF are read whole

Error noView() {
    return {Errc::Unsupported, "This picture holds no view of Lacuna.", {}, "Open the trace itself."};
}

std::vector<std::string> listOf(const std::set<std::string>& keys) {
    return {keys.begin(), keys.end()};
}

QString fromSvg(const QByteArray& bytes) {
    QXmlStreamReader xml(bytes);
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"workspace" &&
            xml.namespaceUri() == QLatin1String(kNamespace))
            return xml.readElementText();
    return {};
}

} // namespace

Workspace workspaceOf(const FigureInput& input) {
    Workspace workspace;
    const TraceFacts& facts = input.trace->facts();
    workspace.trace.name = facts.fileName;
    workspace.trace.size = facts.fileSize;
    workspace.trace.sha256 = input.sha256.toStdString();
    workspace.trace.readAs = readAsOf(input.trace->report());
    workspace.view.range = input.range;
    workspace.view.folded = listOf(input.layout.folded);
    workspace.view.unfolded = listOf(input.layout.unfolded);
    workspace.view.scrollPx = input.scrollPx;
    workspace.view.colourBy = input.look.colourBy;
    workspace.view.fullNames = input.look.fullNames;
    workspace.view.timeBase = input.axis.base;
    workspace.view.timeZero = input.axis.zero;
    workspace.view.zoneS = input.axis.zoneS;
    workspace.settings = input.stepSettings;
    workspace.lanes = input.layout.plan;
    workspace.lanes.filter.clear();
    workspace.names = input.look.names;
    if (input.gaps != nullptr && input.gap) {
        const Gap& gap = input.gaps->gap(input.gap);
        workspace.view.gap = WorkspaceGap{input.trace->devices()[gap.device.v].ordinal, gap.range};
    }
    if (input.annotations != nullptr) { // what is hidden in the picture is not told by what it holds
        const std::set<StringId> hidden = redactedNames(*input.trace, *input.annotations);
        workspace.setAnnotations(redactedNotes(*input.annotations, *input.trace, hidden));
        for (const StringId name : hidden)
            if (const auto given = workspace.names.find(input.trace->strings().view(name));
                given != workspace.names.end())
                workspace.names.erase(given);
    }
    return workspace;
}

void applyWorkspace(const Workspace& workspace, FigureInput& input) {
    const WorkspaceView& view = workspace.view;
    if (view.range)
        input.range = *view.range;
    input.layout.folded = {view.folded.begin(), view.folded.end()};
    input.layout.unfolded = {view.unfolded.begin(), view.unfolded.end()};
    input.layout.plan = workspace.lanes;
    input.look = workspace.look();
    input.axis = axisOf(*input.trace, view.timeBase, view.timeZero, view.zoneS);
    if (!view.gap || input.gaps == nullptr)
        return;
    const auto gaps = input.gaps->gaps();
    for (std::uint32_t i = 0; i < gaps.size(); ++i)
        if (gaps[i].range == view.gap->range &&
            input.trace->devices()[gaps[i].device.v].ordinal == view.gap->device)
            input.gap = GapId{i};
}

bool isPicture(const QByteArray& firstBytes) {
    return firstBytes.startsWith("\x89PNG\r\n\x1a\n") || firstBytes.startsWith("%PDF-") ||
           firstBytes.startsWith("<svg") || (firstBytes.startsWith("<?xml") && firstBytes.contains("<svg"));
}

Result<std::string> workspaceInPicture(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{Errc::Io, "The picture could not be read: " + file.errorString().toStdString(), {}, {}};
    constexpr qint64 kHead = 4'096;
    const QByteArray head = file.peek(kHead);
    if (!isPicture(head))
        return Error{Errc::NotRecognised, "This is no picture of Lacuna.", {}, {}};
    if (!head.startsWith('\x89') && file.size() > kMostDrawingBytes)
        return Error{Errc::TooLarge, "The picture is larger than any that Lacuna writes.", {}, {}};
    QByteArray text;
    if (head.startsWith('\x89'))
        text = pngText(file, kPngKeyOfWorkspace, Workspace::kMaxBytes).toUtf8();
    else if (head.startsWith('%'))
        text = pdfAttachment(file.readAll(), QString::fromLatin1(kPdfNameOfWorkspace));
    else
        text = fromSvg(file.readAll()).toUtf8();
    return text.isEmpty() ? Result<std::string>(noView()) : Result<std::string>(text.toStdString());
}

QByteArray svgMetadataOf(const std::string& workspace) {
    return QByteArray("<lacuna:workspace xmlns:lacuna=\"") + kNamespace + "\">" +
           escapedXml(QString::fromStdString(workspace)) + "</lacuna:workspace>";
}

} // namespace lacuna::ui
