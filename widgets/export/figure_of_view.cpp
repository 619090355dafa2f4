#include "widgets/export/figure_of_view.h"

#include "core/import/load_trace.h"
#include "widgets/figure/figure_alt_text.h"
#include "widgets/session/session_settings.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QFileInfo>
#include <QMimeData>

#include <algorithm>

namespace lacuna::ui {

FigureInput figureOfView(const TimelineViewModel& model) {
    FigureInput input;
    const Document& document = *model.session().document();
    input.trace = &document.trace();
    input.gaps = document.gaps.get();
    input.range = model.viewport().range();
    // Which rows and levels fit is decided for the figure's own height and range.
    input.layout.folded = model.layoutOptions().folded;
    input.layout.unfolded = model.layoutOptions().unfolded;
    input.layout.plan = model.lanePlan();
    input.look = model.look();
    input.axis = model.axis();
    input.gap = model.session().selection().gap();
    input.annotations = &model.session().annotations();
    return input;
}

QString figureName(const QString& tracePath, FigureFormat format) {
    return QFileInfo(tracePath).fileName().section(u'.', 0, 0) + endingOf(format);
}

TimeRange withMargin(TimeRange range) {
    const DurationNs margin{std::max<std::int64_t>(1, range.length().v / 3)};
    return {range.begin - margin, range.end + margin};
}

void FigureProvenance::read(const TimelineViewModel& model,
                            std::function<void(const QString& problem)> done) {
    const Document& document = *model.session().document();
    const SessionSettings& settings = SessionSettings::of(model.session());
    m_settings = settings.ofTrace();
    struct Read {
        StepCaption steps;
        Result<std::string> hash;
    };
    m_job.start<Read>(
        [path = document.path.toStdString(), trace = document.loaded.trace,
         values = settings.values()](JobControl& job) -> Result<Read> {
            auto steps = stepCaption(*trace, *values, job);
            if (!steps)
                return steps.error();
            return Read{*std::move(steps), sha256OfFile(path, job)};
        },
        [this, done = std::move(done)](const Result<Read>& read) {
            if (!read)
                return; // only a cancelled job has none
            m_steps = read->steps;
            m_hash = read->hash ? text(*read->hash) : QString();
            done(
                read->hash
                    ? QString()
                    : tr("The file could not be read for its hash: %1").arg(text(read->hash.error().detail)));
        });
}

void FigureProvenance::addTo(FigureInput& input) const {
    input.sha256 = m_hash;
    input.steps = m_steps;
    input.stepSettings = m_settings;
}

std::unique_ptr<QMimeData> figureMime(const FigureInput& input, const FigureFonts& fonts,
                                      const QImage& picture, const QByteArray& png) {
    const auto svg = figureBytes(input, fonts, FigureFormat::Svg);
    if (!svg)
        return nullptr;
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(picture); // what most programs ask for
    mime->setData(QStringLiteral("image/png"), png);
    mime->setData(QStringLiteral("image/svg+xml"), *svg);
    mime->setText(figureAltText(input));
    return mime;
}

} // namespace lacuna::ui
