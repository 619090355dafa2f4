#pragma once
// Lanes of many events in turn.

#include "core/trace/trace.h"

namespace lacuna {

// Lane of an event; constant time while the questions stay in few strips.
class LaneCursor {
public:
    explicit LaneCursor(const Trace& trace) : m_trace(&trace) {}
    LaneId of(EventId event) {
        const Strip* strip = m_last ? &m_trace->strip(m_last) : nullptr;
        if (strip == nullptr || event < strip->first || !(event < strip->last)) {
            m_last = m_trace->stripOf(event);
            strip = &m_trace->strip(m_last);
        }
        return strip->lane;
    }

private:
    const Trace* m_trace;
    StripId m_last;
};

} // namespace lacuna
