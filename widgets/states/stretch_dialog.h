#pragma once
// Asks which steps, or which stretch of time, of a large trace to read, and tells what memory that takes.

#include "core/document/trace_survey.h"

#include <QDialog>

#include <cstdint>
#include <optional>

class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QTreeWidget;

namespace lacuna::ui {

class StretchDialog : public QDialog {
    Q_OBJECT
public:
    // neededBytes: of memory, for the whole trace; 0: not known. What fits into `freeBytes` is selected: as
    // many steps as do, from the first on, without steps 60 seconds at most.
    StretchDialog(const QString& trace, const TraceSurvey& survey, std::uint64_t neededBytes,
                  std::optional<std::uint64_t> freeBytes, QWidget* parent = nullptr);

    // What is asked for now, in the time of the file; empty where nothing is.
    FileStretch stretch() const;

Q_SIGNALS:
    void chosen(const lacuna::FileStretch& stretch);

private:
    void addSteps();
    void selectWhatFits();
    void selectSteps(int first, int last); // both included; none where first > last
    void takeSteps();
    void showSteps();
    void tellNeed();
    std::uint64_t needOf(const FileStretch& stretch) const;
    void choose();

    TraceSurvey m_survey;
    std::uint64_t m_neededBytes;
    std::optional<std::uint64_t> m_freeBytes;
    QTreeWidget* m_steps;
    QDoubleSpinBox *m_from, *m_to; // seconds since the first row
    QLabel* m_need;
    QDialogButtonBox* m_buttons;
    bool m_isSetting = false;
};

} // namespace lacuna::ui
