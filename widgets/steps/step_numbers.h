#pragma once
// Statistics of one quantity of the measured steps: figures by a definition that is named, a histogram with
// modes, and the course from step to step with its drift. A bar shows its steps in the timeline.

#include "core/report/step_values.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/steps/step_study.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;

namespace lacuna::ui {

// Name and figure, as shown: "median" "6.908 ms". `excluded`: warm-up steps that are left out.
using StepFigures = std::vector<std::pair<QString, QString>>;
// In the order of stepFigures().
enum class StepFigure : std::uint8_t {
    Values,
    Mean,
    Median,
    P95,
    Deviation,
    Min,
    Max,
    Outliers,
    Modes,
    Drift
};
StepFigures stepFigures(const StepQuantity& quantity, const StepTimes& times, const Thresholds& thresholds,
                        QuantileDefinition definition);

class StepNumbers : public QWidget {
    Q_OBJECT
public:
    explicit StepNumbers(StepStudy& study, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    // Of the steps that overlap the range; none: of all.
    void showSteps(const std::optional<TimeRange>& range);

    PickPlot& histogram() { return *m_histogram; }
    PickPlot& course() { return *m_course; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void showFigures();
    const StepQuantity* quantity() const;
    PickScene makeHistogram(QSize size, const FigureFonts& fonts) const;
    PickScene makeCourse(QSize size, const FigureFonts& fonts) const;
    void pickBin(std::size_t bin);
    std::vector<std::size_t> placesOf(StepFigure which) const;
    void openSteps(StepFigure which);

    StepStudy& m_study;
    ThemePalette m_palette;
    StepTimes m_times;            // that are shown
    std::size_t m_firstShown = 0; // of StepFacts' steps
    std::vector<StepQuantity> m_quantities;
    QuantileDefinition m_definition = QuantileDefinition::Usual;
    std::optional<StepValue> m_wanted; // as chosen
    std::optional<std::size_t> m_bin;  // as picked
    QComboBox *m_which, *m_definitions;
    PickPlot *m_histogram, *m_course;
    QWidget* m_figures = nullptr;
    QLabel* m_definitionText;
    QBoxLayout* m_body; // figures and plots: beside each other where there is room
};

} // namespace lacuna::ui
