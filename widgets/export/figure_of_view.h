#pragma once
// What every figure of the window starts from: the view's trace, lanes, looks and notes, and where they come
// from. The export dialog adds a person's options, a dragged selection takes it as it is.

#include "core/base/time.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/session/job_slot.h"

#include <QCoreApplication>
#include <QString>

#include <functional>
#include <memory>

class QMimeData;

namespace lacuna::ui {

class TimelineViewModel;

// Range, folds, plan, colours and gap as in the window; size, title and provenance are the caller's. Valid as
// long as the model's document.
FigureInput figureOfView(const TimelineViewModel& model);
// What the export dialog offers first: as high as the lanes need.
inline constexpr QSize kFirstFigureSize{1600, 0};
inline constexpr double kFirstFigureScale = 2.0;
QString figureName(const QString& tracePath, FigureFormat format); // "item_sync.png"
// A third of the length on both sides, so that a reader sees what is around it.
TimeRange withMargin(TimeRange range);

// What is known only after reading the file again: its hash, and what was said of its steps.
class FigureProvenance {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::FigureProvenance)
public:
    // Takes a moment for a big file. `done` runs on this thread, unless another read came first;
    // `problem` is a sentence, empty when the hash is known.
    void read(const TimelineViewModel& model, std::function<void(const QString& problem)> done);
    bool isReading() const { return m_job.isRunning(); }
    void addTo(FigureInput& input) const;

private:
    QString m_hash;
    StepCaption m_steps;
    std::map<std::string, std::string, std::less<>> m_settings;
    JobSlot m_job; // last: its destructor waits
};

// image/png (those bytes), image/svg+xml and the alt text as text/plain; the caller owns it. Null when the
// drawing cannot be made.
std::unique_ptr<QMimeData> figureMime(const FigureInput& input, const FigureFonts& fonts,
                                      const QImage& picture, const QByteArray& png);

} // namespace lacuna::ui
