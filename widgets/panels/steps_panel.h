#pragma once
// Steps: a row each, statistics with histogram and course, and what no trace records. Where nothing marks
// steps it asks what the repeats are.

#include "widgets/panels/panel.h"
#include "widgets/steps/step_study.h"
#include "widgets/tables/report_table_view.h"

#include <QTimer>

#include <optional>

class QLabel;
class QToolButton;

namespace lacuna::ui {

class CandidateBar;
class JobDetails;
class StepInputs;
class StepNumbers;
class TableTools;

class StepsPanel : public Panel {
    Q_OBJECT
public:
    StepsPanel(const PanelContext& context, QWidget* parent);
    ~StepsPanel() override;

    StepStudy& study() { return m_study; }
    QString title() const override { return tr("Steps"); }
    QWidget* tabTools() override;
    void takeFocus() override;
    void setThemePalette(const ThemePalette& palette) override;
    QVariantMap kept() const override;
    void restore(const QVariantMap& kept) override;
    void focusInputs();
    void askForLog();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showTable(Result<ShownReport> report);
    void showChip();
    void open(std::uint32_t row);

    PanelContext m_context;
    StepStudy m_study;
    ReportViewState m_state;
    std::optional<TimeRange> m_range;    // that is shown
    std::vector<std::size_t> m_rowSteps; // of the table: of StepFacts
    bool m_isStale = true;
    QTimer m_soon;
    std::shared_ptr<JobDetails> m_details;
    CandidateBar* m_candidates;
    ReportTableView* m_table;
    TableTools* m_tools;
    StepNumbers* m_numbers;
    StepInputs* m_inputs;
    QToolButton* m_chip;
    QLabel* m_notes;
    JobSlot m_job; // last: its destructor waits
};

Panel* makeStepsPanel(const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
