#include "widgets/timeline/role_cache.h"

namespace lacuna::ui {

bool RoleCache::bind(const Trace& trace) {
    const TraceFacts& facts = trace.facts();
    if (m_trace == &trace && m_events == trace.events().size() && m_fileSize == facts.fileSize &&
        m_path == facts.path)
        return false;
    m_trace = &trace;
    m_events = trace.events().size();
    m_fileSize = facts.fileSize;
    m_path = facts.path;
    m_byName = std::vector<std::atomic<std::uint16_t>>(trace.strings().size());
    return true;
}

Ink RoleCache::find(const Trace& trace, EventId event) {
    const std::uint32_t name = trace.events().name[event.v].v;
    const EventKind kind = trace.events().kind[event.v];
    if (name >= m_byName.size()) // a row without a name
        return inkOfKind(kind);
    const Ink role = inkOf(trace, event);
    m_byName[name].store(static_cast<std::uint16_t>(static_cast<unsigned>(kind) << kRoleBits |
                                                    (static_cast<unsigned>(role) + 1)),
                         std::memory_order_relaxed);
    return role;
}

} // namespace lacuna::ui
