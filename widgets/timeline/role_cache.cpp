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
    m_byName.assign(trace.strings().size(), Entry{});
    return true;
}

Ink RoleCache::roleOf(const Trace& trace, EventId event) {
    const std::uint32_t name = trace.events().name[event.v].v;
    const EventKind kind = trace.events().kind[event.v];
    if (name >= m_byName.size()) // a row without a name
        return inkOfKind(kind);
    Entry& entry = m_byName[name];
    if (entry.role == Ink::Count || entry.kind != kind)
        entry = {kind, inkOf(trace, event)};
    return entry.role;
}

} // namespace lacuna::ui
