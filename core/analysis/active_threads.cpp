#include "core/analysis/active_threads.h"

#include <tuple>

namespace lacuna::gaps {

void ActiveThreads::finish() {
    if (m_entries.size() <= kFew)
        return;
    std::sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.rows.begin, a.thread) < std::tie(b.rows.begin, b.thread);
    });
    for (std::size_t i = 1; i < m_entries.size(); ++i)
        m_entries[i].maxEnd = std::max(m_entries[i].maxEnd, m_entries[i - 1].maxEnd);
}

std::vector<ThreadId> ActiveThreads::touching(TimeRange window) const {
    const TimeNs from{saturatingAdd(window.begin.v, -kReachNs)};
    const TimeNs until{saturatingAdd(window.end.v, kReachNs)};
    std::vector<ThreadId> threads;
    // Threads before the first one whose running maximum reaches the window ended too early.
    auto at = std::partition_point(m_entries.begin(), m_entries.end(),
                                   [&](const Entry& entry) { return entry.maxEnd < from; });
    for (; at != m_entries.end() && at->rows.begin <= until && threads.size() < kMost; ++at)
        if (from <= at->rows.end)
            threads.push_back(at->thread);
    std::sort(threads.begin(), threads.end());
    return threads;
}

} // namespace lacuna::gaps
