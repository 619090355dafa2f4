#pragma once
// The strip above the lanes: the profiler's schedule by number of step, and below it, over the lanes' time,
// the start-up and the steps that are measured, left out, unusual or only candidates. A row that has nothing
// to say is not there. States are told by words and hatches, not by colour alone.
//
// Left and right move among the cells of a row, up and down between the rows, Enter goes to the cell.

#include "widgets/figure/figure_fonts.h"
#include "widgets/steps/strip_cells.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lacuna::ui {

class StepStrip : public QWidget {
    Q_OBJECT
public:
    StepStrip(StepStudy& study, const ThemePalette& palette, QWidget* parent = nullptr);

    void setThemePalette(const ThemePalette& palette);
    // Off: hidden whatever there is to say.
    void setOn(bool on);
    bool isOn() const { return m_isOn; }
    bool isEmpty() const { return m_schedule.empty() && m_steps.empty(); }

    const std::vector<ScheduleCell>& schedule() const { return m_schedule; }
    const std::vector<StepCell>& steps() const { return m_steps; }
    // Where cells stand; empty when they are out of view.
    QRectF scheduleRect(std::size_t cell) const;
    QRectF stepRect(std::size_t cell) const;
    // What the keyboard is on: row 0 is the schedule, row 1 the steps.
    struct Place {
        int row = 1;
        std::size_t cell = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    const std::optional<Place>& place() const { return m_place; }
    QString tipAt(QPointF at) const;

Q_SIGNALS:
    // A person wants to say what the schedule or a repeat is: the Steps panel takes it.
    void panelRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void showSelf();
    int rowTop(int row) const;
    std::size_t cellsIn(int row) const { return row == 0 ? m_schedule.size() : m_steps.size(); }
    std::optional<Place> placeAt(QPointF at) const;
    QRectF rectOf(const Place& place) const;
    QString labelOf(const Place& place) const;
    QString tipOf(const Place& place) const;
    void move(int cells);
    void changeRow();
    void activate(const Place& place);
    void describe();
    void paintHead(QPainter& painter, int row, const QString& title, const QString& detail) const;
    void paintSchedule(QPainter& painter) const;
    void paintSteps(QPainter& painter) const;
    void paintLabel(QPainter& painter, const QRectF& rect, const QString& label, Ink ink,
                    bool isHatched) const;

    StepStudy& m_study;
    ThemePalette m_palette;
    bool m_isOn = true;
    std::vector<ScheduleCell> m_schedule;
    std::vector<std::uint64_t> m_widths; // beside m_schedule: steps, an open end counts as two
    std::vector<StepCell> m_steps;
    std::optional<Place> m_place;
};

} // namespace lacuna::ui
