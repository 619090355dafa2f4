#pragma once
// Asks what the repeats of a trace without marks are. Until a person answers they are candidates, and nothing
// is called a step; the answer can be taken back.

#include "widgets/steps/step_study.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace lacuna::ui {

class CandidateBar : public QWidget {
    Q_OBJECT
public:
    // Hidden where there is nothing to ask.
    explicit CandidateBar(StepStudy& study, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);

private:
    void refresh();
    void fillCandidates();
    void showCandidate();
    void confirm();

    StepStudy& m_study;
    QLabel *m_state, *m_question, *m_problem;
    QComboBox *m_candidate, *m_meaning;
    QPushButton *m_show, *m_confirm, *m_takeBack;
};

} // namespace lacuna::ui
