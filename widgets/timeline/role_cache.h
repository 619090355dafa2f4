#pragma once
// Role of an event, remembered by its name: a dense frame asks for some 40,000, and telling communication
// kernels and waiting calls apart searches the name. Also tells when a renderer is handed another trace.

#include "core/trace/trace.h"
#include "widgets/theme/theme_palette.h"

#include <string>
#include <vector>

namespace lacuna::ui {

class RoleCache {
public:
    // True when the trace is another one than before; the cache is then empty.
    bool bind(const Trace& trace);
    // Of the bound trace.
    Ink roleOf(const Trace& trace, EventId event);

private:
    struct Entry {
        EventKind kind = EventKind::Other;
        Ink role = Ink::Count; // Count: not known yet
    };
    std::vector<Entry> m_byName;
    // Address alone could be that of a trace that is gone.
    const Trace* m_trace = nullptr;
    std::string m_path;
    std::uint64_t m_fileSize = 0;
    std::size_t m_events = 0;
};

} // namespace lacuna::ui
