#pragma once
// The timeline as a table for assistive technology (ux.md section 13): visible lanes are rows, what is drawn
// in them is cells, by time: events, columns of several events, idle gaps. Cells are made on demand from the
// frame that is shown, at most kMaxCells a lane, with the selected one always among them.

#include "widgets/timeline/timeline_view.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lacuna::ui {

inline constexpr std::size_t kMaxCells = 200;

// What one cell is about; in time order within its lane.
struct AccessibleCell {
    EventId event;           // of several: the longest
    std::uint32_t count = 1; // events in it
    GapId gap;               // then event is none
    QRect rect;              // viewport of the timeline
};

class TimelineAccessible final : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit TimelineAccessible(TimelineView* view);
    ~TimelineAccessible() override;
    // To be called once a process; a second time does nothing.
    static void install();

    TimelineView& view() const { return *static_cast<TimelineView*>(widget()); }
    // Of the n-th visible row.
    const std::vector<AccessibleCell>& cellsOf(int row) const;
    QString rowTitle(int row) const;
    QString cellName(int row, int column) const;
    QString cellDescription(int row, int column) const;
    bool isSelected(const AccessibleCell& cell) const;
    void select(const AccessibleCell& cell);
    // Row and column of what is selected; -1: it is not in view.
    std::pair<int, int> selectedPlace() const;

    // QAccessibleInterface
    void* interface_cast(QAccessible::InterfaceType type) override;
    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text t) const override;

    // QAccessibleTableInterface
    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override;
    int selectedCellCount() const override;
    QList<QAccessibleInterface*> selectedCells() const override;
    QString columnDescription(int) const override { return {}; }
    QString rowDescription(int row) const override { return rowTitle(row); }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    int columnCount() const override;
    int rowCount() const override;
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    void refresh() const; // when another frame is shown
    void dropCells() const;

    mutable const Trace* m_trace = nullptr;
    mutable std::uint64_t m_frame = ~std::uint64_t{0};
    mutable std::vector<std::uint32_t> m_rows; // indexes into the frame's lanes
    mutable std::vector<std::vector<AccessibleCell>> m_cells;
    mutable std::map<std::pair<int, int>, QAccessible::Id> m_made;
};

// Tells assistive technology what is selected now. Nothing when none listens.
void announceSelection(TimelineView& view);

} // namespace lacuna::ui
