#pragma once
// Controls for the options that a report takes: the list of core/report/report_options.h, so that the window
// offers what the command line does.

#include "core/report/report_options.h"

#include <QWidget>

#include <map>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QHBoxLayout;

namespace lacuna::ui {

class ReportOptionBar : public QWidget {
    Q_OBJECT
public:
    explicit ReportOptionBar(QWidget* parent = nullptr);

    // Controls of this report, with what was chosen for it before; `gpus`: ordinals of the trace's devices.
    void showFor(const ReportSpec& report, const std::vector<std::int64_t>& gpus);
    // Columns to sort by, once they are known.
    void setColumns(const ReportTable& table);
    // What is chosen into the query. All rows where no limit is: a window scrolls.
    void apply(ReportQuery& query) const;
    // The control of an option, named "option.group-by"; null when the report does not take it.
    QWidget* control(ReportOption option) const;

    using Choices = std::map<ReportOption, std::string>;
    using AllChosen = std::map<std::string, Choices>; // by report
    const AllChosen& allChosen() const { return m_chosen; }
    void restore(AllChosen chosen) { m_chosen = std::move(chosen); } // for the next showFor()

Q_SIGNALS:
    void changed();                      // a choice; the report is to be computed again
    void refused(const QString& reason); // wrong input; the choice of before holds

private:
    QWidget* makeControl(const ReportOptionInfo& info, const std::vector<std::int64_t>& gpus);
    QWidget* makeChoice(const ReportOptionInfo& info, const std::vector<std::int64_t>& gpus);
    QWidget* makeField(const ReportOptionInfo& info);
    void choose(ReportOption option, const std::string& value);
    const std::string& chosen(ReportOption option) const;

    AllChosen m_chosen; // kept while the window lives
    std::string m_report;
    std::vector<QWidget*> m_parts;
    std::map<ReportOption, QWidget*> m_controls;
    QHBoxLayout* m_layout;
};

} // namespace lacuna::ui
