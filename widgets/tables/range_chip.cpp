#include "widgets/tables/range_chip.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

namespace lacuna::ui {

RangeChip::RangeChip(TimelineViewModel& view, QWidget* parent) : QToolButton(parent), m_view(view) {
    SelectionModel& selection = view.session().selection();
    setFont(uiFont(Face::Regular, 12));
    setFocusPolicy(Qt::TabFocus);
    setMinimumHeight(24); // it is pressed
    setToolTip(tr("The table is of the selected range only; click for the whole trace"));
    connect(this, &QToolButton::clicked, this, [&selection] { selection.clearRange(Origin::Table); });
    connect(&selection, &SelectionModel::changed, this, &RangeChip::refresh);
    connect(&view, &TimelineViewModel::axisChanged, this, &RangeChip::refresh);
    refresh();
}

void RangeChip::refresh() {
    const auto& range = m_view.session().selection().range();
    setVisible(range.has_value());
    if (range)
        setText(tr("Range %1 ✕").arg(ui::text(rangeText(*range, m_view.axis()))));
}

} // namespace lacuna::ui
