#include "widgets/timeline/axis_text.h"

#include "widgets/text.h"

#include <QCoreApplication>

namespace lacuna::ui {

QString axisText(const TimeAxis& axis) {
    switch (axis.base) {
    case TimeBase::StepStart:
        return QCoreApplication::translate("TimeAxis", "since the start of step %1").arg(axis.step);
    case TimeBase::SelectionStart:
        return QCoreApplication::translate("TimeAxis", "since the selection");
    case TimeBase::WallClock:
        return QCoreApplication::translate("TimeAxis", "wall clock, %1").arg(text(zoneName(axis.zoneS)));
    case TimeBase::TraceStart:
        break;
    }
    return QCoreApplication::translate("TimeAxis", "since trace start");
}

} // namespace lacuna::ui
