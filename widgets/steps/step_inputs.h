#pragma once
// What no trace records, in fields that live with the trace: samples of a step, FLOP, the time without a
// profiler, the profiler's schedule; and what follows from them, as it is typed. Wrong input is refused with
// its reason, and the value of before holds.

#include "widgets/steps/step_study.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lacuna::ui {

// "12,800.00 samples/s" and "MFU 30.0 %", or what to enter for it: lines of plain text.
QStringList throughputLines(const AnalysisSettings& settings, const StepTimes& times);

class StepInputs : public QWidget {
    Q_OBJECT
public:
    explicit StepInputs(StepStudy& study, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    void takeFocus(); // the first field
    void askForLog();

private:
    struct Field {
        const char* key;
        QLineEdit* edit = nullptr;
        QLabel* label = nullptr;
    };
    void addField(QFormLayout& form, const char* key, const QString& label, const QString& example);
    void refresh();
    void typed(const Field& field);
    void commit(const Field& field);
    void showResults(const AnalysisSettings& settings);
    void refuse(const Field& field, const QString& why);
    bool isGpuPeak(const Field& field) const;

    StepStudy& m_study;
    ThemePalette m_palette;
    std::vector<Field> m_fields;
    QCheckBox *m_warmUp, *m_startUp;
    QPushButton* m_log;
    QLabel *m_results, *m_problem;
};

} // namespace lacuna::ui
