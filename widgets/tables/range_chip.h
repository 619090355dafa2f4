#pragma once
// "Range 1.104–1.110 s ✕": what a table says while it is restricted to the marked range; a click shows the
// whole trace again. Hidden while no range is marked.

#include "widgets/timeline/timeline_view_model.h"

#include <QToolButton>

namespace lacuna::ui {

class RangeChip : public QToolButton {
    Q_OBJECT
public:
    explicit RangeChip(TimelineViewModel& view, QWidget* parent = nullptr);

private:
    void refresh();
    TimelineViewModel& m_view;
};

} // namespace lacuna::ui
