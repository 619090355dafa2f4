#pragma once
// What the training script printed when it ran without a profiler, pasted or from a file: what is read out of
// it as it is typed, and what the capture adds to a step by it (core/analysis/outside_step.h). Use makes it a
// setting of the trace, which is undone like others.

#include "widgets/steps/step_study.h"
#include "widgets/theme/theme_palette.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lacuna::ui {

class TimingLogDialog : public QDialog {
    Q_OBJECT
public:
    TimingLogDialog(StepStudy& study, const ThemePalette& palette, QWidget* parent = nullptr);

    // Lines of plain text: how many steps the log tells, and what follows.
    static QStringList readingLines(const TimingLog& log, const StepFacts& facts);
    // False, with the reason shown, when it cannot be read.
    bool openFile(const QString& path);

private:
    void read();
    void chooseFile();
    void use();
    void forget();

    StepStudy& m_study;
    QPlainTextEdit* m_text;
    QLabel* m_reading;
    QPushButton* m_use;
    TimingLog m_log;
};

} // namespace lacuna::ui
