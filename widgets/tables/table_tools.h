#pragma once
// What stands at the right end of the tab bar for a panel with a report table: the walk through the events
// behind a row, the range that the table is restricted to, its filter, copying and export.

#include "core/report/report_evidence.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QWidget>

#include <memory>
#include <vector>

class QHBoxLayout;
class QLineEdit;

namespace lacuna::ui {

class CommandRegistry;
class InstanceWalk;
class RangeChip;
class ReportTableView;

class TableTools : public QWidget {
    Q_OBJECT
public:
    // `name` begins the object names of the parts: "reports" -> "reportsFilter", "reportsRange".
    TableTools(TimelineViewModel& view, CommandRegistry& commands, ReportTableView& table,
               const QString& name, QWidget* panel);

    void addFirst(QWidget* widget); // in front of all others
    void dropRange();               // of a table that no range restricts
    QString filter() const;
    // Shows a filter that the table has or is about to get.
    void showFilter(const QString& filter);
    InstanceWalk& walk() { return *m_walk; }

    // A person went to a row: to its event or time, or to the next of its events when the row is the same as
    // before. `instances`: all events behind it, by start; one alone is no walk.
    void open(std::uint32_t row, bool again, const ReportEvidence& evidence, std::vector<EventId> instances);
    void clear(); // no row is open

private:
    void step(int direction);
    void showPlace();

    TimelineViewModel& m_view;
    CommandRegistry& m_commands;
    std::uint32_t m_row = 0;
    bool m_isQuiet = false;
    QHBoxLayout* m_layout;
    InstanceWalk* m_walk;
    RangeChip* m_range;
    QLineEdit* m_filter;
};

} // namespace lacuna::ui
