#pragma once
// Role of an event, remembered by its name: a dense frame asks for some 40,000, and telling communication
// kernels and waiting calls apart searches the name. Also tells when a renderer is handed another trace.

#include "core/trace/trace.h"
#include "widgets/theme/theme_palette.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace lacuna::ui {

class RoleCache {
public:
    // True when the trace is another one than before; the cache is then empty.
    bool bind(const Trace& trace);
    // Of the bound trace. By several threads at a time: what two of them find is the same.
    Ink roleOf(const Trace& trace, EventId event) {
        const std::uint32_t name = trace.events().name[event.v].v;
        const auto kind = static_cast<std::uint16_t>(trace.events().kind[event.v]);
        if (name < m_byName.size()) {
            const std::uint16_t known = m_byName[name].load(std::memory_order_relaxed);
            if (known >> kRoleBits == kind && (known & kRoleMask) != 0)
                return static_cast<Ink>((known & kRoleMask) - 1);
        }
        return find(trace, event);
    }

private:
    static constexpr unsigned kRoleBits = 8, kRoleMask = 0xff;
    static_assert(static_cast<unsigned>(Ink::Count) < kRoleMask);
    Ink find(const Trace& trace, EventId event);

    // Kind of the row that was asked for last and its role + 1; role 0: not known yet.
    std::vector<std::atomic<std::uint16_t>> m_byName;
    // Address alone could be that of a trace that is gone.
    const Trace* m_trace = nullptr;
    std::string m_path;
    std::uint64_t m_fileSize = 0;
    std::size_t m_events = 0;
};

} // namespace lacuna::ui
