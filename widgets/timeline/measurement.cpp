#include "widgets/timeline/measurement.h"

#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <cstdlib>
#include <utility>

namespace lacuna::ui {

Measurement measured(const Trace& trace, EventId a, EventId b) {
    if (trace.events().range(b).begin < trace.events().range(a).begin)
        std::swap(a, b);
    const TimeRange first = trace.events().range(a), second = trace.events().range(b);
    Measurement m{a,
                  b,
                  second.begin - first.begin,
                  second.begin - first.end,
                  second.end - first.begin,
                  second.end - first.end,
                  {}};
    m.range = m.isGap() ? TimeRange{first.end, second.begin} : TimeRange{first.begin, second.begin};
    return m;
}

QString signedDuration(DurationNs duration) {
    return (duration.v < 0 ? QString(QChar(0x2212)) : QString()) +
           text(formatDuration({std::abs(duration.v)}));
}

QString measurementText(const Measurement& m) {
    return QCoreApplication::translate("Measurement", "end to start %1, start to start %2, end to end %3")
        .arg(signedDuration(m.endToStart), signedDuration(m.startToStart), signedDuration(m.endToEnd));
}

} // namespace lacuna::ui
