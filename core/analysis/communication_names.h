#pragma once
// Which kernel names say communication: names are long and few, so each is looked at once.

#include "core/analysis/device_busy.h"

#include <cstdint>
#include <vector>

namespace lacuna {

class CommunicationNames {
public:
    explicit CommunicationNames(const Trace& trace) : m_trace(trace), m_known(trace.strings().size(), 0) {}
    bool has(StringId name) {
        std::uint8_t& known = m_known[name.v];
        if (known == 0)
            known = isCommunicationName(m_trace.strings().view(name)) ? 2 : 1;
        return known == 2;
    }

private:
    const Trace& m_trace;
    std::vector<std::uint8_t> m_known; // 0: not asked, 1: no, 2: yes
};

} // namespace lacuna
