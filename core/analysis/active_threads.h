#pragma once
// Threads of a process, asked for those that were at work in a window. Rules that look at every other thread
// of a process ask here, so that a file with a million threads costs what its threads did at the time, and
// never more than kMost threads a question.

#include "core/base/ids.h"
#include "core/base/time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lacuna::gaps {

class ActiveThreads {
public:
    static constexpr std::size_t kFew = 64;     // so many are always visited, without a look at the time
    static constexpr std::size_t kMost = 1'024; // of more the first by begin of their rows are visited

    // `rows`: from the thread's first begin to its last end.
    void add(ThreadId thread, TimeRange rows) { m_entries.push_back({rows, rows.end, thread}); }
    void finish(); // once, after the last add()
    std::size_t size() const { return m_entries.size(); }

    // Calls visit(thread) in order of threads for those whose rows come within kReachNs of the window (and
    // maybe for others); it returns false to stop. O(log threads + those visited), in files whose threads
    // follow one another in time.
    template <class Visit> void visitActive(TimeRange window, Visit&& visit) const;
    // Rules that look past the ends of a window look no further than this.
    static constexpr std::int64_t kReachNs = 1'000'000;

private:
    struct Entry {
        TimeRange rows;
        TimeNs maxEnd; // of this and the earlier ones
        ThreadId thread;
    };
    std::vector<ThreadId> touching(TimeRange window) const;
    std::vector<Entry> m_entries; // few: by thread; many: by begin
};

template <class Visit> void ActiveThreads::visitActive(TimeRange window, Visit&& visit) const {
    if (m_entries.size() <= kFew) {
        for (const Entry& entry : m_entries)
            if (!visit(entry.thread))
                return;
        return;
    }
    for (const ThreadId thread : touching(window))
        if (!visit(thread))
            return;
}

} // namespace lacuna::gaps
