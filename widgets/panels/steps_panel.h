#pragma once
// Steps: a row each, statistics with histogram and course, and what no trace records. Where nothing marks
// steps it asks what the repeats are.

#include "widgets/panels/table_panel.h"
#include "widgets/steps/step_study.h"

#include <QTimer>

#include <optional>

class QToolButton;

namespace lacuna::ui {

class CandidateBar;
class JobDetails;
class StepInputs;
class StepNumbers;

class StepsPanel : public TablePanel {
    Q_OBJECT
public:
    StepsPanel(const PanelContext& context, QWidget* parent);
    ~StepsPanel() override;

    StepStudy& study() { return m_study; }
    QString title() const override { return tr("Steps"); }
    void takeFocus() override;
    void setThemePalette(const ThemePalette& palette) override;
    void focusInputs();
    void askForLog();

protected:
    void bringUpToDate() override { refresh(); }

private:
    void refresh();
    void showSteps(Result<ShownReport> report);
    void showChip();
    void open(std::uint32_t row);

    StepStudy m_study;
    std::optional<TimeRange> m_range;    // that is shown
    std::vector<std::size_t> m_rowSteps; // of the table: of StepFacts
    QTimer m_soon;
    std::shared_ptr<JobDetails> m_details;
    CandidateBar* m_candidates;
    StepNumbers* m_numbers;
    StepInputs* m_inputs;
    QToolButton* m_chip;
    JobSlot m_job; // last: its destructor waits
};

Panel* makeStepsPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
