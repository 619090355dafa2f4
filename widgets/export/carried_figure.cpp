#include "widgets/export/carried_figure.h"

#include "widgets/figure/figure_formats.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QDrag>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPixmap>
#include <QPointer>
#include <QUrl>
#include <QWidget>

namespace lacuna::ui {

CarriedFigure::CarriedFigure(TimelineViewModel& model, QObject* parent)
    : QObject(parent), m_model(model), m_fonts(FigureFonts::load()) {}

void CarriedFigure::carry(Theme theme, QWidget* source) {
    if (m_model.session().document() == nullptr)
        return; // still loading
    Q_EMIT said(tr("Making the figure of the marked range..."));
    m_provenance.read(m_model, [this, theme, source = QPointer(source)](const QString& problem) {
        if (!problem.isEmpty())
            Q_EMIT said(problem);
        if (source != nullptr && (QGuiApplication::mouseButtons() & Qt::LeftButton) != 0)
            begin(theme, source);
    });
}

void CarriedFigure::begin(Theme theme, QWidget* source) {
    QImage picture;
    std::unique_ptr<QMimeData> mime = data(theme, picture);
    if (!mime) {
        Q_EMIT said(tr("There is no figure of that range."));
        return;
    }
    Q_EMIT said(tr("Drop the figure where it is wanted; Esc keeps it here."));
    constexpr int kShownWidth = 240;
    auto* drag = new QDrag(source); // Qt deletes it when it ends
    drag->setMimeData(mime.release());
    drag->setPixmap(QPixmap::fromImage(picture.scaledToWidth(kShownWidth, Qt::SmoothTransformation)));
    const Qt::DropAction taken = drag->exec(Qt::CopyAction);
    Q_EMIT said(taken == Qt::IgnoreAction ? tr("The figure was not dropped.") : tr("The figure was taken."));
}

std::unique_ptr<QMimeData> CarriedFigure::data(Theme theme, QImage& picture) {
    const std::optional<TimeRange> marked = m_model.session().selection().range();
    if (m_model.session().document() == nullptr || !marked)
        return nullptr;
    FigureInput input = figureOfView(m_model);
    input.range = withMargin(*marked);
    input.size = kFirstFigureSize;
    input.scale = kFirstFigureScale;
    input.theme = theme == Theme::Dark ? Theme::Dark : Theme::Light;
    m_provenance.addTo(input);
    if (!checkFigure(input))
        return nullptr;
    picture = paintFigure(input, m_fonts);
    const auto png = pngBytes(picture, input);
    if (!m_folder)
        m_folder.emplace();
    const QString file =
        m_folder->filePath(figureName(m_model.session().document()->path, FigureFormat::Png));
    if (!png || !m_folder->isValid() || !writeBytes(*png, file))
        return nullptr;
    auto mime = figureMime(input, m_fonts, picture, *png);
    if (mime != nullptr)
        mime->setUrls({QUrl::fromLocalFile(file)});
    return mime;
}

} // namespace lacuna::ui
